/* One shape against many: the wide halves are pairs.inl; here is what double decides, for the few that
 * need it, and what callers may get wrong. */
#include "sidle/intersect/batch.h"

#include "base/fp_environment.h"
#include "intersect/pairs.h"
#include "sidle/intersect/polygon.h"

#include <float.h>

#define CHUNK       256 /* partners between two looks at what the lanes have found: 3 KB of stack */
#define CHUNK_WORDS (CHUNK / 32)

static const PairKernels *select_kernels(uint32_t lanes)
{
    static const WideBuild builds[] = {
#ifdef WIDE_HAS_8
        {&sidle_pair_kernels_8_avx512, 8, WIDE_NEEDS_AVX512_MASKS},
        {&sidle_pair_kernels_8, 8, WIDE_NEEDS_AVX2},
        {&sidle_pair_kernels_16, 16, WIDE_NEEDS_AVX512},
#endif
        {&sidle_pair_kernels_4, 4, WIDE_NEEDS_NOTHING},
        {&sidle_pair_kernels_1, 1, WIDE_NEEDS_NOTHING},
    };
    static _Atomic(const void *) chosen = builds;
    return wide_choose(builds, sizeof builds / sizeof *builds, lanes, &chosen);
}

static sidle_batch_nearest nobody(void)
{
    return (sidle_batch_nearest){.value = INFINITY, .index = SIDLE_BATCH_NONE};
}

static bool set_arrays(Pairs *pairs, const float *const *arrays, uint32_t first, uint32_t array_count,
                       size_t stride, uint32_t count)
{
    bool good = stride % sizeof(float) == 0;
    pairs->stride = stride ? stride : sizeof(float);
    pairs->count = count;
    for (uint32_t i = 0; i < array_count; ++i)
    {
        pairs->fields[first + i] = arrays[i];
        good = good && (count == 0 || arrays[i]);
    }
    return good;
}

static bool set_triangles(Pairs *pairs, const sidle_triangle_arrays *triangles)
{
    bool good = true;
    for (uint32_t i = 0; i < 3; ++i)
    {
        good =
            set_arrays(pairs, triangles->corners[i], 3 * i, 3, triangles->stride, triangles->count) && good;
    }
    return good;
}

/* The part of the pairs that begins with `first`. */
static Pairs chunk_of(const Pairs *pairs, uint32_t first, uint32_t field_count)
{
    uint32_t left = pairs->count - first;
    Pairs chunk = {.stride = pairs->stride, .count = left < CHUNK ? left : CHUNK};
    for (uint32_t i = 0; i < field_count; ++i)
    {
        chunk.fields[i] = (const float *)((const char *)pairs->fields[i] + first * pairs->stride);
    }
    return chunk;
}

static uint32_t word_count_of(uint32_t count)
{
    return count / 32 + (count % 32 != 0);
}

static void blank_tail(uint32_t *words, uint32_t count)
{
    if (count % 32)
    {
        words[count / 32] &= (1u << count % 32) - 1;
    }
}

/* Copies a chunk's verdicts to the caller's (may be NULL). Returns how many are hits. */
static uint32_t tell_hits(uint32_t *hits, uint32_t first, const uint32_t *words, uint32_t count)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < word_count_of(count); ++i)
    {
        total += (uint32_t)__builtin_popcount(words[i]);
        if (hits)
        {
            hits[first / 32 + i] = words[i];
        }
    }
    return total;
}

static double number_of(const Pairs *pairs, uint32_t i, uint32_t field)
{
    return (double)*(const float *)((const char *)pairs->fields[field] + i * pairs->stride);
}

static void corners_of(const Pairs *pairs, uint32_t i, Vec3 corners[3])
{
    for (uint32_t k = 0; k < 3; ++k)
    {
        corners[k] =
            vec3(number_of(pairs, i, 3 * k), number_of(pairs, i, 3 * k + 1), number_of(pairs, i, 3 * k + 2));
    }
}

/* ---- rays ---- */

typedef struct Ray
{
    Vec3 origin, direction;
    PairRay sheared;
    Pairs pairs; /* fields in the order of the axes below */
    double limit;
    bool hits; /* anything */
} Ray;

/* The largest axis of the direction becomes z; for half of the directions this mirrors the sides of edges,
 * which changes no verdict. */
static void set_ray(Ray *ray, const sidle_ray_triangles_desc *desc)
{
    Vec3 size = vec3_abs(vec3_from(desc->direction));
    uint32_t z = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const float o[3] = {desc->origin.x, desc->origin.y, desc->origin.z};
    const float d[3] = {desc->direction.x, desc->direction.y, desc->direction.z};
    const uint32_t axes[3] = {(z + 1) % 3, (z + 2) % 3, z};
    const Pairs given = ray->pairs;
    for (uint32_t i = 0; i < 9; ++i)
    {
        ray->pairs.fields[i] = given.fields[i / 3 * 3 + axes[i % 3]];
    }
    ray->origin = vec3((double)o[axes[0]], (double)o[axes[1]], (double)o[axes[2]]);
    ray->direction = vec3((double)d[axes[0]], (double)d[axes[1]], (double)d[axes[2]]);
    for (uint32_t i = 0; i < 3; ++i)
    {
        ray->sheared.origin[i] = o[axes[i]];
    }
    ray->sheared.shear[0] = (float)(ray->direction.x / ray->direction.z);
    ray->sheared.shear[1] = (float)(ray->direction.y / ray->direction.z);
    /* A hit has a finite time, so times beyond the range of float are misses. */
    ray->limit = desc->limit > 0 && desc->limit < INFINITY ? (double)desc->limit : (double)FLT_MAX;
    ray->hits = vec3_is_finite(ray->origin) && vec3_is_finite(ray->direction) && ray->direction.z != 0;
}

/* When the ray meets the plane of a triangle that it pierces, but not before nor after the triangle: nearly
 * edge-on the plane could be met anywhere. NaN: one of the corners is. */
static double time_of(const Ray *ray, uint32_t i, const Pairs *pairs)
{
    Vec3 v[3];
    corners_of(pairs, i, v);
    Vec3 e = vec3_sub(v[1], v[0]), f = vec3_sub(v[2], v[0]), n = vec3_cross(e, f);
    double along = vec3_dot(n, ray->direction), speed = ray->direction.z;
    double time = vec3_dot(n, vec3_sub(v[0], ray->origin)) / along;
    double first = INFINITY, last = -INFINITY;
    for (uint32_t k = 0; k < 3; ++k)
    {
        double own = (v[k].z - ray->origin.z) / speed;
        if (!vec3_is_finite(v[k]))
        {
            return NAN;
        }
        first = lesser(own, first);
        last = larger(own, last);
    }
    return time > first ? lesser(time, last) : first; /* first also where along is 0 */
}

static void meet_chunk(const Ray *ray, const PairKernels *kernels, uint32_t first,
                       const sidle_ray_triangles_desc *desc, sidle_batch_nearest *nearest, double *least)
{
    uint32_t words[CHUNK_WORDS] = {0};
    Pairs chunk = chunk_of(&ray->pairs, first, 9);
    if (ray->hits)
    {
        kernels->pierce(&chunk, &ray->sheared, words);
    }
    blank_tail(words, chunk.count);
    for (uint32_t i = 0; desc->times && i < chunk.count; ++i)
    {
        desc->times[first + i] = INFINITY;
    }
    for (uint32_t word = 0; word < CHUNK_WORDS; ++word)
    {
        for (uint32_t bits = words[word]; bits; bits &= bits - 1)
        {
            uint32_t i = 32 * word + (uint32_t)__builtin_ctz(bits);
            double time = time_of(ray, i, &chunk);
            if (!(time >= 0) || !(time <= ray->limit))
            {
                words[word] &= ~(1u << i % 32);
                continue;
            }
            if (desc->times)
            {
                desc->times[first + i] = (float)time;
            }
            if (time < *least)
            {
                *least = time;
                nearest->value = (float)time;
                nearest->index = first + i;
            }
        }
    }
    nearest->hit_count += tell_hits(desc->hits, first, words, chunk.count);
}

static FP_BODY sidle_status ray_triangles(const sidle_ray_triangles_desc *desc, sidle_batch_nearest *out)
{
    Ray ray;
    if (!desc || desc->size < sizeof *desc || !(desc->hits || desc->times || out) || !(desc->limit >= 0) ||
        !set_triangles(&ray.pairs, &desc->triangles))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    const PairKernels *kernels = select_kernels(desc->lanes);
    if (!kernels)
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    sidle_batch_nearest nearest = nobody();
    double least = INFINITY;
    set_ray(&ray, desc);
    for (uint32_t first = 0; first < ray.pairs.count;)
    {
        meet_chunk(&ray, kernels, first, desc, &nearest, &least);
        first = ray.pairs.count - first > CHUNK ? first + CHUNK : ray.pairs.count;
    }
    if (out)
    {
        *out = nearest;
    }
    return SIDLE_OK;
}

sidle_status sidle_batch_ray_triangles(const sidle_ray_triangles_desc *desc, sidle_batch_nearest *nearest)
{
    FpEnvironment host = fp_enter();
    sidle_status status = ray_triangles(desc, nearest);
    fp_leave(host);
    return status;
}

/* ---- spheres ---- */

typedef struct Ball
{
    PairBall lanes;
    sidle_position center;
    Pairs pairs;
    bool finite;
} Ball;

static double distance_to(const Ball *ball, uint32_t i, const Pairs *pairs)
{
    Vec3 v[3];
    sidle_dtriangle triangle;
    sidle_triangle_point closest;
    corners_of(pairs, i, v);
    for (uint32_t k = 0; k < 3; ++k)
    {
        triangle.corners[k] = (sidle_position){v[k].x, v[k].y, v[k].z};
    }
    return sidle_closest_on_triangle(ball->center, &triangle, &closest) ? closest.distance : INFINITY;
}

static void touch_chunk(const Ball *ball, const PairKernels *kernels, uint32_t first,
                        const sidle_sphere_triangles_desc *desc, sidle_batch_nearest *nearest)
{
    uint32_t words[CHUNK_WORDS] = {0}, doubts[CHUNK_WORDS] = {0};
    float distances[CHUNK];
    Pairs chunk = chunk_of(&ball->pairs, first, 9);
    if (ball->finite)
    {
        kernels->closest(&chunk, &ball->lanes, words, doubts, distances);
    }
    for (uint32_t i = 0; !ball->finite && i < chunk.count; ++i)
    {
        distances[i] = INFINITY;
    }
    blank_tail(words, chunk.count);
    blank_tail(doubts, chunk.count);
    for (uint32_t word = 0; word < CHUNK_WORDS; ++word)
    {
        for (uint32_t bits = doubts[word]; bits; bits &= bits - 1)
        {
            uint32_t i = 32 * word + (uint32_t)__builtin_ctz(bits);
            double distance = distance_to(ball, i, &chunk);
            bool touches = distance < INFINITY && distance <= (double)ball->lanes.radius;
            words[word] |= (uint32_t)touches << i % 32;
            distances[i] = (float)distance;
        }
    }
    for (uint32_t i = 0; i < chunk.count; ++i)
    {
        bool nearer = distances[i] < nearest->value;
        nearest->value = nearer ? distances[i] : nearest->value;
        nearest->index = nearer ? first + i : nearest->index;
    }
    for (uint32_t i = 0; desc->distances && i < chunk.count; ++i)
    {
        desc->distances[first + i] = distances[i];
    }
    nearest->hit_count += tell_hits(desc->hits, first, words, chunk.count);
}

static FP_BODY sidle_status sphere_triangles(const sidle_sphere_triangles_desc *desc,
                                             sidle_batch_nearest *out)
{
    Ball ball;
    if (!desc || desc->size < sizeof *desc || !(desc->hits || desc->distances || out) ||
        !set_triangles(&ball.pairs, &desc->triangles))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    const PairKernels *kernels = select_kernels(desc->lanes);
    if (!kernels)
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    sidle_batch_nearest nearest = nobody();
    Vec3 center = vec3_from(desc->center);
    ball.lanes = (PairBall){{desc->center.x, desc->center.y, desc->center.z}, desc->radius};
    ball.center = (sidle_position){center.x, center.y, center.z};
    ball.finite = vec3_is_finite(center) && isfinite(desc->radius);
    for (uint32_t first = 0; first < ball.pairs.count;)
    {
        touch_chunk(&ball, kernels, first, desc, &nearest);
        first = ball.pairs.count - first > CHUNK ? first + CHUNK : ball.pairs.count;
    }
    if (out)
    {
        *out = nearest;
    }
    return SIDLE_OK;
}

sidle_status sidle_batch_sphere_triangles(const sidle_sphere_triangles_desc *desc,
                                          sidle_batch_nearest *nearest)
{
    FpEnvironment host = fp_enter();
    sidle_status status = sphere_triangles(desc, nearest);
    fp_leave(host);
    return status;
}

/* ---- boxes ---- */

static FP_BODY sidle_status box_boxes(const sidle_box_boxes_desc *desc, uint32_t *hit_count)
{
    Pairs pairs;
    if (!desc || desc->size < sizeof *desc || !(desc->hits || hit_count))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    const sidle_box_arrays *boxes = &desc->boxes;
    if (!set_arrays(&pairs, boxes->min, 0, 3, boxes->stride, boxes->count) ||
        !set_arrays(&pairs, boxes->max, 3, 3, boxes->stride, boxes->count))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    const PairKernels *kernels = select_kernels(desc->lanes);
    if (!kernels)
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    Bounds box = {{desc->min.x, desc->min.y, desc->min.z}, {desc->max.x, desc->max.y, desc->max.z}};
    bool filled = box.min[0] <= box.max[0] && box.min[1] <= box.max[1] && box.min[2] <= box.max[2];
    uint32_t total = 0;
    for (uint32_t first = 0; first < pairs.count;)
    {
        uint32_t words[CHUNK_WORDS] = {0};
        Pairs chunk = chunk_of(&pairs, first, 6);
        if (filled)
        {
            kernels->overlap(&chunk, &box, words);
        }
        total += tell_hits(desc->hits, first, words, chunk.count);
        first = pairs.count - first > CHUNK ? first + CHUNK : pairs.count;
    }
    if (hit_count)
    {
        *hit_count = total;
    }
    return SIDLE_OK;
}

sidle_status sidle_batch_box_boxes(const sidle_box_boxes_desc *desc, uint32_t *hit_count)
{
    FpEnvironment host = fp_enter();
    sidle_status status = box_boxes(desc, hit_count);
    fp_leave(host);
    return status;
}

uint32_t sidle_batch_lanes(uint32_t lanes)
{
    const PairKernels *kernels = select_kernels(lanes);
    return kernels ? kernels->lane_count : 0;
}
