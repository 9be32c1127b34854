#include "support/precise.h"

#include <stdlib.h>

#ifdef SIDLE_HAVE_MPFR

#include <mpfr.h>

#define BITS 1024 /* corners of 2^-126 radii beside one of 1: products of four of them must not drown */

typedef struct Point
{
    mpfr_t at[3];
} Point;

/* All numbers of one question. */
typedef struct Work
{
    Point corner[3], from, to; /* the triangle; the path's ends */
    Point p, q, r, n, e, f;    /* scratch, each used by one function at a time as named there */
    mpfr_t a, b, c, d, s, t, least2, distance2;
} Work;

static void each_number(Work *work, void (*act)(mpfr_ptr number))
{
    Point *points[] = {&work->corner[0], &work->corner[1], &work->corner[2], &work->from, &work->to, &work->p,
                       &work->q,         &work->r,         &work->n,         &work->e,    &work->f};
    mpfr_ptr numbers[] = {work->a, work->b, work->c,      work->d,
                          work->s, work->t, work->least2, work->distance2};
    for (size_t i = 0; i < sizeof points / sizeof *points; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            act(points[i]->at[axis]);
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    {
        act(numbers[i]);
    }
}

static void begin_number(mpfr_ptr number)
{
    mpfr_init2(number, BITS);
}

static void end_number(mpfr_ptr number)
{
    mpfr_clear(number);
}

/* ---- vectors ---- */

static void set(Point *out, Vector v)
{
    mpfr_set_d(out->at[0], v.x, MPFR_RNDN);
    mpfr_set_d(out->at[1], v.y, MPFR_RNDN);
    mpfr_set_d(out->at[2], v.z, MPFR_RNDN);
}

static void sub(Point *out, const Point *a, const Point *b)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        mpfr_sub(out->at[axis], a->at[axis], b->at[axis], MPFR_RNDN);
    }
}

/* out += t v; out may not be v. */
static void add_scaled(Point *out, mpfr_t t, const Point *v)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        mpfr_fma(out->at[axis], t, v->at[axis], out->at[axis], MPFR_RNDN);
    }
}

static void dot(mpfr_t out, const Point *a, const Point *b)
{
    mpfr_mul(out, a->at[0], b->at[0], MPFR_RNDN);
    mpfr_fma(out, a->at[1], b->at[1], out, MPFR_RNDN);
    mpfr_fma(out, a->at[2], b->at[2], out, MPFR_RNDN);
}

static void cross(Point *out, const Point *a, const Point *b)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        int y = (axis + 1) % 3, z = (axis + 2) % 3;
        mpfr_fmms(out->at[axis], a->at[y], b->at[z], a->at[z], b->at[y], MPFR_RNDN);
    }
}

static void clamp_to_unit(mpfr_t t)
{
    if (!(mpfr_sgn(t) > 0))
    {
        mpfr_set_zero(t, 1);
    }
    else if (mpfr_cmp_ui(t, 1) > 0)
    {
        mpfr_set_ui(t, 1, MPFR_RNDN);
    }
}

static void note_distance2(Work *work)
{
    if (mpfr_less_p(work->distance2, work->least2))
    {
        mpfr_set(work->least2, work->distance2, MPFR_RNDN);
    }
}

/* ---- pairs ---- */

/* A point against the segment from `begin` to `end`. Uses p, e, a, b, t. */
static void point_to_segment(Work *work, const Point *point, const Point *begin, const Point *end)
{
    sub(&work->e, end, begin);
    sub(&work->p, begin, point);
    dot(work->a, &work->e, &work->e);
    mpfr_set_zero(work->t, 1);
    if (mpfr_sgn(work->a) > 0)
    {
        dot(work->b, &work->e, &work->p);
        mpfr_div(work->t, work->b, work->a, MPFR_RNDN);
        mpfr_neg(work->t, work->t, MPFR_RNDN);
        clamp_to_unit(work->t);
    }
    add_scaled(&work->p, work->t, &work->e);
    dot(work->distance2, &work->p, &work->p);
    note_distance2(work);
}

/* The normal of the triangle, unnormalised, into n. Uses p, q. */
static void find_normal(Work *work)
{
    sub(&work->p, &work->corner[1], &work->corner[0]);
    sub(&work->q, &work->corner[2], &work->corner[0]);
    cross(&work->n, &work->p, &work->q);
}

/* A point against the inside of the triangle, if it projects into that. Uses p, q, r, a, b; n is the normal.
 */
static void point_to_inside(Work *work, const Point *point)
{
    dot(work->a, &work->n, &work->n);
    if (!(mpfr_sgn(work->a) > 0))
    {
        return;
    }
    for (int i = 0; i < 3; ++i)
    {
        sub(&work->p, &work->corner[(i + 1) % 3], &work->corner[i]);
        sub(&work->q, point, &work->corner[i]);
        cross(&work->r, &work->p, &work->q);
        dot(work->b, &work->r, &work->n);
        if (mpfr_sgn(work->b) < 0)
        {
            return;
        }
    }
    dot(work->b, &work->q, &work->n);
    mpfr_sqr(work->b, work->b, MPFR_RNDN);
    mpfr_div(work->distance2, work->b, work->a, MPFR_RNDN);
    note_distance2(work);
}

static void point_to_triangle(Work *work, const Point *point)
{
    for (int i = 0; i < 3; ++i)
    {
        point_to_segment(work, point, &work->corner[i], &work->corner[(i + 1) % 3]);
    }
    find_normal(work);
    point_to_inside(work, point);
}

/* Where the lines of the path and of an edge are nearest to each other, if that is inside both; at the ends
 * the other pairs know better. C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.9. Uses p, e,
 * f, a, b, c, d, s, t. */
static void path_to_edge(Work *work, const Point *begin, const Point *end)
{
    sub(&work->e, &work->to, &work->from);
    sub(&work->f, end, begin);
    sub(&work->p, &work->from, begin);
    dot(work->a, &work->e, &work->e);
    dot(work->b, &work->f, &work->f);
    dot(work->c, &work->e, &work->f);
    mpfr_fmms(work->d, work->a, work->b, work->c, work->c, MPFR_RNDN); /* 0: parallel */
    if (!(mpfr_sgn(work->d) > 0))
    {
        return;
    }
    dot(work->s, &work->e, &work->p);
    dot(work->t, &work->f, &work->p);
    /* s = (c ft - b es) / d along the path, t = (a ft - c es) / d along the edge. */
    mpfr_fmms(work->b, work->c, work->t, work->b, work->s, MPFR_RNDN);
    mpfr_fmms(work->a, work->a, work->t, work->c, work->s, MPFR_RNDN);
    mpfr_div(work->s, work->b, work->d, MPFR_RNDN);
    mpfr_div(work->t, work->a, work->d, MPFR_RNDN);
    clamp_to_unit(work->s);
    clamp_to_unit(work->t);
    mpfr_neg(work->t, work->t, MPFR_RNDN);
    add_scaled(&work->p, work->s, &work->e);
    add_scaled(&work->p, work->t, &work->f);
    dot(work->distance2, &work->p, &work->p);
    note_distance2(work);
}

/* The path pierces the triangle: its ends on different sides, and its line passes all edges on one. Uses p,
 * q, r, a, b; n is the normal. */
static bool path_pierces(Work *work)
{
    sub(&work->p, &work->from, &work->corner[0]);
    sub(&work->q, &work->to, &work->corner[0]);
    dot(work->a, &work->p, &work->n);
    dot(work->b, &work->q, &work->n);
    if (mpfr_sgn(work->a) * mpfr_sgn(work->b) >= 0) /* an end on the plane is asked as a point */
    {
        return false;
    }
    int sides[3];
    for (int i = 0; i < 3; ++i)
    {
        sub(&work->p, &work->corner[i], &work->from);
        sub(&work->q, &work->corner[(i + 1) % 3], &work->from);
        cross(&work->r, &work->p, &work->q);
        sub(&work->p, &work->to, &work->from);
        dot(work->a, &work->p, &work->r);
        sides[i] = mpfr_sgn(work->a);
    }
    return (sides[0] >= 0 && sides[1] >= 0 && sides[2] >= 0) ||
           (sides[0] <= 0 && sides[1] <= 0 && sides[2] <= 0);
}

/* ---- questions ---- */

static void begin_work(Work *work, const Vector vertices[3], Vector start, Vector direction, double length)
{
    Point along;
    each_number(work, begin_number);
    for (int i = 0; i < 3; ++i)
    {
        set(&work->corner[i], vertices[i]);
        mpfr_init2(along.at[i], BITS);
    }
    set(&work->from, start);
    set(&work->to, start);
    set(&along, direction);
    mpfr_set_d(work->t, length, MPFR_RNDN);
    add_scaled(&work->to, work->t, &along);
    for (int i = 0; i < 3; ++i)
    {
        mpfr_clear(along.at[i]);
    }
    mpfr_set_inf(work->least2, 1);
}

/* The least distance so far, less `radius` (into b), as a double. Ends the work. */
static double end_work(Work *work, mpfr_t radius)
{
    mpfr_sqrt(work->a, work->least2, MPFR_RNDN);
    mpfr_sub(work->a, work->a, radius, MPFR_RNDN);
    double difference = mpfr_get_d(work->a, MPFR_RNDN);
    each_number(work, end_number);
    return difference;
}

/* What the whole path adds to what is known of its two ends. */
static void note_path(Work *work)
{
    for (int i = 0; i < 3; ++i)
    {
        point_to_segment(work, &work->corner[i], &work->from, &work->to);
        path_to_edge(work, &work->corner[i], &work->corner[(i + 1) % 3]);
    }
    find_normal(work);
    if (path_pierces(work))
    {
        mpfr_set_zero(work->least2, 1);
    }
}

bool precise_available(void)
{
    return true;
}

double precise_excess_at(const Vector vertices[3], Vector start, Vector direction, double time, double radius)
{
    Work work;
    begin_work(&work, vertices, start, direction, time);
    point_to_triangle(&work, &work.to);
    mpfr_set_d(work.s, radius, MPFR_RNDN);
    return end_work(&work, work.s);
}

double precise_excess(const Vector vertices[3], Vector point, double radius)
{
    return precise_excess_at(vertices, point, vector(0, 0, 0), 0.0, radius);
}

double precise_approach(const Vector vertices[3], Vector start, Vector direction, double length,
                        double radius)
{
    Work work;
    begin_work(&work, vertices, start, direction, length);
    point_to_triangle(&work, &work.from);
    point_to_triangle(&work, &work.to);
    note_path(&work);
    mpfr_set_d(work.s, radius, MPFR_RNDN);
    return end_work(&work, work.s);
}

double precise_depth(const Vector vertices[3], Vector start, Vector direction, double length, double radius)
{
    Work work;
    mpfr_t floor;
    mpfr_init2(floor, BITS);
    begin_work(&work, vertices, start, direction, length);
    point_to_triangle(&work, &work.from);
    mpfr_sqrt(floor, work.least2, MPFR_RNDN);
    if (mpfr_cmp_d(floor, radius) > 0)
    {
        mpfr_set_d(floor, radius, MPFR_RNDN);
    }
    point_to_triangle(&work, &work.to);
    note_path(&work);
    double depth = -end_work(&work, floor);
    mpfr_clear(floor);
    return depth;
}

#else

bool precise_available(void)
{
    return false;
}

double precise_excess(const Vector vertices[3], Vector point, double radius)
{
    return precise_excess_at(vertices, point, vector(0, 0, 0), 0.0, radius);
}

double precise_excess_at(const Vector vertices[3], Vector start, Vector direction, double time, double radius)
{
    return precise_depth(vertices, start, direction, time, radius);
}

double precise_approach(const Vector vertices[3], Vector start, Vector direction, double length,
                        double radius)
{
    return precise_depth(vertices, start, direction, length, radius);
}

double precise_depth(const Vector vertices[3], Vector start, Vector direction, double length, double radius)
{
    (void)vertices, (void)start, (void)direction, (void)length, (void)radius;
    abort(); /* the caller did not check precise_available */
}

#endif
