/* Lines and segments against MPFR, against whole numbers, and against what is printed. SIDLE_QUERIES says how
 * many. */
#include "sidle/intersect/line.h"

#include "support/intersect_line_drawn.h"
#include "support/intersect_line_printed.h"
#include "support/intersect_number.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT 0x1p-53

static sidle_segment2 segment2(double ax, double ay, double bx, double by)
{
    return (sidle_segment2){{ax, ay}, {bx, by}};
}

static sidle_segment segment(double ax, double ay, double az, double bx, double by, double bz)
{
    return (sidle_segment){{ax, ay, az}, {bx, by, bz}};
}

/* ---- in the plane ---- */

Test(intersect_line, segments_in_the_plane_name_each_case)
{
    sidle_segment2 p = segment2(0, 0, 4, 2);
    sidle_meeting2 m;
    sidle_segment2 q = segment2(0, 2, 4, 0);
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_CROSSING);
    cr_expect(m.s[0] == .5 && m.t[1] == .5 && m.points[0].x == 2 && m.points[1].y == 1);
    q = segment2(4, 2, 9, 9); /* at an end */
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_CROSSING);
    cr_expect(m.s[0] == 1 && m.t[0] == 0 && m.points[0].x == 4 && m.points[0].y == 2);
    q = segment2(6, 3, 2, 1); /* against it */
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_COLLINEAR);
    cr_expect(m.s[0] == .5 && m.s[1] == 1 && m.t[0] == 1 && m.t[1] == .5 && m.points[1].x == 4);
    q = segment2(6, 3, 4, 2); /* end to end */
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_COLLINEAR);
    cr_expect(m.s[0] == 1 && m.s[1] == 1 && m.t[0] == 1);
    q = segment2(6, 3, 8, 4);
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_APART);
    q = segment2(0, 1, 4, 3);
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_PARALLEL);
    q = segment2(5, 0, 5, 9);
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_APART);
    q = segment2(2, 1, 2, 1);
    cr_expect_eq(sidle_segment2_segment2(&p, &q, &m), SIDLE_LINES_POINT);
    cr_expect(m.s[0] == .5 && m.t[0] == 0 && m.points[0].x == 2);
    cr_expect_eq(sidle_segment2_segment2(&q, &q, NULL), SIDLE_LINES_POINT);
    q = segment2(2, 1.5, 2, 1.5);
    cr_expect_eq(sidle_segment2_segment2(&p, &q, NULL), SIDLE_LINES_APART);
}

Test(intersect_line, lines_in_the_plane_name_each_case)
{
    sidle_segment2 p = segment2(0, 0, 2, 0), q = segment2(5, 1, 5, 3);
    sidle_meeting2 m = {0};
    cr_expect_eq(sidle_line2_line2(&p, &q, &m), SIDLE_LINES_CROSSING);
    cr_expect(m.s[0] == 2.5 && m.t[0] == -.5 && m.points[0].x == 5 && m.points[0].y == 0);
    q = segment2(0, 1, -7, 1);
    cr_expect_eq(sidle_line2_line2(&p, &q, &m), SIDLE_LINES_PARALLEL);
    q = segment2(9, 0, -7, 0);
    cr_expect_eq(sidle_line2_line2(&p, &q, &m), SIDLE_LINES_COLLINEAR);
    q = segment2(9, 0, 9, 0);
    cr_expect_eq(sidle_line2_line2(&p, &q, &m), SIDLE_LINES_POINT);
    cr_expect_eq(m.s[0], 4.5);
    q = segment2(9, 1, 9, 1);
    cr_expect_eq(sidle_line2_line2(&p, &q, &m), SIDLE_LINES_APART);
    cr_expect_eq(sidle_line2_line2(&q, &q, &m), SIDLE_LINES_POINT);
    q = segment2(0, 0x1p-40, 1, 0x1p-40 + 0x1p-92); /* one last bit off parallel: they cross 2^52 away */
    cr_expect_eq(sidle_line2_line2(&p, &q, &m), SIDLE_LINES_CROSSING);
    cr_expect_eq(m.t[0], -0x1p52);
}

/* Printed: |cross| < 1e-6 is parallel. */
Test(intersect_line, small_crossing_segments_cross_where_the_printed_epsilon_says_parallel)
{
    const double p[4] = {-5e-4, 0, 5e-4, 0}, q[4] = {0, -5e-4, 0, 4e-4};
    double s, t;
    cr_expect_not(printed_segments_cross(p, q, &s, &t), "at right angles, a millimetre long, in metres");
    sidle_segment2 a = segment2(p[0], p[1], p[2], p[3]), b = segment2(q[0], q[1], q[2], q[3]);
    sidle_meeting2 m;
    cr_expect_eq(sidle_segment2_segment2(&a, &b, &m), SIDLE_LINES_CROSSING);
    cr_expect_eq(m.s[0], .5);
    /* And the other way: what is parallel at size 1 is not at size 1e6, by the same epsilon. */
    const double near_p[4] = {0, 0, 1, 0}, near_q[4] = {0, -1e-7, 1, 1e-7};
    const double far_p[4] = {0, 0, 1e6, 0}, far_q[4] = {0, -1e-1, 1e6, 1e-1};
    cr_expect_not(printed_segments_cross(near_p, near_q, &s, &t));
    cr_expect(printed_segments_cross(far_p, far_q, &s, &t));
    a = segment2(0, 0, 1, 0), b = segment2(0, -1e-7, 1, 1e-7);
    cr_expect_eq(sidle_segment2_segment2(&a, &b, NULL), SIDLE_LINES_CROSSING);
}

typedef struct Whole
{
    int64_t ax, ay, bx, by;
} Whole;

static sidle_segment2 in_double(Whole w)
{
    return segment2((double)w.ax, (double)w.ay, (double)w.bx, (double)w.by);
}

static bool is_between(int64_t top, int64_t bottom)
{
    return bottom > 0 ? top >= 0 && top <= bottom : top <= 0 && top >= bottom;
}

static int64_t cross_whole(int64_t ax, int64_t ay, int64_t bx, int64_t by)
{
    return ax * by - ay * bx;
}

/* On one line: by intervals along x + 17 y, which tells lattice points of a line apart. */
static bool whole_share(Whole p, Whole q)
{
    int64_t pa = p.ax + 17 * p.ay, pb = p.bx + 17 * p.by, qa = q.ax + 17 * q.ay, qb = q.bx + 17 * q.by;
    int64_t low_p = pa < pb ? pa : pb, high_p = pa < pb ? pb : pa;
    int64_t low_q = qa < qb ? qa : qb, high_q = qa < qb ? qb : qa;
    return low_p <= high_q && low_q <= high_p;
}

static sidle_line_case whole_case(Whole p, Whole q, double *s, double *t)
{
    int64_t ux = p.bx - p.ax, uy = p.by - p.ay, vx = q.bx - q.ax, vy = q.by - q.ay;
    int64_t wx = q.ax - p.ax, wy = q.ay - p.ay, below = cross_whole(ux, uy, vx, vy);
    bool is_point = (!ux && !uy) || (!vx && !vy);
    if (below)
    {
        int64_t top_s = cross_whole(wx, wy, vx, vy), top_t = cross_whole(wx, wy, ux, uy);
        *s = (double)top_s / (double)below + 0, *t = (double)top_t / (double)below + 0;
        return is_between(top_s, below) && is_between(top_t, below) ? SIDLE_LINES_CROSSING
                                                                    : SIDLE_LINES_APART;
    }
    if (cross_whole(wx, wy, ux, uy) || cross_whole(wx, wy, vx, vy))
    {
        return is_point ? SIDLE_LINES_APART : SIDLE_LINES_PARALLEL;
    }
    return !whole_share(p, q) ? SIDLE_LINES_APART : is_point ? SIDLE_LINES_POINT : SIDLE_LINES_COLLINEAR;
}

Test(intersect_line, whole_numbers_give_the_case_and_the_parameters_of_whole_numbers)
{
    Random random = random_seeded(11);
    uint32_t seen[SIDLE_LINES_POINT + 1] = {0};
    for (uint32_t i = 0; i < query_count(50000); ++i)
    {
        Whole w[2];
        int64_t span = i % 4 ? 5 : 2001;
        for (int k = 0; k < 2; ++k)
        {
            w[k].ax = random_below(&random, (uint32_t)span);
            w[k].ay = random_below(&random, (uint32_t)span);
            w[k].bx = random_below(&random, (uint32_t)span);
            w[k].by = random_below(&random, (uint32_t)span);
        }
        sidle_segment2 p = in_double(w[0]), q = in_double(w[1]);
        sidle_meeting2 m;
        double s = 0, t = 0;
        sidle_line_case found = sidle_segment2_segment2(&p, &q, &m), truth = whole_case(w[0], w[1], &s, &t);
        cr_assert_eq(found, truth, "%d for %d", found, truth);
        cr_assert(found != SIDLE_LINES_CROSSING || (m.s[0] == s && m.t[0] == t));
        ++seen[found];
    }
    cr_expect(seen[SIDLE_LINES_APART] && seen[SIDLE_LINES_PARALLEL] && seen[SIDLE_LINES_CROSSING] &&
              seen[SIDLE_LINES_COLLINEAR] && seen[SIDLE_LINES_POINT]);
}

static Number turn_of(NumberVector a, NumberVector b)
{
    return number_sub(number_mul(a.x, b.y), number_mul(a.y, b.x));
}

static double units_of(double found, Number truth)
{
    double size = fabs(number_double(truth));
    return size > 0 ? number_error(truth, found) / size / UNIT : found == 0 ? 0 : INFINITY;
}

/* Not the product's way, four sides, but s and t as fractions. */
static bool judge_plane(const double at[12], double *worst_s, double *worst_point)
{
    sidle_segment2 p = segment2(at[0], at[1], at[3], at[4]), q = segment2(at[6], at[7], at[9], at[10]);
    sidle_meeting2 m, line;
    number_begin();
    NumberVector a = number_vector(vector(at[0], at[1], 0)), c = number_vector(vector(at[6], at[7], 0));
    NumberVector u = number_vector_sub(number_vector(vector(at[3], at[4], 0)), a);
    NumberVector v = number_vector_sub(number_vector(vector(at[9], at[10], 0)), c);
    NumberVector w = number_vector_sub(c, a);
    Number below = turn_of(u, v);
    sidle_line_case found = sidle_segment2_segment2(&p, &q, &m), lines = sidle_line2_line2(&p, &q, &line);
    if (number_sign(below) == 0)
    {
        return found != SIDLE_LINES_CROSSING && lines != SIDLE_LINES_CROSSING;
    }
    int sign = number_sign(below);
    Number top_s = turn_of(w, v), top_t = turn_of(w, u);
    bool crosses = number_sign(top_s) * sign >= 0 && number_sign(number_sub(below, top_s)) * sign >= 0 &&
                   number_sign(top_t) * sign >= 0 && number_sign(number_sub(below, top_t)) * sign >= 0;
    if (crosses != (found == SIDLE_LINES_CROSSING) || lines != SIDLE_LINES_CROSSING)
    {
        return false;
    }
    Number s = number_div(top_s, below), t = number_div(top_t, below);
    *worst_s = fmax(*worst_s, fmax(units_of(line.s[0], s), units_of(line.t[0], t)));
    if (crosses)
    {
        NumberVector point = number_vector_add(a, number_vector_scale(u, s));
        double size = fmax(fmax(fabs(at[0]) + fabs(at[1]), fabs(at[3]) + fabs(at[4])),
                           fmax(fabs(at[6]) + fabs(at[7]), fabs(at[9]) + fabs(at[10])));
        *worst_s = fmax(*worst_s, fmax(units_of(m.s[0], s), units_of(m.t[0], t)));
        *worst_point = fmax(*worst_point,
                            fmax(number_error(point.x, m.points[0].x), number_error(point.y, m.points[0].y)) /
                                size / UNIT);
    }
    return true;
}

Test(intersect_line, every_verdict_in_the_plane_is_exact)
{
    Random random = random_seeded(12);
    double worst = 0, worst_point = 0, at[12];
    uint32_t count = number_available() ? query_count(50000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        cr_assert(judge_plane(at, &worst, &worst_point), "query %u", i);
    }
    printf("line: %u pairs in the plane, s and t off by at most %.2f u of themselves, points by %.2f u S\n",
           count, worst, worst_point);
    cr_expect(worst <= 6 && worst_point <= 8);
}

/* ---- in space ---- */

Test(intersect_line, segments_in_space_name_each_case)
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

Test(intersect_line, lines_in_space_name_each_case)
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
        fmax(worst->distance, number_error(number_sqrt(distance2), sqrt(n.distance_squared)) / size / UNIT);
    Number apart = number_length(
        number_vector_sub(number_vector_add(truth.w, number_vector_scale(truth.v, number_of(n.t))),
                          number_vector_scale(truth.u, number_of(n.s))));
    worst->points =
        fmax(worst->points, number_error(number_sqrt(distance2), number_double(apart)) / size / UNIT);
    Vector ends[4];
    memcpy(ends, at, sizeof ends);
    double printed = printed_segments_nearest(ends, ends + 2, 0, &s, &t);
    worst->printed = fmax(worst->printed, number_error(number_sqrt(distance2), sqrt(printed)) / size / UNIT);
    ++worst->cases[found];
    return found == true_case(&truth, distance2) && n.s >= 0 && n.s <= 1 && n.t >= 0 && n.t <= 1;
}

Test(intersect_line, segments_find_their_distance_however_small_the_angle)
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
    cr_expect(!count || (worst.cases[SIDLE_LINES_CROSSING] && worst.cases[SIDLE_LINES_COLLINEAR] &&
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
    worst->lines = fmax(worst->lines, units_of(n.distance_squared, distance2));
    NumberVector apart =
        number_vector_sub(number_vector_add(truth.w, number_vector_scale(truth.v, number_of(n.t))),
                          number_vector_scale(truth.u, number_of(n.s)));
    double size = number_double(number_length(truth.w)) + fabs(n.s) * number_double(number_length(truth.u)) +
                  fabs(n.t) * number_double(number_length(truth.v));
    if (size > 0)
    {
        double error = number_error(number_sqrt(distance2), number_double(number_length(apart)));
        worst->points = fmax(worst->points, error / size / UNIT);
    }
    return found == (number_sign(truth.det) ? SIDLE_LINES_SKEW : SIDLE_LINES_CROSSING);
}

Test(intersect_line, lines_find_their_distance_however_small_the_angle)
{
    Random random = random_seeded(14);
    Worst worst = {0};
    double at[12];
    uint32_t count = number_available() ? query_count(50000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        for (int axis = 0; axis < 3 && i % 3;
             ++axis) /* directions between ends, else the far ends themselves */
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
Test(intersect_line, nearly_parallel_crossing_segments_meet_where_the_printed_form_stays_off)
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
Test(intersect_line, short_segments_are_no_points)
{
    const Vector p[2] = {{0, 0, 0}, {9e-4, 0, 0}}, q[2] = {{5e-4, -1e-4, 0}, {5e-4, 1e-4, 0}};
    double s, t;
    cr_expect_gt(printed_segments_nearest(p, q, 1e-6, &s, &t), 0);
    sidle_segment a = segment(0, 0, 0, 9e-4, 0, 0), b = segment(5e-4, -1e-4, 0, 5e-4, 1e-4, 0);
    cr_expect_eq(sidle_segment_segment(&a, &b, NULL), SIDLE_LINES_CROSSING);
}

/* ---- what all of them promise ---- */

typedef struct All /* the answers of all four to twelve numbers */
{
    int cases[4];
    sidle_meeting2 meetings[2];
    sidle_nearest nearest[2];
} All;

static All all_of(const double at[12], bool turned)
{
    All all;
    memset(&all, 0, sizeof all);
    int p = turned ? 6 : 0, q = 6 - p;
    sidle_segment2 p2 = segment2(at[p], at[p + 1], at[p + 3], at[p + 4]);
    sidle_segment2 q2 = segment2(at[q], at[q + 1], at[q + 3], at[q + 4]);
    sidle_ray rays[2];
    sidle_segment segments[2];
    memcpy(&rays[0], at + p, sizeof *rays);
    memcpy(&rays[1], at + q, sizeof *rays);
    memcpy(&segments[0], at + p, sizeof *segments);
    memcpy(&segments[1], at + q, sizeof *segments);
    all.cases[0] = sidle_line2_line2(&p2, &q2, &all.meetings[0]);
    all.cases[1] = sidle_segment2_segment2(&p2, &q2, &all.meetings[1]);
    all.cases[2] = sidle_line_line(&rays[0], &rays[1], &all.nearest[0]);
    all.cases[3] = sidle_segment_segment(&segments[0], &segments[1], &all.nearest[1]);
    return all;
}

static All turned_round(All all)
{
    for (int i = 0; i < 2; ++i)
    {
        sidle_meeting2 m = all.meetings[i];
        sidle_nearest n = all.nearest[i];
        memcpy(all.meetings[i].s, m.t, sizeof m.t);
        memcpy(all.meetings[i].t, m.s, sizeof m.s);
        all.nearest[i] = (sidle_nearest){n.t, n.s, n.distance_squared, n.q, n.p};
    }
    return all;
}

Test(intersect_line, asking_the_other_way_round_gives_the_same_bits)
{
    Random random = random_seeded(15);
    double at[12];
    for (uint32_t i = 0; i < query_count(50000); ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        All one = all_of(at, false), other = turned_round(all_of(at, true));
        cr_assert(!memcmp(&one, &other, sizeof one), "query %u", i);
    }
}

static void scale_lengths(All *all, double by)
{
    for (int i = 0; i < 2; ++i)
    {
        double *places[] = {&all->meetings[i].points[0].x, &all->meetings[i].points[0].y,
                            &all->meetings[i].points[1].x, &all->meetings[i].points[1].y,
                            &all->nearest[i].p.x,          &all->nearest[i].p.y,
                            &all->nearest[i].p.z,          &all->nearest[i].q.x,
                            &all->nearest[i].q.y,          &all->nearest[i].q.z};
        for (size_t k = 0; k < sizeof places / sizeof *places; ++k)
        {
            *places[k] *= by;
        }
        all->nearest[i].distance_squared *= by * by;
    }
}

Test(intersect_line, a_scene_scaled_by_a_power_of_two_keeps_its_bits)
{
    Random random = random_seeded(16);
    double at[12], scaled[12];
    for (uint32_t i = 0; i < query_count(20000); ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        double by = ldexp(1, (int)random_below(&random, 361) - 180);
        for (int k = 0; k < 12; ++k)
        {
            scaled[k] = at[k] * by;
        }
        All one = all_of(at, false), other = all_of(scaled, false);
        scale_lengths(&one, by);
        cr_assert(!memcmp(&one, &other, sizeof one), "query %u", i);
    }
}

Test(intersect_line, no_number_in_the_input_no_answer)
{
    Random random = random_seeded(17);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    double at[12];
    All untouched;
    for (int i = 0; i < 3 * 12 * 70; ++i)
    {
        int k = i / 3 % 12;
        drawn_pair(&random, i / 36 % DRAWN_KINDS, at);
        at[k] = bad[i % 3];
        memset(&untouched, 0, sizeof untouched);
        All all = all_of(at, false);
        bool flat = k % 3 == 2; /* the plane does not see z */
        cr_assert(all.cases[2] == SIDLE_LINES_NONE && all.cases[3] == SIDLE_LINES_NONE);
        cr_assert(flat || (all.cases[0] == SIDLE_LINES_NONE && all.cases[1] == SIDLE_LINES_NONE));
        cr_assert(flat || !memcmp(all.meetings, untouched.meetings, sizeof all.meetings));
        cr_assert(!memcmp(all.nearest, untouched.nearest, sizeof all.nearest));
    }
}
