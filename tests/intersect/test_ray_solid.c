/* Rays and segments against spheres, capsules and boxes. The oracle grows and shrinks the solid by K u S: the
 * answer must lie between the two. SIDLE_QUERIES sets how many. */
#include "sidle/intersect/ray.h"

#include "intersect/support/ray_solid.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT 0x1p-53

static sidle_position place(Vector a)
{
    return (sidle_position){a.x, a.y, a.z};
}

static Vector plain(sidle_position a)
{
    return vector(a.x, a.y, a.z);
}

static bool ask(const Solid *solid, const Probe *probe, sidle_ray_hit *out)
{
    sidle_ray ray = {place(probe->a), place(probe->b)};
    sidle_segment segment = {place(probe->a), place(probe->b)};
    sidle_sphere sphere = {place(solid->a), solid->radius};
    sidle_capsule capsule = {place(solid->a), place(solid->b), solid->radius};
    sidle_box box = {place(solid->a), place(solid->b)};
    sidle_oriented_box oriented = {place(solid->a),
                                   place(solid->b),
                                   {place(solid->axes[0]), place(solid->axes[1]), place(solid->axes[2])}};
    switch (solid->kind)
    {
    case SOLID_SPHERE:
        return probe->is_ray ? sidle_ray_sphere(&ray, &sphere, out)
                             : sidle_segment_sphere(&segment, &sphere, out);
    case SOLID_CAPSULE:
        return probe->is_ray ? sidle_ray_capsule(&ray, &capsule, out)
                             : sidle_segment_capsule(&segment, &capsule, out);
    case SOLID_BOX:
        return probe->is_ray ? sidle_ray_box(&ray, &box, out) : sidle_segment_box(&segment, &box, out);
    default:
        return probe->is_ray ? sidle_ray_oriented_box(&ray, &oriented, out)
                             : sidle_segment_oriented_box(&segment, &oriented, out);
    }
}

typedef struct Worst
{
    double answer, point, normal;
    uint32_t hits, inside, ends;
} Worst;

static Number limited(Number a, double end)
{
    return number_clamp(a, 0, end);
}

/* Whether the answer lies between those of the solid grown and shrunk by `by`. */
static bool is_between(const Solid *solid, const Probe *probe, bool found, const sidle_ray_hit *hit,
                       double by)
{
    double end = probe->is_ray ? 1e300 : 1,
           length = vector_length(probe->is_ray ? probe->b : vector_sub(probe->b, probe->a));
    Number low, high, small_low = 0, small_high = 0;
    bool big = solid_interval(solid, probe, by, &low, &high);
    big = big && number_sign(high) >= 0 && number_sign(number_sub(low, number_of(end))) <= 0;
    bool small = solid_interval(solid, probe, -by, &small_low, &small_high);
    small = small && number_sign(small_high) >= 0 && number_sign(number_sub(small_low, number_of(end))) <= 0;
    if (!found || !big)
    {
        return found ? false : !small;
    }
    Number slack = number_of(by / length), t = number_of(hit->t), t_exit = number_of(hit->t_exit);
    Number latest = limited(small ? small_low : high, end), earliest = limited(small ? small_high : low, end);
    return number_sign(number_sub(number_add(t, slack), limited(low, end))) >= 0 &&
           number_sign(number_sub(number_add(latest, slack), t)) >= 0 &&
           number_sign(number_sub(number_add(t_exit, slack), earliest)) >= 0 &&
           number_sign(number_sub(number_add(limited(high, end), slack), t_exit)) >= 0;
}

static const double factors[] = {.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 1e3, 1e6, 1e12};

static double factor_needed(const Solid *solid, const Probe *probe, bool found, const sidle_ray_hit *hit)
{
    double scale = solid_scale(solid, probe) * UNIT;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; ++i)
    {
        if (is_between(solid, probe, found, hit, factors[i] * scale))
        {
            return factors[i];
        }
    }
    return INFINITY;
}

static void judge_hit(const Solid *solid, const Probe *probe, const sidle_ray_hit *hit, Worst *worst)
{
    NumberVector a = number_vector(probe->a), direction = number_vector(probe->b);
    direction = probe->is_ray ? direction : number_vector_sub(direction, a);
    NumberVector at = number_vector_add(a, number_vector_scale(direction, number_of(hit->t)));
    double scale = solid_scale(solid, probe);
    double off = number_double(number_length(number_vector_sub(number_vector(plain(hit->point)), at)));
    worst->point = worse(worst->point, off == 0 ? 0 : off / (scale + vector_length(probe->a)) / UNIT);
    double length = vector_length(plain(hit->normal));
    cr_assert(hit->t >= 0 && hit->t_exit >= hit->t && (probe->is_ray || hit->t_exit <= 1));
    cr_assert(fabs(length - 1) < 16 * UNIT || (length == 0 && hit->t == 0), "length %g", length);
    if (solid->kind <= SOLID_CAPSULE && length > 0 && solid->radius > 0)
    {
        NumberVector out = number_vector_scale(number_vector(plain(hit->normal)), number_of(solid->radius));
        NumberVector apart = number_vector_sub(solid_from_core(solid, at), out);
        worst->normal = worse(worst->normal, number_double(number_length(apart)) / scale / UNIT);
    }
    worst->hits += 1;
    worst->inside += length == 0;
    worst->ends += !probe->is_ray && hit->t > .999;
}

static bool has_direction(const Probe *probe)
{
    Vector d = probe->is_ray ? probe->b : vector_sub(probe->b, probe->a);
    return vector_length(d) > 0;
}

static void judge_kind(int kind, const char *name, double bound)
{
    Random random = random_seeded(40 + (uint64_t)kind);
    Worst worst = {0};
    uint32_t count = number_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Solid solid;
        Probe probe;
        solid_drawn(&random, kind, i, &solid, &probe);
        if (!has_direction(&probe))
        {
            continue;
        }
        sidle_ray_hit hit;
        number_begin();
        bool found = ask(&solid, &probe, &hit);
        double needed = factor_needed(&solid, &probe, found, &hit);
        worst.answer = worse(worst.answer, needed);
        cr_assert(needed <= bound, "query %u needs %g u S", i, needed);
        if (found)
        {
            judge_hit(&solid, &probe, &hit, &worst);
        }
    }
    printf(
        "ray: %u of %s, %u hit, %u begin inside, %u end on it; within %g u S, point %.2f, normal %.2f u S\n",
        count, name, worst.hits, worst.inside, worst.ends, worst.answer, worst.point, worst.normal);
    cr_expect(!count ||
              (worst.hits > count / 5 && worst.hits < count - count / 20 && worst.inside > count / 200));
    cr_expect(worst.point <= 16 && worst.normal <= 64);
}

Test(intersect_ray_solid, spheres_answer_within_a_few_units)
{
    judge_kind(SOLID_SPHERE, "spheres", 8);
}

Test(intersect_ray_solid, capsules_answer_within_a_few_units)
{
    judge_kind(SOLID_CAPSULE, "capsules", 8);
}

Test(intersect_ray_solid, oriented_boxes_answer_within_a_few_units)
{
    judge_kind(SOLID_ORIENTED_BOX, "oriented boxes", 8);
}

static double units_of(double found, Number truth)
{
    double size = fabs(number_double(truth));
    return size > 0 ? number_error(truth, found) / size / UNIT : found == 0 ? 0 : INFINITY;
}

Test(intersect_ray_solid, every_verdict_on_boxes_is_exact)
{
    Random random = random_seeded(50);
    double worst = 0;
    uint32_t wrong = 0, hits = 0, count = number_available() ? query_count(40000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Solid solid;
        Probe probe;
        solid_drawn(&random, SOLID_BOX, i, &solid, &probe);
        if (!has_direction(&probe))
        {
            continue;
        }
        sidle_ray_hit hit;
        Number low, high;
        number_begin();
        bool found = ask(&solid, &probe, &hit);
        /* Equal quotients may be a rounding of 2,200 bits apart: a solid that much larger answers. */
        bool truth = solid_interval(&solid, &probe, ldexp(solid_scale(&solid, &probe), -900), &low, &high);
        truth = truth && number_sign(high) >= 0 &&
                (probe.is_ray || number_sign(number_sub(low, number_of(1))) <= 0);
        wrong += found != truth;
        hits += found;
        if (found && truth)
        {
            bool early = number_double(low) < 1e-200, late = number_double(high) < 1e-200;
            worst = worse(worst, early ? fabs(hit.t) / UNIT : units_of(hit.t, low));
            worst = worse(worst, late ? fabs(hit.t_exit) / UNIT
                                      : units_of(hit.t_exit, limited(high, probe.is_ray ? 1e300 : 1)));
        }
    }
    printf("ray: %u boxes, %u hit, %u wrong, t and t_exit off by at most %.2f u of themselves\n", count, hits,
           wrong, worst);
    cr_expect(wrong == 0 && worst <= 4);
}

/* ---- what all promise ---- */

Test(intersect_ray_solid, a_capsule_s_ends_may_change_places)
{
    Random random = random_seeded(51);
    for (uint32_t i = 0; i < 20000; ++i)
    {
        Solid solid;
        Probe probe;
        sidle_ray_hit one, other;
        memset(&one, 0, sizeof one);
        memset(&other, 0, sizeof other);
        solid_drawn(&random, SOLID_CAPSULE, i, &solid, &probe);
        bool found = ask(&solid, &probe, &one);
        Vector a = solid.a;
        solid.a = solid.b;
        solid.b = a;
        cr_assert_eq(ask(&solid, &probe, &other), found);
        cr_assert(same_hit(&one, &other));
    }
}
