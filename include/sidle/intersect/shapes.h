/* The shapes that are tested against each other, and the one form of all contacts. */
#ifndef SIDLE_INTERSECT_SHAPES_H
#define SIDLE_INTERSECT_SHAPES_H

#include "sidle/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* Three numbers that are not a position: a direction, a normal, extents. */
typedef sidle_position sidle_dvec3;

typedef struct sidle_dvec2
{
    double x, y;
} sidle_dvec2;

/* Where normal . p = offset; the side that the normal points to is the front. */
typedef struct sidle_plane
{
    sidle_dvec3 normal; /* unit */
    double offset;
} sidle_plane;

typedef struct sidle_sphere
{
    sidle_position center;
    double radius; /* 0: a point; negative: hits nothing */
} sidle_sphere;

typedef struct sidle_segment
{
    sidle_position a, b; /* equal: a point */
} sidle_segment;

/* Also a whole line, where a function says so. */
typedef struct sidle_ray
{
    sidle_position origin;
    sidle_dvec3 direction; /* need not be unit: times count in its length; zero: hits nothing */
} sidle_ray;

/* What is within radius of a segment. */
typedef struct sidle_capsule
{
    sidle_position a, b;
    double radius;
} sidle_capsule;

/* Along the axes of space. */
typedef struct sidle_box
{
    sidle_position min, max; /* min > max in any coordinate: empty, hits nothing */
} sidle_box;

typedef struct sidle_oriented_box
{
    sidle_position center;
    sidle_dvec3 half;    /* half extents, along the axes below; 0: flat; negative: hits nothing */
    sidle_dvec3 axes[3]; /* unit, at right angles */
} sidle_oriented_box;

typedef struct sidle_dtriangle
{
    sidle_position corners[3]; /* front: counter-clockwise */
} sidle_dtriangle;

/* Which part of a shape touches: kind is SIDLE_FEATURE_...; index counts a shape's features of that kind, in
 * the order that the function's header gives. A round shape has one face, 0. */
typedef struct sidle_feature
{
    uint16_t kind, index;
} sidle_feature;

/* [Limit] points of one contact. */
#define SIDLE_MAX_TOUCH_POINTS 8

/* How two shapes a and b touch. Moving b by depth along normal, or a as far against it, leaves them touching
 * in a point, an edge or a face. No shorter displacement does. */
typedef struct sidle_touch
{
    sidle_dvec3 normal; /* unit, from a to b */
    double depth;       /* >= 0 */
    uint32_t point_count;
    sidle_feature feature_a, feature_b;
    sidle_position points[SIDLE_MAX_TOUCH_POINTS]; /* midway between the two surfaces */
    double depths[SIDLE_MAX_TOUCH_POINTS];         /* at each point, along normal; the largest is depth */
} sidle_touch;

#ifdef __cplusplus
}
#endif

#endif
