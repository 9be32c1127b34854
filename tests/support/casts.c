#include "support/casts.h"

#include "support/scene.h"

#include <stdlib.h>
#include <string.h>

/* ---- worlds ---- */

CastScene cast_scene(void)
{
    CastScene scene = {0};
    sidle_world_desc desc = {.size = sizeof desc};
    demand(sidle_world_create(&desc, NULL, &scene.world), "sidle_world_create");
    return scene;
}

void cast_scene_close(CastScene *scene)
{
    sidle_snapshot_release(scene->snapshot);
    sidle_world_destroy(scene->world);
    free(scene->triangles);
    *scene = (CastScene){0};
}

/* As a world keeps a rotation: of unit length, in floats. */
static sidle_quat kept(sidle_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (!(length > 0))
    {
        return (sidle_quat){0, 0, 0, 1};
    }
    return (sidle_quat){(float)(x / length), (float)(y / length), (float)(z / length), (float)(w / length)};
}

static Vector posed(const sidle_pose *pose, Vector v)
{
    sidle_quat q = kept(pose->rotation);
    Vector axis = vector((double)q.x, (double)q.y, (double)q.z);
    double w = (double)q.w, n = vector_dot(axis, axis) + w * w;
    Vector scale = vector((double)pose->scale.x, (double)pose->scale.y, (double)pose->scale.z);
    Vector turned = vector_length(scale) > 0 ? vector_times(v, scale) : v;
    /* v + 2 w (a x v) + 2 a x (a x v) for a unit quaternion */
    Vector once = vector_cross(axis, turned), twice = vector_cross(axis, once);
    turned = vector_along(vector_along(turned, 2 * w / n, once), 2 / n, twice);
    return vector_add(vector(pose->position.x, pose->position.y, pose->position.z), turned);
}

sidle_instance cast_scene_add(CastScene *scene, Soup soup, const sidle_pose *pose, uint64_t key)
{
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &soup.triangles[0].v[0].x,
                            .vertex_count = (uint32_t)(3 * soup.count),
                            .triangle_count = (uint32_t)soup.count};
    sidle_instance_desc placed = {.size = sizeof placed, .pose = *pose, .key = key};
    sidle_instance instance;
    demand(sidle_mesh_create(&desc, NULL, NULL, &placed.mesh), "sidle_mesh_create");
    demand(sidle_world_add(scene->world, &placed, &instance), "sidle_world_add");
    sidle_mesh_release(placed.mesh);
    scene->triangles = realloc(scene->triangles, (scene->count + soup.count) * sizeof *scene->triangles);
    if (!scene->triangles)
    {
        abort();
    }
    for (size_t i = 0; i < soup.count; ++i)
    {
        CastTriangle *triangle = &scene->triangles[scene->count++];
        *triangle = (CastTriangle){.key = key, .instance = instance, .triangle = (uint32_t)i};
        for (int corner = 0; corner < 3; ++corner)
        {
            triangle->v[corner] = posed(pose, soup.triangles[i].v[corner]);
        }
    }
    soup_free(&soup);
    return instance;
}

void cast_scene_commit(CastScene *scene)
{
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

CastScene cast_scene_of(Soup soup)
{
    static const sidle_pose as_it_is = {.position = {0, 0, 0}};
    CastScene scene = cast_scene();
    cast_scene_add(&scene, soup, &as_it_is, 7);
    cast_scene_commit(&scene);
    return scene;
}

/* ---- soups ----
 * In these and in casts, no two draws whose order is the compiler's choice: everyone gets the same. */

Soup cast_soup(Random *random, int count, double size, double least_triangle)
{
    Soup soup = {0};
    for (int i = 0; i < count; ++i)
    {
        double edge = random_scale(random, least_triangle, size);
        Vector box = vector(size, size, size), at = random_in_box(random, vector_scale(box, -1), box);
        Vector v[3];
        for (int corner = 2; corner >= 0; --corner)
        {
            v[corner] = vector_along(at, edge, random_direction(random));
        }
        soup_triangle(&soup, v[0], v[1], v[2]);
    }
    soup_round(&soup);
    return soup;
}

Soup cast_needles(Random *random, int count)
{
    Soup soup = {0};
    for (int i = 0; i < count; ++i)
    {
        Vector a = random_in_box(random, vector(-9, -9, -9), vector(9, 9, 9));
        Vector direction = random_direction(random);
        Vector b = vector_along(a, random_scale(random, .01, 10), direction);
        Vector c = vector_along(a, random_between(random, -.2, 1.2), vector_sub(b, a));
        double little = random_scale(random, 1e-6, 1e-3), more = random_scale(random, 1e-3, .1);
        const double off[4] = {0, little, more, 0};
        direction = random_direction(random);
        c = vector_along(c, off[random_below(random, 4)], direction);
        soup_triangle(&soup, a, b, random_chance(random, .1) ? a : c);
    }
    soup_round(&soup);
    return soup;
}

/* ---- casts ---- */

static Vector point_on(Random *random, const Vector v[3])
{
    double s = random_unit(random), t = random_unit(random);
    if (s + t > 1)
    {
        s = 1 - s;
        t = 1 - t;
    }
    switch (random_below(random, 4))
    {
    case 0: /* on an edge */
        t = 0;
        break;
    case 1: /* at a corner */
        s = t = 0;
        break;
    default:
        break;
    }
    int first = (int)random_below(random, 3);
    Vector p = v[first], a = vector_sub(v[(first + 1) % 3], p), b = vector_sub(v[(first + 2) % 3], p);
    return vector_along(vector_along(p, s, a), t, b);
}

static Vector across(Random *random, Vector direction)
{
    return vector_unit(vector_cross(direction, random_direction(random)));
}

/* How far beside the point the path passes, where touching is 1. */
static double offset_drawn(Random *random)
{
    switch (random_below(random, 3))
    {
    case 0:
        return random_between(random, 0, 2);
    case 1:
    {
        int side = random_chance(random, .5) ? 1 : -1;
        return 1 + side * random_scale(random, 1e-8, 1e-2);
    }
    default:
        return random_between(random, 0, 1);
    }
}

static sidle_quat quat_drawn(Random *random)
{
    Vector a = random_direction(random);
    double w = random_between(random, -1, 1);
    return (sidle_quat){(float)a.x, (float)a.y, (float)a.z, (float)w};
}

sidle_cast cast_drawn(Random *random, const CastScene *scene, const CastStyle *style)
{
    const CastTriangle *triangle = &scene->triangles[random_below(random, (uint32_t)scene->count)];
    Vector target = point_on(random, triangle->v), direction = random_direction(random);
    double radius = style->rays ? 0 : random_scale(random, style->least_radius, style->greatest_radius);
    double unit = style->rays ? 1 : radius,
           length = unit * random_scale(random, style->shortest, style->longest);
    sidle_cast cast = {.collides_with = 0};
    if (!style->rays)
    {
        double y = style->aspect > 1 ? random_scale(random, 1, style->aspect) : 1;
        cast.shape.radii = (sidle_vec3){(float)radius, (float)(radius * y), (float)radius};
        if (style->longest_core > 0)
        {
            double half = radius * y * random_scale(random, .01, style->longest_core);
            cast.shape.half_height = (float)fmin(half, SIDLE_MAX_ASPECT * radius);
        }
        /* Not rotated: a shorter code path in the library. */
        if (style->aspect > 1 && random_chance(random, .7))
        {
            cast.rotation = quat_drawn(random);
        }
    }
    /* The contact lies in the middle of the path, before it, behind it, or just at one of its ends. */
    double between = random_between(random, 0, 1), around = random_between(random, -.2, 1.2);
    const double where[4] = {between, around, 1, 0};
    double share = where[random_below(random, 4)];
    if (!style->rays && random_chance(random, .7)) /* not in an overlap with this one */
    {
        share = fmax(share, random_between(random, 1, 1.2) * unit / length);
    }
    double aside = style->rays ? (random_chance(random, .5) ? 0 : random_scale(random, 1e-8, 1e-1))
                               : radius * offset_drawn(random);
    if (random_chance(random, .1)) /* along an axis: exact zeros */
    {
        direction = random_chance(random, .5) ? vector(0, -1, 0) : vector(1, 0, 0);
    }
    Vector origin = vector_along(target, aside, across(random, direction));
    origin = vector_along(origin, -share * length, direction);
    Vector path = vector_scale(direction, length);
    cast.origin = (sidle_position){origin.x, origin.y, origin.z};
    cast.displacement = (sidle_vec3){(float)path.x, (float)path.y, (float)path.z};
    return cast;
}

sidle_cast_hit cast_asked(const CastScene *scene, const sidle_cast *cast)
{
    sidle_cast_hit hit;
    memset(&hit, 0xAA, sizeof hit);
    demand(sidle_cast_closest(scene->snapshot, 0, cast, &hit), "sidle_cast_closest");
    return hit;
}
