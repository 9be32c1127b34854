/* The layout of a block, and the loads that setup, sweep and closest share. */

_Static_assert(FIELD_V0 == 0, "corner_at finds the corners where a block begins");

static inline Real *block_at(const Batch *batch, uint32_t block)
{
    return (Real *)batch->blocks + (size_t)block * FIELD_COUNT * LANE_COUNT;
}

static inline Real *field_at(Real *block, uint32_t field)
{
    return block + field * LANE_COUNT;
}

static inline uint32_t block_count(const Batch *batch)
{
    return (batch->count + LANE_COUNT - 1) / LANE_COUNT;
}

static inline void face_load_plane(Real *block, Face *face)
{
    face->normal = lane3_load(field_at(block, FIELD_N));
    face->plane = lanes_load(field_at(block, FIELD_PLANE));
    face->size = lanes_load(field_at(block, FIELD_SIZE));
    face->least_approach = lanes_load(field_at(block, FIELD_LEAST_APPROACH));
}

static inline void face_load_edges(Real *block, Face *face)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        face->inward[i] = lane3_load(field_at(block, FIELD_A0 + 3 * i));
        face->offset[i] = lanes_load(field_at(block, FIELD_K + i));
    }
}

static inline void corners_load(Real *block, LaneVec3 v[3])
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        v[i] = lane3_load(field_at(block, FIELD_V0 + 3 * i));
    }
}

/* Loads what only the tests of edges need: the axis along each edge and the size. */
static inline void face_load_rims(Real *block, Face *face)
{
    LaneVec3 v[3];
    corners_load(block, v);
    face->size = lanes_load(field_at(block, FIELD_SIZE));
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_rim(v, i, face);
    }
}
