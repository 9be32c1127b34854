/* Places and directions of the library in the long numbers of oracles. */
#ifndef TESTS_SUPPORT_INTERSECT_PLACE_H
#define TESTS_SUPPORT_INTERSECT_PLACE_H

#include "intersect/support/number.h"
#include "sidle/intersect.h"

NumberVector number_place(sidle_position a);
NumberVector number_way(sidle_position from, sidle_position to);
NumberVector number_along(NumberVector start, NumberVector way, Number share); /* start + share way */
NumberVector number_between(sidle_position a, sidle_position b, Number time);  /* on the way from a to b */
NumberVector number_unit(NumberVector a);
Number number_plane_distance(const sidle_plane *plane, sidle_position p);

double place_off(NumberVector exact, sidle_position told);       /* the length of told - exact */
double place_off_share(NumberVector exact, sidle_position told); /* the worst coordinate, of itself */

#endif
