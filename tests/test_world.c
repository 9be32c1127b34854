/* Worlds as promised in sidle/world.h: ids, epochs, motion, layers, and instances that are turned, stretched
 * and mirrored. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <string.h>

static const sidle_pose as_it_is = {.scale = {0, 0, 0}};

static sidle_pose pose_at(double x, double y, double z)
{
    sidle_pose pose = as_it_is;
    pose.position = (sidle_position){x, y, z};
    return pose;
}

/* Commits, and ticks run on the new epoch from here on. */
static void renew(Scene *scene)
{
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

/* A wall across the x axis at 10, as one instance. */
static Scene wall_scene(void)
{
    Soup wall = {0};
    soup_wall(&wall, 20, 0);
    Scene scene = scene_of(wall, flying_ball());
    const sidle_pose pose = pose_at(10, 0, 0);
    demand(sidle_world_teleport(scene.world, scene.instances[0], &pose), "sidle_world_teleport");
    renew(&scene);
    return scene;
}

/* How far a ball of radius 1 flies along x from the origin, at most 30. */
static double flight(const Scene *scene)
{
    Agent agent = agent_at(0, 0, 0);
    scene_tick(scene, &agent, vector(30, 0, 0));
    return agent_center(&agent).x;
}

static const double gap = 1.02; /* of the ball at rest to what it meets head on */

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-5;
}

/* ---- ids and calls ---- */

static void expect_stale(Scene *scene, sidle_instance id, const char *what)
{
    cr_expect_eq(sidle_world_remove(scene->world, id), SIDLE_ERROR_STALE, "%s", what);
    cr_expect_eq(sidle_world_teleport(scene->world, id, &as_it_is), SIDLE_ERROR_STALE, "%s", what);
    cr_expect_eq(sidle_world_move(scene->world, id, &as_it_is, &as_it_is), SIDLE_ERROR_STALE, "%s", what);
}

Test(world, an_id_whose_instance_is_gone_is_stale_even_if_another_took_its_place)
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

Test(world, calls_that_make_no_sense_are_refused)
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
    desc.flags = SIDLE_INSTANCE_AGENT << 1;
    cr_expect_eq(sidle_world_add(scene.world, &desc, &out), SIDLE_ERROR_ARGUMENT);
    cr_expect(out.index == 7 && out.generation == 7);
    cr_expect_eq(sidle_world_remove(NULL, id), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_move(NULL, id, &as_it_is, &as_it_is), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_world_move(scene.world, id, NULL, &as_it_is), SIDLE_ERROR_ARGUMENT);
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

Test(world, a_pose_that_is_no_place_is_refused_and_changes_nothing)
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
    expect_no_place(&scene, pose_at(0, 0, 1e12), SIDLE_ERROR_LIMIT, "what it reaches is too far");
    expect_no_place(&scene, pose_at(-1.1e12, 0, 0), SIDLE_ERROR_LIMIT, "too far");
    sidle_pose flat = as_it_is;
    flat.scale = (sidle_vec3){1, 0, 1};
    expect_no_place(&scene, flat, SIDLE_ERROR_LIMIT, "a scale of 0");
    scene_close(&scene);
}

/* [Limit] of sidle_instance_desc.pose; the floats of these names are within. */
Test(world, a_wall_a_millionth_or_a_million_times_as_high_is_met_as_ever)
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

Test(world, nothing_stands_in_the_way_before_the_first_commit)
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

/* ---- motion ---- */

/* The same flight in a tick that covers a part of the epoch's motion; what it met first, if anybody asks. */
static double flight_during(const Scene *scene, float begin, float end, sidle_contact *met)
{
    sidle_move move = {.id = 1, .displacement = {30, 0, 0}};
    sidle_result result = {.reasons = 0};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->options.dt,
                            .motion_begin = begin,
                            .motion_end = end,
                            .moves = &move,
                            .count = 1,
                            .results = &result,
                            .contacts = met,
                            .contact_capacity = met != NULL};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    return result.body.center.x;
}

static void expect_wall_at(const Scene *scene, float begin, float end, double place)
{
    double flown = flight_during(scene, begin, end, NULL);
    cr_expect(is_near(flown, place - gap), "part %g to %g: flew %.9g, the wall is at %g", (double)begin,
              (double)end, flown, place);
}

Test(world, a_tick_meets_a_moving_instance_where_its_part_of_the_motion_ends)
{
    Scene scene = wall_scene();
    sidle_pose from = pose_at(10, 0, 0), to = pose_at(4, 0, 0);
    demand(sidle_world_move(scene.world, scene.instances[0], &from, &to), "sidle_world_move");
    renew(&scene);
    expect_wall_at(&scene, 0.0f, 0.0f, 4);
    expect_wall_at(&scene, 0.0f, 1.0f, 4);
    expect_wall_at(&scene, 0.0f, 0.5f, 7);
    expect_wall_at(&scene, 0.5f, 1.0f, 4);
    expect_wall_at(&scene, 0.25f, 0.25f, 8.5);
    renew(&scene);
    expect_wall_at(&scene, 0.0f, 0.5f, 4);
    demand(sidle_world_move(scene.world, scene.instances[0], &from, &to), "sidle_world_move");
    demand(sidle_world_teleport(scene.world, scene.instances[0], &from), "sidle_world_teleport");
    renew(&scene);
    expect_wall_at(&scene, 0.0f, 0.5f, 10);
    scene_close(&scene);
}

static sidle_quat about_y(double degrees, double length)
{
    double half = radians(0.5 * degrees);
    return (sidle_quat){0, (float)(length * sin(half)), 0, (float)(length * cos(half))};
}

/* An agent would be pushed on the way by what arrives. */
static double cast_along_x(const Scene *scene)
{
    sidle_cast cast = {.displacement = {30, 0, 0}, .shape.radii = {1, 1, 1}};
    sidle_cast_hit hit;
    demand(sidle_cast_closest(scene->snapshot, 1, &cast, &hit), "sidle_cast_closest");
    return hit.t;
}

/* Rotations become unit where they are not; when they rest, or are given back, that must not happen again. */
Test(world, an_instance_that_has_arrived_rests_in_the_bits_that_it_arrived_in)
{
    Random random = random_seeded(9);
    Scene scene = wall_scene();
    int differing = 0;
    for (int i = 0; i < 200; ++i)
    {
        sidle_pose to = pose_at(10, 0, 0);
        to.rotation =
            (sidle_quat){(float)random_between(&random, -.2, .2), (float)random_between(&random, -.2, .2),
                         (float)random_between(&random, -3, 3), 1};
        demand(sidle_world_teleport(scene.world, scene.instances[0], &as_it_is), "sidle_world_teleport");
        renew(&scene);
        demand(sidle_world_move(scene.world, scene.instances[0], &as_it_is, &to), "sidle_world_move");
        renew(&scene);
        double arrived = cast_along_x(&scene);
        renew(&scene);
        differing += cast_along_x(&scene) != arrived;
    }
    cr_expect(differing == 0, "%d of 200", differing);
    scene_close(&scene);
}

Test(world, a_turning_instance_takes_the_short_way_round)
{
    Scene scene = wall_scene();
    sidle_pose from = pose_at(10, 0, 0), to = from;
    from.rotation = about_y(-40, 1.0);
    for (int form = 0; form < 3; ++form) /* the same rotation, backwards, and not unit */
    {
        to.rotation = about_y(40, form == 0 ? 1.0 : form == 1 ? -1.0 : 3.0);
        demand(sidle_world_move(scene.world, scene.instances[0], &from, &to), "sidle_world_move");
        renew(&scene);
        for (int part = 1; part <= 4; ++part)
        {
            /* between the middle and the ends the pace is not quite even */
            double slack = part % 2 == 0 ? 1e-5 : 0.02, turn = radians(20.0 * part - 40.0);
            sidle_contact met = {.agent = 0};
            flight_during(&scene, 0.0f, 0.25f * (float)part, &met);
            cr_expect_float_eq((double)met.normal.x, -cos(turn), slack, "form %d", form);
            cr_expect_float_eq((double)met.normal.z, sin(turn), slack, "form %d", form);
        }
    }
    scene_close(&scene);
}

/* ---- who meets whom ---- */

Test(world, of_equal_hits_the_lower_key_is_told_whatever_came_first)
{
    Scene scene = wall_scene();
    const uint64_t keys[3] = {9, 4, UINT64_MAX};
    demand(sidle_world_remove(scene.world, scene.instances[0]), "sidle_world_remove");
    for (int i = 0; i < 3; ++i)
    {
        sidle_instance id;
        sidle_instance_desc desc = {
            .size = sizeof desc, .mesh = scene.meshes[0], .pose = pose_at(10, 0, 0), .key = keys[i]};
        demand(sidle_world_add(scene.world, &desc, &id), "sidle_world_add");
    }
    renew(&scene);
    Agent agent = agent_at(0, 0.3, 0.7);
    scene_tick(&scene, &agent, vector(30, 0, 0));
    cr_assert_eq(agent.contact_count, 1);
    cr_expect_eq(agent.contacts[0].instance_key, 4);
    scene_close(&scene);
}

static double flight_meeting(const Scene *scene, uint32_t collides_with, sidle_instance ignore)
{
    sidle_move move = {.id = 1, .displacement = {30, 0, 0}, .collides_with = collides_with, .ignore = ignore};
    sidle_result result = {.reasons = 0};
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = scene->options.dt,
                            .moves = &move,
                            .count = 1,
                            .results = &result};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    return result.body.center.x;
}

/* Walls of three layers one behind the other. */
Test(world, agents_meet_the_layers_that_they_ask_for_and_not_whom_they_ignore)
{
    Scene scene = wall_scene();
    sidle_instance ids[3] = {scene.instances[0]};
    const sidle_instance nobody = {0, 0};
    for (uint32_t i = 1; i < 3; ++i)
    {
        sidle_instance_desc desc = {.size = sizeof desc,
                                    .mesh = scene.meshes[0],
                                    .pose = pose_at(10 + 5 * (double)i, 0, 0),
                                    .member_of = i == 1 ? 6u : 0x80000000u};
        demand(sidle_world_add(scene.world, &desc, &ids[i]), "sidle_world_add");
    }
    renew(&scene);
    const struct
    {
        uint32_t collides_with;
        double wall;
    } cases[6] = {{0, 10}, {1, 10}, {2, 15}, {4, 15}, {0x80000000u, 20}, {0x80000004u, 15}};
    for (int i = 0; i < 6; ++i)
    {
        cr_expect(is_near(flight_meeting(&scene, cases[i].collides_with, nobody), cases[i].wall - gap),
                  "layers %x", cases[i].collides_with);
    }
    cr_expect(flight_meeting(&scene, 8, nobody) == 30.0);
    cr_expect(is_near(flight_meeting(&scene, 0, ids[0]), 15 - gap));
    cr_expect(is_near(flight_meeting(&scene, 2, ids[1]), 30));
    sidle_instance gone = ids[0];
    gone.generation += 1;
    cr_expect(is_near(flight_meeting(&scene, 0, gone), 10 - gap), "ignores who is not there");
    scene_close(&scene);
}

/* An empty mesh keeps a million instances cheap. */
Test(world, takes_as_many_instances_as_it_says_and_refuses_the_next)
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
