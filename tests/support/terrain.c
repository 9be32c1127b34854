#include "support/terrain.h"

#define FAR 30.0 /* m: half the extent of floors */

/* Upright quads. They face +x if z0 < z1, and +z if x0 < x1. */
static void wall_across(Soup *soup, double x, double z0, double z1, double low, double high)
{
    soup_quad(soup, vector(x, low, z0), vector(x, high, z0), vector(x, high, z1), vector(x, low, z1));
}

static void wall_along(Soup *soup, double z, double x0, double x1, double low, double high)
{
    soup_quad(soup, vector(x0, low, z), vector(x1, low, z), vector(x1, high, z), vector(x0, high, z));
}

void terrain_box(Soup *soup, Vector low, Vector high)
{
    soup_plate(soup, low.x, high.x, low.z, high.z, high.y);
    wall_across(soup, low.x, high.z, low.z, low.y, high.y);
    wall_across(soup, high.x, low.z, high.z, low.y, high.y);
    wall_along(soup, high.z, low.x, high.x, low.y, high.y);
    wall_along(soup, low.z, high.x, low.x, low.y, high.y);
}

/* ---- stairs ---- */

TerrainFlight terrain_random_flight(Random *random, double most_riser, double least_tread, double most_tread)
{
    TerrainFlight flight = {.half_width = 60.0};
    flight.riser = random_between(random, 0.05, most_riser);
    flight.tread = random_between(random, least_tread, most_tread);
    flight.steps = 6 + (int)random_below(random, 7);
    return flight;
}

void terrain_flight(Soup *soup, TerrainFlight flight)
{
    double z = flight.half_width;
    soup_plate(soup, -FAR, 0, -z, z, 0);
    for (int i = 0; i < flight.steps; ++i)
    {
        double x = flight.tread * i, low = flight.riser * i, high = flight.riser * (i + 1);
        double end = i + 1 < flight.steps ? flight.tread * (i + 1) : x + FAR;
        wall_across(soup, x, z, -z, low, high);
        soup_plate(soup, x, end, -z, z, high);
    }
}

/* ---- edges ---- */

void terrain_ledge(Soup *soup, double depth)
{
    soup_plate(soup, -FAR, 0, -FAR, FAR, 0);
    wall_across(soup, 0, -FAR, FAR, -depth, 0);
    soup_plate(soup, 0, FAR, -FAR, FAR, -depth);
}

void terrain_gap(Soup *soup, double width, double depth)
{
    soup_plate(soup, -FAR, 0, -FAR, FAR, 0);
    wall_across(soup, 0, -FAR, FAR, -depth, 0);
    soup_plate(soup, 0, width, -FAR, FAR, -depth);
    wall_across(soup, width, FAR, -FAR, -depth, 0);
    soup_plate(soup, width, FAR, -FAR, FAR, 0);
}

void terrain_sheet(Soup *soup, double height)
{
    soup_plate(soup, -FAR, FAR, -FAR, FAR, 0);
    wall_across(soup, 0, FAR, -FAR, 0, height);
}

void terrain_kerb(Soup *soup, double height)
{
    terrain_flight(soup, (TerrainFlight){.riser = height, .tread = 1.0, .half_width = 60.0, .steps = 1});
}

/* ---- fields ---- */

typedef struct Box
{
    Vector low, high;
} Box;

static Box random_crate(Random *random, double half, const Box *neighbour)
{
    Box box = {.low = random_in_box(random, vector(-half, 0, -half), vector(half, 0, half))};
    if (neighbour != NULL)
    {
        box.low = vector(neighbour->high.x, 0, neighbour->low.z);
    }
    box.high.x = box.low.x + random_between(random, 0.3, 1.5);
    box.high.y = random_between(random, 0.1, 0.6);
    box.high.z = box.low.z + random_between(random, 0.3, 1.5);
    return box;
}

static bool is_free_of_start(const Box *box)
{
    return box->low.x > 1.0 || box->high.x < -1.0 || box->low.z > 1.0 || box->high.z < -1.0;
}

void terrain_crates(Soup *soup, Random *random, double half, int count)
{
    soup_plate(soup, -half, half, -half, half, 0);
    Box last = {{0, 0, 0}, {0, 0, 0}};
    for (int placed = 0; placed < count;)
    {
        bool touches = placed > 0 && random_chance(random, 0.25);
        Box box = random_crate(random, half - 2.0, touches ? &last : NULL);
        if (is_free_of_start(&box) && fmax(box.high.x, box.high.z) < half)
        {
            terrain_box(soup, box.low, box.high);
            last = box;
            ++placed;
        }
    }
}

/* A square of 2 m with a hole in the middle. */
static void pit(Soup *soup, double x, double z, double width, double depth)
{
    double a = 1.0 - width / 2, b = 1.0 + width / 2;
    soup_plate(soup, x, x + 2, z, z + a, 0);
    soup_plate(soup, x, x + 2, z + b, z + 2, 0);
    soup_plate(soup, x, x + a, z + a, z + b, 0);
    soup_plate(soup, x + b, x + 2, z + a, z + b, 0);
    soup_plate(soup, x + a, x + b, z + a, z + b, -depth);
    wall_across(soup, x + a, z + a, z + b, -depth, 0);
    wall_across(soup, x + b, z + b, z + a, -depth, 0);
    wall_along(soup, z + a, x + a, x + b, -depth, 0);
    wall_along(soup, z + b, x + b, x + a, -depth, 0);
}

void terrain_pits(Soup *soup, Random *random, int cells)
{
    for (int cell = 0; cell < cells * cells; ++cell)
    {
        double width = random_between(random, 0.1, 1.5), depth = random_scale(random, 0.1, 3.0);
        pit(soup, 2.0 * (cell % cells) - cells, 2.0 * (cell / cells) - cells, width, depth);
    }
}

void terrain_scan(Soup *soup, int cells, double amplitude, uint64_t seed)
{
    double half = 0.5 * 0.15 * cells;
    soup_terrain(soup, cells, 0.15, 0.5 * amplitude, seed);
    soup_plate(soup, -half - FAR, half + FAR, -half - FAR, half + FAR, -3.0);
}

/* ---- slopes ---- */

static Vector slope_corner(TerrainSlope slope, int column, int row)
{
    double along = slope.tile * column, angle = radians(slope.degrees);
    return vector(along * cos(angle), along * sin(angle), slope.tile * row);
}

static void slope_tiles(Soup *soup, TerrainSlope slope, int first)
{
    for (int i = 0; i < slope.cells * slope.cells; ++i)
    {
        int column = first + i % slope.cells, row = i / slope.cells - slope.cells / 2;
        Vector a = slope_corner(slope, column, row), b = slope_corner(slope, column, row + 1);
        Vector c = slope_corner(slope, column + 1, row + 1), d = slope_corner(slope, column + 1, row);
        if (slope.split_other)
        {
            soup_quad(soup, b, c, d, a);
        }
        else
        {
            soup_quad(soup, a, b, c, d);
        }
    }
}

void terrain_slope(Soup *soup, TerrainSlope slope)
{
    slope_tiles(soup, slope, -slope.cells / 2);
}

void terrain_ramp(Soup *soup, TerrainSlope slope)
{
    double half = slope.tile * slope.cells / 2;
    soup_plate(soup, -FAR, 0, -half, half, 0);
    slope_tiles(soup, slope, 0);
}
