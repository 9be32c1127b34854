/* Boxes against points and boxes along the same axes: nothing but comparisons, and one difference for the
 * depth. Two intervals [a, A] and [b, B] touch if a <= B and b <= A, on every axis. Not "a corner of one is
 * in the other, or vice versa" (T. Vik, "Collision Detection Algorithm, version 2.1", 2000, level 1): two
 * boxes that cross like a plus sign have no corner in each other. */
#include "intersect/box_parts.h"

#include <string.h>

bool sidle_box_is_valid(const sidle_box *box)
{
    return box->min.x <= box->max.x && box->min.y <= box->max.y && box->min.z <= box->max.z &&
           vec3_is_finite(vec3_from_position(box->min)) && vec3_is_finite(vec3_from_position(box->max));
}

bool sidle_oriented_box_is_valid(const sidle_oriented_box *box)
{
    bool valid = vec3_is_finite(vec3_from_position(box->center)) &&
                 vec3_is_finite(vec3_from_position(box->half)) && box->half.x >= 0 && box->half.y >= 0 &&
                 box->half.z >= 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        valid = valid && vec3_is_finite(vec3_from_position(box->axes[axis]));
    }
    return valid;
}

bool sidle_box_point(const sidle_box *box, sidle_position point)
{
    return sidle_box_is_valid(box) && point.x >= box->min.x && point.x <= box->max.x &&
           point.y >= box->min.y && point.y <= box->max.y && point.z >= box->min.z && point.z <= box->max.z;
}

bool sidle_box_closest(const sidle_box *box, sidle_position point, sidle_position *out)
{
    if (!sidle_box_is_valid(box) || !vec3_is_finite(vec3_from_position(point)))
    {
        return false;
    }
    if (out)
    {
        *out =
            (sidle_position){within(point.x, box->min.x, box->max.x), within(point.y, box->min.y, box->max.y),
                             within(point.z, box->min.z, box->max.z)};
    }
    return true;
}

Vec3 sidle_oriented_box_local(const sidle_oriented_box *box, Vec3 place)
{
    Vec3 away = vec3_sub(place, vec3_from_position(box->center));
    return vec3(vec3_dot(away, vec3_from_position(box->axes[0])),
                vec3_dot(away, vec3_from_position(box->axes[1])),
                vec3_dot(away, vec3_from_position(box->axes[2])));
}

Vec3 sidle_oriented_box_turned(const sidle_oriented_box *box, Vec3 local)
{
    Vec3 along = vec3_scale(vec3_from_position(box->axes[0]), local.x);
    along = vec3_add_scaled(along, vec3_from_position(box->axes[1]), local.y);
    return vec3_add_scaled(along, vec3_from_position(box->axes[2]), local.z);
}

Vec3 sidle_oriented_box_world(const sidle_oriented_box *box, Vec3 local)
{
    return vec3_add(vec3_from_position(box->center), sidle_oriented_box_turned(box, local));
}

bool sidle_oriented_box_point(const sidle_oriented_box *box, sidle_position point)
{
    if (!sidle_oriented_box_is_valid(box) || !vec3_is_finite(vec3_from_position(point)))
    {
        return false;
    }
    Vec3 half = vec3_from_position(box->half);
    Vec3 away = vec3_sub(vec3_from_position(point), vec3_from_position(box->center));
    Vec3 local = sidle_oriented_box_local(box, vec3_from_position(point));
    double slack = BOX_SLACK * (vec3_sum_abs(half) + vec3_sum_abs(away));
    return fabs(local.x) <= half.x + slack && fabs(local.y) <= half.y + slack &&
           fabs(local.z) <= half.z + slack;
}

bool sidle_oriented_box_closest(const sidle_oriented_box *box, sidle_position point, sidle_position *out)
{
    if (!sidle_oriented_box_is_valid(box) || !vec3_is_finite(vec3_from_position(point)))
    {
        return false;
    }
    Vec3 half = vec3_from_position(box->half),
         local = sidle_oriented_box_local(box, vec3_from_position(point));
    if (!out)
    {
        return true;
    }
    if (fabs(local.x) <= half.x && fabs(local.y) <= half.y && fabs(local.z) <= half.z)
    {
        *out = point; /* to its bits */
        return true;
    }
    local = vec3(within(local.x, -half.x, half.x), within(local.y, -half.y, half.y),
                 within(local.z, -half.z, half.z));
    *out = dvec3_from(sidle_oriented_box_world(box, local));
    return true;
}

/* Which of the sides, -1, 0 or 1, of each axis: 3 zeros make no feature. */
static sidle_feature feature_of_sides(const int sides[3])
{
    int index = 0, bit = 1, fixed_count = 0, fixed = 0, loose = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (sides[axis] == 0)
        {
            loose = axis;
            continue;
        }
        index += sides[axis] > 0 ? bit : 0;
        bit *= 2;
        fixed = axis;
        ++fixed_count;
    }
    return fixed_count == 1   ? feature(SIDLE_FEATURE_FACE, 2 * fixed + index)
           : fixed_count == 2 ? feature(SIDLE_FEATURE_EDGE, 4 * loose + index)
                              : feature(SIDLE_FEATURE_VERTEX, index);
}

sidle_feature sidle_box_feature(Vec3 direction)
{
    int sides[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        double lean = vec3_at(direction, axis);
        sides[axis] = lean > BOX_REST ? 1 : lean < -BOX_REST ? -1 : 0;
    }
    return feature_of_sides(sides);
}

int sidle_numbers_order(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; ++i)
    {
        if (a[i] != b[i])
        {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int boxes_order(const sidle_box *a, const sidle_box *b)
{
    double of_a[6], of_b[6];
    memcpy(of_a, a, sizeof of_a);
    memcpy(of_b, b, sizeof of_b);
    return sidle_numbers_order(of_a, of_b, 6);
}

/* The axis and side of least depth. `side` is 1 where b leaves towards greater coordinates. */
static int shallowest_axis(const sidle_box *a, const sidle_box *b, double *depth, int *side)
{
    Vec3 a_min = vec3_from_position(a->min), a_max = vec3_from_position(a->max);
    Vec3 b_min = vec3_from_position(b->min), b_max = vec3_from_position(b->max);
    int least = -1;
    for (int axis = 0; axis < 3; ++axis)
    {
        double up = vec3_at(a_max, axis) - vec3_at(b_min, axis);
        double down = vec3_at(b_max, axis) - vec3_at(a_min, axis);
        double shorter = lesser(up, down);
        if (least < 0 || shorter < *depth)
        {
            least = axis;
            *depth = shorter;
            *side = up < down || (up == down && boxes_order(a, b) <= 0) ? 1 : -1;
        }
    }
    return least;
}

static bool intervals_meet(const sidle_box *a, const sidle_box *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

/* The corners of the rectangle that both boxes share across the axis, midway along it. */
static void share_corners(sidle_touch *touch, const sidle_box *a, const sidle_box *b, int axis, int side)
{
    int across = axis == 0 ? 1 : 0, other = axis == 2 ? 1 : 2;
    Vec3 low, high, place;
    const sidle_box *lower = side > 0 ? a : b, *upper = side > 0 ? b : a;
    low = vec3(larger(a->min.x, b->min.x), larger(a->min.y, b->min.y), larger(a->min.z, b->min.z));
    high = vec3(lesser(a->max.x, b->max.x), lesser(a->max.y, b->max.y), lesser(a->max.z, b->max.z));
    double top = vec3_at(vec3_from_position(lower->max), axis);
    double bottom = vec3_at(vec3_from_position(upper->min), axis);
    vec3_set(&place, axis, .5 * (top + bottom));
    touch->point_count = 0;
    for (int i = 0; i < 4; ++i)
    {
        bool far = i == 1 || i == 2, further = i >= 2; /* around the rectangle */
        if ((far && vec3_at(low, across) == vec3_at(high, across)) ||
            (further && vec3_at(low, other) == vec3_at(high, other)))
        {
            continue; /* a segment or a point */
        }
        vec3_set(&place, across, vec3_at(far ? high : low, across));
        vec3_set(&place, other, vec3_at(further ? high : low, other));
        touch->depths[touch->point_count] = touch->depth;
        touch->points[touch->point_count++] = dvec3_from(vec3_add(place, vec3(0, 0, 0))); /* no -0 */
    }
}

bool sidle_box_box(const sidle_box *a, const sidle_box *b, sidle_touch *out)
{
    if (!sidle_box_is_valid(a) || !sidle_box_is_valid(b) || !intervals_meet(a, b))
    {
        return false;
    }
    if (!out)
    {
        return true;
    }
    sidle_touch touch = {.depth = 0};
    int side = 0, axis = shallowest_axis(a, b, &touch.depth, &side);
    Vec3 normal = vec3(0, 0, 0);
    vec3_set(&normal, axis, 1);
    touch.normal = dvec3_from(vec3_scale(normal, side));
    touch.feature_a = feature(SIDLE_FEATURE_FACE, 2 * axis + (side > 0));
    touch.feature_b = feature(SIDLE_FEATURE_FACE, 2 * axis + (side < 0));
    share_corners(&touch, a, b, axis, side);
    *out = touch;
    return true;
}
