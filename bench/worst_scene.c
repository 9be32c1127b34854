#include "worst_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TRIANGLES 20000u
#define MAX_INSTANCES 256u
#define MAX_SAMPLES   64u /* of a height field, along each side */

/* Of eight scenes, by their seeds: one of a height field, one of agents that collide, one of both. */
enum
{
    SEED_KINDS = 8,
    SEED_COLLIDES = 1,
    SEED_FIELD = 3,
    SEED_BOTH = 7
};

/* Splitmix64. */
static uint64_t next(Random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t below(Random *random, uint32_t count)
{
    return (uint32_t)(next(random) % count);
}

static float between(Random *random, float low, float high)
{
    return low + (high - low) * ((float)(next(random) >> 40) / 16777216.0f);
}

/* Evenly in the logarithm. */
static float scale_between(Random *random, float low, float high)
{
    return expf(between(random, logf(low), logf(high)));
}

static sidle_vec3 ball_of(Random *random, float radius)
{
    sidle_vec3 v = {between(random, -1, 1), between(random, -1, 1), between(random, -1, 1)};
    float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) + 1e-6f, share = radius / length;
    return (sidle_vec3){v.x * share, v.y * share, v.z * share};
}

static sidle_quat turn_of(Random *random)
{
    return (sidle_quat){between(random, -1, 1), between(random, -1, 1), between(random, -1, 1),
                        between(random, -1, 1)};
}

/* ---- meshes ---- */

static void put(float *vertex, sidle_vec3 center, sidle_vec3 offset)
{
    vertex[0] = center.x + offset.x;
    vertex[1] = center.y + offset.y;
    vertex[2] = center.z + offset.z;
}

static void put_triangle(Random *random, uint32_t kind, float extent, float size, float *v)
{
    sidle_vec3 center = {between(random, -extent, extent), between(random, -extent, extent),
                         between(random, -extent, extent)};
    size = kind == 4 ? scale_between(random, size * .01f, size * 100) : size;
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        put(v + 3 * corner, center, ball_of(random, size));
    }
    if (kind == 1) /* a sliver */
    {
        float share = between(random, 0, 1), width = scale_between(random, 1e-7f, 1e-2f) * size;
        sidle_vec3 beside = ball_of(random, width);
        put(v + 6,
            (sidle_vec3){v[0] + (v[3] - v[0]) * share, v[1] + (v[4] - v[1]) * share,
                         v[2] + (v[5] - v[2]) * share},
            beside);
    }
    if (kind == 2) /* level, a pile of floors */
    {
        v[1] = v[4] = v[7] = center.y;
    }
    if (kind == 5) /* a fan around the middle */
    {
        put(v, (sidle_vec3){0, 0, 0}, (sidle_vec3){0, 0, 0});
    }
}

/* 12 triangles. */
static void put_box(Random *random, float extent, float size, float *v)
{
    static const uint8_t corners[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    sidle_vec3 center = {between(random, -extent, extent), between(random, -extent, extent),
                         between(random, -extent, extent)};
    sidle_vec3 half = {between(random, .1f, 1) * size, between(random, .1f, 1) * size,
                       between(random, .1f, 1) * size};
    for (uint32_t i = 0; i < 36; ++i)
    {
        uint32_t c = corners[i];
        put(v + 3 * i, center,
            (sidle_vec3){c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z});
    }
}

#define BOXES 6 /* the last kind */

static void fill_mesh(Random *random, Scene *scene, float *vertices)
{
    static const char *const names[] = {"soup", "slivers", "floors", "copies", "mixed", "fan", "boxes"};
    static const uint32_t counts[] = {12, 100, 400, 1000, 2000, 4000, 6000, 20000};
    uint32_t kind = below(random, 7), count = counts[below(random, 8)], made;
    float size = scene->extent * scale_between(random, .003f, 3);
    snprintf(scene->kind, sizeof scene->kind, "%s of size %.3g", names[kind], (double)size);
    uint32_t copies = kind == 3 ? 1 + below(random, 64) : 1;
    for (made = 0; kind != BOXES && made < count; ++made)
    {
        if (made % copies != 0)
        {
            memcpy(vertices + 9 * (size_t)made, vertices + 9 * (size_t)(made - 1), 9 * sizeof *vertices);
            continue;
        }
        put_triangle(random, kind, scene->extent, size, vertices + 9 * (size_t)made);
    }
    for (; kind == BOXES && made + 12 <= count; made += 12)
    {
        put_box(random, scene->extent, size, vertices + 9 * (size_t)made);
    }
    scene->triangles = made;
}

/* ---- worlds ---- */

static bool add_instances(Random *random, Scene *scene)
{
    bool many = below(random, 3) == 0, moves = below(random, 3) == 0;
    scene->instances = many ? 2 + below(random, MAX_INSTANCES - 2) : 1;
    float room = many ? scene->extent * between(random, 0, 2) : 0, speed = scale_between(random, .001f, 3);
    for (uint32_t i = 0; i < scene->instances; ++i)
    {
        sidle_vec3 at = ball_of(random, room);
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = scene->mesh, .key = i};
        desc.pose.position = (sidle_position){(double)at.x, (double)at.y, (double)at.z};
        if (many && below(random, 2))
        {
            desc.pose.rotation = turn_of(random);
            float scale = scale_between(random, .1f, 3);
            desc.pose.scale = (sidle_vec3){scale, scale, scale};
        }
        sidle_instance instance;
        if (sidle_world_add(scene->world, &desc, &instance))
        {
            return false;
        }
        if (moves && below(random, 2))
        {
            sidle_pose to = desc.pose;
            sidle_vec3 path = ball_of(random, speed * scene->extent);
            to.position.x += (double)path.x, to.position.y += (double)path.y, to.position.z += (double)path.z;
            to.rotation = below(random, 2) ? turn_of(random) : to.rotation;
            scene->moving += !sidle_world_move(scene->world, instance, &desc.pose, &to);
        }
    }
    return true;
}

/* Rough ground around the middle, with holes in some. */
static bool make_field(Random *random, Scene *scene)
{
    float heights[MAX_SAMPLES * MAX_SAMPLES];
    uint8_t surfaces[(MAX_SAMPLES - 1) * (MAX_SAMPLES - 1)] = {0};
    uint32_t columns = 2 + below(random, MAX_SAMPLES - 1), rows = 2 + below(random, MAX_SAMPLES - 1);
    float rough = scene->extent * scale_between(random, .001f, 1);
    for (uint32_t i = 0; i < columns * rows; ++i)
    {
        heights[i] = between(random, -rough, rough);
    }
    for (uint32_t holes = below(random, 2) * below(random, 100); holes > 0; --holes)
    {
        surfaces[below(random, (columns - 1) * (rows - 1))] = SIDLE_FIELD_HOLE;
    }
    float step = scene->extent * scale_between(random, .003f, 1);
    sidle_field_desc field = {.size = sizeof field,
                              .heights_f = heights,
                              .columns = columns,
                              .rows = rows,
                              .spacing_x = step,
                              .spacing_z = step * scale_between(random, .1f, 1),
                              .surfaces = surfaces};
    field.origin.x = (double)field.spacing_x * (columns - 1) / -2;
    field.origin.z = (double)field.spacing_z * (rows - 1) / -2;
    scene->triangles = 2 * (columns - 1) * (rows - 1);
    snprintf(scene->kind, sizeof scene->kind, "a field of steps of %.3g", (double)step);
    return !sidle_mesh_create_field(&field, NULL, &scene->mesh);
}

static bool make_triangles(Random *random, Scene *scene)
{
    float *vertices = malloc(9 * (size_t)MAX_TRIANGLES * sizeof *vertices);
    if (!vertices)
    {
        return false;
    }
    fill_mesh(random, scene, vertices);
    sidle_mesh_desc mesh = {.size = sizeof mesh, .vertices_f = vertices};
    mesh.vertex_count = 3 * scene->triangles;
    mesh.triangle_count = scene->triangles;
    bool is_good = !sidle_mesh_create(&mesh, NULL, NULL, &scene->mesh);
    free(vertices);
    return is_good;
}

static bool make_world(Random *random, Scene *scene)
{
    uint32_t seed_kind = scene->seed % SEED_KINDS;
    bool is_field = seed_kind == SEED_FIELD || seed_kind == SEED_BOTH;
    sidle_world_desc world = {.size = sizeof world};
    return (is_field ? make_field(random, scene) : make_triangles(random, scene)) &&
           !sidle_world_create(&world, NULL, &scene->world) && add_instances(random, scene) &&
           !sidle_world_commit(scene->world, NULL) && !sidle_world_snapshot(scene->world, &scene->snapshot);
}

/* ---- agents ---- */

static bool make_crowd(Random *random, Scene *scene, uint32_t lanes)
{
    static const float skins[] = {0, 0, .005f, .1f},
                       times[] = {1 / 240.0f, 1 / 60.0f, 1 / 60.0f, 1 / 30.0f, 1};
    sidle_profile *profile = &scene->profile;
    float radius = scale_between(random, .05f, 2),
          aspect = scale_between(random, 1, below(random, 4) ? 3 : 100);
    *profile = (sidle_profile){.size = sizeof *profile, .mode = below(random, 3)};
    profile->shape.radii = (sidle_vec3){radius, radius, radius};
    switch (below(random, 3))
    {
    case 0:
        profile->shape.radii.y *= aspect;
        profile->shape.radii.x *= scale_between(random, 1, aspect);
        break;
    case 1:
        profile->shape.half_height = radius * aspect * .999f;
        break;
    default:
        break;
    }
    profile->skin = skins[below(random, 4)];
    profile->flags = below(random, 3) ? 0 : below(random, 16);
    profile->step_up = below(random, 4) ? 0 : scene->extent * between(random, 0, 1);
    profile->step_down = below(random, 4) ? 0 : scene->extent * between(random, 0, 1);
    profile->recovery_speed = below(random, 2) ? 0 : scale_between(random, .01f, 1e4f);
    profile->max_slope_cos = below(random, 2) ? 0 : between(random, .01f, 1);
    scene->dt = times[below(random, 5)];
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profile, .profile_count = 1, .lanes = lanes};
    return !sidle_crowd_create(&desc, NULL, &scene->crowd);
}

sidle_move scene_draw_move(Random *random, const Scene *scene, uint64_t id)
{
    float radius = scene->profile.shape.radii.x, limit = (float)SIDLE_MAX_PATH * .2f;
    radius = fminf(radius, fminf(scene->profile.shape.radii.y, scene->profile.shape.radii.z));
    sidle_vec3 at = ball_of(random, scene->extent * between(random, 0, 1.2f));
    sidle_move move = {.id = id};
    move.body.center = (sidle_position){(double)at.x, (double)at.y, (double)at.z};
    float least = below(random, 3) ? .01f : 10, most = below(random, 3) ? 1 : limit;
    move.displacement = ball_of(random, radius * scale_between(random, least, fmaxf(most, least * 2)));
    move.body.velocity =
        ball_of(random, radius / scene->dt * scale_between(random, .01f, below(random, 3) ? 1 : limit));
    move.body.flags = below(random, 2) ? SIDLE_BODY_GROUNDED : 0;
    move.rotation = below(random, 4) ? move.rotation : turn_of(random);
    return move;
}

bool scene_open(uint64_t seed, uint32_t lanes, Random *random, Scene *scene)
{
    *random = (Random){seed * 0x9e3779b97f4a7c15u};
    *scene = (Scene){.seed = seed, .extent = scale_between(random, .3f, 30)};
    scene->collide = seed % SEED_KINDS == SEED_COLLIDES || seed % SEED_KINDS == SEED_BOTH;
    return make_world(random, scene) && make_crowd(random, scene, lanes);
}

void scene_close(Scene *scene)
{
    sidle_crowd_destroy(scene->crowd);
    sidle_snapshot_release(scene->snapshot);
    sidle_world_destroy(scene->world);
    sidle_mesh_release(scene->mesh);
}
