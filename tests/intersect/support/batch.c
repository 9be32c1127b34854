#include "intersect/support/batch.h"

#include <math.h>
#include <stdlib.h>

uint32_t batch_widths(uint32_t lanes[MAX_WIDTHS])
{
    const uint32_t all[MAX_WIDTHS] = {1, 4, 8, 16};
    uint32_t count = 0;
    for (int i = 0; i < MAX_WIDTHS; ++i)
    {
        if (sidle_batch_lanes(all[i]) == all[i])
        {
            lanes[count++] = all[i];
        }
    }
    return count;
}

Many many_create(uint32_t count)
{
    Many many = {.count = count};
    for (int i = 0; i < 9; ++i)
    {
        many.blocks[i] = malloc(count * sizeof(float) + (count == 0));
        if (!many.blocks[i])
        {
            abort();
        }
    }
    return many;
}

void many_destroy(Many *many)
{
    for (int i = 0; i < 9; ++i)
    {
        free(many->blocks[i]);
    }
}

float *many_number(const Many *many, uint32_t i, uint32_t field)
{
    return &many->blocks[field][i];
}

sidle_triangle_arrays many_triangles(const Many *many)
{
    sidle_triangle_arrays arrays = {.count = many->count};
    for (int i = 0; i < 9; ++i)
    {
        arrays.corners[i / 3][i % 3] = many->blocks[i];
    }
    return arrays;
}

sidle_box_arrays many_boxes(const Many *many)
{
    sidle_box_arrays arrays = {.count = many->count};
    for (int i = 0; i < 3; ++i)
    {
        arrays.min[i] = many->blocks[i];
        arrays.max[i] = many->blocks[3 + i];
    }
    return arrays;
}

sidle_dtriangle many_triangle(const Many *many, uint32_t i)
{
    sidle_dtriangle out;
    for (uint32_t k = 0; k < 3; ++k)
    {
        out.corners[k] =
            (sidle_position){(double)*many_number(many, i, 3 * k), (double)*many_number(many, i, 3 * k + 1),
                             (double)*many_number(many, i, 3 * k + 2)};
    }
    return out;
}

static void set_corner(const Many *many, uint32_t i, uint32_t corner, Vector v)
{
    *many_number(many, i, 3 * corner) = (float)v.x;
    *many_number(many, i, 3 * corner + 1) = (float)v.y;
    *many_number(many, i, 3 * corner + 2) = (float)v.z;
}

static Vector draw_near(Random *random, double reach)
{
    return random_in_box(random, vector(-reach, -reach, -reach), vector(reach, reach, reach));
}

static Vector lattice_near(Random *random)
{
    Vector v = draw_near(random, 3);
    return vector(floor(v.x), floor(v.y), floor(v.z));
}

static void draw_triangle(Random *random, const Many *many, uint32_t i)
{
    uint32_t kind = random_below(random, 5);
    double size = random_scale(random, 1e-3, 30);
    Vector a = draw_near(random, kind == 3 ? 1000 : 3);
    Vector b = vector_add(a, vector_scale(random_direction(random), size));
    Vector c =
        vector_add(a, vector_scale(random_direction(random), random_chance(random, .5) ? size : size / 50));
    if (kind == 0)
    {
        a = lattice_near(random);
        b = lattice_near(random);
        c = lattice_near(random);
    }
    else if (kind == 1) /* a needle */
    {
        double share = random_unit(random), thin = random_scale(random, 1e-9, 1e-1);
        thin = random_chance(random, .5) ? size * random_scale(random, 1. / 80, 1. / 8)
                                         : thin; /* what is float's */
        c = vector_add(vector_add(a, vector_scale(vector_sub(b, a), share)),
                       vector_scale(random_direction(random), thin));
    }
    else if (kind == 2 && i > 0) /* shares an edge with the one before */
    {
        sidle_dtriangle before = many_triangle(many, i - 1);
        b = vector(before.corners[1].x, before.corners[1].y, before.corners[1].z);
        c = vector(before.corners[2].x, before.corners[2].y, before.corners[2].z);
    }
    set_corner(many, i, 0, a);
    set_corner(many, i, 1, b);
    set_corner(many, i, 2, c);
}

static void spoil(Random *random, const Many *many, uint32_t field_count)
{
    const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-40f};
    for (uint32_t i = 0; i < many->count; ++i)
    {
        if (random_chance(random, .2))
        {
            *many_number(many, i, random_below(random, field_count)) = bad[random_below(random, 5)];
        }
    }
}

void many_draw_triangles(Random *random, bool bad, Many *many)
{
    for (uint32_t i = 0; i < many->count; ++i)
    {
        draw_triangle(random, many, i);
    }
    if (bad)
    {
        spoil(random, many, 9);
    }
}

void many_draw_boxes(Random *random, bool bad, Many *many)
{
    for (uint32_t i = 0; i < many->count; ++i)
    {
        for (uint32_t axis = 0; axis < 3; ++axis)
        {
            float min = (float)(random_chance(random, .5) ? floor(random_between(random, -4, 4))
                                                          : random_between(random, -4, 4));
            *many_number(many, i, axis) = min;
            *many_number(many, i, 3 + axis) = min + (float)floor(random_between(random, 0, 4));
        }
        if (random_chance(random, .1)) /* turned over */
        {
            *many_number(many, i, 3) = *many_number(many, i, 0) - 5;
        }
    }
    if (bad)
    {
        spoil(random, many, 6);
    }
}

/* ---- judges ---- */

static Vector to_vector(sidle_position p)
{
    return vector(p.x, p.y, p.z);
}

static double dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vector cross(Vector a, Vector b)
{
    return vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static double size_of(Vector v)
{
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

/* In the plane across the largest axis, the triangle moved along the ray. */
static Vector sheared(Vector v, Vector direction)
{
    Vector d = direction;
    double most = size_of(d), share = fabs(d.x) == most   ? v.x / d.x
                                      : fabs(d.y) == most ? v.y / d.y
                                                          : v.z / d.z;
    return vector_sub(v, vector_scale(d, share));
}

static double distance_to_segment(Vector a, Vector b)
{
    Vector e = vector_sub(b, a);
    double e2 = dot(e, e), t = e2 > 0 ? fmin(fmax(-dot(a, e) / e2, 0), 1) : 0;
    Vector p = vector_add(a, vector_scale(e, t));
    return sqrt(dot(p, p));
}

RayTruth ray_truth(sidle_vec3 origin, sidle_vec3 direction, const sidle_dtriangle *triangle)
{
    Vector o = vector((double)origin.x, (double)origin.y, (double)origin.z), v[3], flat[3];
    Vector d = vector((double)direction.x, (double)direction.y, (double)direction.z);
    RayTruth truth = {.margin = INFINITY};
    int left = 0, right = 0;
    for (int i = 0; i < 3; ++i)
    {
        v[i] = vector_sub(to_vector(triangle->corners[i]), o);
        flat[i] = sheared(v[i], d);
        truth.size = fmax(truth.size, size_of(v[i]));
    }
    for (int i = 0; i < 3; ++i)
    {
        double side = dot(d, cross(v[i], v[(i + 1) % 3]));
        left += side >= 0;
        right += side <= 0;
        truth.margin = fmin(truth.margin, distance_to_segment(flat[i], flat[(i + 1) % 3]));
    }
    Vector n = cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0]));
    truth.time = dot(n, v[0]) / dot(n, d);
    truth.slope = sqrt(dot(n, n) * dot(d, d)) / fabs(dot(n, d));
    truth.hit = (left == 3) != (right == 3);
    return truth;
}

double reach_of(sidle_position from, const sidle_dtriangle *triangle)
{
    double most = 0;
    for (int i = 0; i < 3; ++i)
    {
        Vector offset = vector_sub(to_vector(triangle->corners[i]), to_vector(from));
        most = fmax(most, sqrt(dot(offset, offset)));
    }
    return most;
}
