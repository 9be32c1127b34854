#include "check_shapes.h"

#include <math.h>
#include <string.h>

/* An overlap of less, of the squared distance at which two touch, is rounding. */
#define TOUCHES 1e-9

/* Each keeps two thirds of the range. */
#define HALVINGS 80

/* The square of how far two ellipsoids are apart, 1 where they touch, seen along the direction that `share` selects. */
static double separation(const double apart[3], const double a[3], const double b[3], double share)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
    {
        sum += apart[i] * apart[i] / ((1 - share) * a[i] * a[i] + share * b[i] * b[i]);
    }
    return share * (1 - share) * sum;
}

/* J. W. Perram, M. S. Wertheim, "Statistical mechanics of hard ellipsoids", 1985: the separation is concave in the share, and two
 * ellipsoids overlap if its largest value is less than 1. */
static bool ellipsoids_overlap(const double apart[3], const double a[3], const double b[3])
{
    double low = 0, high = 1;
    if (separation(apart, a, b, .5) >= 1 - TOUCHES)
    {
        return false;
    }
    bool alike = !memcmp(a, b, 3 * sizeof *a); /* .5 is best */
    for (int i = 0; i < HALVINGS && !alike; i++)
    {
        double third = (high - low) / 3;
        double left = separation(apart, a, b, low + third), right = separation(apart, a, b, high - third);
        if (fmax(left, right) >= 1 - TOUCHES)
        {
            return false;
        }
        *(left < right ? &low : &high) += left < right ? third : -third;
    }
    return true;
}

/* The cores of upright capsules are parallel, so together they only extend the range of heights. */
bool check_shapes_overlap(sidle_shape shape, sidle_position center, sidle_shape other_shape,
                          sidle_position other)
{
    double cores = (double)shape.half_height + (double)other_shape.half_height;
    double rise = other.y - center.y, apart_y = fmax(fabs(rise) - cores, 0);
    const double apart[3] = {other.x - center.x, apart_y, other.z - center.z};
    const double a[3] = {(double)shape.radii.x, (double)shape.radii.y, (double)shape.radii.z};
    const double b[3] = {(double)other_shape.radii.x, (double)other_shape.radii.y,
                         (double)other_shape.radii.z};
    for (int i = 0; i < 3; i++)
    {
        if (fabs(apart[i]) >= a[i] + b[i])
        {
            return false;
        }
    }
    return ellipsoids_overlap(apart, a, b);
}
