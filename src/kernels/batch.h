/* Candidates as the kernels see them: blocks of LANE_COUNT triangles, each block a run of fields, each field
 * LANE_COUNT numbers wide; lanes of the last block without a triangle have NaN for a plane, which no compare accepts. Everything stands
 * in the agent's ellipsoid space, relative to the frame's origin (the agent's centre when the candidates were
 * packed).
 *
 *     block 0                                      block 1 ...
 *     | V0.x V0.y V0.z V1.. V2.. N.. PLANE ... |   |
 */
#ifndef KERNELS_BATCH_H
#define KERNELS_BATCH_H

#include "mesh/packet.h"

#include <stdbool.h>
#include <stdint.h>

enum BatchField
{
    FIELD_V0 = 0, /* three corners, 3 each */
    FIELD_V1 = 3,
    FIELD_V2 = 6,
    FIELD_N = 9,      /* unit normal, front; zero for a point */
    FIELD_PLANE = 12, /* n . v */
    FIELD_A0 = 13,    /* in-plane unit normals of the edges, inward: n x b_i, 3 each; zero without b_i */
    FIELD_K = 22,     /* a_i . v_i, 3 */
    FIELD_SIZE = 25,  /* S of the error law */
    /* 0: a path that falls faster than this hits the face; infinity: there is no face (THIN_HEIGHT) */
    FIELD_LEAST_APPROACH = 26,
    FIELD_ANSWER = 27, /* written by the kernels: a time or a squared distance */
    FIELD_PATH = 28,   /* a Path, 8: written by a sweep's first pass for its second */
    FIELD_COUNT = 36
};

typedef struct Candidate /* who a lane is */
{
    uint64_t key;             /* the instance's, the caller's */
    const LeafPacket *packet; /* where its corners come from */
    uint32_t triangle;        /* in the mesh's desc */
    uint32_t instance;        /* slot in the snapshot */
    uint16_t surface;
    uint8_t local; /* triangle of the packet */
    uint8_t exact; /* answered by the double lanes */
} Candidate;

_Static_assert(sizeof(Candidate) <= 32, "two to a cache line");

typedef struct Batch
{
    void *blocks; /* float, or double for the exact lanes */
    uint32_t count, capacity;
    bool is_near; /* something may be within PackRules.near of the origin */
    float *
        rows; /* nine, a coordinate of a corner each: where append_fn leaves corners for setup_fn and ray_fn; NULL:
                     corners are in the blocks already */
    uint32_t row_stride;
} Batch;

/* Numbers from one row to the next: appending writes up to eight numbers at a time, the setup reads whole blocks of up to
 * sixteen; and rows do not begin at the same place of a cache. */
static inline uint32_t batch_row_stride(uint32_t capacity)
{
    return (capacity + 31) / 16 * 16 + 16;
}

/* Identity decides ties, never a place in a tree: the caller's key first, then the triangle; instances that
 * share a key go by the slot that the world gave them. */
static inline bool candidate_before(const Candidate *a, const Candidate *b)
{
    if (a->key != b->key || a->triangle != b->triangle)
    {
        return a->key != b->key ? a->key < b->key : a->triangle < b->triangle;
    }
    return a->instance < b->instance;
}

#endif
