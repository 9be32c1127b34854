#include "support/soup.h"

void soup_plate(Soup *soup, double x0, double x1, double z0, double z1, double height)
{
    soup_quad(soup, vector(x0, height, z0), vector(x0, height, z1), vector(x1, height, z1),
              vector(x1, height, z0));
}

void soup_floor(Soup *soup, double half, double height)
{
    soup_plate(soup, -half, half, -half, half, height);
}

void soup_slope(Soup *soup, double half, double degrees)
{
    double x = half * cos(radians(degrees)), y = half * sin(radians(degrees));
    soup_quad(soup, vector(-x, -y, -half), vector(-x, -y, half), vector(x, y, half), vector(x, y, -half));
}

void soup_wall(Soup *soup, double half, double x)
{
    soup_quad(soup, vector(x, -half, -half), vector(x, -half, half), vector(x, half, half),
              vector(x, half, -half));
}

void soup_grid(Soup *soup, int cells, double size, double height)
{
    for (int row = 0; row < cells; ++row)
    {
        for (int column = 0; column < cells; ++column)
        {
            double x = (column - 0.5 * cells) * size, z = (row - 0.5 * cells) * size;
            soup_plate(soup, x, x + size, z, z + size, height);
        }
    }
}

/* A hash of the corner alone, so that neighbouring cells agree. */
static double corner_height(int column, int row, double amplitude, uint64_t seed)
{
    Random random = random_seeded(seed ^ ((uint64_t)(uint32_t)column << 32) ^ (uint32_t)row);
    return random_between(&random, -amplitude, amplitude);
}

static Vector corner(int column, int row, int cells, double size, double amplitude, uint64_t seed)
{
    return vector((column - 0.5 * cells) * size, corner_height(column, row, amplitude, seed),
                  (row - 0.5 * cells) * size);
}

void soup_terrain(Soup *soup, int cells, double size, double amplitude, uint64_t seed)
{
    for (int row = 0; row < cells; ++row)
    {
        for (int column = 0; column < cells; ++column)
        {
            soup_quad(soup, corner(column, row, cells, size, amplitude, seed),
                      corner(column, row + 1, cells, size, amplitude, seed),
                      corner(column + 1, row + 1, cells, size, amplitude, seed),
                      corner(column + 1, row, cells, size, amplitude, seed));
        }
    }
}

void soup_groove(Soup *soup, double degrees, double half_length, double side)
{
    double x = side * sin(radians(0.5 * degrees)), y = side * cos(radians(0.5 * degrees));
    double z = half_length;
    soup_quad(soup, vector(-x, y, -z), vector(-x, y, z), vector(0, 0, z), vector(0, 0, -z));
    soup_quad(soup, vector(0, 0, -z), vector(0, 0, z), vector(x, y, z), vector(x, y, -z));
}

void soup_wedge(Soup *soup, double degrees, double half_height, double side)
{
    double z = side * sin(radians(0.5 * degrees)), x = -side * cos(radians(0.5 * degrees));
    double y = half_height;
    soup_quad(soup, vector(x, -y, z), vector(x, y, z), vector(0, y, 0), vector(0, -y, 0));
    soup_quad(soup, vector(0, -y, 0), vector(0, y, 0), vector(x, y, -z), vector(x, -y, -z));
}

void soup_ring(Soup *soup, int facets, double radius, double half_height)
{
    for (int facet = 0; facet < facets; ++facet)
    {
        double begin = radians(360.0 * facet / facets), end = radians(360.0 * (facet + 1) / facets);
        double x0 = radius * cos(begin), z0 = radius * sin(begin);
        double x1 = radius * cos(end), z1 = radius * sin(end), y = half_height;
        soup_quad(soup, vector(x0, -y, z0), vector(x1, -y, z1), vector(x1, y, z1), vector(x0, y, z0));
    }
}

void soup_fan(Soup *soup, int valence, double radius, double depth)
{
    for (int side = 0; side < valence; ++side)
    {
        double begin = radians(360.0 * side / valence), end = radians(360.0 * (side + 1) / valence);
        soup_triangle(soup, vector(0, 0, 0), vector(radius * cos(end), -depth, radius * sin(end)),
                      vector(radius * cos(begin), -depth, radius * sin(begin)));
    }
}

void soup_ridge(Soup *soup, double length, double side, double drop)
{
    Vector near = vector(0, 0, -0.5 * length), far = vector(0, 0, 0.5 * length);
    soup_triangle(soup, near, far, vector(side, -drop, 0));
    soup_triangle(soup, far, near, vector(-side, -drop, 0));
}

void soup_tunnel(Soup *soup, double half_width, double half_length)
{
    double w = half_width, l = half_length;
    soup_quad(soup, vector(-l, -w, -w), vector(-l, -w, w), vector(l, -w, w), vector(l, -w, -w));
    soup_quad(soup, vector(-l, w, w), vector(-l, w, -w), vector(l, w, -w), vector(l, w, w));
    soup_quad(soup, vector(-l, w, -w), vector(-l, -w, -w), vector(l, -w, -w), vector(l, w, -w));
    soup_quad(soup, vector(-l, -w, w), vector(-l, w, w), vector(l, w, w), vector(l, -w, w));
}

void soup_scatter(Soup *soup, Random *random, int count, double half)
{
    for (int index = 0; index < count; ++index)
    {
        Vector v[3], place = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
        double size = random_scale(random, 0.01, half);
        for (int corner = 0; corner < 3; ++corner)
        {
            double length = random_scale(random, 0.1 * size, size);
            v[corner] = vector_as_float(vector_along(place, length, random_direction(random)));
        }
        soup_triangle(soup, v[0], v[1], v[2]);
    }
}

void soup_slivers(Soup *soup, int rows, double length, double height)
{
    for (int row = 0; row < rows; ++row)
    {
        double x = length / 2, z = (rows / 2.0 - row) * height;
        Vector begin = vector(-x, 0, z), end = vector(x, 0, z), apex = vector(.1 * x, 0, z - height);
        soup_triangle(soup, begin, end, apex);
        soup_triangle(soup, begin, apex, vector(-x, 0, z - height));
        soup_triangle(soup, apex, end, vector(x, 0, z - height));
    }
}
