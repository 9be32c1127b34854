/* What a tick counts: the same on every width, with any number of threads and any leaf cache, sums that add up, and the
 * width that really ran. */
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define AGENTS 200
#define TICKS  30

static const uint32_t widths[4] = {1, 4, 8, 16};

/* What the processor says of itself; a width that it has must run. */
static bool processor_has(uint32_t lanes)
{
#ifdef __x86_64__
    const char *wanted = getenv("SIDLE_AVX512");
    bool has_16 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  !(wanted && strcmp(wanted, "0") == 0);
    return lanes <= 4 || (lanes == 8 ? (bool)__builtin_cpu_supports("avx2") : has_16);
#else
    return lanes <= 4;
#endif
}

/* False: the width cannot run here. */
static bool count_with(const Scene *level, uint32_t lanes, const sidle_jobs *jobs, sidle_stats *stats)
{
    sidle_profile profile = walking_ball().profile;
    sidle_crowd_desc probe = {.size = sizeof probe, .profiles = &profile, .profile_count = 1, .lanes = lanes};
    sidle_crowd *crowd = NULL;
    if (sidle_crowd_create(&probe, NULL, &crowd) == SIDLE_ERROR_UNSUPPORTED)
    {
        return false;
    }
    sidle_crowd_destroy(crowd);
    crowd = troop_crowd(lanes, NULL);
    Troop troop = troop_of(AGENTS);
    *stats = (sidle_stats){.size = sizeof *stats};
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, level, tick);
        desc.jobs = jobs;
        desc.stats = stats;
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    return true;
}

Test(stats, the_width_that_was_asked_for_is_the_one_that_ran)
{
    Scene level = troop_level();
    for (int i = 0; i < 4; ++i)
    {
        sidle_stats stats;
        if (count_with(&level, widths[i], NULL, &stats))
        {
            cr_expect_eq(stats.lanes, widths[i], "%u lanes asked for, %u ran", widths[i], stats.lanes);
        }
        else
        {
            cr_expect(!processor_has(widths[i]), "%u lanes are said not to run here", widths[i]);
        }
    }
    scene_close(&level);
}

Test(stats, counts_depend_neither_on_lanes_nor_on_threads)
{
    Scene level = troop_level();
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = 3};
    sidle_pool *pool = NULL;
    sidle_stats expected, stats;
    demand(sidle_pool_create(&desc, NULL, &pool), "sidle_pool_create");
    sidle_jobs jobs = *sidle_pool_jobs(pool);
    cr_assert(count_with(&level, 1, NULL, &expected));
    for (int i = 0; i < 4; ++i)
    {
        if (count_with(&level, widths[i], &jobs, &stats))
        {
            stats.lanes = expected.lanes;
            cr_expect(memcmp(&stats, &expected, sizeof stats) == 0, "%u lanes count otherwise", widths[i]);
        }
    }
    sidle_pool_destroy(pool);
    scene_close(&level);
}

Test(stats, every_tested_triangle_is_accounted_for)
{
    Scene level = troop_level();
    sidle_stats s;
    cr_assert(count_with(&level, 0, NULL, &s));
    cr_expect_eq(s.moves, AGENTS * TICKS);
    cr_expect_geq(s.gathers, s.moves);
    cr_expect_gt(s.candidates, s.moves);
    cr_expect_geq(s.leaf_triangles, s.candidates);
    cr_expect_gt(s.sweeps, s.moves);
    cr_expect_leq(s.hit_face + s.hit_edge + s.hit_vertex, s.sweeps);
    cr_expect(s.hit_face > 0 && s.hit_edge > 0 && s.full_price > 0);
    cr_expect_leq(s.beyond_plane + s.beyond_edges + s.full_price, s.tested);
    cr_expect(s.back_facing > 0 && s.back_facing < s.tested);
    scene_close(&level);
}

static sidle_stats count_move(const Scene *scene, const sidle_move *move, sidle_result *result)
{
    sidle_stats stats = {.size = sizeof stats};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->options.dt,
                            .moves = move,
                            .count = 1,
                            .results = result,
                            .stats = &stats};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    return stats;
}

/* The counts of a ball of radius 1 that falls on a triangle under it. */
static sidle_stats count_a_fall(Vector a, Vector b, Vector c)
{
    Soup soup = {0};
    soup_triangle(&soup, a, b, c);
    Scene scene = scene_of(soup, flying_ball());
    sidle_move move = {.body.center = {0, 3, 0}, .displacement = {0, -3, 0}};
    sidle_result result;
    sidle_stats stats = count_move(&scene, &move, &result);
    cr_expect_lt(fabs(result.body.center.y - 1.01), 0.02, "it ends at %g", result.body.center.y);
    scene_close(&scene);
    return stats;
}

Test(stats, contacts_are_counted_by_kind)
{
    sidle_stats face = count_a_fall(vector(-9, 0, -9), vector(0, 0, 9), vector(9, 0, -9));
    sidle_stats edge = count_a_fall(vector(0, 0, -9), vector(0, 0, 9), vector(0, -9, 0));
    sidle_stats vertex = count_a_fall(vector(0, 0, 0), vector(1, -5, 0), vector(-1, -5, 0));
    cr_expect(face.hit_face == 1 && face.hit_edge == 0 && face.hit_vertex == 0 && face.full_price == 0);
    cr_expect(edge.hit_face == 0 && edge.hit_edge == 1 && edge.hit_vertex == 0 && edge.full_price > 0);
    cr_expect(vertex.hit_face == 0 && vertex.hit_edge == 0 && vertex.hit_vertex == 1 &&
              vertex.full_price > 0);
    const sidle_stats all[3] = {face, edge, vertex};
    for (int i = 0; i < 3; ++i)
    {
        cr_expect(all[i].moves == 1 && all[i].leaf_triangles == 1 && all[i].candidates == 1 &&
                  all[i].exact == 0);
        cr_expect_eq(all[i].tested, all[i].sweeps);
    }
    sidle_stats back = count_a_fall(vector(-9, 0, -9), vector(9, 0, -9), vector(0, 0, 9));
    cr_expect_eq(face.back_facing + back.back_facing, face.sweeps, "one of two windings looks away");
}

/* A random rotation for the scene's only instance. */
static void turn_instance(Scene *scene, Random *random)
{
    Vector axis = random_direction(random);
    sidle_pose pose = {.rotation = {(float)axis.x, (float)axis.y, (float)axis.z, (float)random_unit(random)}};
    demand(sidle_world_teleport(scene->world, scene->instances[0], &pose), "sidle_world_teleport");
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

/* A tick nearby fills what an agent keeps, with other triangles than a tick in place would. A new id keeps nothing.
 * Only leaf_triangles may differ. */
Test(stats, counts_do_not_depend_on_the_caches_of_agents)
{
    Random random = random_seeded(1);
    uint32_t different = 0, others = 0;
    for (int trial = 0; trial < 500; ++trial)
    {
        Soup soup = {0};
        soup_slivers(&soup, 24, 12, .25);
        Scene scene = scene_of(soup, trial % 2 ? walking_ball() : flying_ball());
        turn_instance(&scene, &random);
        Vector place = random_in_box(&random, vector(-4, -4, -4), vector(4, 4, 4));
        Vector aside = vector_along(place, .3, random_direction(&random));
        sidle_move move = {.id = 1, .displacement = {.1f, 0, .1f}};
        sidle_result result;
        move.body.center = (sidle_position){aside.x, aside.y, aside.z};
        count_move(&scene, &move, &result);
        move.body.center = (sidle_position){place.x, place.y, place.z};
        sidle_stats cached = count_move(&scene, &move, &result);
        move.id = 2;
        sidle_stats fresh = count_move(&scene, &move, &result);
        others += cached.leaf_triangles != fresh.leaf_triangles;
        cached.leaf_triangles = fresh.leaf_triangles;
        different += memcmp(&cached, &fresh, sizeof fresh) != 0;
        scene_close(&scene);
    }
    cr_expect_eq(different, 0, "%u moves have other counts with a cache", different);
    cr_expect_gt(others, 100, "only %u caches hold other triangles than a fresh one", others);
}

Test(stats, counting_changes_no_bit_and_a_short_structure_is_refused)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop counted = troop_of(AGENTS), plain = troop_of(AGENTS);
    sidle_stats stats = {.size = sizeof stats - 1};
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&counted, &level, tick);
        desc.stats = &stats;
        stats.size = sizeof stats - 1;
        cr_expect_eq(sidle_crowd_tick(crowd, &desc), SIDLE_ERROR_ARGUMENT);
        stats.size = sizeof stats;
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        troop_take(&counted);
        desc = troop_tick(&plain, &level, tick);
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        troop_take(&plain);
    }
    cr_expect(counted.history == plain.history);
    troop_free(&counted);
    troop_free(&plain);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}
