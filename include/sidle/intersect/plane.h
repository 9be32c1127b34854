/* Planes, the normals and the space of an ellipsoid, and the roots that sweeps ask for. After K. Fauerby,
 * "Improved Collision Detection and Response", 2003, appendices A, B and D; what was wrong there, the error
 * bounds and the cost: docs/intersect/plane.md. Bounds are in u = 2^-53.
 *
 * Functions that return a number or a vector hand on NaN; those that return bool answer false to it. */
#ifndef SIDLE_INTERSECT_PLANE_H
#define SIDLE_INTERSECT_PLANE_H

#include "sidle/intersect/rotation.h"
#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* The plane through a point, across a normal that need not be unit. false, nothing written: the normal is
 * zero, or a number is NaN or infinite. The normal errs by 3.5 u in each number, of itself. */
SIDLE_API bool sidle_plane_from_point_normal(sidle_position point, sidle_dvec3 normal, sidle_plane *out);

/* The plane of three points, in front of which they appear counter-clockwise.
 *
 * false, nothing written: the points, exactly as given, lie on one line, or a number is NaN or infinite. The
 * normal errs by 6 u, also that of a needle or of three points that are almost on a line. Two points
 * exchanged give the same normal turned round, in the same bits; three in turn give it in the same bits. */
SIDLE_API bool sidle_plane_from_points(sidle_position a, sidle_position b, sidle_position c,
                                       sidle_plane *out);

/* How far the point lies in front of the plane, negative behind it. Errs by u of itself and 16 u^2 of the sum
 * of what it is the difference of: a point at 1e6 that is 1e-9 in front is so. */
SIDLE_API double sidle_plane_distance(const sidle_plane *plane, sidle_position point);

/* Whether a motion in this direction faces the plane's front: it goes against the normal, or along the plane,
 * where it may still hit the edges of a face in it. false: along the normal; zero; NaN. Right unless |normal
 * . direction| < 8 u^2 |normal| |direction|. */
SIDLE_API bool sidle_plane_is_front_facing(const sidle_plane *plane, sidle_dvec3 direction);

/* The point of the plane that is nearest: the projection at right angles. Errs by u of the point's distance
 * from 0 and 3 u of that from the plane. */
SIDLE_API sidle_position sidle_plane_closest_point(const sidle_plane *plane, sidle_position point);

/* The part of a vector that lies along the plane. Errs by 4 u of the vector's length. */
SIDLE_API sidle_dvec3 sidle_plane_project(const sidle_plane *plane, sidle_dvec3 vector);

/* The outward unit normal of an ellipsoid at a point of its surface, both in the ellipsoid's own frame:
 * centre 0, radii along the axes. A point off the surface gets the normal of the ellipsoid of the same
 * proportions that runs through it. false, nothing written: the centre; radii that are not all positive; NaN
 * or an infinity. Errs by 10 u in each number, of itself. */
SIDLE_API bool sidle_ellipsoid_normal(sidle_dvec3 radii, sidle_dvec3 point, sidle_dvec3 *out);

/* The space in which an ellipsoid is the unit ball around 0: subtract the centre, turn into its axes, divide
 * by its radii. Points, vectors and normals transform differently. */
typedef struct sidle_ellipsoid_space
{
    sidle_position center;
    sidle_dvec3 axes[3]; /* unit, at right angles: where its own x, y and z point in the world */
    sidle_dvec3 radii;   /* along them; > 0 */
} sidle_ellipsoid_space;

/* The space of an ellipsoid. false, nothing written: radii that are not all positive; NaN or an infinity. The
 * axes err by 20 u. [Limit] length of the quaternion: 1e-60 to 1e60, or 0. */
SIDLE_API bool sidle_ellipsoid_space_from(sidle_position center, sidle_dvec3 radii,
                                          const sidle_dquat *rotation, sidle_ellipsoid_space *out);

/* A place, into the space and back. In: errs by 6 u |point - center| / radius, along each axis; out: by 8 u
 * of the lengths in the world. */
SIDLE_API sidle_position sidle_ellipsoid_space_point_in(const sidle_ellipsoid_space *space,
                                                        sidle_position point);
SIDLE_API sidle_position sidle_ellipsoid_space_point_out(const sidle_ellipsoid_space *space,
                                                         sidle_position point);

/* A vector: a difference of two points, or a velocity. Errs as a point does. */
SIDLE_API sidle_dvec3 sidle_ellipsoid_space_vector_in(const sidle_ellipsoid_space *space, sidle_dvec3 vector);
SIDLE_API sidle_dvec3 sidle_ellipsoid_space_vector_out(const sidle_ellipsoid_space *space,
                                                       sidle_dvec3 vector);

/* A normal, which stays across its surface: it is multiplied by the radii into the space and divided out of
 * it, then made unit. (As a vector it would tilt; docs/intersect/plane.md has a case.) Errs by 12 u. false,
 * nothing written: the normal is zero, NaN or infinite. */
SIDLE_API bool sidle_ellipsoid_space_normal_in(const sidle_ellipsoid_space *space, sidle_dvec3 normal,
                                               sidle_dvec3 *out);
SIDLE_API bool sidle_ellipsoid_space_normal_out(const sidle_ellipsoid_space *space, sidle_dvec3 normal,
                                                sidle_dvec3 *out);

/* A plane. Distances to it change, whether one is in front of it does not. The offset errs by 12 u of what it
 * is the sum of. false as for normals. */
SIDLE_API bool sidle_ellipsoid_space_plane_in(const sidle_ellipsoid_space *space, const sidle_plane *plane,
                                              sidle_plane *out);
SIDLE_API bool sidle_ellipsoid_space_plane_out(const sidle_ellipsoid_space *space, const sidle_plane *plane,
                                               sidle_plane *out);

/* The lowest x with a x^2 + b x + c = 0 and low <= x <= high; the range includes its ends, either may be
 * infinite.
 *
 * a = 0 asks for the root of a line; a = b = 0 has no root, and with c = 0 every x is one: `low`, if that is
 * finite. false, nothing written: no root in the range; low > high; NaN; an infinite coefficient. [Limit] of
 * the coefficients: 1e-120 to 1e120, or 0. Whether there is a root at all, and whether there is only one, is
 * decided exactly. A root errs by 5 u of itself; it is compared with the range as it is returned. W. Kahan,
 * "On the Cost of Floating-Point Computation Without Extra-Precise Arithmetic", 2004; S. Boldo, "Kahan's
 * Algorithm for a Correct Discriminant Computation at Last Formally Proven", 2009. */
SIDLE_API bool sidle_lowest_root(double a, double b, double c, double low, double high, double *out);

#ifdef __cplusplus
}
#endif

#endif
