/* Generated ground for agents that walk: authored along the axes, as levels are. Builders append to the soup.
 * MotionSetting.turned turns a scene by the rotation of its instances. */
#ifndef TESTS_SUPPORT_TERRAIN_H
#define TESTS_SUPPORT_TERRAIN_H

#include "support/soup.h"

#include <stdbool.h>

/* A closed box without a bottom that stands on the height `floor`. */
void terrain_box(Soup *soup, Vector low, Vector high);

/* Stairs that rise towards +x from x = 0, with a floor before and a landing behind. */
typedef struct TerrainFlight
{
    double riser, tread, half_width; /* m */
    int steps;
} TerrainFlight;

/* Risers and treads even in these ranges; wide enough for any heading up to 60 degrees off straight. */
TerrainFlight terrain_random_flight(Random *random, double most_riser, double least_tread, double most_tread);
void terrain_flight(Soup *soup, TerrainFlight flight);

/* A floor at height 0 that ends at x = 0, over a floor at this depth. */
void terrain_ledge(Soup *soup, double depth);
/* A floor at height 0 with a trench across it, from x = 0 to its width. */
void terrain_gap(Soup *soup, double width, double depth);
/* A quad without thickness that stands upright on a floor at x = 0. */
void terrain_sheet(Soup *soup, double height);
/* A floor that goes on at this height from x = 0. */
void terrain_kerb(Soup *soup, double height);

/* A floor of +-half metres with boxes .1 to .6 m high, sides .3 to 1.5 m, a quarter of which touch the box before.
 * A square of 1 m around the origin stays free. */
void terrain_crates(Soup *soup, Random *random, double half, int count);
/* A floor of +-half metres with square pits .1 to 1.5 m wide and .1 to 3 m deep, one in each cell of 2 m. */
void terrain_pits(Soup *soup, Random *random, int cells);
/* Cells of .15 m with random heights of up to the amplitude, as a laser scan has, that end in a drop of 3 m. */
void terrain_scan(Soup *soup, int cells, double amplitude, uint64_t seed);

/* A plane of cells x cells tiles that rises towards +x at this angle, with a vertex at the origin. */
typedef struct TerrainSlope
{
    double degrees, tile; /* tile: m along the slope and across */
    int cells;            /* even */
    bool split_other;     /* quads are split along the other diagonal */
} TerrainSlope;

void terrain_slope(Soup *soup, TerrainSlope slope);
/* The same from x = 0 on, behind a floor. */
void terrain_ramp(Soup *soup, TerrainSlope slope);

#endif
