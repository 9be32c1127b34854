/* Places and directions of the library in the long numbers of oracles. */
#ifndef TESTS_SUPPORT_INTERSECT_PLACE_H
#define TESTS_SUPPORT_INTERSECT_PLACE_H

#include "intersect/support/number.h"
#include "sidle/intersect.h"

NumberVector number_place(sidle_position a);
NumberVector number_offset(sidle_position from, sidle_position to);
NumberVector number_along(NumberVector start, NumberVector offset, Number share); /* start + share offset */
NumberVector number_between(sidle_position a, sidle_position b, Number time);     /* between a and b */
NumberVector number_unit(NumberVector a);
Number number_plane_distance(const sidle_plane *plane, sidle_position p);

double place_off(NumberVector exact, sidle_position got);       /* the length of got - exact */
double place_off_share(NumberVector exact, sidle_position got); /* the worst coordinate, of itself */

#endif
