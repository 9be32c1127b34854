/* Lines and segments in space: nearest points. C. Ericson, "Real-Time Collision Detection", 2005, section
 * 5.1.9, solves two equations in dot products; its denominator a e - b b cancels where the directions are
 * nearly parallel, and what comes out below an epsilon is called parallel. Departures:
 * - The denominator is |u x v|^2, each component of the product exact to 2 u, so it never cancels; parallel
 *   means that it is 0.
 * - Only the first parameter is solved for; the second is the foot of that point. An error e of the first
 *   then parts the points by e |u| sin(angle), and e itself grows with 1 / sin(angle) only: the angle drops
 *   out.
 * - Segments also try their four ends, so that clamping needs no cases, and the nearest of all is taken.
 * - The two are put into a fixed order first, so that (q, p) gives the same bits as (p, q). */
#include "sidle/intersect/line.h"

#include "base/exact.h"
#include "intersect/finite.h"

/* A point of p is first + s along, one of q first + t across. */
typedef struct Pair
{
    ExactVec3 u, v, w;               /* along p; along q; from p's first point to q's */
    Vec3 along, across, gap, normal; /* u, v and w rounded; u x v, each within 2 u */
} Pair;

static Pair pair_of(ExactVec3 u, ExactVec3 v, ExactVec3 w)
{
    return (Pair){
        u, v, w, exact_vec3_high(&u), exact_vec3_high(&v), exact_vec3_high(&w), exact_cross(&u, &v)};
}

static bool comes_before(sidle_position a, sidle_position b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static bool same(sidle_position a, sidle_position b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static sidle_position position_of(Vec3 a)
{
    return (sidle_position){a.x, a.y, a.z};
}

/* How far along a direction the foot of a point is; 0 where there is no direction. */
static double foot(Vec3 point, Vec3 direction)
{
    double length_squared = vec3_length2(direction);
    return length_squared > 0 ? vec3_dot(point, direction) / length_squared : 0;
}

/* s where neither end matters: (w x v) . n / n^2. */
static double solved(const Pair *pair)
{
    return vec3_dot(exact_cross(&pair->w, &pair->v), pair->normal) / vec3_length2(pair->normal);
}

static Vec3 between(const Pair *pair, double s, double t)
{
    return vec3_add_scaled(vec3_add_scaled(pair->gap, pair->across, t), pair->along, -s);
}

static void turn_round(sidle_nearest *nearest)
{
    *nearest = (sidle_nearest){nearest->t, nearest->s, nearest->distance_squared, nearest->q, nearest->p};
}

/* ---- endless lines ---- */

/* At least one is a point: how far off the other it is. */
static sidle_line_case point_nearest(const Pair *pair, sidle_nearest *nearest)
{
    bool p_is_point = vec3_is_zero(pair->along);
    const ExactVec3 *direction = p_is_point ? &pair->v : &pair->u;
    Vec3 line = p_is_point ? pair->across : pair->along, off = exact_cross(&pair->w, direction);
    nearest->s = foot(pair->gap, pair->along) + 0;
    nearest->t = p_is_point ? 0 - foot(pair->gap, pair->across) : 0;
    double length = vec3_is_zero(line) ? vec3_length(pair->gap) : vec3_length(off) / vec3_length(line);
    nearest->distance_squared = length * length;
    return length > 0 ? SIDLE_LINES_APART : SIDLE_LINES_POINT;
}

static sidle_line_case parallel_nearest(const Pair *pair, sidle_nearest *nearest)
{
    double length = vec3_length(exact_cross(&pair->w, &pair->v)) / vec3_length(pair->across);
    nearest->s = 0;
    nearest->t = 0 - foot(pair->gap, pair->across);
    nearest->distance_squared = length * length;
    return length > 0 ? SIDLE_LINES_PARALLEL : SIDLE_LINES_COLLINEAR;
}

static sidle_line_case lines_nearest(const Pair *pair, sidle_nearest *nearest)
{
    if (vec3_is_zero(pair->along) || vec3_is_zero(pair->across))
    {
        return point_nearest(pair, nearest);
    }
    if (vec3_is_zero(pair->normal))
    {
        return parallel_nearest(pair, nearest);
    }
    double length = fabs(exact_det3(&pair->w, &pair->u, &pair->v)) / vec3_length(pair->normal);
    nearest->s = solved(pair) + 0;
    nearest->t = foot(vec3_sub(vec3_scale(pair->along, nearest->s), pair->gap), pair->across) + 0;
    nearest->distance_squared = length * length;
    return length > 0 ? SIDLE_LINES_SKEW : SIDLE_LINES_CROSSING;
}

static bool ray_is_finite(const sidle_ray *ray)
{
    return nothing_of_position(ray->origin) + nothing_of_position(ray->direction) == 0;
}

static sidle_position point_of_line(const sidle_ray *line, double at)
{
    return position_of(
        vec3_add_scaled(vec3_from_position(line->origin), vec3_from_position(line->direction), at));
}

sidle_line_case sidle_line_line(const sidle_ray *p, const sidle_ray *q, sidle_nearest *out)
{
    if (!ray_is_finite(p) || !ray_is_finite(q))
    {
        return SIDLE_LINES_NONE;
    }
    bool turned = same(p->origin, q->origin) ? comes_before(q->direction, p->direction)
                                             : comes_before(q->origin, p->origin);
    const sidle_ray *first = turned ? q : p, *second = turned ? p : q;
    Pair pair = pair_of(
        exact_vec3(vec3_from_position(first->direction)), exact_vec3(vec3_from_position(second->direction)),
        exact_vec3_sub(vec3_from_position(second->origin), vec3_from_position(first->origin)));
    sidle_nearest nearest = {0};
    sidle_line_case answer = lines_nearest(&pair, &nearest);
    nearest.p = point_of_line(first, nearest.s);
    nearest.q = point_of_line(second, nearest.t);
    if (turned)
    {
        turn_round(&nearest);
    }
    if (out)
    {
        *out = nearest;
    }
    return answer;
}

/* ---- segments ---- */

static double to_unit(double t)
{
    return t > 1 ? 1 : t > 0 ? t : 0;
}

/* Takes the pair of s and t if it is nearer than what there is. */
static void take(const Pair *pair, double s, double t, sidle_nearest *nearest)
{
    double distance_squared = vec3_length2(between(pair, s, t));
    if (distance_squared < nearest->distance_squared)
    {
        nearest->s = s;
        nearest->t = t;
        nearest->distance_squared = distance_squared;
    }
}

static void take_foot_on_q(const Pair *pair, double s, sidle_nearest *nearest)
{
    Vec3 from = vec3_sub(vec3_scale(pair->along, s), pair->gap);
    take(pair, s, to_unit(foot(from, pair->across)), nearest);
}

static void take_foot_on_p(const Pair *pair, double t, sidle_nearest *nearest)
{
    Vec3 from = vec3_add_scaled(pair->gap, pair->across, t);
    take(pair, to_unit(foot(from, pair->along)), t, nearest);
}

static sidle_nearest segments_nearest(const Pair *pair)
{
    sidle_nearest nearest = {.distance_squared = INFINITY};
    take_foot_on_q(pair, 0, &nearest);
    take_foot_on_q(pair, 1, &nearest);
    take_foot_on_p(pair, 0, &nearest);
    take_foot_on_p(pair, 1, &nearest);
    if (!vec3_is_zero(pair->normal))
    {
        take_foot_on_q(pair, to_unit(solved(pair)), &nearest);
    }
    return nearest;
}

/* Seen along the axis that the normal is longest in: there nothing that lies in one plane falls together. */
static sidle_segment2 flattened(const sidle_segment *p, Vec3 normal)
{
    Vec3 size = vec3_abs(normal);
    if (size.x >= size.y && size.x >= size.z)
    {
        return (sidle_segment2){{p->a.y, p->a.z}, {p->b.y, p->b.z}};
    }
    return size.y >= size.z ? (sidle_segment2){{p->a.z, p->a.x}, {p->b.z, p->b.x}}
                            : (sidle_segment2){{p->a.x, p->a.y}, {p->b.x, p->b.y}};
}

/* Where a point of the line lies along it: as the longest side says, within [0, 1] between the ends. */
static double along_longest(const sidle_segment *p, sidle_position point)
{
    Vec3 whole = vec3_sub(vec3_from_position(p->b), vec3_from_position(p->a)), size = vec3_abs(whole);
    Vec3 part = vec3_sub(vec3_from_position(point), vec3_from_position(p->a));
    if (vec3_is_zero(whole))
    {
        return 0;
    }
    return size.x >= size.y && size.x >= size.z ? part.x / whole.x
           : size.y >= size.z                   ? part.y / whole.y
                                                : part.z / whole.z;
}

/* Both on one line: whether they share something, and then the first point of it in the order of x, y, z. */
static bool share_stretch(const sidle_segment *p, const sidle_segment *q, sidle_nearest *nearest)
{
    bool p_forward = comes_before(p->a, p->b), q_forward = comes_before(q->a, q->b);
    sidle_position p_low = p_forward ? p->a : p->b, p_high = p_forward ? p->b : p->a;
    sidle_position q_low = q_forward ? q->a : q->b, q_high = q_forward ? q->b : q->a;
    sidle_position low = comes_before(p_low, q_low) ? q_low : p_low;
    if (comes_before(p_high, low) || comes_before(q_high, low))
    {
        return false;
    }
    *nearest = (sidle_nearest){along_longest(p, low), along_longest(q, low), 0, low, low};
    return true;
}

/* How segments lie whose directions have no cross product. */
static sidle_line_case parallel_case(const Pair *pair, const sidle_segment *p, const sidle_segment *q,
                                     sidle_nearest *nearest)
{
    bool p_is_point = vec3_is_zero(pair->along), q_is_point = vec3_is_zero(pair->across);
    Vec3 off = exact_cross(&pair->w, p_is_point ? &pair->v : &pair->u);
    bool is_point = p_is_point || q_is_point;
    if (!vec3_is_zero(off))
    {
        return is_point ? SIDLE_LINES_APART : SIDLE_LINES_PARALLEL;
    }
    return !share_stretch(p, q, nearest) ? SIDLE_LINES_APART
           : is_point                    ? SIDLE_LINES_POINT
                                         : SIDLE_LINES_COLLINEAR;
}

/* How segments lie, exactly; where they share something their distance is 0, whatever rounding made of it. */
static sidle_line_case segments_case(const Pair *pair, const sidle_segment *p, const sidle_segment *q,
                                     sidle_nearest *nearest)
{
    if (vec3_is_zero(pair->normal))
    {
        return parallel_case(pair, p, q, nearest);
    }
    if (exact_det3_sign(&pair->w, &pair->u, &pair->v) != 0)
    {
        return SIDLE_LINES_SKEW;
    }
    sidle_segment2 flat_p = flattened(p, pair->normal), flat_q = flattened(q, pair->normal);
    sidle_meeting2 meeting;
    if (sidle_segment2_segment2(&flat_p, &flat_q, &meeting) != SIDLE_LINES_CROSSING)
    {
        return SIDLE_LINES_APART;
    }
    nearest->s = meeting.s[0];
    nearest->t = meeting.t[0];
    nearest->distance_squared = 0;
    return SIDLE_LINES_CROSSING;
}

static sidle_position point_of_segment(const sidle_segment *p, Vec3 along, double at)
{
    return at == 1 ? p->b : position_of(vec3_add_scaled(vec3_from_position(p->a), along, at));
}

sidle_line_case sidle_segment_segment(const sidle_segment *p, const sidle_segment *q, sidle_nearest *out)
{
    if (nothing_of_position(p->a) + nothing_of_position(p->b) + nothing_of_position(q->a) +
            nothing_of_position(q->b) !=
        0)
    {
        return SIDLE_LINES_NONE;
    }
    bool turned = same(p->a, q->a) ? comes_before(q->b, p->b) : comes_before(q->a, p->a);
    const sidle_segment *first = turned ? q : p, *second = turned ? p : q;
    Vec3 first_a = vec3_from_position(first->a), second_a = vec3_from_position(second->a);
    Pair pair =
        pair_of(exact_vec3_sub(vec3_from_position(first->b), first_a),
                exact_vec3_sub(vec3_from_position(second->b), second_a), exact_vec3_sub(second_a, first_a));
    sidle_nearest nearest = segments_nearest(&pair);
    sidle_line_case answer = segments_case(&pair, first, second, &nearest);
    nearest.p = point_of_segment(first, pair.along, nearest.s);
    nearest.q = point_of_segment(second, pair.across, nearest.t);
    if (turned)
    {
        turn_round(&nearest);
    }
    if (out)
    {
        *out = nearest;
    }
    return answer;
}
