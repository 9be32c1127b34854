/* The tree and the memory of a world that lives long: every instance is hit, and nothing is kept that no snapshot shows. */
#include "support/heap.h"
#include "support/random.h"
#include "support/scene.h"
#include "world/snapshot.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdatomic.h>

/* A world of squares. */
typedef struct Model
{
    sidle_mesh *square;
    sidle_world *world;
} Model;

static Model model_of(void)
{
    const float corners[] = {-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    const sidle_mesh_desc desc = {.size = sizeof desc,
                                  .vertices_f = corners,
                                  .vertex_count = 4,
                                  .indices = indices,
                                  .triangle_count = 2};
    Model model = {.world = NULL};
    demand(sidle_mesh_create(&desc, NULL, NULL, &model.square), "sidle_mesh_create");
    demand(sidle_world_create(NULL, NULL, &model.world), "sidle_world_create");
    return model;
}

static void model_close(Model *model)
{
    sidle_world_destroy(model->world);
    sidle_mesh_release(model->square);
}

/* ---- the shape of the tree ---- */

static sidle_instance add_at(Model *model, double x, double y, double z)
{
    sidle_instance id;
    sidle_instance_desc desc = {
        .size = sizeof desc, .mesh = model->square, .pose = {.position = {x, y, z}}, .key = (uint64_t)x + 1};
    demand(sidle_world_add(model->world, &desc, &id), "sidle_world_add");
    return id;
}

static double height_hit(sidle_world *world, double x)
{
    sidle_cast cast = {.origin = {x, 50, 0}, .displacement = {0, -100, 0}};
    sidle_cast_hit hit;
    sidle_snapshot *snapshot;
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    demand(sidle_cast_closest(snapshot, 1, &cast, &hit), "sidle_cast_closest");
    sidle_snapshot_release(snapshot);
    return hit.hit ? hit.point.y : NAN;
}

/* The worst order for a tree that grows: each instance is next to the last one. */
Test(long_life, instances_that_are_added_one_by_one_along_a_line_are_all_hit)
{
    Model model = model_of();
    for (int i = 0; i < 3000; ++i)
    {
        add_at(&model, 3 * i, i % 7, 0);
        demand(sidle_world_commit(model.world, NULL), "sidle_world_commit");
    }
    for (int i = 0; i < 3000; ++i)
    {
        double height = height_hit(model.world, 3 * i);
        cr_assert(height == i % 7, "instance %d: %g", i, height);
    }
    model_close(&model);
}

Test(long_life, an_instance_is_hit_wherever_it_jumps)
{
    Model model = model_of();
    Random random = random_seeded(3);
    for (int i = 0; i < 40; ++i)
    {
        add_at(&model, 3 * i, 0, 0);
    }
    sidle_instance one = add_at(&model, 0, 5, 0);
    for (int i = 0; i < 500; ++i)
    {
        sidle_pose pose = {.position = {random_scale(&random, 1, 1e6), 5, 0}};
        demand(sidle_world_teleport(model.world, one, &pose), "sidle_world_teleport");
        demand(sidle_world_commit(model.world, NULL), "sidle_world_commit");
        double height = height_hit(model.world, pose.position.x);
        cr_assert(height == 5, "jump %d: %g", i, height);
    }
    model_close(&model);
}

/* ---- threads ---- */

#define READERS 2
#define EPOCHS  400

/* Snapshots that the thread of the world hands to readers, each with the height that it showed there. */
typedef struct Exchange
{
    sidle_snapshot *snapshots[EPOCHS];
    double heights[EPOCHS];
    atomic_uint given, taken, wrong;
} Exchange;

static double height_at(const sidle_snapshot *snapshot, double x)
{
    sidle_cast cast = {.origin = {x, 50, 0}, .displacement = {0, -100, 0}};
    sidle_cast_hit hit;
    demand(sidle_cast_closest(snapshot, 1, &cast, &hit), "sidle_cast_closest");
    return hit.hit ? hit.point.y : -1;
}

static void *read_snapshots(void *argument)
{
    Exchange *exchange = argument;
    for (uint32_t i; i = atomic_fetch_add(&exchange->taken, 1), i < EPOCHS;)
    {
        while (atomic_load(&exchange->given) <= i)
        {
        }
        sidle_snapshot *snapshot = exchange->snapshots[i];
        for (int cast = 0; cast < 20; ++cast)
        {
            atomic_fetch_add(&exchange->wrong, height_at(snapshot, 0) != exchange->heights[i]);
        }
        sidle_snapshot_release(snapshot);
    }
    return NULL;
}

Test(long_life, other_threads_read_and_release_snapshots_while_the_world_commits)
{
    static Exchange exchange;
    Model model = model_of();
    pthread_t readers[READERS];
    sidle_instance mover = add_at(&model, 0, 0, 0), passing = mover;
    for (int i = 1; i < 60; ++i)
    {
        passing = add_at(&model, 3 * i, 0, 0);
    }
    for (int i = 0; i < READERS; ++i)
    {
        cr_assert_eq(pthread_create(&readers[i], NULL, read_snapshots, &exchange), 0);
    }
    for (uint32_t i = 0; i < EPOCHS; ++i)
    {
        sidle_pose pose = {.position = {0, i % 17, 0}}, other = {.position = {3 * (i % 50), 20, 10}};
        demand(sidle_world_teleport(model.world, mover, &pose), "sidle_world_teleport");
        demand(sidle_world_move(model.world, passing, NULL, &other), "sidle_world_move");
        demand(sidle_world_commit(model.world, NULL), "sidle_world_commit");
        demand(sidle_world_snapshot(model.world, &exchange.snapshots[i]), "sidle_world_snapshot");
        exchange.heights[i] = i % 17;
        atomic_store(&exchange.given, i + 1);
    }
    for (int i = 0; i < READERS; ++i)
    {
        pthread_join(readers[i], NULL);
    }
    cr_expect_eq(atomic_load(&exchange.wrong), 0);
    model_close(&model);
}

/* ---- memory ---- */

Test(long_life, a_kept_snapshot_costs_no_memory_with_each_commit)
{
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    Model model = model_of();
    sidle_world *world = NULL;
    sidle_snapshot *kept, *last;
    sidle_instance id = {0, 0};
    sidle_pose pose = {.position = {0, 0, 0}};
    demand(sidle_world_create(NULL, &allocator, &world), "sidle_world_create");
    for (int i = 0; i < 50; ++i)
    {
        sidle_instance_desc desc = {
            .size = sizeof desc, .mesh = model.square, .pose = {.position = {3.0 * i, 0, 0}}};
        demand(sidle_world_add(world, &desc, &id), "sidle_world_add");
    }
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(world, &kept), "sidle_world_snapshot");
    size_t blocks[2];
    for (int i = 0; i < 20000; ++i)
    {
        pose.position.y = i % 5;
        demand(sidle_world_teleport(world, id, &pose), "sidle_world_teleport");
        demand(sidle_world_commit(world, NULL), "sidle_world_commit");
        blocks[i > 10000] = heap.blocks;
    }
    cr_expect_leq(blocks[1], blocks[0] + 8, "%zu, then %zu blocks", blocks[0], blocks[1]);
    demand(sidle_world_snapshot(world, &last), "sidle_world_snapshot");
    cr_expect_leq(last->blocks[0]->capacity, 512, "%u instances", last->blocks[0]->capacity);
    cr_expect_leq(last->blocks[2]->capacity, 512, "%u nodes", last->blocks[2]->capacity);
    sidle_snapshot_release(last);
    sidle_world_destroy(world);
    sidle_snapshot_release(kept);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    model_close(&model);
}

/* An engine that streams levels expects its memory back. */
Test(long_life, the_mesh_of_a_removed_instance_is_freed_by_the_commit_after_its_last_snapshot)
{
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    Model model = model_of();
    sidle_mesh *mesh = NULL;
    sidle_instance id;
    sidle_snapshot *snapshot;
    const float corners[] = {0, 0, 0, 0, 0, 1, 1, 0, 0};
    const sidle_mesh_desc soup = {
        .size = sizeof soup, .vertices_f = corners, .vertex_count = 3, .triangle_count = 1};
    demand(sidle_mesh_create(&soup, NULL, &allocator, &mesh), "sidle_mesh_create");
    add_at(&model, 0, 0, 0);
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = mesh};
    demand(sidle_world_add(model.world, &desc, &id), "sidle_world_add");
    sidle_mesh_release(mesh);
    demand(sidle_world_commit(model.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(model.world, &snapshot), "sidle_world_snapshot");
    demand(sidle_world_remove(model.world, id), "sidle_world_remove");
    demand(sidle_world_commit(model.world, NULL), "sidle_world_commit");
    cr_expect_gt(heap.blocks, 0, "a snapshot uses it");
    sidle_snapshot_release(snapshot);
    demand(sidle_world_commit(model.world, NULL), "sidle_world_commit");
    cr_expect_eq(heap.blocks, 0);
    model_close(&model);
}
