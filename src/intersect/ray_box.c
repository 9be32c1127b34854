/* Slabs: A. Williams, S. Barrus, R. K. Morley, P. Shirley, "An Efficient and Robust Ray-Box Intersection
 * Algorithm", 2005. They multiply by the direction's inverses: 0 times infinity is NaN for a ray that runs
 * along a face, and the two roundings of each product make a ray miss an edge or a corner that it goes
 * through. Departures: a direction of 0 is a case of its own; behind, before and beyond are decided by
 * comparing coordinates, which do not round; times are quotients; and where the last entry and the first exit
 * are so near to each other that rounding may have swapped them, they are compared as fractions, exactly (J.
 * R. Shewchuk, 1997). */
#include "intersect/path.h"

/* A quotient of two differences has three roundings: two of them are apart truly if by more than this. */
#define NEARLY_EQUAL (8 * EXACT_UNIT)

/* Of one axis. */
typedef struct Slab
{
    double near_side, far_side; /* the coordinates of where it enters and leaves */
    double enter, exit;
    bool endless; /* the path runs along it */
} Slab;

static double number_of(Vec3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* False where the path stays outside. */
static bool slab_of(const Path *path, int axis, double low, double high, Slab *slab)
{
    double origin = number_of(path->origin, axis), direction = number_of(path->direction, axis);
    double target = number_of(path->target, axis);
    bool forward = direction > 0;
    slab->endless = direction == 0;
    if (slab->endless)
    {
        return origin >= low && origin <= high;
    }
    slab->near_side = forward ? low : high;
    slab->far_side = forward ? high : low;
    if (forward ? slab->far_side < origin : slab->far_side > origin)
    {
        return false;
    }
    if (path->is_segment && (forward ? slab->near_side > target : slab->near_side < target))
    {
        return false;
    }
    slab->enter = (slab->near_side - origin) / direction + 0; /* no -0 */
    slab->exit = (slab->far_side - origin) / direction + 0;
    return true;
}

static Exact exact_direction(const Path *path, int axis)
{
    return path->is_segment ? exact_difference(number_of(path->target, axis), number_of(path->origin, axis))
                            : exact_of(number_of(path->direction, axis));
}

/* Positive where the path comes to `side` of axis i later than to `other_side` of axis k, negative where
 * earlier. */
static double later_by(const Path *path, int i, double side, int k, double other_side)
{
    Exact offset = exact_difference(side, number_of(path->origin, i));
    Exact other = exact_difference(other_side, number_of(path->origin, k));
    Exact speed = exact_direction(path, i), other_speed = exact_direction(path, k);
    double later = exact_det2(offset, other, speed, other_speed);
    return (speed.high > 0) == (other_speed.high > 0) ? later : -later;
}

/* Whether the slab of axis i is entered no later than that of axis k is left. */
static bool enters_in_time(const Path *path, const Slab slabs[3], int i, int k)
{
    return later_by(path, i, slabs[i].near_side, k, slabs[k].far_side) <= 0;
}

/* Whether the slab of axis i is entered later than that of axis k, which may be -1. */
static bool enters_later(const Path *path, const Slab slabs[3], int i, int k)
{
    if (k < 0 || fabs(slabs[i].enter - slabs[k].enter) > NEARLY_EQUAL * fabs(slabs[k].enter))
    {
        return k < 0 || slabs[i].enter > slabs[k].enter;
    }
    return later_by(path, i, slabs[i].near_side, k, slabs[k].near_side) > 0;
}

/* The first axis of which the path begins on the side that it leaves by; -1: none. */
static int axis_left_at_once(const Path *path, const Slab slabs[3])
{
    for (int i = 0; i < 3; ++i)
    {
        if (!slabs[i].endless && slabs[i].far_side == number_of(path->origin, i))
        {
            return i;
        }
    }
    return -1;
}

static bool all_in_time(const Path *path, const Slab slabs[3])
{
    for (int i = 0; i < 3; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            if (i != k && !slabs[i].endless && !slabs[k].endless && !enters_in_time(path, slabs, i, k))
            {
                return false;
            }
        }
    }
    return true;
}

/* Writes t, t_exit and feature; the face that is met at t comes back in `face`, -1 where there is none: the
 * path began inside, or on a face that it runs along. */
static bool meet_slabs(const Path *path, Vec3 low, Vec3 high, sidle_ray_hit *hit, int *face)
{
    Slab slabs[3];
    double enter = -INFINITY, leave = INFINITY;
    int axis = -1; /* entered last, of several the first */
    for (int i = 0; i < 3; ++i)
    {
        if (!slab_of(path, i, number_of(low, i), number_of(high, i), &slabs[i]))
        {
            return false;
        }
        if (!slabs[i].endless)
        {
            axis = enters_later(path, slabs, i, axis) ? i : axis;
            enter = larger(enter, slabs[i].enter);
        }
        leave = slabs[i].endless ? leave : lesser(leave, slabs[i].exit);
    }
    if (enter > leave * (1 + NEARLY_EQUAL) ||
        (enter > 0 && enter > leave * (1 - NEARLY_EQUAL) && !all_in_time(path, slabs)))
    {
        return false;
    }
    hit->t = larger(enter, 0);
    hit->t_exit = larger(lesser(leave, path->end), hit->t);
    axis = enter >= 0 ? axis : axis_left_at_once(path, slabs);
    *face = axis < 0 ? -1 : 2 * axis + ((number_of(path->direction, axis) > 0) == (enter < 0));
    hit->feature = (sidle_feature){SIDLE_FEATURE_FACE, (uint16_t)(*face < 0 ? 0 : *face)};
    return true;
}

static double clamped(double a, double low, double high)
{
    return a < low ? low : a > high ? high : a;
}

/* On the face that it meets, and no farther than the box reaches. */
static sidle_position point_on_box(const Path *path, const sidle_box *box, double t, int face)
{
    Vec3 at = path_at(path, t);
    int axis = face < 0 ? -1 : face / 2;
    bool high_side = face % 2 == 1;
    sidle_position out = {clamped(at.x, box->min.x, box->max.x), clamped(at.y, box->min.y, box->max.y),
                          clamped(at.z, box->min.z, box->max.z)};
    if (axis == 0)
    {
        out.x = high_side ? box->max.x : box->min.x;
    }
    else if (axis == 1)
    {
        out.y = high_side ? box->max.y : box->min.y;
    }
    else if (axis == 2)
    {
        out.z = high_side ? box->max.z : box->min.z;
    }
    return out;
}

static bool hit_box(const Path *path, const sidle_box *box, sidle_ray_hit *out)
{
    Vec3 low = vec3_from_position(box->min), high = vec3_from_position(box->max);
    sidle_ray_hit hit = {.t = 0};
    int face;
    if (nothing_of_vec3(low) + nothing_of_vec3(high) != 0 || low.x > high.x || low.y > high.y ||
        low.z > high.z || !meet_slabs(path, low, high, &hit, &face))
    {
        return false;
    }
    hit.point = point_on_box(path, box, hit.t, face);
    if (face >= 0)
    {
        double side = face % 2 == 1 ? 1 : -1;
        int axis = face / 2;
        hit.normal = (sidle_dvec3){axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
    }
    return tell_hit(&hit, out);
}

static Vec3 along_axes(const sidle_oriented_box *box, Vec3 a)
{
    return vec3(vec3_dot(vec3_from_position(box->axes[0]), a), vec3_dot(vec3_from_position(box->axes[1]), a),
                vec3_dot(vec3_from_position(box->axes[2]), a));
}

/* In the box's own space it is one along the axes. */
static bool hit_oriented_box(const Path *path, const sidle_oriented_box *box, sidle_ray_hit *out)
{
    Vec3 half = vec3_from_position(box->half), center = vec3_from_position(box->center);
    double nothing = nothing_of_vec3(half) + nothing_of_vec3(center) + nothing_of_position(box->axes[0]) +
                     nothing_of_position(box->axes[1]) + nothing_of_position(box->axes[2]);
    if (nothing != 0 || half.x < 0 || half.y < 0 || half.z < 0)
    {
        return false;
    }
    Path local = {.origin = along_axes(box, vec3_sub(path->origin, center)),
                  .direction = along_axes(box, path->direction),
                  .end = path->end,
                  .is_segment = path->is_segment};
    if (path->is_segment)
    {
        local.target = along_axes(box, vec3_sub(path->target, center));
        local.direction = vec3_sub(local.target, local.origin);
    }
    sidle_ray_hit hit = {.t = 0};
    int face;
    if (!meet_slabs(&local, vec3_scale(half, -1), half, &hit, &face))
    {
        return false;
    }
    hit.point = position_of(path_at(path, hit.t));
    if (face >= 0)
    {
        double side = face % 2 == 1 ? 1 : -1;
        hit.normal = position_of(vec3_scale(vec3_from_position(box->axes[face / 2]), side));
    }
    return tell_hit(&hit, out);
}

bool sidle_ray_box(const sidle_ray *ray, const sidle_box *box, sidle_ray_hit *out)
{
    Path path;
    return path_of_ray(ray, &path) && hit_box(&path, box, out);
}

bool sidle_segment_box(const sidle_segment *segment, const sidle_box *box, sidle_ray_hit *out)
{
    Path path;
    return path_of_segment(segment, &path) && hit_box(&path, box, out);
}

bool sidle_ray_oriented_box(const sidle_ray *ray, const sidle_oriented_box *box, sidle_ray_hit *out)
{
    Path path;
    return path_of_ray(ray, &path) && hit_oriented_box(&path, box, out);
}

bool sidle_segment_oriented_box(const sidle_segment *segment, const sidle_oriented_box *box,
                                sidle_ray_hit *out)
{
    Path path;
    return path_of_segment(segment, &path) && hit_oriented_box(&path, box, out);
}
