/* The painted plan, shared by the two files of gen:dungeon. */
#ifndef SIDLE_TOOLS_LEVELS_DUNGEON_H
#define SIDLE_TOOLS_LEVELS_DUNGEON_H

#include "generate.h"

/* Lattice units are 1/32 m; a raster cell is eight of them, 0.25 m. */
typedef struct Plot
{
    int floor, ceiling;     /* at the plot's first corner (least x and z), lattice units */
    int slope_x, slope_z;   /* of the floor, lattice units per raster cell */
    int origin_x, origin_z; /* the first corner, raster cells */
    uint16_t floor_surface, wall_surface;
} Plot;

typedef struct Dungeon
{
    Build *build;
    int rooms_per_side, width; /* width of the raster */
    uint32_t *raster;          /* plot per cell */
    Plot *plots;
    uint32_t plot_count, plot_capacity;
    Random random;
} Dungeon;

/* Gives the cells x0 <= x < x1, z0 <= z < z1 to a plot; 0 is the rock. */
void dungeon_fill(Dungeon *dungeon, int x0, int z0, int x1, int z1, uint32_t plot);

/* Builds the surface of the plan, seen from inside. Erases the raster. */
void dungeon_mesh(Dungeon *dungeon);

#endif
