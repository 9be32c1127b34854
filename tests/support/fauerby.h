/* The baseline: Kasper Fauerby, "Improved Collision detection and Response", 2003, scalar, written from the
 * paper's formulas with the choices and the defects that it was published with. Benches measure against it,
 * tests show what the library does differently and why. Never repair it.
 *
 * Ellipsoid space is the world divided by the radii, axis by axis (section 2.4). Faces are one-sided: the
 * front is where (p2 - p1) x (p3 - p1) points. */
#ifndef TESTS_SUPPORT_FAUERBY_H
#define TESTS_SUPPORT_FAUERBY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FauerbyVector
{
    float x, y, z;
} FauerbyVector;

typedef struct FauerbyTriangle
{
    FauerbyVector p[3];
} FauerbyTriangle;

typedef struct FauerbyHit
{
    bool found;
    double distance; /* along the velocity, in ellipsoid space */
    FauerbyVector point;
} FauerbyHit;

/* Chapter 3: the unit ball against triangles in ellipsoid space. The first of equally near triangles wins. */
FauerbyHit fauerby_sweep(const FauerbyTriangle *triangles, size_t count, FauerbyVector base,
                         FauerbyVector velocity);

/* The same source as a compiler with wider intermediates may translate it (FLT_EVAL_METHOD 1). */
FauerbyHit fauerby_sweep_wide(const FauerbyTriangle *triangles, size_t count, FauerbyVector base,
                              FauerbyVector velocity);

/* Appendix C: is a point of the plane inside the triangle, by the Gram determinant. */
bool fauerby_inside(FauerbyVector point, const FauerbyTriangle *triangle);

/* Appendix D: the lowest root of a t^2 + b t + c in (0, limit). */
bool fauerby_lowest_root(float a, float b, float c, float limit, float *root);

/* Triangles near a box of the world, as indices into the world's triangles: "only those triangles near the
 * movement" (section 3.1). Asked once for every sweep; the array stays valid until the next question. */
typedef const uint32_t *FauerbyNear(void *user, FauerbyVector low, FauerbyVector high, size_t *count);

typedef struct FauerbyWorld
{
    const FauerbyTriangle *triangles; /* in world units */
    size_t triangle_count;
    const uint32_t
        *candidates; /* indices to look at at every sweep; NULL: all triangles, or what `near` says */
    size_t candidate_count;
    FauerbyNear *near; /* NULL: see candidates */
    void *user;
    float units_per_metre; /* 0: 100, as published */
} FauerbyWorld;

/* Chapter 4: collide and slide with the velocity, then again with gravity; returns the new world position. A
 * zero gravity leaves the second pass out. */
FauerbyVector fauerby_move(const FauerbyWorld *world, FauerbyVector position, FauerbyVector radii,
                           FauerbyVector velocity, FauerbyVector gravity);

#endif
