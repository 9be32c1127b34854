/* Searches for the move that takes longest: worst_move [--seed N] [--scenes N] [--seconds N] [--lanes N]
 * [--over US].
 *
 * Scenes are triangles and boxes that no level would hold, shapes of every kind and requests up to the
 * limits. Every move is a tick of its own. A long one runs up to MOST_REPEATS times, and the least time
 * counts. A shared machine can be slow for seconds, so at the end the scenes of the longest moves run once more,
 * and the lesser time counts. Then the program prints each new worst move with its scene's seed; --seed N --scenes 1
 * runs that scene again. It fails if a move takes longer than --over. */
#include "sidle/sidle.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_TRIANGLES 20000u
#define MAX_INSTANCES 256u
#define AGENTS        6
#define TICKS         5 /* in a row: a stuck agent stays stuck */
#define LEAST_REPEATS 3
#define MOST_REPEATS  12 /* of what would be a new worst */
#define KEPT          64 /* scenes of the longest moves */

typedef struct Random
{
    uint64_t state;
} Random;

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

typedef struct Scene
{
    uint64_t seed;
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    sidle_profile profile;
    float extent, dt;
    uint32_t triangles, instances, moving;
    char kind[48];
} Scene;

typedef struct Worst
{
    double microseconds;
    uint64_t seed, moves;
} Worst;

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

static bool make_world(Random *random, Scene *scene)
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
    sidle_world_desc world = {.size = sizeof world};
    bool is_good = !sidle_mesh_create(&mesh, NULL, NULL, &scene->mesh) &&
                   !sidle_world_create(&world, NULL, &scene->world) && add_instances(random, scene) &&
                   !sidle_world_commit(scene->world, NULL) &&
                   !sidle_world_snapshot(scene->world, &scene->snapshot);
    free(vertices);
    return is_good;
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

static sidle_move make_move(Random *random, const Scene *scene, uint64_t id)
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

/* ---- measuring ---- */

/* Microseconds. */
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static double time_tick(const Scene *scene, const sidle_tick_desc *tick, double worst)
{
    double least = INFINITY;
    for (int i = 0; i < LEAST_REPEATS || (i < MOST_REPEATS && least > worst); ++i)
    {
        double begin = now();
        sidle_crowd_tick(scene->crowd, tick);
        least = fmin(least, now() - begin);
    }
    return least;
}

static void print_move(const Scene *scene, const sidle_tick_desc *tick, double microseconds)
{
    sidle_stats s = {.size = sizeof s};
    sidle_tick_desc counted = *tick;
    counted.stats = &s;
    sidle_crowd_tick(scene->crowd, &counted);
    const sidle_move *move = tick->moves;
    const sidle_profile *p = &scene->profile;
    sidle_vec3 d = move->displacement, v = move->body.velocity;
    printf("%9.1f us  seed %llu agent %llu: %s in %.3g, %u triangles x %u instances, %u moving\n"
           "             radii %.3g %.3g %.3g half_height %.3g mode %u flags %u skin %.3g dt %.3g, path %.3g "
           "+ %.3g\n"
           "             reasons %u, gathers %llu candidates %llu exact %llu sweeps %llu tested %llu "
           "full_price %llu\n",
           microseconds, (unsigned long long)scene->seed, (unsigned long long)move->id, scene->kind,
           (double)scene->extent, scene->triangles, scene->instances, scene->moving, (double)p->shape.radii.x,
           (double)p->shape.radii.y, (double)p->shape.radii.z, (double)p->shape.half_height, p->mode,
           p->flags, (double)p->skin, (double)scene->dt, (double)sqrtf(d.x * d.x + d.y * d.y + d.z * d.z),
           (double)(scene->dt * sqrtf(v.x * v.x + v.y * v.y + v.z * v.z)), tick->results->reasons,
           (unsigned long long)s.gathers, (unsigned long long)s.candidates, (unsigned long long)s.exact,
           (unsigned long long)s.sweeps, (unsigned long long)s.tested, (unsigned long long)s.full_price);
    fflush(stdout);
}

static void run_moves(Random *random, const Scene *scene, bool prints, Worst *worst)
{
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
    sidle_result result;
    for (uint32_t agent = 0; agent < AGENTS; ++agent)
    {
        sidle_move move = make_move(random, scene, agent);
        sidle_tick_desc tick = {.size = sizeof tick,
                                .snapshot = scene->snapshot,
                                .dt = scene->dt,
                                .moves = &move,
                                .count = 1,
                                .results = &result,
                                .contacts = contacts,
                                .contact_capacity = SIDLE_MAX_AGENT_CONTACTS};
        for (uint32_t i = 0; i < TICKS; ++i)
        {
            double microseconds = time_tick(scene, &tick, worst->microseconds);
            ++worst->moves;
            if (microseconds > worst->microseconds)
            {
                *worst = (Worst){microseconds, scene->seed, worst->moves};
                if (prints)
                {
                    print_move(scene, &tick, microseconds);
                }
            }
            move.body = result.body;
            move.body.flags &= (uint16_t)~SIDLE_BODY_INVALID;
        }
    }
}

/* Changes `worst` if a move of this scene takes longer. */
static bool run_scene(uint64_t seed, uint32_t lanes, bool prints, Worst *worst)
{
    Random random = {seed * 0x9e3779b97f4a7c15u};
    Scene scene = {.seed = seed, .extent = scale_between(&random, .3f, 30)};
    bool is_good = make_world(&random, &scene) && make_crowd(&random, &scene, lanes);
    if (is_good)
    {
        run_moves(&random, &scene, prints, worst);
    }
    sidle_crowd_destroy(scene.crowd);
    sidle_snapshot_release(scene.snapshot);
    sidle_world_destroy(scene.world);
    sidle_mesh_release(scene.mesh);
    return is_good;
}

/* In order, the longest first. The last one makes room. */
static void keep(Worst *kept, Worst found)
{
    uint32_t at = KEPT - 1;
    for (; at > 0 && kept[at - 1].microseconds < found.microseconds; --at)
    {
        kept[at] = kept[at - 1];
    }
    kept[at] = found;
}

/* Fills `kept`. Returns false if a scene cannot be made. */
static bool search(uint64_t seed, uint64_t scenes, double seconds, uint32_t lanes, Worst *kept)
{
    uint64_t moves = 0;
    double begin = now();
    for (uint64_t i = 0; i < scenes && now() - begin < seconds * 1e6; ++i)
    {
        double least = kept[KEPT - 1].microseconds;
        Worst worst = {.microseconds = least};
        if (!run_scene(seed + i, lanes, false, &worst))
        {
            fprintf(stderr, "worst_move: the scene of seed %llu cannot be made\n",
                    (unsigned long long)(seed + i));
            return false;
        }
        moves += worst.moves;
        if (worst.microseconds > least)
        {
            keep(kept, worst);
        }
    }
    printf("%llu moves\n", (unsigned long long)moves);
    return true;
}

/* Runs the kept scenes again, as long as one could hold the worst move. */
static Worst worst_of(const Worst *kept, uint32_t lanes)
{
    Worst worst = {0};
    for (uint32_t i = 0; i < KEPT && kept[i].microseconds > worst.microseconds; ++i)
    {
        Worst again = worst;
        run_scene(kept[i].seed, lanes, true, &again);
        if (again.microseconds > worst.microseconds)
        {
            again.microseconds = fmin(again.microseconds, kept[i].microseconds);
            worst = again;
        }
    }
    return worst;
}

int main(int count, char **words)
{
    double seconds = 60, over = INFINITY;
    uint64_t seed = 1, scenes = UINT64_MAX;
    uint32_t lanes = 0;
    for (int i = 1; i + 1 < count; i += 2)
    {
        double value = atof(words[i + 1]);
        seed = strcmp(words[i], "--seed") ? seed : (uint64_t)value;
        scenes = strcmp(words[i], "--scenes") ? scenes : (uint64_t)value;
        seconds = strcmp(words[i], "--seconds") ? seconds : value;
        lanes = strcmp(words[i], "--lanes") ? lanes : (uint32_t)value;
        over = strcmp(words[i], "--over") ? over : value;
    }
    Worst kept[KEPT] = {0};
    if (!search(seed, scenes, seconds, lanes, kept))
    {
        return 2;
    }
    Worst worst = worst_of(kept, lanes);
    printf("the worst %.1f us, of seed %llu\n", worst.microseconds, (unsigned long long)worst.seed);
    return worst.microseconds > over;
}
