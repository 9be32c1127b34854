/* A moving sphere against a plane: named cases, the defects of print, and against exact numbers.
 * SIDLE_QUERIES says how many. */
#include "intersect/support/plane_checks.h"
#include "intersect/support/plane_printed.h"
#include "intersect/support/sphere_draw.h"

#include <string.h>

static const sidle_plane ground = {{0, 1, 0}, 0};

static sidle_moving_sphere falling(double from, double to, double radius)
{
    return (sidle_moving_sphere){{5, from, 6}, {5, to, 6}, radius};
}

static bool passes_ground(double from, double to, double radius, double first, double last, uint32_t motion)
{
    sidle_moving_sphere sphere = falling(from, to, radius);
    sidle_passage passage;
    return sidle_sphere_plane_sweep(&sphere, &ground, &passage) && passage.first == first &&
           passage.last == last && passage.motion == motion &&
           same_vector(passage.centers_a[0], place(5, from + first * (to - from), 6)) &&
           same_vector(passage.centers_a[1], place(5, from + last * (to - from), 6)) &&
           same_vector(passage.centers_b[0], place(0, 0, 0));
}

static bool misses_ground(double from, double to, double radius)
{
    sidle_moving_sphere sphere = falling(from, to, radius);
    return !sidle_sphere_plane_sweep(&sphere, &ground, NULL);
}

Test(intersect_sphere_plane, a_sphere_passes_a_plane_from_first_to_last_contact)
{
    cr_expect(passes_ground(3, -5, 1, 0.25, 0.5, SIDLE_PASSAGE_APPROACHING));
    cr_expect(passes_ground(-3, 5, 1, 0.25, 0.5, SIDLE_PASSAGE_APPROACHING), "from behind");
    cr_expect(passes_ground(3, -1, 1, 0.5, 1, SIDLE_PASSAGE_APPROACHING), "and ends in touch");
    cr_expect(passes_ground(3, 1, 1, 1, 1, SIDLE_PASSAGE_APPROACHING), "touches at the end");
    cr_expect(passes_ground(1, 5, 1, 0, 0, SIDLE_PASSAGE_SEPARATING), "touches at the start");
    cr_expect(passes_ground(0.5, 2.5, 1, 0, 0.25, SIDLE_PASSAGE_SEPARATING));
    cr_expect(passes_ground(0.5, -3.5, 1, 0, 0.375, SIDLE_PASSAGE_APPROACHING));
    cr_expect(passes_ground(1, -3, 1, 0, 0.5, SIDLE_PASSAGE_APPROACHING),
              "on the ground, and goes through it");
    cr_expect(passes_ground(0, 4, 1, 0, 0.25, SIDLE_PASSAGE_SEPARATING), "its centre in the plane");
    cr_expect(passes_ground(0, -4, 1, 0, 0.25, SIDLE_PASSAGE_SEPARATING), "its centre in the plane");
    cr_expect(passes_ground(0.5, 0.5, 1, 0, 1, SIDLE_PASSAGE_STAYING));
    cr_expect(passes_ground(1, 1, 1, 0, 1, SIDLE_PASSAGE_STAYING));
    cr_expect(misses_ground(3, 2, 1) && misses_ground(1, 9, nextafter(1, 0)) && misses_ground(2, 2, 1));
    cr_expect(misses_ground(3, -5, -1) && misses_ground(3, nextafter(1, 2), 1));
}

Test(intersect_sphere_plane, who_leaves_at_once_leaves_at_0_and_not_at_minus_0)
{
    sidle_moving_sphere up = {{0, 1, 0}, {0, 5, 0}, 1}, rests = {{0, -1, 0}, {0, -1, 0}, 1};
    sidle_passage passage;
    cr_assert(sidle_sphere_plane_sweep(&up, &ground, &passage));
    cr_expect(passage.last == 0 && !signbit(passage.last));
    cr_assert(sidle_sphere_sphere_sweep(&up, &rests, &passage));
    cr_expect(passage.last == 0 && !signbit(passage.last));
}

Test(intersect_sphere_plane, a_moving_point_crosses_a_plane_in_one_moment)
{
    cr_expect(passes_ground(3, -1, 0, 0.75, 0.75, SIDLE_PASSAGE_APPROACHING));
    cr_expect(passes_ground(3, 0, 0, 1, 1, SIDLE_PASSAGE_APPROACHING));
    cr_expect(passes_ground(0, 3, 0, 0, 0, SIDLE_PASSAGE_SEPARATING));
    cr_expect(passes_ground(0, 0, 0, 0, 1, SIDLE_PASSAGE_STAYING));
    cr_expect(misses_ground(3, 1, 0));
}

Test(intersect_sphere_plane, a_sphere_along_a_plane_touches_it_always_or_never)
{
    sidle_moving_sphere sphere = {{-5, 0.75, 0}, {7, 0.75, 3}, 1};
    sidle_passage passage;
    cr_assert(sidle_sphere_plane_sweep(&sphere, &ground, &passage));
    cr_expect(passage.first == 0 && passage.last == 1 && passage.motion == SIDLE_PASSAGE_STAYING);
    cr_expect(same_vector(passage.points[0], place(-5, -0.125, 0)));
    cr_expect(same_vector(passage.points[1], place(7, -0.125, 3)));
    sphere.radius = 0.5;
    cr_expect_not(sidle_sphere_plane_sweep(&sphere, &ground, &passage));
}

/* The printed sweep returns time 0 for any start in touch, so it stops spheres that leave. It misses spheres
 * from behind and spheres that just touch at the end. And (1 - u) c + u c is not c. */
Test(intersect_sphere_plane, the_printed_sweep_stops_spheres_that_leave_and_misses_the_back_side)
{
    sidle_moving_sphere leaving = falling(0.5, 2.5, 1), behind = falling(-3, 5, 1), ending = falling(3, 1, 1);
    double time = 77;
    sidle_position center;
    cr_expect(printed_sphere_plane_sweep(&leaving, &ground, &time, &center) && time == 0);
    cr_expect(passes_ground(0.5, 2.5, 1, 0, 0.25, SIDLE_PASSAGE_SEPARATING));
    cr_expect_not(printed_sphere_plane_sweep(&behind, &ground, &time, &center));
    cr_expect(passes_ground(-3, 5, 1, 0.25, 0.5, SIDLE_PASSAGE_APPROACHING));
    cr_expect_not(printed_sphere_plane_sweep(&ending, &ground, &time, &center));
    cr_expect(passes_ground(3, 1, 1, 1, 1, SIDLE_PASSAGE_APPROACHING));
    sidle_moving_sphere straight = {{0.1, 3, 0.7}, {0.1, -4, 0.7}, 1};
    sidle_passage passage;
    uint32_t drifts = 0;
    for (int i = 0; i < 50; ++i)
    {
        straight.to.y = -4 - 0.1 * i;
        cr_assert(sidle_sphere_plane_sweep(&straight, &ground, &passage));
        cr_expect(passage.centers_a[0].x == 0.1 && passage.centers_a[0].z == 0.7);
        cr_assert(printed_sphere_plane_sweep(&straight, &ground, &time, &center));
        drifts += center.x != 0.1 || center.z != 0.7;
    }
    cr_expect(drifts > 5, "%u", drifts);
}

typedef struct PlaneAnswer
{
    Number from, to, first, last; /* signed distances from the side of the start */
} PlaneAnswer;

/* The radius is so that the start or the end touches, or all but; or any. */
static void draw_fall(Random *random, sidle_moving_sphere *sphere, sidle_plane *plane)
{
    Style style = draw_style(random);
    *plane = draw_plane(random, style);
    *sphere = draw_moving(random, style);
    if (random_chance(random, 0.2)) /* along the plane, or all but */
    {
        Vector displacement = offset_between(sphere->from, sphere->to);
        sidle_dvec3 flat = sidle_plane_project(plane, place(displacement.x, displacement.y, displacement.z));
        sphere->to = nudged_place(random, place_along(sphere->from, 1, flat));
    }
    if (random_chance(random, 0.5))
    {
        sidle_position end = random_chance(random, 0.5) ? sphere->from : sphere->to;
        sphere->radius = fabs(nudged(random, sidle_plane_distance(plane, end)));
    }
}

static PlaneAnswer exact_fall(const sidle_moving_sphere *sphere, const sidle_plane *plane)
{
    PlaneAnswer answer = {.from = number_plane_distance(plane, sphere->from),
                          .to = number_plane_distance(plane, sphere->to)};
    if (number_sign(answer.from) < 0)
    {
        answer.from = number_negate(answer.from);
        answer.to = number_negate(answer.to);
    }
    Number radius = number_of(sphere->radius), whole = number_sub(answer.from, answer.to), one = number_of(1);
    Number ahead = number_sub(answer.from, radius), out = number_sub(number_negate(answer.to), radius);
    Number away = number_sub(answer.to, radius);
    bool clear = number_sign(ahead) > 0;
    answer.first = clear ? number_div(ahead, whole) : number_of(0);
    answer.last = one;
    if (!clear && number_sign(away) > 0)
    {
        answer.last = number_div(ahead, whole);
    }
    else if (number_sign(out) > 0)
    {
        answer.last = number_div(number_add(answer.from, radius), whole);
    }
    return answer;
}

typedef struct FallErrors
{
    Errors verdicts, times, centers, points, motions;
} FallErrors;

/* The first contact (`which` 0) or the last. */
static void judge_contact(const sidle_moving_sphere *sphere, const PlaneAnswer *exact,
                          const sidle_passage *got, int which, FallErrors *errors)
{
    Number time = which == 0 ? exact->first : exact->last, radius = number_of(sphere->radius);
    double allowed = 4 * ULP * number_double(time);
    note_error(&errors->times, number_error(time, which == 0 ? got->first : got->last), allowed);
    double size = 6 * ULP * places_size(sphere) + allowed * path_length(sphere);
    NumberVector center = number_between(sphere->from, sphere->to, time);
    note_error(&errors->centers, place_off(center, got->centers_a[which]), size);
    Number distance = which == 0 ? exact->from : exact->to;
    Number at = number_max(number_negate(radius), number_min(distance, radius));
    double side = number_sign(at) < 0 ? -1 : 1;
    if (number_sign(at) != 0 && number_sign(exact->from) > 0)
    {
        Number share = number_mul(number_of(0.5), number_add(at, number_of(side * sphere->radius)));
        NumberVector point = number_along(center, number_place(got->normal), share);
        note_error(&errors->points, place_off(point, got->points[which]), 2 * size);
    }
}

static void judge_motion(const PlaneAnswer *exact, const sidle_passage *got, Errors *errors)
{
    double gain = number_double(number_sub(exact->to, exact->from)), from = number_double(exact->from);
    uint32_t motion = gain == 0              ? SIDLE_PASSAGE_STAYING
                      : gain < 0 && from > 0 ? SIDLE_PASSAGE_APPROACHING
                                             : SIDLE_PASSAGE_SEPARATING;
    note_wrong(errors, got->motion == motion);
    note_wrong(errors, is_in_order(got));
}

Test(intersect_sphere_plane, contacts_of_moving_spheres_with_planes_are_right)
{
    Random random = random_seeded(704);
    FallErrors errors = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        sidle_moving_sphere sphere;
        sidle_plane plane;
        sidle_passage got;
        draw_fall(&random, &sphere, &plane);
        number_begin();
        PlaneAnswer exact = exact_fall(&sphere, &plane);
        double margin = number_double(number_sub(number_of(sphere.radius), number_min(exact.from, exact.to)));
        bool hit = sidle_sphere_plane_sweep(&sphere, &plane, &got);
        note_verdict(&errors.verdicts, hit, margin, 0);
        if (hit)
        {
            judge_contact(&sphere, &exact, &got, 0, &errors);
            judge_contact(&sphere, &exact, &got, 1, &errors);
            judge_motion(&exact, &got, &errors.motions);
        }
    }
    conclude_verdicts(&errors.verdicts, "sweep plane, verdict");
    conclude(&errors.times, "sweep plane, times (u)", 4);
    conclude(&errors.centers, "sweep plane, centres (u size)", 6);
    conclude(&errors.points, "sweep plane, points (u size)", 12);
    conclude(&errors.motions, "sweep plane, motion", 1);
}

Test(intersect_sphere_plane, the_other_side_of_a_plane_changes_no_bit)
{
    Random random = random_seeded(705);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_moving_sphere sphere;
        sidle_plane plane;
        draw_fall(&random, &sphere, &plane);
        sidle_plane turned = {{-plane.normal.x, -plane.normal.y, -plane.normal.z}, -plane.offset};
        sidle_passage one, two;
        bool got = sidle_sphere_plane_sweep(&sphere, &plane, &one);
        wrong += got != sidle_sphere_plane_sweep(&sphere, &turned, &two);
        bool in_plane = sidle_plane_distance(&plane, sphere.from) == 0;
        wrong +=
            got && !in_plane && !(same_times_and_points(&one, &two) && same_vector(one.normal, two.normal));
    }
    cr_expect_eq(wrong, 0);
}

Test(intersect_sphere_plane, a_turning_sphere_reports_its_rotation_at_the_first_contact)
{
    const double half = sqrt(0.5);
    sidle_moving_sphere sphere = falling(3, -3, 1);
    sidle_dquat none = {0, 0, 0, 1}, quarter = {0, half, 0, half}, turn = {0, 0, 0, 0},
                nan = {0, 0, (double)NAN, 1};
    sidle_passage passage = {.first = 77};
    cr_expect_not(sidle_sphere_plane_sweep_turning(&sphere, &none, &nan, &ground, &passage, &turn));
    cr_expect(passage.first == 77 && turn.w == 0);
    cr_assert(sidle_sphere_plane_sweep_turning(&sphere, &none, &quarter, &ground, &passage, &turn));
    cr_expect(fabs(passage.first - 1 / 3.0) < 1e-16 && same_vector(passage.centers_a[0], place(5, 1, 6)));
    cr_expect(turn.x == 0 && fabs(turn.y - 0.25881904510252074) < 1e-15 && turn.z == 0);
    cr_expect(sidle_sphere_plane_sweep_turning(&sphere, &none, &quarter, &ground, NULL, NULL));
    sphere.to.y = 2;
    cr_expect_not(sidle_sphere_plane_sweep_turning(&sphere, &none, &quarter, &ground, &passage, &turn));
}

/* A sweep says the same of its start and its end as the test at rest. */
Test(intersect_sphere_plane, what_touches_at_rest_touches_at_the_ends_of_a_sweep)
{
    Random random = random_seeded(709);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_moving_sphere a;
        sidle_plane plane;
        sidle_passage passage = {.first = -1};
        draw_fall(&random, &a, &plane);
        sidle_sphere from = at_start(&a), to = at_end(&a);
        bool begins = sidle_sphere_plane(&from, &plane, NULL), ends = sidle_sphere_plane(&to, &plane, NULL);
        bool got = sidle_sphere_plane_sweep(&a, &plane, &passage);
        wrong += !ends_agree(begins, ends, got, &passage);
    }
    cr_expect_eq(wrong, 0);
}

static bool ask_fall(const double *in, double *out)
{
    sidle_moving_sphere sphere;
    sidle_plane plane;
    sidle_passage passage;
    memcpy(&sphere, in, sizeof sphere);
    memcpy(&plane, in + 7, sizeof plane);
    return write_passage(sidle_sphere_plane_sweep(&sphere, &plane, &passage), &passage, out);
}

static bool ask_turning_fall(const double *in, double *out)
{
    sidle_moving_sphere sphere;
    sidle_plane plane;
    sidle_passage passage;
    sidle_dquat turns[2], turn;
    memcpy(&sphere, in, sizeof sphere);
    memcpy(&plane, in + 7, sizeof plane);
    memcpy(turns, in + 11, sizeof turns);
    bool hit = sidle_sphere_plane_sweep_turning(&sphere, &turns[0], &turns[1], &plane, &passage, &turn);
    if (hit)
    {
        memcpy(out + 24, &turn, sizeof turn);
    }
    return write_passage(hit, &passage, out);
}

static const Question questions[] = {
    {ask_fall,
     11,
     24,
     {1, 2, 3, -3, -5, 1, 0.7, 0.6, 0.8, 0, 0.1},
     {MOVING_POWERS, 0, 0, 0, 1},
     {PASSAGE_POWERS}},
    {ask_fall,
     11,
     24,
     {1, 2, 3, 3, 5, 1, 3, 0.6, 0.8, 0, 0.1},
     {MOVING_POWERS, 0, 0, 0, 1},
     {PASSAGE_POWERS}},
    {ask_turning_fall,
     19,
     28,
     {1, 2, 3, -3, -5, 1, 0.7, 0.6, 0.8, 0, 0.1, 1, 2, 3, 4, -3, 1, 1, 7},
     {MOVING_POWERS, 0, 0, 0, 1},
     {PASSAGE_POWERS, 0, 0, 0, 0}},
};

Test(intersect_sphere_plane, what_is_no_number_has_no_answer_and_the_unit_of_length_changes_no_bit)
{
    check_questions(questions, sizeof questions / sizeof *questions);
}
