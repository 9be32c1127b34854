/* Any vertices and triangles, as a mesh's desc gives them. */
#ifndef FUZZ_ARRAYS_H
#define FUZZ_ARRAYS_H

#include "input.h"

#include "sidle/sidle.h"

#define MOST_VERTICES  64
#define MOST_TRIANGLES 80
#define MOST_STRIDE    5 /* numbers from one vertex or triangle to the next */

typedef struct Arrays
{
    sidle_mesh_desc desc;
    float floats[MOST_VERTICES * MOST_STRIDE];
    double doubles[MOST_VERTICES * MOST_STRIDE];
    uint32_t indices[MOST_TRIANGLES * MOST_STRIDE];
    uint16_t surfaces[MOST_TRIANGLES];
} Arrays;

/* The desc points into the arrays. */
void arrays_decode(Input *input, Arrays *arrays);

Vector arrays_vertex(const Arrays *arrays, uint32_t index);
uint32_t arrays_index(const Arrays *arrays, uint32_t triangle, uint32_t corner);

#endif
