/* Worlds as promised in sidle/world.h: ids, poses and epochs. */
#include "support/wall.h"

#include <criterion/criterion.h>

#include <string.h>

/* ---- ids and calls ---- */

static void expect_stale(Scene *scene, sidle_instance id, const char *what)
{
    cr_expect_eq(sidle_world_remove(scene->world, id), SIDLE_ERROR_STALE, "%s", what);
    cr_expect_eq(sidle_world_teleport(scene->world, id, &as_it_is), SIDLE_ERROR_STALE, "%s", what);
    cr_expect_eq(sidle_world_move(scene->world, id, &as_it_is, &as_it_is), SIDLE_ERROR_STALE, "%s", what);
}

Test(world, an_id_of_a_removed_instance_is_stale_even_if_its_slot_is_reused)
{
    Scene scene = wall_scene();
    sidle_instance old = scene.instances[0], new_one = old, other = old;
    expect_stale(&scene, (sidle_instance){0, 0}, "none");
    expect_stale(&scene, (sidle_instance){old.index + 1, old.generation}, "an index beyond");
    expect_stale(&scene, (sidle_instance){UINT32_MAX, old.generation}, "an index far beyond");
    expect_stale(&scene, (sidle_instance){old.index, old.generation + 1}, "one to come");
    cr_expect_eq(sidle_world_remove(scene.world, old), SIDLE_OK);
    expect_stale(&scene, old, "removed");
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = scene.meshes[0]};
    cr_assert_eq(sidle_world_add(scene.world, &desc, &new_one), SIDLE_OK);
    cr_assert_eq(sidle_world_add(scene.world, &desc, &other), SIDLE_OK);
    cr_expect(new_one.index == old.index && new_one.generation != old.generation);
    cr_expect(other.index != new_one.index && other.generation != 0);
    expect_stale(&scene, old, "replaced");
    cr_expect_eq(sidle_world_remove(scene.world, new_one), SIDLE_OK);
    cr_expect_eq(sidle_world_remove(scene.world, other), SIDLE_OK);
    scene_close(&scene);
}

Test(world, instances_come_and_go_in_any_order)
{
    Scene scene = wall_scene();
    Random random = random_seeded(501);
    sidle_instance known[200];
    uint32_t count = 0;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = scene.meshes[0]};
    for (int step = 0; step < 5000; ++step)
    {
        if (count < 200 && random_chance(&random, 0.5))
        {
            demand(sidle_world_add(scene.world, &desc, &known[count]), "sidle_world_add");
            for (uint32_t other = 0; other < count; ++other)
            {
                cr_assert(known[other].index != known[count].index, "one place for two");
            }
            count += 1;
        }
        else if (count > 0)
        {
            uint32_t gone = random_below(&random, count);
            demand(sidle_world_remove(scene.world, known[gone]), "sidle_world_remove");
            cr_assert_eq(sidle_world_remove(scene.world, known[gone]), SIDLE_ERROR_STALE);
            known[gone] = known[--count];
        }
    }
    scene_close(&scene);
}

Test(world, invalid_calls_are_refused)
{
    Scene scene = wall_scene();
    sidle_world *world = NULL;
    sidle_instance id = scene.instances[0], out = {7, 7};
    sidle_instance_desc good = {.size = sizeof good, .mesh = scene.meshes[0]}, desc = good;
    sidle_world_desc small = {.size = 1};
    const sidle_jobs none = {.size = sizeof none, .worker_count = 1};
    cr_expect_eq(sidle_world_create(&small, NULL, &world), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_create(NULL, NULL, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_null(world);
    cr_expect_eq(sidle_world_add(NULL, &good, &out), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_add(scene.world, NULL, &out), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_add(scene.world, &good, NULL), SIDLE_ERROR_ARGUMENT);
    desc.mesh = NULL;
    cr_expect_eq(sidle_world_add(scene.world, &desc, &out), SIDLE_ERROR_ARGUMENT);
    desc = good;
    desc.size -= 1;
    cr_expect_eq(sidle_world_add(scene.world, &desc, &out), SIDLE_ERROR_ARGUMENT);
    desc = good;
    desc.flags = SIDLE_INSTANCE_CLOSED << 1;
    cr_expect_eq(sidle_world_add(scene.world, &desc, &out), SIDLE_ERROR_ARGUMENT);
    cr_expect(out.index == 7 && out.generation == 7);
    cr_expect_eq(sidle_world_remove(NULL, id), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_move(NULL, id, &as_it_is, &as_it_is), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_loop(scene.world, id, NULL, &as_it_is), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_move(scene.world, id, &as_it_is, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_teleport(scene.world, id, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_commit(NULL, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_commit(scene.world, &none), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_snapshot(NULL, &scene.snapshot), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_snapshot(scene.world, NULL), SIDLE_ERROR_ARGUMENT);
    scene_close(&scene);
}

/* Refused by every call that takes a pose; the wall stays where it was. */
static void expect_no_place(Scene *scene, sidle_pose pose, sidle_status expected, const char *what)
{
    sidle_instance id = scene->instances[0], out = {7, 7};
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = scene->meshes[0], .pose = pose};
    cr_expect_eq(sidle_world_add(scene->world, &desc, &out), expected, "add: %s", what);
    cr_expect(out.index == 7 && out.generation == 7, "add: %s", what);
    cr_expect_eq(sidle_world_teleport(scene->world, id, &pose), expected, "teleport: %s", what);
    cr_expect_eq(sidle_world_move(scene->world, id, &as_it_is, &pose), expected, "move to: %s", what);
    cr_expect_eq(sidle_world_move(scene->world, id, &pose, &as_it_is), expected, "move from: %s", what);
    renew(scene);
    cr_expect(is_near(flight(scene), 10 - gap), "%s: the wall has moved", what);
}

Test(world, an_invalid_pose_is_refused_and_changes_nothing)
{
    Scene scene = wall_scene();
    const float odd[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        expect_no_place(&scene, pose_at(0, (double)odd[i], 0), SIDLE_ERROR_NOT_FINITE, "position");
        sidle_pose pose = as_it_is;
        pose.rotation.w = odd[i];
        expect_no_place(&scene, pose, SIDLE_ERROR_NOT_FINITE, "rotation");
        pose = as_it_is;
        pose.scale.z = odd[i];
        expect_no_place(&scene, pose, SIDLE_ERROR_NOT_FINITE, "scale");
    }
    expect_no_place(&scene, pose_at(0, 0, SIDLE_MAX_COORDINATE), SIDLE_ERROR_LIMIT,
                    "what it reaches is too far");
    expect_no_place(&scene, pose_at(-1.1 * SIDLE_MAX_COORDINATE, 0, 0), SIDLE_ERROR_LIMIT, "too far");
    sidle_pose flat = as_it_is;
    flat.scale = (sidle_vec3){1, 0, 1};
    expect_no_place(&scene, flat, SIDLE_ERROR_LIMIT, "a scale of 0");
    sidle_pose far_and_small = pose_at(.999999 * SIDLE_MAX_COORDINATE, 0, 0),
               near_and_large = pose_at(0, 0, 0);
    far_and_small.scale = (sidle_vec3){1e-6f, 1e-6f, 1e-6f};
    near_and_large.scale = (sidle_vec3){1e6f, 1e6f, 1e6f};
    cr_expect_eq(sidle_world_move(scene.world, scene.instances[0], &far_and_small, &near_and_large),
                 SIDLE_ERROR_LIMIT, "it has the larger scale during the whole motion");
    scene_close(&scene);
}

/* [Limit] of sidle_instance_desc.pose; the floats of these names are within. */
Test(world, a_wall_scaled_by_a_millionth_or_a_million_is_hit_the_same)
{
    Scene scene = wall_scene();
    const float within[] = {1e-6f, -1e-6f, 1e6f, -1e6f};
    const float beyond[] = {nextafterf(1e-6f, 0), nextafterf(-1e-6f, 0), nextafterf(1e6f, 2e6f),
                            nextafterf(-1e6f, -2e6f)};
    for (int i = 0; i < 4; ++i)
    {
        sidle_pose pose = pose_at(10, 0, 0);
        pose.scale = (sidle_vec3){1, within[i], 1};
        cr_expect_eq(sidle_world_teleport(scene.world, scene.instances[0], &pose), SIDLE_OK);
        renew(&scene);
        cr_expect(is_near(flight(&scene), 10 - gap), "%g: %g", (double)within[i], flight(&scene));
        pose.scale.y = beyond[i];
        expect_no_place(&scene, pose, SIDLE_ERROR_LIMIT, "a scale beyond its limits");
    }
    scene_close(&scene);
}

/* ---- epochs ---- */

Test(world, an_uncommitted_world_blocks_nothing)
{
    Soup wall = {0};
    soup_wall(&wall, 20, 10);
    Scene scene = scene_of(wall, flying_ball());
    sidle_world *world = NULL;
    sidle_instance id;
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = scene.meshes[0]};
    sidle_snapshot *committed = scene.snapshot;
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    demand(sidle_world_add(world, &desc, &id), "sidle_world_add");
    demand(sidle_world_snapshot(world, &scene.snapshot), "sidle_world_snapshot");
    cr_expect_eq(sidle_snapshot_epoch(scene.snapshot), 0);
    cr_expect(flight(&scene) == 30.0);
    sidle_snapshot_release(scene.snapshot);
    scene.snapshot = committed;
    cr_expect_eq(sidle_snapshot_epoch(committed), 1);
    sidle_world_destroy(world);
    scene_close(&scene);
}

Test(world, a_change_is_seen_in_the_epoch_after_it_and_in_no_other)
{
    Scene scene = wall_scene();
    uint64_t epoch = sidle_snapshot_epoch(scene.snapshot);
    sidle_pose near = pose_at(6, 0, 0);
    demand(sidle_world_teleport(scene.world, scene.instances[0], &near), "sidle_world_teleport");
    cr_expect(is_near(flight(&scene), 10 - gap), "seen before the commit");
    sidle_snapshot *old = scene.snapshot;
    sidle_snapshot_retain(old);
    renew(&scene);
    cr_expect_eq(sidle_snapshot_epoch(scene.snapshot), epoch + 1);
    cr_expect(is_near(flight(&scene), 6 - gap));
    demand(sidle_world_remove(scene.world, scene.instances[0]), "sidle_world_remove");
    cr_expect(is_near(flight(&scene), 6 - gap));
    renew(&scene);
    cr_expect(flight(&scene) == 30.0);
    sidle_snapshot_release(scene.snapshot);
    scene.snapshot = old;
    cr_expect_eq(sidle_snapshot_epoch(old), epoch);
    cr_expect(is_near(flight(&scene), 10 - gap), "the old epoch has changed");
    scene_close(&scene);
}

Test(world, a_kept_snapshot_outlives_world_and_mesh)
{
    Scene scene = wall_scene();
    double before = flight(&scene);
    sidle_world_destroy(scene.world);
    sidle_mesh_release(scene.meshes[0]);
    scene.world = NULL;
    scene.meshes[0] = NULL;
    cr_expect(flight(&scene) == before);
    scene_close(&scene);
}

/* An empty mesh keeps a million instances cheap. */
Test(world, holds_the_promised_number_of_instances_and_refuses_the_next)
{
    const sidle_mesh_desc nothing = {.size = sizeof nothing};
    sidle_instance_desc desc = {.size = sizeof desc};
    sidle_world *world;
    sidle_instance last = {0, 0}, refused = {7, 7};
    demand(sidle_mesh_create(&nothing, NULL, NULL, &desc.mesh), "sidle_mesh_create");
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    for (uint32_t i = 0; i < SIDLE_MAX_INSTANCES; ++i)
    {
        demand(sidle_world_add(world, &desc, &last), "sidle_world_add");
    }
    cr_expect_eq(sidle_world_add(world, &desc, &refused), SIDLE_ERROR_LIMIT);
    cr_expect(refused.index == 7 && refused.generation == 7, "the refused one wrote an id");
    demand(sidle_world_remove(world, last), "sidle_world_remove");
    cr_expect_eq(sidle_world_add(world, &desc, &refused), SIDLE_OK, "there is room for one again");
    sidle_world_destroy(world);
    sidle_mesh_release(desc.mesh);
}
