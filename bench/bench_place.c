/* Questions about the places of agents: is it free with a tenth more on all sides, what overlaps a ball twice as large, and which
 * triangle is closest; where is the nearest free place; and which triangles does a ball touch on a path. */
#include "bench.h"
#include "scene.h"

#include <math.h>

#define LISTED 256

typedef sidle_status ask_fn(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found);

static sidle_status ask_free(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    place->shape.radii = (sidle_vec3){.44f, .99f, .44f};
    return sidle_place_overlaps(snapshot, 0, place, NULL, 1, found);
}

static sidle_status ask_overlaps(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    sidle_overlap list[LISTED];
    place->shape.radii = (sidle_vec3){1.8f, 1.8f, 1.8f};
    return sidle_place_overlaps(snapshot, 0, place, list, LISTED, found);
}

static sidle_status ask_closest(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    sidle_closest closest;
    place->shape.radii = (sidle_vec3){.4f, .4f, .4f};
    sidle_status status = sidle_place_closest(snapshot, 0, place, 4, &closest);
    *found = closest.found;
    return status;
}

static uint32_t drawn_at(const sidle_place *place)
{
    return (uint32_t)(fabs(place->center.x + 3 * place->center.z) * 1e4) * 2654435761u;
}

/* Up to 1.5 m beside the agent and .8 m above or below: in floors, walls and furniture as well. */
static sidle_status find_near(const sidle_snapshot *snapshot, sidle_place *place, float drop, uint32_t *found)
{
    uint32_t random = drawn_at(place);
    place->center.x += 3. * (random & 255) / 255 - 1.5;
    place->center.y += 1.6 * (random >> 8 & 255) / 255 - .8;
    place->center.z += 3. * (random >> 16 & 255) / 255 - 1.5;
    place->shape = (sidle_shape){{.4f, .4f, .4f}, .5f};
    sidle_free_desc desc = {.size = sizeof desc, .place = *place, .radius = 3, .drop = drop};
    sidle_position center;
    return sidle_place_find_free(snapshot, 0, &desc, &center, found);
}

static sidle_status ask_find(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    return find_near(snapshot, place, 0, found);
}

static sidle_status ask_find_ground(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    return find_near(snapshot, place, 2, found);
}

enum
{
    SIDE = 60
};

/* Persons in a square of the city, one a square metre, up to .3 m beside a place of a grid. */
static const sidle_agents *persons(void)
{
    static sidle_agents *agents;
    static sidle_move moves[SIDE * SIDE];
    const sidle_profile profile = {.size = sizeof profile, .shape = {{.4f, .4f, .4f}, .5f}};
    sidle_agents_desc desc = {
        .size = sizeof desc, .moves = moves, .count = SIDE * SIDE, .profiles = &profile, .profile_count = 1};
    for (uint32_t i = 0; i < SIDE * SIDE && !agents; ++i)
    {
        uint32_t random = i * 2654435761u;
        double x = i % SIDE + .6 * (random >> 8 & 255) / 255 - .3,
               z = i / SIDE + .6 * (random >> 16 & 255) / 255 - .3;
        moves[i] = (sidle_move){.id = i, .body.center = {x - SIDE / 2, .9, z - SIDE / 2}};
    }
    bool good = agents || (sidle_agents_create(NULL, &agents) == SIDLE_OK &&
                           sidle_agents_build(agents, &desc) == SIDLE_OK);
    return good ? agents : NULL;
}

/* At random in the square. */
static sidle_status ask_find_among(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    uint32_t random = drawn_at(place);
    double middle = SIDE / 2 - 4;
    sidle_free_desc desc = {.size = sizeof desc, .radius = 4, .agents = persons()};
    sidle_position center = {middle * (2. * (random & 1023) / 1023 - 1), .92,
                             middle * (2. * (random >> 10 & 1023) / 1023 - 1)};
    desc.place = (sidle_place){.center = center, .shape = {{.4f, .4f, .4f}, .5f}};
    return desc.agents ? sidle_place_find_free(snapshot, 0, &desc, &center, found) : SIDLE_ERROR_MEMORY;
}

/* Along 5 m. */
static sidle_status ask_swept(const sidle_snapshot *snapshot, sidle_place *place, uint32_t *found)
{
    sidle_cast_hit list[LISTED];
    sidle_cast cast = {.origin = place->center, .displacement = {4, 0, 3}, .shape = {{.4f, .4f, .4f}, 0}};
    return sidle_cast_all(snapshot, 0, &cast, list, LISTED, found);
}

static ask_fn *const asked[7] = {ask_free,  ask_overlaps,    ask_closest,   ask_find,
                                 ask_swept, ask_find_ground, ask_find_among};

typedef struct Asking
{
    const BenchScene *scene;
    ask_fn *ask;
} Asking;

static void *begin(const Bench *bench)
{
    static Asking asking;
    asking = (Asking){bench_scene(bench->level), asked[bench->mode]};
    return asking.scene ? &asking : NULL;
}

static uint64_t run(void *state)
{
    const Asking *asking = state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < BENCH_AGENT_COUNT; ++i)
    {
        sidle_place place = {.center = asking->scene->bodies[i].center};
        uint32_t found;
        if (asking->ask(asking->scene->snapshot, &place, &found))
        {
            return 0;
        }
        sum += found;
    }
    return sum > 0 ? BENCH_AGENT_COUNT : 0;
}

static void end(void *state)
{
    (void)state; /* the scene is kept for the next run */
}

#define PLACE(title, source, which)                                                                          \
    {                                                                                                        \
        .name = "place/" title, .items = "places", .level = source, .mode = which, .begin = begin,           \
        .run = run, .end = end                                                                               \
    }

const Bench bench_place[] = {PLACE("city/free", "gen:city", 0),
                             PLACE("city/overlaps", "gen:city", 1),
                             PLACE("city/closest", "gen:city", 2),
                             PLACE("city/find_free", "gen:city", 3),
                             PLACE("city/find_ground", "gen:city", 5),
                             PLACE("city/find_among_agents", "gen:city", 6),
                             PLACE("city/swept", "gen:city", 4),
                             PLACE("terrain/free", "gen:terrain:256", 0),
                             PLACE("terrain/overlaps", "gen:terrain:256", 1),
                             PLACE("terrain/closest", "gen:terrain:256", 2),
                             PLACE("terrain/find_free", "gen:terrain:256", 3),
                             PLACE("terrain/find_ground", "gen:terrain:256", 5),
                             PLACE("terrain/swept", "gen:terrain:256", 4),
                             PLACE("dungeon/free", "gen:dungeon", 0),
                             PLACE("dungeon/overlaps", "gen:dungeon", 1),
                             PLACE("dungeon/closest", "gen:dungeon", 2),
                             PLACE("dungeon/find_free", "gen:dungeon", 3),
                             PLACE("dungeon/find_ground", "gen:dungeon", 5),
                             PLACE("dungeon/swept", "gen:dungeon", 4),
                             {0}};
