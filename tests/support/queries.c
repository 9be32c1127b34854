#include "support/queries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes, around zero ---- */

static double any_size(Random *random)
{
    return random_chance(random, 0.7) ? random_scale(random, 0.05, 20.0) : random_scale(random, 1e-5, 1e4);
}

static void draw_shape(Random *random, Vector v[3])
{
    double size = any_size(random);
    for (int corner = 0; corner < 3; ++corner)
    {
        v[corner] = vector_scale(random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1)), size);
    }
    Vector base = vector_sub(v[1], v[0]), aside = vector_scale(random_direction(random), size);
    double flat = random_scale(random, 1e-7, 0.1);
    switch (random_below(random, 8))
    {
    case 0: /* a needle */
        v[2] = vector_along(v[1], flat, aside);
        break;
    case 1: /* a sliver */
        v[2] = vector_along(vector_along(v[0], random_between(random, 0.1, 0.9), base), flat, aside);
        break;
    case 2: /* a segment, its third corner on it or at its end */
        v[2] = random_chance(random, 0.5) ? v[1] : vector_along(v[0], 0.25 * random_below(random, 5), base);
        break;
    case 3: /* a right angle on the axes */
        v[0] = vector(0, 0, 0);
        v[1] = vector(size, 0, 0);
        v[2] = vector(0, 0, random_chance(random, 0.5) ? size : any_size(random));
        break;
    default:
        break;
    }
    if (random_chance(random, 0.01)) /* a point */
    {
        v[1] = v[2] = v[0];
    }
}

/* ---- places ---- */

/* Where a ball may touch a triangle, or just miss it. */
typedef struct Anchor
{
    Vector point, normal;
} Anchor;

/* Beside the face in its plane, beyond an edge or beyond a corner: nothing is hit at the height
 * of the radius. */
static Vector draw_beside(Random *random, Vector first, Vector edge, Vector other, Vector outward)
{
    double away = random_scale(random, 1e-8, 1.0);
    if (random_chance(random, 0.5))
    {
        return vector_along(vector_along(first, random_unit(random), edge), away, outward);
    }
    return vector_along(first, -away, vector_unit(vector_add(vector_unit(edge), vector_unit(other))));
}

static Anchor draw_anchor(Random *random, const Vector v[3])
{
    uint32_t corner = random_below(random, 3);
    Vector first = v[corner], edge = vector_sub(v[(corner + 1) % 3], first);
    Vector other = vector_sub(v[(corner + 2) % 3], first), jitter = random_direction(random);
    Vector face = vector_unit(vector_cross(edge, other)), outward = vector_unit(vector_cross(edge, face));
    double turn = random_between(random, -1.5, 1.5), s = random_unit(random), t = random_unit(random);
    switch (random_below(random, 4))
    {
    case 0: /* a corner, away from the middle */
        return (Anchor){first, vector_unit(vector_along(vector_scale(vector_add(edge, other), -1.0),
                                                        0.3 * vector_length(edge), jitter))};
    case 1: /* an edge */
        return (Anchor){vector_along(first, s, edge),
                        vector_along(vector_scale(outward, cos(turn)), sin(turn), face)};
    case 2:
        return (Anchor){draw_beside(random, first, edge, other, outward), face};
    default: /* the face, on one side or the other */
        return (Anchor){vector_along(vector_along(first, s, edge), t * (1.0 - s), other),
                        vector_scale(face, turn > 0.0 ? 1.0 : -1.0)};
    }
}

/* Any unit vector across this one. */
static Vector draw_across(Random *random, Vector direction)
{
    for (;;)
    {
        Vector across = vector_cross(direction, random_direction(random));
        if (vector_length(across) > 0.1)
        {
            return vector_unit(across);
        }
    }
}

/* The steepness of the path at a contact: ten decades. */
static double draw_slope(Random *random)
{
    double slope =
        random_chance(random, 0.5) ? random_between(random, -0.3, 1.0) : random_scale(random, 1e-10, 1.0);
    return random_chance(random, 0.1) ? 0.0 : random_chance(random, 0.1) ? -slope : slope;
}

/* The normal of a contact that is hit under this slope. */
static Vector draw_contact_normal(Random *random, Vector direction, double slope)
{
    Vector across = draw_across(random, direction);
    return vector_add(vector_scale(across, sqrt(1.0 - slope * slope)), vector_scale(direction, -slope));
}

/* The distance at which the path's place lies from the anchor: around the radius, exactly it, or within. */
static double draw_distance(Random *random, double radius)
{
    double hair = random_scale(random, 1e-9, 1e-1);
    switch (random_below(random, 6))
    {
    case 0:
        return radius;
    case 1:
        return radius * (1.0 + hair);
    case 2:
        return radius * (1.0 - hair);
    case 3:
        return radius * (1.0 + ((double)random_below(random, 9) - 4.0) * 0x1p-24);
    case 4:
        return random_between(random, 0.0, radius);
    default:
        return random_scale(random, 1e-3, 10.0);
    }
}

static double draw_time(Random *random, double length)
{
    switch (random_below(random, 8))
    {
    case 0:
        return 0.0;
    case 1:
        return length;
    case 2:
        return length * (1.0 + random_between(random, -1e-6, 1e-6));
    default:
        return random_between(random, 0.0, length);
    }
}

/* Rows that turn `from` into `to`, both unit. */
static Vector turned(const Rotation *out_of, const Rotation *into, Vector v)
{
    Vector local = vector_rotated(out_of, v);
    return vector_add(vector_add(vector_scale(into->rows[0], local.x), vector_scale(into->rows[1], local.y)),
                      vector_scale(into->rows[2], local.z));
}

static Rotation frame_along(Random *random, Vector first)
{
    Vector second = draw_across(random, first);
    return (Rotation){{first, second, vector_cross(first, second)}};
}

/* Lays the triangle so that at some time the path is some distance from its anchor, along its normal there.
 */
static void lay_on_path(Random *random, const Query *query, Vector v[3])
{
    Anchor anchor = draw_anchor(random, v);
    double slope = draw_slope(random), distance = draw_distance(random, query_radius(query));
    /* Almost level, where faces and edges must not leave a gap between them. */
    if (random_chance(random, 0.1))
    {
        slope = random_scale(random, 1e-4, 0.05);
        distance = query_radius(query);
    }
    Vector normal = vector_length(anchor.normal) > 0.5 ? anchor.normal : random_direction(random);
    Vector wanted = draw_contact_normal(random, query->direction, slope);
    Rotation out_of = frame_along(random, normal), into = frame_along(random, wanted);
    Vector at = vector_along(query->origin, draw_time(random, query->length), query->direction);
    Vector place = vector_along(at, -distance, wanted);
    for (int corner = 0; corner < 3; ++corner)
    {
        v[corner] = vector_add(place, turned(&out_of, &into, vector_sub(v[corner], anchor.point)));
    }
}

/* ---- whole queries ---- */

static void draw_path(Random *random, Query *query)
{
    const double skins[3] = {0.02, 0.005, 0.1};
    query->skin = skins[random_below(random, 3)];
    query->length =
        random_chance(random, 0.8) ? random_scale(random, 0.01, 10.0) : random_scale(random, 1e-6, 3e3);
    query->direction = random_direction(random);
    query->origin = vector(0, 0, 0);
    if (random_chance(random, 0.3))
    {
        double distance = random_scale(random, 1e-7, query->length);
        query->origin = vector_scale(random_direction(random), distance);
    }
}

/* Shares an edge with the triangle before, or is a copy of it. */
static void draw_neighbour(Random *random, const Vector before[3], Vector v[3])
{
    memcpy(v, before, 3 * sizeof *v);
    if (random_chance(random, 0.7))
    {
        uint32_t corner = random_below(random, 3);
        Vector middle = vector_scale(vector_add(v[(corner + 1) % 3], v[(corner + 2) % 3]), 0.5);
        Vector over = vector_sub(middle, v[corner]), aside = random_direction(random);
        double turn = random_between(random, 0.0, 1.0) * vector_length(over);
        v[corner] = vector_along(vector_add(middle, over), turn, aside);
    }
}

/* Decisions between equals: coordinates next to critical values, paths along the axes. */
static void snap(Random *random, Query *query)
{
    const Vector axes[4] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0.6, 0, -0.8}};
    random_snap(random, &query->triangles[0][0], (int)(3 * query->count), query->skin, 0.5);
    query->direction = axes[random_below(random, 4)];
    query->length = fmax(fabs((double)random_critical(random, query->skin)), 1e-3);
    if (random_chance(random, 0.5))
    {
        query->origin = vector_as_float(query->origin);
        query->origin.y = (double)random_critical(random, query->skin);
    }
}

Query query_drawn(Random *random)
{
    Query query = {.count = 1};
    if (random_chance(random, 0.6))
    {
        query.count += random_below(random, random_chance(random, 0.7) ? 4 : QUERY_TRIANGLES);
    }
    draw_path(random, &query);
    for (uint32_t index = 0; index < query.count; ++index)
    {
        Vector *v = query.triangles[index];
        if (index > 0 && random_chance(random, 0.3))
        {
            draw_neighbour(random, query.triangles[index - 1], v);
            continue;
        }
        draw_shape(random, v);
        lay_on_path(random, &query, v);
    }
    if (random_chance(random, 0.2))
    {
        snap(random, &query);
    }
    return query;
}

Query query_in_float(const Query *query)
{
    Query rounded = *query;
    for (uint32_t index = 0; index < 3 * query->count; ++index)
    {
        Vector *corner = &rounded.triangles[index / 3][index % 3];
        *corner = vector_as_float(*corner);
    }
    return rounded;
}

double query_radius(const Query *query)
{
    return 1.0 + 0.5 * query->skin;
}

double query_graze_depth(const Query *query)
{
    return query->skin * SLACK_OF_SKIN * GRAZE_OF_SLACK;
}

double query_reach(const Query *query)
{
    return fmax(query->length, vector_length(query->origin));
}

double query_size(const Query *query, uint32_t triangle)
{
    const double least = 0x1p-40; /* what is much smaller than that has no square in float */
    double size = fmax(query_reach(query), least);
    for (int corner = 0; corner < 3; ++corner)
    {
        size = fmax(size, vector_length(query->triangles[triangle][corner]));
    }
    return size;
}

double query_thin_height(const Query *query, uint32_t triangle, double roundoff)
{
    const Vector *v = query->triangles[triangle];
    double longest = 0.0;
    for (int corner = 0; corner < 3; ++corner)
    {
        longest = fmax(longest, vector_distance(v[corner], v[(corner + 1) % 3]));
    }
    double area = vector_length(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0])));
    double height = longest > 0.0 ? area / longest : 0.0;
    return height < THIN_HEIGHT + 4.0 * roundoff * query_size(query, triangle) ? height : 0.0;
}

static void print_vector(const char *name, Vector v)
{
    printf(" %s {%a, %a, %a}", name, v.x, v.y, v.z);
}

void query_print(const Query *query, uint32_t triangle)
{
    print_vector("origin", query->origin);
    print_vector("direction", query->direction);
    printf(" length %a skin %g", query->length, query->skin);
    for (int corner = 0; corner < 3; ++corner)
    {
        print_vector("v", query->triangles[triangle][corner]);
    }
    printf("\n");
}

static uint32_t count_from(const char *variable, uint32_t otherwise)
{
    const char *text = getenv(variable);
    unsigned long count = text ? strtoul(text, NULL, 10) : 0;
    return count > 0 && count <= UINT32_MAX ? (uint32_t)count : otherwise;
}

uint32_t query_count(uint32_t otherwise)
{
    return count_from("SIDLE_QUERIES", otherwise);
}

uint32_t scene_count(uint32_t otherwise)
{
    return count_from("SIDLE_SCENES", otherwise);
}

uint32_t shot_count(uint32_t otherwise)
{
    return count_from("SIDLE_SHOTS", otherwise);
}
