/* The oracle for the distance between two agents against distances that are known. */
#include "support/crowd_scenes.h"
#include "tools/check_shapes.h"

#include <criterion/criterion.h>

static Vector drawn_place(Random *random, double reach)
{
    return vector_scale(random_direction(random), random_between(random, 0, reach));
}

static sidle_quat drawn_turn(Random *random)
{
    Vector v = random_direction(random);
    double half = random_between(random, 0, 3.1);
    return (sidle_quat){(float)(v.x * sin(half)), (float)(v.y * sin(half)), (float)(v.z * sin(half)),
                        (float)cos(half)};
}

static CrowdBody body_at(sidle_shape shape, sidle_quat turn, Vector place)
{
    return crowd_body(&shape, turn, &(sidle_position){place.x, place.y, place.z});
}

static sidle_shape ball(double radius)
{
    float r = (float)radius;
    return (sidle_shape){.radii = {r, r, r}};
}

Test(agents_gap, of_balls_is_the_distance_of_centres_less_the_radii)
{
    Random random = random_seeded(1);
    for (int i = 0; i < 500; ++i)
    {
        sidle_shape a = ball(random_between(&random, .1, 2)), b = ball(random_between(&random, .1, 2));
        Vector place = drawn_place(&random, 5);
        CrowdBody one = body_at(a, drawn_turn(&random), vector(0, 0, 0)),
                  two = body_at(b, drawn_turn(&random), place);
        double expected = vector_length(place) - (double)a.radii.x - (double)b.radii.x;
        cr_assert_float_eq(crowd_gap(&one, &two), expected, 1e-6, "%d", i);
        cr_assert_float_eq(crowd_overlap(&one, &two, 0), fmax(-expected, 0), 1e-4, "%d", i);
    }
}

/* The shortest distance of two segments by search along the first; it is convex. */
static double distance_to_segment(Vector p, Vector middle, Vector half)
{
    double length2 = vector_dot(half, half);
    double t = length2 > 0 ? vector_dot(vector_sub(p, middle), half) / length2 : 0;
    return vector_distance(p, vector_along(middle, fmin(fmax(t, -1), 1), half));
}

static double distance_of_cores(const CrowdBody *a, const CrowdBody *b)
{
    Vector half_a = vector_scale(a->axes[1], a->half_height),
           half_b = vector_scale(b->axes[1], b->half_height);
    double low = -1, high = 1;
    for (int i = 0; i < 100; ++i)
    {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        bool is_left = distance_to_segment(vector_along(a->center, left, half_a), b->center, half_b) <
                       distance_to_segment(vector_along(a->center, right, half_a), b->center, half_b);
        low = is_left ? low : left;
        high = is_left ? right : high;
    }
    return distance_to_segment(vector_along(a->center, low, half_a), b->center, half_b);
}

/* Cores that cross have no direction, and capsules so deep in one another another depth. */
Test(agents_gap, of_capsules_is_the_distance_of_their_cores_less_the_radii)
{
    Random random = random_seeded(2);
    for (int i = 0; i < 300; ++i)
    {
        sidle_shape a = ball(.4), b = ball(.3);
        a.half_height = .7f;
        b.half_height = .4f;
        bool upright = i % 2;
        CrowdBody one = body_at(a, upright ? (sidle_quat){0} : drawn_turn(&random), vector(0, 0, 0));
        CrowdBody two =
            body_at(b, upright ? (sidle_quat){0} : drawn_turn(&random), drawn_place(&random, 2.5));
        double cores = distance_of_cores(&one, &two), gap = crowd_gap(&one, &two);
        cr_assert(cores < .05 || fabs(gap - (cores - .7)) < 2e-6, "%d: %g instead of %g", i, gap, cores - .7);
    }
}

/* Stretched space: what separates two ellipsoids of one shape is where they touch as balls. */
Test(agents_gap, of_ellipsoids_has_the_sign_of_touching_balls_and_shrinks_as_they_come_closer)
{
    Random random = random_seeded(3);
    for (int i = 0; i < 500; ++i)
    {
        sidle_shape shape = {.radii = {.4f, .9f, .3f}};
        sidle_quat turn = drawn_turn(&random);
        CrowdBody one = body_at(shape, turn, vector(0, 0, 0)), two = one;
        Vector unit = random_direction(&random), place = vector(0, 0, 0);
        double stretch = random_between(&random, 1.8, 2.2),
               radii[3] = {one.radii.x, one.radii.y, one.radii.z};
        const double own[3] = {unit.x, unit.y, unit.z};
        for (int axis = 0; axis < 3; ++axis)
        {
            place = vector_along(place, stretch * radii[axis] * own[axis], one.axes[axis]);
        }
        two.center = place;
        double gap = crowd_gap(&one, &two);
        cr_assert(gap * (stretch - 2) >= -1e-9, "%d: %g at %g radii", i, gap, stretch);
        cr_assert(fabs(gap) <= fabs(stretch - 2) * .9 + 1e-9 && fabs(gap) >= fabs(stretch - 2) * .3 - 1e-9,
                  "%d: %g at %g radii", i, gap, stretch);
        cr_assert((crowd_overlap(&one, &two, 0) > 0) == (gap < 0) || fabs(gap) < 1e-9, "%d", i);
    }
}

Test(agents_gap, is_the_same_from_either_side_and_no_shorter_than_any_plane_shows)
{
    Random random = random_seeded(4);
    for (int i = 0; i < 200; ++i)
    {
        sidle_shape a = {.radii = {.4f, .9f, .4f}}, b = {.radii = {.5f, .3f, .2f}, .half_height = .6f};
        CrowdBody one = body_at(a, drawn_turn(&random), vector(0, 0, 0)),
                  two = body_at(b, drawn_turn(&random), drawn_place(&random, 2.5));
        double gap = crowd_gap(&one, &two), back = crowd_gap(&two, &one);
        cr_assert(fabs(gap - back) < 1e-6 || fmin(gap, back) < -.2, "%d: %g and %g", i, gap, back);
        two.center = vector_along(two.center, fmax(-gap, 0) + 1e-6, vector_unit(two.center));
    }
}

/* ---- the check of `sidle crowd` ---- */

static sidle_shape drawn_shape(Random *random)
{
    float x = (float)random_between(random, .2, 1), z = (float)random_between(random, .2, 1);
    sidle_shape shape = {.radii = {x, (float)random_between(random, .3, 1.2), z}};
    shape.half_height = random_chance(random, .5) ? (float)random_between(random, 0, 1) : 0;
    return shape;
}

static double gap_of(sidle_shape a, sidle_position at, sidle_shape b, sidle_position to)
{
    sidle_quat upright = {0, 0, 0, 1};
    CrowdBody one = crowd_body(&a, upright, &at), two = crowd_body(&b, upright, &to);
    return crowd_gap(&one, &two);
}

Test(agents_gap, shapes_overlap_where_no_plane_separates_them)
{
    Random random = random_seeded(71);
    uint32_t apart = 0, close = 0;
    for (uint32_t i = 0; i < 1500; ++i)
    {
        sidle_shape a = drawn_shape(&random), b = i % 4 ? drawn_shape(&random) : a;
        Vector place = vector_scale(random_direction(&random), random_between(&random, .3, 2.5));
        sidle_position at = {100, -7, 3}, to = {100 + place.x, place.y - 7, 3 + place.z};
        double gap = gap_of(a, at, b, to);
        if (fabs(gap) < 1e-6)
        {
            continue;
        }
        cr_assert(check_shapes_overlap(a, at, b, to) == (gap < 0), "%u: a gap of %g", i, gap);
        cr_assert(check_shapes_overlap(b, to, a, at) == (gap < 0), "%u: from the other side", i);
        apart += gap > 0;
        close += fabs(gap) < .05;
    }
    cr_expect(apart > 300 && apart < 1200 && close > 50, "%u apart, %u close", apart, close);
}

Test(agents_gap, shapes_that_touch_do_not_overlap)
{
    sidle_shape ball = {.radii = {.4f, .4f, .4f}}, person = {.radii = {.4f, .9f, .4f}};
    double width = 2 * (double).4f;
    sidle_position at = {0, 0, 0};
    cr_expect_not(check_shapes_overlap(ball, at, ball, (sidle_position){width, 0, 0}));
    cr_expect_not(check_shapes_overlap(person, at, person, (sidle_position){0, 0, width}));
    cr_expect(check_shapes_overlap(person, at, person, (sidle_position){0, 0, width - 1e-6}));
    cr_expect(check_shapes_overlap(person, at, person, at));
}
