/* Shared by the two files of gen:city. */
#ifndef SIDLE_TOOLS_LEVELS_CITY_H
#define SIDLE_TOOLS_LEVELS_CITY_H

#include "generate.h"

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

typedef struct City
{
    Build *build;
    Random random;
} City;

/* Builds a house of random style over |x| <= half_x, |z| <= half_z. `street_sides` has a bit per quarter
 * turn: these sides have doors and fronts. A house that is large enough may be a tower. */
void city_add_house(City *city, const Frame *ground, double half_x, double half_z, unsigned street_sides);

#endif
