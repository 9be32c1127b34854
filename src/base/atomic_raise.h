/* A maximum that tasks share. */
#ifndef BASE_ATOMIC_RAISE_H
#define BASE_ATOMIC_RAISE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Doubles that are not negative compare as their bits do. */
static inline void atomic_raise(double *most, double value)
{
    uint64_t bits, *at = (uint64_t *)most, known = __atomic_load_n(at, __ATOMIC_RELAXED);
    memcpy(&bits, &value, sizeof bits);
    while (known < bits &&
           !__atomic_compare_exchange_n(at, &known, bits, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    {
    }
}

/* Where others may raise it. */
static inline double atomic_raised(const double *most)
{
    uint64_t bits = __atomic_load_n((const uint64_t *)most, __ATOMIC_RELAXED);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
