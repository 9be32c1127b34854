/* Rays and segments against planes, triangles, spheres, boxes and capsules, and the ray under a pointer.
 *
 * A ray begins at t = 0 and has no end; t counts in the length of its direction. A segment runs from t = 0 at
 * a to t = 1 at b; one of no length is a point, and a hit where that lies in or on the shape. Solids (sphere,
 * boxes, capsule) are full: what begins inside hits at t = 0, with no normal.
 *
 * Sources: S. Woop, C. Benthin, I. Wald, "Watertight Ray/Triangle Intersection", 2013; A. Williams, S.
 * Barrus, R. K. Morley, P. Shirley, "An Efficient and Robust Ray-Box Intersection Algorithm", 2005; C.
 * Ericson, "Real-Time Collision Detection", 2005, section 5.3. Errors and what print got wrong:
 * docs/intersect/ray.md. Cost: 30 to 60 ns each, a triangle that is hit 200, one that is met in an edge or a
 * plane exactly 500. There S is the largest of the shape's size, its distance from the origin of the ray, and
 * a segment's length; u = 2^-53. [Limit] of all: lengths between 1e-60 and 1e60, or 0; numbers beyond, and
 * infinite ones, hit nothing or mean nothing. */
#ifndef SIDLE_INTERSECT_RAY_H
#define SIDLE_INTERSECT_RAY_H

#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct sidle_ray_hit
{
    double t, t_exit;      /* where it meets the shape first and last; t_exit <= 1 for segments */
    sidle_position point;  /* at t */
    sidle_dvec3 normal;    /* unit, of the surface, to the side that the ray comes from; zero: began inside */
    sidle_feature feature; /* what is met at t */
    double barycentric[3]; /* triangles: the weight of each corner, none negative; else 0 */
} sidle_ray_hit;

enum /* flags */
{
    SIDLE_RAY_ONE_SIDED = 1 /* only what comes from the front, at an angle */
};

/* Hits a plane, from either side.
 * The verdict is exact. t errs by 6 u of itself. What runs within the plane hits at 0 and leaves at its end:
 * infinity for a ray. A plane without a normal is never hit; one of another length than 1 is, rightly. */
SIDLE_API bool sidle_ray_plane(const sidle_ray *ray, const sidle_plane *plane, sidle_ray_hit *out);
SIDLE_API bool sidle_segment_plane(const sidle_segment *segment, const sidle_plane *plane,
                                   sidle_ray_hit *out);

/* Hits a triangle; flags: SIDLE_RAY_ONE_SIDED or 0. The verdict is exact, so that nothing slips between
 * triangles that share an edge or a corner. t and the barycentrics err by 8 u of themselves, for needles and
 * grazing rays, too; point is made of the barycentrics. Edge i runs from corner i to the next. What runs
 * within the triangle's plane hits its outline, or at 0 where it begins inside, unless the triangle is
 * one-sided; t errs there by 8 u of itself, too. A triangle of no area is never hit. */
SIDLE_API bool sidle_ray_triangle(const sidle_ray *ray, const sidle_dtriangle *triangle, uint32_t flags,
                                  sidle_ray_hit *out);
SIDLE_API bool sidle_segment_triangle(const sidle_segment *segment, const sidle_dtriangle *triangle,
                                      uint32_t flags, sidle_ray_hit *out);

/* Hits a sphere. The answer is that of a sphere whose radius is wrong by at most 8 u S; in whole
 * numbers it is right, tangents included. With radius 0 the normal points against the ray. */
SIDLE_API bool sidle_ray_sphere(const sidle_ray *ray, const sidle_sphere *sphere, sidle_ray_hit *out);
SIDLE_API bool sidle_segment_sphere(const sidle_segment *segment, const sidle_sphere *sphere,
                                    sidle_ray_hit *out);

/* Hits a box along the axes. The verdict is exact; t and t_exit err by 4 u of themselves. Faces count -x, +x,
 * -y, +y, -z, +z; of several entered at once the first, and where the ray begins on a face and leaves, that
 * one. The normal is the face's; zero where the ray begins inside, or on a face that it runs along. Flat boxes
 * are hit, and those that are one point. */
SIDLE_API bool sidle_ray_box(const sidle_ray *ray, const sidle_box *box, sidle_ray_hit *out);
SIDLE_API bool sidle_segment_box(const sidle_segment *segment, const sidle_box *box, sidle_ray_hit *out);

/* Hits an oriented box. The answer is that of a box each of whose faces is off by at most 8 u S. Faces count
 * against and along axes[0], axes[1], axes[2]. */
SIDLE_API bool sidle_ray_oriented_box(const sidle_ray *ray, const sidle_oriented_box *box,
                                      sidle_ray_hit *out);
SIDLE_API bool sidle_segment_oriented_box(const sidle_segment *segment, const sidle_oriented_box *box,
                                          sidle_ray_hit *out);

/* Hits a capsule. The answer is that of a capsule whose radius is wrong by at most 8 u S. Equal ends: a
 * sphere. With radius 0 the normal points against the ray, at right angles to the axis where such a direction
 * exists. */
SIDLE_API bool sidle_ray_capsule(const sidle_ray *ray, const sidle_capsule *capsule, sidle_ray_hit *out);
SIDLE_API bool sidle_segment_capsule(const sidle_segment *segment, const sidle_capsule *capsule,
                                     sidle_ray_hit *out);

/* The ray from one point through another, which it reaches at t = 1: false where they are equal or no
 * numbers. */
SIDLE_API bool sidle_ray_from_points(const sidle_position *near_point, const sidle_position *far_point,
                                     sidle_ray *out);

/* The ray under a pointer: inverse is the inverse of projection times view, both for column vectors, stored
 * column after column (inverse[4 * column + row]; the bytes are the same for row vectors stored row after
 * row). x and y are normalised device coordinates, near_z and far_z the depths of the two planes in them: -1
 * and 1 for OpenGL, 0 and 1 for Direct3D and Vulkan, 1 and 0 where depth is reversed; where the far plane is
 * infinitely far, any depth before it. The ray begins on the near plane and reaches the other at t = 1. False
 * where a point has w <= 0 or lies in the other, the matrix is singular, exactly, or a number is NaN or
 * infinite. Points err by 8 u of the two points' coordinates. */
SIDLE_API bool sidle_ray_from_matrix(const double inverse[16], double x, double y, double near_z,
                                     double far_z, sidle_ray *out);

#ifdef __cplusplus
}
#endif

#endif
