#include "full_price.h"

#define PATH  3.  /* radii */
#define APART .25 /* how far, on each axis, a path is off the middle one */
/* How far, on each axis, a corner is off the middle of the path. With 4, the published form finds no root
 * and ends early as often as in levels: in 72 % of its quadratics (city 71, terrain 72, dungeon 67 %). */
#define SPREAD 4.

/* Evenly distributed in [-1, 1). G. Marsaglia, "Xorshift RNGs", 2003. */
static double noise(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed * 0x1p-31 - 1;
}

static Vec3 noise3(uint32_t *seed)
{
    double x = noise(seed), y = noise(seed);
    return vec3(x, y, noise(seed));
}

static void write_corners(const Packed *packed, const Kernels *kernels, uint32_t i, const Vec3 corner[3])
{
    uint32_t width = kernels->lane_count;
    float *lane = (float *)packed->batch.blocks + (size_t)(i / width) * FIELD_COUNT * width + i % width;
    for (uint32_t c = 0; c < 3; ++c)
    {
        const double p[3] = {corner[c].x, corner[c].y, corner[c].z};
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            lane[(FIELD_V0 + 3 * c + axis) * width] = (float)p[axis];
        }
    }
    packed->candidates[i].triangle = i;
}

static void setup(Packed *packed, const Kernels *kernels, const SweepQuery *sweep, uint32_t count)
{
    PackRules rules = {.reach_length = (float)sweep->length, .slack = (float)sweep->slack};
    packed->batch.count = count;
    kernels->setup(&packed->batch, &rules, packed->exact_of);
}

/* Returns true if every sweep tests the edges of the batch's one triangle, begins outside and sees its
 * front. */
static bool pays_in_full(const Packed *packed, const SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels)
{
    for (uint32_t i = 0; i < FULL_SWEEPS; ++i)
    {
        sidle_stats stats = {.tested = 0};
        kernels->count(&packed->batch, &sweeps[i], &stats);
        double distance = kernels->closest(&packed->batch, sweeps[i].origin, sweeps[i].radius);
        if (stats.full_price != 1 || stats.back_facing != 0 || distance < (double)INFINITY)
        {
            return false;
        }
    }
    return true;
}

static void draw_triangle(Packed *one, const SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels,
                          uint32_t *seed, Vec3 corner[3])
{
    do
    {
        for (uint32_t c = 0; c < 3; ++c)
        {
            corner[c] = vec3_scale(sweeps[0].direction, PATH / 2);
            corner[c] = vec3_add_scaled(corner[c], noise3(seed), SPREAD);
        }
        write_corners(one, kernels, 0, corner);
        setup(one, kernels, &sweeps[0], 1);
    }
    while (!pays_in_full(one, sweeps, kernels));
}

bool full_price_next(Packed *packed, SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels, uint32_t *seed)
{
    Packed one = {.candidates = NULL};
    bool has_room = packed_create(packed, kernels, FULL_TRIANGLES) && packed_create(&one, kernels, 1);
    Vec3 direction = vec3_normalize(noise3(seed));
    for (uint32_t i = 0; i < FULL_SWEEPS; ++i)
    {
        sweeps[i] = bench_sweep(vec3_scale(direction, PATH));
        sweeps[i].origin = vec3_scale(noise3(seed), APART);
    }
    for (uint32_t i = 0; has_room && i < FULL_TRIANGLES; ++i)
    {
        Vec3 corner[3];
        draw_triangle(&one, sweeps, kernels, seed, corner);
        write_corners(packed, kernels, i, corner);
    }
    if (has_room)
    {
        setup(packed, kernels, &sweeps[0], FULL_TRIANGLES);
    }
    packed_destroy(&one);
    return has_room;
}
