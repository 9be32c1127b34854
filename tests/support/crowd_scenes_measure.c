/* What a run of a scene comes to. */
#include "support/crowd_scenes.h"

#include <stdlib.h>
#include <string.h>

/* ---- overlap ---- */

typedef struct Span /* of a person along x */
{
    double from, to;
    uint32_t person;
} Span;

static int by_start(const void *a, const void *b)
{
    const Span *left = a, *right = b;
    return left->from < right->from ? -1 : left->from > right->from;
}

static double reach_of(const CrowdBody *body)
{
    return fmax(body->radii.x, fmax(body->radii.y, body->radii.z)) + body->half_height;
}

/* Shapes are upright: their widths are their radii. */
static uint32_t spans_of(const CrowdScene *scene, CrowdBody *bodies, Span *spans)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        bodies[i] = crowd_body_of(scene, i);
        if (!scene->persons[i].is_gone)
        {
            double x = bodies[i].center.x, half = bodies[i].radii.x;
            spans[count++] = (Span){x - half, x + half, i};
        }
    }
    qsort(spans, count, sizeof *spans, by_start);
    return count;
}

/* As a share of the smaller radius, if that is worse than what is known. */
static double worst_of(const CrowdBody *a, const CrowdBody *b, double known)
{
    Vector c = vector_sub(b->center, a->center);
    double least = fmin(fmin(a->radii.x, a->radii.z), fmin(b->radii.x, b->radii.z));
    if (fabs(c.z) > a->radii.z + b->radii.z || fabs(c.y) > reach_of(a) + reach_of(b))
    {
        return known;
    }
    return crowd_overlap(a, b, known * least) / least;
}

double crowd_worst_overlap(const CrowdScene *scene)
{
    CrowdBody *bodies = malloc((scene->count + 1) * sizeof *bodies);
    Span *spans = malloc((scene->count + 1) * sizeof *spans);
    if (bodies == NULL || spans == NULL)
    {
        abort();
    }
    uint32_t count = spans_of(scene, bodies, spans);
    double worst = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t j = i + 1; j < count && spans[j].from < spans[i].to; ++j)
        {
            worst = worse(worst, worst_of(&bodies[spans[i].person], &bodies[spans[j].person], worst));
        }
    }
    free(bodies);
    free(spans);
    return worst;
}

/* ---- runs ---- */

/* Metres a tick: what is less is the rounding of coordinates. */
#define STILL 1e-12

typedef struct Track /* of a person */
{
    Vector before, start; /* of the tick, of the last second */
    double path;          /* in the last second */
} Track;

typedef struct Run
{
    CrowdScene *scene;
    Track *tracks;
    int ticks, measured; /* in all, and those of the last second */
    int moved;           /* the last tick in which a person moved */
    double passed_15, passed_75;
    CrowdFigures figures;
} Run;

static bool is_out(const CrowdScene *scene, Vector place)
{
    return !(place.x >= scene->low.x && place.x <= scene->high.x && place.y >= scene->low.y &&
             place.y <= scene->high.y && place.z >= scene->low.z && place.z <= scene->high.z);
}

static void follow(Run *run, uint32_t person)
{
    CrowdScene *scene = run->scene;
    Track *track = &run->tracks[person];
    Vector place = crowd_place(scene, person);
    bool rides = scene->moves[person].body.flags & SIDLE_BODY_GROUNDED;
    double length = vector_distance(place, vector_add(track->before, rides ? scene->drift : vector(0, 0, 0)));
    run->moved = length > STILL ? scene->tick : run->moved;
    if (!scene->persons[person].is_hero)
    {
        run->figures.fastest = worse(run->figures.fastest, length * scene->setting.rate);
    }
    run->figures.stuck += (scene->moves[person].body.flags & SIDLE_BODY_STUCK) != 0;
    if (scene->tick > run->ticks - run->measured)
    {
        track->path += length;
        track->start = vector_add(track->start, scene->drift);
    }
    else
    {
        track->start = place;
    }
    track->before = place;
}

static void count_arrivals(Run *run)
{
    CrowdScene *scene = run->scene;
    CrowdFigures *figures = &run->figures;
    uint32_t done = 0;
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        done += crowd_is_done(scene, i);
    }
    figures->share = done / (double)scene->count;
    double now = crowd_time(scene);
    run->passed_15 = run->passed_15 == 0 && figures->share >= .15 ? now : run->passed_15;
    run->passed_75 = run->passed_75 == 0 && figures->share >= .75 ? now : run->passed_75;
    figures->arrival = figures->arrival < 0 && figures->share >= .9 ? now : figures->arrival;
}

static void tick(Run *run)
{
    CrowdScene *scene = run->scene;
    CrowdFigures *figures = &run->figures;
    crowd_step(scene);
    double overlap = 100 * crowd_worst_overlap(scene);
    figures->overlap = worse(figures->overlap, overlap);
    if (scene->tick > run->ticks - run->measured)
    {
        figures->overlap_end = worse(figures->overlap_end, overlap);
    }
    figures->apart = overlap < 5 ? (figures->apart < 0 ? crowd_time(scene) : figures->apart) : -1;
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        follow(run, i);
    }
    count_arrivals(run);
}

/* All have left, or stand still. */
static bool is_over(const Run *run)
{
    const CrowdSetting *setting = &run->scene->setting;
    bool have_left = crowd_places[setting->kind].is_gone && run->figures.share >= 1;
    return have_left || (setting->until_rest && run->scene->tick - run->moved >= run->measured);
}

static void finish(Run *run)
{
    CrowdScene *scene = run->scene;
    CrowdFigures *figures = &run->figures;
    double scale = 1e3 * scene->setting.rate / (run->measured * (double)scene->count); /* of a mean in mm/s */
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        Track *track = &run->tracks[i];
        Vector place = crowd_place(scene, i);
        figures->speed += scale * track->path;
        figures->vibration += scale * (track->path - vector_distance(place, track->start));
        figures->out += is_out(scene, place);
        figures->airborne += !(scene->moves[i].body.flags & SIDLE_BODY_GROUNDED);
        figures->hero_x = scene->persons[i].is_hero ? place.x : figures->hero_x;
    }
    if (run->passed_75 > run->passed_15)
    {
        figures->flow = .6 * scene->count / (run->passed_75 - run->passed_15);
    }
    figures->rest = scene->tick - run->moved >= run->measured ? run->moved / (double)scene->setting.rate : -1;
    figures->hash = crowd_hash(scene);
}

CrowdFigures crowd_measure(const CrowdSetting *setting)
{
    CrowdScene *scene = crowd_open(setting);
    Run run = {.scene = scene,
               .tracks = calloc(scene->count, sizeof(Track)),
               .ticks = (int)lround(setting->seconds * setting->rate),
               .measured = setting->rate,
               .figures = {.apart = -1, .arrival = -1}};
    if (run.tracks == NULL)
    {
        abort();
    }
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        run.tracks[i].before = run.tracks[i].start = crowd_place(scene, i);
    }
    while (scene->tick < run.ticks && !is_over(&run))
    {
        tick(&run);
    }
    finish(&run);
    free(run.tracks);
    crowd_close(scene);
    return run.figures;
}
