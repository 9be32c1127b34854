/* Spheres against each other and against planes, at rest and moving. After the article "Simple Intersection
 * Tests for Games" by M. Gomez, 1999, its sphere-plane and sphere-sphere sweeps; what was wrong there, the
 * error bounds and the cost: docs/intersect/sphere.md. Bounds are in u = 2^-53.
 *
 * A plane here is the surface alone and has two sides; its distance is normal . p - offset, with the normal
 * as it is given. Verdicts are exact, but for two moving spheres. Theirs are exact at both ends of the
 * motion, and between them unless the gap or the depth is below 64 u^2 of the distances and radii that it is
 * the difference of, far below what one ulp of the input changes. [Limit] the lengths of the header
 * sidle/intersect.h. NaN, an infinity, a negative radius, a plane whose normal is zero: no hit. */
#ifndef SIDLE_INTERSECT_SPHERE_H
#define SIDLE_INTERSECT_SPHERE_H

#include "sidle/intersect/rotation.h"
#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Whether two spheres touch. One point. For concentric spheres `normal` is (0, 1, 0) if a is the larger or
 * both are equal, else (0, -1, 0). The normal errs by 6 u in each number, of itself; depth by 6 u of itself,
 * however small; the point by 8 u of the largest coordinate or radius. Features: the one face of each. */
SIDLE_API bool sidle_sphere_sphere(const sidle_sphere *a, const sidle_sphere *b, sidle_touch *out);

/* Whether a sphere touches a plane. One point. `normal` points from the sphere's centre to the plane; from a
 * centre in the plane it is against the plane's. The depth errs by u of itself, the point by 8 u of the
 * largest coordinate or radius. Features: the one face of each. */
SIDLE_API bool sidle_sphere_plane(const sidle_sphere *sphere, const sidle_plane *plane, sidle_touch *out);

typedef struct sidle_moving_sphere
{
    sidle_position from, to; /* the centre at times 0 and 1; straight and even between them */
    double radius;           /* 0: a point; negative: hits nothing */
} sidle_moving_sphere;

enum /* what the two are about to do at the first contact */
{
    SIDLE_PASSAGE_APPROACHING = 0, /* come nearer, or graze: then first = last */
    SIDLE_PASSAGE_SEPARATING =
        1, /* begin in touch, and their distance grows at once: nothing stops such a move */
    SIDLE_PASSAGE_STAYING = 2 /* begin in touch, and their distance stays what it is */
};

/* While two shapes touch; of two places the first contact comes first. */
typedef struct sidle_passage
{
    double first, last;       /* times, 0 <= first <= last <= 1; 0: begin in touch; 1: end in touch */
    uint32_t motion;          /* SIDLE_PASSAGE_... */
    sidle_dvec3 normal;       /* unit, from a to b, at the first contact */
    sidle_position points[2]; /* midway between the two surfaces */
    sidle_position centers_a[2], centers_b[2]; /* of the spheres; a plane has none: zero */
} sidle_passage;

/* From when to when a moving sphere touches a plane, from whichever side it comes. It may begin in touch
 * (first is 0, and `motion` says whether it goes further in: a centre in the plane goes nowhere but out), end
 * in touch, pass through or stay in touch all the time. The times err by 4 u of themselves; each centre by 6
 * u of the largest coordinate beside what its time makes of it, each point by twice as much. `normal` as in
 * sidle_sphere_plane. */
SIDLE_API bool sidle_sphere_plane_sweep(const sidle_moving_sphere *sphere, const sidle_plane *plane,
                                        sidle_passage *out);

/* The same of a sphere that also turns from `from` at time 0 to `to` at time 1 (sidle_slerp); how it is
 * turned at the first contact is written to `rotation`, which may be NULL. */
SIDLE_API bool sidle_sphere_plane_sweep_turning(const sidle_moving_sphere *sphere, const sidle_dquat *from,
                                                const sidle_dquat *to, const sidle_plane *plane,
                                                sidle_passage *out, sidle_dquat *rotation);

/* From when to when two moving spheres touch. The times err by 8 u R / v and 6 u of themselves, R the sum of
 * the radii and v the length of the relative motion; the normal by 4 u (1 + sqrt(D / R)), D the largest
 * distance of the centres (a graze is as sensitive). Two points (R = 0) meet along their relative motion,
 * which is then against `normal`; spheres that begin concentric: as in sidle_sphere_sphere. A pair that
 * grazes is a hit with first = last. */
SIDLE_API bool sidle_sphere_sphere_sweep(const sidle_moving_sphere *a, const sidle_moving_sphere *b,
                                         sidle_passage *out);

#ifdef __cplusplus
}
#endif

#endif
