/* Triangle setup, once for each gather: normals, edge functions, and which lanes need double. */

typedef struct Shape
{
    LaneVec3 e[3];
    Lanes e2[3];             /* squared lengths of the edges */
    Lanes longest2, others2; /* e2 of the longest edge, and the product of the other two */
    Lanes n2;                /* (twice the area)^2 */
    Lanes size2;
    Mask flat;    /* has a face */
    bool is_rare; /* some lane needs straighten, or has an edge too short for a direction */
} Shape;

/* The cross product of the two shortest edges, since the longest edge has the largest rounding error. It is taken in
 * the triangle's own order, so that it points to the front. */
static inline LaneVec3 face_cross(const LaneVec3 e[3], const Lanes e2[3], Lanes *longest2, Lanes *others2)
{
    Mask first = mask_and(lanes_less_equal(e2[1], e2[0]), lanes_less_equal(e2[2], e2[0]));
    Mask second = lanes_less_equal(e2[2], e2[1]); /* only used if edge 0 is not the longest */
    LaneVec3 from = lane3_select(first, e[1], lane3_select(second, e[2], e[0]));
    LaneVec3 to = lane3_select(first, e[2], lane3_select(second, e[0], e[1]));
    Lanes from2 = lanes_select(first, e2[1], lanes_select(second, e2[2], e2[0]));
    Lanes to2 = lanes_select(first, e2[2], lanes_select(second, e2[0], e2[1]));
    *longest2 = lanes_select(first, e2[0], lanes_select(second, e2[1], e2[2]));
    *others2 = lanes_mul(from2, to2);
    return lane3_cross(from, to);
}

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
    Real bound = (Real)rules->slack / (Real)FLOAT_ROUNDOFF / condition;
    Lanes factor2 = lanes_set((Real)(FLOAT_ERROR_FACTOR * FLOAT_ERROR_FACTOR)),
          bound2 = lanes_set(bound * bound / 2);
    /* For small lanes nothing below overflows. */
    Mask is_small = lanes_less_equal(lanes_mul(factor2, shape->size2), bound2);
    Lanes left = lanes_mul(lanes_add(lanes_mul(factor2, shape->n2), shape->others2), shape->size2);
    Mask fits = lanes_less_equal(left, lanes_mul(bound2, shape->n2));
    Lanes error = lanes_mul(lanes_set((Real)FLOAT_ROUNDOFF * condition), size);
    Lanes tip = lanes_mul(error, lanes_mul(shape->longest2, shape->longest2));
    fits = mask_and(fits, lanes_less_equal(tip, lanes_mul(lanes_set(8), shape->n2)));
    Mask every = lanes_less_equal(lanes_set(0), lanes_set(0));
    return mask_without(every, mask_and(is_small, mask_or(fits, mask_without(every, shape->flat))));
}

/* A vector perpendicular to e, of about its length. */
static inline LaneVec3 lane3_across(LaneVec3 e)
{
    Lanes zero = lanes_set(0), x = lanes_abs(e.x), y = lanes_abs(e.y), z = lanes_abs(e.z);
    LaneVec3 across_x = {zero, e.z, lanes_negate(e.y)}, across_y = {lanes_negate(e.z), zero, e.x};
    LaneVec3 across_z = {e.y, lanes_negate(e.x), zero};
    Mask least_x = mask_and(lanes_less_equal(x, y), lanes_less_equal(x, z));
    return lane3_select(least_x, across_x, lane3_select(lanes_less_equal(y, z), across_y, across_z));
}

static inline Lanes lane3_largest(LaneVec3 v)
{
    return lanes_max(lanes_max(lanes_abs(v.x), lanes_abs(v.y)), lanes_abs(v.z));
}

/* The part of v that is perpendicular to `along`. */
static inline LaneVec3 lane3_beside(LaneVec3 v, LaneVec3 along, Lanes along2)
{
    return lane3_sub_scaled(v, along, lanes_div(lane3_dot(v, along), along2));
}

static inline Lanes least_sum(void)
{
    return lanes_set((Real)(sizeof(Real) == sizeof(double) ? LEAST_SUM_DOUBLE : LEAST_SUM));
}

/* A normal for lanes whose cross product has lost its direction, or whose square has lost bits. It is perpendicular to
 * the longest edge and to the part of the shortest edge that is perpendicular to that. This part is taken twice, since
 * after the first time it can be mostly rounding. So the shortest edge leans by at most a few u of its length, for any
 * kappa.
 *
 * If the part is zero, or if the triangle is negligibly small, any vector perpendicular to the longest edge is used.
 * The normal points to the same side as the cross product, so that the edge functions keep their sign. */
static inline LaneVec3 upright(LaneVec3 cross, LaneVec3 longest, const Shape *shape)
{
    Mask second = lanes_less_equal(shape->e2[1], shape->e2[0]);
    Lanes least2 = lanes_min(shape->e2[1], shape->e2[0]);
    LaneVec3 shortest = lane3_select(second, shape->e[1], shape->e[0]);
    shortest = lane3_select(lanes_less_equal(shape->e2[2], least2), shape->e[2], shortest);
    LaneVec3 once = lane3_beside(shortest, longest, shape->longest2);
    LaneVec3 twice = lane3_beside(once, longest, shape->longest2);
    LaneVec3 n = lane3_cross(longest, twice);
    Mask is_left = lanes_less_equal(lane3_largest(once), lanes_mul(lanes_set(4), lane3_largest(twice)));
    is_left = mask_and(is_left, lanes_less_equal(least_sum(), lane3_largest(n)));
    is_left = mask_and(is_left, lanes_less(shortest_edge2(), shape->longest2));
    n = lane3_select(is_left, n, lane3_across(longest));
    Lanes scale = lane3_largest(n); /* the square of n can underflow */
    LaneVec3 scaled = {lanes_div(n.x, scale), lanes_div(n.y, scale), lanes_div(n.z, scale)};
    n = lane3_select(lanes_less(lanes_set(0), scale), scaled, n);
    Mask turned = lanes_less(lane3_dot(cross, n), lanes_set(0));
    return lane3_select(turned, lane3_scale(n, lanes_set(-1)), n);
}

/* An edge is tested in the plane perpendicular to it, on the axes of the face's normal and the edge's own
 * (features.inl). So the normal must be perpendicular to every edge. The cross product errs by about u |A||B| and its
 * direction by u/kappa, too much if two edges are nearly parallel.
 *
 * A normal that is perpendicular to the longest edge is so to the others, to within a few u of their lengths: their
 * height over it is at most kappa times the shortest edge. It can still be turned around the longest edge by
 * u/kappa, which moves no point of so low a triangle by more than u of its shortest edge. */
static inline LaneVec3 straighten(LaneVec3 n, const Shape *shape)
{
    const LaneVec3 *e = shape->e;
    LaneVec3 longest = lane3_select(lanes_less_equal(shape->longest2, shape->e2[1]), e[1], e[2]);
    longest = lane3_select(lanes_less_equal(shape->longest2, shape->e2[0]), e[0], longest);
    LaneVec3 straight = lane3_beside(n, longest, shape->longest2);
    Lanes leaning2 = lanes_mul(lanes_set((Real)STRAIGHT_KAPPA2), shape->others2);
    Real lost = (Real)(LOST_FACTOR * REAL_ROUNDOFF);
    Lanes lost2 = lanes_max(lanes_mul(lanes_set(lost * lost), shape->others2), least_sum());
    Mask is_lost = lanes_less_equal(shape->n2, lost2);
    straight = lane3_select(lanes_less_equal(shape->n2, leaning2), straight, n);
    return mask_bits(is_lost) ? lane3_select(is_lost, upright(n, longest, shape), straight) : straight;
}

/* Edges and normal. A branch skips what only slivers and short edges need. `thin`: the height over the longest edge, as
 * a fraction of it, up to which a triangle has no face. */
FORCE_INLINE void face_shape(const LaneVec3 v[3], double thin, Face *face, Shape *shape)
{
    Lanes zero = lanes_set(0), one = lanes_set(1);
    Mask rare = lanes_less(zero, zero);
    for (uint32_t i = 0; i < 3; ++i)
    {
        shape->e[i] = lane3_sub(v[(i + 1) % 3], v[i]);
        shape->e2[i] = lane3_dot(shape->e[i], shape->e[i]);
        rare = mask_or(rare, lanes_less_equal(shape->e2[i], shortest_edge2()));
    }
    LaneVec3 n = face_cross(shape->e, shape->e2, &shape->longest2, &shape->others2);
    Lanes n2 = lane3_dot(n, n);
    shape->n2 = n2;
    shape->flat = lanes_less(lanes_mul(lanes_set((Real)(thin * thin)), shape->longest2), n2);
    Lanes leaning2 = lanes_mul(lanes_set((Real)STRAIGHT_KAPPA2), shape->others2);
    rare = mask_or(rare, lanes_less_equal(n2, lanes_max(leaning2, least_sum())));
    shape->is_rare = mask_bits(rare) != 0;
    if (shape->is_rare)
    {
        n = straighten(n, shape);
        n2 = lane3_dot(n, n);
    }
    Lanes inverse = lanes_div(one, lanes_sqrt(n2));
    face->normal = lane3_scale(n, lanes_select(lanes_less(zero, n2), inverse, zero));
    face->least_approach = lanes_select(shape->flat, zero, lanes_set((Real)INFINITY));
}

/* The plane through three corners and the size S. `length`: of the longest path swept. */
FORCE_INLINE void face_plane(const LaneVec3 v[3], Real length, Face *face, Shape *shape)
{
    /* Any corner lies in the plane; the one nearest to the origin rounds least. */
    face->plane = lane3_dot(face->normal, v[0]);
    Lanes nearest2 = lane3_dot(v[0], v[0]);
    shape->size2 = lanes_max(nearest2, lanes_set(length * length));
    for (uint32_t i = 1; i < 3; ++i)
    {
        Lanes v2 = lane3_dot(v[i], v[i]);
        face->plane = lanes_select(lanes_less(v2, nearest2), lane3_dot(face->normal, v[i]), face->plane);
        nearest2 = lanes_min(v2, nearest2);
        shape->size2 = lanes_max(v2, shape->size2);
    }
    face->size = lanes_sqrt(shape->size2);
}

/* The edge function of edge i. For an edge that is too short for a direction it is 0, which culls nothing; its corners
 * are tested. */
FORCE_INLINE void face_edge(const LaneVec3 v[3], uint32_t i, Face *face, const Shape *shape)
{
    Lanes inverse = lanes_div(lanes_set(1), lanes_sqrt(shape->e2[i]));
    if (shape->is_rare)
    {
        inverse = lanes_select(lanes_less_equal(shape->e2[i], shortest_edge2()), lanes_set(0), inverse);
    }
    face->inward[i] = lane3_cross(face->normal, lane3_scale(shape->e[i], inverse));
    face->offset[i] = lane3_dot(face->inward[i], v[i]);
}

/* The face over three corners. */
FORCE_INLINE void face_of(const LaneVec3 v[3], Real length, double thin, Face *face, Shape *shape)
{
    face_shape(v, thin, face, shape);
    face_plane(v, length, face, shape);
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_edge(v, i, face, shape);
        face_rim(v, i, face);
    }
}

/* The lanes of a block that hold a triangle. */
static inline Mask lanes_used(uint32_t used)
{
    static const _Alignas(64) Real places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return lanes_less(lanes_load(places), lanes_set((Real)used));
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
