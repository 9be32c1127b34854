/* A box against a sphere: the closest point of the box, J. Arvo, "A Simple Method for Box-Sphere Intersection
 * Testing", Graphics Gems, 1990, and the nearest face if the centre is inside. */
#include "intersect/box_parts.h"

/* u = 2^-53. The square of the distance errs by 5 u of itself (each difference u, its square 3 u, two sums
 * 2 u), the square of the radius by u: a gap of at most 2^-50 of the radius counts as touching. */
#define SPHERE_SLACK 0x1p-50

/* How a sphere around `center` meets [low, high]; all of it, but for the points, in the frame of the box. */
typedef struct Meeting
{
    Vec3 normal, place; /* midway between the surfaces */
    double depth;
    sidle_feature part;
} Meeting;

/* A centre inside, or on the surface, leaves through the nearest face. */
static void leave(Meeting *meeting, Vec3 low, Vec3 high, Vec3 center, double radius)
{
    double least = INFINITY;
    for (int i = 0; i < 6; ++i)
    {
        int axis = i / 2;
        double offset =
            i % 2 ? vec3_at(high, axis) - vec3_at(center, axis) : vec3_at(center, axis) - vec3_at(low, axis);
        if (offset < least)
        {
            least = offset;
            meeting->normal = vec3(0, 0, 0);
            vec3_set(&meeting->normal, axis, i % 2 ? 1 : -1);
            meeting->place = center;
            /* Midway between the face, `offset` ahead, and the far side of the sphere, `radius` behind. */
            vec3_set(&meeting->place, axis, vec3_at(center, axis) + (i % 2 ? .5 : -.5) * (offset - radius));
            meeting->part = feature(SIDLE_FEATURE_FACE, i);
        }
    }
    meeting->depth = least + radius;
}

static bool meet(Meeting *meeting, Vec3 low, Vec3 high, Vec3 center, double radius, double slack)
{
    Vec3 closest = vec3(within(center.x, low.x, high.x), within(center.y, low.y, high.y),
                        within(center.z, low.z, high.z));
    Vec3 offset = vec3_sub(center, closest);
    double distance = vec3_length(offset);
    if (!(distance <= radius + slack))
    {
        return false;
    }
    if (!(distance > 0))
    {
        leave(meeting, low, high, center, radius);
        return true;
    }
    meeting->normal = vec3_scale(offset, 1 / distance);
    meeting->depth = larger(radius - distance, 0);
    meeting->place = vec3_add_scaled(closest, meeting->normal, -.5 * meeting->depth);
    meeting->part = sidle_box_feature(meeting->normal);
    return true;
}

static bool sphere_is_valid(const sidle_sphere *sphere)
{
    return vec3_is_finite(vec3_from_position(sphere->center)) && isfinite(sphere->radius) &&
           sphere->radius >= 0;
}

static sidle_touch meeting_touch(const Meeting *meeting, Vec3 normal, Vec3 place)
{
    return (sidle_touch){.normal = dvec3_from(normal),
                         .depth = meeting->depth,
                         .point_count = 1,
                         .feature_a = meeting->part,
                         .feature_b = feature(SIDLE_FEATURE_FACE, 0),
                         .points = {dvec3_from(place)},
                         .depths = {meeting->depth}};
}

bool sidle_box_sphere(const sidle_box *box, const sidle_sphere *sphere, sidle_touch *out)
{
    Meeting meeting;
    if (!sidle_box_is_valid(box) || !sphere_is_valid(sphere) ||
        !meet(&meeting, vec3_from_position(box->min), vec3_from_position(box->max),
              vec3_from_position(sphere->center), sphere->radius, SPHERE_SLACK * sphere->radius))
    {
        return false;
    }
    if (out)
    {
        *out = meeting_touch(&meeting, meeting.normal, meeting.place);
    }
    return true;
}

bool sidle_oriented_box_sphere(const sidle_oriented_box *box, const sidle_sphere *sphere, sidle_touch *out)
{
    Meeting meeting;
    if (!sidle_oriented_box_is_valid(box) || !sphere_is_valid(sphere))
    {
        return false;
    }
    Vec3 half = vec3_from_position(box->half), center = vec3_from_position(sphere->center);
    Vec3 away = vec3_sub(center, vec3_from_position(box->center));
    double slack = BOX_SLACK * (vec3_sum_abs(half) + vec3_sum_abs(away) + sphere->radius);
    if (!meet(&meeting, vec3_scale(half, -1), half, sidle_oriented_box_local(box, center), sphere->radius,
              slack))
    {
        return false;
    }
    if (out)
    {
        *out = meeting_touch(&meeting, sidle_oriented_box_turned(box, meeting.normal),
                             sidle_oriented_box_world(box, meeting.place));
    }
    return true;
}
