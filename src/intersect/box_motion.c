/* Moving boxes, as slabs of time: on each axis the boxes meet from the time when the gap ahead is closed to
 * the time when the far sides part; they touch where all three do. A. Williams, S. Barrus, R. K. Morley,
 * P. Shirley, "An Efficient and Robust Ray-Box Intersection Algorithm", 2005, has the slabs for a ray, and
 * lets divisions by 0 make infinities; 0 / 0, a box that slides along, makes NaN there. Here what does not
 * move on an axis is asked whether it meets there, and nothing is divided. */
#include "intersect/box_parts.h"

/* u = 2^-53. A time errs by 4 u of itself: the difference of the sides u, the difference of the displacements
 * u, the quotient u, and a rest of u^2. Times closer than twice that count as equal, in favour of touching. */
#define MOTION_SLACK 0x1p-50

typedef struct Slabs
{
    double first, last;
    double speed; /* at which the sides of the axis that was last to meet approach each other */
    Vec3 normal;
} Slabs;

static Vec3 axis_normal(int axis, double sign)
{
    Vec3 normal = vec3(0, 0, 0);
    vec3_set(&normal, axis, 1);
    return vec3_scale(normal, sign);
}

/* Takes in an axis along which b moves by `shift` relative to a. `ahead` is the distance from b to the
 * side of a that b reaches first, `behind` the distance until b has passed a. Negative distances lie behind
 * the start. */
static bool take_in(Slabs *slabs, int axis, double ahead, double behind, double shift)
{
    double speed = fabs(shift), begin = ahead / speed, end = behind / speed;
    if (!(end >= 0) || !(begin <= 1 + MOTION_SLACK))
    {
        return false;
    }
    if (ahead >= 0 && (begin > slabs->first || (begin == slabs->first && speed > slabs->speed)))
    {
        slabs->first = begin;
        slabs->speed = speed;
        slabs->normal = axis_normal(axis, shift > 0 ? -1 : 1);
    }
    slabs->last = lesser(slabs->last, end);
    return true;
}

/* At the start they meet on all axes: the normal of the least depth, of several the one along which they
 * approach fastest, if they do. */
static Vec3 normal_at_start(const sidle_box *a, const sidle_box *b, Vec3 shift, double *depth)
{
    sidle_touch touch, turned;
    if (!sidle_box_box(a, b, &touch) || !sidle_box_box(b, a, &turned))
    {
        return vec3(0, 0, 0);
    }
    Vec3 best = vec3_from_position(touch.normal);
    if (vec3_dot(best, vec3_from_position(turned.normal)) > 0) /* equal boxes: the shift decides */
    {
        double first = shift.x != 0 ? shift.x : shift.y != 0 ? shift.y : shift.z;
        best = vec3_scale(best, first > 0 ? -1 : 1);
    }
    double fastest =
        larger(-vec3_dot(best, shift), 0); /* 0: of two sides neither, which no order could turn */
    *depth = touch.depth;
    for (int i = 0; i < 6; ++i)
    {
        int axis = i / 2;
        double up = vec3_at(vec3_from_position(a->max), axis) - vec3_at(vec3_from_position(b->min), axis);
        double down = vec3_at(vec3_from_position(b->max), axis) - vec3_at(vec3_from_position(a->min), axis);
        double speed = i % 2 ? vec3_at(shift, axis) : -vec3_at(shift, axis);
        if ((i % 2 ? down : up) == touch.depth && speed > fastest)
        {
            fastest = speed;
            best = axis_normal(axis, i % 2 ? -1 : 1);
        }
    }
    return best;
}

static bool slabs_meet(Slabs *slabs, const sidle_box *a, const sidle_box *b, Vec3 shift)
{
    Vec3 a_min = vec3_from_position(a->min), a_max = vec3_from_position(a->max);
    Vec3 b_min = vec3_from_position(b->min), b_max = vec3_from_position(b->max);
    for (int axis = 0; axis < 3; ++axis)
    {
        double above = vec3_at(b_min, axis) - vec3_at(a_max, axis); /* > 0: b is above a */
        double below = vec3_at(a_min, axis) - vec3_at(b_max, axis);
        double along = vec3_at(shift, axis);
        if (along == 0
                ? above > 0 || below > 0
                : !take_in(slabs, axis, along < 0 ? above : below, -(along < 0 ? below : above), along))
        {
            return false;
        }
    }
    return slabs->first <= slabs->last * (1 + MOTION_SLACK);
}

bool sidle_moving_boxes(const sidle_box *a, sidle_dvec3 displacement_a, const sidle_box *b,
                        sidle_dvec3 displacement_b, sidle_box_motion *out)
{
    Vec3 of_a = vec3_from_position(displacement_a), of_b = vec3_from_position(displacement_b);
    Vec3 shift = vec3_sub(of_b, of_a);
    Slabs slabs = {.first = 0, .last = 1, .speed = -1, .normal = vec3(0, 0, 0)};
    if (!sidle_box_is_valid(a) || !sidle_box_is_valid(b) || !vec3_is_finite(of_a) || !vec3_is_finite(of_b) ||
        !slabs_meet(&slabs, a, b, shift))
    {
        return false;
    }
    double depth = 0;
    if (sidle_box_box(a, b, NULL))
    {
        slabs.normal = normal_at_start(a, b, shift, &depth);
    }
    if (out)
    {
        double first = lesser(slabs.first, 1);
        *out = (sidle_box_motion){.first = first,
                                  .last = larger(slabs.last, first),
                                  .normal = dvec3_from(slabs.normal),
                                  .overlaps_first = depth > 0,
                                  .approaches = vec3_dot(slabs.normal, shift) < 0};
    }
    return true;
}
