/* The geometry of two agents, part of peer_pairs.c. Their signed distance is the maximum over unit directions n of
 * s(n) = c.n - h_A(n) - h_B(n), with c from centre to centre and support functions h in closed form. Every n gives a lower
 * bound, so each is safe; a few steps of a fixed-point iteration come close to the best. */
#include "crowd/pair_rules.h"
#include "crowd/peers.h"

/* Sine of the least angle between the normal of a head and the up of an agent that falls onto it: it slides off. */
#define LEAST_TILT .17

/* A pair from its lower id to its higher. */
typedef struct Couple
{
    const Peer *low, *high;
    Vec3 away;    /* between centres */
    Vec3 core;    /* between the nearest points of the cores, which are balls or ellipsoids from there */
    Vec3 closing; /* how that changes in the tick */
} Couple;

static Vec3 matrix_mul(const Peer *peer, Vec3 v)
{
    Vec3 product = vec3_mul(peer->shape->square, v);
    if (!peer->shape->is_diagonal)
    {
        Vec3 s = peer->shape->cross;
        product =
            vec3_add(product, vec3(s.z * v.y + s.y * v.z, s.z * v.x + s.x * v.z, s.y * v.x + s.x * v.y));
    }
    return product;
}

/* How far the ellipsoid reaches along n. */
static double height_along(const Peer *peer, Vec3 n)
{
    return sqrt(vec3_dot(n, matrix_mul(peer, n)));
}

static double support(const Peer *peer, Vec3 n)
{
    return height_along(peer, n) + fabs(vec3_dot(peer->shape->core, n));
}

/* A symmetric matrix: its diagonal, and yz, xz, xy. */
typedef struct Symmetric
{
    Vec3 square, cross;
} Symmetric;

/* m^-1 v by cofactors. */
static Vec3 solve(const Symmetric *m, Vec3 v)
{
    Vec3 d = m->square, s = m->cross;
    if (vec3_is_zero(s))
    {
        return vec3_div(v, d);
    }
    Vec3 a = vec3(d.y * d.z - s.x * s.x, s.x * s.y - s.z * d.z, s.z * s.x - d.y * s.y);
    Vec3 b = vec3(a.y, d.x * d.z - s.y * s.y, s.z * s.y - d.x * s.x);
    Vec3 c = vec3(a.z, b.z, d.x * d.y - s.z * s.z);
    double determinant = d.x * a.x + s.z * a.y + s.y * a.z;
    return vec3_scale(vec3(vec3_dot(a, v), vec3_dot(b, v), vec3_dot(c, v)), 1 / determinant);
}

/* a / scale_a + b / scale_b + s I, with a diagonal that stays positive. */
static Symmetric matrix_of(const Peer *a, double scale_a, const Peer *b, double scale_b, double s)
{
    Vec3 sum = vec3_add(vec3_scale(a->shape->square, scale_a), vec3_scale(b->shape->square, scale_b));
    Symmetric m = {vec3_add(sum, vec3(s, s, s)), {0, 0, 0}};
    m.square = vec3_larger(m.square, vec3_scale(sum, LEAST_DIAGONAL));
    if (!(a->shape->is_diagonal && b->shape->is_diagonal))
    {
        m.cross = vec3_add(vec3_scale(a->shape->cross, scale_a), vec3_scale(b->shape->cross, scale_b));
    }
    return m;
}

/* The point of the disc across `up` that belongs to an id: agents in one place leave it in all directions. */
static Vec3 hashed_place(uint64_t id, Vec3 up)
{
    uint64_t h = id_mix(id);
    double u = (double)(uint32_t)h * 0x1p-31 - 1, v = (double)(uint32_t)(h >> 32) * 0x1p-31 - 1;
    Vec3 aside = fabs(up.y) < .9 ? vec3(0, 1, 0) : vec3(1, 0, 0);
    Vec3 x = vec3_normalize(vec3_cross(up, aside)), z = vec3_cross(x, up);
    return vec3_add(vec3_scale(x, u), vec3_scale(z, v));
}

static Vec3 hashed_direction(const Couple *couple)
{
    Vec3 up = couple->low->shape->up;
    Vec3 apart = vec3_sub(hashed_place(couple->high->id, up), hashed_place(couple->low->id, up));
    Vec3 n = vec3_normalize(apart);
    return vec3_is_zero(n) ? vec3_normalize(vec3_cross(up, vec3(up.y, up.z, -up.x))) : n;
}

/* Two of one profile whose shapes are not rotated: most pairs. A quarter turn swaps two axes and leaves the matrix diagonal. */
static bool is_alike(const Peer *a, const Peer *b)
{
    Vec3 s = a->shape->square, t = b->shape->square;
    bool are_diagonal = a->shape->is_diagonal && b->shape->is_diagonal;
    bool are_equal = s.x == t.x && s.y == t.y && s.z == t.z; /* mutant: alike_when_turned */
    return a->shape->profile == b->shape->profile && are_diagonal && are_equal;
}

/* (A + B)^-1 v, the metric of both shapes together. */
static Vec3 in_metric(const Couple *couple, Vec3 v)
{
    if (is_alike(couple->low, couple->high))
    {
        return vec3_scale(vec3_mul(couple->low->shape->inverse, v), .5);
    }
    Symmetric m = matrix_of(couple->low, 1, couple->high, 1, 0);
    return solve(&m, v);
}

/* The place of the touch or of the closest approach in this tick, where the normal is taken. */
static Vec3 contact_place(const Couple *couple)
{
    const Peer *a = couple->low, *b = couple->high;
    Vec3 w = in_metric(couple, couple->closing);
    double closing = vec3_dot(couple->core, w);
    if (!(closing < 0))
    {
        return couple->core;
    }
    double speed2 = vec3_dot(couple->closing, w);
    double sum = a->shape->least + b->shape->least,
           touch = sum * sum / (a->shape->least * a->shape->least + b->shape->least * b->shape->least);
    double apart = vec3_dot(couple->core, in_metric(couple, couple->core)) - touch;
    double t = lesser(-closing / speed2, 1), discriminant = closing * closing - speed2 * apart;
    if (apart <= 0)
    {
        t = 0;
    }
    else if (discriminant > 0)
    {
        t = lesser(t, (-closing - sqrt(discriminant)) / speed2);
    }
    return vec3_add_scaled(couple->core, couple->closing, t);
}

/* best_normal of two that are alike. `p`: along the normal, of any length, so that no iteration waits for one. */
static Vec3 best_normal_alike(const Couple *couple, Vec3 place)
{
    Vec3 square = couple->low->shape->square, p = vec3_mul(couple->low->shape->inverse, place);
    for (int i = 0; i < ALIKE_ITERATIONS; ++i)
    {
        double height2 = vec3_dot(p, vec3_mul(square, p));
        double gap = sqrt(height2) * vec3_dot(place, p) - 2 * height2;
        Vec3 both = vec3_scale(square, 2 * vec3_dot(p, p));
        Vec3 m = vec3_larger(vec3_add(both, vec3(gap, gap, gap)), vec3_scale(both, LEAST_DIAGONAL));
        p = vec3_div(place, m);
    }
    return vec3_normalize(p);
}

/* The normal along which two ellipsoids `place` apart are farthest. */
static Vec3 best_normal(const Couple *couple, Vec3 place)
{
    const Peer *a = couple->low, *b = couple->high;
    Symmetric m = matrix_of(a, 1, b, 1, 0);
    Vec3 n = vec3_normalize(solve(&m, place));
    for (int i = 0; i < UNALIKE_ITERATIONS; ++i)
    {
        double height_a = height_along(a, n), height_b = height_along(b, n);
        double gap = vec3_dot(place, n) - height_a - height_b;
        m = matrix_of(a, 1 / height_a, b, 1 / height_b, gap);
        Vec3 next = vec3_normalize(solve(&m, place));
        if (vec3_is_zero(next) || !vec3_is_finite(next))
        {
            break;
        }
        n = next;
    }
    return n;
}

/* The gap along a direction: a lower bound of the distance. */
static double gap_along(const Couple *couple, Vec3 n)
{
    double low = support(couple->low, n);
    double high = couple->low->shape == couple->high->shape ? low : support(couple->high, n);
    return vec3_dot(couple->away, n) - low - high;
}

#include "crowd/separate.inl"

/* Across up from the lower id to the other. */
static Vec3 aside_of(const Couple *couple)
{
    Vec3 flat = vec3_without(couple->away, couple->low->shape->up);
    double least = COINCIDENT * lesser(couple->low->shape->least, couple->high->shape->least);
    return vec3_length2(flat) > least * least ? vec3_normalize(flat) : hashed_direction(couple);
}

/* An agent that falls onto a head: its normal leans, so that it slides off. On a flat head it leans less: along no normal may two
 * that are apart overlap, since such a limit would keep them apart no longer. */
static Vec3 lean(const Couple *couple, Vec3 n)
{
    Vec3 up = couple->low->shape->up;
    double rise = vec3_dot(n, up), tilt = LEAST_TILT;
    const Peer *upper = rise > 0 ? couple->high : couple->low;
    if (!(upper->flags & PEER_FALLS) || (upper->flags & PEER_STANDS) ||
        rise * rise < 1 - LEAST_TILT * LEAST_TILT)
    {
        return n;
    }
    Vec3 aside = aside_of(couple);
    bool are_apart = gap_along(couple, n) >= 0;
    for (; tilt > LEAST_TILT / 16; tilt /= 2)
    {
        double upright = sqrt(1 - tilt * tilt);
        Vec3 leaning = vec3_add_scaled(vec3_scale(up, rise > 0 ? upright : -upright), aside, tilt);
        if (!are_apart || gap_along(couple, leaning) >= 0) /* mutant: leans_into */
        {
            return leaning;
        }
    }
    return n;
}

static double clamp(double t)
{
    return lesser(larger(t, -1), 1);
}

/* Between the nearest points of two cores `away` apart, center +- a and center +- b: C. Ericson, Real-Time Collision Detection,
 * 2005, section 5.1.9, with the parameters from -1 to 1. */
static Vec3 between_cores(Vec3 away, Vec3 a, Vec3 b)
{
    double aa = vec3_dot(a, a), bb = vec3_dot(b, b), ab = vec3_dot(a, b);
    double ac = vec3_dot(a, away), bc = vec3_dot(b, away), s = 0, t = 0;
    double determinant = aa * bb - ab * ab;
    if (aa > 0)
    {
        s = determinant > 1e-12 * aa * bb ? clamp((ac * bb - ab * bc) / determinant) : 0;
        t = bb > 0 ? clamp((ab * s - bc) / bb) : 0;
        s = clamp((ac + ab * t) / aa);
    }
    else if (bb > 0)
    {
        t = clamp(-bc / bb);
    }
    return vec3_add_scaled(vec3_add_scaled(away, b, t), a, -s);
}

/* Whether the core of another is no axis of an ellipsoid. */
static bool leans_in(Vec3 core, const Peer *peer)
{
    Vec3 product = matrix_mul(peer, core);
    return vec3_length2(vec3_cross(product, core)) >
           AXIS_SINE * AXIS_SINE * vec3_length2(product) * vec3_length2(core);
}

static bool are_cores_skew(const Couple *couple)
{
    const Peer *a = couple->low, *b = couple->high;
    return leans_in(a->shape->core, b) || leans_in(b->shape->core, a);
}

/* `is_sure`: finds a normal that shows a gap if there is one. */
static Vec3 normal_at(const Couple *couple, Vec3 place, bool is_sure)
{
    double least = COINCIDENT * lesser(couple->low->shape->least, couple->high->shape->least);
    if (vec3_length2(place) < least * least)
    {
        return hashed_direction(couple);
    }
    bool are_alike = is_alike(couple->low, couple->high);
    Vec3 n = are_alike ? best_normal_alike(couple, place) : best_normal(couple, place);
    bool is_open = !are_alike && (is_sure || are_cores_skew(couple)); /* mutant: skew_cores, impatient */
    if (is_open && !vec3_is_zero(n))
    {
        n = separating_normal(couple, vec3_add(couple->away, vec3_sub(place, couple->core)), n);
    }
    return vec3_is_zero(n) ? hashed_direction(couple) : lean(couple, n);
}

static Couple couple_of(const Peer *a, const Peer *b)
{
    Couple couple = {.low = a, .high = b, .away = vec3_sub(b->center, a->center)};
    couple.core = couple.away;
    if (!vec3_is_zero(a->shape->core) || !vec3_is_zero(b->shape->core))
    {
        couple.core = between_cores(couple.away, a->shape->core, b->shape->core);
    }
    couple.closing = vec3_sub(peer_path(b), peer_path(a));
    return couple;
}
