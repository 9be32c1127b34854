/* Far from the origin: the same scene at 0, 10 km, 1,000 km and 100,000 km gives the same motion relative to its place. The places are
 * exact in double at every offset, so what a tick computes of them is equal to the bit. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

#define PEOPLE 300
#define TICKS  120
#define GRID   0x1p20 /* places a metre; 2^20 times 1e8 is below 2^53 */

static const double offsets[4] = {0, 1e4, 1e6, 1e8};

/* Hills, a wall, a step. */
static Soup ground(void)
{
    Soup soup = {0};
    soup_terrain(&soup, 24, 24, 1.5, 9);
    soup_plate(&soup, -12, 12, -12, -8, 1.75);
    soup_quad(&soup, vector(-12, -2, 4), vector(12, -2, 4), vector(12, 4, 4), vector(-12, 4, 4));
    for (size_t i = 0; i < soup.count; ++i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            soup.triangles[i].v[corner] = vector_as_float(soup.triangles[i].v[corner]);
        }
    }
    return soup;
}

static Scene scene_far(double offset)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    options.place = vector(offset, -offset, offset);
    return scene_of(ground(), options);
}

static double on_grid(double value)
{
    return floor(value * GRID) / GRID;
}

static Agent person(const Scene *scene, Random *random, Vector *wish)
{
    Vector at = random_in_box(random, vector(-11, 1, -11), vector(11, 5, 11));
    Vector place = scene->options.place;
    Agent agent = agent_at(on_grid(at.x) + place.x, on_grid(at.y) + place.y, on_grid(at.z) + place.z);
    *wish = vector_as_float(vector_scale(random_direction(random), .05));
    return agent;
}

/* Each tick from places on the grid: velocities, reasons and contacts do not know the offset. */
Test(far, a_tick_has_the_same_bits_relative_to_its_place)
{
    Scene scenes[4];
    for (int i = 0; i < 4; ++i)
    {
        scenes[i] = scene_far(offsets[i]);
    }
    Random random = random_seeded(61);
    int grounded = 0;
    for (int n = 0; n < PEOPLE; ++n)
    {
        Vector wish;
        Agent near = person(&scenes[0], &random, &wish);
        for (int tick = 0; tick < 70; ++tick)
        {
            scene_tick(&scenes[0], &near, wish);
        }
        near.body.center.x = on_grid(near.body.center.x);
        near.body.center.y = on_grid(near.body.center.y);
        near.body.center.z = on_grid(near.body.center.z);
        Agent start = near;
        scene_tick(&scenes[0], &near, wish);
        grounded += (near.body.flags & SIDLE_BODY_GROUNDED) != 0;
        for (int i = 1; i < 4; ++i)
        {
            Agent far = start;
            Vector place = scenes[i].options.place;
            far.body.center.x += place.x;
            far.body.center.y += place.y;
            far.body.center.z += place.z;
            far.body.ground = scenes[i].instances[0];
            scene_tick(&scenes[i], &far, wish);
            bool same_bits =
                memcmp(&far.body.velocity, &near.body.velocity, sizeof near.body.velocity) == 0 &&
                memcmp(&far.body.ground_normal, &near.body.ground_normal, sizeof near.body.ground_normal) ==
                    0 &&
                far.body.flags == near.body.flags && far.reasons == near.reasons &&
                far.contact_count == near.contact_count;
            cr_expect(same_bits, "person %d at %g m: velocity %g %g %g, and %g %g %g", n, offsets[i],
                      (double)far.body.velocity.x, (double)far.body.velocity.y, (double)far.body.velocity.z,
                      (double)near.body.velocity.x, (double)near.body.velocity.y,
                      (double)near.body.velocity.z);
            double error = fabs(far.body.center.x - place.x - near.body.center.x) +
                           fabs(far.body.center.y - place.y - near.body.center.y) +
                           fabs(far.body.center.z - place.z - near.body.center.z);
            cr_expect(error <= 3 * 0x1p-53 * offsets[i] * 2, "person %d at %g m: %g m apart", n, offsets[i],
                      error);
        }
    }
    cr_expect(grounded > PEOPLE / 3, "%d on the ground", grounded);
    for (int i = 0; i < 4; ++i)
    {
        scene_close(&scenes[i]);
    }
}

/* Over two seconds, places are rounded to the spacing of doubles in each tick: 1.5e-8 m at 100,000 km. */
Test(far, paths_differ_by_the_rounding_of_places)
{
    Scene here = scene_far(0), far = scene_far(offsets[3]);
    Random random = random_seeded(62);
    int apart = 0;
    for (int n = 0; n < PEOPLE; ++n)
    {
        Random again = random;
        Vector wish, same_wish, place = far.options.place;
        Agent one = person(&here, &random, &wish), other = person(&far, &again, &same_wish);
        for (int tick = 0; tick < TICKS; ++tick)
        {
            scene_tick(&here, &one, wish);
            scene_tick(&far, &other, wish);
        }
        double error = hypot(hypot(other.body.center.x - place.x - one.body.center.x,
                                   other.body.center.y - place.y - one.body.center.y),
                             other.body.center.z - place.z - one.body.center.z);
        apart += error > 1e-4; /* at an edge a path can end on either side */
    }
    cr_expect(apart <= PEOPLE / 50, "%d of %d paths are apart", apart, PEOPLE);
    scene_close(&here);
    scene_close(&far);
}
