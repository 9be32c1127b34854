/* Why an agent moved less than asked: every reason, of something that makes it, and in words. */
#include "support/scene.h"
#include "support/stage.h"

#include <criterion/criterion.h>

#include <string.h>

/* The reasons of one tick of a ball of radius 1; takes the soup. */
static uint32_t reasons_of(Soup soup, SceneOptions options, Vector from, Vector wish)
{
    Scene scene = scene_of(soup, options);
    Agent agent = agent_in(from);
    agent.body.flags = options.profile.mode == SIDLE_WALK ? SIDLE_BODY_GROUNDED : 0;
    scene_tick(&scene, &agent, wish);
    scene_close(&scene);
    return agent.reasons;
}

static Soup room(void)
{
    Soup soup = {0}, slope = {0};
    soup_tunnel(&soup, 6, 20);
    soup_slope(&slope, 6, 60);
    soup_shift(&slope, vector(8, -2, 0));
    soup_append(&soup, &slope);
    soup_free(&slope);
    return soup;
}

/* A box in the path of a ball that begins at the origin. */
static Soup block(double height)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    soup_box(&soup, vector(1.5, -1, -6), vector(8, height, 6));
    return soup;
}

static uint32_t reasons_at_block(double height, double step_up, uint32_t instance_flags)
{
    SceneOptions options = walking_ball();
    options.profile.step_up = (float)step_up;
    options.instance_flags = instance_flags;
    return reasons_of(block(height), options, vector(0, 1.02, 0), vector(2, 0, 0));
}

Test(reasons, a_shortened_path_has_its_reason)
{
    const double floor = -6 + 1.02;
    const struct
    {
        SceneOptions options;
        Vector from, wish;
        uint32_t reasons;
    } cases[] = {
        {flying_ball(), {0, 0, 0}, {2, 1, 0.5}, 0},
        {flying_ball(), {0, 0, 0}, {0, 0, 9}, SIDLE_REASON_WALL},
        {flying_ball(), {0, 0, 0}, {0, -9, 0}, SIDLE_REASON_WALL},
        {flying_ball(), {0, 0, 0}, {0, 9, 0}, SIDLE_REASON_CEILING},
        {flying_ball(), {0, 0, 0}, {0, 9, 9}, SIDLE_REASON_CEILING | SIDLE_REASON_WALL},
        {flying_ball(), {0, -5.1, 0}, {0.1, 0, 0}, SIDLE_REASON_OVERLAP},
        {walking_ball(), {0, floor, 0}, {1, 0, 0}, 0},
        {walking_ball(), {0, floor, 4}, {0, 0, 3}, SIDLE_REASON_WALL},
        {walking_ball(), {4, floor, 0}, {3, 0, 0}, SIDLE_REASON_SLOPE},
        {sliding_ball(), {4, floor, 0}, {3, 0, 0}, SIDLE_REASON_SLOPE},
        {sliding_ball(), {0, floor, 0}, {1, 0, 0}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        uint32_t reasons = reasons_of(room(), cases[i].options, cases[i].from, cases[i].wish);
        cr_expect_eq(reasons, cases[i].reasons, "case %zu: %u", i, reasons);
    }
}

Test(reasons, an_agent_that_cannot_be_freed_is_stuck_until_it_can)
{
    Soup walls = {0}, other = {0};
    soup_wall(&walls, 20, -0.25);
    soup_wall(&other, 20, 0.25);
    soup_flip(&other);
    soup_append(&walls, &other);
    soup_free(&other);
    Scene scene = scene_of(walls, flying_ball());
    Agent agent = agent_at(0, 0, 0);
    scene_tick(&scene, &agent, vector(0, 0.1, 0));
    cr_expect_eq(agent.reasons & (SIDLE_REASON_OVERLAP | SIDLE_REASON_STUCK),
                 SIDLE_REASON_OVERLAP | SIDLE_REASON_STUCK);
    cr_expect(agent.body.flags & SIDLE_BODY_STUCK);
    agent.body.center.x = 3.0;
    scene_tick(&scene, &agent, vector(0, 0.1, 0));
    cr_expect(agent.reasons == 0 && agent.body.flags == 0);
    scene_close(&scene);
}

Test(reasons, at_most_eight_contacts_of_an_agent_are_reported_and_more_are_flagged)
{
    Soup ring = {0};
    soup_ring(&ring, 24, 0.9, 5);
    Scene scene = scene_of(ring, flying_ball());
    Agent agent = agent_at(0, 0, 0);
    scene_tick(&scene, &agent, vector(0, 0.1, 0));
    cr_expect_eq(agent.contact_count, SIDLE_MAX_AGENT_CONTACTS);
    cr_expect(agent.reasons & SIDLE_REASON_CONTACTS);
    scene_close(&scene);
}

Test(reasons, a_slide_around_too_many_corners_ends_early_with_a_reason)
{
    Soup ring = {0};
    soup_ring(&ring, 90, 20, 5);
    Scene scene = scene_of(ring, flying_ball());
    Agent agent = agent_at(0, 0, 15);
    scene_tick(&scene, &agent, vector(60, 0, 5));
    cr_expect(agent.reasons & SIDLE_REASON_SWEEPS);
    cr_expect_gt(scene_clearance(&scene, &agent), 1.0);
    scene_close(&scene);
}

/* The path ends early, but no agent passes triangles that were not tested. */
Test(reasons, more_triangles_than_fit_end_the_path_with_a_reason)
{
    Soup soup = {0}, wall = {0};
    SceneOptions options = flying_ball();
    options.max_candidates = 6;
    soup_grid(&soup, 60, 0.1, 0);
    soup_floor(&wall, 30, -2);
    soup_append(&soup, &wall);
    soup_free(&wall);
    Scene scene = scene_of(soup, options);
    Agent agent = agent_at(0, 3, 0);
    scene_ticks(&scene, &agent, vector(0, -0.5, 0), 20);
    cr_expect(agent.reasons & SIDLE_REASON_CANDIDATES);
    cr_expect(agent_center(&agent).y >= 1.0, "at %g", agent_center(&agent).y);
    scene_close(&scene);
}

static uint32_t reasons_among_moving(uint32_t count)
{
    Stage stage = stage_of((Soup){0}, flying_ball());
    Soup box = {0};
    soup_box(&box, vector(-1, 3, -1), vector(1, 4, 1));
    stage_add(&stage, box, pose_at(0, 0, 0));
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = stage.bodies[0].mesh};
    for (uint32_t i = 1; i < count; ++i)
    {
        sidle_instance id;
        sidle_pose pose = pose_at(0, 0, 0), to = pose_at(0, -.7, 0);
        demand(sidle_world_add(stage.scene.world, &desc, &id), "add");
        demand(sidle_world_move(stage.scene.world, id, &pose, &to), "move");
    }
    stage_move(&stage, 0, pose_at(0, -.7, 0));
    stage_commit(&stage);
    Agent agent = agent_at(0, 1.5, 0);
    scene_tick(&stage.scene, &agent, vector(0.1, 0, 0));
    stage_close(&stage);
    return agent.reasons;
}

Test(reasons, more_moving_instances_than_fit_are_reported)
{
    cr_expect((reasons_among_moving(64) & SIDLE_REASON_CANDIDATES) == 0);
    cr_expect(reasons_among_moving(65) & SIDLE_REASON_CANDIDATES);
}

Test(reasons, a_rim_that_could_be_stood_on_is_a_step_up_to_where_it_is_too_high)
{
    cr_expect_eq(reasons_at_block(0.29, 0.3, 0), 0);
    cr_expect_eq(reasons_at_block(0.33, 0.3, 0), SIDLE_REASON_STEP);
    cr_expect_eq(reasons_at_block(0.9, 0.3, 0), SIDLE_REASON_STEP);
    cr_expect_eq(reasons_at_block(0.7, 0.75, 0), 0, "the advice helps");
    cr_expect_eq(reasons_at_block(1.5, 0.3, 0), SIDLE_REASON_WALL, "the rim is out of reach");
}

/* Its foot hits the face of a riser that is higher than its radius. */
static SceneOptions climber(void)
{
    SceneOptions options = walking_ball();
    options.profile.shape = (sidle_shape){.radii = {0.3f, 0.3f, 0.3f}, .half_height = 0.6f};
    options.profile.step_up = 0.45f;
    return options;
}

Test(reasons, a_step_that_is_stepped_over_gives_no_reason)
{
    Scene scene = scene_of(block(0.4), climber());
    Agent agent = agent_at(0, 0.91, 0);
    agent.body.flags = SIDLE_BODY_GROUNDED;
    uint32_t reasons = 0;
    for (int tick = 0; tick < 60; ++tick)
    {
        scene_tick(&scene, &agent, vector(0.05, 0, 0));
        reasons |= agent.reasons;
    }
    cr_expect(agent_center(&agent).y > 1.3 && agent_center(&agent).x > 2.9);
    cr_expect_eq(reasons, 0, "%u", reasons);
    scene_close(&scene);
}

Test(reasons, a_ceiling_over_a_step_is_reported_beside_it)
{
    for (uint32_t flags = 0; flags <= SIDLE_INSTANCE_AGENT; ++flags)
    {
        Soup soup = block(0.4);
        soup_box(&soup, vector(-3, 1.815, -6), vector(8, 3, 6));
        SceneOptions options = climber();
        options.instance_flags = flags;
        uint32_t reasons = reasons_of(soup, options, vector(1.15, 0.906, 0), vector(0.2, 0, 0));
        uint32_t expected = flags ? SIDLE_REASON_AGENT : SIDLE_REASON_WALL | SIDLE_REASON_CEILING;
        cr_expect_eq(reasons, expected, "flags %u: %u", flags, reasons);
    }
}

Test(reasons, an_instance_marked_as_agent_is_reported_as_an_agent_only)
{
    const struct
    {
        SceneOptions options;
        Vector from, wish;
        uint32_t reasons;
    } cases[] = {
        {flying_ball(), {0, 0, 0}, {2, 1, 0.5}, 0},
        {flying_ball(), {0, 0, 0}, {0, 9, 9}, SIDLE_REASON_AGENT},
        {walking_ball(), {0, -6 + 1.02, 0}, {1, 0, 0}, 0},
        {walking_ball(), {0, -6 + 1.02, 4}, {0, 0, 3}, SIDLE_REASON_AGENT},
        {sliding_ball(), {4, -6 + 1.02, 0}, {3, 0, 0}, SIDLE_REASON_AGENT},
        {flying_ball(), {0, -5.1, 0}, {0.1, 0, 0}, SIDLE_REASON_OVERLAP},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        SceneOptions options = cases[i].options;
        options.instance_flags = SIDLE_INSTANCE_AGENT;
        uint32_t reasons = reasons_of(room(), options, cases[i].from, cases[i].wish);
        cr_expect_eq(reasons, cases[i].reasons, "case %zu: %u", i, reasons);
    }
    cr_expect_eq(reasons_at_block(0.29, 0.3, SIDLE_INSTANCE_AGENT), 0, "one may step onto it");
    cr_expect_eq(reasons_at_block(0.9, 0.3, SIDLE_INSTANCE_AGENT), SIDLE_REASON_AGENT);
}

/* ---- in words ---- */

Test(reasons, each_has_words_and_advice_of_its_own)
{
    const char *none = sidle_reason_text(0);
    uint32_t known = 0;
    for (uint32_t bit = 1; bit != 0; bit *= 2)
    {
        known += strcmp(sidle_reason_text(bit), none) != 0;
        for (uint32_t other = 1; other < bit && strcmp(sidle_reason_text(bit), none) != 0; other *= 2)
        {
            cr_expect(strcmp(sidle_reason_text(bit), sidle_reason_text(other)) != 0);
        }
        cr_expect(sidle_reason_advice(bit)[0]);
    }
    cr_expect(known == 13, "%u", known);
    cr_expect(strcmp(sidle_reason_text(SIDLE_REASON_CONTACTS), none) != 0);
    cr_expect(strstr(sidle_reason_advice(SIDLE_REASON_CANDIDATES), "max_candidates") != NULL);
    cr_expect_str_eq(sidle_reason_text(SIDLE_REASON_TRUNCATED), none, "two at a time are none");
}

/* A capsule that presses into a heap of triangles, on its core and around it. */
Test(reasons, a_move_that_uses_up_its_work_says_so)
{
    Random random = {3};
    Soup soup = {0};
    soup_scatter(&soup, &random, 4000, 1);
    Scene scene = scene_of(soup, climber());
    Agent agent = agent_at(0, 0, 0);
    scene_tick(&scene, &agent, vector(0.05, 0, 0));
    cr_expect(agent.reasons & SIDLE_REASON_CANDIDATES, "%x", agent.reasons);
    scene_close(&scene);
}

/* Above the step hang more triangles than fit. */
Test(reasons, a_step_that_cannot_be_searched_says_so)
{
    Soup soup = block(0.4), mesh = {0};
    soup_grid(&mesh, 40, .02, 2.1);
    soup_shift(&mesh, vector(1.3, 0, 0));
    soup_append(&soup, &mesh);
    soup_free(&mesh);
    SceneOptions options = climber();
    options.max_candidates = 64;
    Scene scene = scene_of(soup, options);
    Agent agent = agent_at(0, 0.91, 0);
    agent.body.flags = SIDLE_BODY_GROUNDED;
    scene_ticks(&scene, &agent, vector(0.05, 0, 0), 60);
    cr_expect(agent.reasons & SIDLE_REASON_CANDIDATES, "%x at %g %g", agent.reasons, agent_center(&agent).x,
              agent_center(&agent).y);
    scene_close(&scene);
}
