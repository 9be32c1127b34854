/* The paths of the agents of `sidle crowd`: a heading and a speed that change once a second. */
#ifndef SIDLE_TOOLS_WANDER_H
#define SIDLE_TOOLS_WANDER_H

#include "random.h"
#include "sidle/base.h"

#include <stdint.h>

/* Returns a horizontal displacement of 1.5 to 4 m/s. It uses no libm and rounds once to float, so every
 * machine gets the same bits. The heading is the half-angle form of the circle: h from -1 to 1 covers one
 * half, and bit 15 picks the half. */
static inline sidle_vec3 wander(uint32_t seed, uint32_t tick, uint32_t hz)
{
    uint32_t second = (tick + seed % hz) / hz;
    uint32_t x = hash_mix(seed ^ (second * 0x9E3779B9u));
    double h = (x & 0x7FFF) / 16384.0 - 1;
    double cosine = (1 - h * h) / (1 + h * h), sine = 2 * h / (1 + h * h);
    double speed = 1.5 + 2.5 * (x >> 16) / 65535;
    double length = (x & 0x8000 ? -speed : speed) / hz;
    return (sidle_vec3){(float)(cosine * length), 0, (float)(sine * length)};
}

#endif
