#include "full_price.h"

#define PATH 3. /* radii */

/* Even in [-1, 1). G. Marsaglia, "Xorshift RNGs", 2003. */
static double noise(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed * 0x1p-31 - 1;
}

/* Within the path's reach but clear of its ends, and in a plane along the path: the face cannot be hit, so
 * edges and corners are asked. */
static void write_triangle(Packed *packed, Vec3 along, const Kernels *kernels, uint32_t i, uint32_t *seed)
{
    Vec3 middle = vec3_scale(vec3(noise(seed), noise(seed), noise(seed)), .4);
    middle = vec3_add_scaled(middle, along, .8 * PATH);
    Vec3 other = vec3(noise(seed), noise(seed), noise(seed)), corner[3];
    for (uint32_t c = 0; c < 3; ++c)
    {
        corner[c] = vec3_add_scaled(vec3_add_scaled(middle, along, .7 * noise(seed)), other, noise(seed));
    }
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

bool full_price_next(Packed *packed, SweepQuery sweeps[2], const Kernels *kernels, uint32_t *seed)
{
    if (!packed_create(packed, kernels, FULL_TRIANGLES))
    {
        return false;
    }
    Vec3 way = vec3_normalize(vec3(noise(seed), noise(seed), noise(seed)));
    sweeps[0] = bench_sweep(vec3_scale(way, PATH));
    sweeps[1] = bench_sweep(vec3_scale(way, -PATH));
    sweeps[1].origin = vec3_scale(way, 1.6 * PATH);
    for (uint32_t i = 0; i < FULL_TRIANGLES; ++i)
    {
        write_triangle(packed, sweeps[0].direction, kernels, i, seed);
    }
    packed->batch.count = FULL_TRIANGLES;
    PackRules rules = {.reach_length = (float)sweeps[0].length, .slack = (float)sweeps[0].slack};
    kernels->finish(&packed->batch, &rules, packed->candidates);
    return true;
}
