/* Spheres at rest and moving, and rotations between others: named cases, the defects of print, and every
 * function against exact numbers. SIDLE_QUERIES says how many. */
#include "support/intersect_plane_draw.h"
#include "support/intersect_plane_printed.h"
#include "support/intersect_plane_real.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <string.h>

/* The margin within which a verdict may be wrong, of the largest length. */
static const double verdict_margin = 64 * ULP * ULP;

static sidle_position place(double x, double y, double z)
{
    return (sidle_position){x, y, z};
}

static bool same_vector(sidle_dvec3 a, sidle_dvec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_opposite(sidle_dvec3 a, sidle_dvec3 b)
{
    return a.x == -b.x && a.y == -b.y && a.z == -b.z;
}

static uint32_t asked(uint32_t otherwise)
{
    return real_available() ? query_count(otherwise) : 0;
}

static void conclude(const Errors *errors, const char *what, double unit)
{
    print_errors(errors, what, unit);
    cr_expect_eq(errors->wrong, 0, "%s", what);
}

static void conclude_verdicts(const Errors *errors, const char *what)
{
    conclude(errors, what, 1);
    cr_expect(errors->hits >= errors->asked / 10 && errors->hits <= errors->asked * 19 / 20, "too one-sided");
}

static const sidle_plane ground = {{0, 1, 0}, 0};

/* ---- at rest ---- */

Test(intersect_sphere, spheres_that_just_touch_are_a_hit_of_no_depth)
{
    sidle_sphere a = {{1, 2, 3}, 2}, b = {{4, 6, 3}, 3};
    sidle_touch touch = {.depth = 77};
    cr_assert(sidle_sphere_sphere(&a, &b, &touch));
    cr_expect(touch.depth == 0 && touch.point_count == 1 && touch.depths[0] == 0);
    cr_expect(same_vector(touch.normal, place(0.6, 0.8, 0)));
    cr_expect(fabs(touch.points[0].x - 2.2) < 1e-15 && fabs(touch.points[0].y - 3.6) < 1e-15);
    cr_expect(touch.feature_a.kind == SIDLE_FEATURE_FACE && touch.feature_b.index == 0);
    b.radius = nextafter(3, 0);
    touch.depth = 77;
    cr_expect_not(sidle_sphere_sphere(&a, &b, &touch));
    cr_expect_eq(touch.depth, 77);
    cr_expect(sidle_sphere_sphere(&a, &(sidle_sphere){{4, 6, 3}, 4}, &touch) && touch.depth == 1);
}

Test(intersect_sphere, concentric_spheres_part_upwards_from_the_larger)
{
    sidle_sphere large = {{1, 2, 3}, 2}, small = {{1, 2, 3}, 1}, point = {{1, 2, 3}, 0};
    sidle_touch touch;
    cr_assert(sidle_sphere_sphere(&large, &small, &touch));
    cr_expect(same_vector(touch.normal, place(0, 1, 0)) && touch.depth == 3);
    cr_expect(same_vector(touch.points[0], place(1, 2.5, 3)));
    cr_assert(sidle_sphere_sphere(&small, &large, &touch));
    cr_expect(same_vector(touch.normal, place(0, -1, 0)) && touch.depth == 3);
    cr_expect(same_vector(touch.points[0], place(1, 2.5, 3)));
    cr_assert(sidle_sphere_sphere(&point, &point, &touch));
    cr_expect(same_vector(touch.normal, place(0, 1, 0)) && touch.depth == 0);
    cr_expect_not(sidle_sphere_sphere(&large, &(sidle_sphere){{1, 2, 3}, -1}, NULL));
}

Test(intersect_sphere, a_sphere_touches_a_plane_from_both_sides)
{
    sidle_touch touch;
    cr_assert(sidle_sphere_plane(&(sidle_sphere){{5, 1.5, 6}, 2}, &ground, &touch));
    cr_expect(same_vector(touch.normal, place(0, -1, 0)) && touch.depth == 0.5);
    cr_expect(same_vector(touch.points[0], place(5, -0.25, 6)));
    cr_assert(sidle_sphere_plane(&(sidle_sphere){{5, -1.5, 6}, 2}, &ground, &touch));
    cr_expect(same_vector(touch.normal, place(0, 1, 0)) && touch.depth == 0.5);
    cr_assert(sidle_sphere_plane(&(sidle_sphere){{5, 0, 6}, 2}, &ground, &touch));
    cr_expect(same_vector(touch.normal, place(0, -1, 0)) && touch.depth == 2);
    cr_expect(sidle_sphere_plane(&(sidle_sphere){{5, 2, 6}, 2}, &ground, &touch) && touch.depth == 0);
    cr_expect(sidle_sphere_plane(&(sidle_sphere){{5, 0, 6}, 0}, &ground, &touch) && touch.depth == 0);
    cr_expect_not(sidle_sphere_plane(&(sidle_sphere){{5, nextafter(2, 3), 6}, 2}, &ground, NULL));
    cr_expect_not(sidle_sphere_plane(&(sidle_sphere){{5, 0, 6}, -1}, &ground, NULL));
    cr_expect_not(sidle_sphere_plane(&(sidle_sphere){{0, 0, 0}, 1}, &(sidle_plane){{0, 0, 0}, 0}, NULL));
}

/* b beside a at a distance where they touch, or all but; or anywhere. */
static void draw_spheres(Random *random, sidle_sphere *a, sidle_sphere *b)
{
    Style style = draw_style(random);
    *a = (sidle_sphere){draw_place(random, style), draw_length(random, style)};
    *b = (sidle_sphere){draw_place(random, style), draw_length(random, style)};
    if (random_chance(random, 0.7))
    {
        double x = b->center.x - a->center.x, y = b->center.y - a->center.y, z = b->center.z - a->center.z;
        double gap = sqrt(x * x + y * y + z * z) - a->radius;
        b->radius = nudged(random, gap < 0 ? 0 : gap);
    }
    b->center = random_chance(random, 0.05) ? a->center : nudged_place(random, b->center);
}

static double spheres_size(const sidle_sphere *a, const sidle_sphere *b)
{
    return fmax(largest_of(&a->center.x, 4), largest_of(&b->center.x, 4));
}

Test(intersect_sphere, spheres_touch_when_they_do_and_as_deep_as_they_do)
{
    Random random = random_seeded(701);
    Errors verdicts = {0}, depths = {0}, normals = {0}, points = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        sidle_sphere a, b;
        sidle_touch touch;
        draw_spheres(&random, &a, &b);
        real_forget();
        Real3 ca = real3(a.center), cb = real3(b.center), way = real3_sub(cb, ca);
        Real reach = real_add(real(a.radius), real(b.radius)), distance = real3_length(way);
        Real depth = real_sub(reach, distance);
        double noise = verdict_margin * real_double(real_larger(reach, distance));
        bool told = sidle_sphere_sphere(&a, &b, &touch);
        note_verdict(&verdicts, told, real_double(depth), noise);
        if (!told)
        {
            continue;
        }
        note_error(&depths, real_off(depth, touch.depth), 6 * ULP * fabs(real_double(depth)) + noise);
        bool concentric = real_sign(distance) == 0;
        Real3 normal = concentric ? real3(touch.normal) : real3_unit(way);
        note_error(&normals, real3_off_share(normal, touch.normal), 6 * ULP);
        Real half = real(0.5), share = real_mul(half, real_sub(real(a.radius), real(b.radius)));
        Real3 point = real3_add(real3_scale(real3_add(ca, cb), half), real3_scale(normal, share));
        note_error(&points, real3_off(point, touch.points[0]), 8 * ULP * spheres_size(&a, &b));
    }
    conclude_verdicts(&verdicts, "sphere sphere, verdict");
    conclude(&depths, "sphere sphere, depth (u)", 6);
    conclude(&normals, "sphere sphere, normal (u)", 6);
    conclude(&points, "sphere sphere, point (u size)", 8);
}

Test(intersect_sphere, spheres_the_other_way_round_touch_in_the_same_bits)
{
    Random random = random_seeded(702);
    uint32_t wrong = 0, hits = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_sphere a, b;
        sidle_touch one, two;
        draw_spheres(&random, &a, &b);
        bool told = sidle_sphere_sphere(&a, &b, &one), other = sidle_sphere_sphere(&b, &a, &two);
        bool equal = memcmp(&a, &b, sizeof a) == 0;
        wrong += told != other;
        hits += told;
        wrong += told && other &&
                 ((!is_opposite(one.normal, two.normal) && !equal) || one.depth != two.depth ||
                  (!same_vector(one.points[0], two.points[0]) && !equal));
    }
    cr_expect_eq(wrong, 0, "%u of %u", wrong, hits);
    cr_expect(hits > 5000);
}

static double plane_size(const sidle_plane *plane, sidle_position p)
{
    return 3 * largest_of(&p.x, 3) + fabs(plane->offset);
}

static Real distance_of(const sidle_plane *plane, sidle_position p)
{
    return real_sub(real3_dot(real3(plane->normal), real3(p)), real(plane->offset));
}

Test(intersect_sphere, a_sphere_touches_a_plane_when_it_does_and_as_deep_as_it_does)
{
    Random random = random_seeded(703);
    Errors verdicts = {0}, depths = {0}, points = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        Style style = draw_style(&random);
        sidle_plane plane = draw_plane(&random, style);
        sidle_sphere sphere = {draw_place(&random, style), draw_length(&random, style)};
        sidle_touch touch;
        if (random_chance(&random, 0.6))
        {
            sphere.radius = fabs(nudged(&random, sidle_plane_distance(&plane, sphere.center)));
        }
        real_forget();
        Real distance = distance_of(&plane, sphere.center);
        Real depth = real_sub(real(sphere.radius), real_abs(distance));
        double size = plane_size(&plane, sphere.center), noise = verdict_margin * size;
        bool told = sidle_sphere_plane(&sphere, &plane, &touch);
        note_verdict(&verdicts, told, real_double(depth), noise);
        if (!told)
        {
            continue;
        }
        note_error(&depths, real_off(depth, touch.depth), ULP * fabs(real_double(depth)) + noise);
        double side = real_sign(distance) < 0 ? 1 : -1;
        Real3 normal = real3_scale(real3(plane.normal), real(side));
        note_wrong(&points, fabs(real_double(distance)) < noise || real3_off(normal, touch.normal) == 0);
        normal = real3(touch.normal);
        Real share = real_mul(real(0.5), real_add(real(sphere.radius), real_abs(distance)));
        Real3 point = real3_add(real3(sphere.center), real3_scale(normal, share));
        note_error(&points, real3_off(point, touch.points[0]),
                   8 * ULP * fmax(largest_of(&sphere.center.x, 3), sphere.radius) + noise);
    }
    conclude_verdicts(&verdicts, "sphere plane, verdict");
    conclude(&depths, "sphere plane, depth (u)", 1);
    conclude(&points, "sphere plane, point (u size)", 8);
}

/* ---- a moving sphere and a plane ---- */

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

Test(intersect_sphere, a_sphere_passes_a_plane_from_first_to_last_contact)
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

Test(intersect_sphere, a_moving_point_crosses_a_plane_in_one_moment)
{
    cr_expect(passes_ground(3, -1, 0, 0.75, 0.75, SIDLE_PASSAGE_APPROACHING));
    cr_expect(passes_ground(3, 0, 0, 1, 1, SIDLE_PASSAGE_APPROACHING));
    cr_expect(passes_ground(0, 3, 0, 0, 0, SIDLE_PASSAGE_SEPARATING));
    cr_expect(passes_ground(0, 0, 0, 0, 1, SIDLE_PASSAGE_STAYING));
    cr_expect(misses_ground(3, 1, 0));
}

Test(intersect_sphere, a_sphere_along_a_plane_is_in_touch_all_the_way_or_never)
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

/* Print answers time 0 to any start in touch, so who leaves is stopped; it does not see who comes from behind
 * nor who just touches at the end; and (1 - u) c + u c is not c. */
Test(intersect_sphere, print_stops_who_leaves_a_plane_and_misses_who_comes_from_behind)
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

static sidle_moving_sphere draw_moving(Random *random, Style style)
{
    sidle_moving_sphere sphere = {draw_place(random, style), draw_place(random, style),
                                  draw_length(random, style)};
    if (random_chance(random, 0.1))
    {
        sphere.to = sphere.from;
    }
    return sphere;
}

typedef struct PlaneAnswer
{
    Real from, to, first, last; /* signed distances from the side of the start */
    double time_noise, noise;
} PlaneAnswer;

/* The radius is so that the start or the end touches, or all but; or any. */
static void draw_fall(Random *random, sidle_moving_sphere *sphere, sidle_plane *plane)
{
    Style style = draw_style(random);
    *plane = draw_plane(random, style);
    *sphere = draw_moving(random, style);
    if (random_chance(random, 0.2)) /* along the plane, or all but */
    {
        sidle_dvec3 way = {sphere->to.x - sphere->from.x, sphere->to.y - sphere->from.y,
                           sphere->to.z - sphere->from.z};
        sphere->to = nudged_place(random, place_along(sphere->from, 1, sidle_plane_project(plane, way)));
    }
    if (random_chance(random, 0.5))
    {
        sidle_position end = random_chance(random, 0.5) ? sphere->from : sphere->to;
        sphere->radius = fabs(nudged(random, sidle_plane_distance(plane, end)));
    }
}

static PlaneAnswer exact_fall(const sidle_moving_sphere *sphere, const sidle_plane *plane)
{
    PlaneAnswer answer = {.from = distance_of(plane, sphere->from), .to = distance_of(plane, sphere->to)};
    if (real_sign(answer.from) < 0)
    {
        answer.from = real_neg(answer.from);
        answer.to = real_neg(answer.to);
    }
    Real radius = real(sphere->radius), whole = real_sub(answer.from, answer.to), one = real(1);
    double size = fmax(plane_size(plane, sphere->from), plane_size(plane, sphere->to));
    answer.noise = verdict_margin * size;
    answer.time_noise = real_sign(whole) == 0 ? 0 : answer.noise / fabs(real_double(whole));
    Real ahead = real_sub(answer.from, radius), out = real_sub(real_neg(answer.to), radius);
    Real away = real_sub(answer.to, radius);
    bool clear = real_sign(ahead) > 0;
    answer.first = clear ? real_div(ahead, whole) : real(0);
    answer.last = one;
    if (!clear && real_sign(away) > 0)
    {
        answer.last = real_div(ahead, whole);
    }
    else if (real_sign(out) > 0)
    {
        answer.last = real_div(real_add(answer.from, radius), whole);
    }
    return answer;
}

static double places_size(const sidle_moving_sphere *sphere)
{
    return largest_of(&sphere->from.x, 7);
}

static double way_length(const sidle_moving_sphere *sphere)
{
    double x = sphere->to.x - sphere->from.x, y = sphere->to.y - sphere->from.y,
           z = sphere->to.z - sphere->from.z;
    return sqrt(x * x + y * y + z * z);
}

Test(intersect_sphere, a_sphere_passes_a_plane_when_and_where_it_does)
{
    Random random = random_seeded(704);
    Errors verdicts = {0}, times = {0}, centers = {0}, points = {0}, motions = {0};
    for (uint32_t i = 0, count = asked(100000); i < count; ++i)
    {
        sidle_moving_sphere sphere;
        sidle_plane plane;
        sidle_passage passage;
        draw_fall(&random, &sphere, &plane);
        real_forget();
        PlaneAnswer exact = exact_fall(&sphere, &plane);
        Real radius = real(sphere.radius), nearest = real_lesser(exact.from, exact.to);
        double margin = real_double(real_sub(radius, nearest));
        bool told = sidle_sphere_plane_sweep(&sphere, &plane, &passage);
        note_verdict(&verdicts, told, margin, exact.noise);
        if (!told || margin < exact.noise)
        {
            continue;
        }
        const Real wanted[2] = {exact.first, exact.last};
        const double told_times[2] = {passage.first, passage.last};
        for (int k = 0; k < 2; ++k)
        {
            double allowed = 4 * ULP * real_double(wanted[k]) + exact.time_noise;
            note_error(&times, real_off(wanted[k], told_times[k]), allowed);
            double size = 6 * ULP * places_size(&sphere) + allowed * way_length(&sphere);
            Real3 center = real3_between(sphere.from, sphere.to, wanted[k]);
            note_error(&centers, real3_off(center, passage.centers_a[k]), size);
            Real at = k == 0 ? real_lesser(exact.from, radius)
                             : real_larger(real_neg(radius), real_lesser(exact.to, radius));
            double side = real_sign(at) < 0 ? -1 : 1;
            if (fabs(real_double(at)) > exact.noise && real_double(exact.from) > exact.noise)
            {
                Real share = real_mul(real(0.5), real_add(at, real(side * sphere.radius)));
                Real3 point = real3_add(center, real3_scale(real3(passage.normal), share));
                note_error(&points, real3_off(point, passage.points[k]), 2 * size);
            }
        }
        double gain = real_double(real_sub(exact.to, exact.from)), from = real_double(exact.from);
        uint32_t motion = gain == 0              ? SIDLE_PASSAGE_STAYING
                          : gain < 0 && from > 0 ? SIDLE_PASSAGE_APPROACHING
                                                 : SIDLE_PASSAGE_SEPARATING;
        note_wrong(&motions, passage.motion == motion || fabs(gain) < exact.noise || from < exact.noise);
        note_wrong(&motions, passage.first <= passage.last && passage.first >= 0 && passage.last <= 1);
    }
    conclude_verdicts(&verdicts, "sweep plane, verdict");
    conclude(&times, "sweep plane, times (u)", 4);
    conclude(&centers, "sweep plane, centres (u size)", 6);
    conclude(&points, "sweep plane, points (u size)", 12);
    conclude(&motions, "sweep plane, motion", 1);
}

Test(intersect_sphere, the_other_side_of_a_plane_changes_no_bit)
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
        bool told = sidle_sphere_plane_sweep(&sphere, &plane, &one);
        wrong += told != sidle_sphere_plane_sweep(&sphere, &turned, &two);
        bool in_plane = sidle_plane_distance(&plane, sphere.from) == 0;
        wrong += told && !in_plane &&
                 (one.first != two.first || one.last != two.last || !same_vector(one.normal, two.normal) ||
                  !same_vector(one.points[0], two.points[0]) || !same_vector(one.points[1], two.points[1]));
    }
    cr_expect_eq(wrong, 0);
}

/* ---- rotations ---- */

static bool same_rotation(sidle_dquat a, double x, double y, double z, double w)
{
    return fabs(a.x - x) < 1e-15 && fabs(a.y - y) < 1e-15 && fabs(a.z - z) < 1e-15 && fabs(a.w - w) < 1e-15;
}

Test(intersect_sphere, rotations_turn_evenly_along_the_shorter_way)
{
    const double half = sqrt(0.5);
    sidle_dquat none = {0, 0, 0, 1}, quarter = {0, half, 0, half}, back = {0, -half, 0, -half}, turn,
                zero = {0, 0, 0, 0};
    cr_assert(sidle_slerp(&none, &quarter, 1 / 3.0, &turn)); /* 30 of 90 degrees */
    cr_expect(same_rotation(turn, 0, 0.25881904510252074, 0, 0.96592582628906831));
    cr_assert(sidle_slerp(&none, &back, 1 / 3.0, &turn)); /* the same rotation */
    cr_expect(same_rotation(turn, 0, 0.25881904510252074, 0, 0.96592582628906831));
    cr_expect(sidle_slerp(&none, &quarter, 0, &turn) && same_rotation(turn, 0, 0, 0, 1));
    cr_expect(sidle_slerp(&none, &quarter, 1, &turn) && same_rotation(turn, 0, half, 0, half));
    cr_expect(sidle_slerp(&none, &quarter, 7, &turn) && same_rotation(turn, 0, half, 0, half),
              "beyond the end");
    cr_expect(sidle_slerp(&zero, &quarter, -7, &turn) && same_rotation(turn, 0, 0, 0, 1),
              "zero turns nothing");
    cr_expect(sidle_slerp(&quarter, &quarter, 0.3, &turn) && same_rotation(turn, 0, half, 0, half), "equal");
    cr_expect(sidle_slerp(&quarter, &back, 0.3, &turn) && same_rotation(turn, 0, half, 0, half), "opposite");
    sidle_dquat about = {3, 0, 0, 0}; /* half a turn: both ways are as long */
    cr_expect(sidle_slerp(&none, &about, 0.5, &turn) && same_rotation(turn, half, 0, 0, half));
}

static double length4(sidle_dquat q)
{
    return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
}

/* Any two, or nearly equal, opposite or at right angles. */
static void draw_turn(Random *random, sidle_dquat *from, sidle_dquat *to, double *time)
{
    *from = draw_rotation(random, draw_style(random));
    *to = draw_rotation(random, draw_style(random));
    uint32_t kind = random_below(random, 5);
    double size = length4(*from), sign = random_chance(random, 0.5) ? 1 : -1;
    if (kind == 1)
    {
        double way = size * random_scale(random, 1e-17, 1);
        sidle_dquat off = draw_rotation(random, STYLE_LATTICE);
        *to = (sidle_dquat){sign * (from->x + way * off.x), sign * (from->y + way * off.y),
                            sign * (from->z + way * off.z), sign * (from->w + way * off.w)};
    }
    else if (kind == 2)
    {
        *to = (sidle_dquat){-from->y, from->x, -from->w, nudged(random, from->z)};
    }
    static const double times[] = {0, 1, 0.5, 1e-20, 0.25};
    *time = random_chance(random, 0.3) ? times[random_below(random, 5)] : random_unit(random);
}

typedef struct Real4
{
    Real3 i;
    Real w;
} Real4;

static Real dot4(Real4 a, Real4 b)
{
    return real_add(real3_dot(a.i, b.i), real_mul(a.w, b.w));
}

static Real4 given4(const sidle_dquat *q)
{
    bool zero = q->x == 0 && q->y == 0 && q->z == 0 && q->w == 0;
    return (Real4){real3(place(q->x, q->y, q->z)), real(zero ? 1 : q->w)};
}

static Real4 unit4(Real4 a)
{
    Real inverse = real_div(real(1), real_sqrt(dot4(a, a)));
    return (Real4){real3_scale(a.i, inverse), real_mul(a.w, inverse)};
}

static Real4 mixed4(Real4 a, Real s, Real4 b, Real t)
{
    return (Real4){real3_add(real3_scale(a.i, s), real3_scale(b.i, t)),
                   real_add(real_mul(a.w, s), real_mul(b.w, t))};
}

static Real4 exact_slerp(const sidle_dquat *from, const sidle_dquat *to, double time)
{
    Real4 given_p = given4(from), given_q = given4(to), p = unit4(given_p), q = unit4(given_q);
    Real cosine = dot4(p, q), side = real(real_sign(dot4(given_p, given_q)) < 0 ? -1 : 1); /* exact there */
    Real angle = real_acos(real_lesser(real_abs(cosine), real(1))), sine = real_sin(angle), t = real(time);
    Real rest = real_sub(real(1), t);
    if (fabs(real_double(sine)) < 1e-80) /* equal, but for the rounding of lengths */
    {
        return p;
    }
    return mixed4(p, real_div(real_sin(real_mul(rest, angle)), sine), q,
                  real_mul(side, real_div(real_sin(real_mul(t, angle)), sine)));
}

Test(intersect_sphere, rotations_between_others_are_right_to_a_few_ulps)
{
    Random random = random_seeded(706);
    Errors errors = {0}, lengths = {0}, mirrored = {0};
    for (uint32_t i = 0, count = asked(30000); i < count; ++i)
    {
        sidle_dquat from, to, told, other;
        double time;
        draw_turn(&random, &from, &to, &time);
        cr_assert(sidle_slerp(&from, &to, time, &told));
        real_forget();
        Real4 exact = exact_slerp(&from, &to, time);
        note_error(&errors, real3_off(exact.i, place(told.x, told.y, told.z)), 8 * ULP);
        note_error(&errors, real_off(exact.w, told.w), 8 * ULP);
        Real3 i3 = real3(place(told.x, told.y, told.z));
        Real square = real_add(real3_dot(i3, i3), real_mul(real(told.w), real(told.w)));
        note_error(&lengths, real_double(real_sub(square, real(1))), 10 * ULP);
        if (1 - (1 - time) == time)
        {
            cr_assert(sidle_slerp(&to, &from, 1 - time, &other));
            const double *a = &told.x, *b = &other.x;
            const double opposite[4] = {-other.x, -other.y, -other.z, -other.w};
            note_wrong(&mirrored, same_numbers(a, b, 4) || same_numbers(a, opposite, 4));
        }
    }
    conclude(&errors, "slerp (u)", 8);
    conclude(&lengths, "slerp, squared length (u)", 10);
    conclude(&mirrored, "slerp, the other way round", 1);
}

Test(intersect_sphere, a_sphere_that_turns_is_turned_in_part_when_it_touches)
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
    cr_expect(same_rotation(turn, 0, 0.25881904510252074, 0, 0.96592582628906831));
    cr_expect(sidle_sphere_plane_sweep_turning(&sphere, &none, &quarter, &ground, NULL, NULL));
    sphere.to.y = 2;
    cr_expect_not(sidle_sphere_plane_sweep_turning(&sphere, &none, &quarter, &ground, &passage, &turn));
}

/* ---- two moving spheres ---- */

static bool meet(sidle_moving_sphere a, sidle_moving_sphere b, double first, double last, uint32_t motion)
{
    sidle_passage passage;
    return sidle_sphere_sphere_sweep(&a, &b, &passage) && passage.first == first && passage.last == last &&
           passage.motion == motion;
}

static sidle_moving_sphere along_x(double from, double to, double y, double radius)
{
    return (sidle_moving_sphere){{from, y, 3}, {to, y, 3}, radius};
}

Test(intersect_sphere, two_spheres_pass_each_other_from_first_to_last_contact)
{
    sidle_moving_sphere rest = along_x(0, 0, 0, 1);
    sidle_passage passage;
    cr_expect(meet(rest, along_x(4, -4, 0, 1), 0.25, 0.75, SIDLE_PASSAGE_APPROACHING));
    cr_expect(meet(along_x(0, 4, 0, 1), along_x(4, 0, 0, 1), 0.25, 0.75, SIDLE_PASSAGE_APPROACHING),
              "both move");
    cr_expect(meet(rest, along_x(4, 2, 0, 1), 1, 1, SIDLE_PASSAGE_APPROACHING), "touch at the end");
    cr_expect(meet(rest, along_x(2, 4, 0, 1), 0, 0, SIDLE_PASSAGE_SEPARATING), "touch at the start");
    cr_expect(meet(rest, along_x(1, 3, 0, 1), 0, 0.5, SIDLE_PASSAGE_SEPARATING), "begin in touch and part");
    cr_expect(meet(rest, along_x(1, -3, 0, 1), 0, 0.75, SIDLE_PASSAGE_APPROACHING), "begin in touch, go in");
    cr_expect(meet(rest, along_x(1, 1, 1, 1), 0, 1, SIDLE_PASSAGE_STAYING));
    cr_expect(meet(along_x(0, 5, 0, 1), along_x(1, 6, 1, 1), 0, 1, SIDLE_PASSAGE_STAYING), "side by side");
    cr_expect(meet(rest, along_x(0, 8, 0, 1), 0, 0.25, SIDLE_PASSAGE_SEPARATING), "from the same centre");
    cr_expect(meet(rest, along_x(0, 8, 2, 1), 0, 0, SIDLE_PASSAGE_SEPARATING), "touch at the start, across");
    sidle_moving_sphere far = along_x(4, 2.5, 0, 1), leaving = along_x(4, 8, 0, 1),
                        beside = along_x(4, -4, 3, 1);
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &far, &passage));
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &leaving, &passage));
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &beside, &passage));
    far.radius = -1;
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &far, NULL));
}

Test(intersect_sphere, two_spheres_that_graze_touch_in_one_moment)
{
    sidle_moving_sphere rest = along_x(0, 0, 0, 1), grazing = along_x(4, -4, 2, 1);
    sidle_passage passage;
    cr_assert(sidle_sphere_sphere_sweep(&rest, &grazing, &passage));
    cr_expect(passage.first == 0.5 && passage.last == 0.5 && passage.motion == SIDLE_PASSAGE_APPROACHING);
    cr_expect(same_vector(passage.normal, place(0, 1, 0)) && same_vector(passage.points[0], place(0, 1, 3)));
    grazing.radius = nextafter(1, 0);
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &grazing, NULL));
    grazing.radius = nextafter(1, 2);
    cr_expect(sidle_sphere_sphere_sweep(&rest, &grazing, &passage) && passage.first < 0.5 &&
              passage.last > 0.5);
}

Test(intersect_sphere, two_points_that_meet_do_so_along_their_way)
{
    sidle_moving_sphere rest = along_x(0, 0, 0, 0), point = along_x(4, -4, 0, 0);
    sidle_passage passage;
    cr_assert(sidle_sphere_sphere_sweep(&rest, &point, &passage));
    cr_expect(passage.first == 0.5 && passage.last == 0.5 && same_vector(passage.normal, place(1, 0, 0)));
    point = along_x(4, -4, 1e-30, 0);
    cr_expect_not(sidle_sphere_sphere_sweep(&rest, &point, NULL));
    point = along_x(4, 0, 0, 0);
    cr_expect(meet(rest, point, 1, 1, SIDLE_PASSAGE_APPROACHING));
    point = along_x(0, 4, 0, 0);
    cr_expect(meet(rest, point, 0, 0, SIDLE_PASSAGE_SEPARATING));
}

/* b^2 - 4ac of spheres that come from far (D11). They touch when the centres are sqrt(1 - .81) short of each
 * other. */
Test(intersect_sphere, print_loses_the_contact_of_spheres_that_come_from_far)
{
    const double distance = 1e8;
    sidle_moving_sphere rest = {{0, 0, 0}, {0, 0, 0}, 0.5},
                        far = {{distance, 0.9, 0}, {-distance, 0.9, 0}, 0.5};
    double times[2] = {0, 0}, wanted = sqrt(1 - 0.9 * 0.9);
    sidle_passage passage;
    cr_expect(!printed_sphere_sphere_sweep(&rest, &far, times) ||
                  fabs(distance - times[0] * 2 * distance - wanted) > 0.1,
              "print is right: %g", distance - times[0] * 2 * distance);
    cr_assert(sidle_sphere_sphere_sweep(&rest, &far, &passage));
    cr_expect(fabs(passage.centers_b[0].x - wanted) < 4e-8, "%g", passage.centers_b[0].x - wanted);
    cr_expect(fabs(passage.normal.x - wanted) < 4e-16 && fabs(passage.normal.y - 0.9) < 4e-16);
    sidle_moving_sphere leaving = along_x(1, 3, 0, 1);
    cr_expect(printed_sphere_sphere_sweep(&(sidle_moving_sphere){{0, 0, 3}, {0, 0, 3}, 1}, &leaving, times));
    cr_expect(times[0] == 0 && times[1] == 0, "print stops who leaves");
}

/* From far on one side to far on the other, past one another in a distance of 1 or so. */
static void draw_far_pass(Random *random, sidle_moving_sphere *a, sidle_moving_sphere *b)
{
    sidle_dvec3 way = draw_unit(random), aside = draw_unit(random);
    double far = random_scale(random, 1, 1e9);
    *a = (sidle_moving_sphere){{0, 0, 0}, {0, 0, 0}, draw_length(random, STYLE_LATTICE) / 8};
    b->from = place_along(aside, far, way);
    b->to = place_along(aside, -far * random_between(random, 0.1, 2), way);
}

/* Any two; or so that the start, the end or the nearest moment touches, or all but. */
static void draw_chase(Random *random, sidle_moving_sphere *a, sidle_moving_sphere *b)
{
    Style style = draw_style(random);
    *a = draw_moving(random, style);
    *b = draw_moving(random, style);
    if (random_chance(random, 0.3))
    {
        draw_far_pass(random, a, b);
    }
    Vector start = {b->from.x - a->from.x, b->from.y - a->from.y, b->from.z - a->from.z};
    Vector end = {b->to.x - a->to.x, b->to.y - a->to.y, b->to.z - a->to.z}, way = vector_sub(end, start);
    double t = -vector_dot(start, way) / vector_dot(way, way), reach = -1;
    switch (random_below(random, 5))
    {
    case 0:
        reach = vector_length(start);
        break;
    case 1:
        reach = vector_length(end);
        break;
    case 2:
        reach = t > 0 && t < 1 ? vector_length(vector_cross(start, way)) / vector_length(way) : -1;
        break;
    default:
        break;
    }
    if (reach >= 0)
    {
        a->radius = a->radius < reach ? a->radius : 0;
        b->radius = nudged(random, reach - a->radius);
        b->radius = b->radius < 0 ? 0 : b->radius;
    }
}

typedef struct ChaseAnswer
{
    Real3 start, way;
    Real reach, first, last, margin;
    double size, speed; /* the largest distance of the centres or radius; of the relative motion */
} ChaseAnswer;

static ChaseAnswer exact_chase(const sidle_moving_sphere *a, const sidle_moving_sphere *b)
{
    ChaseAnswer x = {.start = real3_sub(real3(b->from), real3(a->from))};
    Real3 end = real3_sub(real3(b->to), real3(a->to));
    x.way = real3_sub(end, x.start);
    x.reach = real_add(real(a->radius), real(b->radius));
    Real square = real3_dot(x.way, x.way), along = real3_dot(x.start, x.way), zero = real(0), one = real(1);
    x.first = zero;
    x.last = one;
    Real least = real3_length(x.start);
    x.size = fmax(real_double(real_larger(x.reach, real_larger(least, real3_length(end)))), 0);
    x.speed = real_double(real_sqrt(square));
    if (real_sign(square) > 0)
    {
        Real nearest = real_larger(zero, real_lesser(one, real_div(real_neg(along), square)));
        least = real3_length(real3_add(x.start, real3_scale(x.way, nearest)));
        Real inside =
            real_sub(real_mul(along, along),
                     real_mul(square, real_sub(real3_dot(x.start, x.start), real_mul(x.reach, x.reach))));
        Real root = real_sqrt(real_larger(inside, zero));
        x.first = real_div(real_sub(real_neg(along), root), square);
        x.last = real_div(real_sub(root, along), square);
        x.first = real_larger(zero, real_lesser(one, x.first));
        x.last = real_larger(zero, real_lesser(one, x.last));
    }
    x.margin = real_sub(x.reach, least);
    return x;
}

/* How far the exact time, and what is told of the place and the normal then, may be off. */
static double time_allowed(const ChaseAnswer *x, double time)
{
    double reach = real_double(x->reach);
    return x->speed > 0 ? 4 * ULP * time + 8 * ULP * reach / x->speed + verdict_margin * x->size / x->speed
                        : 0;
}

static void judge_chase(const sidle_moving_sphere *a, const sidle_moving_sphere *b, const ChaseAnswer *x,
                        const sidle_passage *told, Errors *times, Errors *places, Errors *normals)
{
    const Real wanted[2] = {x->first, x->last};
    const double told_times[2] = {told->first, told->last};
    double size = fmax(places_size(a), places_size(b)), ways = way_length(a) + way_length(b);
    for (int k = 0; k < 2; ++k)
    {
        double allowed = time_allowed(x, real_double(wanted[k]));
        note_error(times, real_off(wanted[k], told_times[k]), allowed);
        Real3 at_a = real3_between(a->from, a->to, wanted[k]),
              at_b = real3_between(b->from, b->to, wanted[k]);
        double room = 6 * ULP * size + allowed * ways;
        note_error(places, real3_off(at_a, told->centers_a[k]), room);
        note_error(places, real3_off(at_b, told->centers_b[k]), room);
    }
    Real3 apart = real3_add(x->start, real3_scale(x->way, x->first));
    double distance = real_double(real3_length(apart));
    if (distance > 1e-12 * x->size)
    {
        note_error(normals, real3_off(real3_unit(apart), told->normal),
                   4 * ULP * (1 + sqrt(x->size / distance)) + verdict_margin * x->size / distance);
    }
}

Test(intersect_sphere, two_spheres_pass_each_other_when_and_where_they_do)
{
    Random random = random_seeded(707);
    Errors verdicts = {0}, times = {0}, places = {0}, normals = {0}, motions = {0};
    for (uint32_t i = 0, count = asked(50000); i < count; ++i)
    {
        sidle_moving_sphere a, b;
        sidle_passage told;
        draw_chase(&random, &a, &b);
        real_forget();
        ChaseAnswer exact = exact_chase(&a, &b);
        double noise = verdict_margin * exact.size, margin = real_double(exact.margin);
        bool hit = sidle_sphere_sphere_sweep(&a, &b, &told);
        note_verdict(&verdicts, hit, margin, noise);
        if (!hit || margin < 0)
        {
            continue;
        }
        judge_chase(&a, &b, &exact, &told, &times, &places, &normals);
        double begin = real_double(real_sub(exact.reach, real3_length(exact.start)));
        double along = real_double(real3_dot(exact.start, exact.way));
        uint32_t motion = begin < 0 || along < 0 ? SIDLE_PASSAGE_APPROACHING
                          : exact.speed > 0      ? SIDLE_PASSAGE_SEPARATING
                                                 : SIDLE_PASSAGE_STAYING;
        note_wrong(&motions,
                   told.motion == motion || fabs(begin) < noise || fabs(along) < noise * exact.speed);
        note_wrong(&motions, told.first <= told.last && told.first >= 0 && told.last <= 1);
    }
    conclude_verdicts(&verdicts, "sweep spheres, verdict");
    conclude(&times, "sweep spheres, times (of what is allowed)", 1);
    conclude(&places, "sweep spheres, centres (u size)", 6);
    conclude(&normals, "sweep spheres, normal (u)", 4);
    conclude(&motions, "sweep spheres, motion", 1);
}

Test(intersect_sphere, moving_spheres_the_other_way_round_pass_in_the_same_bits)
{
    Random random = random_seeded(708);
    uint32_t wrong = 0, hits = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_moving_sphere a, b;
        sidle_passage one, two;
        draw_chase(&random, &a, &b);
        bool told = sidle_sphere_sphere_sweep(&a, &b, &one), other = sidle_sphere_sphere_sweep(&b, &a, &two);
        bool even = a.radius == b.radius; /* equal and concentric: nothing says which is which */
        wrong += told != other;
        hits += told;
        wrong += told && other &&
                 (one.first != two.first || one.last != two.last || one.motion != two.motion ||
                  (!is_opposite(one.normal, two.normal) && !even) ||
                  !same_vector(one.centers_a[0], two.centers_b[0]) ||
                  !same_vector(one.points[0], two.points[0]) || !same_vector(one.points[1], two.points[1]));
    }
    cr_expect_eq(wrong, 0, "%u of %u", wrong, hits);
    cr_expect(hits > 5000);
}

/* A sweep says the same of its start and its end as the test at rest. */
Test(intersect_sphere, what_touches_at_rest_touches_at_the_ends_of_a_sweep)
{
    Random random = random_seeded(709);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 50000; ++i)
    {
        sidle_moving_sphere a, b;
        sidle_plane plane;
        sidle_passage passage = {.first = -1};
        draw_chase(&random, &a, &b);
        bool begins =
            sidle_sphere_sphere(&(sidle_sphere){a.from, a.radius}, &(sidle_sphere){b.from, b.radius}, NULL);
        bool ends =
            sidle_sphere_sphere(&(sidle_sphere){a.to, a.radius}, &(sidle_sphere){b.to, b.radius}, NULL);
        bool told = sidle_sphere_sphere_sweep(&a, &b, &passage);
        wrong += (begins || ends) && !told;
        wrong += told && ((begins && passage.first != 0) || (ends && passage.last != 1));
        draw_fall(&random, &a, &plane);
        begins = sidle_sphere_plane(&(sidle_sphere){a.from, a.radius}, &plane, NULL);
        ends = sidle_sphere_plane(&(sidle_sphere){a.to, a.radius}, &plane, NULL);
        told = sidle_sphere_plane_sweep(&a, &plane, &passage);
        wrong += (begins || ends) && !told;
        wrong += told && ((begins && passage.first != 0) || (ends && passage.last != 1));
    }
    cr_expect_eq(wrong, 0);
}

/* ---- every function: NaN, infinities, scale ---- */

static bool write_touch(bool hit, const sidle_touch *touch, double *out)
{
    if (hit)
    {
        memcpy(out, &touch->normal, 3 * sizeof *out);
        memcpy(out + 3, &touch->points[0], 3 * sizeof *out);
        out[6] = touch->depth;
        out[7] = touch->depths[0];
    }
    return hit;
}

static bool write_passage(bool hit, const sidle_passage *passage, double *out)
{
    if (hit)
    {
        out[0] = passage->first;
        out[1] = passage->last;
        out[2] = (double)passage->motion;
        memcpy(out + 3, &passage->normal, 3 * sizeof *out);
        memcpy(out + 6, passage->points, 6 * sizeof *out);
        memcpy(out + 12, passage->centers_a, 6 * sizeof *out);
        memcpy(out + 18, passage->centers_b, 6 * sizeof *out);
    }
    return hit;
}

static bool ask_spheres(const double *in, double *out)
{
    sidle_sphere pair[2];
    sidle_touch touch;
    memcpy(pair, in, sizeof pair);
    return write_touch(sidle_sphere_sphere(&pair[0], &pair[1], &touch), &touch, out);
}

static bool ask_plane(const double *in, double *out)
{
    sidle_sphere sphere;
    sidle_plane plane;
    sidle_touch touch;
    memcpy(&sphere, in, sizeof sphere);
    memcpy(&plane, in + 4, sizeof plane);
    return write_touch(sidle_sphere_plane(&sphere, &plane, &touch), &touch, out);
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

static bool ask_chase(const double *in, double *out)
{
    sidle_moving_sphere pair[2];
    sidle_passage passage;
    memcpy(pair, in, sizeof pair);
    return write_passage(sidle_sphere_sphere_sweep(&pair[0], &pair[1], &passage), &passage, out);
}

static bool ask_slerp(const double *in, double *out)
{
    sidle_dquat turns[2], turn;
    memcpy(turns, in, sizeof turns);
    bool told = sidle_slerp(&turns[0], &turns[1], in[8], &turn);
    if (told)
    {
        memcpy(out, &turn, sizeof turn);
    }
    return told;
}

typedef struct Question
{
    bool (*ask)(const double *in, double *out);
    size_t in_count, out_count;
    double in[19];
    int powers[19], out_powers[28];
} Question;

#define PASSAGE_POWERS 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
#define MOVING_POWERS  1, 1, 1, 1, 1, 1, 1

static const Question questions[] = {
    {ask_spheres, 8, 8, {1, 2, 3, 1.7, 2, 3, 4, 0.9}, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1}},
    {ask_spheres, 8, 8, {1, 2, 3, 1.7, 1, 2, 3, 0.9}, {1, 1, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1}},
    {ask_plane, 8, 8, {1, 2, 3, 1.7, 0.6, 0.8, 0, 1}, {1, 1, 1, 1, 0, 0, 0, 1}, {0, 0, 0, 1, 1, 1, 1, 1}},
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
    {ask_chase,
     14,
     24,
     {1, 2, 3, 9, 9, 9, 0.7, 5, 4, 3, 2, 1, 9, 3.3},
     {MOVING_POWERS, MOVING_POWERS},
     {PASSAGE_POWERS}},
    {ask_chase,
     14,
     24,
     {1, 2, 3, 9, 9, 9, 3.7, 5, 4, 3, 2, 1, 9, 3.3},
     {MOVING_POWERS, MOVING_POWERS},
     {PASSAGE_POWERS}},
    {ask_chase,
     14,
     24,
     {0, 0, 0, 4, 4, 4, 0, 4, 4, 4, 0, 0, 0, 0},
     {MOVING_POWERS, MOVING_POWERS},
     {PASSAGE_POWERS}},
    {ask_slerp, 9, 4, {1, 2, 3, 4, -3, 1, 1, 7, 0.3}, {1, 1, 1, 1, 1, 1, 1, 1, 0}, {0, 0, 0, 0}},
};

Test(intersect_sphere, what_is_no_number_has_no_answer)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i)
    {
        Question question = questions[i];
        double out[32];
        cr_expect(question.ask(question.in, out), "question %zu is no hit", i);
        uint32_t wrong = count_false_hits(question.in, question.in_count, question.ask, question.out_count);
        cr_expect_eq(wrong, 0, "question %zu: %u", i, wrong);
    }
}

Test(intersect_sphere, the_unit_of_length_changes_no_bit)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i)
    {
        const Question *q = &questions[i];
        uint32_t wrong =
            count_scale_changes(q->in, q->powers, q->in_count, q->ask, q->out_powers, q->out_count);
        cr_expect_eq(wrong, 0, "question %zu: %u", i, wrong);
    }
}

/* ---- the same bits ---- */

static uint64_t stirred(uint64_t hash, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        uint64_t bits;
        double number = numbers[i] + 0.0; /* -0 and 0 are one answer */
        memcpy(&bits, &number, sizeof bits);
        hash = (hash ^ bits) * 0x100000001B3u;
        hash ^= hash >> 29;
    }
    return hash;
}

/* What all compilers and machines compute, recorded once. The input comes without a function of the system's. */
Test(intersect_sphere, answers_have_the_same_bits_everywhere)
{
    Random random = random_seeded(710);
    uint64_t turns = 0, passages = 0;
    uint32_t hits = 0;
    for (uint32_t i = 0; i < 10000; ++i)
    {
        double in[14], out[32] = {0};
        for (int k = 0; k < 14; ++k)
        {
            in[k] = random_between(&random, k == 6 || k == 13 ? 0 : -4, 4);
        }
        in[8] = random_unit(&random);
        cr_assert(ask_slerp(in, out));
        turns = stirred(turns, out, 4);
        if (ask_chase(in, out))
        {
            passages = stirred(passages, out, 24);
            hits += 1;
        }
    }
    cr_expect_eq(turns, UINT64_C(0x5a10d741e04acc22), "%#llx", (unsigned long long)turns);
    cr_expect_eq(passages, UINT64_C(0xd5debd9c4b1d76c4), "%#llx", (unsigned long long)passages);
    cr_expect(hits > 3000);
}
