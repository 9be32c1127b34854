#include "full_price.h"

#define PATH  3.  /* radii */
#define APART .25 /* how far, on each axis, a path or the middle of a triangle is off its place */
#define TILT  .02 /* of a triangle against the paths */

/* Even in [-1, 1). G. Marsaglia, "Xorshift RNGs", 2003. */
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

/* Within reach of every path, clear of the ends, and so nearly in a plane along them that the face is not hit:
 * edges and corners are asked. It faces the ball. */
static void write_triangle(Packed *packed, Vec3 along, const Kernels *kernels, uint32_t i, uint32_t *seed)
{
    Vec3 middle = vec3_add_scaled(vec3_scale(along, .9 * PATH), noise3(seed), APART);
    Vec3 across = vec3_normalize(vec3_cross(along, noise3(seed)));
    Vec3 tilted = vec3_add_scaled(along, vec3_cross(across, along), TILT), side[2], corner[3];
    for (uint32_t c = 0; c < 2; ++c)
    {
        side[c] = vec3_scale(tilted, .35 * noise(seed));
        side[c] = vec3_add_scaled(side[c], across, .5 * noise(seed));
    }
    bool faces_away = vec3_dot(vec3_cross(side[0], side[1]), along) > 0;
    corner[0] = vec3_add(middle, side[faces_away]);
    corner[1] = vec3_add(middle, side[!faces_away]);
    corner[2] = vec3_sub(middle, vec3_add(side[0], side[1]));
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

/* Every sweep asks every triangle for its edges, and none faces away. */
static bool pays_in_full(const Packed *packed, const SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels)
{
    sidle_stats stats = {.tested = 0};
    for (uint32_t i = 0; i < FULL_SWEEPS; ++i)
    {
        kernels->count(&packed->batch, &sweeps[i], &stats);
    }
    return stats.full_price == FULL_SWEEPS * FULL_TRIANGLES && stats.back_facing == 0;
}

bool full_price_next(Packed *packed, SweepQuery sweeps[FULL_SWEEPS], const Kernels *kernels, uint32_t *seed)
{
    if (!packed_create(packed, kernels, FULL_TRIANGLES))
    {
        return false;
    }
    Vec3 way = vec3_normalize(noise3(seed));
    for (uint32_t i = 0; i < FULL_SWEEPS; ++i)
    {
        sweeps[i] = bench_sweep(vec3_scale(way, PATH));
        sweeps[i].origin = vec3_scale(noise3(seed), APART);
    }
    for (uint32_t i = 0; i < FULL_TRIANGLES; ++i)
    {
        write_triangle(packed, sweeps[0].direction, kernels, i, seed);
    }
    packed->batch.count = FULL_TRIANGLES;
    PackRules rules = {.reach_length = (float)sweeps[0].length, .slack = (float)sweeps[0].slack};
    kernels->finish(&packed->batch, &rules, packed->candidates);
    return pays_in_full(packed, sweeps, kernels);
}
