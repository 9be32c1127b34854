/* What motion_table.c and motion_plots.c share. */
#ifndef TESTS_MOTION_TABLE_H
#define TESTS_MOTION_TABLE_H

#include <stdbool.h>

/* Writes the SVG files into a folder that is there. */
bool motion_plots(const char *folder);

#endif
