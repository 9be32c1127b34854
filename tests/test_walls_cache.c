/* The walls that are found around agents do not depend on what their caches hold. */
#include "support/scene.h"
#include "support/seekers.h"
#include "support/wild.h"

#include <criterion/criterion.h>

#define WIDE_HALF     6 /* so large that most agents are near no wall */
#define WIDE_COUNT    60
#define WALKS         40
#define STEPS         60
#define CHAMFERS      12
#define CHAMFER_WALKS 2000
#define LONGEST_STEP  .1

typedef struct WalkTally
{
    uint32_t steps, different, found;
} WalkTally;

/* Asks for the walls on a straight path, with a cache that remembers and with an empty one. */
static void compare_on_a_walk(Random *random, sidle_crowd *crowd, const Scene *scene, Seeker *seeker,
                              WalkTally *tally)
{
    static TriangleCache cache;
    cache = (TriangleCache){0};
    Vector step = vector_scale(random_direction(random), random_between(random, .01, LONGEST_STEP));
    for (int k = 0; k < STEPS; ++k)
    {
        SeekRegion region = seeker_draw_region(random, seeker);
        double fill = random_chance(random, .7) ? LONGEST_STEP : 0;
        Walls walls = seeker_walls(crowd, scene->snapshot, seeker, region, fill, &cache);
        Walls fresh = seeker_walls_without_cache(crowd, scene->snapshot, seeker, region);
        tally->steps += 1;
        tally->different += !same_walls(&walls, &fresh);
        tally->found += fresh.count > 0;
        seeker_set_center(seeker, vector_add(seeker_center(seeker), vector(step.x, step.y / 8, step.z)));
    }
}

static void check_walks(const WalkTally *tally)
{
    cr_expect_eq(tally->different, 0, "%u of %u steps", tally->different, tally->steps);
    cr_expect_gt(tally->found, tally->steps / 8, "%u steps with walls", tally->found);
    cr_expect_gt(tally->steps - tally->found, tally->steps / 8, "%u steps with walls", tally->found);
}

Test(walls_cache, do_not_depend_on_what_the_cache_holds)
{
    sidle_crowd *crowd = seekers_crowd(NULL);
    Random random = random_seeded(33);
    WalkTally tally = {0};
    for (int i = 0; i < WALKS; ++i)
    {
        Scene scene = wild_scene(&random, WIDE_HALF, WIDE_COUNT);
        Seeker seeker;
        seeker_draw(&random, crowd, 1, &seeker);
        seeker_set_center(&seeker, wild_center(&random, &scene, WIDE_HALF));
        compare_on_a_walk(&random, crowd, &scene, &seeker, &tally);
        scene_close(&scene);
    }
    sidle_crowd_destroy(crowd);
    check_walks(&tally);
}

/* A floor with long strips of a tenth of a millimetre, about as steep as the steepest ground: a float's rounding decides which
 * of them are. */
static Soup soup_with_chamfers(Random *random)
{
    Soup soup = {0};
    soup_plate(&soup, -30, 30, -30, 30, 0);
    for (int i = 0; i < CHAMFERS; ++i)
    {
        double turn = random_between(random, 0, 6.28), length = random_between(random, 5, 20);
        Vector along = vector(cos(turn), 0, sin(turn)), rise = vector(-sin(turn), 1, cos(turn));
        Vector begin = vector_along(random_in_box(random, vector(-3, 0, -3), vector(3, .01, 3)),
                                    -random_between(random, 0, length), along);
        Vector end = vector_along(begin, length, along);
        double width = random_between(random, .5, 1.5) * 1e-4;
        soup_quad(&soup, begin, end, vector_along(end, width, rise), vector_along(begin, width, rise));
    }
    return soup;
}

Test(walls_cache, of_chamfers_do_not_depend_on_what_the_cache_holds)
{
    sidle_crowd *crowd = seekers_crowd(NULL);
    Random random = random_seeded(34);
    WalkTally tally = {0};
    for (int i = 0; i < CHAMFER_WALKS; ++i)
    {
        SceneOptions options = walking_ball();
        options.turned = random_between(&random, 0, 360);
        Scene scene = scene_of(soup_with_chamfers(&random), options);
        Seeker seeker;
        seeker_draw(&random, crowd, 1, &seeker);
        double height = 1.02 * (double)seeker_shapes[seeker.move.profile].radii.y +
                        (double)seeker_shapes[seeker.move.profile].half_height;
        seeker_set_center(&seeker, random_in_box(&random, vector(-4, height, -4), vector(4, height + .1, 4)));
        compare_on_a_walk(&random, crowd, &scene, &seeker, &tally);
        scene_close(&scene);
    }
    sidle_crowd_destroy(crowd);
    check_walks(&tally);
}
