/* Agents whose shapes differ stay apart, however near they are at the start. */
#include "support/crowd_scenes.h"
#include "support/few.h"

#include <criterion/criterion.h>

typedef struct Unlike
{
    sidle_shape a, b;
} Unlike;

static double gap_of(const Unlike *unlike, const Few *few)
{
    CrowdBody one = crowd_body(&unlike->a, few->moves[0].rotation, &few->moves[0].body.center);
    CrowdBody two = crowd_body(&unlike->b, few->moves[1].rotation, &few->moves[1].body.center);
    return crowd_gap(&one, &two);
}

/* Puts the second below the first, so far along a direction that between .001 and .003 is between them. */
static void put_near(const Unlike *unlike, Few *few, Vector direction)
{
    double near = 0, far = 4;
    for (int i = 0; i < 40; ++i)
    {
        double middle = (near + far) / 2;
        few->moves[1].body =
            (sidle_body){.center = {middle * direction.x, 5 + middle * direction.y, middle * direction.z}};
        double gap = gap_of(unlike, few);
        if (gap >= .001 && gap <= .003)
        {
            return;
        }
        near = gap < .001 ? middle : near;
        far = gap < .001 ? far : middle;
    }
    cr_assert(false, "no place");
}

/* The least gap of two that wish to go anywhere. */
static double least_gap(const Unlike *unlike)
{
    Few few = few_of(2, 3);
    sidle_profile profiles[2] = {few.scene.options.profile, few.scene.options.profile};
    profiles[0].shape = unlike->a;
    profiles[1].shape = unlike->b;
    profiles[0].mode = profiles[1].mode = SIDLE_FLY;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 2};
    sidle_crowd_destroy(few.scene.crowd);
    demand(sidle_crowd_create(&desc, NULL, &few.scene.crowd), "sidle_crowd_create");
    few.moves[1].profile = 1;
    Random random = random_seeded(31);
    double least = INFINITY;
    for (int round = 0; round < 600; ++round)
    {
        few.moves[0].body = (sidle_body){.center = {0, 5, 0}};
        put_near(unlike, &few, random_in_box(&random, vector(-.5, -1, -.5), vector(.5, -1, .5)));
        for (int tick = 0; tick < 3; ++tick)
        {
            for (int i = 0; i < 2; ++i)
            {
                Vector wish = random_in_box(&random, vector(-.1, -.1, -.1), vector(.1, .1, .1));
                few.moves[i].displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
            }
            tick_few(&few);
            least = fmin(least, gap_of(unlike, &few));
        }
    }
    scene_close(&few.scene);
    return least;
}

/* Few steps towards their normal show an overlap where there is none. */
Test(agents_unlike, a_flat_shape_and_a_tall_one_do_not_overlap)
{
    const Unlike unlike[3] = {
        {{{.4f, .14f, .4f}, .238f}, {{.12f, 1.1f, .4f}, 0}},
        {{{.6f, .08f, .6f}, 0}, {{.1f, 1, .1f}, 0}},
        {{{.4f, .9f, .4f}, 0}, {{.7f, .1f, .3f}, 0}},
    };
    for (int i = 0; i < 3; ++i)
    {
        double least = least_gap(&unlike[i]);
        cr_expect_gt(least, -1e-6, "%d: %g", i, least);
    }
}
