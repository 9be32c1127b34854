/* A picture in linear light, soft-edged strokes and discs on it, and the PNG writer. */
#ifndef SIDLE_TOOLS_PICTURE_CANVAS_H
#define SIDLE_TOOLS_PICTURE_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Linear light, 0 to 1. */
typedef struct Colour
{
    float r, g, b;
} Colour;

typedef struct Canvas
{
    int width, height;
    Colour *pixels;
} Canvas;

typedef struct Point
{
    double x, y; /* pixels from the upper left corner; pixel centres lie at .5 */
} Point;

typedef struct Pen
{
    Colour colour;
    double width, alpha;
} Pen;

/* 0xRRGGBB as it is written for screens. */
Colour colour_from_hex(uint32_t hex);
Colour colour_mix(Colour a, Colour b, double share_of_b);
Colour colour_times(Colour a, double factor);

/* Interpolates between evenly spaced colours; `at` is from 0 to 1. */
Colour colour_ramp(const Colour *stops, int count, double at);

bool canvas_create(Canvas *canvas, int width, int height, Colour background);
void canvas_destroy(Canvas *canvas);
void canvas_disc(Canvas *canvas, Point center, double radius, Colour colour, double alpha);

/* The alpha goes from the pen's share `alpha_a` at one end to `alpha_b` at the other. Round ends reach
 * beyond the points by half a width. With flat ends the pieces of a polyline join without bright joints. */
void canvas_stroke(Canvas *canvas, Point a, Point b, const Pen *pen, double alpha_a, double alpha_b,
                   bool round_ends);
void canvas_rectangle(Canvas *canvas, Point a, Point b, Colour colour, double alpha);

/* Ignores pixels outside of the canvas. */
void canvas_blend(Canvas *canvas, int x, int y, Colour colour, double alpha);

bool canvas_write_png(const Canvas *canvas, FILE *file);
bool canvas_has_png(void);

#endif
