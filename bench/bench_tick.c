/* Whole ticks of wandering agents. */
#include "bench.h"
#include "near.h"
#include "scene.h"

#include <stdlib.h>

#define GRAVITY        9.81f
#define BASELINE_TICKS 30
#define NEAR_CAPACITY  65536u /* triangles near one agent */

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
    }
    bench_wish(ticking->scene, ticking->tick++, ticking->moves);
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

/* ---- The published algorithm, asked to make the same moves from the same places. ---- */

typedef struct Published
{
    NearGrid *grid;
    uint32_t *near, near_count; /* triangles near the agent */
    FauerbyWorld world;
} Published;

static const uint32_t *ask_grid(void *user, FauerbyVector low, FauerbyVector high, size_t *count)
{
    Published *published = user;
    *count = near_collect(published->grid, low, high, published->near, NEAR_CAPACITY);
    return published->near;
}

static bool open_published(const Ticking *ticking, Published *published)
{
    published->grid = near_create(&ticking->scene->level);
    published->near = malloc(NEAR_CAPACITY * sizeof *published->near);
    if (!published->grid || !published->near)
    {
        return false;
    }
    published->world = (FauerbyWorld){.triangles = near_triangles(published->grid),
                                      .triangle_count = ticking->scene->level.triangle_count,
                                      .candidates = published->near,
                                      .user = published,
                                      .units_per_metre = 1.0f};
    return true;
}

static void close_published(Published *published)
{
    near_destroy(published->grid);
    free(published->near);
}

typedef struct Request /* one move as the published form takes it */
{
    FauerbyVector position, radii, wish, fall;
} Request;

static Request request_of(const Ticking *ticking, uint32_t agent)
{
    const sidle_move *move = &ticking->moves[agent];
    const float dt = 1.0f / BENCH_HZ;
    sidle_position p = move->body.center;
    sidle_vec3 r = ticking->radii, w = move->displacement;
    float fall = move->body.velocity.y < 0.0f ? move->body.velocity.y * dt : 0.0f;
    return (Request){{(float)p.x, (float)p.y, (float)p.z},
                     {r.x, r.y, r.z},
                     {w.x, w.y, w.z},
                     {0.0f, fall - GRAVITY * dt * dt / 2, 0.0f}};
}

/* Everything that both passes can touch: what the published form calls "only those triangles near the
 * movement". */
static void look_around(Published *published, const Request *request)
{
    FauerbyVector p = request->position, r = request->radii, w = request->wish;
    float reach = sqrtf(w.x * w.x + w.z * w.z), down = reach - request->fall.y;
    FauerbyVector low = {p.x - r.x - reach, p.y - r.y - down, p.z - r.z - reach};
    FauerbyVector high = {p.x + r.x + reach, p.y + r.y + reach, p.z + r.z + reach};
    published->world.candidate_count =
        near_collect(published->grid, low, high, published->near, NEAR_CAPACITY);
}

static volatile float sink; /* keeps the compiler from dropping moves that nobody looks at */

/* The library moves the agents on, so that both see the same places, tick after tick. */
static double published_move(void *state, bool is_given)
{
    Ticking *ticking = state;
    Published published = {0};
    double seconds = 0;
    bool good = open_published(ticking, &published);
    published.world.near = is_given ? NULL : ask_grid;
    for (int tick = 0; good && tick < BASELINE_TICKS; ++tick)
    {
        prepare(ticking);
        for (uint32_t i = 0; i < ticking->count; ++i)
        {
            Request request = request_of(ticking, i);
            look_around(&published, &request);
            double begun = bench_seconds();
            sink = fauerby_move(&published.world, request.position, request.radii, request.wish, request.fall)
                       .y;
            seconds += bench_seconds() - begun;
        }
        run(ticking);
    }
    close_published(&published);
    return seconds / BASELINE_TICKS / ticking->count;
}
