/* Levels 1 and 2 of T. Vik and others, "Collision Detection Algorithm, version 2.1", 2000: boxes of objects,
 * then of triangles. Boxes meet if their intervals do on every axis, not if one has a corner in the other.
 * The printed level 3, the boxes of single edges, saves nothing before level 4, whose first question, on
 * which side of a plane corners are, is as cheap. */
#include "intersect/box_parts.h"
#include "intersect/levels_pair.h"

#include <string.h>

/* A surface with its pose as a matrix. */
typedef struct Placed
{
    const sidle_surface *surface;
    Mat3 turn; /* rotation and scale */
    Vec3 place;
    size_t stride;
} Placed;

static Placed placed(const sidle_surface *surface)
{
    Placed out = {.surface = surface};
    const sidle_pose *pose = surface->pose;
    size_t number = surface->vertices_f ? sizeof *surface->vertices_f : sizeof *surface->vertices_d;
    out.stride = surface->vertex_stride ? surface->vertex_stride : 3 * number;
    if (pose)
    {
        Vec3 scale = vec3_from(pose->scale);
        scale = vec3_is_zero(scale) ? vec3(1, 1, 1) : scale;
        out.turn = mat3_from_quat(pose->rotation);
        for (int row = 0; row < 3; ++row)
        {
            out.turn.row[row] = vec3_mul(out.turn.row[row], scale);
        }
        out.place = vec3_from_position(pose->position);
    }
    return out;
}

static Vec3 vertex_at(const Placed *from, uint32_t index)
{
    const sidle_surface *surface = from->surface;
    size_t offset = (size_t)index * from->stride;
    Vec3 vertex;
    if (surface->vertices_f)
    {
        float numbers[3];
        memcpy(numbers, (const char *)surface->vertices_f + offset, sizeof numbers);
        vertex = vec3((double)numbers[0], (double)numbers[1], (double)numbers[2]);
    }
    else
    {
        memcpy(&vertex, (const char *)surface->vertices_d + offset, sizeof vertex);
    }
    return surface->pose ? vec3_add(mat3_mul(from->turn, vertex), from->place) : vertex;
}

static bool has_vertices(const sidle_surface *surface)
{
    return surface->vertices_f || surface->vertices_d;
}

static bool corners_at(const Placed *from, uint32_t triangle, Vec3 corners[3])
{
    const sidle_surface *surface = from->surface;
    for (size_t i = 0; i < 3; ++i)
    {
        size_t at = 3 * (size_t)triangle + i, index = surface->indices ? surface->indices[at] : at;
        if (index >= surface->vertex_count)
        {
            return false;
        }
        corners[i] = vertex_at(from, (uint32_t)index);
        if (!vec3_is_finite(corners[i]))
        {
            return false;
        }
    }
    return true;
}

typedef struct Bounds
{
    Vec3 low, high;
} Bounds;

static void bounds_add(Bounds *bounds, Vec3 place)
{
    bounds->low =
        vec3(lesser(bounds->low.x, place.x), lesser(bounds->low.y, place.y), lesser(bounds->low.z, place.z));
    bounds->high = vec3(larger(bounds->high.x, place.x), larger(bounds->high.y, place.y),
                        larger(bounds->high.z, place.z));
}

static Bounds bounds_of(const Vec3 corners[3])
{
    Bounds bounds = {corners[0], corners[0]};
    bounds_add(&bounds, corners[1]);
    bounds_add(&bounds, corners[2]);
    return bounds;
}

static bool bounds_meet(const Bounds *a, const Bounds *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

/* Of all triangles that can cross something; low > high if there is none. */
static Bounds bounds_of_surface(const Placed *from)
{
    Bounds bounds = {vec3(INFINITY, INFINITY, INFINITY), vec3(-INFINITY, -INFINITY, -INFINITY)};
    for (uint32_t i = 0; i < from->surface->triangle_count; ++i)
    {
        Vec3 corners[3];
        bool valid = corners_at(from, i, corners);
        for (int k = 0; valid && k < 3; ++k)
        {
            bounds_add(&bounds, corners[k]);
        }
    }
    return bounds;
}

typedef struct Found
{
    sidle_crossing *crossings;
    uint32_t capacity, count;
} Found;

static void cross_all(Found *found, uint32_t triangle, const Vec3 corners[3], const Bounds *bounds,
                      const Placed *b)
{
    for (uint32_t i = 0; i < b->surface->triangle_count; ++i)
    {
        Vec3 others[3];
        if (!corners_at(b, i, others))
        {
            continue;
        }
        Bounds of_other = bounds_of(others);
        bool has_room = found->count < found->capacity;
        sidle_crossing crossing = {.triangle_a = triangle, .triangle_b = i};
        if (!bounds_meet(bounds, &of_other) ||
            !sidle_triangles_cross(corners, others, has_room ? &crossing : NULL))
        {
            continue;
        }
        if (has_room)
        {
            found->crossings[found->count] = crossing;
        }
        found->count += found->count < UINT32_MAX;
    }
}

bool sidle_surfaces_cross(const sidle_surface *a, const sidle_surface *b, sidle_crossing *crossings,
                          uint32_t capacity, uint32_t *count)
{
    Found found = {crossings, crossings ? capacity : 0, 0};
    if (has_vertices(a) && has_vertices(b))
    {
        Placed of_a = placed(a), of_b = placed(b);
        Bounds around_a = bounds_of_surface(&of_a), around_b = bounds_of_surface(&of_b);
        for (uint32_t i = 0; bounds_meet(&around_a, &around_b) && i < a->triangle_count; ++i)
        {
            Vec3 corners[3];
            if (!corners_at(&of_a, i, corners))
            {
                continue;
            }
            Bounds bounds = bounds_of(corners);
            if (bounds_meet(&bounds, &around_b))
            {
                cross_all(&found, i, corners, &bounds, &of_b);
            }
        }
    }
    if (count)
    {
        *count = found.count;
    }
    return found.count > 0;
}
