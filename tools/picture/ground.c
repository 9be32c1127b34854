/* The colour of each place of a relief, and the light on it. */
#include "relief.h"
#include "tools/levels/generate.h"

#include <math.h>
#include <string.h>

/* If a neighbour is this much higher, there is a wall, and a dark line at its foot. [Units] metres */
#define WALL_HEIGHT   .45
#define WALL_DARKNESS .5

/* Rock beside a room is lighter than other rock, so that rooms have visible walls. [Units] metres */
#define ROCK_RIM  .3
#define ROCK_FADE 2.5

/* [Units] pixels of the relief. Rock fades towards the sides, so that no edge shows where the picture's
 * margin begins. */
#define SIDE_FADE 40

#define TINTS 6

#define GREYING          .25
#define DARKENING        .95
#define BRIGHT_DARKENING .6

/* Slopes are shaded as if steeper, as on printed maps. */
#define EXAGGERATION 1.6

/* About the greatest number of contour lines. Every fifth is stronger. */
#define CONTOURS       24
#define FAINT_CONTOUR  .26
#define STRONG_CONTOUR .5

typedef struct Painter
{
    const Relief *relief;
    bool knows_surfaces;
    Colour surfaces[SURFACE_COUNT], tints[TINTS], steep, rock, wall, table, sunlight, skylight;
    double sun[3], contour_interval; /* metres */
} Painter;

typedef struct Normal
{
    double x, y, z;
} Normal;

static Normal normal_of(const Level *level, uint32_t triangle)
{
    const uint32_t *index = &level->indices[3 * (size_t)triangle];
    const double *a = &level->vertices[3 * (size_t)index[0]], *b = &level->vertices[3 * (size_t)index[1]],
                 *c = &level->vertices[3 * (size_t)index[2]];
    double p[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, q[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    Normal n = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    return length > 0 ? (Normal){n.x / length, n.y / length, n.z / length} : (Normal){0, 1, 0};
}

/* Generated levels have named surfaces. Other levels are coloured by height and slope. */
static Colour own_colour(const Painter *painter, uint32_t triangle, double height, double upright)
{
    const Relief *relief = painter->relief;
    uint16_t surface = relief->desc.level->surfaces[triangle];
    if (painter->knows_surfaces && surface != SURFACE_PLAIN && surface < SURFACE_COUNT)
    {
        return painter->surfaces[surface];
    }
    double range = (double)(relief->highest - relief->lowest);
    double at = range > .5 ? (height - (double)relief->lowest) / range : .3;
    double steep = fmin(fmax((.93 - upright) / .25, 0), 1);
    return colour_mix(colour_ramp(painter->tints, TINTS, at), painter->steep, .75 * steep);
}

static bool is_at_foot_of_wall(const Relief *relief, int x, int y)
{
    int width = relief->desc.width, height = relief->desc.height;
    size_t here = (size_t)y * (size_t)width + (size_t)x;
    float limit = relief->heights[here] + (float)fmax(WALL_HEIGHT, 2.5 / relief->desc.pixels_per_metre);
    return (x > 0 && relief->heights[here - 1] > limit) ||
           (x + 1 < width && relief->heights[here + 1] > limit) ||
           (y > 0 && relief->heights[here - (size_t)width] > limit) ||
           (y + 1 < height && relief->heights[here + (size_t)width] > limit);
}

/* Returns how much a contour line darkens a pixel. Steps and walls have edges of their own. */
static double contour(const Painter *painter, int x, int y)
{
    const Relief *relief = painter->relief;
    size_t here = (size_t)y * (size_t)relief->desc.width + (size_t)x;
    size_t neighbours[2] = {here + (x + 1 < relief->desc.width),
                            here + (y + 1 < relief->desc.height ? (size_t)relief->desc.width : 0)};
    double band = floor((double)relief->heights[here] / painter->contour_interval);
    double strength = 0;
    for (int i = 0; i < 2; i++)
    {
        double other = floor((double)relief->heights[neighbours[i]] / painter->contour_interval);
        double jump = fabs((double)(relief->heights[neighbours[i]] - relief->heights[here]));
        if (fabs(other - band) > .5 && jump < .5 * WALL_HEIGHT)
        {
            bool is_fifth = fabs(fmod(fmax(other, band), 5)) < .5;
            strength = fmax(strength, is_fifth ? STRONG_CONTOUR : FAINT_CONTOUR);
        }
    }
    return strength;
}

static Colour colour_of_floor(const Painter *painter, int x, int y)
{
    const Relief *relief = painter->relief;
    size_t here = (size_t)y * (size_t)relief->desc.width + (size_t)x;
    Normal n = normal_of(relief->desc.level, relief->triangles[here]);
    Colour own = own_colour(painter, relief->triangles[here], (double)relief->heights[here], n.y);
    double x_slope = EXAGGERATION * n.x, z_slope = EXAGGERATION * n.z;
    double facing = (x_slope * painter->sun[0] + n.y * painter->sun[1] + z_slope * painter->sun[2]) /
                    sqrt(x_slope * x_slope + n.y * n.y + z_slope * z_slope);
    double sun = fmax(facing, 0) * (double)relief->sun[here];
    double sky = (.5 + .5 * n.y) * (double)relief->sky[here];
    if (is_at_foot_of_wall(relief, x, y))
    {
        own = colour_times(own, 1 - WALL_DARKNESS);
    }
    own = colour_times(own, 1 - contour(painter, x, y));
    return (Colour){own.r * (float)(sun * (double)painter->sunlight.r + sky * (double)painter->skylight.r),
                    own.g * (float)(sun * (double)painter->sunlight.g + sky * (double)painter->skylight.g),
                    own.b * (float)(sun * (double)painter->sunlight.b + sky * (double)painter->skylight.b)};
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static Colour colour_between(const Painter *painter, size_t here)
{
    const Relief *relief = painter->relief;
    if (!relief->is_indoors)
    {
        return painter->table;
    }
    int x = (int)(here % (size_t)relief->desc.width), y = (int)(here / (size_t)relief->desc.width);
    int to_side = least(least(x, relief->desc.width - x), least(y, relief->desc.height - y));
    double metres = (double)relief->gaps[here] / relief->desc.pixels_per_metre;
    double rim = fmin(fmax((ROCK_RIM - metres) * relief->desc.pixels_per_metre + .5, 0), 1);
    double fade = exp(-fmax(metres - ROCK_RIM, 0) / ROCK_FADE) * fmin((double)to_side / SIDE_FADE, 1);
    return colour_mix(colour_mix(painter->table, painter->rock, fade), painter->wall, rim);
}

/* Mutes the ground, so that the agents are the bright and strong colours. */
static Colour muted(Colour colour)
{
    float grey = .2126f * colour.r + .7152f * colour.g + .0722f * colour.b;
    double darkening = DARKENING / (1 + BRIGHT_DARKENING * (double)grey);
    return colour_times(colour_mix(colour, (Colour){grey, grey, grey}, GREYING), darkening);
}

static Painter ready_painter(const Relief *relief)
{
    static const uint32_t outdoors[TINTS] = {0x456457, 0x61795d, 0x84896a, 0x9c9277, 0xaea18d, 0xc9c3ba};
    static const uint32_t indoors[TINTS] = {0x67727d, 0x7d8287, 0x96938f, 0xaea497, 0xc4b69f, 0xd8cbb0};
    Painter painter = {.relief = relief,
                       .steep = colour_from_hex(0x6f665f),
                       .rock = colour_from_hex(0x2a303a),
                       .wall = colour_from_hex(0x98a0aa),
                       .table = colour_from_hex(0x171b22),
                       .sunlight = {1.16f, 1.03f, .84f},
                       .skylight = {.40f, .47f, .60f}};
    for (int i = 0; i < TINTS; i++)
    {
        painter.tints[i] = colour_from_hex(relief->is_indoors ? indoors[i] : outdoors[i]);
    }
    painter.knows_surfaces = strncmp(relief->desc.level->name, "gen:", 4) == 0;
    for (uint16_t i = 0; i < SURFACE_COUNT; i++)
    {
        painter.surfaces[i] = muted(colour_from_hex(surface_color(i)));
    }
    relief_sun_direction(painter.sun);
    painter.contour_interval = round_length(fmax((double)(relief->highest - relief->lowest) / CONTOURS, .1));
    return painter;
}

/* Returns the mean of the relief's pixels under one pixel of the canvas, which keeps outlines soft. */
static Colour mean_colour(const Painter *painter, int x, int y)
{
    Colour sum = {0, 0, 0};
    for (int i = 0; i < SUPERSAMPLING * SUPERSAMPLING; i++)
    {
        int fine_x = SUPERSAMPLING * x + i % SUPERSAMPLING, fine_y = SUPERSAMPLING * y + i / SUPERSAMPLING;
        size_t here = (size_t)fine_y * (size_t)painter->relief->desc.width + (size_t)fine_x;
        bool is_floor = painter->relief->triangles[here] != NO_TRIANGLE;
        Colour colour = is_floor ? colour_of_floor(painter, fine_x, fine_y) : colour_between(painter, here);
        sum = (Colour){sum.r + colour.r, sum.g + colour.g, sum.b + colour.b};
    }
    return colour_times(sum, 1.0 / (SUPERSAMPLING * SUPERSAMPLING));
}

void relief_paint(const Relief *relief, Canvas *canvas, int left, int top)
{
    Painter painter = ready_painter(relief);
    for (int y = 0; y < relief->desc.height / SUPERSAMPLING; y++)
    {
        Colour *row = &canvas->pixels[(size_t)(top + y) * (size_t)canvas->width + (size_t)left];
        for (int x = 0; x < relief->desc.width / SUPERSAMPLING; x++)
        {
            row[x] = mean_colour(&painter, x, y);
        }
    }
}
