/* Points in polygons and triangles, in the plane and in space.
 *
 * Verdicts are decided exactly: rounding changes none, and a point on the boundary is reported as such. In
 * code that does not need that, `if (sidle_point_in_...())` means inside or on the boundary: shapes are
 * closed.
 *
 * Sources: B. Kenwright, "Workshop Series: Collision Detection", sections 3 to 6 (cross products, plane
 * equations, counted crossings, decomposition); K. Fauerby, "Improved Collision Detection and Response",
 * 2003, appendix C (triangle); C. Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.4;
 * exact signs after J. R. Shewchuk, 1997 (src/intersect/exact.h). What was wrong in print, with
 * counterexamples, and the cost: docs/intersect/polygon.md.
 *
 * A NaN or an infinity anywhere in the input: outside, area NaN, nothing closest. */
#ifndef SIDLE_INTERSECT_POLYGON_H
#define SIDLE_INTERSECT_POLYGON_H

#include "sidle/intersect/shapes.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum sidle_location
{
    SIDLE_OUTSIDE = 0,
    SIDLE_BOUNDARY = 1,
    SIDLE_INSIDE = 2
} sidle_location;

/* Rings of corners, each closed from its last to its first. What is inside of an odd number of rings is
 * inside: holes are rings, so are islands in them, in any order and with any winding; rings may cross
 * themselves and each other. Every ring's line is boundary. Repeated corners, spikes and rings of one or two
 * corners are allowed. */
typedef struct sidle_polygon
{
    const sidle_dvec2 *points; /* ring after ring */
    const uint32_t *ring_ends; /* ring_count, not decreasing: the index behind each ring's last point */
    uint32_t ring_count;
} sidle_polygon;

/* Where a point is relative to a convex polygon of `count` corners, of either winding: on which side of each
 * edge, by cross products. Corners may repeat and lie on the line of their neighbours. A polygon without area
 * is the segment or point that it is, all boundary; no corners: outside. [Limit] convex, else the answer
 * means nothing. Exact. Cost: 3 ns an edge. */
SIDLE_API sidle_location sidle_point_in_convex_polygon(sidle_dvec2 point, const sidle_dvec2 *corners,
                                                       uint32_t count);

/* The same in space: the point is taken onto the polygon's plane at right angles, and asked on which side it is
 * of each edge's own plane, which stands upright on the polygon's. Without area: boundary if it lies on the
 * segment or point itself. [Limit] convex, corners in one plane (else: in the mean plane, M. E. Newell's). The
 * plane's normal is known to count 2^-98 of the square of the polygon's length; a polygon with less area has
 * none. Exact but for that. Cost: 33 ns an edge. */
SIDLE_API sidle_location sidle_point_in_convex_polygon3(sidle_position point, const sidle_position *corners,
                                                        uint32_t count);

/* Where a point is relative to a polygon, by the crossings of a ray along +x. An edge holds its lower end and
 * not its upper one, so that a corner counts as often as the line passes there and a level edge never. Exact.
 * Cost: 2 ns an edge. */
SIDLE_API sidle_location sidle_point_in_polygon(sidle_dvec2 point, const sidle_polygon *polygon);

/* The same answer, by decomposition: every edge makes a triangle with the first point, and a point is inside
 * that is in an odd number of them; each triangle holds the one of its two inner sides that the next does not.
 * Cost: 4 ns an edge. */
SIDLE_API sidle_location sidle_point_in_polygon_by_triangles(sidle_dvec2 point, const sidle_polygon *polygon);

/* The area, each ring's with the sign of its winding: counter-clockwise counts, clockwise counts off. So with
 * holes wound against their outline it is what is inside. Within 2 u of itself, u = 2^-53, and 0 only where it
 * is 0, whatever cancels; NaN if a coordinate of a ring is not finite. Cost: 8 ns an edge. */
SIDLE_API double sidle_polygon_area(const sidle_polygon *polygon);

/* The sign of sidle_polygon_area: 1 counter-clockwise, -1 clockwise, 0 without area or NaN. Exact. */
SIDLE_API int sidle_polygon_winding(const sidle_polygon *polygon);

/* Where a point is relative to a triangle in space, taken onto its plane at right angles. A triangle without
 * area has no plane: boundary if the point lies on the segment or point that it is. The same bits whichever
 * corner comes first and whichever side is the front. Exact. Cost: 25 ns. */
SIDLE_API sidle_location sidle_point_in_triangle(sidle_position point, const sidle_dtriangle *triangle);

/* The same with the point taken onto the plane along the axis that the plane faces most (the first of equal
 * ones): exact, cheaper, and the same for points in the plane; a point off the plane may land elsewhere. The
 * axis is never one along which the triangle is seen edge-on. Cost: 20 ns. */
SIDLE_API sidle_location sidle_point_in_triangle_along_axis(sidle_position point,
                                                            const sidle_dtriangle *triangle);

typedef struct sidle_triangle_point
{
    sidle_position point;
    double distance;
    sidle_feature feature; /* corner i, or edge i from corner i to the next; of equally near ones a corner */
} sidle_triangle_point;

/* The point of a triangle that is nearest to a point. false: NaN or an infinity, nothing written. Triangles
 * without area are the segments or points that they are, needles keep their digits. The distance errs by 8 u of
 * itself and 4 u^2 of the farthest corner's; the point by 8 u of the largest coordinate and 8 u of the
 * distance. Cost: 60 ns. */
SIDLE_API bool sidle_closest_on_triangle(sidle_position point, const sidle_dtriangle *triangle,
                                         sidle_triangle_point *out);

#ifdef __cplusplus
}
#endif

#endif
