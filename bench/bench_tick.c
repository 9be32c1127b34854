/* Whole ticks of wandering agents. */
#include "bench.h"
#include "near.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>

#define GRAVITY        9.81f
#define BASELINE_TICKS 30
#define NEAR_CAPACITY  65536u     /* triangles near one agent */
#define NEAR_TOTAL     (1u << 22) /* near all of them */

typedef struct Ticking
{
    const BenchScene *scene;
    sidle_crowd *crowd;
    sidle_move *moves;
    sidle_result *results;
    sidle_vec3 radii;
    uint32_t count, tick;
} Ticking;

static void prepare(void *state)
{
    Ticking *ticking = state;
    for (uint32_t i = 0; i < ticking->count; ++i)
    {
        ticking->moves[i].body = ticking->results[i].body;
        ticking->moves[i].displacement = bench_wish(ticking->scene, i, ticking->tick);
    }
    ++ticking->tick;
}

static uint64_t run(void *state)
{
    Ticking *ticking = state;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = ticking->scene->snapshot,
                            .dt = 1.0f / BENCH_HZ,
                            .moves = ticking->moves,
                            .count = ticking->count,
                            .results = ticking->results};
    return sidle_crowd_tick(ticking->crowd, &tick) ? 0 : ticking->count;
}

static void end(void *state)
{
    Ticking *ticking = state;
    sidle_crowd_destroy(ticking->crowd);
    free(ticking->moves);
    free(ticking->results);
    free(ticking);
}

static bool make_crowd(Ticking *ticking, const Bench *bench)
{
    sidle_profile profile = {.size = sizeof profile, .mode = bench->mode};
    sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = bench->lanes};
    profile.shape.radii = ticking->radii;
    return !sidle_crowd_create(&desc, NULL, &ticking->crowd);
}

static void *begin(const Bench *bench)
{
    const BenchScene *scene = bench_scene(bench->level);
    Ticking *ticking = scene ? calloc(1, sizeof *ticking) : NULL;
    if (!ticking)
    {
        return NULL;
    }
    *ticking = (Ticking){.scene = scene,
                         .radii = scene->agents.shapes[0].radii,
                         .count = scene->agents.count,
                         .tick = scene->tick};
    ticking->moves = calloc(ticking->count, sizeof *ticking->moves);
    ticking->results = calloc(ticking->count, sizeof *ticking->results);
    if (!ticking->moves || !ticking->results || !make_crowd(ticking, bench))
    {
        end(ticking);
        return NULL;
    }
    for (uint32_t i = 0; i < ticking->count; ++i)
    {
        ticking->moves[i].id = i + 1;
        ticking->results[i].body = scene->bodies[i];
    }
    prepare(ticking);
    run(ticking); /* the first tick allocates */
    return ticking;
}

/* ---- The published algorithm makes the same moves from the same places. ---- */

/* A move as the published form takes it, and the triangles near it. */
typedef struct Request
{
    FauerbyVector position, wish, fall;
    uint32_t first, count;
} Request;

typedef struct Published
{
    NearGrid *grid;
    Request *requests;
    uint32_t *near;
    FauerbyWorld world;
} Published;

static void close_published(Published *published)
{
    near_destroy(published->grid);
    free(published->requests);
    free(published->near);
}

static bool open_published(const Ticking *ticking, Published *published)
{
    published->grid = near_create(&ticking->scene->level);
    published->requests = calloc(ticking->count, sizeof *published->requests);
    published->near = malloc(NEAR_TOTAL * sizeof *published->near);
    if (!published->grid || !published->requests || !published->near)
    {
        close_published(published);
        return false;
    }
    published->world = (FauerbyWorld){.triangles = near_triangles(published->grid),
                                      .triangle_count = ticking->scene->level.triangle_count,
                                      .user = published,
                                      .units_per_metre = 1.0f};
    return true;
}

static void write_requests(const Ticking *ticking, Published *published)
{
    const float dt = 1.0f / BENCH_HZ;
    for (uint32_t i = 0; i < ticking->count; ++i)
    {
        const sidle_move *move = &ticking->moves[i];
        sidle_position p = move->body.center;
        sidle_vec3 w = move->displacement;
        float falling = move->body.velocity.y < 0.0f ? move->body.velocity.y * dt : 0.0f;
        published->requests[i] = (Request){.position = {(float)p.x, (float)p.y, (float)p.z},
                                           .wish = {w.x, w.y, w.z},
                                           .fall = {0.0f, falling - GRAVITY * dt * dt / 2, 0.0f}};
    }
}

/* Finds what the published form calls "only those triangles near the movement", for both passes and all
 * sweeps. */
static void find_triangles(const Ticking *ticking, Published *published)
{
    sidle_vec3 r = ticking->radii;
    uint32_t used = 0;
    for (uint32_t i = 0; i < ticking->count; ++i)
    {
        Request *request = &published->requests[i];
        FauerbyVector p = request->position, w = request->wish;
        float reach = sqrtf(w.x * w.x + w.z * w.z), down = reach - request->fall.y;
        FauerbyVector low = {p.x - r.x - reach, p.y - r.y - down, p.z - r.z - reach};
        FauerbyVector high = {p.x + r.x + reach, p.y + r.y + reach, p.z + r.z + reach};
        uint32_t room = NEAR_TOTAL - used < NEAR_CAPACITY ? NEAR_TOTAL - used : NEAR_CAPACITY;
        request->first = used;
        request->count = near_collect(published->grid, low, high, published->near + used, room);
        used += request->count;
    }
}

static const uint32_t *ask_grid(void *user, FauerbyVector low, FauerbyVector high, size_t *count)
{
    Published *published = user;
    *count = near_collect(published->grid, low, high, published->near, NEAR_CAPACITY);
    return published->near;
}

/* Keeps the compiler from dropping moves whose results are unused. */
static volatile float sink;

static double published_tick(const Ticking *ticking, Published *published)
{
    FauerbyVector radii = {ticking->radii.x, ticking->radii.y, ticking->radii.z};
    double begun = bench_seconds();
    for (uint32_t i = 0; i < ticking->count; ++i)
    {
        const Request *request = &published->requests[i];
        published->world.candidates = published->near + request->first;
        published->world.candidate_count = request->count;
        sink = fauerby_move(&published->world, request->position, radii, request->wish, request->fall).y;
    }
    return bench_seconds() - begun;
}

/* The library moves the agents after each measured tick, so that both start from the same places. */
static double published_move(Ticking *ticking, bool is_given_triangles)
{
    Published published = {0};
    double seconds = 0;
    if (!open_published(ticking, &published))
    {
        return 0;
    }
    published.world.near = is_given_triangles ? NULL : ask_grid;
    for (int tick = 0; tick < BASELINE_TICKS; ++tick)
    {
        prepare(ticking);
        write_requests(ticking, &published);
        if (is_given_triangles)
        {
            find_triangles(ticking, &published);
        }
        seconds += published_tick(ticking, &published);
        run(ticking);
    }
    close_published(&published);
    return seconds / BASELINE_TICKS / ticking->count;
}

/* The published form with the simplest broad phase, which runs once for every sweep, as in the paper. */
static double published_seconds(void *state)
{
    return published_move(state, false);
}

/* The published form with the triangles near the whole move found beforehand and not timed. */
static double published_seconds_given(void *state)
{
    return published_move(state, true);
}

#define TICK(title, source, mode_title, mode_value, lane_count)                                              \
    {                                                                                                        \
        .name = "tick/" title "/" mode_title "/" #lane_count, .items = "moves", .level = source,             \
        .lanes = lane_count, .mode = mode_value, .begin = begin, .prepare = prepare, .run = run,             \
        .baselines = {{"x_fauerby", published_seconds}, {"x_fauerby_given", published_seconds_given}},       \
        .end = end                                                                                           \
    }
#define MODE(title, source, mode_title, mode)                                                                \
    TICK(title, source, mode_title, mode, 1), TICK(title, source, mode_title, mode, 4),                      \
        TICK(title, source, mode_title, mode, 8), TICK(title, source, mode_title, mode, 16)
#define TICKS(title, source)                                                                                 \
    MODE(title, source, "slide", SIDLE_SLIDE), MODE(title, source, "walk", SIDLE_WALK)

const Bench bench_tick[] = {
    TICKS("city", "gen:city"), TICKS("terrain", "gen:terrain:256"), TICKS("dungeon", "gen:dungeon"), {0}};
