/* Triangles between a leaf and the batch: their stored corners, and where they come from. */
#ifndef KERNELS_CORNERS_H
#define KERNELS_CORNERS_H

#include <stdint.h>

typedef struct Corners
{
    float *
        rows; /* nine, a coordinate of a corner each, `stride` apart. Up to 16 numbers behind the last row are read */
    uint32_t *leaf; /* as collect_fn wrote it */
    uint8_t *local; /* triangle of the leaf */
    uint32_t stride, count, capacity;
} Corners;

#endif
