/* The check of `sidle crowd` for agents that pass through triangles, at rates at which paths bend far from their chords. */
#include "tools/crowd_run.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS 400

/* A level as the check sees it, and the mesh that the library moves agents through. */
typedef struct Stage
{
    Level level;
    Scene scene;
    CheckGrid *grid;
    Agents agents;
    CrowdRun run;
    char message[512];
} Stage;

static sidle_mesh *mesh_of(const Level *level)
{
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = level->vertices,
                            .vertex_count = level->vertex_count,
                            .triangle_count = level->triangle_count,
                            .indices = level->indices,
                            .surfaces = level->surfaces};
    sidle_mesh *mesh = NULL;
    cr_assert_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), SIDLE_OK);
    return mesh;
}

static void stage_end(Stage *stage)
{
    crowd_run_close(&stage->run);
    agents_free(&stage->agents);
    check_destroy(stage->grid);
    sidle_mesh_release(stage->scene.mesh);
    level_free(&stage->level);
    free(stage);
}

static CrowdTotals run_desc(Stage *stage, CrowdDesc desc)
{
    CrowdTotals totals;
    desc.scene = &stage->scene;
    desc.grid = stage->grid;
    desc.agents = &stage->agents;
    cr_assert(crowd_run_open(&desc, &stage->run, stage->message, sizeof stage->message), "%s",
              stage->message);
    cr_assert(crowd_run_ticks(&stage->run, stage->message, sizeof stage->message), "%s", stage->message);
    crowd_run_total(&stage->run, &totals);
    return totals;
}

static CrowdTotals run_stage(Stage *stage, uint32_t ticks, uint32_t hz)
{
    return run_desc(stage, (CrowdDesc){.ticks = ticks, .hz = hz});
}

/* ---- A generated level. ---- */

/* Drops every `stride`-th triangle from the mesh alone; 0: none. */
static Stage *generated(const char *name, uint32_t seed, uint32_t stride)
{
    Stage *stage = calloc(1, sizeof *stage);
    cr_assert(stage != NULL);
    stage->scene.threads = 1;
    cr_assert(level_load(name, NULL, &stage->level, stage->message, sizeof stage->message), "%s",
              stage->message);
    Level kept = stage->level;
    kept.triangle_count = 0;
    kept.indices = malloc(3 * stage->level.triangle_count * sizeof *kept.indices);
    kept.surfaces = calloc(stage->level.triangle_count, sizeof *kept.surfaces);
    cr_assert(kept.indices && kept.surfaces);
    for (uint32_t i = 0; i < stage->level.triangle_count; i++)
    {
        if (!stride || i % stride)
        {
            memcpy(&kept.indices[3 * (size_t)kept.triangle_count++], &stage->level.indices[3 * (size_t)i],
                   3 * sizeof *kept.indices);
        }
    }
    stage->scene.mesh = mesh_of(&kept);
    free(kept.indices);
    free(kept.surfaces);
    stage->grid = check_create(&stage->level);
    SpawnDesc spawn = {.level = &stage->level,
                       .grid = stage->grid,
                       .shape = {.radii = {.4f, .9f, .4f}},
                       .count = AGENTS,
                       .seed = seed};
    cr_assert(stage->grid && agents_spawn(&spawn, &stage->agents, stage->message, sizeof stage->message),
              "%s", stage->message);
    return stage;
}

static Stage *city(uint32_t seed, uint32_t stride)
{
    return generated("gen:city:2", seed, stride);
}

Test(crowd_leak, paths_that_bend_around_corners_are_no_leaks)
{
    uint64_t suspects = 0;
    for (uint32_t seed = 1; seed <= 4; seed++)
    {
        Stage *stage = city(seed, 0);
        CrowdTotals totals = run_stage(stage, 60, 1);
        suspects += stage->run.tallies[0].suspects;
        cr_expect_eq(totals.leaked, 0, "seed %u: agent %u in tick %u", seed, stage->run.leaks[0].agent,
                     stage->run.leaks[0].tick);
        stage_end(stage);
    }
    cr_expect_geq(suspects, 10, "only %llu chords cross a triangle, so the test shows little",
                  (unsigned long long)suspects);
}

Test(crowd_leak, agents_that_pass_through_missing_triangles_are_reported_at_every_rate)
{
    static const uint32_t rates[] = {1, 2, 10, 60};
    for (int i = 0; i < 4; i++)
    {
        Stage *stage = city(1, 40);
        CrowdTotals totals = run_stage(stage, 10 * rates[i], rates[i]);
        cr_expect_geq(totals.leaked, 20, "at %u Hz: %llu", rates[i], (unsigned long long)totals.leaked);
        stage_end(stage);
    }
}

/* ---- A wall with an open end. ---- */

#define WALL_END 1.0 /* the wall stands at x = 0 from z = -20 to here */

static void add_quad(Level *level, const double corners[4][3])
{
    cr_assert(level_add_quad(level, corners, 0));
}

static Level ground(bool has_wall)
{
    static const double floor[4][3] = {{-40, 0, -40}, {-40, 0, 40}, {40, 0, 40}, {40, 0, -40}};
    static const double left[4][3] = {{0, 0, -20}, {0, 0, WALL_END}, {0, 4, WALL_END}, {0, 4, -20}};
    static const double right[4][3] = {{0, 0, WALL_END}, {0, 0, -20}, {0, 4, -20}, {0, 4, WALL_END}};
    Level level = {.vertices = NULL};
    add_quad(&level, floor);
    if (has_wall)
    {
        add_quad(&level, left);
        add_quad(&level, right);
    }
    return level;
}

/* The check sees the wall; the library does only if `is_solid`. The agents stand left of the wall in a row that reaches
 * beyond its open end. */
static Stage *wall(bool is_solid)
{
    Stage *stage = calloc(1, sizeof *stage);
    cr_assert(stage != NULL);
    stage->scene.threads = 1;
    stage->level = ground(true);
    Level baked = ground(is_solid);
    stage->scene.mesh = mesh_of(&baked);
    level_free(&baked);
    stage->grid = check_create(&stage->level);
    stage->agents = (Agents){.list = calloc(AGENTS, sizeof(Agent)),
                             .shapes = calloc(1, sizeof(sidle_shape)),
                             .count = AGENTS,
                             .shape_count = 1};
    cr_assert(stage->grid && stage->agents.list && stage->agents.shapes);
    stage->agents.shapes[0].radii = (sidle_vec3){.4f, .9f, .4f};
    for (uint32_t i = 0; i < AGENTS; i++)
    {
        stage->agents.list[i] = (Agent){.start = {-1, .92, -3 + 6. * i / AGENTS}, .seed = 77 * i};
    }
    return stage;
}

/* Where a straight path from x < 0 to x > 0 is at x = 0. */
static double z_at_wall(sidle_position from, sidle_position to)
{
    return from.z + (to.z - from.z) * from.x / (from.x - to.x);
}

Test(crowd_leak, each_agent_that_passes_through_a_wall_is_reported_although_a_detour_exists)
{
    Stage *stage = wall(false);
    CrowdTotals totals = run_stage(stage, 1, 1);
    uint32_t through = 0, around = 0;
    Leak first = {UINT32_MAX, 0, {0, 0, 0}, {0, 0, 0}};
    for (uint32_t i = 0; i < AGENTS; i++)
    {
        sidle_position from = stage->agents.list[i].start, to = stage->run.results[i].body.center;
        bool is_through = to.x > 0 && z_at_wall(from, to) < WALL_END;
        first.agent = is_through && through == 0 ? i : first.agent;
        through += is_through;
        around += to.x > 0 && !is_through;
    }
    cr_expect(through >= 50 && around >= 20, "%u through the wall, %u beside it", through, around);
    cr_expect_eq(totals.leaked, through);
    cr_expect_eq(stage->run.leaks[0].agent, first.agent);
    cr_expect_eq(stage->run.leaks[0].tick, 0);
    stage_end(stage);
}

Test(crowd_leak, the_same_agents_leak_nothing_when_the_wall_is_solid)
{
    Stage *stage = wall(true);
    CrowdTotals totals = run_stage(stage, 20, 1);
    uint32_t right = 0;
    for (uint32_t i = 0; i < AGENTS; i++)
    {
        right += stage->run.results[i].body.center.x > .5;
    }
    cr_expect_geq(right, 40, "only %u agents came around the wall", right);
    cr_expect_eq(totals.leaked, 0);
    stage_end(stage);
}

/* A library that moved well in every shorter tick and wrote one wrong place. */
Test(crowd_leak, a_wrong_end_behind_the_wall_is_reported)
{
    Stage *stage = wall(true);
    run_stage(stage, 0, 1);
    sidle_move move = {.body.center = {-1, .92, -2}, .displacement = {3, 0, .5f}};
    sidle_result result;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = stage->run.snapshot,
                            .dt = 1,
                            .moves = &move,
                            .count = 1,
                            .results = &result};
    cr_assert_eq(sidle_crowd_tick(stage->run.crowd, &tick), SIDLE_OK);
    sidle_position end = result.body.center, planted = {.41, end.y, end.z};
    cr_assert_lt(end.x, 0);
    LeakCheck check = {.grid = stage->grid, .crowd = stage->run.crowd, .tick = &tick};
    cr_expect_not(leak_is_real(&check, 0, end));
    cr_expect(leak_is_real(&check, 0, planted));
    stage_end(stage);
}

/* ---- Agents that collide. ---- */

static void add_wall(Level *level, double x, double z, double to_x, double to_z)
{
    const double one[4][3] = {{x, 0, z}, {to_x, 0, to_z}, {to_x, 4, to_z}, {x, 4, z}};
    const double other[4][3] = {{to_x, 0, to_z}, {x, 0, z}, {x, 4, z}, {to_x, 4, to_z}};
    add_quad(level, one);
    add_quad(level, other);
}

/* A wall with an open end, and a slanted one behind it. */
static Stage *corner(void)
{
    Stage *stage = calloc(1, sizeof *stage);
    cr_assert(stage != NULL);
    stage->scene.threads = 1;
    stage->level = ground(false);
    add_wall(&stage->level, 0, -6, 0, .65);
    add_wall(&stage->level, -2, 6, 10, -6);
    stage->scene.mesh = mesh_of(&stage->level);
    stage->grid = check_create(&stage->level);
    stage->agents = (Agents){.list = calloc(1, sizeof(Agent)),
                             .shapes = calloc(1, sizeof(sidle_shape)),
                             .count = 1,
                             .shape_count = 1};
    cr_assert(stage->grid && stage->agents.list && stage->agents.shapes);
    stage->agents.shapes[0].radii = (sidle_vec3){.4f, .9f, .4f};
    stage->agents.list[0].start = (sidle_position){-9, .92, 0};
    run_stage(stage, 0, 1);
    return stage;
}

/* Another agent pushes the agent past the open end, and the slanted wall turns it, so its chord crosses the wall. Alone the wall
 * would stop it. */
Test(crowd_leak, an_agent_that_another_pushes_around_the_end_of_a_wall_leaks_nothing)
{
    Stage *stage = corner();
    const sidle_move moves[2] = {
        {.id = 1, .body = {.center = {-4, .92, 0}, .flags = SIDLE_BODY_GROUNDED}, .displacement = {8, 0, 0}},
        {.id = 2,
         .body = {.center = {-4, .92, -1}, .flags = SIDLE_BODY_GROUNDED},
         .displacement = {8, 0, 2.4f},
         .mass = (float)INFINITY}};
    sidle_result results[2];
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = stage->run.snapshot,
                            .dt = 1,
                            .moves = moves,
                            .count = 2,
                            .results = results,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    LeakCheck check = {.grid = stage->grid, .crowd = stage->run.crowd, .tick = &tick};
    cr_assert_eq(sidle_crowd_tick(stage->run.crowd, &tick), SIDLE_OK);
    sidle_position end = results[0].body.center;
    cr_expect(check_crosses(stage->grid, moves[0].body.center, end), "to %g %g %g", end.x, end.y, end.z);
    cr_expect_not(leak_is_real(&check, 0, end));
    cr_expect(leak_is_real(&check, 0, (sidle_position){end.x + 9, end.y, end.z}));

    tick.flags = 0;
    cr_assert_eq(sidle_crowd_tick(stage->run.crowd, &tick), SIDLE_OK);
    cr_expect_lt(results[0].body.center.x, 0);
    cr_expect(leak_is_real(&check, 0, end), "alone it cannot be there");
    stage_end(stage);
}

Test(crowd_leak, agents_that_collide_and_pass_through_missing_triangles_are_reported)
{
    Stage *stage = city(1, 40);
    CrowdTotals totals = run_desc(stage, (CrowdDesc){.ticks = 100, .hz = 10, .agents_collide = true});
    cr_expect_geq(totals.leaked, 20, "%llu", (unsigned long long)totals.leaked);
    stage_end(stage);
}

/* ---- Agents that stand still. ---- */

Test(crowd_leak, agents_that_others_block_are_not_motionless)
{
    for (uint32_t seed = 1; seed <= 3; seed++)
    {
        Stage *stage = generated("gen:dungeon", seed, 0);
        CrowdTotals totals =
            run_desc(stage, (CrowdDesc){.ticks = 60, .hz = 1, .agents_collide = true, .watches = true});
        cr_expect_eq(totals.motionless, 0, "seed %u: %llu times", seed,
                     (unsigned long long)totals.motionless);
        stage_end(stage);
    }
}

/* Nothing is near. */
Test(crowd_leak, an_agent_that_stands_still_is_motionless_unless_another_hinders_it)
{
    Stage *stage = wall(true);
    for (int hindered = 0; hindered < 2; hindered++)
    {
        WatchedAgent agent;
        WatchTick tick = {.grid = stage->grid,
                          .shape = stage->agents.shapes[0],
                          .center = {-20, .92, 0},
                          .seed = 5,
                          .hz = 60,
                          .is_hindered = false};
        watch_begin(&agent, tick.center);
        for (tick.tick = 0; tick.tick < 600; tick.tick++)
        {
            tick.is_hindered = hindered && tick.tick % 60 == 59;
            watch_tick(&agent, &tick);
        }
        cr_expect(hindered ? agent.motionless == 0 : agent.motionless >= 4, "%u times", agent.motionless);
    }
    run_stage(stage, 0, 1);
    stage_end(stage);
}
