/* Grazes are ignored one by one; all of them together must not lead an agent into anything. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

#define SKIN .02

/* Two planes that enclose an angle, the crease along z. */
static Soup wedge(double angle)
{
    const double side = 120 / sin(angle), far = 3000;
    Soup soup = {0};
    soup_quad(&soup, vector(0, 0, -far), vector(0, 0, far), vector(side, 0, far), vector(side, 0, -far));
    soup_quad(&soup, vector(0, 0, -far), vector(0, 0, far), vector(side * cos(angle), side * sin(angle), far),
              vector(side * cos(angle), side * sin(angle), -far));
    return soup;
}

/* A ball pushes against the upper plane and is led by it along the crease, ever so little into the lower one.
 */
Test(grazes, a_ball_pushed_into_a_sharp_corner_graze_by_graze_stays_out)
{
    const double degrees[] = {2, 5, 20, 60}, sink = .0018, push = .5;
    for (int i = 0; i < 4; ++i)
    {
        double angle = degrees[i] * 3.14159265358979 / 180;
        Scene scene = scene_of(wedge(angle), flying_ball());
        Agent agent = agent_at((1 + SKIN) * (1 + cos(angle)) / sin(angle), 1 + SKIN, -1500);
        Vector wish =
            vector(-sink * cos(angle) / sin(angle) - push * sin(angle), -sink + push * cos(angle), 30);
        double least = INFINITY;
        for (int tick = 0; tick < 100; ++tick)
        {
            scene_tick(&scene, &agent, wish);
            least = fmin(least, scene_clearance(&scene, &agent));
        }
        cr_expect_gt(least, 1 + .3 * SKIN, "%g degrees: %.6f", degrees[i], least);
        cr_expect_gt(agent.body.center.z, 1000);
        cr_expect_eq(agent.body.flags, 0);
        scene_close(&scene);
    }
}

/* Nothing but the shortest path out of a sharp corner works: its faces are almost opposed. */
Test(grazes, a_ball_that_overlaps_both_sides_of_a_sharp_corner_comes_out_of_it)
{
    const double degrees[] = {5, 20, 60};
    for (int i = 0; i < 3; ++i)
    {
        double angle = degrees[i] * 3.14159265358979 / 180;
        Scene scene = scene_of(wedge(angle), flying_ball());
        Agent agent = agent_at(.97 / tan(angle / 2), .97, 0);
        cr_assert_lt(scene_clearance(&scene, &agent), 1);
        scene_ticks(&scene, &agent, vector(0, 0, 0), 30);
        cr_expect_gt(scene_clearance(&scene, &agent), 1 + .37 * SKIN, "%g degrees: %.6f", degrees[i],
                     scene_clearance(&scene, &agent));
        cr_expect_eq(agent.body.flags, 0);
        scene_close(&scene);
    }
}
