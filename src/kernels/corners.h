/* Triangles between a leaf and the batch: their stored corners, and where they come from. */
#ifndef KERNELS_CORNERS_H
#define KERNELS_CORNERS_H

#include <stdint.h>

typedef struct Corners
{
    float *
        rows; /* nine, a coordinate of a corner each, `stride` apart. Up to 16 numbers behind the last row are read */
    uint32_t *leaf;     /* as collect_fn wrote it */
    uint32_t *triangle; /* in the mesh's desc */
    uint32_t *tag;      /* corners_tag */
    uint32_t stride, count, capacity;
} Corners;

/* The triangle's surface, and its number in the leaf. */
static inline uint32_t corners_tag(uint16_t surface, uint32_t local)
{
    return (uint32_t)surface << 8 | local;
}

#endif
