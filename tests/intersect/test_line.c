/* Lines and segments in the plane against MPFR, against whole numbers, and against what is printed.
 * SIDLE_QUERIES says how many. */
#include "sidle/intersect/line.h"

#include "intersect/support/line_drawn.h"
#include "intersect/support/line_printed.h"
#include "intersect/support/number.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>

#define UNIT 0x1p-53

static sidle_segment2 segment2(double ax, double ay, double bx, double by)
{
    return (sidle_segment2){{ax, ay}, {bx, by}};
}

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
Test(intersect_line, small_crossing_segments_cross_where_the_printed_epsilon_calls_them_parallel)
{
    const double p[4] = {-5e-4, 0, 5e-4, 0}, q[4] = {0, -5e-4, 0, 4e-4};
    double s, t;
    cr_expect_not(printed_segments_cross(p, q, &s, &t), "at right angles, a millimetre long, in metres");
    sidle_segment2 a = segment2(p[0], p[1], p[2], p[3]), b = segment2(q[0], q[1], q[2], q[3]);
    sidle_meeting2 m;
    cr_expect_eq(sidle_segment2_segment2(&a, &b, &m), SIDLE_LINES_CROSSING);
    cr_expect_eq(m.s[0], .5);
    /* And vice versa: what is parallel at size 1 is not at size 1e6, by the same epsilon. */
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

/* On one line: by intervals along x + 17 y, which differs for all lattice points of a line. */
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

/* Other than in the library, which uses four sides: s and t as fractions. */
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
    *worst_s = worse(*worst_s, worse(units_of(line.s[0], s), units_of(line.t[0], t)));
    if (crosses)
    {
        NumberVector point = number_vector_add(a, number_vector_scale(u, s));
        double size = fmax(fmax(fabs(at[0]) + fabs(at[1]), fabs(at[3]) + fabs(at[4])),
                           fmax(fabs(at[6]) + fabs(at[7]), fabs(at[9]) + fabs(at[10])));
        *worst_s = worse(*worst_s, worse(units_of(m.s[0], s), units_of(m.t[0], t)));
        *worst_point = worse(
            *worst_point,
            worse(number_error(point.x, m.points[0].x), number_error(point.y, m.points[0].y)) / size / UNIT);
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
