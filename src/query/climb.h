/* The normal of the planes that leave the largest gap between two ellipsoids, or a point and an ellipsoid. */
#ifndef QUERY_CLIMB_H
#define QUERY_CLIMB_H

#include "base/vector.h"

/* Relative to the size: some fifty roundings (2^-53) of a gap, below which its growth is noise. A step that gains less is the last one. */
#define LAST_GAIN 1e-14

typedef struct Ellipsoids
{
    Mat3 half_axes[2]; /* rows */
    uint32_t count;
    double size; /* of all that the gap is between */
} Ellipsoids;

/* Between planes with the unit normal n. */
double sidle_gap_of_ellipsoids(const Ellipsoids *ellipsoids, Vec3 between, Vec3 n);

/* Climbs from n to where the gap is largest; if `across` is given, n is perpendicular to it and stays so. Newton's method, with steps that
 * are halved until they climb. */
Vec3 sidle_climb(const Ellipsoids *ellipsoids, Vec3 between, Vec3 n, const Vec3 *across);

/* The point of an ellipsoid's surface with a normal, from its centre. */
static inline Vec3 surface_at(const Mat3 *half_axes, Vec3 n)
{
    Vec3 turned = mat3_mul(*half_axes, n);
    return vec3_scale(mat3_mul_transposed(*half_axes, turned), 1 / vec3_length(turned));
}

#endif
