#include "surroundings.h"

#include "narrow/frame.h"

#include <stdlib.h>

#define STEP_DOWN .45 /* metres: half of the agents' .9 m, the default of a profile */

SweepQuery bench_sweep(Vec3 path)
{
    return (SweepQuery){.direction = vec3_normalize(path),
                        .length = vec3_length(path),
                        .radius = 1 + BENCH_SKIN / 2,
                        .slack = BENCH_SKIN * SLACK_OF_SKIN};
}

static Bounds bounds_of_reach(Vec3 center, Vec3 radii, Vec3 wish, double drop)
{
    double length = vec3_length(wish);
    Vec3 half = vec3_scale(radii, 1 + BENCH_SKIN * (1 + SLACK_OF_SKIN));
    half = vec3_add(half, vec3(length / 2, length / 2 + drop / 2, length / 2));
    return bounds_around(vec3_add(vec3_add_scaled(center, wish, .5), vec3(0, -drop / 2, 0)), half);
}

/* The level's one instance stands unmoved at the origin. */
static PackTransform transform_of(const Frame *frame, Vec3 stored)
{
    PackTransform transform = {.key = 0};
    for (int row = 0; row < 3; ++row)
    {
        transform.matrix[3 * row] = (float)frame->to_e.row[row].x;
        transform.matrix[3 * row + 1] = (float)frame->to_e.row[row].y;
        transform.matrix[3 * row + 2] = (float)frame->to_e.row[row].z;
    }
    const double center[3] = {stored.x, stored.y, stored.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        transform.high[axis] = (float)center[axis];
        transform.low[axis] = (float)(center[axis] - (double)transform.high[axis]);
    }
    return transform;
}

void surroundings_of(const BenchScene *scene, uint32_t agent, Surroundings *out)
{
    Vec3 radii = vec3_from(scene->agents.shapes[0].radii);
    Vec3 wish = vec3_from(bench_wish(scene, agent, scene->tick));
    Frame frame = frame_make(vec3_from_position(scene->bodies[agent].center), (sidle_quat){0}, radii);
    Vec3 stored = vec3_sub(frame.center, scene->mesh->origin), zero = vec3(0, 0, 0);
    double drop = STEP_DOWN + BENCH_SKIN * vec3_max_component(radii);
    *out = (Surroundings){
        .transform = transform_of(&frame, stored),
        .rules = {.reach_length = (float)((vec3_length(wish) + drop) / vec3_min_component(radii)),
                  .slack = (float)(BENCH_SKIN * SLACK_OF_SKIN)},
        .box = bounds_of_reach(stored, radii, wish, drop),
        .reach = bounds_of_reach(zero, vec3(1, 1, 1), mat3_mul(frame.to_e, wish), drop / radii.y),
        .walk = bench_sweep(mat3_mul(frame.to_e, wish)),
        .drop = bench_sweep(vec3(0, -drop / radii.y, 0)),
    };
}

bool packed_create(Packed *packed, const Kernels *kernels, uint32_t capacity)
{
    size_t bytes = batch_bytes(kernels, capacity);
    packed->batch = (Batch){.blocks = aligned_alloc(64, (bytes + 63) / 64 * 64), .capacity = capacity};
    packed->batch.row_stride = batch_row_stride(capacity);
    packed->candidates = calloc(capacity, sizeof *packed->candidates);
    packed->exact_of = calloc(capacity, sizeof *packed->exact_of);
    packed->rows = calloc(9 * (size_t)packed->batch.row_stride, sizeof *packed->rows);
    if (!packed->batch.blocks || !packed->candidates || !packed->exact_of || !packed->rows)
    {
        packed_destroy(packed);
        return false;
    }
    return true;
}

void packed_destroy(Packed *packed)
{
    free(packed->batch.blocks);
    free(packed->candidates);
    free(packed->exact_of);
    free(packed->rows);
    *packed = (Packed){.candidates = NULL};
}

void packed_fill(Packed *packed, const Kernels *kernels, const sidle_mesh *mesh, const Surroundings *around)
{
    packed->batch.count = 0;
    packed->batch.rows = packed->rows;
    kernels->append(mesh->packets, around->leaves, around->leaf_count, &around->transform, &around->reach,
                    &packed->batch, packed->candidates);
    kernels->setup(&packed->batch, &around->rules, packed->exact_of);
}

FauerbyTriangle packed_triangle(const Packed *packed, const Kernels *kernels, uint32_t i)
{
    FauerbyTriangle triangle;
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        float p[3];
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            p[axis] = (float)batch_read(&packed->batch, kernels, i, FIELD_V0 + 3 * corner + axis);
        }
        triangle.p[corner] = (FauerbyVector){p[0], p[1], p[2]};
    }
    return triangle;
}
