/* What must not change a bit of a steered displacement: workers and lanes. A troop of all shapes and modes is large enough for several
 * tasks of each phase. */
#include "support/hash.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <string.h>

#define AGENTS 1500
#define TICKS  10

typedef struct Steering
{
    const sidle_jobs *jobs;
    uint64_t hash;    /* of all displacements, in the order of the agents */
    uint32_t changed; /* displacements */
} Steering;

/* Steers the moves in place and ticks them. */
static void run_steered(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    static sidle_vec3 steered[AGENTS];
    Steering *steering = context;
    sidle_steer_desc desc = {.size = sizeof desc,
                             .snapshot = tick->snapshot,
                             .jobs = steering->jobs,
                             .dt = tick->dt,
                             .moves = tick->moves,
                             .count = tick->count,
                             .displacements = steered};
    static sidle_move moves[AGENTS];
    demand(sidle_steer(crowd, &desc), "sidle_steer");
    memcpy(moves, tick->moves, tick->count * sizeof *moves);
    for (uint32_t i = 0; i < tick->count; ++i)
    {
        steering->changed += memcmp(&moves[i].displacement, &steered[i], sizeof steered[i]) != 0;
        moves[i].displacement = steered[i];
    }
    steering->hash = hash_memory(steering->hash, steered, tick->count * sizeof *steered);
    tick->moves = moves;
    tick->jobs = steering->jobs;
    demand(sidle_crowd_tick(crowd, tick), "sidle_crowd_tick");
}

static Steering steer(const Scene *level, uint32_t lanes, uint32_t workers)
{
    Steering steering = {.hash = 14695981039346656037u};
    sidle_pool *pool = NULL;
    if (workers > 0)
    {
        sidle_pool_desc desc = {.size = sizeof desc, .worker_count = workers};
        demand(sidle_pool_create(&desc, NULL, &pool), "sidle_pool_create");
        steering.jobs = sidle_pool_jobs(pool);
    }
    troop_history(level, lanes, AGENTS, TICKS, run_steered, &steering);
    sidle_pool_destroy(pool);
    return steering;
}

Test(steer_bits, workers_and_lanes_of_any_number_give_equal_displacements)
{
    const uint32_t workers[4] = {1, 2, 3, 8}, lanes[4] = {1, 4, 8, 16};
    Scene level = troop_level();
    Steering expected = steer(&level, 0, 0);
    cr_expect(expected.changed > AGENTS, "only %u displacements are steered", expected.changed);
    for (int i = 0; i < 16; ++i)
    {
        uint32_t width = lanes[i / 4], count = workers[i % 4];
        bool runs = sidle_cast_lanes(width) == width;
        cr_expect(runs || width > 4, "%u lanes do not run", width);
        cr_expect(!runs || steer(&level, width, count).hash == expected.hash, "%u lanes, %u workers", width,
                  count);
    }
    scene_close(&level);
}
