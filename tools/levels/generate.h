/* Levels made by arithmetic: `gen:city`, `gen:terrain`, `gen:dungeon` and `gen:stairs`, and the shapes that
 * they share.
 *
 * A level has the same bits on every machine: integers, + - * / and sqrt in double, no libm, no rand().
 * Every coordinate is a multiple of 1/4096 m, which float holds exactly up to 4 km from the origin. (The
 * build turns contraction into fused multiply-adds off, as it does for the library.)
 *
 * Solid things are closed and have no floor inside them: the ground is cut out under buildings, and smaller
 * things float slightly above it. So a search for a place to stand never ends inside a wall. */
#ifndef SIDLE_TOOLS_LEVELS_GENERATE_H
#define SIDLE_TOOLS_LEVELS_GENERATE_H

#include "tools/level.h"
#include "tools/random.h"

typedef enum Surface
{
    SURFACE_PLAIN,
    SURFACE_ROAD,
    SURFACE_MARKING,
    SURFACE_PAVEMENT,
    SURFACE_KERB,
    SURFACE_PLASTER,
    SURFACE_BRICK,
    SURFACE_STONE,
    SURFACE_GLASS,
    SURFACE_DOOR,
    SURFACE_ROOF_FLAT,
    SURFACE_ROOF_TILES,
    SURFACE_ROOF_SLATE,
    SURFACE_GRASS,
    SURFACE_EARTH,
    SURFACE_ROCK,
    SURFACE_SAND,
    SURFACE_SNOW,
    SURFACE_WATER,
    SURFACE_WOOD,
    SURFACE_METAL,
    SURFACE_LEAVES,
    SURFACE_CLOTH,
    SURFACE_PAINT_RED,
    SURFACE_PAINT_BLUE,
    SURFACE_PAINT_WHITE,
    SURFACE_RIM,
    SURFACE_COUNT
} Surface;

/* For reports and pictures of generated levels. Levels from files number their surfaces by shader or
 * material. */
const char *surface_name(uint16_t surface); /* "road"; never NULL */
uint32_t surface_color(uint16_t surface);   /* 0xRRGGBB */

/* A level under construction. Equal vertices become one. When memory ends, `failed` is set and later calls
 * do nothing, so shapes need no checks of their own. */
typedef struct Build
{
    Level *level;
    uint32_t *table; /* open addressing: vertex number + 1, 0: free */
    uint32_t table_size;
    bool failed;
} Build;

/* A place for shapes: local x, y, z are rotated about Y by `turns` quarters, then shifted. Facades and
 * streets have x along them, y up and z outwards. */
typedef struct Frame
{
    double x, y, z;
    int turns;
} Frame;

/* A box with two corners swapped along one axis is seen from inside: a recess. */
typedef struct Box
{
    double x0, y0, z0, x1, y1, z1;
} Box;

enum BoxSides
{
    SIDE_LEFT = 1,   /* at x0 */
    SIDE_RIGHT = 2,  /* at x1 */
    SIDE_BOTTOM = 4, /* at y0 */
    SIDE_TOP = 8,    /* at y1 */
    SIDE_BACK = 16,  /* at z0 */
    SIDE_FRONT = 32, /* at z1 */
    SIDES_ALL = 63
};

/* A point of a cross-section: its distance from the axis, the wall or the start, and its height. */
typedef struct Outline
{
    double out, y;
} Outline;

typedef struct BoxRow
{
    Box box;
    uint16_t surface;
} BoxRow;

Frame frame_within(const Frame *outer, double x, double y, double z, int turns);

uint32_t build_vertex(Build *build, const Frame *frame, double x, double y, double z);
bool build_has_vertex(const Build *build, double x, double y, double z, uint32_t *index);
void build_triangle(Build *build, uint32_t a, uint32_t b, uint32_t c, uint16_t surface);
/* Flat, convex, counter-clockwise, at most 8 corners; corners that coincide count once. */
void build_polygon(Build *build, const Frame *frame, const double (*corners)[3], int count, uint16_t surface);
void build_box(Build *build, const Frame *frame, Box box, unsigned sides, uint16_t surface);
void build_boxes(Build *build, const Frame *frame, const BoxRow *rows, int count); /* closed boxes */
/* A surface of revolution about the frame's y axis. `sides` is 4, 8 or 16; `out` is the radius. */
void build_lathe(Build *build, const Frame *frame, const Outline *outline, int count, int sides,
                 uint16_t surface);
/* A moulding around the rectangle |x| <= half_x, |z| <= half_z with mitred corners. `out` stops at the
 * rectangle's middle line. */
void build_moulding(Build *build, const Frame *frame, double half_x, double half_z, const Outline *outline,
                    int count, uint16_t surface);
/* A cross-section extruded from x0 to x1: `out` is z and never falls. The flanks reach down to y = 0. */
void build_extrusion(Build *build, const Frame *frame, double x0, double x1, const Outline *outline,
                     int count, uint16_t surface);
/* The wall, 6 m high and 1 m thick, around the flat ground |x| <= half_x, |z| <= half_z at y = 0. */
void build_rim(Build *build, double half_x, double half_z);
#define RIM_HEIGHT    6.0
#define RIM_THICKNESS 1.0

void generate_city(Build *build, int blocks_per_side);
void generate_terrain(Build *build, int cells_per_side);
void generate_dungeon(Build *build, int rooms_per_side);
void generate_stairs(Build *build, int steps_per_flight);

#endif
