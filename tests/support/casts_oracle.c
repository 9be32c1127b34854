#include "support/casts.h"
#include "support/oracle_core.h"

#include <stdarg.h>
#include <stdio.h>

#define ROUNDOFF   0x1p-24 /* u of the lanes */
#define SLACK      .0025   /* what no answer exceeds: beyond it lanes are double */
#define THIN_DEPTH 2.5e-5  /* a triangle lower than .014 radii is hit at its edges alone */
#define THIN       .014
#define EXACT      1e-8 /* contacts are computed in double */

/* What the cast sees: a ball of radius 1 around zero that moves along a unit direction. A ray is a ball of
 * radius 0 in the world. */
typedef struct Seen
{
    Rotation axes;
    Vector origin, radii, direction, core; /* core: half of a capsule's */
    double length, radius;
} Seen;

static Seen seen_by(const sidle_cast *cast)
{
    double x = (double)cast->rotation.x, y = (double)cast->rotation.y, z = (double)cast->rotation.z;
    double w = (double)cast->rotation.w, n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;
    Seen seen = {.radii = vector((double)cast->shape.radii.x, (double)cast->shape.radii.y,
                                 (double)cast->shape.radii.z)};
    /* rows: the shape's own axes in the world */
    seen.axes = (Rotation){{vector(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
                            vector(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
                            vector(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y))}};
    seen.origin = vector(cast->origin.x, cast->origin.y, cast->origin.z);
    seen.radius = seen.radii.x > 0;
    seen.core = vector(0, seen.radius > 0 ? (double)cast->shape.half_height / seen.radii.y : 0, 0);
    if (seen.radii.x <= 0)
    {
        seen.radii = vector(1, 1, 1);
    }
    Vector path =
        vector((double)cast->displacement.x, (double)cast->displacement.y, (double)cast->displacement.z);
    path = vector_over(vector_rotated(&seen.axes, path), seen.radii);
    seen.length = vector_length(path);
    seen.direction = vector_unit(path);
    return seen;
}

static Vector into(const Seen *seen, Vector world)
{
    return vector_over(vector_rotated(&seen->axes, vector_sub(world, seen->origin)), seen->radii);
}

static void corners_seen(const Seen *seen, const CastTriangle *triangle, Vector v[3])
{
    for (int i = 0; i < 3; ++i)
    {
        v[i] = into(seen, triangle->v[i]);
    }
}

/* S of the error law, and what the law allows. Corners come from a packed mesh: the sum of what each product
 * rounds is what counts, and that is up to sqrt(3) of the distance. */
static double size_of(const Seen *seen, const Vector v[3])
{
    return fmax(fmax(vector_length(v[0]), vector_length(v[1])), fmax(vector_length(v[2]), seen->length)) +
           vector_length(seen->core);
}

static bool is_thin(const Vector v[3])
{
    Vector e[3];
    double longest = 0;
    for (int i = 0; i < 3; ++i)
    {
        e[i] = vector_sub(v[(i + 1) % 3], v[i]);
        longest = fmax(longest, vector_length(e[i]));
    }
    return vector_length(vector_cross(e[0], e[1])) <= THIN * 1.01 * longest;
}

/* What double leaves of a contact, here and in the library: the place in the world costs digits, too. */
static double exactness(const Seen *seen, const Vector v[3])
{
    double least = fmin(seen->radii.x, fmin(seen->radii.y, seen->radii.z));
    return EXACT + 1e-14 * size_of(seen, v) + 1e-15 * vector_length(seen->origin) / least;
}

/* Half of what an edge sweeps over, along a capsule's core: its faces err as triangles do. */
static void side_of(const Seen *seen, Vector a, Vector b, Vector side[3])
{
    bool rises = a.y < b.y;
    side[0] = vector_add(rises ? a : b, seen->core);
    side[1] = vector_sub(rises ? b : a, seen->core);
    side[2] = vector_sub(rises ? a : b, seen->core);
}

/* K of every feature of a triangle that may be hit, and whether anything of it is too thin to have a face. */
static double worst_factor(const Seen *seen, const Vector v[3], bool *thin)
{
    double factor = is_thin(v) ? 6 : fmax(6, 1 / oracle_roundness(v));
    *thin = is_thin(v);
    for (int i = 0; i < 3 && seen->core.y > 0; ++i)
    {
        Vector side[3];
        side_of(seen, v[i], v[(i + 1) % 3], side);
        *thin = *thin || is_thin(side);
        factor = is_thin(side) ? factor : fmax(factor, 1 / oracle_roundness(side));
    }
    return factor;
}

static bool has_thin_part(const Seen *seen, const Vector v[3])
{
    bool thin;
    worst_factor(seen, v, &thin);
    return thin;
}

static double allowed(const Seen *seen, const Vector v[3])
{
    bool thin;
    double factor = worst_factor(seen, v, &thin);
    return fmin(factor * ROUNDOFF * size_of(seen, v), SLACK) + (thin ? THIN_DEPTH : 0) + exactness(seen, v);
}

/* Of the ball or, of a capsule, of the core. */
static double distance_at(const Seen *seen, const Vector v[3], Vector center)
{
    return seen->core.y > 0 ? oracle_core(v, seen->core, center).distance
                            : oracle_closest(v, center).distance;
}

/* ---- complaints ---- */

static bool complain(const sidle_cast *cast, const sidle_cast_hit *hit, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n  cast {%a, %a, %a} {%a, %a, %a, %a} {%a, %a, %a} radii {%a, %a, %a}\n  answer %u at %.17g, "
           "triangle %u "
           "of %llu, feature %u, point {%.17g, %.17g, %.17g}, normal {%g, %g, %g}\n",
           cast->origin.x, cast->origin.y, cast->origin.z, (double)cast->rotation.x, (double)cast->rotation.y,
           (double)cast->rotation.z, (double)cast->rotation.w, (double)cast->displacement.x,
           (double)cast->displacement.y, (double)cast->displacement.z, (double)cast->shape.radii.x,
           (double)cast->shape.radii.y, (double)cast->shape.radii.z, hit->hit, hit->t, hit->triangle,
           (unsigned long long)hit->instance_key, hit->feature, hit->point.x, hit->point.y, hit->point.z,
           (double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z);
    return false;
}

static const CastTriangle *named_triangle(const CastScene *scene, const sidle_cast_hit *hit)
{
    for (size_t i = 0; i < scene->count; ++i)
    {
        const CastTriangle *t = &scene->triangles[i];
        if (t->triangle == hit->triangle && t->key == hit->instance_key &&
            t->instance.index == hit->instance.index && t->instance.generation == hit->instance.generation)
        {
            return t;
        }
    }
    return NULL;
}

/* ---- balls ---- */

/* No point of a triangle is closer to the first `length` of the path, less what the core reaches. */
static double least_distance(const Seen *seen, const Vector v[3], double length)
{
    Vector middle = vector_scale(vector_add(vector_add(v[0], v[1]), v[2]), 1.0 / 3);
    double around = 0;
    for (int i = 0; i < 3; ++i)
    {
        around = fmax(around, vector_distance(middle, v[i]));
    }
    double along = fmin(fmax(vector_dot(middle, seen->direction), 0), length);
    return vector_distance(middle, vector_scale(seen->direction, along)) - around - seen->core.y;
}

/* Does the ball stay out of every triangle as far as it is said to come? */
static bool stays_out(CastTally *tally, const Seen *seen, const CastScene *scene, const sidle_cast *cast,
                      const sidle_cast_hit *hit)
{
    double length = hit->hit == SIDLE_CAST_HIT ? hit->t * seen->length : seen->length;
    for (size_t i = 0; i < scene->count; ++i)
    {
        Vector v[3];
        corners_seen(seen, &scene->triangles[i], v);
        if (least_distance(seen, v, length) > 1.01) /* cannot touch: spares the search for most */
        {
            continue;
        }
        double nearest = oracle_approach(v, vector(0, 0, 0), seen->direction, length).distance;
        if (nearest > 1.01 + seen->core.y)
        {
            continue;
        }
        if (seen->core.y > 0)
        {
            nearest = oracle_core_approach(v, seen->core, vector(0, 0, 0), seen->direction, length).distance;
        }
        if (1 - nearest > allowed(seen, v))
        {
            return complain(cast, hit, "triangle %zu: comes as close as %.9g, S %.9g, kappa %.3g", i, nearest,
                            size_of(seen, v), oracle_roundness(v));
        }
        if (!has_thin_part(seen, v))
        {
            tally->worst_factor = worse(tally->worst_factor,
                                        (1 - nearest - exactness(seen, v)) / (ROUNDOFF * size_of(seen, v)));
        }
    }
    return true;
}

/* Is the contact one? */
static bool is_touched(const Seen *seen, const CastScene *scene, const sidle_cast *cast,
                       const sidle_cast_hit *hit)
{
    const CastTriangle *triangle = named_triangle(scene, hit);
    if (!triangle)
    {
        return complain(cast, hit, "no such triangle");
    }
    Vector v[3];
    corners_seen(seen, triangle, v);
    double near = exactness(seen, v);
    Vector center = vector_scale(seen->direction, hit->t * seen->length);
    Vector point = into(seen, vector(hit->point.x, hit->point.y, hit->point.z));
    double distance = distance_at(seen, v, center), off = oracle_closest(v, point).distance;
    bool overlaps = hit->hit == SIDLE_CAST_OVERLAP;
    double sinks = distance < 1 && has_thin_part(seen, v) ? THIN_DEPTH : 0;
    if (!(overlaps ? distance < 1 + near : fabs(distance - 1) <= near + sinks))
    {
        return complain(cast, hit, "the triangle is %.12g away", distance);
    }
    if (!(off <= 2e-4)) /* faces may be hit a little outside */
    {
        return complain(cast, hit, "the point is %.12g off the triangle", off);
    }
    double inner = overlaps && is_thin(v) ? THIN / 2 : 0; /* its middle is that far from its edges at most */
    const Vector spot[3] = {point, point, point};
    double away = distance_at(seen, spot, center);
    if (!(fabs(away - (overlaps ? distance : 1)) <= near + inner))
    {
        return complain(cast, hit, "the point is %.12g away from the centre", away);
    }
    Vector n = vector((double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z);
    Vector seen_normal = vector_unit(vector_times(vector_rotated(&seen->axes, n), seen->radii));
    double along = seen->core.y > 0 ? oracle_core(spot, seen->core, center).along : 0;
    Vector expected = vector_unit(vector_sub(vector_along(center, along, seen->core), point));
    if (!(fabs(vector_length(n) - 1) <= 1e-6 &&
          (distance <= 1e-3 || vector_distance(seen_normal, expected) <= 1e-4 + near / distance)))
    {
        return complain(cast, hit, "the normal should be {%g, %g, %g} in ellipsoid space", expected.x,
                        expected.y, expected.z);
    }
    return overlaps || vector_dot(seen_normal, seen->direction) < 1e-4 ||
           complain(cast, hit, "normal along the path");
}

/* The nearest triangle at the start decides whether there is an overlap, and whose it is. */
static bool begins_right(const Seen *seen, const CastScene *scene, const sidle_cast *cast,
                         const sidle_cast_hit *hit)
{
    const CastTriangle *named = named_triangle(scene, hit);
    double least = INFINITY, deepest = INFINITY, near = 0, exact = 0;
    for (size_t i = 0; i < scene->count; ++i)
    {
        Vector v[3];
        corners_seen(seen, &scene->triangles[i], v);
        if (&scene->triangles[i] != named && least_distance(seen, v, 0) > least)
        {
            continue;
        }
        double distance = distance_at(seen, v, vector(0, 0, 0));
        exact = distance < least ? exactness(seen, v) : exact;
        near = distance < least ? exact + (is_thin(v) ? THIN / 2 : 0) : near;
        least = fmin(least, distance);
        deepest = &scene->triangles[i] == named ? distance : deepest;
    }
    if (hit->hit == SIDLE_CAST_OVERLAP)
    {
        return deepest <= least + near || complain(cast, hit, "another one is only %.9g away", least);
    }
    return least >= 1 - fmin(near, exact + THIN_DEPTH) ||
           complain(cast, hit, "begins %.9g away from a triangle", least);
}

static bool ball_is_right(CastTally *tally, const CastScene *scene, const sidle_cast *cast,
                          const sidle_cast_hit *hit)
{
    Seen seen = seen_by(cast);
    return begins_right(&seen, scene, cast, hit) &&
           (hit->hit == SIDLE_CAST_OVERLAP || stays_out(tally, &seen, scene, cast, hit)) &&
           (hit->hit == SIDLE_CAST_MISS || is_touched(&seen, scene, cast, hit));
}

/* ---- rays ---- */

/* Where the ray pierces the triangle by more than `sure` inside all edges, along it; negative: it does not.
 */
static double surely_pierced(const Seen *seen, const Vector v[3], double sure)
{
    Vector d = seen->direction, n = vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0]));
    double side = vector_dot(n, d) > 0 ? 1 : -1;
    for (int i = 0; i < 3; ++i)
    {
        Vector e = vector_sub(v[(i + 1) % 3], v[i]), aside = vector_cross(d, e);
        /* the distance of the two lines, positive inside */
        if (!(side * vector_dot(aside, vector_scale(v[i], -1)) > sure * vector_length(aside)))
        {
            return -1;
        }
    }
    return vector_dot(n, v[0]) / vector_dot(n, d);
}

/* Sine of the angle between path and plane. */
static double steepness(const Seen *seen, const Vector v[3])
{
    Vector n = vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0]));
    return fabs(vector_dot(n, seen->direction)) / vector_length(n);
}

/* What a few hundred roundings in double amount to. */
static double digits(const Seen *seen, const Vector v[3])
{
    return 1e-13 * (size_of(seen, v) + vector_length(seen->origin));
}

static bool ray_is_right(const CastScene *scene, const sidle_cast *cast, const sidle_cast_hit *hit)
{
    Seen seen = seen_by(cast);
    double t = hit->hit == SIDLE_CAST_HIT ? hit->t * seen.length : seen.length;
    for (size_t i = 0; i < scene->count; ++i)
    {
        Vector v[3];
        corners_seen(&seen, &scene->triangles[i], v);
        double sure = 16 * ROUNDOFF * size_of(&seen, v), at = surely_pierced(&seen, v, sure);
        double near = digits(&seen, v) / steepness(&seen, v);
        if (at > near && at < t - near)
        {
            return complain(cast, hit, "triangle %zu is hit at %.17g of %.17g", i, at, seen.length);
        }
    }
    if (hit->hit == SIDLE_CAST_MISS)
    {
        return true;
    }
    const CastTriangle *triangle = named_triangle(scene, hit);
    if (!triangle || hit->hit != SIDLE_CAST_HIT)
    {
        return complain(cast, hit, "no such answer");
    }
    Vector v[3], point = into(&seen, vector(hit->point.x, hit->point.y, hit->point.z));
    corners_seen(&seen, triangle, v);
    double near = 16 * ROUNDOFF * size_of(&seen, v), off = oracle_closest(v, point).distance;
    if (!(off <= near && vector_distance(point, vector_scale(seen.direction, t)) <= digits(&seen, v)))
    {
        return complain(cast, hit, "the point is %.9g off the triangle", off);
    }
    Vector n = vector((double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z);
    return (fabs(vector_length(n) - 1) < 1e-6 && vector_dot(n, seen.direction) <= 1e-6) ||
           complain(cast, hit, "the normal points along the ray");
}

bool cast_checked(CastTally *tally, const CastScene *scene, const sidle_cast *cast, const sidle_cast_hit *hit)
{
    tally->misses += hit->hit == SIDLE_CAST_MISS;
    tally->hits += hit->hit == SIDLE_CAST_HIT;
    tally->overlaps += hit->hit == SIDLE_CAST_OVERLAP;
    bool right = (hit->t >= 0 && hit->t <= 1) || complain(cast, hit, "no such time");
    right = right && (cast->shape.radii.x > 0 ? ball_is_right(tally, scene, cast, hit)
                                              : ray_is_right(scene, cast, hit));
    tally->wrong += !right;
    return right;
}

void cast_tally_print(const CastTally *tally, const char *what)
{
    printf("%s: %llu misses, %llu hits, %llu overlaps, %llu wrong, worst K %.3g\n", what,
           (unsigned long long)tally->misses, (unsigned long long)tally->hits,
           (unsigned long long)tally->overlaps, (unsigned long long)tally->wrong, tally->worst_factor);
    fflush(stdout);
}
