/* Worlds as promised in sidle/world.h: motion, and masks. */
#include "support/random.h"
#include "support/ticked.h"
#include "support/wall.h"

#include <criterion/criterion.h>

/* ---- motion ---- */

/* The same flight in a tick that covers a part of the epoch's motion; and its first contact, if requested. */
static double flight_during(const Scene *scene, float begin, float end, sidle_contact *first)
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
                            .contacts = first,
                            .contact_capacity = first != NULL};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    return result.body.center.x;
}

static void expect_wall_at(const Scene *scene, float begin, float end, double place)
{
    double flown = flight_during(scene, begin, end, NULL);
    cr_expect(is_near(flown, place - gap), "part %g to %g: flew %.9g, the wall is at %g", (double)begin,
              (double)end, flown, place);
}

Test(world, a_tick_hits_a_moving_instance_where_its_part_of_the_motion_ends)
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

/* An agent would be pushed by the arriving instance. */
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

Test(world, a_turning_instance_turns_by_the_shorter_angle)
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
            sidle_contact first = {.agent = 0};
            flight_during(&scene, 0.0f, 0.25f * (float)part, &first);
            cr_expect_float_eq((double)first.normal.x, -cos(turn), slack, "form %d", form);
            cr_expect_float_eq((double)first.normal.z, sin(turn), slack, "form %d", form);
        }
    }
    scene_close(&scene);
}

/* ---- masks and ignored instances ---- */

Test(world, of_equal_hits_the_lower_key_is_reported_in_any_order_of_instances)
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
Test(world, agents_hit_the_layers_of_their_mask_and_not_the_instance_they_ignore)
{
    Scene scene = wall_scene();
    sidle_instance ids[3] = {scene.instances[0]};
    const sidle_instance no_instance = {0, 0};
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
        cr_expect(is_near(flight_meeting(&scene, cases[i].collides_with, no_instance), cases[i].wall - gap),
                  "layers %x", cases[i].collides_with);
    }
    cr_expect(flight_meeting(&scene, 8, no_instance) == 30.0);
    cr_expect(is_near(flight_meeting(&scene, 0, ids[0]), 15 - gap));
    cr_expect(is_near(flight_meeting(&scene, 2, ids[1]), 30));
    sidle_instance gone = ids[0];
    gone.generation += 1;
    cr_expect(is_near(flight_meeting(&scene, 0, gone), 10 - gap), "ignores an instance that is gone");
    scene_close(&scene);
}

/* ---- what agents keep ---- */

/* Places, moves, removes or adds a wall near the origin. */
static void change_a_wall(Scene *scene, sidle_instance *id, Random *random)
{
    Vector at = random_in_box(random, vector(-2, -1, -1), vector(2, 1, 1));
    sidle_pose pose = pose_at(at.x, at.y, at.z), aside = pose_at(at.x + .5, at.y, at.z);
    if (id->generation == 0)
    {
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = scene->meshes[0], .pose = pose};
        demand(sidle_world_add(scene->world, &desc, id), "sidle_world_add");
    }
    else if (random_chance(random, .2))
    {
        demand(sidle_world_remove(scene->world, *id), "sidle_world_remove");
        *id = (sidle_instance){0, 0};
    }
    else
    {
        const sidle_pose *to = random_chance(random, .4) ? &aside : &pose;
        demand(sidle_world_move(scene->world, *id, &pose, to), "sidle_world_move");
    }
}

/* An agent with a cache hits what a new agent hits. */
Test(world, the_cache_of_an_agent_does_not_outlive_a_change_of_resting_instances)
{
    Scene scene = wall_scene();
    Random random = random_seeded(7);
    sidle_instance ids[4] = {scene.instances[0]};
    uint32_t hits = 0, different = 0;
    for (uint32_t step = 0; step < 3000; ++step)
    {
        if (random_chance(&random, .5))
        {
            change_a_wall(&scene, &ids[step % 4], &random);
        }
        renew(&scene);
        Vector path = random_in_box(&random, vector(-1, -.2, -.2), vector(1, .2, .2));
        sidle_move moves[2] = {{.id = 1, .displacement = {(float)path.x, (float)path.y, (float)path.z}}};
        sidle_result results[2];
        moves[1] = moves[0];
        moves[1].id = 2 + step;
        sidle_tick_desc times = {.snapshot = scene.snapshot, .dt = scene.options.dt};
        tick_moves(scene.crowd, &times, moves, 2, results, NULL);
        hits += results[1].reasons != 0;
        different += !same_body(&results[0].body, &results[1].body);
    }
    cr_expect_eq(different, 0, "%u of 3000", different);
    cr_expect_gt(hits, 300, "only %u ticks hit a wall", hits);
    scene_close(&scene);
}
