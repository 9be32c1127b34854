/* Closed lifts and doors come to rest where a person stands, as docs/integration.md recommends them: with
 * SIDLE_INSTANCE_ONE_SIDED. Metres and seconds. */
#include "support/stage.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define RATE 60

static const Vector still = {0, 0, 0};

/* A ball, an ellipsoid and a capsule. */
static const sidle_shape shapes[3] = {{{.3f, .3f, .3f}, 0}, {{.4f, .9f, .4f}, 0}, {{.3f, .3f, .3f}, .6f}};

static SceneOptions options_of(sidle_shape shape)
{
    SceneOptions options = walking_ball();
    options.profile.shape = shape;
    options.dt = 1.0f / RATE;
    options.instance_flags = SIDLE_INSTANCE_ONE_SIDED;
    return options;
}

static Stage stage_with(sidle_shape shape, double thickness, uint32_t *box)
{
    Soup floor = {0}, soup = {0};
    soup_floor(&floor, 50, 0);
    Stage stage = stage_of(floor, options_of(shape));
    soup_box(&soup, vector(-2, 0, -2), vector(2, thickness, 2));
    *box = stage_add(&stage, soup, pose_at(0, 3, 0));
    stage_commit(&stage);
    return stage;
}

static void go(Stage *stage, Agent *agent, uint32_t body, double x, double y)
{
    stage_move(stage, body, pose_at(x, y, 0));
    stage_commit(stage);
    scene_tick(&stage->scene, agent, still);
}

static void expect_free(Stage *stage, Agent *agent, const char *what)
{
    cr_expect(!(agent->body.flags & SIDLE_BODY_STUCK), "%s: stuck at %g %g", what, agent->body.center.x,
              agent->body.center.y);
    double x = agent->body.center.x;
    scene_ticks(&stage->scene, agent, vector(.02, 0, 0), 100);
    cr_expect_gt(agent->body.center.x, x + 1.5, "%s: does not walk again", what);
}

static void press_down(sidle_shape shape, double thickness, double speed, Vector at, const char *what)
{
    uint32_t lift;
    Stage stage = stage_with(shape, thickness, &lift);
    double height = (double)shape.radii.y + (double)shape.half_height, down = 3 / speed, lowest = height;
    Agent agent = agent_at(at.x, height + .02, at.z);
    for (int tick = 1; tick <= (int)(2 * (down + 1) * RATE); ++tick)
    {
        double t = (double)tick / RATE,
               y = t < down ? 3 - speed * t : fmin(fmax(speed * (t - down - 1), 0), 3);
        go(&stage, &agent, lift, 0, y);
        lowest = fmin(lowest, agent.body.center.y);
    }
    /* 3.2 cm is the most that was seen; with two-sided triangles it is up to .9 m */
    cr_expect_gt(lowest, height - .04, "%s: %g below the floor", what, height - lowest);
    expect_free(&stage, &agent, what);
    stage_close(&stage);
}

Test(press, a_closed_lift_that_comes_down_to_the_floor_lets_go_of_a_person)
{
    const double thicknesses[3] = {.2, .4, 1}, speeds[3] = {.6, 1.2, 2.4};
    for (int form = 0; form < 81; ++form)
    {
        int shape = form % 3, thickness = form / 3 % 3, speed = form / 9 % 3, place = form / 27;
        char what[64];
        snprintf(what, sizeof what, "shape %d, %g m thick, %g m/s, place %d", shape, thicknesses[thickness],
                 speeds[speed], place);
        press_down(shapes[shape], thicknesses[thickness], speeds[speed],
                   vector(.7 * place - .63, 0, .31 * place), what);
    }
}

/* The leaf comes from the side and stops in a doorway whose posts keep the person from leaving before it. */
Test(press, a_closed_door_lets_go_of_a_person_in_the_doorway)
{
    for (int form = 0; form < 33; ++form)
    {
        Soup soup = {0}, leaf = {0};
        soup_floor(&soup, 50, 0);
        soup_box(&soup, vector(-4, 0, -.1), vector(-.6, 2.5, .1));
        soup_box(&soup, vector(.6, 0, -.1), vector(4, 2.5, .1));
        Stage stage = stage_of(soup, options_of(shapes[form % 3]));
        soup_box(&leaf, vector(-.6, 0, -.1), vector(.6, 2.4, .1));
        uint32_t door = stage_add(&stage, leaf, pose_at(-1.2, 0, 0));
        stage_commit(&stage);
        double height = (double)(shapes[form % 3].radii.y + shapes[form % 3].half_height);
        Agent agent = agent_at(0, height + .02, .01 * (form / 3 - 5));
        int stuck = 0;
        for (int tick = 1; tick <= 240; ++tick)
        {
            go(&stage, &agent, door, fmin(-1.2 + .8 * tick / RATE, 0), 0);
            stuck += (agent.body.flags & SIDLE_BODY_STUCK) != 0;
        }
        cr_expect_lt(stuck, 60, "form %d: stuck in %d ticks, at %g %g", form, stuck, agent.body.center.x,
                     agent.body.center.z);
        cr_expect(!(agent.body.flags & SIDLE_BODY_STUCK), "form %d", form);
        stage_close(&stage);
    }
}
