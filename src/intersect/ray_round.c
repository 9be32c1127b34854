/* Spheres and capsules. C. Ericson, "Real-Time Collision Detection", 2005, sections 5.3.2 and 5.3.7.
 * Departures:
 * - b^2 - 4 a c cancels for what is small and far off. The height h^2 = r^2 - q^2 over the closest approach q
 *   is taken instead, as a h^2 = r^2 d^2 - |m x d|^2. Where rounding may have turned its sign, or that of the
 *   test whether an end is inside, the same numbers are summed exactly: what touches on a lattice is hit,
 *   however large its numbers. Of the two roots the one that does not cancel, as c / (k + root).
 * - The cylinder is the same question with what runs along the axis taken off both vectors, cut to the time
 *   between its ends; where the ray all but runs along the axis, what is left of its direction is noise, but
 *   within that time noise of u moves it by no more than u of the length, and so no epsilon for "parallel" is
 *   needed.
 * - A ray enters a capsule at the first entry into the cylinder and its two balls, and leaves at the last
 *   exit. No regions are distinguished, so none can be confused. */
#include "intersect/path.h"

/* Below this share of what it is the difference of, a plain number may have the wrong sign. */
#define SIGN_DOUBT (16 * EXACT_UNIT)

/* Of the endless line in something round. */
typedef struct Span
{
    double enter, exit;
    double excess; /* of the origin: squared distance less squared radius; <= 0: it begins inside */
    bool hits;
    Vec3 normal; /* where it enters, of any length, or zero */
} Span;

/* a . b - c d. Not inlined, like all rare code: it would cost the common path registers. */
static __attribute__((noinline)) double exact_product_less(Vec3 a, Vec3 b, double c, double d)
{
    const double left[4] = {a.x, a.y, a.z, c}, right[4] = {b.x, b.y, b.z, -d};
    return exact_dot(left, right, 4);
}

/* m^2 - r^2; its sign is exact. */
static double excess_of(Vec3 m, double m2, double radius)
{
    double radius2 = radius * radius, plain = m2 - radius2;
    return fabs(plain) > SIGN_DOUBT * (m2 + radius2) ? plain : exact_product_less(m, m, radius, radius);
}

/* m . d; its sign is exact. */
static double product_of(Vec3 m, double m2, Vec3 d, double d2)
{
    double plain = vec3_dot(m, d);
    return plain * plain > SIGN_DOUBT * SIGN_DOUBT * m2 * d2 ? plain : exact_product_less(m, d, 0, 0);
}

/* Takes (a d - b c)^2 off. */
static void take_square_off(ExactSum *sum, double a, double b, double c, double d)
{
    const Exact left = exact_product(a, d), right = exact_product(b, c);
    exact_add_terms(sum, -1, left, left);
    exact_add_terms(sum, 2, left, right);
    exact_add_terms(sum, -1, right, right);
}

static __attribute__((noinline)) double height2_listed(Vec3 m, Vec3 d, double radius)
{
    const Exact radius2 = exact_product(radius, radius);
    ExactSum sum;
    exact_begin(&sum);
    exact_add_terms(&sum, 1, radius2, exact_product(d.x, d.x));
    exact_add_terms(&sum, 1, radius2, exact_product(d.y, d.y));
    exact_add_terms(&sum, 1, radius2, exact_product(d.z, d.z));
    take_square_off(&sum, m.y, m.z, d.y, d.z);
    take_square_off(&sum, m.z, m.x, d.z, d.x);
    take_square_off(&sum, m.x, m.y, d.x, d.y);
    return exact_value(&sum);
}

/* r^2 d^2 - |m x d|^2; its sign is exact. Of the plain form each rounding errs by u of |m|^2 |d|^2 or r^2 d^2
 * at most, and less than 16 of them add up. */
static double height2_of(Vec3 m, double m2, Vec3 d, double d2, double radius)
{
    double radius2 = radius * radius, plain = radius2 * d2 - vec3_length2(vec3_cross(m, d));
    return fabs(plain) > SIGN_DOUBT * (radius2 + m2) * d2 ? plain : height2_listed(m, d, radius);
}

/* `from` is where the path begins, seen from the centre. Nothing before t = 0 counts. */
static Span span_of(Vec3 from, Vec3 direction, double radius)
{
    double a = vec3_length2(direction), m2 = vec3_length2(from), k = -product_of(from, m2, direction, a);
    Span span = {.exit = INFINITY, .excess = excess_of(from, m2, radius), .normal = from};
    bool inside = span.excess <= 0;
    if (a == 0)
    {
        span.hits = inside;
        return span;
    }
    double height2 = height2_of(from, m2, direction, a, radius); /* a h^2 */
    span.hits = inside || (height2 >= 0 && k > 0);
    if (!span.hits)
    {
        return span;
    }
    double root = sqrt(larger(height2, 0));
    span.exit = k >= 0 ? (k + root) / a : -span.excess / (root - k);
    if (!inside)
    {
        span.enter = span.excess / (k + root);
        /* Of a point or a bare segment only rounding would be left. */
        span.normal = radius > 0 ? vec3_add_scaled(from, direction, span.enter) : vec3(0, 0, 0);
    }
    return span;
}

/* The entries and exits of the parts of a shape, taken together. */
typedef struct Whole
{
    double enter, exit;
    bool hits, inside; /* truly inside, not on the surface */
    Vec3 normal, against;
} Whole;

static void take_part(Whole *whole, const Span *span, Vec3 against)
{
    if (!span->hits)
    {
        return;
    }
    if (!whole->hits || span->enter < whole->enter)
    {
        whole->enter = span->enter;
        whole->normal = span->normal;
        whole->against = against;
        whole->hits = true;
    }
    whole->inside = whole->inside || span->excess < 0;
    whole->exit = larger(whole->exit, span->exit);
}

static bool tell_whole(const Path *path, const Whole *whole, sidle_ray_hit *out)
{
    if (!whole->hits || !(whole->enter <= path->end))
    {
        return false;
    }
    sidle_ray_hit hit = {.t = whole->enter,
                         .t_exit = larger(lesser(whole->exit, path->end), whole->enter),
                         .point = position_of(path_at(path, whole->enter))};
    if (!whole->inside)
    {
        hit.normal = position_of(unit_or(whole->normal, whole->against));
    }
    return tell_hit(&hit, out);
}

/* The exact verdict at a segment's other end. If it ends inside the ball, it hits at 1 at the latest. If it
 * ends outside, it hits only if the nearest point lies between the ends. */
static void end_in_ball(Vec3 to, Vec3 direction, double radius, Span *span)
{
    double to2 = vec3_length2(to), direction2 = vec3_length2(direction);
    bool ends_inside = excess_of(to, to2, radius) <= 0;
    span->exit = ends_inside ? 1 : span->exit;
    if (span->excess <= 0)
    {
        return;
    }
    if (ends_inside && !(span->hits && span->enter < 1))
    {
        span->enter = 1;
        span->normal = radius > 0 ? to : vec3(0, 0, 0);
    }
    span->hits = ends_inside || (span->hits && product_of(to, to2, direction, direction2) > 0);
    span->enter = lesser(span->enter, 1);
}

static bool hit_sphere(const Path *path, const sidle_sphere *sphere, sidle_ray_hit *out)
{
    Vec3 center = vec3_from_position(sphere->center);
    if (nothing_of_vec3(center) + nothing_of(sphere->radius) != 0 || sphere->radius < 0)
    {
        return false;
    }
    Span span = span_of(vec3_sub(path->origin, center), path->direction, sphere->radius);
    if (path->is_segment)
    {
        end_in_ball(vec3_sub(path->target, center), path->direction, sphere->radius, &span);
    }
    Whole whole = {.hits = false};
    take_part(&whole, &span, vec3_scale(path->direction, -1));
    return tell_whole(path, &whole, out);
}

/* From where to where along the path place + t speed is in [0, 1]: between the ends. */
static bool clip(double place, double speed, Span *span)
{
    if (speed == 0)
    {
        return place >= 0 && place <= 1;
    }
    double from_first = -place / speed, from_second = (1 - place) / speed;
    span->enter = larger(span->enter, lesser(from_first, from_second));
    span->exit = lesser(span->exit, larger(from_first, from_second));
    return span->enter <= span->exit;
}

/* The part of the cylinder between the two ends, discs included: they are inside of the balls, so taking them
 * in changes nothing, and where a ball is just missed by rounding they take its place. */
static void take_side(Whole *whole, const Path *path, Vec3 axis, Vec3 from, double radius)
{
    double length2 = vec3_length2(axis);
    double place = vec3_dot(from, axis) / length2, speed = vec3_dot(path->direction, axis) / length2;
    Vec3 across = vec3_add_scaled(from, axis, -place);
    Vec3 direction = vec3_add_scaled(path->direction, axis, -speed);
    Span span = span_of(across, direction, radius);
    if (span.hits && clip(place, speed, &span))
    {
        span.excess = place >= 0 && place <= 1 ? span.excess : 0;
        take_part(whole, &span, vec3_scale(path->direction, -1));
    }
}

static bool comes_before(Vec3 a, Vec3 b)
{
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* From the nearest point of the axis, which begins at 0, to `point`. */
static Vec3 from_core(Vec3 point, Vec3 axis)
{
    double along = vec3_dot(point, axis), length2 = vec3_length2(axis);
    double place = along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
    return vec3_add_scaled(point, axis, -place);
}

/* The part of a direction at right angles to the axis, of any length; the direction itself where that part is
 * zero. Subtracting the part along the axis would leave only rounding where the two are nearly parallel. */
static Vec3 across_axis(Vec3 direction, Vec3 axis)
{
    ExactVec3 d = exact_vec3(direction), a = exact_vec3(axis);
    Vec3 side = exact_cross(&d, &a);
    return vec3_is_zero(side) ? direction : vec3_cross(axis, unit_or(side, side));
}

static bool hit_capsule(const Path *path, const sidle_capsule *capsule, sidle_ray_hit *out)
{
    Vec3 a = vec3_from_position(capsule->a), b = vec3_from_position(capsule->b);
    if (nothing_of_vec3(a) + nothing_of_vec3(b) + nothing_of(capsule->radius) != 0 || capsule->radius < 0)
    {
        return false;
    }
    bool turned = comes_before(b, a); /* so that the order of the ends does not show in the bits */
    Vec3 first = turned ? b : a, second = turned ? a : b, axis = vec3_sub(second, first);
    Vec3 from = vec3_sub(path->origin, first), against = vec3_scale(path->direction, -1);
    Whole whole = {.hits = false};
    if (!vec3_is_zero(axis))
    {
        take_side(&whole, path, axis, from, capsule->radius);
        Span other = span_of(vec3_sub(path->origin, second), path->direction, capsule->radius);
        take_part(&whole, &other, against);
    }
    Span ball = span_of(from, path->direction, capsule->radius);
    take_part(&whole, &ball, against);
    if (whole.hits)
    {
        /* Where side and ball meet they have one normal, but a ray that grazes there may meet either of them
         * some sqrt(u) of the radius farther on: so it is asked of the place. */
        Vec3 place = vec3_add_scaled(from, path->direction, whole.enter);
        whole.normal = capsule->radius > 0 ? from_core(place, axis) : vec3(0, 0, 0);
        whole.against =
            vec3_is_zero(whole.normal) ? vec3_scale(across_axis(path->direction, axis), -1) : against;
    }
    return tell_whole(path, &whole, out);
}

bool sidle_ray_sphere(const sidle_ray *ray, const sidle_sphere *sphere, sidle_ray_hit *out)
{
    Path path;
    return path_of_ray(ray, &path) && hit_sphere(&path, sphere, out);
}

bool sidle_segment_sphere(const sidle_segment *segment, const sidle_sphere *sphere, sidle_ray_hit *out)
{
    Path path;
    return path_of_segment(segment, &path) && hit_sphere(&path, sphere, out);
}

bool sidle_ray_capsule(const sidle_ray *ray, const sidle_capsule *capsule, sidle_ray_hit *out)
{
    Path path;
    return path_of_ray(ray, &path) && hit_capsule(&path, capsule, out);
}

bool sidle_segment_capsule(const sidle_segment *segment, const sidle_capsule *capsule, sidle_ray_hit *out)
{
    Path path;
    return path_of_segment(segment, &path) && hit_capsule(&path, capsule, out);
}
