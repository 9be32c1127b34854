/* Where two surfaces of triangles cross: the points themselves, found on ever finer levels.
 *
 * Method     T. Vik, S. Furset, R. Seehuus, Collision Detection Algorithm, version 2.1, 2000: boxes of the
 *            objects, boxes of their triangles, edges, segment against triangle; it ends with the point, not
 *            with yes or no. Level 4 here asks both triangles for their edges, and orders what they cut
 *            from the line of both planes by signs of determinants: P. Guigue, O. Devillers, Fast and Robust
 *            Triangle-Triangle Overlap Test Using Orientation Predicates, 2003. What the printed levels miss:
 *            docs/intersect/levels.md.
 * Exact      the signs are right, whatever the triangles: the verdict of a pair has no tolerance at all, and
 *            a point is within 2^-49 of the pair's sizes, plus its own last bit, of where edge and triangle
 *            meet, so that it lies on both triangles to within that. Of surfaces with a pose this holds for
 *            the places that the pose gives, rounded to double.
 * Degenerate [Limit] a triangle without area, one with a number that is not finite and one whose indices are
 *            outside of the vertices cross nothing. */
#ifndef SIDLE_INTERSECT_LEVELS_H
#define SIDLE_INTERSECT_LEVELS_H

#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Triangles, and where they are. The arrays are only read, and only during the call. */
typedef struct sidle_surface
{
    const float *vertices_f;  /* x, y, z at every vertex_stride bytes; one of the two is given, */
    const double *vertices_d; /* ... the other NULL; both NULL: an empty surface */
    size_t vertex_stride;     /* bytes; 0: tightly packed */
    uint32_t vertex_count;
    uint32_t triangle_count;
    const uint32_t *indices; /* three per triangle; NULL: vertices 3i, 3i+1, 3i+2 */
    const sidle_pose *pose;  /* NULL: vertices are where they are */
} sidle_surface;

enum /* what two triangles have in common */
{
    SIDLE_CROSSING_SEGMENT = 0,
    SIDLE_CROSSING_POINT = 1,   /* both ends are one */
    SIDLE_CROSSING_COPLANAR = 2 /* they lie in one plane and overlap or touch; both ends are one such point */
};

/* A point of the crossing and an edge that it is on. */
typedef struct sidle_crossing_end
{
    sidle_position point;
    uint32_t owner; /* whose edge: 0: a's, 1: b's */
    uint32_t edge;  /* begins at this corner, 0 to 2 */
} sidle_crossing_end;

typedef struct sidle_crossing
{
    uint32_t triangle_a, triangle_b; /* 0 for a pair of triangles alone */
    uint32_t kind;                   /* SIDLE_CROSSING_... */
    sidle_crossing_end ends[2];      /* where the segment that both share begins and ends */
} sidle_crossing;

/* Whether two triangles cross or touch, and where. (b, a) gives the same, with the owners of the edges
 * swapped. About 140 ns. */
SIDLE_API bool sidle_triangle_triangle(const sidle_dtriangle *a, const sidle_dtriangle *b,
                                       sidle_crossing *out);

/* Whether two surfaces cross, and all pairs of triangles that do, in the order of a's triangles, then of b's.
 * `crossings` has room for `capacity` of them, NULL if that is 0; `count`, which may be NULL, gets how many
 * there are, 0 too, also those for which there was no room; no more than 2^32 - 1 are counted. Each of a's
 * triangles in b's box looks at all of b's: two sheets of 450 that cross take 2.5 ms. For large ones that
 * stay, bake a sidle_mesh. */
SIDLE_API bool sidle_surfaces_cross(const sidle_surface *a, const sidle_surface *b, sidle_crossing *crossings,
                                    uint32_t capacity, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
