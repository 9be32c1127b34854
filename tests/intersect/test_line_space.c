/* Lines and segments in space against MPFR and against what is printed. SIDLE_QUERIES says how many. */
#include "sidle/intersect/line.h"

#include "intersect/support/line_drawn.h"
#include "intersect/support/line_printed.h"
#include "intersect/support/number.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT 0x1p-53

static sidle_segment segment(double ax, double ay, double az, double bx, double by, double bz)
{
    return (sidle_segment){{ax, ay, az}, {bx, by, bz}};
}

static double units_of(double found, Number truth)
{
    double size = fabs(number_double(truth));
    return size > 0 ? number_error(truth, found) / size / UNIT : found == 0 ? 0 : INFINITY;
}

Test(intersect_line_space, segments_in_space_name_each_case)
{
    sidle_segment p = segment(0, 0, 0, 4, 0, 0), q = segment(1, -1, 2, 1, 3, 2);
    sidle_nearest n;
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_SKEW);
    cr_expect(n.s == .25 && n.t == .25 && n.distance_squared == 4 && n.p.x == 1 && n.q.z == 2);
    q = segment(1, -1, 0, 1, 3, 0);
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_CROSSING);
    cr_expect(n.s == .25 && n.t == .25 && n.distance_squared == 0);
    q = segment(1, 1, 0, 1, 3, 0);
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_APART);
    cr_expect(n.s == .25 && n.t == 0 && n.distance_squared == 1);
    q = segment(3, 1, 0, 9, 1, 0);
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_PARALLEL);
    cr_expect(n.distance_squared == 1 && n.p.x == n.q.x);
    q = segment(3, 0, 0, 9, 0, 0);
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_COLLINEAR);
    cr_expect(n.distance_squared == 0 && n.s == .75 && n.t == 0);
    q = segment(5, 0, 0, 9, 0, 0);
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_APART);
    cr_expect(n.distance_squared == 1 && n.s == 1 && n.t == 0);
    q = segment(2, 0, 0, 2, 0, 0);
    cr_expect_eq(sidle_segment_segment(&p, &q, &n), SIDLE_LINES_POINT);
    cr_expect(n.s == .5 && n.distance_squared == 0);
    q = segment(2, 3, 0, 2, 3, 0);
    cr_expect_eq(sidle_segment_segment(&q, &p, &n), SIDLE_LINES_APART);
    cr_expect(n.t == .5 && n.distance_squared == 9);
    cr_expect_eq(sidle_segment_segment(&q, &q, NULL), SIDLE_LINES_POINT);
}

Test(intersect_line_space, lines_in_space_name_each_case)
{
    sidle_ray p = {{0, 0, 0}, {2, 0, 0}}, q = {{3, 5, 7}, {0, 1, 0}};
    sidle_nearest n;
    cr_expect_eq(sidle_line_line(&p, &q, &n), SIDLE_LINES_SKEW);
    cr_expect(n.s == 1.5 && n.t == -5 && n.distance_squared == 49);
    q.origin.z = 0;
    cr_expect_eq(sidle_line_line(&p, &q, &n), SIDLE_LINES_CROSSING);
    cr_expect(n.distance_squared == 0 && n.p.x == 3 && n.q.y == 0);
    q = (sidle_ray){{3, 4, 0}, {-1, 0, 0}};
    cr_expect_eq(sidle_line_line(&p, &q, &n), SIDLE_LINES_PARALLEL);
    cr_expect(n.distance_squared == 16 && n.s == 0 && n.t == 3);
    q = (sidle_ray){{3, 0, 0}, {-1, 0, 0}};
    cr_expect_eq(sidle_line_line(&p, &q, &n), SIDLE_LINES_COLLINEAR);
    cr_expect_eq(n.distance_squared, 0);
    q = (sidle_ray){{3, 0, 0}, {0, 0, 0}};
    cr_expect_eq(sidle_line_line(&p, &q, &n), SIDLE_LINES_POINT);
    cr_expect(n.s == 1.5 && n.t == 0);
    q.origin.y = 2;
    cr_expect_eq(sidle_line_line(&q, &p, &n), SIDLE_LINES_APART);
    cr_expect(n.t == 1.5 && n.distance_squared == 4);
    cr_expect_eq(sidle_line_line(&q, &q, &n), SIDLE_LINES_POINT);
}

/* The oracle: feet of the four ends, and the inside where both parameters are inside. */
static Number least(Number so_far, NumberVector gap)
{
    return number_min(so_far, number_dot(gap, gap));
}

static Number to_segment(Number so_far, NumberVector from, NumberVector along)
{
    Number length2 = number_dot(along, along), t = number_of(0);
    if (number_sign(length2) > 0)
    {
        t = number_clamp(number_div(number_dot(from, along), length2), 0, 1);
    }
    return least(so_far, number_vector_sub(from, number_vector_scale(along, t)));
}

typedef struct Truth
{
    NumberVector u, v, w, n;
    Number n2, det, s, t; /* s and t of the lines, where n2 is not 0 */
} Truth;

static Truth truth_of(const double at[12])
{
    NumberVector ends[4];
    for (int i = 0; i < 4; ++i)
    {
        ends[i] = number_vector(vector(at[3 * i], at[3 * i + 1], at[3 * i + 2]));
    }
    Truth truth = {.u = number_vector_sub(ends[1], ends[0]),
                   .v = number_vector_sub(ends[3], ends[2]),
                   .w = number_vector_sub(ends[2], ends[0])};
    truth.n = number_cross(truth.u, truth.v);
    truth.n2 = number_dot(truth.n, truth.n);
    truth.det = number_dot(truth.w, truth.n);
    if (number_sign(truth.n2) > 0)
    {
        truth.s = number_div(number_dot(number_cross(truth.w, truth.v), truth.n), truth.n2);
        truth.t = number_div(number_dot(number_cross(truth.w, truth.u), truth.n), truth.n2);
    }
    return truth;
}

static bool is_in_unit(Number t)
{
    return number_sign(t) >= 0 && number_sign(number_sub(t, number_of(1))) <= 0;
}

static Number true_distance2(const Truth *truth)
{
    NumberVector minus_w = number_vector_scale(truth->w, number_of(-1));
    Number out = number_dot(truth->w, truth->w);
    out = to_segment(out, truth->w, truth->u);
    out = to_segment(out, number_vector_add(truth->w, truth->v), truth->u);
    out = to_segment(out, minus_w, truth->v);
    out = to_segment(out, number_vector_add(minus_w, truth->u), truth->v);
    if (number_sign(truth->n2) > 0 && is_in_unit(truth->s) && is_in_unit(truth->t))
    {
        out = number_min(out, number_div(number_mul(truth->det, truth->det), truth->n2));
    }
    return out;
}

static double size_of(const Truth *truth)
{
    return fmax(fmax(number_double(number_length(truth->u)), number_double(number_length(truth->v))),
                number_double(number_length(truth->w)));
}

static sidle_line_case true_case(const Truth *truth, Number distance2)
{
    bool point =
        number_sign(number_dot(truth->u, truth->u)) == 0 || number_sign(number_dot(truth->v, truth->v)) == 0;
    /* 0, or a rounding error of 2,200 bits. */
    double size = size_of(truth);
    bool shares = size == 0 || number_sign(number_sub(number_sqrt(distance2), number_of(size * 1e-240))) < 0;
    if (point)
    {
        return shares ? SIDLE_LINES_POINT : SIDLE_LINES_APART;
    }
    if (number_sign(truth->n2) == 0)
    {
        NumberVector off = number_cross(truth->w, truth->u);
        bool one_line = number_sign(number_dot(off, off)) == 0;
        return !one_line ? SIDLE_LINES_PARALLEL : shares ? SIDLE_LINES_COLLINEAR : SIDLE_LINES_APART;
    }
    return number_sign(truth->det) != 0 ? SIDLE_LINES_SKEW
           : shares                     ? SIDLE_LINES_CROSSING
                                        : SIDLE_LINES_APART;
}

typedef struct Worst
{
    double distance, points, lines, printed;
    uint32_t cases[SIDLE_LINES_POINT + 1];
} Worst;

static bool judge_segments(const double at[12], Worst *worst)
{
    sidle_segment p, q;
    sidle_nearest n;
    memcpy(&p, at, sizeof p);
    memcpy(&q, at + 6, sizeof q);
    number_begin();
    Truth truth = truth_of(at);
    Number distance2 = true_distance2(&truth);
    sidle_line_case found = sidle_segment_segment(&p, &q, &n);
    double size = size_of(&truth) + (size_of(&truth) == 0), s, t;
    worst->distance =
        worse(worst->distance, number_error(number_sqrt(distance2), sqrt(n.distance_squared)) / size / UNIT);
    Number apart = number_length(
        number_vector_sub(number_vector_add(truth.w, number_vector_scale(truth.v, number_of(n.t))),
                          number_vector_scale(truth.u, number_of(n.s))));
    worst->points =
        worse(worst->points, number_error(number_sqrt(distance2), number_double(apart)) / size / UNIT);
    Vector ends[4];
    memcpy(ends, at, sizeof ends);
    double printed = printed_segments_nearest(ends, ends + 2, 0, &s, &t);
    worst->printed = worse(worst->printed, number_error(number_sqrt(distance2), sqrt(printed)) / size / UNIT);
    ++worst->cases[found];
    return found == true_case(&truth, distance2) && n.s >= 0 && n.s <= 1 && n.t >= 0 && n.t <= 1;
}

Test(intersect_line_space, segments_find_their_distance_however_small_the_angle)
{
    Random random = random_seeded(13);
    Worst worst = {0};
    double at[12];
    uint32_t count = number_available() ? query_count(50000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        cr_assert(judge_segments(at, &worst), "query %u", i);
    }
    printf("line: %u pairs of segments, distance off by at most %.2f u S, that of the points at s and t by "
           "%.2f; as "
           "printed %.3g\n",
           count, worst.distance, worst.points, worst.printed);
    cr_expect(worst.distance <= 8 && worst.points <= 8);
    /* Of 10,000 pairs two are a point on the other. Fewer may not draw every case. */
    cr_expect(count < 10000 || (worst.cases[SIDLE_LINES_CROSSING] && worst.cases[SIDLE_LINES_COLLINEAR] &&
                                worst.cases[SIDLE_LINES_PARALLEL] && worst.cases[SIDLE_LINES_POINT]));
}

static bool judge_lines(const double at[12], Worst *worst)
{
    sidle_ray p = {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}};
    sidle_ray q = {{at[6], at[7], at[8]}, {at[9], at[10], at[11]}};
    sidle_nearest n;
    number_begin();
    double ends[12];
    memcpy(ends, at, sizeof ends);
    Truth truth = truth_of(ends);
    truth.u = number_vector(vector(at[3], at[4], at[5])); /* directions, not ends */
    truth.v = number_vector(vector(at[9], at[10], at[11]));
    truth.n = number_cross(truth.u, truth.v);
    truth.n2 = number_dot(truth.n, truth.n);
    truth.det = number_dot(truth.w, truth.n);
    sidle_line_case found = sidle_line_line(&p, &q, &n);
    if (number_sign(truth.n2) == 0)
    {
        return found != SIDLE_LINES_SKEW && found != SIDLE_LINES_CROSSING;
    }
    Number distance2 = number_div(number_mul(truth.det, truth.det), truth.n2);
    worst->lines = worse(worst->lines, units_of(n.distance_squared, distance2));
    NumberVector apart =
        number_vector_sub(number_vector_add(truth.w, number_vector_scale(truth.v, number_of(n.t))),
                          number_vector_scale(truth.u, number_of(n.s)));
    double size = number_double(number_length(truth.w)) + fabs(n.s) * number_double(number_length(truth.u)) +
                  fabs(n.t) * number_double(number_length(truth.v));
    if (size > 0)
    {
        double error = number_error(number_sqrt(distance2), number_double(number_length(apart)));
        worst->points = worse(worst->points, error / size / UNIT);
    }
    return found == (number_sign(truth.det) ? SIDLE_LINES_SKEW : SIDLE_LINES_CROSSING);
}

Test(intersect_line_space, lines_find_their_distance_however_small_the_angle)
{
    Random random = random_seeded(14);
    Worst worst = {0};
    double at[12];
    uint32_t count = number_available() ? query_count(50000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        /* Directions between ends, else the far ends themselves. */
        for (int axis = 0; axis < 3 && i % 3; ++axis)
        {
            at[3 + axis] -= at[axis];
            at[9 + axis] -= at[6 + axis];
        }
        cr_assert(judge_lines(at, &worst), "query %u", i);
    }
    printf("line: %u pairs of lines, squared distance off by at most %.2f u of itself, points by %.2f u S\n",
           count, worst.lines, worst.points);
    cr_expect(worst.lines <= 32 && worst.points <= 16);
}

/* Ericson's denominator a e - b b cancels; what is left of it decides s. */
Test(intersect_line_space, nearly_parallel_crossing_segments_touch_where_the_printed_form_is_off)
{
    const Vector p[2] = {{-1, 0, 0}, {1, 0, 0}}, q[2] = {{-1, -1e-7, 1e-3}, {1, 3e-7, 1e-3}};
    double s, t, printed = sqrt(printed_segments_nearest(p, q, 0, &s, &t));
    sidle_segment a = segment(-1, 0, 0, 1, 0, 0), b = segment(-1, -1e-7, 1e-3, 1, 3e-7, 1e-3);
    sidle_nearest n;
    cr_expect_eq(sidle_segment_segment(&a, &b, &n), SIDLE_LINES_SKEW);
    cr_expect(fabs(sqrt(n.distance_squared) - 1e-3) < 4 * UNIT);
    cr_expect(fabs(n.s - .25) < 1e-8, "s is %.17g", n.s);
    cr_expect(fabs(s - .25) > 1e-4, "as printed s is %.17g, the distance %.17g", s, printed);
}

/* An epsilon of squared length, as printed, makes points of segments that are short in the unit at hand. */
Test(intersect_line_space, short_segments_are_no_points)
{
    const Vector p[2] = {{0, 0, 0}, {9e-4, 0, 0}}, q[2] = {{5e-4, -1e-4, 0}, {5e-4, 1e-4, 0}};
    double s, t;
    cr_expect_gt(printed_segments_nearest(p, q, 1e-6, &s, &t), 0);
    sidle_segment a = segment(0, 0, 0, 9e-4, 0, 0), b = segment(5e-4, -1e-4, 0, 5e-4, 1e-4, 0);
    cr_expect_eq(sidle_segment_segment(&a, &b, NULL), SIDLE_LINES_CROSSING);
}
