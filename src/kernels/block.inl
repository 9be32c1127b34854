/* The layout of a block, and the loads that setup, sweep and closest share. */

#include "base/inlining.h"

/* The faces of LANE_COUNT triangles. */
typedef struct Face
{
    LaneVec3 normal;
    Lanes plane;                  /* normal . corner */
    LaneVec3 inward[3], along[3]; /* axes of each edge: across it within the plane, and along it */
    Lanes offset[3], end[3];      /* inward . corner, and minus the length of the edge */
    Lanes size;                   /* S of the error law */
    Lanes least_approach;         /* 0; infinity: there is no face, only edges and corners */
} Face;

static inline Mask face_exists(const Face *face)
{
    return lanes_less_equal(face->least_approach, lanes_set(0));
}

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

static inline Lanes shortest_edge2(void)
{
    return lanes_set((Real)(sizeof(Real) == sizeof(double) ? SHORTEST_EDGE2_DOUBLE : SHORTEST_EDGE2));
}

/* The direction and the end of edge i, computed when needed since few lanes need them. An edge that is too short for a
 * direction ends at infinity and is never hit; its corners are tested. */
FORCE_INLINE void face_rim(const LaneVec3 v[3], uint32_t i, Face *face)
{
    LaneVec3 e = lane3_sub(v[(i + 1) % 3], v[i]);
    Lanes e2 = lane3_dot(e, e), length = lanes_sqrt(e2);
    Mask is_short = lanes_less_equal(e2, shortest_edge2());
    Lanes inverse = lanes_select(is_short, lanes_set(0), lanes_div(lanes_set(1), length));
    face->along[i] = lane3_scale(e, inverse);
    face->end[i] = lanes_select(is_short, lanes_set((Real)INFINITY), lanes_negate(length));
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
