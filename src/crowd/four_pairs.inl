/* Four ordinary pairs at once, a double lane each: of upright agents that share their shape and do not fall. Each lane has the
 * bits of sidle_pair_make in peer_pairs.c, whose functions have these names. Lanes that overlap, or lack a direction, stay open. */
#include "crowd/pair_rules.h"
#include "crowd/peers.h"

typedef struct Quad3
{
    Quad x, y, z;
} Quad3;

FORCE_INLINE Quad3 quad3_add(Quad3 a, Quad3 b)
{
    return (Quad3){quad_add(a.x, b.x), quad_add(a.y, b.y), quad_add(a.z, b.z)};
}

FORCE_INLINE Quad3 quad3_sub(Quad3 a, Quad3 b)
{
    return (Quad3){quad_sub(a.x, b.x), quad_sub(a.y, b.y), quad_sub(a.z, b.z)};
}

FORCE_INLINE Quad3 quad3_mul(Quad3 a, Quad3 b)
{
    return (Quad3){quad_mul(a.x, b.x), quad_mul(a.y, b.y), quad_mul(a.z, b.z)};
}

FORCE_INLINE Quad3 quad3_div(Quad3 a, Quad3 b)
{
    return (Quad3){quad_div(a.x, b.x), quad_div(a.y, b.y), quad_div(a.z, b.z)};
}

FORCE_INLINE Quad3 quad3_scale(Quad3 a, Quad s)
{
    return (Quad3){quad_mul(a.x, s), quad_mul(a.y, s), quad_mul(a.z, s)};
}

FORCE_INLINE Quad3 quad3_add_scaled(Quad3 a, Quad3 b, Quad s)
{
    return quad3_add(a, quad3_scale(b, s));
}

FORCE_INLINE Quad3 quad3_larger(Quad3 a, Quad3 b)
{
    return (Quad3){quad_larger(a.x, b.x), quad_larger(a.y, b.y), quad_larger(a.z, b.z)};
}

FORCE_INLINE Quad3 quad3_select(Quad mask, Quad3 a, Quad3 b)
{
    return (Quad3){quad_select(mask, a.x, b.x), quad_select(mask, a.y, b.y), quad_select(mask, a.z, b.z)};
}

FORCE_INLINE Quad quad3_dot(Quad3 a, Quad3 b)
{
    return quad_add(quad_add(quad_mul(a.x, b.x), quad_mul(a.y, b.y)), quad_mul(a.z, b.z));
}

FORCE_INLINE Quad quad3_length(Quad3 a)
{
    return quad_sqrt(quad3_dot(a, a));
}

FORCE_INLINE Quad3 quad3_normalize(Quad3 a)
{
    Quad length = quad3_length(a), zero = quad_all(0);
    Quad3 unit = quad3_scale(a, quad_div(quad_all(1), length));
    return quad3_select(quad_less(zero, length), unit, (Quad3){zero, zero, zero});
}

/* As floats, and back. */
FORCE_INLINE Quad quad_rounded(Quad a)
{
    return simde_mm256_cvtps_pd(quad_to_float4(a));
}

/* A member of four agents, or of their shapes. */
#define EACH(peers, member)                                                                                  \
    quad_set((double)(peers)[0]->member, (double)(peers)[1]->member, (double)(peers)[2]->member,             \
             (double)(peers)[3]->member)
#define EACH3(peers, member)                                                                                 \
    (Quad3)                                                                                                  \
    {                                                                                                        \
        EACH(peers, member.x), EACH(peers, member.y), EACH(peers, member.z)                                  \
    }

/* Four pairs from their lower ids to their higher. */
typedef struct FourCouples
{
    const Peer *const *low, *const *high;
    Quad3 up, square, inverse, end; /* of the shape; end: of a capsule's core */
    Quad least;
    Quad3 away, core, closing; /* as in Couple */
} FourCouples;

FORCE_INLINE Quad four_height_along(const FourCouples *four, Quad3 n)
{
    return quad_sqrt(quad3_dot(n, quad3_mul(four->square, n)));
}

FORCE_INLINE Quad four_gap_along(const FourCouples *four, Quad3 n)
{
    Quad support = quad_add(four_height_along(four, n), quad_abs(quad3_dot(four->end, n)));
    return quad_sub(quad_sub(quad3_dot(four->away, n), support), support);
}

FORCE_INLINE Quad quad_clamp(Quad t)
{
    return quad_lesser(quad_larger(t, quad_all(-1)), quad_all(1));
}

/* Between the nearest points of two equal and parallel cores. */
FORCE_INLINE Quad3 four_between_cores(Quad3 away, Quad3 end)
{
    Quad zero = quad_all(0), length2 = quad3_dot(end, end), along = quad3_dot(end, away);
    if (!quad_bits(quad_less(zero, length2))) /* no capsules */
    {
        return away;
    }
    Quad t = quad_clamp(quad_div(quad_sub(quad_mul(length2, zero), along), length2));
    Quad s = quad_clamp(quad_div(quad_add(along, quad_mul(length2, t)), length2));
    Quad3 between = quad3_add_scaled(quad3_add_scaled(away, end, t), end, quad_sub(quad_all(-0.0), s));
    return quad3_select(quad_less(zero, length2), between, away);
}

FORCE_INLINE Quad3 four_paths(const Peer *const peers[4])
{
    return quad3_add(EACH3(peers, wish), EACH3(peers, carried));
}

FORCE_INLINE FourCouples four_couples_of(const Peer *const low[4], const Peer *const high[4])
{
    FourCouples four = {.low = low,
                        .high = high,
                        .up = EACH3(low, shape->up),
                        .square = EACH3(low, shape->square),
                        .inverse = EACH3(low, shape->inverse),
                        .end = EACH3(low, shape->core),
                        .least = EACH(low, shape->least)};
    four.away = quad3_sub(EACH3(high, center), EACH3(low, center));
    four.core = four_between_cores(four.away, four.end);
    four.closing = quad3_sub(four_paths(high), four_paths(low));
    return four;
}

FORCE_INLINE Quad3 four_in_metric(const FourCouples *four, Quad3 v)
{
    return quad3_scale(quad3_mul(four->inverse, v), quad_all(.5));
}

FORCE_INLINE Quad3 four_contact_places(const FourCouples *four)
{
    Quad zero = quad_all(0);
    Quad3 w = four_in_metric(four, four->closing);
    Quad closing = quad3_dot(four->core, w), opening = quad_sub(quad_all(-0.0), closing);
    Quad speed2 = quad3_dot(four->closing, w), touch = quad_all(2); /* of equal radii */
    Quad apart = quad_sub(quad3_dot(four->core, four_in_metric(four, four->core)), touch);
    Quad t = quad_lesser(quad_div(opening, speed2), quad_all(1));
    Quad discriminant = quad_sub(quad_mul(closing, closing), quad_mul(speed2, apart));
    Quad hit = quad_div(quad_sub(opening, quad_sqrt(discriminant)), speed2);
    t = quad_select(quad_less(zero, discriminant), quad_lesser(t, hit), t); /* mutant: four_too_late */
    t = quad_select(quad_at_most(apart, zero), zero, t);
    return quad3_select(quad_less(closing, zero), quad3_add_scaled(four->core, four->closing, t), four->core);
}

FORCE_INLINE Quad3 four_best_normals(const FourCouples *four, Quad3 places)
{
    Quad two = quad_all(2);
    Quad3 p = quad3_mul(four->inverse, places);
    for (int i = 0; i < ALIKE_ITERATIONS; ++i)
    {
        Quad height2 = quad3_dot(p, quad3_mul(four->square, p));
        Quad gap = quad_sub(quad_mul(quad_sqrt(height2), quad3_dot(places, p)), quad_mul(two, height2));
        Quad3 both = quad3_scale(four->square, quad_mul(two, quad3_dot(p, p)));
        Quad3 m = quad3_larger(quad3_add(both, (Quad3){gap, gap, gap}),
                               quad3_scale(both, quad_all(LEAST_DIAGONAL)));
        p = quad3_div(places, m);
    }
    return quad3_normalize(p);
}

FORCE_INLINE Quad four_grow(Quad y)
{
    Quad f = quad_add(quad_all(1), quad_mul(y, quad_all(1. / 16)));
    f = quad_mul(f, f);
    f = quad_mul(f, f);
    return quad_mul(f, f);
}

FORCE_INLINE Quad four_shares_of_low(const FourCouples *four, Quad low_speed, Quad high_speed)
{
    Quad zero = quad_all(0), minus = quad_all(-0.0), fastest = quad_larger(low_speed, high_speed);
    Quad along = quad3_dot(four->away, four->up);
    Quad3 flat = quad3_add_scaled(four->away, four->up, quad_sub(minus, along));
    Quad length = quad3_length(flat);
    Quad counts = quad_and(quad_less(quad_mul(quad_all(STANDING), four->least), fastest),
                           quad_less(quad_mul(quad_all(COINCIDENT), four->least), length));
    Quad3 wishes = quad3_add(EACH3(four->low, wish), EACH3(four->high, wish));
    Quad ahead = quad_select(counts, quad_div(quad3_dot(flat, wishes), quad_mul(fastest, length)), zero);
    Quad held_up = quad_sub(quad_all(1), quad_lesser(EACH(four->low, flow), EACH(four->high, flow)));
    /* mutant: no_precedence */
    Quad y = quad_mul(quad_all(2 * PRECEDENCE), quad_sqrt(quad_mul(quad_abs(ahead), quad_all(.5))));
    y = quad_mul(y, held_up);
    y = quad_select(quad_less(ahead, zero), quad_sub(minus, y), y);
    Quad low = quad_mul(EACH(four->low, inverse_mass), four_grow(y));
    Quad high = quad_mul(EACH(four->high, inverse_mass), four_grow(quad_sub(minus, y)));
    Quad sum = quad_add(low, high);
    return quad_select(quad_less(zero, sum), quad_div(low, sum), quad_all(.5));
}

FORCE_INLINE Quad four_soft_gaps(const FourCouples *four, Quad hard)
{
    Quad half = quad_all(.5), each = EACH(four->low, shape->comfort);
    Quad comfort = quad_mul(quad_add(each, each), half),
         mean = quad_mul(quad_add(four->least, four->least), half);
    Quad stride = quad_mul(quad_add(EACH(four->low, stride), EACH(four->high, stride)), half);
    stride = quad_lesser(stride, quad_mul(quad_all(PEER_SOFT), mean));
    Quad zone = quad_select(quad_less(quad_all(0), comfort), quad_add(hard, stride), hard);
    return quad_larger(comfort, zone);
}

/* Length of the part of n that corrects the lower ids, squared. */
FORCE_INLINE Quad four_parts_along(const FourCouples *four, Quad3 n)
{
    Quad is_flat =
        quad_less(quad_all(0), quad_set(four->low[0]->flags & PEER_FLAT, four->low[1]->flags & PEER_FLAT,
                                        four->low[2]->flags & PEER_FLAT, four->low[3]->flags & PEER_FLAT));
    Quad3 flat = quad3_add_scaled(n, four->up, quad_sub(quad_all(-0.0), quad3_dot(n, four->up)));
    Quad3 part = quad3_select(is_flat, flat, n);
    return quad3_dot(part, part);
}

FORCE_INLINE Quad four_closer_by_height(const FourCouples *four, Quad low_height, Quad high_height, Quad3 n)
{
    Quad rise = quad_abs(quad3_dot(n, four->up));
    return quad_add(quad_mul(low_height, rise), quad_mul(high_height, rise));
}

FORCE_INLINE Quad four_reaches(const Peer *const peers[4])
{
    return quad_set(peer_reach(peers[0]), peer_reach(peers[1]), peer_reach(peers[2]), peer_reach(peers[3]));
}

static FourPairs describe_four_pairs(const Peer *const low[4], const Peer *const high[4], Pair *out)
{
    FourCouples four = four_couples_of(low, high);
    Quad low_speed = EACH(low, speed), high_speed = EACH(high, speed);
    Quad low_height = EACH(low, height), high_height = EACH(high, height);
    Quad hard = quad_mul(quad_mul(quad_all(PEER_HARD), quad_add(four.least, four.least)), quad_all(.5));
    Quad soft = four_soft_gaps(&four, hard);
    Quad most = quad_add(quad_add(four_reaches(low), four_reaches(high)), soft);

    Quad3 places = four_contact_places(&four), n = four_best_normals(&four, places);
    Quad least = quad_mul(quad_all(COINCIDENT), four.least);
    Quad has_direction = quad_and(quad_at_most(quad_mul(least, least), quad3_dot(places, places)),
                                  quad_less(quad_all(0), quad3_dot(n, n)));
    n = (Quad3){quad_rounded(n.x), quad_rounded(n.y), quad_rounded(n.z)};
    Quad gap = four_gap_along(&four, n);
    Quad is_clear = quad_and(has_direction, quad_at_most(quad_all(0), gap)); /* mutant: four_overlap */
    Quad closer = four_closer_by_height(&four, low_height, high_height, n);
    Quad touches = quad_at_most(gap, quad_add(most, closer));

    float normal[3][4], need[4], share[4], slack[4], along2[4];
    Quad push = quad_lesser(EACH(low, push), EACH(high, push));
    Quad parts = four_parts_along(&four, n);
    quad_store_floats(normal[0], n.x);
    quad_store_floats(normal[1], n.y);
    quad_store_floats(normal[2], n.z);
    quad_store_floats(need, quad_lesser(quad_sub(soft, gap), push));
    quad_store_floats(share, four_shares_of_low(&four, low_speed, high_speed));
    quad_store_floats(slack, quad_sub(gap, hard));
    quad_store_floats(along2, parts);
    uint32_t corrects = quad_bits(quad_at_most(quad_all(PEER_LEAST_FLAT * PEER_LEAST_FLAT), parts));
    for (int i = 0; i < 4; ++i)
    {
        out[i] = (Pair){.normal = {normal[0][i], normal[1][i], normal[2][i]},
                        .need = need[i],
                        .scale = corrects >> i & 1 ? -share[i] / along2[i] : 0,
                        .share = share[i],
                        .slack = slack[i]};
    }
    uint32_t open = ~quad_bits(is_clear) & 15;
    return (FourPairs){.pairs = quad_bits(touches) & ~open, .open = open};
}
