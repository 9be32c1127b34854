/* Displacements for what-ifs. */
#ifndef TESTS_SUPPORT_PATHS_H
#define TESTS_SUPPORT_PATHS_H

#include "sidle/sidle.h"
#include "support/random.h"

#define PATH_COUNT 24

/* Of one length, of any, forwards, none, far; now and then no number. */
void draw_paths(Random *random, sidle_vec3 paths[PATH_COUNT]);

/* `times` has snapshot, dt and part of the motion. */
sidle_what_if_desc what_if_desc(const sidle_tick_desc *times, const sidle_move *move, const sidle_vec3 *paths,
                                uint32_t count, sidle_what_if *results);

#endif
