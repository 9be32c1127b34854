/* The same agents in the same world do the same, bit for bit, however their ticks are run. */
#include "support/denormals.h"
#include "support/schedulers.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <fenv.h>
#include <string.h>

#define AGENTS 500
#define TICKS  120

/* Plain: one thread, no jobs, the best lanes. */
static uint64_t reference(const Scene *level)
{
    return troop_history(level, 0, AGENTS, TICKS, troop_run_plainly, NULL);
}

Test(determinism, a_run_can_be_repeated_and_goes_somewhere)
{
    Scene level = troop_level();
    uint64_t history = reference(&level);
    cr_expect(history == reference(&level), "the second run differs");
    cr_expect(history != troop_history(&level, 0, AGENTS, TICKS - 1, troop_run_plainly, NULL),
              "the last tick changes nothing");
    cr_expect(history != troop_history(&level, 0, AGENTS - 1, TICKS, troop_run_plainly, NULL),
              "the last agent is not in it");
    scene_close(&level);
}

Test(determinism, pools_of_any_size_change_no_bit)
{
    const uint32_t sizes[4] = {1, 2, 3, 8};
    Scene level = troop_level();
    uint64_t expected = reference(&level);
    for (int index = 0; index < 4; ++index)
    {
        sidle_pool_desc desc = {.size = sizeof desc, .worker_count = sizes[index]};
        sidle_pool *pool = NULL;
        demand(sidle_pool_create(&desc, NULL, &pool), "sidle_pool_create");
        sidle_jobs jobs = *sidle_pool_jobs(pool);
        cr_expect(troop_history(&level, 0, AGENTS, TICKS, troop_run_plainly, &jobs) == expected, "%u workers",
                  sizes[index]);
        sidle_pool_destroy(pool);
    }
    scene_close(&level);
}

Test(determinism, lanes_change_no_bit)
{
    const uint32_t widths[4] = {1, 4, 8, 16};
    Scene level = troop_level();
    uint64_t expected = reference(&level);
    for (int index = 0; index < 4; ++index)
    {
        sidle_profile profile = walking_ball().profile;
        sidle_crowd_desc desc = {
            .size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = widths[index]};
        sidle_crowd *crowd = NULL;
        sidle_status status = sidle_crowd_create(&desc, NULL, &crowd);
        sidle_crowd_destroy(crowd);
        cr_expect(status == SIDLE_OK || (status == SIDLE_ERROR_UNSUPPORTED && widths[index] > 4));
        cr_expect(status != SIDLE_OK || troop_history(&level, widths[index], AGENTS, TICKS, troop_run_plainly,
                                                      NULL) == expected,
                  "%u lanes", widths[index]);
    }
    scene_close(&level);
}

Test(determinism, hostile_schedulers_change_no_bit)
{
    const uint32_t workers[2] = {1, 5};
    Scene level = troop_level();
    uint64_t expected = reference(&level);
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        for (int index = 0; index < 2; ++index)
        {
            Scheduler scheduler;
            scheduler_set(&scheduler, (SchedulerOrder)order, workers[index]);
            uint64_t history = troop_history(&level, 0, AGENTS, TICKS, troop_run_plainly, &scheduler.jobs);
            cr_expect(history == expected, "order %d with %u workers", order, workers[index]);
        }
    }
    scene_close(&level);
}

/* As a job graph would: begin, tasks of each phase in some order on some worker, end. */
typedef struct Graph
{
    Random random;
    bool reverse;
    uint32_t worker_count;
} Graph;

static void run_as_graph(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    Graph *graph = context;
    sidle_work work;
    demand(sidle_crowd_tick_begin(crowd, tick, graph->worker_count, &work), "sidle_crowd_tick_begin");
    for (uint32_t phase = 0; phase < sidle_work_phase_count(&work); ++phase)
    {
        uint32_t order[1024], count = sidle_work_task_count(&work, phase);
        cr_assert(count <= 1024);
        for (uint32_t task = 0; task < count; ++task)
        {
            uint32_t other = random_below(&graph->random, task + 1);
            order[task] = order[other];
            order[other] = task;
        }
        for (uint32_t place = 0; place < count; ++place)
        {
            uint32_t task = graph->reverse ? count - 1 - place : order[place];
            sidle_work_run(&work, phase, task, random_below(&graph->random, graph->worker_count));
        }
    }
    demand(sidle_crowd_tick_end(crowd, &work), "sidle_crowd_tick_end");
}

Test(determinism, tasks_of_a_phase_run_in_any_order_on_any_worker)
{
    Scene level = troop_level();
    uint64_t expected = reference(&level);
    for (uint32_t index = 0; index < 4; ++index)
    {
        Graph graph = {random_seeded(index), index % 2 == 0, index < 2 ? 1 : 7};
        cr_expect(troop_history(&level, 0, AGENTS, TICKS, run_as_graph, &graph) == expected,
                  "%s on %u workers", graph.reverse ? "reverse" : "shuffled", graph.worker_count);
    }
    scene_close(&level);
}

Test(determinism, the_place_of_an_agent_in_the_arrays_changes_no_bit_of_it)
{
    Scene level = troop_level();
    uint64_t expected = reference(&level);
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(AGENTS);
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        troop_shuffle(&troop, tick);
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    cr_expect(troop.history == expected);
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(determinism, the_other_agents_change_no_bit_of_an_agent)
{
    Scene level = troop_level();
    Troop many = troop_of(AGENTS), few = troop_of(AGENTS / 10);
    sidle_crowd *crowd = troop_crowd(0, NULL);
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        sidle_tick_desc all = troop_tick(&many, &level, tick), some = troop_tick(&few, &level, tick);
        demand(sidle_crowd_tick(crowd, &all), "sidle_crowd_tick");
        demand(sidle_crowd_tick(crowd, &some), "sidle_crowd_tick");
        troop_take(&many);
        troop_take(&few);
        for (uint32_t index = 0; index < few.count; ++index)
        {
            const sidle_body *a = &few.moves[index].body, *b = &many.moves[index].body;
            cr_expect(memcmp(&a->center, &b->center, sizeof a->center) == 0, "agent %u, tick %u", index,
                      tick);
        }
    }
    troop_free(&many);
    troop_free(&few);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

static void run_in_a_new_crowd(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    (void)crowd;
    (void)context;
    sidle_crowd *fresh = troop_crowd(0, NULL);
    demand(sidle_crowd_tick(fresh, tick), "sidle_crowd_tick");
    sidle_crowd_destroy(fresh);
}

/* Whatever a crowd keeps from tick to tick makes it faster and nothing else. */
Test(determinism, what_a_crowd_did_before_changes_no_bit)
{
    Scene level = troop_level();
    cr_expect(troop_history(&level, 0, AGENTS, TICKS, run_in_a_new_crowd, NULL) == reference(&level));
    scene_close(&level);
}

/* ---- the floating-point environment of the host ---- */

/* What shows the environment: a sum that rounds, a product that is denormal. */
static bool environment_is(int rounding, bool flushes)
{
    volatile double one = 1.0, hair = 0x1p-60;
    bool rounds_up = one + hair > 1.0;
    return fegetround() == rounding && rounds_up == (rounding == FE_UPWARD) &&
           denormals_are_flushed() == flushes;
}

typedef struct Host
{
    int rounding;
    bool flushes, kept;
    sidle_jobs *jobs;
} Host;

static void enter(const Host *host)
{
    flush_denormals(host->flushes);
    fesetround(host->rounding);
}

static void leave(Host *host)
{
    bool flushes = denormals_are_flushed();
    host->kept =
        host->kept && environment_is(host->rounding, flushes) && (!host->flushes || flushes == host->flushes);
    fesetround(FE_TONEAREST);
    flush_denormals(false);
}

static void run_on_host(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    Host *host = context;
    tick->jobs = host->jobs;
    enter(host);
    sidle_status status = sidle_crowd_tick(crowd, tick);
    leave(host);
    demand(status, "sidle_crowd_tick");
}

Test(determinism, the_host_s_rounding_and_denormal_mode_change_no_bit_of_a_tick_and_are_kept)
{
    const int roundings[3] = {FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST};
    Scene level = troop_level();
    uint64_t expected = reference(&level);
    sidle_pool_desc desc = {.size = sizeof desc, .worker_count = 3};
    sidle_pool *pool = NULL;
    demand(sidle_pool_create(&desc, NULL, &pool), "sidle_pool_create");
    sidle_jobs jobs = *sidle_pool_jobs(pool);
    for (int index = 0; index < 6; ++index)
    {
        Host host = {roundings[index % 3], true, true, index < 3 ? NULL : &jobs};
        uint64_t history = troop_history(&level, 0, AGENTS, TICKS, run_on_host, &host);
        cr_expect(history == expected, "rounding %d", index);
        cr_expect(host.kept, "rounding %d is not put back", index);
    }
    sidle_pool_destroy(pool);
    scene_close(&level);
}

/* A ground so large that its corners stay double up to the kernels, placed under the host's environment. */
static uint64_t history_on_placed_ground(Host *host)
{
    Soup ground = {0};
    soup_slope(&ground, 3e4, 4.0);
    Scene plain = scene_of(ground, walking_ball());
    sidle_mesh *mesh = plain.meshes[0];
    sidle_world *world = NULL;
    sidle_instance instance;
    sidle_snapshot *snapshot = NULL;
    sidle_world_desc world_desc = {.size = sizeof world_desc};
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh};
    desc.pose = (sidle_pose){{0.1, 0.2, 0.3}, {0.1f, 0.7f, 0.05f, 1.3f}, {1.1f, 0.9f, 1.3f}};
    enter(host);
    sidle_status created = sidle_world_create(&world_desc, NULL, &world);
    sidle_status added = sidle_world_add(world, &desc, &instance);
    sidle_status committed = sidle_world_commit(world, NULL);
    leave(host);
    demand(created, "sidle_world_create");
    demand(added, "sidle_world_add");
    demand(committed, "sidle_world_commit");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    Scene placed = {.snapshot = snapshot};
    uint64_t history = reference(&placed);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    scene_close(&plain);
    return history;
}

Test(determinism, the_host_s_rounding_changes_no_bit_of_a_world)
{
    Host plain = {FE_TONEAREST, false, true, NULL}, odd = {FE_UPWARD, true, true, NULL};
    cr_expect(history_on_placed_ground(&plain) == history_on_placed_ground(&odd));
    cr_expect(odd.kept);
}

Test(determinism, meshes_have_the_same_bytes_however_they_are_baked)
{
    Scene level = troop_level();
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &level.soup.triangles[0].v[0].x,
                            .vertex_count = (uint32_t)(3 * level.soup.count),
                            .triangle_count = (uint32_t)level.soup.count};
    static _Alignas(16) unsigned char expected[1 << 20], bytes[1 << 20];
    size_t expected_count = 0, count = 0;
    demand(sidle_mesh_save(level.meshes[0], expected, sizeof expected, &expected_count), "sidle_mesh_save");
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, (SchedulerOrder)order, 4);
        Host host = {order % 2 == 0 ? FE_UPWARD : FE_TONEAREST, true, true, NULL};
        sidle_mesh *mesh = NULL;
        enter(&host);
        sidle_status status = sidle_mesh_create(&desc, &scheduler.jobs, NULL, &mesh);
        leave(&host);
        demand(status, "sidle_mesh_create");
        demand(sidle_mesh_save(mesh, bytes, sizeof bytes, &count), "sidle_mesh_save");
        cr_expect(count == expected_count && memcmp(bytes, expected, count) == 0, "order %d", order);
        sidle_mesh_release(mesh);
    }
    scene_close(&level);
}
