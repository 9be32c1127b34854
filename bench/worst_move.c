/* Searches for the move that takes longest: worst_move [--seed N] [--scenes N] [--seconds N] [--lanes N]
 * [--over US].
 *
 * Scenes are those of worst_scene.h. Every move is a tick of its own. Only agents that collide share a tick, and a move of theirs
 * counts as an equal share of it. A long tick runs up to MOST_REPEATS times, and the least time counts. A shared machine can be
 * slow for seconds, so at the end the scenes of the longest moves run once more, and the lesser time counts. Then the program
 * prints each new worst move with its scene's seed; --seed N --scenes 1 runs that scene again. It fails if a move takes longer
 * than --over. */
#include "worst_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define AGENTS        6
#define TICKS         5 /* in a row: a stuck agent stays stuck */
#define LEAST_REPEATS 3
#define MOST_REPEATS  12 /* of what would be a new worst */
#define KEPT          64 /* scenes of the longest moves */

typedef struct Worst
{
    double microseconds;
    uint64_t seed, moves;
} Worst;

/* ---- measuring ---- */

/* Microseconds. Ticks are measured in processor time, which does not count while another program runs. */
static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static double time_tick(const Scene *scene, const sidle_tick_desc *tick, double worst)
{
    double least = INFINITY;
    for (int i = 0; i < LEAST_REPEATS || (i < MOST_REPEATS && least > worst); ++i)
    {
        double begin = now(CLOCK_THREAD_CPUTIME_ID);
        sidle_crowd_tick(scene->crowd, tick);
        least = fmin(least, now(CLOCK_THREAD_CPUTIME_ID) - begin);
    }
    return least;
}

static void print_move(const Scene *scene, const sidle_tick_desc *tick, double microseconds)
{
    sidle_stats s = {.size = sizeof s};
    sidle_tick_desc counted = *tick;
    counted.stats = &s;
    sidle_crowd_tick(scene->crowd, &counted);
    const sidle_move *move = tick->moves;
    const sidle_profile *p = &scene->profile;
    sidle_vec3 d = move->displacement, v = move->body.velocity;
    printf("%9.1f us  seed %llu agent %llu: %u at once, %s in %.3g, %u triangles x %u instances, %u moving\n"
           "             radii %.3g %.3g %.3g half_height %.3g mode %u flags %u skin %.3g dt %.3g, path %.3g "
           "+ %.3g\n"
           "             reasons %u, gathers %llu candidates %llu exact %llu sweeps %llu tested %llu "
           "full_price %llu\n",
           microseconds, (unsigned long long)scene->seed, (unsigned long long)move->id, tick->count,
           scene->kind, (double)scene->extent, scene->triangles, scene->instances, scene->moving,
           (double)p->shape.radii.x, (double)p->shape.radii.y, (double)p->shape.radii.z,
           (double)p->shape.half_height, p->mode, p->flags, (double)p->skin, (double)scene->dt,
           (double)sqrtf(d.x * d.x + d.y * d.y + d.z * d.z),
           (double)(scene->dt * sqrtf(v.x * v.x + v.y * v.y + v.z * v.z)), tick->results->reasons,
           (unsigned long long)s.gathers, (unsigned long long)s.candidates, (unsigned long long)s.exact,
           (unsigned long long)s.sweeps, (unsigned long long)s.tested, (unsigned long long)s.full_price);
    fflush(stdout);
}

/* Times a tick, in which all moves have equal shares. Changes `worst` if they take longer. */
static void time_moves(const Scene *scene, const sidle_tick_desc *tick, bool prints, Worst *worst)
{
    double microseconds = time_tick(scene, tick, worst->microseconds * tick->count) / tick->count;
    worst->moves += tick->count;
    if (microseconds > worst->microseconds)
    {
        *worst = (Worst){microseconds, scene->seed, worst->moves};
        if (prints)
        {
            print_move(scene, tick, microseconds);
        }
    }
}

/* Ticks of `count` agents. */
static void run_moves(const Scene *scene, sidle_move *moves, uint32_t count, bool prints, Worst *worst)
{
    sidle_contact contacts[AGENTS * SIDLE_MAX_AGENT_CONTACTS];
    sidle_result results[AGENTS];
    uint32_t contact_count;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->dt,
                            .moves = moves,
                            .count = count,
                            .results = results,
                            .contacts = contacts,
                            .contact_capacity = count * SIDLE_MAX_AGENT_CONTACTS,
                            .contact_count = &contact_count,
                            .flags = scene->collide ? (uint32_t)SIDLE_TICK_AGENTS_COLLIDE : 0};
    for (uint32_t i = 0; i < TICKS; ++i)
    {
        time_moves(scene, &tick, prints, worst);
        for (uint32_t agent = 0; agent < count; ++agent)
        {
            moves[agent].body = results[agent].body;
            moves[agent].body.flags &= (uint16_t)~SIDLE_BODY_INVALID;
        }
    }
}

/* Agents that collide begin close to one another, so that all are neighbours. */
static void run_crowd(Random *random, const Scene *scene, bool prints, Worst *worst)
{
    sidle_move moves[AGENTS];
    const sidle_vec3 *radii = &scene->profile.shape.radii;
    for (uint32_t agent = 0; agent < AGENTS; ++agent)
    {
        moves[agent] = scene_draw_move(random, scene, agent);
        if (agent > 0)
        {
            moves[agent].body.center = moves[0].body.center;
            moves[agent].body.center.x += (double)radii->x * 2.05 * (agent % 3);
            moves[agent].body.center.z += (double)radii->z * 2.05 * (agent / 3);
        }
    }
    run_moves(scene, moves, AGENTS, prints, worst);
}

/* Changes `worst` if a move of this scene takes longer. */
static bool run_scene(uint64_t seed, uint32_t lanes, bool prints, Worst *worst)
{
    Random random;
    Scene scene;
    bool is_good = scene_open(seed, lanes, &random, &scene);
    if (is_good && scene.collide)
    {
        run_crowd(&random, &scene, prints, worst);
    }
    for (uint32_t agent = 0; is_good && !scene.collide && agent < AGENTS; ++agent)
    {
        sidle_move move = scene_draw_move(&random, &scene, agent);
        run_moves(&scene, &move, 1, prints, worst);
    }
    scene_close(&scene);
    return is_good;
}

/* In order, the longest first. The last one makes room. */
static void keep(Worst *kept, Worst found)
{
    uint32_t at = KEPT - 1;
    for (; at > 0 && kept[at - 1].microseconds < found.microseconds; --at)
    {
        kept[at] = kept[at - 1];
    }
    kept[at] = found;
}

/* Fills `kept`. Returns false if a scene cannot be made. */
static bool search(uint64_t seed, uint64_t scenes, double seconds, uint32_t lanes, Worst *kept)
{
    uint64_t moves = 0, i = 0;
    double begin = now(CLOCK_MONOTONIC);
    for (; i < scenes && now(CLOCK_MONOTONIC) - begin < seconds * 1e6; ++i)
    {
        double least = kept[KEPT - 1].microseconds;
        Worst worst = {.microseconds = least};
        if (!run_scene(seed + i, lanes, false, &worst))
        {
            fprintf(stderr, "worst_move: the scene of seed %llu cannot be made\n",
                    (unsigned long long)(seed + i));
            return false;
        }
        moves += worst.moves;
        if (worst.microseconds > least)
        {
            keep(kept, worst);
        }
    }
    printf("%llu moves of %llu scenes, from seed %llu on\n", (unsigned long long)moves, (unsigned long long)i,
           (unsigned long long)seed);
    return true;
}

/* Runs the kept scenes again, as long as one could hold the worst move. */
static Worst worst_of(const Worst *kept, uint32_t lanes)
{
    Worst worst = {0};
    for (uint32_t i = 0; i < KEPT && kept[i].microseconds > worst.microseconds; ++i)
    {
        Worst again = worst;
        run_scene(kept[i].seed, lanes, true, &again);
        if (again.microseconds > worst.microseconds)
        {
            again.microseconds = fmin(again.microseconds, kept[i].microseconds);
            worst = again;
        }
    }
    return worst;
}

int main(int count, char **words)
{
    double seconds = 60, over = INFINITY;
    uint64_t seed = 1, scenes = UINT64_MAX;
    uint32_t lanes = 0;
    for (int i = 1; i + 1 < count; i += 2)
    {
        double value = atof(words[i + 1]);
        seed = strcmp(words[i], "--seed") ? seed : (uint64_t)value;
        scenes = strcmp(words[i], "--scenes") ? scenes : (uint64_t)value;
        seconds = strcmp(words[i], "--seconds") ? seconds : value;
        lanes = strcmp(words[i], "--lanes") ? lanes : (uint32_t)value;
        over = strcmp(words[i], "--over") ? over : value;
    }
    Worst kept[KEPT] = {0};
    if (!search(seed, scenes, seconds, lanes, kept))
    {
        return 2;
    }
    Worst worst = worst_of(kept, lanes);
    printf("the worst %.1f us, of seed %llu\n", worst.microseconds, (unsigned long long)worst.seed);
    return worst.microseconds > over;
}
