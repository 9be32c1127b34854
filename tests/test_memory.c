/* Memory comes from the caller's allocator alone, runs out with a status and nothing worse, goes back to the
 * last byte, and is not asked for in the middle of a game. */
#include "support/heap.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <string.h>

#define AGENTS 90
#define TICKS  3

/* A whole life of a mesh, a world and a crowd. A call for which there is no memory is repeated when there
 * is. */
typedef struct Life
{
    Heap *heap;
    const Soup *soup;
    sidle_allocator allocator;
    bool failed;
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_crowd *crowd;
    uint64_t expected, history; /* expected 0: not known yet */
} Life;

static bool must_retry(Life *life, sidle_status status)
{
    if (status == SIDLE_ERROR_MEMORY && !life->failed)
    {
        life->failed = true;
        life->heap->failing = 0;
        return true;
    }
    demand(status, "the repeated call");
    return false;
}

static void bake(Life *life)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &life->soup->triangles[0].v[0].x,
                            .vertex_count = (uint32_t)(3 * life->soup->count),
                            .triangle_count = (uint32_t)life->soup->count,
                            .error = &error};
    sidle_status status;
    do
    {
        status = sidle_mesh_create(&desc, NULL, &life->allocator, &life->mesh);
        cr_expect(status == error.status && (status == SIDLE_OK) == (life->mesh != NULL));
        error.status = SIDLE_OK;
    }
    while (must_retry(life, status));
}

/* The level once, and copies below it that no agent hits: more than the world's first table holds. */
static void fill_world(Life *life)
{
    sidle_world_desc desc = {.size = sizeof desc};
    while (must_retry(life, sidle_world_create(&desc, &life->allocator, &life->world)))
    {
        cr_expect_null(life->world);
    }
    for (uint32_t index = 0; index < 70; ++index)
    {
        sidle_instance instance = {0, 0};
        sidle_instance_desc own = {.size = sizeof own, .mesh = life->mesh, .key = index};
        own.pose.position.y = -100.0 * index;
        while (must_retry(life, sidle_world_add(life->world, &own, &instance)))
        {
            cr_expect(instance.generation == 0, "an instance in spite of the failure");
        }
    }
}

static void commit(Life *life)
{
    for (sidle_status status = SIDLE_ERROR_MEMORY; status != SIDLE_OK;)
    {
        sidle_snapshot *before = NULL, *after = NULL;
        demand(sidle_world_snapshot(life->world, &before), "sidle_world_snapshot");
        status = sidle_world_commit(life->world, NULL);
        must_retry(life, status);
        demand(sidle_world_snapshot(life->world, &after), "sidle_world_snapshot");
        cr_expect_eq(sidle_snapshot_epoch(after), sidle_snapshot_epoch(before) + (status == SIDLE_OK));
        cr_expect((before == after) == (status != SIDLE_OK), "another epoch after a failure");
        sidle_snapshot_release(before);
        sidle_snapshot_release(after);
    }
}

static void make_crowd(Life *life)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_profile profiles[12];
    memset(profiles, 0, sizeof profiles);
    for (uint32_t index = 0; index < 12; ++index)
    {
        profiles[index] = walking_ball().profile;
        profiles[index].mode = index % 3;
    }
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 12, .error = &error};
    while (must_retry(life, sidle_crowd_create(&desc, &life->allocator, &life->crowd)))
    {
        cr_expect(error.status == SIDLE_ERROR_MEMORY && life->crowd == NULL);
    }
}

/* A few agents, then many. */
static void run_ticks(Life *life)
{
    Scene level = {.snapshot = NULL};
    demand(sidle_world_snapshot(life->world, &level.snapshot), "sidle_world_snapshot");
    Troop troop = troop_of(AGENTS);
    for (uint32_t tick = 0; tick < TICKS; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        troop.count = desc.count = tick == 0 ? AGENTS / 3 : AGENTS;
        while (must_retry(life, sidle_crowd_tick(life->crowd, &desc)))
        {
        }
        troop_take(&troop);
    }
    life->history = troop.history;
    troop_free(&troop);
    sidle_snapshot_release(level.snapshot);
}

static sidle_status live(const sidle_allocator *allocator, void *context)
{
    Life *life = context;
    *life =
        (Life){.heap = life->heap, .soup = life->soup, .allocator = *allocator, .expected = life->expected};
    bake(life);
    fill_world(life);
    commit(life);
    make_crowd(life);
    run_ticks(life);
    sidle_crowd_destroy(life->crowd);
    sidle_world_destroy(life->world);
    sidle_mesh_release(life->mesh);
    cr_expect(life->expected == 0 || life->history == life->expected, "another history after a failure");
    return life->failed ? SIDLE_ERROR_MEMORY : SIDLE_OK;
}

Test(memory, any_allocation_may_fail_and_be_tried_again)
{
    Scene level = troop_level();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    Life life = {.heap = &heap, .soup = &level.soup};
    cr_assert_eq(live(&allocator, &life), SIDLE_OK);
    life.expected = life.history;
    HeapTrial trial = heap_try(&heap, live, &life);
    cr_expect_eq(trial.end, SIDLE_OK);
    cr_expect_gt(trial.failures, 25, "only %zu allocations", trial.failures);
    cr_expect(trial.wrong == 0 && trial.left == 0 && heap.wrong == 0, "of %zu: %zu wrong, %zu left, %zu bad",
              trial.failures, trial.wrong, trial.left, (size_t)heap.wrong);
    cr_expect_eq(heap.blocks, 0);
    scene_close(&level);
}

static sidle_status make_pool(const sidle_allocator *allocator, void *context)
{
    const sidle_pool_desc desc = {.size = sizeof desc, .worker_count = 3};
    sidle_pool *pool = NULL;
    (void)context;
    sidle_status status = sidle_pool_create(&desc, allocator, &pool);
    cr_expect_eq(pool != NULL, status == SIDLE_OK);
    sidle_pool_destroy(pool);
    return status;
}

Test(memory, a_pool_without_memory_is_none)
{
    Heap heap = {0};
    HeapTrial trial = heap_try(&heap, make_pool, NULL);
    cr_expect(trial.end == SIDLE_OK || trial.end == SIDLE_ERROR_UNSUPPORTED);
    cr_expect(trial.end != SIDLE_OK || trial.failures > 0);
    cr_expect(trial.wrong == 0 && trial.left == 0 && heap.wrong == 0 && heap.blocks == 0);
}

/* A tick of so many agents by so many workers; returns how often it asked for memory. */
static size_t allocations_of(const Heap *heap, sidle_crowd *crowd, const Scene *level, uint32_t agents,
                             uint32_t workers, uint32_t flags)
{
    Troop troop = troop_of(agents);
    sidle_tick_desc desc = troop_tick(&troop, level, 0);
    desc.flags = flags;
    sidle_work work;
    size_t before = heap->allocations;
    demand(sidle_crowd_tick_begin(crowd, &desc, workers, &work), "sidle_crowd_tick_begin");
    sidle_work_execute(&work, NULL);
    demand(sidle_crowd_tick_end(crowd, &work), "sidle_crowd_tick_end");
    troop_free(&troop);
    return heap->allocations - before;
}

Test(memory, a_tick_no_larger_than_an_earlier_one_asks_for_none)
{
    Scene level = troop_level();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_crowd *crowd = troop_crowd(0, &allocator);
    cr_expect_gt(allocations_of(&heap, crowd, &level, 300, 4, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 300, 4, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 100, 4, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 300, 1, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 0, 2, 0), 0);
    cr_expect_gt(allocations_of(&heap, crowd, &level, 301, 4, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 350, 4, 0), 0); /* with room for more */
    cr_expect_gt(allocations_of(&heap, crowd, &level, 300, 5, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 301, 5, 0), 0);
    sidle_crowd_destroy(crowd);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    scene_close(&level);
}

Test(memory, a_tick_of_colliding_agents_no_larger_than_an_earlier_one_asks_for_none)
{
    const uint32_t collide = SIDLE_TICK_AGENTS_COLLIDE;
    Scene level = troop_level();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_crowd *crowd = troop_crowd(0, &allocator);
    cr_expect_gt(allocations_of(&heap, crowd, &level, 300, 4, 0), 0);
    cr_expect_gt(allocations_of(&heap, crowd, &level, 300, 4, collide), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 300, 4, collide), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 300, 4, 0), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 64, 1, collide), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 0, 2, collide), 0);
    cr_expect_gt(allocations_of(&heap, crowd, &level, 400, 4, collide), 0);
    cr_expect_eq(allocations_of(&heap, crowd, &level, 400, 4, collide), 0);
    sidle_crowd_destroy(crowd);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    scene_close(&level);
}

/* The last release returns the memory to the allocator that it came from. */
Test(memory, snapshots_outlive_their_world_and_go_back_to_its_allocator)
{
    Scene level = troop_level();
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    sidle_world *world = NULL;
    sidle_snapshot *snapshots[3] = {NULL};
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = level.meshes[0]};
    sidle_instance instance;
    demand(sidle_world_create(NULL, &allocator, &world), "sidle_world_create");
    for (int epoch = 0; epoch < 3; ++epoch)
    {
        demand(sidle_world_add(world, &desc, &instance), "sidle_world_add");
        demand(sidle_world_commit(world, NULL), "sidle_world_commit");
        demand(sidle_world_snapshot(world, &snapshots[epoch]), "sidle_world_snapshot");
        sidle_snapshot_retain(snapshots[epoch]);
    }
    sidle_world_destroy(world);
    for (int release = 0; release < 6; ++release)
    {
        cr_expect_gt(heap.blocks, 0);
        sidle_snapshot_release(snapshots[release % 3]);
    }
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    sidle_snapshot_release(NULL);
    sidle_world_destroy(NULL);
    sidle_crowd_destroy(NULL);
    sidle_pool_destroy(NULL);
    scene_close(&level);
}
