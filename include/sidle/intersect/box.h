/* Boxes: against points, spheres, triangles and each other, standing and moving.
 *
 * Method     the separating axis theorem: S. Gottschalk, M. C. Lin, D. Manocha, OBBTree, 1996, section 5; for
 *            triangles T. Akenine-Moeller, Fast 3D Triangle-Box Overlap Testing, 2001. What makes no axis,
 *            and why answers stay right where edges are all but parallel: docs/intersect/box.md.
 * Features   of a box: face 2 k + s looks along axis k, s = 1 towards greater coordinates, else 0; corner s0
 *            + 2 s1 + 4 s2 has the side s_k along axis k; edge 4 k + s + 2 t runs along axis k, with s and t
 *            its sides along the others, the lower axis first. Of a triangle: the face 0; edge i begins at
 *            corner i; corner i. A part that the normal leaves by less than 2^-20 counts as touched whole.
 * Depth      an axis across two edges wins only if it is shallower than that of any face by 2^-20 of the
 *            smaller shape, so that a box at rest keeps its face. Apart from that no displacement that parts
 *            the two is shorter.
 * Symmetry   also of the points. Two shapes that are equal in every number have no two sides: they get one
 *            normal, whichever is a.
 * Degenerate a box may be flat, a segment or a point, a triangle a segment or a point. What is infinite
 *            hits nothing. */
#ifndef SIDLE_INTERSECT_BOX_H
#define SIDLE_INTERSECT_BOX_H

#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* ---- Points ---- */

/* Whether the point is in the box; exact. 3 ns. */
SIDLE_API bool sidle_box_point(const sidle_box *box, sidle_position point);

/* Whether the point is in the box, or outside by no more than 2^-48 of their sizes, which is what rounding
 * may do. The axes are unit and at right angles to 2^-50; an error of theirs is the answer's. 7 ns. */
SIDLE_API bool sidle_oriented_box_point(const sidle_oriented_box *box, sidle_position point);

/* The point of the box that is closest to the given one, which is itself if it is inside; exact. False, and
 * nothing written, for an empty box and for what is not finite. */
SIDLE_API bool sidle_box_closest(const sidle_box *box, sidle_position point, sidle_position *out);

/* The same of an oriented box; within 2^-48 of their sizes and distance. */
SIDLE_API bool sidle_oriented_box_closest(const sidle_oriented_box *box, sidle_position point,
                                          sidle_position *out);

/* ---- Standing ---- */

/* How two boxes touch: always by faces, in the corners of the rectangle that both have, 1, 2 or 4 of them.
 * Verdict exact; depth rounded once. Equal depths: the lower axis; of one axis the side of the box that
 * comes later in the order of its numbers. */
SIDLE_API bool sidle_box_box(const sidle_box *a, const sidle_box *b, sidle_touch *out);

/* How two oriented boxes touch, in up to 8 points; touching is never missed, and a gap of less than 2^-48 of
 * sizes and distance counts as touching. 15 axes. */
SIDLE_API bool sidle_oriented_box_oriented_box(const sidle_oriented_box *a, const sidle_oriented_box *b,
                                               sidle_touch *out);

/* How a box (a) and a triangle (b), which has no front here, touch, in up to 7 points. 13 axes; bounds as for
 * oriented boxes. */
SIDLE_API bool sidle_box_triangle(const sidle_box *box, const sidle_dtriangle *triangle, sidle_touch *out);

/* The same with an oriented box. */
SIDLE_API bool sidle_oriented_box_triangle(const sidle_oriented_box *box, const sidle_dtriangle *triangle,
                                           sidle_touch *out);

/* How a box (a) and a sphere (b) touch, in one point. With its centre inside, the sphere leaves through the
 * nearest face (J. Arvo, "A Simple Method for Box-Sphere Intersection Testing", 1990, answers only yes or
 * no). Touching is never missed; a gap of 2^-50 of the radius counts as touching. */
SIDLE_API bool sidle_box_sphere(const sidle_box *box, const sidle_sphere *sphere, sidle_touch *out);

/* The same with an oriented box; the bound is 2^-48 of sizes and distance. */
SIDLE_API bool sidle_oriented_box_sphere(const sidle_oriented_box *box, const sidle_sphere *sphere,
                                         sidle_touch *out);

/* ---- Moving ---- */

/* When two moving boxes touch; times are shares of the motion, in [0, 1]. */
typedef struct sidle_box_motion
{
    double first, last;  /* they touch from first to last */
    sidle_dvec3 normal;  /* along an axis, from a to b: of the faces that meet at first */
    bool overlaps_first; /* they begin inside each other: first is 0, the normal the one of least depth */
    bool approaches;     /* at first b moves against the normal; else it slides along, leaves or rests */
} sidle_box_motion;

/* When two boxes that each move straight by its displacement touch: the slabs of each axis (A. Williams and
 * others, "An Efficient and Robust Ray-Box Intersection Algorithm", 2005), without dividing by what is 0.
 * Boxes that touch at the start are hit at 0, even if they separate; `approaches` is false then. Times are
 * right to 2^-50 of their size, grazing within that is a hit. An axis that becomes the last to meet names the
 * normal, of several the one along which they approach fastest. */
SIDLE_API bool sidle_moving_boxes(const sidle_box *a, sidle_dvec3 displacement_a, const sidle_box *b,
                                  sidle_dvec3 displacement_b, sidle_box_motion *out);

#ifdef __cplusplus
}
#endif

#endif
