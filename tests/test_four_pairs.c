/* Pairs of agents that are described four at a time, against the same pairs one at a time. */
#include "crowd/peers.h"
#include "kernels/kernels.h"
#include "support/random.h"

#include <criterion/criterion.h>

#include <string.h>

#define FOURS 20000

static Vec3 vec3_drawn(Random *random, double length)
{
    Vector v = random_direction(random);
    double scale = random_chance(random, .1) ? 0 : length * random_unit(random);
    return vec3(scale * v.x, scale * v.y, scale * v.z);
}

/* A ball, an ellipsoid or a capsule, upright. */
static PeerShape shape_drawn(Random *random)
{
    double x = random_between(random, .2, .6), y = x, z = x, core = 0;
    switch (random_below(random, 3))
    {
    case 1:
        y = random_between(random, .2, 1.2);
        z = random_between(random, .2, .6);
        break;
    case 2:
        core = random_between(random, .1, .8);
        break;
    default:
        break;
    }
    Vector up = random_chance(random, .8) ? vector(0, 1, 0) : random_direction(random);
    PeerShape shape = {.up = vec3(up.x, up.y, up.z),
                       .square = vec3(x * x, y * y, z * z),
                       .core = vec3(0, core, 0),
                       .least = lesser(x, lesser(y, z)),
                       .comfort = random_chance(random, .3) ? 0 : random_between(random, 0, .2),
                       .is_diagonal = true};
    shape.inverse = vec3_div(vec3(1, 1, 1), shape.square);
    return shape;
}

static Peer peer_drawn(Random *random, const PeerShape *shape, uint64_t id, Vec3 center)
{
    Peer peer = {.center = center,
                 .id = id,
                 .flags = PEER_COLLIDES,
                 .shape = shape,
                 .inverse_mass = random_chance(random, .1) ? 0 : (float)random_between(random, .1, 2),
                 .wish = vec3_drawn(random, .1),
                 .push = (float)random_between(random, 0, .05),
                 .flow = random_chance(random, .5) ? 0 : (float)random_unit(random)};
    if (random_chance(random, .8))
    {
        peer.flags |= PEER_FLAT;
        peer.height = (float)random_between(random, 0, .4);
    }
    if (random_chance(random, .1))
    {
        peer.flags |= PEER_WAITS;
        peer.wish = vec3(0, 0, 0);
    }
    peer.carried = random_chance(random, .2) ? vec3_drawn(random, .05) : vec3(0, 0, 0);
    peer.speed = round_up(vec3_length(peer.wish));
    peer.stride = peer.speed;
    return peer;
}

typedef struct Four
{
    PeerShape shapes[4];
    Peer low[4], high[4];
} Four;

/* From one place to far apart, most of them about in contact. */
static void draw_four(Random *random, Four *four)
{
    for (int i = 0; i < 4; ++i)
    {
        const PeerShape *shape = &four->shapes[i];
        four->shapes[i] = shape_drawn(random);
        Vec3 center = vec3_drawn(random, 100), n = vec3_drawn(random, 1);
        Vec3 wide = vec3(sqrt(shape->square.x), sqrt(shape->square.y) + shape->core.y, sqrt(shape->square.z));
        Vec3 away = vec3_scale(vec3_mul(vec3_normalize(n), wide), random_between(random, 1.7, 2.8));
        away = vec3_is_zero(n) ? vec3_scale(vec3_drawn(random, 1), 1e-4) : away;
        four->low[i] = peer_drawn(random, shape, (uint64_t)i + 1, center);
        four->high[i] = peer_drawn(random, shape, (uint64_t)i + 9, vec3_add(center, away));
    }
}

typedef struct Counts
{
    uint32_t pairs, far, open, open_apart, different;
} Counts;

static void compare(const Four *four, FourPairs answer, const Pair *made, Counts *counts)
{
    for (uint32_t i = 0; i < 4; ++i)
    {
        Pair single;
        bool is_open = answer.open >> i & 1, is_pair = answer.pairs >> i & 1;
        bool expected = sidle_pair_make(&four->low[i], &four->high[i], 0, &single);
        if (is_open)
        {
            bool overlaps = expected && (single.other & PAIR_OVERLAPS);
            counts->open += 1;
            counts->open_apart += !overlaps;
            continue;
        }
        counts->pairs += is_pair;
        counts->far += !is_pair;
        counts->different +=
            is_pair != expected || (is_pair && memcmp(&single, &made[i], sizeof single) != 0);
    }
}

Test(four_pairs, have_the_bits_of_single_pairs_at_every_width)
{
    static const uint32_t widths[4] = {1, 4, 8, 16};
    for (int w = 0; w < 4; ++w)
    {
        const Kernels *kernels = sidle_kernels_select(widths[w]);
        Random random = random_seeded(12);
        Counts counts = {.pairs = 0};
        for (int i = 0; kernels && i < FOURS; ++i)
        {
            Four four;
            const Peer *low[4], *high[4];
            Pair made[4];
            draw_four(&random, &four);
            for (int k = 0; k < 4; ++k)
            {
                low[k] = &four.low[k];
                high[k] = &four.high[k];
            }
            memset(made, 0, sizeof made);
            FourPairs answer = kernels->pairs(low, high, made);
            compare(&four, answer, made, &counts);
        }
        cr_expect_eq(counts.different, 0, "%u of %u differ in %u lanes", counts.different, counts.pairs,
                     widths[w]);
        if (kernels)
        {
            cr_expect_gt(counts.pairs, FOURS, "%u pairs", counts.pairs);
            cr_expect_gt(counts.far, FOURS / 10, "%u far", counts.far);
            cr_expect_gt(counts.open, FOURS / 10, "%u open", counts.open);
            cr_expect_lt(counts.open_apart, counts.open / 20, "%u of %u open", counts.open_apart,
                         counts.open);
        }
    }
}
