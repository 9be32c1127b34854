/* Whether two agents of `sidle crowd` overlap. Everything is double and shares no formula with the library. */
#ifndef SIDLE_TOOLS_CHECK_SHAPES_H
#define SIDLE_TOOLS_CHECK_SHAPES_H

#include "sidle/crowd.h"

#include <stdbool.h>

/* Exact but for rounding. The shapes are not turned. */
bool check_shapes_overlap(sidle_shape shape, sidle_position center, sidle_shape other_shape,
                          sidle_position other);

#endif
