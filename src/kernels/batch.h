/* Packed candidates: blocks of LANE_COUNT triangles. A block is a run of fields, and a field is LANE_COUNT numbers.
 * Lanes of the last block without a triangle have NaN for a plane, which fails every compare. Coordinates are in the
 * agent's ellipsoid space, relative to the frame's origin (the agent's centre when the candidates were packed).
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
    /* 0; infinity: there is no face (THIN_HEIGHT) */
    FIELD_LEAST_APPROACH = 26,
    FIELD_ANSWER = 27, /* written by the kernels: a time or a squared distance */
    FIELD_PATH = 28,   /* a Path, 8: written by a sweep's first pass for its second */
    FIELD_COUNT = 36
};

/* The identity of a lane's triangle. */
typedef struct Candidate
{
    uint64_t key;      /* of the instance, from the caller */
    uint32_t leaf;     /* the packet of its corners */
    uint32_t triangle; /* index in the mesh's desc */
    uint32_t instance; /* slot in the snapshot */
    uint16_t surface;
    uint8_t local; /* index in the packet */
    uint8_t exact; /* tested in the double lanes */
} Candidate;

_Static_assert(sizeof(Candidate) <= 32, "two to a cache line");

typedef struct Batch
{
    void *blocks; /* float, or double for the exact lanes */
    uint32_t count, capacity;
    bool is_reached; /* a sweep along PackRules.path can hit a triangle */
    /* Nine rows, one for each coordinate of each corner: append_fn writes them, setup_fn reads them. NULL if
     * the corners are in the blocks already. */
    float *rows;
    uint32_t row_stride;
} Batch;

/* Numbers from one row to the next. Appending writes up to eight numbers at a time, and the setup reads whole blocks of
 * up to sixteen. Another 16 keep rows from beginning at the same place of a cache. */
static inline uint32_t batch_row_stride(uint32_t capacity)
{
    return (capacity + 31) / 16 * 16 + 16;
}

/* The order of ties: the caller's key first, then the triangle, then the slot of instances that share a key. It does
 * not depend on the tree. */
static inline bool candidate_before(const Candidate *a, const Candidate *b)
{
    if (a->key != b->key || a->triangle != b->triangle)
    {
        return a->key != b->key ? a->key < b->key : a->triangle < b->triangle;
    }
    return a->instance < b->instance;
}

#endif
