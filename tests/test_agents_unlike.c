/* Agents whose shapes differ stay apart, however near they are at the start. */
#include "support/crowd_scenes.h"
#include "support/few.h"

#include <criterion/criterion.h>

typedef struct Unlike
{
    sidle_shape a, b;
    sidle_quat turn; /* of a */
} Unlike;

static double gap_of(const Unlike *unlike, const Few *few)
{
    CrowdBody one = crowd_body(&unlike->a, few->moves[0].rotation, &few->moves[0].body.center);
    CrowdBody two = crowd_body(&unlike->b, few->moves[1].rotation, &few->moves[1].body.center);
    return crowd_gap(&one, &two);
}

/* Puts the second so far from the first along a direction that between .5 and 1.5 times a gap is between them. */
static void put_near(const Unlike *unlike, Few *few, Vector direction, double asked)
{
    double near = 0, far = 8;
    for (int i = 0; i < 40; ++i)
    {
        double middle = (near + far) / 2;
        few->moves[1].body =
            (sidle_body){.center = {middle * direction.x, 5 + middle * direction.y, middle * direction.z}};
        double gap = gap_of(unlike, few);
        if (gap >= asked / 2 && gap <= asked * 1.5)
        {
            return;
        }
        near = gap < asked ? middle : near;
        far = gap < asked ? far : middle;
    }
    cr_assert(false, "no place");
}

static Few fliers_of(const Unlike *unlike)
{
    Few few = few_of(2, 3);
    sidle_profile profiles[2] = {few.scene.options.profile, few.scene.options.profile};
    profiles[0].shape = unlike->a;
    profiles[1].shape = unlike->b;
    profiles[0].mode = profiles[1].mode = SIDLE_FLY;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 2};
    sidle_crowd_destroy(few.scene.crowd);
    demand(sidle_crowd_create(&desc, NULL, &few.scene.crowd), "sidle_crowd_create");
    few.moves[0].rotation = unlike->turn;
    few.moves[1].profile = 1;
    return few;
}

/* The least gap of two that wish to go anywhere. */
static double least_gap(const Unlike *unlike)
{
    Few few = fliers_of(unlike);
    Random random = random_seeded(31);
    double least = INFINITY;
    for (int round = 0; round < 600; ++round)
    {
        few.moves[0].body = (sidle_body){.center = {0, 5, 0}};
        put_near(unlike, &few, random_in_box(&random, vector(-.5, -1, -.5), vector(.5, -1, .5)), .002);
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

static const Unlike unlike_shapes[] = {
    {{{.4f, .14f, .4f}, .238f}, {{.12f, 1.1f, .4f}, 0}, {0, 0, 0, 0}},
    {{{.6f, .08f, .6f}, 0}, {{.1f, 1, .1f}, 0}, {0, 0, 0, 0}},
    {{{.4f, .9f, .4f}, 0}, {{.7f, .1f, .3f}, 0}, {0, 0, 0, 0}},
    {{{.1f, .1f, .1f}, 1}, {{.1f, 1.2f, .1f}, 0}, {0, 0, .26f, 1}},
    {{{.1f, .1f, .1f}, 1}, {{.1f, 1.2f, .1f}, .5f}, {0, 0, .6f, 1}},
    {{{.1f, .3f, .02f}, 1}, {{.2f, .8f, .1f}, .5f}, {.3f, .4f, .6f, 1}},
};

#define UNLIKE_SHAPES ((int)(sizeof unlike_shapes / sizeof *unlike_shapes))

/* Few steps towards their normal show an overlap where there is none. */
Test(agents_unlike, a_flat_shape_and_a_tall_one_do_not_overlap)
{
    for (int i = 0; i < UNLIKE_SHAPES; ++i)
    {
        double least = least_gap(&unlike_shapes[i]);
        cr_expect_gt(least, -1e-6, "%d: %g", i, least);
    }
}

/* The least share of its wish, half of the gap, that an agent goes towards another. */
static double least_approach(const Unlike *unlike)
{
    Few few = fliers_of(unlike);
    Random random = random_seeded(32);
    double least = INFINITY;
    for (int round = 0; round < 300; ++round)
    {
        few.moves[0].body = (sidle_body){.center = {0, 5, 0}};
        Vector towards = vector_unit(random_in_box(&random, vector(-1, -1, -1), vector(1, 1, 1)));
        put_near(unlike, &few, towards, .4);
        double length = gap_of(unlike, &few) / 2;
        Vector wish = vector_scale(towards, length);
        few.moves[0].displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
        tick_few(&few);
        sidle_position at = few.moves[0].body.center;
        least = fmin(least, vector_dot(vector(at.x, at.y - 5, at.z), towards) / length);
    }
    scene_close(&few.scene);
    return least;
}

/* A normal that shows a smaller gap would stop it. */
Test(agents_unlike, an_agent_far_from_another_covers_half_the_gap)
{
    for (int i = 0; i < UNLIKE_SHAPES; ++i)
    {
        double least = least_approach(&unlike_shapes[i]);
        cr_expect_gt(least, .9999, "%d: %g", i, least);
    }
}
