/* Sixteen displacements of an agent, tried in one what-if, beside a tick of sixteen copies of it. */
#include "bench.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>

#define TRIES  16
#define AGENTS 1000
#define TICKS  5 /* of the copies, to measure them */

typedef struct Trying
{
    const BenchScene *scene;
    sidle_crowd *crowd;
    sidle_vec3 displacements[TRIES];
} Trying;

static uint64_t run(void *state)
{
    Trying *trying = state;
    sidle_what_if results[TRIES];
    sidle_move move = {.id = 1};
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = trying->scene->snapshot,
                               .dt = 1.0f / BENCH_HZ,
                               .move = &move,
                               .displacements = trying->displacements,
                               .count = TRIES,
                               .results = results};
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        move.id = i + 1;
        move.body = trying->scene->bodies[i];
        if (sidle_crowd_what_if(trying->crowd, &desc))
        {
            return 0;
        }
    }
    return (uint64_t)AGENTS * TRIES;
}

static bool tick_copies(const Trying *trying, uint32_t agent)
{
    sidle_move moves[TRIES];
    sidle_result results[TRIES];
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = trying->scene->snapshot,
                            .dt = 1.0f / BENCH_HZ,
                            .moves = moves,
                            .count = TRIES,
                            .results = results};
    for (uint32_t i = 0; i < TRIES; ++i)
    {
        moves[i] = (sidle_move){.id = agent * TRIES + i,
                                .body = trying->scene->bodies[agent],
                                .displacement = trying->displacements[i]};
    }
    return !sidle_crowd_tick(trying->crowd, &tick);
}

static double seconds_of_ticks(void *state)
{
    double begun = bench_seconds();
    for (uint32_t i = 0; i < TICKS * AGENTS; ++i)
    {
        if (!tick_copies(state, i % AGENTS))
        {
            return 0;
        }
    }
    return (bench_seconds() - begun) / TICKS / AGENTS / TRIES;
}

static void end(void *state)
{
    Trying *trying = state;
    sidle_crowd_destroy(trying->crowd);
    free(trying);
}

static void *begin(const Bench *bench, double length)
{
    const BenchScene *scene = bench_scene(bench->level);
    Trying *trying = scene ? calloc(1, sizeof *trying) : NULL;
    if (!trying)
    {
        return NULL;
    }
    sidle_profile profile = {.size = sizeof profile, .mode = bench->mode};
    sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = bench->lanes};
    profile.shape = scene->agents.shapes[0];
    trying->scene = scene;
    for (int i = 0; i < TRIES; ++i)
    {
        double angle = 6.283185307179586 * i / TRIES;
        trying->displacements[i] =
            (sidle_vec3){(float)(length * cos(angle)), 0, (float)(length * sin(angle))};
    }
    if (sidle_crowd_create(&desc, NULL, &trying->crowd) || !run(trying)) /* the first run allocates */
    {
        end(trying);
        return NULL;
    }
    return trying;
}

static void *begin_tick(const Bench *bench)
{
    return begin(bench, .05);
}

static void *begin_half_metre(const Bench *bench)
{
    return begin(bench, .5);
}

static void *begin_three_metres(const Bench *bench)
{
    return begin(bench, 3);
}

#define WHAT_IF(title, source, length_title, begin_it, lane_count)                                           \
    {                                                                                                        \
        .name = "what_if/" title "/" length_title "/" #lane_count, .items = "moves", .level = source,        \
        .lanes = lane_count, .mode = SIDLE_WALK, .begin = begin_it, .run = run,                              \
        .baselines = {{"x_ticks", seconds_of_ticks}}, .end = end                                             \
    }
#define LENGTHS(title, source, lanes)                                                                        \
    WHAT_IF(title, source, "5cm", begin_tick, lanes),                                                        \
        WHAT_IF(title, source, "50cm", begin_half_metre, lanes),                                             \
        WHAT_IF(title, source, "3m", begin_three_metres, lanes)

const Bench bench_what_if[] = {LENGTHS("city", "gen:city", 4),
                               LENGTHS("city", "gen:city", 8),
                               LENGTHS("terrain", "gen:terrain:256", 8),
                               LENGTHS("dungeon", "gen:dungeon", 8),
                               {0}};
