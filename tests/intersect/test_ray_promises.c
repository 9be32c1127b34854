/* What all functions of rays promise: the same bits at every power of two, and no hit without numbers. */
#include "sidle/intersect/ray.h"

#include "intersect/support/ray_solid.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <string.h>

enum
{
    PLANE,
    TRIANGLE,
    SPHERE,
    CAPSULE,
    BOX,
    ORIENTED_BOX,
    SHAPES
};

/* A path and a shape as plain numbers. */
typedef struct Question
{
    int shape;
    bool is_ray;
    double path[6], numbers[15];
} Question;

static const int counts[SHAPES] = {4, 9, 4, 7, 6, 15};

#define ASK(shape, type)                                                                                     \
    do                                                                                                       \
    {                                                                                                        \
        type it;                                                                                             \
        memcpy(&it, question->numbers, sizeof it);                                                           \
        return question->is_ray ? sidle_ray_##shape(&ray, &it, out)                                          \
                                : sidle_segment_##shape(&segment, &it, out);                                 \
    }                                                                                                        \
    while (0)

static bool ask(const Question *question, sidle_ray_hit *out)
{
    sidle_ray ray;
    sidle_segment segment;
    sidle_dtriangle triangle;
    memcpy(&ray, question->path, sizeof ray);
    memcpy(&segment, question->path, sizeof segment);
    switch (question->shape)
    {
    case PLANE:
        ASK(plane, sidle_plane);
    case SPHERE:
        ASK(sphere, sidle_sphere);
    case CAPSULE:
        ASK(capsule, sidle_capsule);
    case BOX:
        ASK(box, sidle_box);
    case ORIENTED_BOX:
        ASK(oriented_box, sidle_oriented_box);
    default:
        memcpy(&triangle, question->numbers, sizeof triangle);
        return question->is_ray ? sidle_ray_triangle(&ray, &triangle, 0, out)
                                : sidle_segment_triangle(&segment, &triangle, 0, out);
    }
}

static void put(double *to, Vector a)
{
    memcpy(to, &a, sizeof a);
}

/* Scenes of solids; a plane and a triangle are laid through their points. */
static Question drawn_question(Random *random, uint32_t i)
{
    static const int solids[SHAPES] = {SOLID_SPHERE,  SOLID_CAPSULE, SOLID_SPHERE,
                                       SOLID_CAPSULE, SOLID_BOX,     SOLID_ORIENTED_BOX};
    Question out = {.shape = (int)(i % SHAPES)};
    Solid solid;
    Probe probe;
    solid_drawn(random, solids[out.shape], i / SHAPES, &solid, &probe);
    out.is_ray = probe.is_ray;
    put(out.path, probe.a);
    put(out.path + 3, probe.b);
    put(out.numbers, solid.a);
    put(out.numbers + 3, solid.b);
    switch (out.shape)
    {
    case PLANE:
        put(out.numbers, random_direction(random));
        out.numbers[3] = vector_dot(vector(out.numbers[0], out.numbers[1], out.numbers[2]), solid.a);
        break;
    case SPHERE:
        out.numbers[3] = solid.radius;
        break;
    case CAPSULE:
        out.numbers[6] = solid.radius;
        break;
    case TRIANGLE:
        put(out.numbers + 6, vector_along(solid.b, solid.radius, random_direction(random)));
        break;
    case ORIENTED_BOX:
        memcpy(out.numbers + 6, solid.axes, sizeof solid.axes);
        break;
    default:
        break;
    }
    return out;
}

static Question scaled(const Question *question, double by)
{
    Question out = *question;
    for (int k = 0; k < 6; ++k)
    {
        out.path[k] *= by;
    }
    for (int k = 0; k < counts[out.shape]; ++k)
    {
        bool is_direction = (out.shape == PLANE && k < 3) || (out.shape == ORIENTED_BOX && k >= 6);
        out.numbers[k] *= is_direction ? 1 : by;
    }
    return out;
}

Test(intersect_ray_promises, a_scene_scaled_by_a_power_of_two_keeps_its_bits)
{
    Random random = random_seeded(61);
    uint32_t hits = 0, count = query_count(60000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Question question = drawn_question(&random, i);
        double by = ldexp(1, (int)random_below(&random, 361) - 180);
        Question other = scaled(&question, by);
        sidle_ray_hit hit, again;
        memset(&hit, 0, sizeof hit);
        memset(&again, 0, sizeof again);
        bool found = ask(&question, &hit);
        cr_assert_eq(ask(&other, &again), found, "query %u", i);
        hit.point = (sidle_position){hit.point.x * by, hit.point.y * by, hit.point.z * by};
        cr_assert(same_hit(&hit, &again), "query %u, shape %d", i, question.shape);
        cr_assert(found || (hit.t == 0 && hit.t_exit == 0), "a miss does not write to `out`");
        hits += found;
        cr_assert_eq(ask(&question, NULL), found);
    }
    cr_expect(hits > count / 4 && hits < count - count / 20);
}

/* A direction twice as long takes half as much t to the same place. */
Test(intersect_ray_promises, t_counts_in_the_length_of_the_direction)
{
    Random random = random_seeded(62);
    for (uint32_t i = 0; i < query_count(60000); ++i)
    {
        Question question = drawn_question(&random, i), longer = question;
        double by = ldexp(1, (int)random_below(&random, 61) - 30);
        sidle_ray_hit hit, again;
        if (!question.is_ray)
        {
            continue;
        }
        for (int k = 3; k < 6; ++k)
        {
            longer.path[k] *= by;
        }
        bool found = ask(&question, &hit);
        cr_assert_eq(ask(&longer, &again), found);
        if (found)
        {
            cr_assert_eq(hit.t, again.t * by);
            cr_assert_eq(hit.t_exit, again.t_exit * by);
            cr_assert(!memcmp(&hit.point, &again.point, sizeof hit.point));
            cr_assert(!memcmp(&hit.normal, &again.normal, sizeof hit.normal));
        }
    }
}

Test(intersect_ray_promises, no_number_in_the_input_no_hit)
{
    Random random = random_seeded(63);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < 21 * 3 * 300; ++i)
    {
        Question question = drawn_question(&random, i / 21);
        uint32_t at = i % 21, total = 6 + (uint32_t)counts[question.shape];
        sidle_ray_hit hit, untouched;
        memset(&hit, 0x55, sizeof hit);
        memset(&untouched, 0x55, sizeof untouched);
        if (at >= total)
        {
            continue;
        }
        *(at < 6 ? &question.path[at] : &question.numbers[at - 6]) = bad[i / 21 % 3];
        cr_assert_not(ask(&question, &hit), "shape %d, number %u", question.shape, at);
        cr_assert(!memcmp(&hit, &untouched, sizeof hit));
    }
}

/* Beyond the limit nothing is promised but that no hit has NaN in it. */
Test(intersect_ray_promises, numbers_beyond_the_limit_make_no_nan)
{
    Random random = random_seeded(64);
    const double far[] = {1e300, -1e300, 1.7e308, 1e-300, 4.9e-324, 0};
    for (uint32_t i = 0; i < 60000; ++i)
    {
        Question question = drawn_question(&random, i);
        for (int k = 0; k < 3; ++k)
        {
            uint32_t at = random_below(&random, 6 + (uint32_t)counts[question.shape]);
            double *number = at < 6 ? &question.path[at] : &question.numbers[at - 6];
            *number = far[random_below(&random, 6)];
        }
        sidle_ray_hit hit;
        if (ask(&question, &hit))
        {
            cr_assert(isfinite(hit.t) && !isnan(hit.t_exit));
            cr_assert(isfinite(hit.point.x) && isfinite(hit.point.y) && isfinite(hit.point.z));
            cr_assert(isfinite(hit.normal.x) && isfinite(hit.normal.y) && isfinite(hit.normal.z));
            cr_assert(isfinite(hit.barycentric[0]) && isfinite(hit.barycentric[2]));
        }
    }
}
