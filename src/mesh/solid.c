/* Triangles of boxes and of round solids, whose outline is revolved around y. Angles are halved by square roots, so that every
 * machine has the same bits. */
#include "mesh/hull.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

#define LEAST_SEGMENTS    8
#define MOST_SEGMENTS     128
#define DEFAULT_TOLERANCE .01 /* radii */
#define MOST_RINGS        (MOST_SEGMENTS / 2 + 2)
#define MOST_VERTICES     (MOST_RINGS * MOST_SEGMENTS)
#define LEAST_SIZE        1e-3
#define MOST_SIZE         1e6

typedef struct Solid
{
    float vertices[MOST_VERTICES][3];
    uint32_t triangles[2 * MOST_VERTICES][3];
    uint16_t surfaces[2 * MOST_VERTICES];
    uint32_t vertex_count, triangle_count;
} Solid;

static void add_triangle(Solid *solid, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t triangle[3] = {a, b, c};
    memcpy(solid->triangles[solid->triangle_count++], triangle, sizeof triangle);
}

static uint32_t add_vertex(Solid *solid, double x, double y, double z)
{
    float *v = solid->vertices[solid->vertex_count];
    v[0] = (float)x;
    v[1] = (float)y;
    v[2] = (float)z;
    return solid->vertex_count++;
}

/* ---- round solids ---- */

/* Cosine and sine of the parts of a circle: segments + 1 points, a power of two of them from 4 on. */
typedef struct Circle
{
    double x[MOST_SEGMENTS + 1], y[MOST_SEGMENTS + 1];
    uint32_t segments;
} Circle;

static Circle circle_of(uint32_t segments)
{
    static const double x[5] = {1, 0, -1, 0, 1}, y[5] = {0, 1, 0, -1, 0};
    Circle circle = {.segments = segments};
    uint32_t step = segments / 4;
    for (uint32_t i = 0; i <= 4; ++i)
    {
        circle.x[i * step] = x[i];
        circle.y[i * step] = y[i];
    }
    for (; step > 1; step /= 2)
    {
        for (uint32_t i = 0; i < segments; i += step)
        {
            double sum_x = circle.x[i] + circle.x[i + step], sum_y = circle.y[i] + circle.y[i + step],
                   length = sqrt(sum_x * sum_x + sum_y * sum_y);
            circle.x[i + step / 2] = sum_x / length;
            circle.y[i + step / 2] = sum_y / length;
        }
    }
    return circle;
}

/* The outline from the top to the bottom, and a ring for each of its points. */
typedef struct Outline
{
    double radius[MOST_RINGS], y[MOST_RINGS];
    uint32_t count;
} Outline;

static void add_point(Outline *outline, double radius, double y)
{
    outline->radius[outline->count] = radius;
    outline->y[outline->count++] = y;
}

/* Of a ball, if `half` is 0: its equator is one ring. */
static Outline outline_of_capsule(const Circle *circle, double radius, double half)
{
    Outline outline = {.count = 0};
    uint32_t quarter = circle->segments / 4;
    for (uint32_t i = 0; i <= quarter; ++i)
    {
        add_point(&outline, radius * circle->y[i], radius * circle->x[i] + half);
    }
    for (uint32_t i = half > 0 ? quarter : quarter + 1; i <= 2 * quarter; ++i)
    {
        add_point(&outline, radius * circle->y[i], radius * circle->x[i] - half);
    }
    return outline;
}

static void revolve(Solid *solid, const Circle *circle, const Outline *outline)
{
    uint32_t segments = circle->segments, above = 0;
    for (uint32_t ring = 0; ring < outline->count; ++ring)
    {
        bool is_pole = ring == 0 || ring + 1 == outline->count, was_pole = ring == 1;
        uint32_t first = solid->vertex_count;
        for (uint32_t i = 0; i < (is_pole ? 1 : segments); ++i)
        {
            double radius = is_pole ? 0 : outline->radius[ring];
            add_vertex(solid, radius * circle->x[i], outline->y[ring], radius * circle->y[i]);
        }
        for (uint32_t i = 0; i < segments && ring > 0; ++i)
        {
            uint32_t next = (i + 1) % segments;
            uint32_t a = was_pole ? above : above + i, b = was_pole ? above : above + next;
            uint32_t c = is_pole ? first : first + i, d = is_pole ? first : first + next;
            if (!is_pole)
            {
                add_triangle(solid, a, d, c);
            }
            if (!was_pole)
            {
                add_triangle(solid, a, b, d);
            }
        }
        above = first;
    }
}

/* The middle of a part of a surface that is curved along both directions lies sin^2 of half an angle inside of it, at most. */
static uint32_t segments_for(const sidle_solid_desc *desc)
{
    double tolerance =
        desc->tolerance > 0 ? (double)desc->tolerance / (double)desc->radius : DEFAULT_TOLERANCE;
    uint32_t segments = LEAST_SEGMENTS;
    for (double sine2 = .5 - .5 * sqrt(.5); sine2 > tolerance && segments < MOST_SEGMENTS; segments *= 2)
    {
        sine2 = .5 - .5 * sqrt(1 - sine2); /* of half the angle */
    }
    return segments;
}

static void make_round(const sidle_solid_desc *desc, Solid *solid)
{
    double radius = (double)desc->radius, half = (double)desc->half_height;
    Circle circle = circle_of(segments_for(desc));
    Outline outline = outline_of_capsule(&circle, radius, desc->kind == SIDLE_SOLID_CAPSULE ? half : 0);
    if (desc->kind == SIDLE_SOLID_CYLINDER)
    {
        outline = (Outline){{0, radius, radius, 0}, {half, half, -half, -half}, 4};
    }
    revolve(solid, &circle, &outline);
}

/* ---- flat solids ---- */

static void make_hull(const sidle_vec3 *points, uint32_t count, Solid *solid)
{
    solid->triangle_count = sidle_hull(points, count, solid->triangles);
    for (uint32_t i = 0; i < count; ++i)
    {
        add_vertex(solid, (double)points[i].x, (double)points[i].y, (double)points[i].z);
    }
}

/* The triangles of a cube, since a box can be thinner than the grid of a hull. */
static void make_box(sidle_vec3 half, Solid *solid)
{
    sidle_vec3 corners[8];
    for (uint32_t i = 0; i < 8; ++i)
    {
        float x = i & 1 ? 1 : -1, y = i & 2 ? 1 : -1, z = i & 4 ? 1 : -1;
        corners[i] = (sidle_vec3){x, y, z};
        add_vertex(solid, (double)(x * half.x), (double)(y * half.y), (double)(z * half.z));
    }
    solid->triangle_count = sidle_hull(corners, 8, solid->triangles);
}

/* ---- checks ---- */

static sidle_status check_size(const sidle_solid_desc *desc, float size, const char *name)
{
    if (!isfinite(size))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_NOT_FINITE, 0, "%s is %g, but must be finite", name,
                                 (double)size);
    }
    if ((double)size < LEAST_SIZE || (double)size > MOST_SIZE)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_LIMIT, 0, "%s is %g, but must be from %g to %g",
                                 name, (double)size, LEAST_SIZE, MOST_SIZE);
    }
    return SIDLE_OK;
}

static sidle_status check_points(const sidle_solid_desc *desc)
{
    if (!desc->points || desc->point_count < 4 || desc->point_count > SIDLE_MAX_HULL_POINTS)
    {
        return sidle_status_fail(desc->error, desc->points ? SIDLE_ERROR_LIMIT : SIDLE_ERROR_ARGUMENT, 0,
                                 "%u points%s, but a hull needs 4 to %u", desc->point_count,
                                 desc->points ? "" : " are NULL", SIDLE_MAX_HULL_POINTS);
    }
    for (uint32_t i = 0; i < desc->point_count; ++i)
    {
        const float p[3] = {desc->points[i].x, desc->points[i].y, desc->points[i].z};
        for (int axis = 0; axis < 3; ++axis)
        {
            if (!(fabs((double)p[axis]) <= MOST_SIZE))
            {
                return sidle_status_fail(desc->error,
                                         isfinite(p[axis]) ? SIDLE_ERROR_LIMIT : SIDLE_ERROR_NOT_FINITE, i,
                                         "point %u: %c is %g, but must be finite and at most %g", i,
                                         'x' + axis, (double)p[axis], MOST_SIZE);
            }
        }
    }
    return SIDLE_OK;
}

static sidle_status check_desc(const sidle_solid_desc *desc)
{
    const sidle_vec3 half = desc->half_extents;
    if (desc->kind > SIDLE_SOLID_HULL || desc->surface > UINT16_MAX || !(desc->tolerance >= 0))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "kind %u, surface %u and tolerance %g: one is none that exists", desc->kind,
                                 desc->surface, (double)desc->tolerance);
    }
    if (desc->kind == SIDLE_SOLID_HULL)
    {
        return check_points(desc);
    }
    if (desc->kind == SIDLE_SOLID_BOX)
    {
        sidle_status status = check_size(desc, half.x, "half_extents.x");
        status = status ? status : check_size(desc, half.y, "half_extents.y");
        return status ? status : check_size(desc, half.z, "half_extents.z");
    }
    sidle_status status = check_size(desc, desc->radius, "radius");
    return status || desc->kind == SIDLE_SOLID_BALL ? status
                                                    : check_size(desc, desc->half_height, "half_height");
}

/* ---- the mesh ---- */

static sidle_status make(const sidle_solid_desc *desc, Solid *solid)
{
    solid->vertex_count = solid->triangle_count = 0;
    switch (desc->kind)
    {
    case SIDLE_SOLID_BOX:
        make_box(desc->half_extents, solid);
        break;
    case SIDLE_SOLID_HULL:
        make_hull(desc->points, desc->point_count, solid);
        break;
    default:
        make_round(desc, solid);
        break;
    }
    return solid->triangle_count > 0
               ? SIDLE_OK
               : sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0, "the points span no volume");
}

static sidle_status bake(const sidle_solid_desc *desc, Solid *solid, const sidle_allocator *allocator,
                         sidle_mesh **out)
{
    const sidle_position zero = {0, 0, 0};
    for (uint32_t i = 0; i < solid->triangle_count; ++i)
    {
        solid->surfaces[i] = (uint16_t)desc->surface;
    }
    sidle_mesh_desc mesh = {.size = sizeof mesh,
                            .vertices_f = solid->vertices[0],
                            .vertex_count = solid->vertex_count,
                            .indices = solid->triangles[0],
                            .triangle_count = solid->triangle_count,
                            .surfaces = solid->surfaces,
                            .origin = &zero,
                            .error = desc->error};
    return sidle_mesh_create(&mesh, NULL, allocator, out);
}

sidle_status sidle_mesh_create_solid(const sidle_solid_desc *desc, const sidle_allocator *allocator,
                                     sidle_mesh **out)
{
    sidle_allocator chosen;
    if (!desc || desc->size != sizeof *desc || !out || !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    FpEnvironment host = fp_enter();
    sidle_status status = check_desc(desc);
    Solid *solid = status == SIDLE_OK ? sidle_memory_allocate(&chosen, 1, sizeof *solid) : NULL;
    if (status == SIDLE_OK && !solid)
    {
        status = sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    status = status == SIDLE_OK ? make(desc, solid) : status;
    status = status == SIDLE_OK ? bake(desc, solid, &chosen, out) : status;
    sidle_memory_free(&chosen, solid, 1, sizeof *solid);
    fp_leave(host);
    return status;
}
