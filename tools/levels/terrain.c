/* Hills, lakes and a few cliffs: value noise in octaves over a grid of 1 m. */
#include "generate.h"

#include <stdlib.h>

typedef struct Octave
{
    int wavelength; /* metres; a power of two, so that the fractions are exact */
    double amplitude;
} Octave;

/* The first two octaves shape the land: their sum, squared, has flat valleys and steep peaks. The others
 * roughen it, peaks more than valleys. Half of the land is below 18 degrees, 94 % below 35; the steepest
 * slope is about 50. */
static const Octave land[] = {{128, 0.6}, {64, 0.4}};
static const double LAND_HEIGHT = 58;
static const Octave roughness[] = {{32, 12}, {16, 4.8}, {8, 1.9}, {4, 0.5}};

/* Lakes fill the valleys up to this height, which becomes y = 0. */
static const double WATER_LEVEL = 10.5;

static double lattice(uint32_t seed, int x, int z)
{
    return (double)(hash_cell(seed, (uint32_t)x, (uint32_t)z) >> 8) / 16777216.0;
}

static double smooth(double t)
{
    return t * t * (3 - 2 * t);
}

static double noise(uint32_t seed, int x, int z, int wavelength)
{
    int cell_x = x / wavelength, cell_z = z / wavelength;
    double u = smooth((double)(x % wavelength) / wavelength);
    double v = smooth((double)(z % wavelength) / wavelength);
    double a = lattice(seed, cell_x, cell_z), b = lattice(seed, cell_x + 1, cell_z);
    double c = lattice(seed, cell_x, cell_z + 1), d = lattice(seed, cell_x + 1, cell_z + 1);
    double near = a + (b - a) * u, far = c + (d - c) * u;
    return near + (far - near) * v;
}

static double height_at(int x, int z)
{
    double base = 0, rough = 0;
    for (uint32_t i = 0; i < sizeof land / sizeof *land; ++i)
        base += land[i].amplitude * noise(i + 1, x, z, land[i].wavelength);
    for (uint32_t i = 0; i < sizeof roughness / sizeof *roughness; ++i)
        rough += roughness[i].amplitude * noise(i + 11, x, z, roughness[i].wavelength);
    double height = LAND_HEIGHT * base * base + (0.35 + base) * rough;
    return height > WATER_LEVEL ? height - WATER_LEVEL : 0;
}

/* Chooses a surface by height and slope, with a little noise so that the borders between the bands wander.
 */
static uint16_t surface_of(const Level *level, uint32_t a, uint32_t b, uint32_t c, int x, int z)
{
    const double *p = level->vertices + (size_t)a * 3, *q = level->vertices + (size_t)b * 3;
    const double *r = level->vertices + (size_t)c * 3;
    double height = (p[1] + q[1] + r[1]) / 3;
    if (height <= 0)
        return SURFACE_WATER;
    double ux = q[0] - p[0], uy = q[1] - p[1], uz = q[2] - p[2];
    double vx = r[0] - p[0], vy = r[1] - p[1], vz = r[2] - p[2];
    double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    double tangent_squared = (nx * nx + nz * nz) / (ny * ny);
    double wander = 0.5 * noise(77, x, z, 16) + 0.3 * noise(78, x, z, 8) + 0.2 * noise(79, x, z, 2);
    if (tangent_squared > 0.45 + wander * 0.3)
        return SURFACE_ROCK;
    if (height < 0.3 + wander * 1.5)
        return SURFACE_SAND;
    if (height > 26 + wander * 12)
        return tangent_squared > 0.35 ? SURFACE_ROCK : SURFACE_SNOW;
    return tangent_squared + wander > 0.8 ? SURFACE_EARTH : SURFACE_GRASS;
}

static void add_ground(Build *build, int cells)
{
    static const Frame origin = {0};
    for (int z = 0; z <= cells; ++z)
        for (int x = 0; x <= cells; ++x)
            build_vertex(build, &origin, x - cells * 0.5, height_at(x, z), z - cells * 0.5);
    uint32_t row = (uint32_t)cells + 1;
    for (int z = 0; z < cells && !build->failed; ++z)
        for (int x = 0; x < cells; ++x)
        {
            uint32_t a = (uint32_t)z * row + (uint32_t)x, b = a + 1, c = a + row, d = c + 1;
            /* The diagonal alternates; otherwise every slope would have its grain in one direction. */
            uint32_t left = (x + z) & 1 ? b : d, right = (x + z) & 1 ? c : a;
            build_triangle(build, a, c, left, surface_of(build->level, a, c, left, x, z));
            build_triangle(build, d, b, right, surface_of(build->level, d, b, right, x, z));
        }
}

/* Builds one wall piece per cell. It shares the ground's border vertices, and its crown follows the ground.
 */
static void add_rim(Build *build, int cells)
{
    double half = cells * 0.5;
    for (int side = 0; side < 4; ++side)
    {
        Frame frame = {0, 0, 0, side};
        for (int i = 0; i < cells; ++i)
        {
            /* Local x runs along the side; the corners of the crown are mitred. */
            double x0 = i - half, x1 = x0 + 1, height[2];
            for (int end = 0; end < 2; ++end)
            {
                int k = i + end;
                int grid_x = side == 0 ? k : side == 1 ? cells : side == 2 ? cells - k : 0;
                int grid_z = side == 0 ? cells : side == 1 ? cells - k : side == 2 ? 0 : k;
                height[end] = height_at(grid_x, grid_z);
            }
            double outer_x0 = i == 0 ? x0 - RIM_THICKNESS : x0;
            double outer_x1 = i == cells - 1 ? x1 + RIM_THICKNESS : x1, outer = half + RIM_THICKNESS;
            double top0 = height[0] + RIM_HEIGHT, top1 = height[1] + RIM_HEIGHT;
            const double inside[4][3] = {
                {x1, height[1], half}, {x0, height[0], half}, {x0, top0, half}, {x1, top1, half}};
            const double crown[4][3] = {
                {x0, top0, half}, {outer_x0, top0, outer}, {outer_x1, top1, outer}, {x1, top1, half}};
            const double outside[4][3] = {
                {outer_x0, 0, outer}, {outer_x1, 0, outer}, {outer_x1, top1, outer}, {outer_x0, top0, outer}};
            build_polygon(build, &frame, inside, 4, SURFACE_RIM);
            build_polygon(build, &frame, crown, 4, SURFACE_RIM);
            build_polygon(build, &frame, outside, 4, SURFACE_RIM);
        }
    }
}

void generate_terrain(Build *build, int cells_per_side)
{
    add_ground(build, cells_per_side);
    if (!build->failed)
        add_rim(build, cells_per_side);
}
