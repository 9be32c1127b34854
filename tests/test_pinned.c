/* Capsules whose core something crosses, among what moves: no sweep is held by a triangle that crosses the core, so
 * neither a ride nor a push may take a capsule through it. Metres. */
#include "support/stage.h"

#include <criterion/criterion.h>

#define CENTER 0.92 /* of a capsule that stands on a floor at 0 */

static const Vector still = {0, 0, 0};

static SceneOptions upright_capsule(uint32_t mode)
{
    SceneOptions options = walking_ball();
    options.profile.shape = (sidle_shape){.radii = {0.3f, 0.3f, 0.3f}, .half_height = 0.6f};
    options.profile.mode = mode;
    return options;
}

/* A triangle around the place, facing up, that falls by `slope` per metre along x. */
static Soup plate_through(Vector place, double slope)
{
    Soup plate = {0};
    soup_triangle(&plate, vector_add(place, vector(-4, 4 * slope, -4)),
                  vector_add(place, vector(-4, 4 * slope, 8)), vector_add(place, vector(8, -8 * slope, -4)));
    return plate;
}

static Agent standing_on(const Stage *stage, uint32_t body)
{
    Agent agent = agent_at(0.1, CENTER, -0.05);
    agent.body.flags = SIDLE_BODY_GROUNDED;
    agent.body.ground = stage->bodies[body].instance;
    agent.body.ground_normal = (sidle_vec3){0, 1, 0};
    return agent;
}

static void go(Stage *stage, uint32_t body, sidle_pose to, Agent *agent)
{
    stage_move(stage, body, to);
    stage_commit(stage);
    scene_tick(&stage->scene, agent, still);
}

static bool is_reported(const Agent *agent)
{
    return (agent->reasons & SIDLE_REASON_STUCK) && (agent->body.flags & SIDLE_BODY_STUCK);
}

Test(pinned, a_lift_takes_no_agent_through_a_shelf_that_crosses_the_core)
{
    for (double rise = 0.01; rise < 2; rise *= 2)
    {
        double shelf = CENTER + 0.3;
        Stage stage = stage_of(plate_through(vector(0, shelf, 0), 0), upright_capsule(SIDLE_WALK));
        Soup floor = {0};
        soup_box(&floor, vector(-1, -0.2, -1), vector(1, 0, 1));
        uint32_t lift = stage_add(&stage, floor, pose_at(0, 0, 0));
        stage_commit(&stage);
        Agent agent = standing_on(&stage, lift);
        for (int tick = 1; tick <= 10; ++tick)
        {
            go(&stage, lift, pose_at(0, rise * tick, 0), &agent);
            cr_assert(agent_center(&agent).y < shelf, "by %g, tick %d: at %g", rise, tick,
                      agent_center(&agent).y);
            cr_assert(is_reported(&agent), "by %g, tick %d: not reported", rise, tick);
        }
        stage_close(&stage);
    }
}

Test(pinned, a_door_pushes_no_agent_through_a_slope_that_crosses_the_core)
{
    for (double step = 0.05; step < 3; step *= 2)
    {
        for (uint32_t mode = 0; mode < 3; ++mode)
        {
            Vector through = vector(0, CENTER + 0.3, 0);
            Stage stage = stage_of(plate_through(through, 1), upright_capsule(mode));
            Soup panel = {0};
            soup_box(&panel, vector(-0.1, -3, -3), vector(0, 3, 3));
            uint32_t door = stage_add(&stage, panel, pose_at(-0.4, 0, 0));
            stage_commit(&stage);
            Agent agent = agent_at(0.1, CENTER, -0.05);
            for (int tick = 1; tick <= 10; ++tick)
            {
                go(&stage, door, pose_at(-0.4 + step * tick, 0, 0), &agent);
                Vector beside = vector_sub(agent_center(&agent), through);
                cr_assert(beside.x + beside.y < 0, "mode %u, by %g, tick %d: through it by %g", mode, step,
                          tick, beside.x + beside.y);
            }
            stage_close(&stage);
        }
    }
}

Test(pinned, an_instance_that_crosses_the_core_within_one_tick_is_reported)
{
    for (uint32_t mode = 0; mode < 3; ++mode)
    {
        Stage stage = stage_of((Soup){0}, upright_capsule(mode));
        uint32_t shelf = stage_add(&stage, plate_through(vector(0, CENTER + 0.3, 0), 0.1), pose_at(0, 0, 0));
        stage_commit(&stage);
        Agent agent = agent_at(0.1, CENTER, -0.05);
        go(&stage, shelf, pose_at(0, -4, 0), &agent);
        cr_expect(is_reported(&agent), "mode %u: not reported, at %g", mode, agent_center(&agent).y);
        go(&stage, shelf, pose_at(0, -5, 0), &agent);
        cr_expect(!is_reported(&agent), "mode %u: still reported", mode);
        stage_close(&stage);
    }
}
