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
 * Both tests are multiplied by |N|^2. NaN needs double. Returns the lanes that float serves. */
static inline Mask float_serves(const Shape *shape, Lanes size, const PackRules *rules)
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
    return mask_without(is_small, mask_without(shape->flat, fits)); /* mutant: always_float */
}

/* The lanes of a block that hold a triangle. */
static inline Mask lanes_used(uint32_t used)
{
    static const _Alignas(64) Real places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes_less(lanes_load(places), lanes_set((Real)used)); /* mutant: extra_lane */
}

/* The same as bits, of at most 63. */
static inline uint32_t bits_used(uint32_t count)
{
    return (uint32_t)((UINT64_C(1) << count) - 1);
}

#ifndef KERNELS_IN_DOUBLE
/* The bits of the lanes before the end, with so many numbers left. */
static inline uint32_t bits_left(uint32_t left)
{
    return left < LANE_COUNT ? (1u << left) - 1 : UINT32_MAX;
}

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
FORCE_INLINE Real *block_settle(const Batch *batch, uint32_t b)
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

/* ---- what the first path can hit: the cull of a sweep from the origin, with the same rounding ---- */

/* The cull radius squared less the square of the least distance from the plane, as in rest_over_plane. A capsule is culled
 * by the nearest point of its core. */
static inline Lanes rest_of_first(const Face *face, const PackRules *rules)
{
    LaneVec3 direction = lane3_set((Real)rules->path[0], (Real)rules->path[1], (Real)rules->path[2]);
    Lanes rate = lane3_dot(face->normal, direction), begin = lanes_negate(face->plane);
    /* mutant: first_path_of_no_length */
    Lanes end = lanes_add(begin, lanes_mul(rate, lanes_set((Real)rules->path_length)));
    Lanes least = lanes_max(lanes_min(begin, end), lanes_negate(lanes_max(begin, end)));
    if (rules->core > 0)
    {
        least = lanes_sub(least, lanes_abs(lanes_mul(face->normal.y, lanes_set((Real)rules->core))));
    }
    least = lanes_max(lanes_set(0), least); /* keeps NaN */
    Lanes cull = lanes_set((Real)rules->path_cull);
    return lanes_sub(lanes_mul(cull, cull), lanes_mul(least, least));
}

/* The lanes whose edges let it pass. Out of line, since the planes cull most blocks. */
static OUT_OF_LINE uint32_t edges_reached(Real *block, const PackRules *rules, Lanes rest2)
{
    Face face;
    face_load_edges(block, &face);
    LaneVec3 direction = lane3_set((Real)rules->path[0], (Real)rules->path[1], (Real)rules->path[2]);
    Lanes zero = lanes_set(0), outside = zero;
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes gained = lanes_mul(lane3_dot(face.inward[i], direction), lanes_set((Real)rules->path_length));
        Lanes lean = lanes_abs(lanes_mul(face.inward[i].y, lanes_set((Real)rules->core)));
        Lanes far = lanes_sub(lanes_max(zero, gained), face.offset[i]);
        outside = lanes_min(lanes_add(far, lean), outside);
    }
    return mask_bits(lanes_less_equal(lanes_mul(outside, outside), rest2));
}

/* Returns true if a triangle can be within `radius` of the origin, or of a core around it: the cull of a path of length
 * 0. `core`: half of the core, 0 for a ball. */
static inline bool batch_is_near(const Batch *batch, Real radius, Real core)
{
    Lanes zero = lanes_set(0), half = lanes_set(core), radius2 = lanes_set(radius * radius);
    Mask near = lanes_less(zero, zero);
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Face face;
        face_load_plane(block_at(batch, b), &face);
        face_load_edges(block_at(batch, b), &face);
        Lanes lean = lanes_abs(lanes_mul(face.normal.y, half)), outside = zero;
        Lanes height = lanes_max(zero, lanes_sub(lanes_abs(face.plane), lean)); /* keeps NaN */
        for (uint32_t i = 0; i < 3; ++i)
        {
            lean = lanes_abs(lanes_mul(face.inward[i].y, half));
            outside = lanes_max(lanes_sub(face.offset[i], lean), outside);
        }
        Lanes rest2 = lanes_sub(radius2, lanes_mul(height, height));
        near = mask_or(near, lanes_less_equal(lanes_mul(outside, outside), rest2));
    }
    return mask_bits(near);
}

/* Sets up a block and returns the lanes that need double. Each field is stored as soon as it is computed, since a block
 * has more fields than a processor has registers. */
FORCE_INLINE uint32_t setup_block(Real *block, uint32_t used, const PackRules *rules, uint32_t *reached)
{
    const LaneVec3 *v = (const LaneVec3 *)field_at(block, FIELD_V0);
    Shape shape;
    Face face;
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
    uint32_t exact = ~mask_bits(float_serves(&shape, face.size, rules));
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
    Lanes rest2 = rest_of_first(&face, rules);
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_edge(v, i, &face, &shape);
        lane3_store(field_at(block, FIELD_A0 + 3 * i), face.inward[i]);
        lanes_store(field_at(block, FIELD_K + i), face.offset[i]);
    }
    if (mask_bits(lanes_less_equal(lanes_set(0), rest2)))
    {
        *reached |= edges_reached(block, rules, rest2);
    }
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
    uint32_t exact_count = 0, reached = 0;
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Real *block = block_settle(batch, b);
        uint32_t used = batch->count - b * LANE_COUNT;
        uint32_t bits = setup_block(block, used, rules, &reached);
        bits &= bits_used(used < LANE_COUNT ? used : LANE_COUNT);
        if (sizeof(Real) == sizeof(float) && bits)
        {
            exact_count += mark_exact(block, bits, b * LANE_COUNT, exact_of + exact_count);
        }
    }
    batch->is_reached = reached != 0;
    return exact_count;
}
