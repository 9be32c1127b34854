/* Triangle setup, once for each gather: normals, edge functions, and which lanes need double. */

/* A lane needs double if the error of float exceeds the margin of the culls, or if its face would extend too far beyond
 * a sharp corner.
 *
 * The first test: (16 + 1/kappa) u S > delta/8 with 1/kappa = |A||B|/|N|. It is squared to avoid a root, with
 * (a + b)^2 <= 2 (a^2 + b^2), which sends a few lanes too many to double.
 *
 * The second test: if two edges meet at an angle of about |N| / longest^2, an error of u S across them moves the tip by
 * u S / angle. The ball hits the face above the true tip by half the square of that. If u S / angle^2 <= 8, it is at
 * most 4 u S, within the error law.
 *
 * Both tests are multiplied by |N|^2. NaN needs double. */
static inline Mask needs_double(const Shape *shape, Lanes size, const PackRules *rules)
{
    Real condition = (Real)(rules->condition > 1 ? rules->condition : 1);
    Real bound = (Real)rules->slack / (Real)FLOAT_ROUNDOFF / condition; /* mutant: rotated_space_in_float */
    Lanes factor2 = lanes_set((Real)(FLOAT_ERROR_FACTOR * FLOAT_ERROR_FACTOR)),
          bound2 = lanes_set(bound * bound / 2);
    /* For small lanes nothing below overflows. */
    Mask is_small = lanes_less_equal(lanes_mul(factor2, shape->size2), bound2);
    Lanes left = lanes_mul(lanes_add(lanes_mul(factor2, shape->n2), shape->others2), shape->size2);
    Mask fits = lanes_less_equal(left, lanes_mul(bound2, shape->n2));
    /* mutant: rotated_corner_in_float */
    Lanes error = lanes_mul(lanes_set((Real)FLOAT_ROUNDOFF * condition), size);
    Lanes tip = lanes_mul(error, lanes_mul(shape->longest2, shape->longest2));
    fits = mask_and(fits, lanes_less_equal(tip, lanes_mul(lanes_set(8), shape->n2)));
    Mask every = lanes_less_equal(lanes_set(0), lanes_set(0));
    /* mutant: always_float */
    return mask_without(every, mask_and(is_small, mask_or(fits, mask_without(every, shape->flat))));
}

/* The lanes of a block that hold a triangle. */
static inline Mask lanes_used(uint32_t used)
{
    static const _Alignas(64) Real places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes_less(lanes_load(places), lanes_set((Real)used)); /* mutant: extra_lane */
}

#ifndef KERNELS_IN_DOUBLE
static inline void corners_load_rows(const Batch *batch, uint32_t first, LaneVec3 v[3])
{
    const float *row = batch->rows + first;
    for (uint32_t i = 0; i < 3; ++i, row += 3 * batch->row_stride)
    {
        v[i] = (LaneVec3){lanes_load_unaligned(row), lanes_load_unaligned(row + batch->row_stride),
                          lanes_load_unaligned(row + 2 * batch->row_stride)};
    }
}
#endif

/* Copies the corners of a block from the batch's rows. */
static inline Real *block_settle(const Batch *batch, uint32_t b)
{
    Real *block = block_at(batch, b);
#ifndef KERNELS_IN_DOUBLE
    if (batch->rows)
    {
        LaneVec3 v[3];
        corners_load_rows(batch, b * LANE_COUNT, v);
        for (uint32_t i = 0; i < 3; ++i)
        {
            lane3_store(field_at(block, FIELD_V0 + 3 * i), v[i]);
        }
    }
#endif
    return block;
}

/* The lanes that can be within `radius` of the origin, or of a core around it: the cull of a path of length 0.
 * `has_core` must be a constant. */
FORCE_INLINE Mask lanes_near(const Face *face, Lanes radius, bool has_core, Lanes core)
{
    Lanes zero = lanes_set(0), height = face->plane, outside = zero;
    if (has_core)
    {
        height = lanes_max(lanes_sub(lanes_abs(height), lanes_abs(lanes_mul(face->normal.y, core))), zero);
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes lean = has_core ? lanes_abs(lanes_mul(face->inward[i].y, core)) : zero;
        outside = lanes_max(has_core ? lanes_sub(face->offset[i], lean) : face->offset[i], outside);
    }
    Lanes rest2 = lanes_sub(lanes_mul(radius, radius), lanes_mul(height, height));
    return lanes_less_equal(lanes_mul(outside, outside), rest2);
}

static OUT_OF_LINE Mask core_lanes_near(const Face *face, Lanes radius, Lanes core)
{
    return lanes_near(face, radius, true, core);
}

/* Sets up a block and returns the lanes that need double. Each field is stored as soon as it is computed, since a block
 * has more fields than a processor has registers. */
static inline uint32_t setup_block(Real *block, uint32_t used, const PackRules *rules, Mask *near)
{
    const LaneVec3 *v = (const LaneVec3 *)field_at(block, FIELD_V0);
    Shape shape;
    Face face;
    Real radius = (Real)rules->near;
    face_shape(v, THIN_HEIGHT, &face, &shape);
    lane3_store(field_at(block, FIELD_N), face.normal);
    lanes_store(field_at(block, FIELD_LEAST_APPROACH), face.least_approach);
    face_plane(v, (Real)rules->reach_length, &face, &shape);
    if (rules->core > 0) /* the swept triangle is larger by the core */
    {
        shape.size2 = lanes_add(shape.size2, lanes_set((Real)rules->core * (Real)rules->core));
        face.size = lanes_sqrt(shape.size2);
    }
    lanes_store(field_at(block, FIELD_SIZE), face.size);
    uint32_t exact = mask_bits(needs_double(&shape, face.size, rules));
    if (rules->one_sided) /* culls back faces: NaN is never hit */
    {
        /* mutant: sliver_has_back */
        Mask is_behind = mask_and(face_exists(&face), lanes_less(lanes_set(0), face.plane));
        face.plane = lanes_select(is_behind, lanes_set((Real)NAN), face.plane);
    }
    if (used < LANE_COUNT) /* also NaN in lanes without a triangle */
    {
        face.plane = lanes_select(lanes_used(used), face.plane, lanes_set((Real)NAN));
    }
    lanes_store(field_at(block, FIELD_PLANE), face.plane);
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_edge(v, i, &face, &shape);
        lane3_store(field_at(block, FIELD_A0 + 3 * i), face.inward[i]);
        lanes_store(field_at(block, FIELD_K + i), face.offset[i]);
    }
    Mask is_near = rules->core > 0 ? core_lanes_near(&face, lanes_set(radius), lanes_set((Real)rules->core))
                                   : lanes_near(&face, lanes_set(radius), false, lanes_set(0));
    *near = mask_or(*near, is_near);
    return exact;
}

/* NaN in the plane is sufficient: path_enters culls it. */
static void blank_lane(Real *block, uint32_t lane)
{
    field_at(block, FIELD_PLANE)[lane] = (Real)NAN;
}

static OUT_OF_LINE uint32_t mark_exact(Real *block, uint32_t bits, uint32_t first, uint32_t *exact_of)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        blank_lane(block, lane);
        exact_of[count++] = first + lane;
    }
    return count;
}

static uint32_t setup_batch(Batch *batch, const PackRules *rules, uint32_t *exact_of)
{
    uint32_t exact_count = 0;
    Mask near = lanes_less(lanes_set(0), lanes_set(0));
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Real *block = block_settle(batch, b);
        uint32_t used = batch->count - b * LANE_COUNT;
        uint32_t bits = setup_block(block, used, rules, &near);
        bits &= used < LANE_COUNT ? (1u << used) - 1 : UINT32_MAX;
        if (sizeof(Real) == sizeof(float) && bits)
        {
            exact_count += mark_exact(block, bits, b * LANE_COUNT, exact_of + exact_count);
        }
    }
    batch->is_near = mask_bits(near);
    return exact_count;
}
