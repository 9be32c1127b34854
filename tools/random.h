/* Random numbers with the same bits on every machine: integers, and one rounding to double. */
#ifndef SIDLE_TOOLS_RANDOM_H
#define SIDLE_TOOLS_RANDOM_H

#include <stdint.h>

/* A stream of numbers. At most one is drawn per expression, because C leaves the order of operands open. */
typedef struct Random
{
    uint32_t state;
} Random;

/* lowbias32 (C. Wellons, "Prospecting for Hash Functions", 2018). */
static inline uint32_t hash_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static inline uint32_t hash_cell(uint32_t seed, uint32_t x, uint32_t z)
{
    return hash_mix(hash_mix(hash_mix(seed) + x) + z);
}

static inline uint32_t random_next(Random *random)
{
    random->state += 0x9E3779B9u;
    return hash_mix(random->state);
}

static inline double random_between(Random *random, double low, double high)
{
    return low + (high - low) * ((double)(random_next(random) >> 8) / 16777216.0);
}

static inline int random_below(Random *random, int count)
{
    return (int)(random_next(random) % (uint32_t)count);
}

#endif
