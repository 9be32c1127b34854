/* Displacements for what-ifs. */
#ifndef TESTS_SUPPORT_WAYS_H
#define TESTS_SUPPORT_WAYS_H

#include "sidle/sidle.h"
#include "support/random.h"

#define WAYS 24

/* Of one length, of any, forwards, none, far; now and then no number. */
void draw_ways(Random *random, sidle_vec3 ways[WAYS]);

/* `times` has snapshot, dt and part of the motion. */
sidle_what_if_desc what_if_desc(const sidle_tick_desc *times, const sidle_move *move, const sidle_vec3 *ways,
                                uint32_t count, sidle_what_if *results);

#endif
