#include "support/soup.h"

#include "support/oracle_core.h"

#include <stdlib.h>
#include <string.h>

static void reserve(Soup *soup, size_t count)
{
    if (count <= soup->capacity)
    {
        return;
    }
    size_t capacity = soup->capacity > 0 ? soup->capacity : 16;
    while (capacity < count)
    {
        capacity *= 2;
    }
    SoupTriangle *grown = realloc(soup->triangles, capacity * sizeof *grown);
    if (grown == NULL)
    {
        abort();
    }
    soup->triangles = grown;
    soup->capacity = capacity;
}

void soup_free(Soup *soup)
{
    free(soup->triangles);
    *soup = (Soup){0};
}

void soup_append(Soup *soup, const Soup *other)
{
    reserve(soup, soup->count + other->count);
    if (other->count > 0)
    {
        memcpy(soup->triangles + soup->count, other->triangles, other->count * sizeof *other->triangles);
    }
    soup->count += other->count;
}

Soup soup_copy(const Soup *soup)
{
    Soup copy = {0};
    soup_append(&copy, soup);
    return copy;
}

void soup_triangle(Soup *soup, Vector a, Vector b, Vector c)
{
    reserve(soup, soup->count + 1);
    soup->triangles[soup->count] = (SoupTriangle){{a, b, c}};
    soup->count += 1;
}

void soup_quad(Soup *soup, Vector a, Vector b, Vector c, Vector d)
{
    soup_triangle(soup, a, b, c);
    soup_triangle(soup, a, c, d);
}

void soup_turn(Soup *soup, const Rotation *rotation)
{
    for (size_t index = 0; index < soup->count; ++index)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector *place = &soup->triangles[index].v[corner];
            *place = vector_rotated(rotation, *place);
        }
    }
}

void soup_shift(Soup *soup, Vector offset)
{
    for (size_t index = 0; index < soup->count; ++index)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector *place = &soup->triangles[index].v[corner];
            *place = vector_add(*place, offset);
        }
    }
}

void soup_stretch(Soup *soup, Vector factors)
{
    for (size_t index = 0; index < soup->count; ++index)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector *place = &soup->triangles[index].v[corner];
            *place = vector_times(*place, factors);
        }
    }
}

void soup_round(Soup *soup)
{
    for (size_t index = 0; index < soup->count; ++index)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector *place = &soup->triangles[index].v[corner];
            *place = vector_as_float(*place);
        }
    }
}

void soup_flip(Soup *soup)
{
    for (size_t index = 0; index < soup->count; ++index)
    {
        SoupTriangle *triangle = &soup->triangles[index];
        Vector second = triangle->v[1];
        triangle->v[1] = triangle->v[2];
        triangle->v[2] = second;
    }
}

void soup_shuffle(Soup *soup, Random *random)
{
    for (size_t index = soup->count; index > 1; --index)
    {
        size_t other = random_below(random, (uint32_t)index);
        SoupTriangle last = soup->triangles[index - 1];
        soup->triangles[index - 1] = soup->triangles[other];
        soup->triangles[other] = last;
    }
}

/* The smaller of two distances; a NaN stays, as with worse(). */
static double nearer(double a, double b)
{
    return a <= b ? a : b <= a ? b : NAN;
}

double soup_distance(const Soup *soup, Vector center, Vector radii)
{
    return soup_approach(soup, center, center, radii);
}

double soup_approach(const Soup *soup, Vector from, Vector to, Vector radii)
{
    Vector path = vector_over(vector_sub(to, from), radii);
    double length = vector_length(path), least = isnan(length) ? NAN : INFINITY;
    for (size_t index = 0; index < soup->count; ++index)
    {
        Vector vertices[3]; /* relative to the start: no digits are lost far from the origin */
        for (int corner = 0; corner < 3; ++corner)
        {
            vertices[corner] = vector_over(vector_sub(soup->triangles[index].v[corner], from), radii);
        }
        double distance = length > 0.0
                              ? oracle_approach(vertices, vector(0, 0, 0), vector_unit(path), length).distance
                              : oracle_closest(vertices, vector(0, 0, 0)).distance;
        least = nearer(least, distance);
    }
    return least;
}

/* Relative to the start, in the space where the shape is the unit ball around its core. */
double soup_core_approach(const Soup *soup, Vector from, Vector to, Vector radii, double half_height)
{
    Vector path = vector_over(vector_sub(to, from), radii), core = vector(0, half_height / radii.y, 0);
    double length = vector_length(path), least = isnan(length) ? NAN : INFINITY;
    for (size_t index = 0; index < soup->count; ++index)
    {
        Vector vertices[3], zero = vector(0, 0, 0);
        for (int corner = 0; corner < 3; ++corner)
        {
            vertices[corner] = vector_over(vector_sub(soup->triangles[index].v[corner], from), radii);
        }
        double distance = oracle_core(vertices, core, zero).distance;
        if (length > 0.0 && distance - length < least)
        {
            distance = oracle_core_approach(vertices, core, zero, vector_unit(path), length).distance;
        }
        least = nearer(least, distance);
    }
    return least;
}
