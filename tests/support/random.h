/* A small seeded generator, so that a failing query can be named by its seed and drawn again. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include "support/vector.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Random
{
    uint64_t state;
} Random;

Random random_seeded(uint64_t seed);
uint64_t random_bits(Random *random);
uint32_t random_below(Random *random, uint32_t limit); /* 0 .. limit - 1 */
bool random_chance(Random *random, double probability);
double random_unit(Random *random);                             /* [0, 1) */
double random_between(Random *random, double low, double high); /* even */
double random_scale(Random *random, double low, double high);   /* even in the logarithm; 0 < low <= high */
Vector random_in_box(Random *random, Vector low, Vector high);  /* x, y, z drawn in this order */
Vector random_direction(Random *random);                        /* even on the unit sphere */
Rotation random_rotation(Random *random);
Rotation rotation_about_y(double angle);

/* A value at or next to one of those where decisions flip: the radius, half a skin and a whole skin beyond
 * it, 0, a power of two, a point of a coarse lattice. The neighbours are `steps` floats away, -3 .. 3. */
float random_critical(Random *random, double skin);

/* Vertices pulled onto critical values and onto each other's coordinates: shared planes, zero areas, equal
 * distances. Each coordinate changes with the given probability; all end as floats. */
void random_snap(Random *random, Vector *vertices, int count, double skin, double probability);

#endif
