/* The boxes of a reach in the world, in an instance's stored space and in ellipsoid space. */
#include "narrow/questions.h"
#include "narrow/view.h"
#include "simd/quad.h"

/* An axis-aligned box. */
typedef struct Box
{
    Quad center, half;
} Box;

static inline Quad quad_of(Vec3 v)
{
    return quad_set(v.x, v.y, v.z, 0);
}

/* The box around a reach, in the world, relative to the frame's centre. */
static inline Box reach_box(const Frame *frame, const Reach *reach)
{
    Quad segment = quad_of(reach->segment), extent = quad_of(frame->extent);
    Quad half = quad_add_scaled(quad_all(reach->radius), extent, reach->swell);
    half = quad_add(half, quad_of(frame->core_extent));
    return (Box){quad_add_scaled(quad_of(reach->center), segment, .5),
                 quad_add_scaled(half, quad_abs(segment), .5)};
}

/* Relative error of a coordinate rounded to float, and of PackTransform's diagonal: 8 u. */
#define BOX_GROWTH 0x1p-21

/* The box in float, rounded outward. */
static inline Bounds box_bounds(Box box)
{
    Quad low = quad_sub(box.center, box.half), high = quad_add(box.center, box.half),
         least = quad_all(0x1p-126);
    low = quad_sub(quad_add_scaled(low, quad_abs(low), -BOX_GROWTH), least);
    high = quad_add(quad_add_scaled(high, quad_abs(high), BOX_GROWTH), least);
    float min[4], max[4];
    quad_store_floats(min, low);
    quad_store_floats(max, high);
    return (Bounds){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

/* The box around a reach in ellipsoid space, which is tested as well if the axes do not agree. */
static Bounds reach_bounds(const Frame *frame, const Reach *reach)
{
    const Mat3 *to = &frame->to_e;
    Vec3 middle = mat3_mul(*to, vec3_add_scaled(reach->center, reach->segment, .5));
    Vec3 half =
        vec3_add_scaled(vec3(reach->swell, reach->swell, reach->swell), frame->inverse, reach->radius);
    half = vec3_add_scaled(half, vec3_abs(mat3_mul(*to, reach->segment)), .5);
    return bounds_around(middle, vec3_add(half, vec3_abs(frame->core)));
}

/* ---- instances ---- */

static OUT_OF_LINE void mapping_set(Mapping *mapping, const sidle_snapshot *snapshot, uint32_t slot,
                                    const Frame *frame, double time)
{
    const Placed *given = snapshot_placed(snapshot, slot);
    Placed between;
    const Placed *placed = sidle_placed_at(given, time, &between);
    Vec3 position = placed->position, origin = placed->mesh->origin;
    View view = {.inverse = placed->inverse, .to_e = mat3_product(frame->to_e, placed->linear)};
    Mat3 inverse = mat3_product(view.inverse, frame->to_w), columns = mat3_transpose(placed->inverse);
    mapping->resting = frame->profile && !given->moves ? snapshot->resting : 0;
    mapping->profile = frame->profile;
    mapping->slot = slot;
    mapping->condition = larger(view_condition(&view, &inverse), 1);
    quad_store(mapping->position, quad_of(position));
    quad_store(mapping->origin, quad_of(origin));
    transform_set(&mapping->transform, &view.to_e, given, slot);
    Vec3 *column = columns.row;
    mapping->is_diagonal = mapping->transform.is_diagonal && column[0].y == 0 && column[0].z == 0 &&
                           column[1].x == 0 && column[1].z == 0 && column[2].x == 0 && column[2].y == 0;
    if (mapping->is_diagonal)
    {
        column[0] = vec3(column[0].x, column[1].y, column[2].z);
    }
    for (int i = 0; i < 3; ++i)
    {
        quad_store(mapping->inverse[i], quad_of(column[i]));
    }
}

static inline Mapping *mapping_of(const Candidates *c, const sidle_snapshot *snapshot, uint32_t slot,
                                  const Frame *frame, double time)
{
    Mapping *mapping = &c->mappings[(slot * 8 + frame->profile) % MAPPINGS];
    if (mapping->resting != snapshot->resting || mapping->slot != slot || mapping->profile != frame->profile)
    {
        mapping_set(mapping, snapshot, slot, frame, time);
    }
    return mapping;
}

/* A world displacement in stored space. */
static inline Quad mapping_turn(const Mapping *mapping, Quad v)
{
    Quad first = quad_load(mapping->inverse[0]);
    if (mapping->is_diagonal)
    {
        return quad_mul(first, v);
    }
    double x[4];
    quad_store(x, v);
    Quad sum = quad_add_scaled(quad_mul(first, quad_all(x[0])), quad_load(mapping->inverse[1]), x[1]);
    return quad_add_scaled(sum, quad_load(mapping->inverse[2]), x[2]);
}

/* A world position in stored space. */
static inline Quad mapping_place(const Mapping *mapping, Quad place)
{
    Quad local = mapping_turn(mapping, quad_sub(place, quad_load(mapping->position)));
    return quad_sub(local, quad_load(mapping->origin));
}

/* The box in stored space around a box in the world. */
FORCE_INLINE Bounds mapping_box(const Mapping *mapping, Box box)
{
    Quad half = quad_mul(quad_abs(quad_load(mapping->inverse[0])), box.half);
    if (!mapping->is_diagonal)
    {
        double x[4];
        quad_store(x, box.half);
        half = quad_mul(quad_abs(quad_load(mapping->inverse[0])), quad_all(x[0]));
        half = quad_add_scaled(half, quad_abs(quad_load(mapping->inverse[1])), x[1]);
        half = quad_add_scaled(half, quad_abs(quad_load(mapping->inverse[2])), x[2]);
    }
    return box_bounds((Box){mapping_place(mapping, box.center), half});
}
