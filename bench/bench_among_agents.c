/* Queries over an index of 10,000 agents that stand 2 m apart: rays, balls and capsules along 50 m, closest agents within 4 m, and builds. */
#include "bench.h"
#include "sidle/sidle.h"

#include <stdlib.h>

enum
{
    AGENTS = 10000,
    QUERIES = 4096
};

typedef struct Asked
{
    sidle_agents *agents;
    sidle_agents_desc desc;
    sidle_move moves[AGENTS];
    uint32_t mode;
} Asked;

static const sidle_profile profiles[2] = {{.size = sizeof *profiles, .shape = {{.4f, .9f, .4f}, 0}},
                                          {.size = sizeof *profiles, .shape = {{.4f, .4f, .4f}, .5f}}};

static uint32_t next(uint32_t *random)
{
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

static double between(uint32_t *random, double low, double high)
{
    return low + (high - low) * next(random) / 0x1000000;
}

static void *begin(const Bench *bench)
{
    static Asked asked;
    uint32_t random = 1;
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        asked.moves[i] =
            (sidle_move){.id = i,
                         .profile = i % 2,
                         .body.center = {between(&random, -100, 100), 0, between(&random, -100, 100)}};
    }
    asked.desc = (sidle_agents_desc){.size = sizeof asked.desc,
                                     .moves = asked.moves,
                                     .count = AGENTS,
                                     .profiles = profiles,
                                     .profile_count = 2};
    asked.mode = bench->mode;
    bool good = (asked.agents || sidle_agents_create(NULL, &asked.agents) == SIDLE_OK) &&
                sidle_agents_build(asked.agents, &asked.desc) == SIDLE_OK;
    return good ? &asked : NULL;
}

enum
{
    CLOSEST = 3, /* and the two after it */
    BUILD = 6
};

/* Of casts, then of places; the last one is a box. */
static const sidle_shape shapes[6] = {{{0, 0, 0}, 0}, {{.2f, .2f, .2f}, 0}, {{.4f, .4f, .4f}, .5f},
                                      {{0, 0, 0}, 0}, {{.4f, .9f, .4f}, 0}, {{1, 1.5f, .5f}, 0}};

static uint32_t ask(const Asked *asked, uint32_t *random)
{
    sidle_position from = {between(random, -90, 90), .5, between(random, -90, 90)};
    if (asked->mode >= CLOSEST)
    {
        sidle_closest closest;
        sidle_place place = {.center = from,
                             .shape = shapes[asked->mode],
                             .flags = asked->mode == BUILD - 1 ? SIDLE_PLACE_BOX : 0};
        return sidle_agents_closest(asked->agents, &place, 4, NULL, &closest) == SIDLE_OK ? closest.found : 0;
    }
    sidle_cast_hit hit;
    sidle_cast cast = {.origin = from, .shape = shapes[asked->mode]};
    double x = between(random, -1, 1), side = next(random) & 1 ? 1 : -1;
    cast.displacement = (sidle_vec3){(float)(50 * x), 0, (float)(50 * side * (1 - x * x))};
    return sidle_agents_cast_closest(asked->agents, &cast, NULL, &hit) == SIDLE_OK ? hit.hit : 0;
}

static uint64_t run(void *state)
{
    Asked *asked = state;
    uint32_t random = 7, found = 0;
    if (asked->mode == BUILD)
    {
        return sidle_agents_build(asked->agents, &asked->desc) == SIDLE_OK ? AGENTS : 0;
    }
    for (uint32_t i = 0; i < QUERIES; ++i)
    {
        found += ask(asked, &random) > 0;
    }
    return found > QUERIES / 2 ? QUERIES : 0;
}

static void end(void *state)
{
    (void)state; /* kept for the next run */
}

#define AMONG(title, unit, which)                                                                            \
    {                                                                                                        \
        .name = "agents/" title, .items = unit, .mode = which, .begin = begin, .run = run, .end = end        \
    }

const Bench bench_among_agents[] = {AMONG("ray", "queries", 0),
                                    AMONG("ball", "queries", 1),
                                    AMONG("capsule", "queries", 2),
                                    AMONG("closest", "queries", CLOSEST),
                                    AMONG("closest to an ellipsoid", "queries", CLOSEST + 1),
                                    AMONG("closest to a box", "queries", CLOSEST + 2),
                                    AMONG("build", "agents", BUILD),
                                    {0}};
