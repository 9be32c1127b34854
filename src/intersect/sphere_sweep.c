/* Moving spheres against planes and against each other. M. Gomez, "Simple Intersection Tests for Games",
 * 1999.
 *
 * Departures: both sides of a plane count, and both ends of the contact are reported. Touching exactly at the
 * end of the path is a hit. A start in touch reports whether the sphere goes further in. Verdicts are
 * computed in twice the precision. Two spheres: with p the vector between the centres at the start, v the
 * relative motion, R the sum of the radii, the roots of |p + t v| = R are
 *
 *     t = (-p.v -+ s) / v.v,    s^2 = v.v R^2 - |p x v|^2,
 *
 * where the difference of squares (p.v)^2 - v.v (p.p - R^2) of the article would cancel for far spheres, and
 * a root that would cancel comes from the other one and their product (p.p - R^2) / v.v. The centres then lie
 * by (v x (p x v) -+ s v) / v.v apart: two parts at right angles, so the normal is right however far they
 * came. */
#include "sidle/intersect/sphere.h"

#include "intersect/plane_distance.h"
#include "intersect/sphere_touch.h"

static bool moving_is_valid(const sidle_moving_sphere *sphere)
{
    return vec3_is_finite(vec3_from_position(sphere->from)) &&
           vec3_is_finite(vec3_from_position(sphere->to)) && radius_is_valid(sphere->radius);
}

static Vec3 center_at(const sidle_moving_sphere *sphere, double time)
{
    return places_between(vec3_from_position(sphere->from), vec3_from_position(sphere->to), time);
}

/* ---- a plane ---- */

/* Along the plane's normal alone. */
typedef struct Fall
{
    double from, to; /* signed distances of the centre, from the side where it begins: from >= 0 */
    double radius, gap, nearing;           /* from - radius and from - to, right to 2 u of themselves */
    bool begins_clear, ends_clear, passes; /* exactly; it ends clear on the side where it begins, or passes */
    bool from_behind;                      /* its centre begins behind the plane */
} Fall;

static __attribute__((noinline)) double nearing_listed(Vec3 front, Vec3 from, Vec3 to)
{
    const double left[6] = {front.x, front.y, front.z, -front.x, -front.y, -front.z};
    const double right[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
    return exact_dot(left, right, 6);
}

/* How much nearer to the plane's back it comes: from - to, of which `difference` is that in twice the
 * precision. */
static double nearing_of(const sidle_plane *plane, Vec3 from, Vec3 to, Exact difference)
{
    Vec3 front = vec3_from_position(plane->normal);
    double size = vec3_dot(vec3_abs(front), vec3_add(vec3_abs(from), vec3_abs(to))) + fabs(plane->offset);
    return fabs(difference.high) > TOUCH_DOUBT * size ? difference.high : nearing_listed(front, from, to);
}

static Fall fall_of(const sidle_moving_sphere *sphere, const sidle_plane *plane)
{
    Vec3 from = vec3_from_position(sphere->from), to = vec3_from_position(sphere->to);
    Height begin = height_of(plane, from, sphere->radius), end = height_of(plane, to, sphere->radius);
    bool from_behind = begin.distance < 0, ends_behind = end.distance < 0;
    double nearing = nearing_of(plane, from, to, twofold_sub(begin.doubled, end.doubled));
    return (Fall){.from = fabs(begin.distance),
                  .to = from_behind ? -end.distance : end.distance,
                  .radius = sphere->radius,
                  .gap = -begin.depth,
                  .nearing = from_behind ? -nearing : nearing,
                  .begins_clear = begin.depth < 0,
                  .ends_clear = end.depth < 0 && ends_behind == from_behind,
                  .passes = end.depth < 0 && ends_behind != from_behind,
                  .from_behind = from_behind};
}

/* When it has come nearer by `displacement`. */
static double time_of(const Fall *fall, double displacement)
{
    return larger(lesser(displacement / fall->nearing, 1), 0);
}

static uint32_t motion_of(const Fall *fall)
{
    return fall->nearing == 0                    ? SIDLE_PASSAGE_STAYING
           : fall->nearing > 0 && fall->from > 0 ? SIDLE_PASSAGE_APPROACHING
                                                 : SIDLE_PASSAGE_SEPARATING;
}

/* The times and the motion; false if the sphere stays clear. */
static bool find_times(const Fall *fall, sidle_passage *out)
{
    double radius = fall->radius;
    if (fall->begins_clear && fall->ends_clear)
    {
        return false;
    }
    out->first = fall->begins_clear ? time_of(fall, fall->gap) : 0;
    out->last = fall->ends_clear ? time_of(fall, fall->gap)
                : fall->passes   ? time_of(fall, fall->from + radius)
                                 : 1;
    out->motion = fall->begins_clear ? SIDLE_PASSAGE_APPROACHING : motion_of(fall);
    return true;
}

static void find_places(const sidle_moving_sphere *sphere, const Fall *fall, Vec3 front, sidle_passage *out)
{
    double radius = fall->radius;
    double distances[2] = {lesser(fall->from, radius), larger(-radius, lesser(fall->to, radius))};
    for (int i = 0; i < 2; ++i)
    {
        Vec3 center = center_at(sphere, i == 0 ? out->first : out->last);
        out->centers_a[i] = position_from(center);
        out->points[i] = position_from(point_on_way_to_plane(center, radius, front, distances[i]));
    }
    out->normal = position_from(vec3_scale(front, -1));
}

bool sidle_sphere_plane_sweep(const sidle_moving_sphere *sphere, const sidle_plane *plane, sidle_passage *out)
{
    if (!moving_is_valid(sphere) || !plane_is_valid(plane))
    {
        return false;
    }
    Vec3 front = vec3_from_position(plane->normal);
    Fall fall = fall_of(sphere, plane);
    if (fall.from_behind)
    {
        front = vec3_scale(front, -1);
    }
    sidle_passage passage = {0};
    if (!find_times(&fall, &passage))
    {
        return false;
    }
    if (out)
    {
        find_places(sphere, &fall, front, &passage);
        *out = passage;
    }
    return true;
}

bool sidle_sphere_plane_sweep_turning(const sidle_moving_sphere *sphere, const sidle_dquat *from,
                                      const sidle_dquat *to, const sidle_plane *plane, sidle_passage *out,
                                      sidle_dquat *rotation)
{
    sidle_passage passage;
    sidle_dquat turned;
    if (!sidle_sphere_plane_sweep(sphere, plane, &passage) || !sidle_slerp(from, to, passage.first, &turned))
    {
        return false;
    }
    if (out)
    {
        *out = passage;
    }
    if (rotation)
    {
        *rotation = turned;
    }
    return true;
}

/* ---- another sphere ---- */

/* Of b's centre, seen from a's. */
typedef struct Chase
{
    Vec3 start, end, displacement;
    Vec3 across;                  /* start x displacement */
    double displacement2, inward; /* displacement . displacement; -(start . displacement) */
    double begin, root;           /* start . start - R^2, exact in sign; s, 0 where the roots are none */
    bool begins_in_touch, ends_in_touch, grazes_or_misses, misses;
    double radius_a, radius_b;
} Chase;

static Chase chase_of(const sidle_moving_sphere *a, const sidle_moving_sphere *b)
{
    Vec3 a0 = vec3_from_position(a->from), a1 = vec3_from_position(a->to);
    Vec3 b0 = vec3_from_position(b->from), b1 = vec3_from_position(b->to);
    ExactVec3 start = exact_vec3_sub(b0, a0), end = exact_vec3_sub(b1, a1);
    ExactVec3 displacement = twofold3_sub(exact_vec3_sub(b1, b0), exact_vec3_sub(a1, a0));
    ExactVec3 across = twofold3_cross(start, displacement);
    Exact reach = exact_sum(a->radius, b->radius), reach2 = exact_times(reach, reach);
    Exact displacement2 = twofold3_dot(displacement, displacement);
    double inside = twofold_sub(exact_times(displacement2, reach2), twofold3_dot(across, across)).high;
    double begin = -reach_excess(&start, twofold3_dot(start, start), reach),
           inward = -twofold3_dot(start, displacement).high;
    bool still_nearing = !(twofold3_dot(end, displacement).high > 0);
    Chase chase = {.start = twofold3_high(start),
                   .end = twofold3_high(end),
                   .displacement = twofold3_high(displacement),
                   .across = twofold3_high(across),
                   .displacement2 = displacement2.high,
                   .inward = inward,
                   .begin = begin,
                   .root = sqrt(larger(inside, 0)),
                   .begins_in_touch = begin <= 0,
                   .ends_in_touch = reach_excess(&end, twofold3_dot(end, end), reach) >= 0,
                   .grazes_or_misses = !(inside > 0),
                   .misses = !(inward > 0) || still_nearing || !(inside >= 0), /* mutant: departing_hits */
                   .radius_a = a->radius,
                   .radius_b = b->radius};
    return chase;
}

static uint32_t chase_motion(const Chase *chase)
{
    return !chase->begins_in_touch || chase->inward > 0 ? SIDLE_PASSAGE_APPROACHING
           : chase->displacement2 > 0                   ? SIDLE_PASSAGE_SEPARATING
                                                        : SIDLE_PASSAGE_STAYING;
}

static double first_time(const Chase *chase)
{
    return chase->begins_in_touch ? 0 : lesser(chase->begin / (chase->inward + chase->root), 1);
}

static double last_time(const Chase *chase, double first)
{
    if (chase->ends_in_touch)
    {
        return 1;
    }
    if (!chase->begins_in_touch && chase->grazes_or_misses)
    {
        return first;
    }
    double last = chase->inward >= 0 ? (chase->inward + chase->root) / chase->displacement2
                                     : -chase->begin / (chase->root - chase->inward);
    return larger(first, lesser(last, 1)) + 0;
}

/* From a to b while the surfaces just touch: coming (side -1) or leaving (side 1). Points have no surface;
 * their normal is along their motion. */
static Vec3 normal_of_contact(const Chase *chase, double side)
{
    if (chase->radius_a + chase->radius_b == 0)
    {
        return direction_unit(vec3_scale(chase->displacement, side));
    }
    Vec3 nearest = vec3_cross(chase->displacement, chase->across);
    return direction_unit(vec3_add_scaled(nearest, chase->displacement, side * chase->root));
}

static Vec3 normal_at_first(const Chase *chase)
{
    return chase->begins_in_touch ? normal_between(chase->start, chase->radius_a, chase->radius_b)
                                  : normal_of_contact(chase, -1);
}

static Vec3 normal_at_last(const Chase *chase)
{
    return chase->ends_in_touch ? normal_between(chase->end, chase->radius_a, chase->radius_b)
                                : normal_of_contact(chase, 1);
}

static sidle_position point_at(const sidle_passage *passage, int which, double radius_a, double radius_b,
                               Vec3 normal)
{
    Vec3 a = vec3_from_position(passage->centers_a[which]), b = vec3_from_position(passage->centers_b[which]);
    return position_from(point_between(a, radius_a, b, radius_b, normal));
}

static sidle_passage passage_of(const Chase *chase, const sidle_moving_sphere *a,
                                const sidle_moving_sphere *b)
{
    double first = first_time(chase), last = last_time(chase, first);
    Vec3 normal = normal_at_first(chase);
    sidle_passage passage = {
        .first = first,
        .last = last,
        .motion = chase_motion(chase),
        .normal = position_from(normal),
        .centers_a = {position_from(center_at(a, first)), position_from(center_at(a, last))},
        .centers_b = {position_from(center_at(b, first)), position_from(center_at(b, last))}};
    passage.points[0] = point_at(&passage, 0, a->radius, b->radius, normal);
    passage.points[1] = point_at(&passage, 1, a->radius, b->radius, normal_at_last(chase));
    return passage;
}

bool sidle_sphere_sphere_sweep(const sidle_moving_sphere *a, const sidle_moving_sphere *b, sidle_passage *out)
{
    if (!moving_is_valid(a) || !moving_is_valid(b))
    {
        return false;
    }
    Chase chase = chase_of(a, b);
    if (!chase.begins_in_touch && !chase.ends_in_touch && chase.misses)
    {
        return false;
    }
    if (out)
    {
        *out = passage_of(&chase, a, b);
    }
    return true;
}
