#include "intersect/support/polygon.h"

#include "support/precise.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 Whole;

static int sign_of(Whole a)
{
    return (a > 0) - (a < 0);
}

static Whole turn(WholePoint a, WholePoint b, WholePoint p)
{
    return (Whole)(a.x - p.x) * (b.y - p.y) - (Whole)(a.y - p.y) * (b.x - p.x);
}

static bool is_on(WholePoint p, WholePoint a, WholePoint b)
{
    Whole back = (Whole)(a.x - p.x) * (b.x - p.x) + (Whole)(a.y - p.y) * (b.y - p.y);
    return turn(a, b, p) == 0 && back <= 0;
}

/* The ray's direction is (far, 1), turned by quarters: with far beyond twice the size of all coordinates no other
 * lattice point is on it. */
static bool is_crossed(WholePoint p, WholePoint a, WholePoint b, int quarters)
{
    const int64_t far = INT64_C(1) << 55;
    int64_t dx = far, dy = 1;
    for (int i = 0; i < quarters; ++i)
    {
        int64_t was = dx;
        dx = -dy;
        dy = was;
    }
    int side_a = sign_of((Whole)dx * (a.y - p.y) - (Whole)dy * (a.x - p.x));
    int side_b = sign_of((Whole)dx * (b.y - p.y) - (Whole)dy * (b.x - p.x));
    return side_a != side_b && sign_of(turn(a, b, p)) == (side_b > side_a ? 1 : -1);
}

sidle_location whole_locate(const WholeCase *asked)
{
    bool odd[4] = {false};
    uint32_t first = 0;
    for (uint32_t ring = 0; ring < asked->ring_count; ++ring)
    {
        uint32_t end = asked->ends[ring];
        for (uint32_t i = first; i < end; ++i)
        {
            WholePoint a = asked->points[i], b = asked->points[i + 1 < end ? i + 1 : first];
            if (is_on(asked->asked, a, b))
            {
                return SIDLE_BOUNDARY;
            }
            for (int quarters = 0; quarters < 4; ++quarters)
            {
                odd[quarters] ^= is_crossed(asked->asked, a, b, quarters);
            }
        }
        first = end;
    }
    if (odd[0] != odd[1] || odd[0] != odd[2] || odd[0] != odd[3])
    {
        abort(); /* the judge contradicts himself */
    }
    return odd[0] ? SIDLE_INSIDE : SIDLE_OUTSIDE;
}

double whole_area(const WholeCase *asked)
{
    Whole twice = 0;
    uint32_t first = 0;
    for (uint32_t ring = 0; ring < asked->ring_count; ++ring)
    {
        uint32_t end = asked->ends[ring];
        for (uint32_t i = first; i < end; ++i)
        {
            WholePoint a = asked->points[i], b = asked->points[i + 1 < end ? i + 1 : first];
            twice += (Whole)a.x * b.y - (Whole)a.y * b.x;
        }
        first = end;
    }
    return (double)twice / 2;
}

#ifdef SIDLE_HAVE_MPFR

#include <mpfr.h>

#define BITS 2048 /* of coordinates from 1e-60 to 1e60: differences of 460, products of four of those */

typedef mpfr_t Precise[3];

static void begin(Precise *numbers, int count)
{
    for (int i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            mpfr_init2(numbers[i][axis], BITS);
            mpfr_set_zero(numbers[i][axis], 1);
        }
    }
}

static void end(Precise *numbers, int count)
{
    for (int i = 0; i < count; ++i)
    {
        for (int axis = 0; axis < 3; ++axis)
        {
            mpfr_clear(numbers[i][axis]);
        }
    }
}

static void between(Precise out, sidle_position from, sidle_position to)
{
    const double a[3] = {from.x, from.y, from.z}, b[3] = {to.x, to.y, to.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        mpfr_set_d(out[axis], b[axis], MPFR_RNDN);
        mpfr_sub_d(out[axis], out[axis], a[axis], MPFR_RNDN);
    }
}

static void cross(Precise out, Precise a, Precise b)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        int y = (axis + 1) % 3, z = (axis + 2) % 3;
        mpfr_fmms(out[axis], a[y], b[z], a[z], b[y], MPFR_RNDN);
    }
}

static int dot_sign(Precise a, Precise b)
{
    mpfr_t sum;
    mpfr_init2(sum, BITS);
    mpfr_mul(sum, a[0], b[0], MPFR_RNDN);
    mpfr_fma(sum, a[1], b[1], sum, MPFR_RNDN);
    mpfr_fma(sum, a[2], b[2], sum, MPFR_RNDN);
    int sign = mpfr_sgn(sum);
    mpfr_clear(sum);
    return (sign > 0) - (sign < 0);
}

int precise_side(sidle_dvec2 a, sidle_dvec2 b, sidle_dvec2 p)
{
    Precise n[3];
    begin(n, 3);
    between(n[0], (sidle_position){p.x, p.y, 0}, (sidle_position){a.x, a.y, 0});
    between(n[1], (sidle_position){p.x, p.y, 0}, (sidle_position){b.x, b.y, 0});
    cross(n[2], n[0], n[1]);
    int sign = mpfr_sgn(n[2][2]);
    end(n, 3);
    return (sign > 0) - (sign < 0);
}

static bool precise_on_segment(Precise n[5], sidle_position p, sidle_position a, sidle_position b)
{
    between(n[0], a, p);
    between(n[1], b, p);
    cross(n[2], n[0], n[1]);
    return dot_sign(n[2], n[2]) == 0 && dot_sign(n[0], n[1]) <= 0;
}

sidle_location precise_in_triangle(const SpaceCase *asked)
{
    const sidle_position *v = asked->triangle.corners;
    Precise n[5];
    int least = 1;
    begin(n, 5);
    between(n[0], v[0], v[1]);
    between(n[1], v[0], v[2]);
    cross(n[4], n[0], n[1]);
    bool flat = dot_sign(n[4], n[4]) == 0;
    bool on_edge = false;
    for (int i = 0; i < 3; ++i)
    {
        sidle_position a = v[i], b = v[(i + 1) % 3];
        between(n[0], a, b);
        between(n[1], a, asked->point);
        cross(n[2], n[0], n[1]);
        int side = dot_sign(n[2], n[4]);
        least = side < least ? side : least;
        on_edge = on_edge || (flat && precise_on_segment(n, asked->point, a, b));
    }
    end(n, 5);
    if (flat)
    {
        return on_edge ? SIDLE_BOUNDARY : SIDLE_OUTSIDE;
    }
    return least > 0 ? SIDLE_INSIDE : least == 0 ? SIDLE_BOUNDARY : SIDLE_OUTSIDE;
}

#else

int precise_side(sidle_dvec2 a, sidle_dvec2 b, sidle_dvec2 p)
{
    (void)a, (void)b, (void)p;
    abort(); /* the caller has not asked precise_available() */
}

sidle_location precise_in_triangle(const SpaceCase *asked)
{
    (void)asked;
    abort();
}

#endif

static Vector to_vector(sidle_position p)
{
    return vector(p.x, p.y, p.z);
}

static double distance_between(sidle_position a, sidle_position b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

void precise_closest_error(const SpaceCase *asked, const sidle_triangle_point *answer, double *of_distance,
                           double *of_size)
{
    Vector v[3];
    double size = 0, u = 0x1p-53;
    for (int i = 0; i < 3; ++i)
    {
        double far = distance_between(asked->triangle.corners[i], asked->point);
        v[i] = to_vector(asked->triangle.corners[i]);
        size = far > size ? far : size;
    }
    double error = fabs(precise_excess(v, to_vector(asked->point), answer->distance));
    *of_distance = error > 0 ? error / (u * answer->distance) : 0;
    *of_size = error > 0 ? error / (u * size) : 0;
}
