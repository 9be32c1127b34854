/* What crowd_table.c and crowd_plots.c share. */
#ifndef TESTS_CROWD_TABLE_H
#define TESTS_CROWD_TABLE_H

#include <stdbool.h>

/* Persons a second through a door, of persons with this radius. */
double crowd_door_flow(double width, double radius);

/* Writes the SVG files into an existing folder. */
bool crowd_plots(const char *folder);

#endif
