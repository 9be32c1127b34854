/* A level from above as a raster of heights, and the light that falls on it. */
#ifndef SIDLE_TOOLS_PICTURE_RELIEF_H
#define SIDLE_TOOLS_PICTURE_RELIEF_H

#include "canvas.h"
#include "tools/level.h"

#include <stdbool.h>
#include <stdint.h>

#define NO_TRIANGLE UINT32_MAX

typedef struct ReliefDesc
{
    const Level *level;
    double min_x, min_z;     /* the level's place of the upper left corner */
    double pixels_per_metre; /* the same in x and z */
    int width, height;       /* pixels */
} ReliefDesc;

typedef struct Relief
{
    ReliefDesc desc;
    float *heights;      /* of the uppermost triangle that faces up; else of the table or the rock */
    uint32_t *triangles; /* that triangle, or NO_TRIANGLE */
    float *gaps;         /* pixels to the next triangle; 0 if there is one */
    float *sun, *sky;    /* share of each that the place sees, 0 to 1 */

    /* Without a hundredth of the pixels at either end, so that one tower does not take all colours. */
    float lowest, highest;

    /* Most floors lie under something, so the level is drawn without its ceilings. */
    bool is_indoors;
} Relief;

bool relief_create(const ReliefDesc *desc, Relief *relief);
void relief_destroy(Relief *relief);

/* Fills sun and sky. */
bool relief_light(Relief *relief);

/* Unit vector towards the middle of the sun: x, up, z. */
void relief_sun_direction(double direction[3]);

/* Returns the largest of 1, 2 and 5 times a power of ten that is not above `metres`. */
double round_length(double metres);

/* Paints the relief with SUPERSAMPLING x SUPERSAMPLING of its pixels to one of the canvas. */
#define SUPERSAMPLING 2
void relief_paint(const Relief *relief, Canvas *canvas, int left, int top);

#endif
