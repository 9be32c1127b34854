/* The projection on a cone of half-spaces {x : m_i . x >= 0} is v itself, or lies on one plane, on the crease of two,
 * or is 0. The result is the longest of these candidates that satisfies every plane: of projections of one vector the
 * longest is the nearest, since |x|^2 + |v - x|^2 = |v|^2.
 *
 * Fauerby projects on the last plane only (2003, section 4.2), which oscillates in corners. */
#include "crowd/project.h"

/* Share of |v| by which a displacement can lead into a plane. A candidate violates its own planes by rounding, 2^-53
 * over the sine of their angle: 1e-12 at SAME_DIRECTION. The sweep of the displacement errs by more than this
 * (docs/tuning.md). */
#define FEASIBLE 1e-7

/* Planes nearer to parallel than this have no crease. */
#define SAME_DIRECTION 1e-4

static bool is_feasible(Vec3 x, const Vec3 *m, uint32_t count, double tolerance)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (vec3_dot(m[i], x) < -tolerance)
        {
            return false;
        }
    }
    return true;
}

typedef struct Best
{
    Vec3 x;
    double length2;
} Best;

static bool lies_further(Vec3 a, Vec3 b)
{
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

/* Candidates can have the same length, as between a floor and a ceiling. Then their coordinates decide, since the
 * result must not depend on the order of the planes. */
static bool is_better(Vec3 x, double length2, const Best *best)
{
    /* mutant: first_of_equals */
    return length2 > best->length2 || (length2 == best->length2 && lies_further(x, best->x));
}

static void try_candidate(Vec3 x, const Vec3 *m, uint32_t count, double tolerance, Best *best)
{
    double length2 = vec3_length2(x);
    if (is_better(x, length2, best) && is_feasible(x, m, count, tolerance))
    {
        *best = (Best){x, length2};
    }
}

Vec3 sidle_project(Vec3 v, const Vec3 *m, uint32_t count)
{
    double tolerance = FEASIBLE * vec3_length(v);
    if (is_feasible(v, m, count, tolerance))
    {
        return v;
    }
    Best best = {{0, 0, 0}, 0};
    for (uint32_t i = 0; i < count; ++i)
    {
        double into = vec3_dot(m[i], v);
        if (into < 0)
        {
            try_candidate(vec3_add_scaled(v, m[i], -into), m, count, tolerance, &best);
        }
    }
    if (best.length2 > 0)
    {
        return best.x; /* a plane, if one will do, is nearer than every crease */
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        for (uint32_t j = i + 1; j < count; ++j)
        {
            Vec3 crease = vec3_cross(m[i], m[j]);
            double length2 = vec3_length2(crease);
            if (length2 >= SAME_DIRECTION * SAME_DIRECTION)
            {
                try_candidate(vec3_scale(crease, vec3_dot(crease, v) / length2), m, count, tolerance, &best);
            }
        }
    }
    return best.x;
}
