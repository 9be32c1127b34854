/* What the tests of boxes share: axes of separation, polygons of contact, bounds. */
#ifndef INTERSECT_BOX_PARTS_H
#define INTERSECT_BOX_PARTS_H

#include "base/vector.h"
#include "sidle/intersect/box.h"

/* u = 2^-53. What rounding may do to the distance of two shapes along a unit axis, in their sizes and
 * distance S: the difference of two places u, a product with an axis 3 u, the axis itself 16 u (a cross
 * product 12 u at worst, sidle_precise_normal; its length and the division 4 u), a sum of reaches 4 u: < 32 u. */
#define BOX_SLACK 0x1p-48

/* Two directions that differ by a sine of no more than this make no axis: to turn one edge onto the other
 * moves nothing by more than that share of a size, so that the others separate as well but for BOX_SLACK.
 * Above it a cross product is right to 12 u: where it is plain, since the sine is above a half; else since it
 * is precise. */
#define BOX_PARALLEL 0x1p-49

/* How much shallower than a face's, in the size of the smaller shape, an axis across two edges must be to be
 * taken, and how far a part of a box may lean away from the normal and still count as touched whole: beyond
 * the noise of orientations that were kept in float (2^-24), below what anybody sees. */
#define BOX_REST 0x1p-20

enum
{
    BOX_POLYGON_CORNERS = 12 /* 4 corners and one more for each of 4 clips; room for noise */
};

typedef struct Polygon
{
    Vec3 corners[BOX_POLYGON_CORNERS];
    int count;
} Polygon;

/* Corners of a polygon with their depths, moved midway between both surfaces, in the frame of a shape. */
typedef struct Contact
{
    Vec3 points[SIDLE_MAX_TOUCH_POINTS];
    double depths[SIDLE_MAX_TOUCH_POINTS];
    int count;
} Contact;

static inline double vec3_at(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline void vec3_set(Vec3 *v, int axis, double value)
{
    *(axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z) = value;
}

static inline sidle_dvec3 dvec3_from(Vec3 v)
{
    return (sidle_dvec3){v.x, v.y, v.z};
}

static inline double vec3_sum_abs(Vec3 v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

static inline double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static inline sidle_feature feature(int kind, int index)
{
    return (sidle_feature){(uint16_t)kind, (uint16_t)index};
}

/* Neither empty nor infinite nor NaN. */
bool sidle_box_is_valid(const sidle_box *box);
bool sidle_oriented_box_is_valid(const sidle_oriented_box *box);

/* Places of an oriented box: into its own frame and back. */
Vec3 sidle_oriented_box_local(const sidle_oriented_box *box, Vec3 place);
Vec3 sidle_oriented_box_world(const sidle_oriented_box *box, Vec3 local);
Vec3 sidle_oriented_box_turned(const sidle_oriented_box *box, Vec3 local); /* a direction */

/* The part of a box that a direction, given along the box's own axes, meets last. */
sidle_feature sidle_box_feature(Vec3 direction);

/* Orders two lists of numbers. It decides which shape of a pair is the first, so that (a, b) and (b, a)
 * compute the same. */
int sidle_numbers_order(const double *a, const double *b, int count);

/* a x b, each coordinate within 2 u of itself. */
Vec3 sidle_precise_cross(Vec3 a, Vec3 b);

/* The unit normal of a triangle, right to 16 u however thin it is; zero where it has no area. */
Vec3 sidle_precise_normal(const Vec3 corners[3]);

/* The unit vector of any length that a double can hold, or zero. */
Vec3 sidle_vec3_unit(Vec3 a);

/* What remains of the polygon where distances, one for each corner, are no more than 0. L. Sutherland and
 * G. Hodgman, "Reentrant Polygon Clipping", 1974. */
void sidle_polygon_clip(Polygon *polygon, const double *distances);
void sidle_polygon_clip_within(Polygon *polygon, int axis, double low, double high);

/* The same between low and high on an axis. What is outside by no more than `slack` is pulled in, so that
 * rounding takes no corner of shapes that touch in a line or a point. */
void sidle_polygon_clip_to_slab(Polygon *polygon, int axis, double low, double high, double slack);

/* A face of the box [low, high], across `axis`, as a polygon. */
Polygon sidle_box_face(Vec3 low, Vec3 high, int axis, bool upper);

/* Keeps the corners that are below a surface, `depths` along `normal`, by no less than -slack; they move back
 * along `normal` by half of their depths. The greatest depth becomes `depth`. With no corner left the contact
 * is empty. */
void sidle_contact_of_polygon(Contact *contact, const Polygon *polygon, const double *depths, Vec3 back,
                              double depth, double slack);

typedef struct Edge
{
    Vec3 start, direction; /* not unit */
    double low, high;      /* of the parameter */
} Edge;

/* Midway between the closest points of two edges; right to a few u of their lengths at any angle at which
 * they make an axis. */
Vec3 sidle_edges_middle(const Edge *e, const Edge *f);

#endif
