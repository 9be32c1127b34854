/* Light on a relief: each direction of light costs one run over the raster.
 *
 * The run goes away from the light and carries the height up to which there is shadow. That height falls
 * with every step by the light's slope and rises where the ground is higher. A pixel takes it from one
 * neighbour, the next on its digital line towards the light, so shadows stay sharp however far they reach.
 * Many directions around the sun make its shadows soft; many over the sky darken corners. */
#include "relief.h"

#include <math.h>
#include <stdlib.h>

#define TURN 6.28318530717958648

#define SUN_RAYS      16
#define SUN_AZIMUTH   (.640 * TURN) /* towards the upper left, as maps have it */
#define SUN_ELEVATION (.115 * TURN)
#define SUN_RADIUS    (.008 * TURN)
#define GOLDEN_TURN   2.39996322972865332

#define SKY_RINGS   4
#define SKY_SECTORS 12

/* [Units] metres. A shadow this low is ignored, because rounding would speckle the ground. */
#define GRAZE .02f

typedef struct Ray
{
    double x, y;  /* unit vector towards the light, in pixels */
    double slope; /* its rise along that vector */
    float weight;
} Ray;

typedef struct Run
{
    const float *heights;
    float *shadow; /* up to which height it reaches */
    float *light;  /* sums up over runs */
    int width, height;
    float drop, weight;
} Run;

static void light_pixel(Run *run, size_t here, size_t towards_light, bool has_neighbour)
{
    float ground = run->heights[here];
    float shadow = has_neighbour ? run->shadow[towards_light] - run->drop : ground;
    run->shadow[here] = shadow > ground ? shadow : ground;
    run->light[here] += shadow > ground + GRAZE ? 0 : run->weight;
}

/* Returns how far a digital line shifts sideways between two steps. The slope is in 1/65536; the bias keeps
 * the shifted value positive. */
static int step_of_line(int64_t slope, int at, int step)
{
    const int64_t bias = (int64_t)1 << 40;
    return (int)(((slope * (at + step) + bias) >> 16) - ((slope * at + bias) >> 16));
}

static int64_t fixed_point(double value)
{
    return (int64_t)(65536 * value);
}

/* For light with a larger x: the line advances by one column, and sometimes by a row. */
static void run_along_columns(Run *run, const Ray *ray)
{
    int step_x = ray->x > 0 ? 1 : -1, step_y = ray->y > 0 ? 1 : -1;
    int64_t slope = fixed_point(ray->y / ray->x);
    for (int row = 0; row < run->height; row++)
    {
        int y = step_y > 0 ? run->height - 1 - row : row;
        for (int column = 0; column < run->width; column++)
        {
            int x = step_x > 0 ? run->width - 1 - column : column;
            int to_x = x + step_x, to_y = y + step_of_line(slope, x, step_x);
            bool inside = to_x >= 0 && to_x < run->width && to_y >= 0 && to_y < run->height;
            light_pixel(run, (size_t)y * (size_t)run->width + (size_t)x,
                        inside ? (size_t)to_y * (size_t)run->width + (size_t)to_x : 0, inside);
        }
    }
}

static void run_along_rows(Run *run, const Ray *ray)
{
    int step_y = ray->y > 0 ? 1 : -1;
    for (int row = 0; row < run->height; row++)
    {
        int y = step_y > 0 ? run->height - 1 - row : row;
        int to_y = y + step_y, aside = step_of_line(fixed_point(ray->x / ray->y), y, step_y);
        for (int x = 0; x < run->width; x++)
        {
            int to_x = x + aside;
            bool inside = to_x >= 0 && to_x < run->width && to_y >= 0 && to_y < run->height;
            light_pixel(run, (size_t)y * (size_t)run->width + (size_t)x,
                        inside ? (size_t)to_y * (size_t)run->width + (size_t)to_x : 0, inside);
        }
    }
}

static void shine(Run *run, const Ray *ray, double metres_per_pixel)
{
    bool is_sideways = fabs(ray->x) > fabs(ray->y);
    double step = 1 / fmax(fabs(ray->x), fabs(ray->y));
    run->drop = (float)(step * metres_per_pixel * ray->slope);
    run->weight = ray->weight;
    if (is_sideways)
    {
        run_along_columns(run, ray);
    }
    else
    {
        run_along_rows(run, ray);
    }
}

static Ray ray_towards(double azimuth, double elevation, double weight)
{
    return (Ray){cos(azimuth), sin(azimuth), tan(elevation), (float)weight};
}

/* A spiral of points spreads the directions evenly over the sun's disc. */
static Ray sun_ray(int i)
{
    double radius = SUN_RADIUS * sqrt((i + .5) / SUN_RAYS), angle = i * GOLDEN_TURN;
    return ray_towards(SUN_AZIMUTH + radius * cos(angle) / cos(SUN_ELEVATION),
                       SUN_ELEVATION + radius * sin(angle), 1.0 / SUN_RAYS);
}

void relief_sun_direction(double direction[3])
{
    direction[0] = cos(SUN_AZIMUTH) * cos(SUN_ELEVATION);
    direction[1] = sin(SUN_ELEVATION);
    direction[2] = sin(SUN_AZIMUTH) * cos(SUN_ELEVATION);
}

/* Rings that each hold an equal share of an even sky's light on level ground: sin^2 of the elevation is
 * evenly spread. Every other ring is rotated by half a sector. */
static Ray sky_ray(int i)
{
    int ring = i / SKY_SECTORS, sector = i % SKY_SECTORS;
    double elevation = asin(sqrt((ring + .5) / SKY_RINGS));
    double azimuth = TURN * (sector + .5 * (ring % 2) + .23) / SKY_SECTORS;
    return ray_towards(azimuth, elevation, 1.0 / (SKY_RINGS * SKY_SECTORS));
}

/* The sky's light is soft, so a quarter of the pixels is enough. */
static void halve(const float *from, int width, int height, float *to)
{
    for (int y = 0; y < height / 2; y++)
    {
        for (int x = 0; x < width / 2; x++)
        {
            const float *p = &from[2 * ((size_t)y * (size_t)width + (size_t)x)];
            to[(size_t)y * (size_t)(width / 2) + (size_t)x] = .25f * (p[0] + p[1] + p[width] + p[width + 1]);
        }
    }
}

static void redouble(const float *from, int width, int height, float *to)
{
    for (int y = 0; y < height; y++)
    {
        for (int x = 0; x < width; x++)
        {
            int from_x = x / 2 < width / 2 ? x / 2 : width / 2 - 1;
            int from_y = y / 2 < height / 2 ? y / 2 : height / 2 - 1;
            to[(size_t)y * (size_t)width + (size_t)x] =
                from[(size_t)from_y * (size_t)(width / 2) + (size_t)from_x];
        }
    }
}

static void light_sun(Relief *relief, float *shadow)
{
    const ReliefDesc *desc = &relief->desc;
    Run run = {.heights = relief->heights,
               .shadow = shadow,
               .light = relief->sun,
               .width = desc->width,
               .height = desc->height};
    for (int i = 0; i < SUN_RAYS; i++)
    {
        Ray ray = sun_ray(i);
        shine(&run, &ray, 1 / desc->pixels_per_metre);
    }
}

static void light_sky(Relief *relief, float *half_heights, float *shadow, float *light)
{
    const ReliefDesc *desc = &relief->desc;
    Run run = {.heights = half_heights,
               .shadow = shadow,
               .light = light,
               .width = desc->width / 2,
               .height = desc->height / 2};
    halve(relief->heights, desc->width, desc->height, half_heights);
    for (int i = 0; i < SKY_RINGS * SKY_SECTORS; i++)
    {
        Ray ray = sky_ray(i);
        shine(&run, &ray, 2 / desc->pixels_per_metre);
    }
    redouble(light, desc->width, desc->height, relief->sky);
}

bool relief_light(Relief *relief)
{
    size_t count = (size_t)relief->desc.width * (size_t)relief->desc.height, quarter = count / 4;
    float *scratch = calloc(count + 2 * quarter, sizeof(float));
    if (!scratch)
    {
        return false;
    }
    for (size_t i = 0; i < count; i++)
    {
        relief->sun[i] = 0;
    }
    light_sun(relief, scratch);
    light_sky(relief, scratch + count, scratch, scratch + count + quarter);
    free(scratch);
    return true;
}
