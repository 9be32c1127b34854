/* What a capsule makes of a triangle: the solid prism that the triangle sweeps over along the core, which the
 * capsule touches where the unit ball around its centre touches the prism.
 *
 * A prism is up to eight lanes: a cap at either end and two halves of each side, all with their fronts
 * outward. They hold only what is in front of them (hide_fn): the centre of a capsule whose core has crossed
 * the triangle is inside the prism, and eight two-sided lanes would never let it out. What is behind all
 * that the centre can reach in a tick is not even packed, nor are sides that the reach misses: less than
 * four lanes of the eight are left (docs/performance.md). Their signed distance is asked of the triangles
 * themselves, in double (narrow/prisms.c), since only overlaps need it.
 *
 *         2+                  corner n of the prism: n < 3 above, n - 3 below the triangle's corner n - 3
 *        /| \                 ("above": towards the core's positive end)
 *      0+-|--1+
 *       | 2-  |
 *       |/  \ |
 *      0- --- 1-
 */
#ifndef KERNELS_PRISM_H
#define KERNELS_PRISM_H

#include "base/vector.h"
#include "kernels/constants.h"

#include <stdint.h>

#define PRISM_LANES 8

enum PrismPart /* Candidate.part; 0 is a triangle that belongs to a ball, no prism */
{
    PRISM_TOP = 1,
    PRISM_BOTTOM = 2,
    PRISM_SIDE = 3, /* + 4 edge + 2 diagonal + half */
    PRISM_PARTS = 15,
    PRISM_FLIPPED = 0x80 /* the core's positive end is behind the triangle: fronts turn over */
};

/* The corners of each part, front outward. A side is cut along the shorter of its diagonals: from the edge's
 * first end below to its second above (diagonal 0), or the other one. */
static const uint8_t prism_corners[PRISM_PARTS][3] = {
    {0, 1, 2}, {0, 1, 2}, {3, 5, 4},            /* none, top, bottom */
    {3, 4, 1}, {3, 1, 0}, {3, 4, 0}, {4, 1, 0}, /* edge 0 */
    {4, 5, 2}, {4, 2, 1}, {4, 5, 1}, {5, 2, 1}, /* edge 1 */
    {5, 3, 0}, {5, 0, 2}, {5, 3, 2}, {3, 0, 2}, /* edge 2 */
};

/* Which corner of the prism is a lane's `corner`. */
static inline uint32_t prism_corner(uint8_t part, uint32_t corner)
{
    bool flipped = (part & PRISM_FLIPPED) != 0;
    return prism_corners[part & ~PRISM_FLIPPED][flipped && corner > 0 ? 3 - corner : corner];
}

/* As in the kernels (finish.inl): what is lower than THIN_HEIGHT has no face. Nothing crosses it, and it has
 * no back, for which side is which would be a matter of rounding. n: its edges' cross product. */
static inline bool triangle_has_face(const Vec3 v[3], Vec3 n)
{
    double longest2 = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        longest2 = larger(longest2, vec3_length2(vec3_sub(v[(i + 1) % 3], v[i])));
    }
    return vec3_length2(n) > THIN_HEIGHT * THIN_HEIGHT * longest2;
}

typedef struct PrismSource /* a triangle as packed, ellipsoid space */
{
    Vec3 corners[3];
    uint32_t first, end; /* its lanes */
} PrismSource;

typedef struct Prisms
{
    Vec3 core; /* from the middle of the core to its positive end; zero: a ball, and nothing else holds */
    double
        travel;   /* how far the centre may come from the frame's origin, and by what everything is widened */
    double slack; /* what the plane of a lane may err by: delta / 8 */
    double doubt; /* of a packed corner, per unit of its distance from the origin */
    bool one_sided;
    bool pierced; /* a triangle may cross the core while its centre is at the origin */
    uint32_t count, capacity;
    PrismSource *sources;
} Prisms;

#endif
