/* For the tests of points in polygons and triangles: inputs that are hard, judges that share nothing with what
 * they judge, and the forms as printed. */
#ifndef TESTS_SUPPORT_INTERSECT_POLYGON_H
#define TESTS_SUPPORT_INTERSECT_POLYGON_H

#include "sidle/intersect/polygon.h"
#include "support/random.h"

#define MAX_CORNERS 40
#define MAX_RINGS   4

typedef struct WholePoint
{
    int64_t x, y; /* at most 2^53 in size */
} WholePoint;

/* A polygon of whole numbers and the point asked for, and the same as doubles. */
typedef struct WholeCase
{
    WholePoint points[MAX_CORNERS], asked;
    uint32_t ends[MAX_RINGS], ring_count;
    sidle_dvec2 rounded[MAX_CORNERS], asked_rounded; /* the same numbers */
    sidle_polygon polygon;                           /* of those; of no use in a copy */
} WholeCase;

/* Small lattices full of ties, combs with holes, points next to long edges, by turns. */
void whole_case_draw(Random *random, WholeCase *out);
/* One ring, convex, either winding, with repeated and collinear corners; sometimes flat. */
void whole_case_draw_convex(Random *random, WholeCase *out);
void whole_case_scale(const WholeCase *from, double scale, WholeCase *out); /* the doubles only */

/* By rays that pass no lattice point but their origin, so that there is nothing to agree upon. */
sidle_location whole_locate(const WholeCase *asked);
double whole_area(const WholeCase *asked);

typedef struct SpaceCase
{
    sidle_dtriangle triangle;
    sidle_position point;
} SpaceCase;

/* Lattices, needles, slivers, points at edges and corners and above them, by turns. */
void space_case_draw(Random *random, SpaceCase *out);
/* Slivers of numbers of all sizes, whose differences are no doubles, and points far above their edges. */
void space_case_draw_mixed(Random *random, SpaceCase *out);

/* At 1,024 bits; only where precise_available. */
int precise_side(sidle_dvec2 a, sidle_dvec2 b, sidle_dvec2 p);
sidle_location precise_in_triangle(const SpaceCase *asked);
/* How far the distance is from the true one, in multiples of u d and of u times the farthest corner's. */
void precise_closest_error(const SpaceCase *asked, const sidle_triangle_point *answer, double *of_distance,
                           double *of_size);

/* ---- as printed ---- */

/* B. Kenwright: 3.1 with corner (i + 2) as control, 3.2, and 4 to 6 (crossings of a segment 1000 long). */
bool printed_cross_products(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count);
bool printed_plane_equations(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count);
bool printed_crossings(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count);
/* Its remark that a shape may be broken into triangles: closed ones, counted. */
bool printed_triangles(sidle_dvec2 point, const sidle_dvec2 *corners, uint32_t count);
/* K. Fauerby, appendix C, in float. */
bool printed_in_triangle(const SpaceCase *asked);
/* The usual shortcut: without z. */
bool printed_without_z(const SpaceCase *asked);

#endif
