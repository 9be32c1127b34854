/* The projection of a displacement on what contacts leave free, against the conditions of Karush, Kuhn and
 * Tucker: the nearest point x of the cone is v plus a mix of at most three of the planes' normals with
 * weights of at least 0, each of a plane on which x lies. All such sets are tried, in long double. */
#include "fuzz.h"
#include "input.h"

#include "crowd/project.h"

#include <string.h>

#define MOST_PLANES 12
#define LARGEST     1e30 /* what is squared twice in a float's range stays a number in double */

/* As in crowd/project.c: what a plane may be missed by, of |v|, and how nearly parallel planes have no crease. */
#define FEASIBLE       1e-7L
#define SAME_DIRECTION 1e-4L

typedef long double Real;
typedef struct Exact
{
    Real x, y, z;
} Exact;

static Exact exact(Vec3 v)
{
    return (Exact){v.x, v.y, v.z};
}

static Real dot(Exact a, Exact b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Exact cross(Exact a, Exact b)
{
    return (Exact){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static Exact along(Exact a, Real t, Exact b)
{
    return (Exact){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

static Real length(Exact a)
{
    return sqrtl(dot(a, a));
}

typedef struct Cone
{
    Vec3 v, m[MOST_PLANES];
    uint32_t count;
} Cone;

typedef struct Nearest
{
    Exact x;
    Real weights; /* their sum, of |v| */
    bool found;   /* no certificate where rounding hides it: then nothing is said about the nearest point */
    bool flat;    /* it lies on a crease of nearly parallel planes, which `project` does without */
} Nearest;

/* ---- the input ---- */

/* A direction of its own, or one in an awkward relation to an earlier one. */
static Vec3 decode_normal(Input *input, const Cone *cone)
{
    uint32_t how = input_byte(input);
    Vec3 known = cone->count ? cone->m[how / 8 % cone->count] : vec3(0, 1, 0);
    Vector drawn = input_vector(input, 1e9);
    Vec3 own = vec3_normalize(vec3(drawn.x, drawn.y, drawn.z));
    double little = ldexp(1, -(int)(how / 8));
    switch (how % 8)
    {
    case 0:
        own = vec3_scale(known, -1);
        break;
    case 1: /* almost the same, almost the opposite */
        own = vec3_add_scaled(known, own, little);
        break;
    case 2:
        own = vec3_add_scaled(vec3_scale(known, -1), own, little);
        break;
    case 3: /* across an earlier one */
        own = vec3_cross(known, own);
        break;
    case 4: /* against the displacement, or across it */
        own = vec3_add_scaled(vec3_scale(vec3_normalize(cone->v), -1), own, little);
        break;
    case 5:
        own = vec3_cross(cone->v, own);
        break;
    default:
        break;
    }
    own = vec3_normalize(own);
    return vec3_is_zero(own) ? vec3(0, 1, 0) : own;
}

static Cone decode(Input *input)
{
    Cone cone = {.count = 0};
    Vector v = input_vector(input, LARGEST);
    cone.v = vec3(v.x, v.y, v.z);
    while (!input_ended(input) && cone.count < MOST_PLANES)
    {
        cone.m[cone.count] = decode_normal(input, &cone);
        cone.count += 1;
    }
    return cone;
}

/* ---- the reference, with |v| 1 ---- */

static bool is_feasible(const Cone *cone, Exact x, Real tolerance)
{
    for (uint32_t i = 0; i < cone->count; ++i)
    {
        if (dot(exact(cone->m[i]), x) < -tolerance)
        {
            return false;
        }
    }
    return true;
}

/* v + sum of weights * planes = x: by Cramer's rule for one, two or three planes. */
static bool solve(Exact v, const Exact *m, uint32_t count, Real weights[3])
{
    if (count == 1)
    {
        weights[0] = -dot(v, m[0]) / dot(m[0], m[0]);
        return true;
    }
    if (count == 2)
    {
        Real a = dot(m[0], m[0]), b = dot(m[0], m[1]), c = dot(m[1], m[1]);
        Exact n = cross(m[0], m[1]);
        Real determinant = dot(n, n), p = -dot(v, m[0]), q = -dot(v, m[1]);
        weights[0] = (c * p - b * q) / determinant;
        weights[1] = (a * q - b * p) / determinant;
        return determinant > 1e-30L;
    }
    Exact c0 = cross(m[1], m[2]), c1 = cross(m[2], m[0]), c2 = cross(m[0], m[1]);
    Real volume = dot(m[0], c0);
    weights[0] = -dot(v, c0) / volume;
    weights[1] = -dot(v, c1) / volume;
    weights[2] = -dot(v, c2) / volume;
    return fabsl(volume) > 1e-15L;
}

static void try_planes(const Cone *cone, Exact v, const uint32_t *planes, uint32_t count, Nearest *best)
{
    const Real rounding = 1e-15L, heaviest = 1e5L; /* what rounding makes of more than that proves nothing */
    Exact m[3], x = v;
    Real weights[3] = {0, 0, 0}, sum = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        m[i] = exact(cone->m[planes[i]]);
    }
    if (count > 0 && !solve(v, m, count, weights))
    {
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        x = along(x, weights[i], m[i]);
        sum += weights[i];
        if (!(weights[i] >= 0 && sum < heaviest))
        {
            return;
        }
    }
    for (uint32_t i = 0; i < count; ++i) /* nearly parallel planes: rounding may have made it up */
    {
        if (!(fabsl(dot(m[i], x)) <= rounding))
        {
            return;
        }
    }
    bool flat = count == 2 && length(cross(m[0], m[1])) < 1.001L * SAME_DIRECTION;
    bool better = !best->found || flat < best->flat || (flat == best->flat && sum < best->weights);
    if (better && is_feasible(cone, x, rounding))
    {
        *best = (Nearest){x, sum, true, flat};
    }
}

static Nearest find_nearest(const Cone *cone, Exact v)
{
    Nearest best = {.found = false};
    uint32_t planes[3];
    try_planes(cone, v, planes, 0, &best);
    for (planes[0] = 0; planes[0] < cone->count; ++planes[0])
    {
        try_planes(cone, v, planes, 1, &best);
        for (planes[1] = planes[0] + 1; planes[1] < cone->count; ++planes[1])
        {
            try_planes(cone, v, planes, 2, &best);
            for (planes[2] = planes[1] + 1; planes[2] < cone->count; ++planes[2])
            {
                try_planes(cone, v, planes, 3, &best);
            }
        }
    }
    return best;
}

/* ---- what is demanded ---- */

/* With |v| 1. Of two points that miss no plane by more than f, the one nearer to v can be no farther from the nearest
 * point of the cone than sqrt(2 f sum of weights): (v - x)(y - x) = - sum of weights * m y, and m y >= -f. */
static void check(const Cone *cone, Exact v, Exact y)
{
    const Real rounding = 1e-10L;
    fuzz_demand(is_feasible(cone, y, FEASIBLE + rounding), "the projection leads into a plane");
    fuzz_demand(dot(y, y) <= 1 + rounding, "the projection is longer than what is projected");
    fuzz_demand(dot(y, v) >= dot(y, y) - FEASIBLE - rounding, "the projection is none");
    Nearest nearest = find_nearest(cone, v);
    if (nearest.found && !nearest.flat)
    {
        /* By Pythagoras, and compared as lengths: the direction of a crease is good to 1e-16 /
         * SAME_DIRECTION. */
        Real far2 = 1 - dot(y, y), least2 = 1 - dot(nearest.x, nearest.x);
        fuzz_demand_at_most((double)far2, (double)least2 + 1e-11, "the projection is not the nearest");
        Real apart = length(along(y, -1, nearest.x));
        fuzz_demand_at_most((double)(apart * apart), (double)(2 * FEASIBLE * nearest.weights + 1e-9L),
                            "the projection is elsewhere");
    }
}

static Exact over(Vec3 x, Real size)
{
    return (Exact){x.x / size, x.y / size, x.z / size};
}

static bool is_same(Vec3 a, Vec3 b)
{
    return a.x - b.x == 0 && a.y - b.y == 0 && a.z - b.z == 0;
}

/* In reverse order, and from the middle: the same bits, except for the sign of a zero. */
static void check_order(const Cone *cone, Vec3 x)
{
    Vec3 turned[MOST_PLANES], cut[MOST_PLANES];
    for (uint32_t i = 0; i < cone->count; ++i)
    {
        turned[i] = cone->m[cone->count - 1 - i];
        cut[i] = cone->m[(i + cone->count / 2) % cone->count];
    }
    fuzz_demand(is_same(sidle_project(cone->v, turned, cone->count), x), "another order, another projection");
    fuzz_demand(is_same(sidle_project(cone->v, cut, cone->count), x), "another start, another projection");
}

/* Where nothing is left to project it stays. (Along a sharp wedge, what is feasible enough as a part of v
 * need not be as a whole of its own; then it is checked as one.) */
static void check_again(const Cone *cone, Vec3 x)
{
    Vec3 again = sidle_project(x, cone->m, cone->count);
    Real size = length(exact(x));
    if (size > 1e-30L)
    {
        check(cone, over(x, size), over(again, size));
        fuzz_demand(!is_feasible(cone, over(x, size), .9L * FEASIBLE) || is_same(x, again),
                    "projected twice, it moves on");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = input_of(data, size);
    Cone cone = decode(&input);
    Vec3 x = sidle_project(cone.v, cone.m, cone.count);
    fuzz_demand(vec3_is_finite(x), "the projection is not finite");
    Real longest = length(exact(cone.v));
    if (longest < 1e-30L) /* squares of that are nothing in double: only that nothing comes of it */
    {
        fuzz_demand(length(exact(x)) <= longest * (1 + 1e-6L), "out of nothing comes something");
        return 0;
    }
    check(&cone, over(cone.v, longest), over(x, longest));
    check_order(&cone, x);
    check_again(&cone, x);
    return 0;
}
