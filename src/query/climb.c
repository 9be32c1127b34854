#include "query/climb.h"

#define MOST_STEPS 60 /* ten are usual */
#define MOST_HALF  40 /* halvings of a step */

double sidle_gap_of_ellipsoids(const Ellipsoids *ellipsoids, Vec3 between, Vec3 n)
{
    double gap = vec3_dot(n, between);
    for (uint32_t i = 0; i < ellipsoids->count; ++i)
    {
        gap -= vec3_length(mat3_mul(ellipsoids->half_axes[i], n));
    }
    return gap;
}

/* Minus the second derivatives of the gap on the unit sphere along two tangents: aa, ab, bb. */
typedef struct Bend
{
    double aa, ab, bb;
} Bend;

static Bend bend_at(const Ellipsoids *ellipsoids, Vec3 n, Vec3 a, Vec3 b, double gap)
{
    Bend bend = {gap, 0, gap};
    for (uint32_t i = 0; i < ellipsoids->count; ++i)
    {
        const Mat3 *half_axes = &ellipsoids->half_axes[i];
        Vec3 en = mat3_mul(*half_axes, n), ea = mat3_mul(*half_axes, a), eb = mat3_mul(*half_axes, b);
        double length = vec3_length(en);
        en = vec3_scale(en, 1 / length);
        ea = vec3_without(ea, en);
        eb = vec3_without(eb, en);
        bend.aa += vec3_length2(ea) / length;
        bend.ab += vec3_dot(ea, eb) / length;
        bend.bb += vec3_length2(eb) / length;
    }
    return bend;
}

/* Newton's step for the derivatives `ta` and `tb`; where the gap is not concave, one that climbs. */
static Vec3 step_of(Bend bend, Vec3 a, double ta, Vec3 b, double tb)
{
    double middle = (bend.aa + bend.bb) / 2, half = (bend.aa - bend.bb) / 2,
           spread = sqrt(half * half + bend.ab * bend.ab), least = middle - spread,
           most = larger(fabs(least), middle + spread);
    if (least <= LAST_GAIN * most)
    {
        double added = LAST_GAIN * most - 2 * least;
        bend.aa += added;
        bend.bb += added;
    }
    double det = bend.aa * bend.bb - bend.ab * bend.ab;
    Vec3 step = vec3_add(vec3_scale(a, (bend.bb * ta - bend.ab * tb) / det),
                         vec3_scale(b, (bend.aa * tb - bend.ab * ta) / det));
    double length = vec3_length(step);
    return length > 1 ? vec3_scale(step, 1 / length) : step; /* not finite: stays so, and ends the climb */
}

Vec3 sidle_climb(const Ellipsoids *ellipsoids, Vec3 between, Vec3 n, const Vec3 *across)
{
    for (int i = 0; i < MOST_STEPS; ++i)
    {
        Vec3 a = across ? vec3_normalize(vec3_cross(*across, n)) : vec3_across(n), b = vec3_cross(n, a),
             slope = between;
        for (uint32_t j = 0; j < ellipsoids->count; ++j)
        {
            slope = vec3_sub(slope, surface_at(&ellipsoids->half_axes[j], n));
        }
        double gap = vec3_dot(n, slope), ta = vec3_dot(a, slope), tb = across ? 0 : vec3_dot(b, slope);
        Bend bend = bend_at(ellipsoids, n, a, b, gap);
        if (across)
        {
            bend.ab = 0;
            bend.bb = bend.aa;
        }
        Vec3 step = step_of(bend, a, ta, b, tb);
        double gain = vec3_dot(step, slope);
        if (!(gain > LAST_GAIN * ellipsoids->size))
        {
            return gain >= 0 ? vec3_normalize(vec3_add(n, step)) : n;
        }
        Vec3 next = n;
        double share = 1;
        for (int j = 0; j < MOST_HALF && vec3_equal(next, n); ++j, share /= 2)
        {
            Vec3 tried = vec3_normalize(vec3_add_scaled(n, step, share));
            next = sidle_gap_of_ellipsoids(ellipsoids, between, tried) > gap + share * gain / 8 ? tried : n;
        }
        if (vec3_equal(next, n))
        {
            return n;
        }
        n = next;
    }
    return n;
}
