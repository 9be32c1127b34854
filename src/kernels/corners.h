/* Triangles between leaves and a batch: their stored corners and their origins. */
#ifndef KERNELS_CORNERS_H
#define KERNELS_CORNERS_H

#include <stdint.h>

typedef struct Corners
{
    /* Nine rows, one for each coordinate of each corner, `stride` apart. Up to 16 numbers behind the last row are
     * read. */
    float *rows;
    uint32_t *leaf;     /* from collect_fn */
    uint32_t *triangle; /* index in the mesh's desc */
    uint32_t *tag;      /* corners_tag */
    uint32_t stride, count, capacity;
} Corners;

/* The triangle's surface, and its number in the leaf. */
static inline uint32_t corners_tag(uint16_t surface, uint32_t local)
{
    return (uint32_t)surface << 8 | local;
}

#endif
