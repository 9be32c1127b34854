/* What depends on triangle and shape alone, once per tick: normals, edge functions, and which lanes need
 * double. */

/* The cross product of the two shortest edges, taken in the triangle's own order so that it points to the
 * front: the longest edge would bring the largest rounding error along. */
static inline LaneVec3 face_cross(const LaneVec3 e[3], const Lanes e2[3], Lanes *longest2, Lanes *others2)
{
    Mask first = mask_and(lanes_less_equal(e2[1], e2[0]), lanes_less_equal(e2[2], e2[0]));
    Mask second = lanes_less_equal(e2[2], e2[1]); /* only asked where edge 0 is not the longest */
    LaneVec3 n = lane3_select(second, lane3_cross(e[2], e[0]), lane3_cross(e[0], e[1]));
    *longest2 = lanes_select(second, e2[1], e2[2]);
    *others2 = lanes_select(second, lanes_mul(e2[2], e2[0]), lanes_mul(e2[0], e2[1]));
    *longest2 = lanes_select(first, e2[0], *longest2);
    *others2 = lanes_select(first, lanes_mul(e2[1], e2[2]), *others2);
    return lane3_select(first, lane3_cross(e[1], e[2]), n);
}

typedef struct Shape /* what decides between float and double */
{
    Lanes n2, others2, longest2, size2;
    Mask flat; /* has a face */
} Shape;

/* A lane needs double if float errs by more than the room that everything early leaves it, and if its face
 * would reach too far beyond a sharp corner.
 *
 * The first: (16 + 1/kappa) u S > delta/8 with 1/kappa = |A||B|/|N|, squared so that no root is needed:
 * (a + b)^2 <= 2 (a^2 + b^2), which sends a few lanes too many to double. The second: where two edges meet at
 * an angle of about |N| / longest^2, an error of u S across them moves the tip by u S / angle, and the ball
 * touches down above it by half the square of that: 4 u S, within the law, if u S / angle^2 <= 8.
 *
 * Phrased so that an overflow to NaN asks for double, too. */
static inline Mask needs_double(const Shape *shape, Lanes size, const PackRules *rules)
{
    Lanes factor2 = lanes_set((Real)(FLOAT_ERROR_FACTOR * FLOAT_ERROR_FACTOR));
    Lanes kappa2 = lanes_select(shape->flat, lanes_div(shape->others2, shape->n2), lanes_set(0));
    Lanes left = lanes_mul(lanes_add(factor2, kappa2), shape->size2);
    Real condition = (Real)(rules->condition > 1 ? rules->condition : 1);
    Real bound = (Real)rules->slack / (Real)FLOAT_ROUNDOFF / condition;
    Mask fits = lanes_less_equal(left, lanes_set(bound * bound / 2));
    Lanes error = lanes_mul(lanes_set((Real)FLOAT_ROUNDOFF * condition), size);
    Lanes tip = lanes_mul(error, lanes_mul(shape->longest2, shape->longest2));
    Mask sharp = mask_without(shape->flat, lanes_less_equal(tip, lanes_mul(lanes_set(8), shape->n2)));
    Mask every = lanes_less_equal(lanes_set(0), lanes_set(0));
    return mask_without(every, mask_without(fits, sharp));
}

/* The face over three corners; `length` is that of the longest path swept. */
static inline Face face_of(const LaneVec3 v[3], Real length, Shape *shape)
{
    Face face;
    LaneVec3 e[3];
    Lanes zero = lanes_set(0), one = lanes_set(1), e2[3];
    Real shortest = (Real)(sizeof(Real) == sizeof(double) ? SHORTEST_EDGE2_DOUBLE : SHORTEST_EDGE2);
    for (uint32_t i = 0; i < 3; ++i)
    {
        e[i] = lane3_sub(v[(i + 1) % 3], v[i]);
        e2[i] = lane3_dot(e[i], e[i]);
        Mask has_direction = lanes_less(lanes_set(shortest), e2[i]);
        face.inverse_e2[i] = lanes_select(has_direction, lanes_div(one, e2[i]), zero);
    }
    LaneVec3 n = face_cross(e, e2, &shape->longest2, &shape->others2);
    shape->n2 = lane3_dot(n, n);
    shape->flat =
        lanes_less(lanes_mul(lanes_set((Real)(THIN_HEIGHT * THIN_HEIGHT)), shape->longest2), shape->n2);
    Lanes inverse = lanes_div(one, lanes_sqrt(shape->n2));
    face.normal = lane3_scale(n, lanes_select(shape->flat, inverse, zero));
    /* Any corner lies in the plane; the one nearest to the origin rounds least. */
    face.plane = lane3_dot(face.normal, v[0]);
    Lanes nearest2 = lane3_dot(v[0], v[0]);
    shape->size2 = lanes_max(nearest2, lanes_set(length * length));
    for (uint32_t i = 1; i < 3; ++i)
    {
        Lanes v2 = lane3_dot(v[i], v[i]);
        face.plane = lanes_select(lanes_less(v2, nearest2), lane3_dot(face.normal, v[i]), face.plane);
        nearest2 = lanes_min(v2, nearest2);
        shape->size2 = lanes_max(v2, shape->size2);
    }
    face.size = lanes_sqrt(shape->size2);
    for (uint32_t i = 0; i < 3; ++i)
    {
        face.inward[i] = lane3_cross(face.normal, e[i]);
        face.offset[i] = lane3_dot(face.inward[i], v[i]);
    }
    return face;
}

static inline void face_store(Real *block, const Face *face)
{
    lane3_store(field_at(block, FIELD_N), face->normal);
    lanes_store(field_at(block, FIELD_PLANE), face->plane);
    lanes_store(field_at(block, FIELD_SIZE), face->size);
    for (uint32_t i = 0; i < 3; ++i)
    {
        lane3_store(field_at(block, FIELD_A0 + 3 * i), face->inward[i]);
        lanes_store(field_at(block, FIELD_K + i), face->offset[i]);
        lanes_store(field_at(block, FIELD_INVERSE_E2 + i), face->inverse_e2[i]);
    }
}

/* Returns the lanes that need double. */
static inline uint32_t finish_block(Real *block, const PackRules *rules)
{
    LaneVec3 v[3];
    corners_load(block, v);
    Shape shape;
    Face face = face_of(v, (Real)rules->reach_length, &shape);
    if (rules->one_sided) /* the centre starts behind: blank the lane, NaN is never met */
    {
        face.plane =
            lanes_select(lanes_less_equal(face.plane, lanes_set(0)), face.plane, lanes_set((Real)NAN));
    }
    face_store(block, &face);
    return mask_bits(needs_double(&shape, face.size, rules));
}

static void fill_up(Batch *batch)
{
    uint32_t end = block_count(batch) * LANE_COUNT;
    for (uint32_t lane = batch->count; lane < end; ++lane)
    {
        Real *block = block_at(batch, lane / LANE_COUNT);
        for (uint32_t field = FIELD_V0; field < FIELD_N; ++field)
        {
            block[field * LANE_COUNT + lane % LANE_COUNT] = (Real)NAN;
        }
    }
}

/* NaN in the plane is enough: path_enters wants an ordered distance. */
static void blank_lane(Real *block, uint32_t lane)
{
    field_at(block, FIELD_PLANE)[lane] = (Real)NAN;
}

static uint32_t finish_batch(Batch *batch, const PackRules *rules, Candidate *candidates)
{
    fill_up(batch);
    uint32_t exact_count = 0;
    for (uint32_t b = 0; b < block_count(batch); ++b)
    {
        Real *block = block_at(batch, b);
        uint32_t bits = finish_block(block, rules);
        if (sizeof(Real) == sizeof(double)) /* these are the exact lanes */
        {
            continue;
        }
        for (; bits; bits &= bits - 1)
        {
            uint32_t lane = (uint32_t)__builtin_ctz(bits);
            if (b * LANE_COUNT + lane < batch->count)
            {
                candidates[b * LANE_COUNT + lane].exact = 1;
                blank_lane(block, lane);
                ++exact_count;
            }
        }
    }
    return exact_count;
}
