#include "agents.h"

#include "console.h"
#include "random.h"
#include "scene.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Distances in ellipsoid space, where the shape's surface is at 1. Every triangle must be FREE_DISTANCE
 * away, which is beyond the default skin of 2 %. The triangle below the agent is START_DISTANCE away at
 * first. */
#define FREE_DISTANCE  1.021
#define START_DISTANCE 1.022

/* Beside a kerb or on a bump, the shape must stand higher than its own triangle requires. */
#define LIFT_STEPS 4
#define LIFT       .25 /* of the radius upwards, each */

/* Least distance from the end of an open level, so that no agent stands on the wall around it. */
#define EDGE_RADII  4.0
#define EDGE_METRES 1.5

/* The first half of the tries for one agent accepts only places that are surely inside of the level. In a
 * building whose storeys are single sheets, everything below the roof seems to be inside of something
 * solid. There the second half of the tries accepts any free place. */
#define TRIES        2000
#define SURVEY_TRIES 500

#define SLICE 65536u /* agents between two updates of the progress bar */

typedef struct Spawner
{
    const SpawnDesc *desc;
    Agents *agents;
    uint32_t slice_begin;
    uint32_t *triangles; /* the walkable ones */
    double *area_until;  /* the sum of their areas up to and with each */
    uint32_t triangle_count;
    bool is_roofed; /* a place under the open sky is outside */
    bool knows_inside;
    atomic_bool failed;
} Spawner;

/* splitmix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014). Every
 * agent has a stream of its own, so its place does not depend on the thread that searches for it. */
static double next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static sidle_position vertex(const Level *level, uint32_t triangle, int corner)
{
    const double *v = &level->vertices[3 * (size_t)level->indices[3 * (size_t)triangle + (size_t)corner]];
    return (sidle_position){v[0], v[1], v[2]};
}

/* Twice the area along the front's normal. */
static sidle_position area_vector(const Level *level, uint32_t triangle)
{
    sidle_position a = vertex(level, triangle, 0), b = vertex(level, triangle, 1),
                   c = vertex(level, triangle, 2);
    sidle_position p = {b.x - a.x, b.y - a.y, b.z - a.z}, q = {c.x - a.x, c.y - a.y, c.z - a.z};
    return (sidle_position){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

static double length_of(sidle_position v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static bool list_walkable(Spawner *spawner)
{
    const Level *level = spawner->desc->level;
    double area = 0;
    spawner->triangles = malloc(level->triangle_count * sizeof *spawner->triangles);
    spawner->area_until = malloc(level->triangle_count * sizeof *spawner->area_until);
    if (!spawner->triangles || !spawner->area_until)
    {
        return false;
    }
    for (uint32_t i = 0; i < level->triangle_count; i++)
    {
        sidle_position normal = area_vector(level, i);
        double length = length_of(normal);
        if (length > 0 && normal.y >= WALKABLE_COS * length)
        {
            area += .5 * length;
            spawner->triangles[spawner->triangle_count] = i;
            spawner->area_until[spawner->triangle_count++] = area;
        }
    }
    return true;
}

static uint32_t pick_triangle(const Spawner *spawner, double random)
{
    double area = random * spawner->area_until[spawner->triangle_count - 1];
    uint32_t low = 0, high = spawner->triangle_count - 1;
    while (low < high)
    {
        uint32_t middle = low + (high - low) / 2;
        if (spawner->area_until[middle] > area)
        {
            high = middle;
        }
        else
        {
            low = middle + 1;
        }
    }
    return spawner->triangles[low];
}

static sidle_position pick_point(const Level *level, uint32_t triangle, double random, double other)
{
    sidle_position a = vertex(level, triangle, 0), b = vertex(level, triangle, 1),
                   c = vertex(level, triangle, 2);
    double root = sqrt(random);
    double u = root * (1 - other), v = root * other;
    return (sidle_position){a.x + u * (b.x - a.x) + v * (c.x - a.x), a.y + u * (b.y - a.y) + v * (c.y - a.y),
                            a.z + u * (b.z - a.z) + v * (c.z - a.z)};
}

/* Returns the centre's height above a point of a slope when the shape, grown to `distance`, touches the
 * slope. */
static double height_above_slope(sidle_vec3 radii, sidle_position normal, double distance)
{
    sidle_position support = {(double)radii.x * normal.x, (double)radii.y * normal.y,
                              (double)radii.z * normal.z};
    return distance * length_of(support) / normal.y;
}

/* Returns true if the level has nothing above or below: the place is beyond its rim. */
static bool is_bottomless(const Spawner *spawner, double x, double z)
{
    sidle_position below = {x, check_lowest(spawner->desc->grid) - 1, z};
    return !check_above(spawner->desc->grid, below).hit;
}

/* Returns true on top of the wall around an open level, and so near to an open edge that the first steps
 * would lead over it. */
static bool is_at_edge(const Spawner *spawner, sidle_position center)
{
    static const double around[8][2] = {{1, 0},  {.7, .7},   {0, 1},  {-.7, .7},
                                        {-1, 0}, {-.7, -.7}, {0, -1}, {.7, -.7}};
    double distance = fmax(EDGE_RADII * (double)spawner->desc->shape.radii.x, EDGE_METRES);
    for (int i = 0; i < 8; i++)
    {
        if (is_bottomless(spawner, center.x + distance * around[i][0], center.z + distance * around[i][1]))
        {
            return true;
        }
    }
    return false;
}

/* Inside a solid, the triangle above shows its back. Beyond the shell of a roofed level there is nothing
 * above; beyond the rim of an open one, nothing below. */
static bool is_inside_level(const Spawner *spawner, sidle_position center)
{
    CheckHit above = check_above(spawner->desc->grid, center);
    if (above.hit && !above.faces_down)
    {
        return false;
    }
    return spawner->is_roofed ? above.hit : !is_at_edge(spawner, center);
}

/* Accepts any free place, inside of the level or not. */
static bool try_place(const Spawner *spawner, uint64_t *random, sidle_position *out)
{
    const SpawnDesc *desc = spawner->desc;
    sidle_vec3 radii = desc->shape.radii;
    uint32_t triangle = pick_triangle(spawner, next_random(random));
    double u = next_random(random), v = next_random(random);
    sidle_position foot = pick_point(desc->level, triangle, u, v);
    sidle_position normal = area_vector(desc->level, triangle);
    double height = height_above_slope(radii, normal, START_DISTANCE) + (double)desc->shape.half_height;
    for (int step = 0; step <= LIFT_STEPS; step++)
    {
        sidle_position center = {foot.x, foot.y + height + step * LIFT * (double)radii.y, foot.z};
        if (check_crosses(desc->grid, foot, center))
        {
            return false;
        }
        if (check_is_free(desc->grid, center, desc->shape, FREE_DISTANCE))
        {
            *out = center;
            return true;
        }
    }
    return false;
}

static bool place_agent(const Spawner *spawner, uint32_t id, Agent *agent)
{
    uint32_t seed = spawner->desc->seed;
    uint64_t random = (uint64_t)hash_mix(seed) << 32 | id;
    *agent = (Agent){.seed = hash_mix(seed + id * 0x9E3779B9u)};
    for (int i = 0; i < TRIES; i++)
    {
        if (try_place(spawner, &random, &agent->start) &&
            (!spawner->knows_inside || i >= TRIES / 2 || is_inside_level(spawner, agent->start)))
        {
            return true;
        }
    }
    return false;
}

/* Finds out from some places whether most of them have a ceiling, as in a dungeon but not in a city, and
 * whether any of them counts as inside. */
static void survey_places(Spawner *spawner)
{
    sidle_position centers[SURVEY_TRIES];
    uint64_t random = spawner->desc->seed;
    uint32_t placed = 0, roofed = 0, inside = 0;
    for (int i = 0; i < SURVEY_TRIES; i++)
    {
        if (try_place(spawner, &random, &centers[placed]))
        {
            CheckHit above = check_above(spawner->desc->grid, centers[placed++]);
            roofed += above.hit && above.faces_down;
        }
    }
    spawner->is_roofed = 2 * roofed > placed;
    for (uint32_t i = 0; i < placed; i++)
    {
        inside += is_inside_level(spawner, centers[i]);
    }
    spawner->knows_inside = inside > 0;
}

static void place_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Spawner *spawner = context;
    (void)worker;
    for (uint32_t i = begin; i < end && !atomic_load_explicit(&spawner->failed, memory_order_relaxed); i++)
    {
        uint32_t id = spawner->slice_begin + i;
        if (!place_agent(spawner, id, &spawner->agents->list[id]))
        {
            atomic_store_explicit(&spawner->failed, true, memory_order_relaxed);
        }
    }
}

static bool place_all(Spawner *spawner, char *message, int message_size)
{
    const SpawnDesc *desc = spawner->desc;
    Progress progress;
    survey_places(spawner);
    progress_begin(&progress, "spawning", desc->count);
    for (uint32_t begin = 0; begin < desc->count && !spawner->failed; begin += SLICE)
    {
        uint32_t left = desc->count - begin;
        spawner->slice_begin = begin;
        run_parallel(desc->jobs, "spawn", left < SLICE ? left : SLICE, 64, place_range, spawner);
        progress_update(&progress, begin);
    }
    progress_end(&progress);
    return !spawner->failed ||
           explain(message, message_size,
                   "%s has too little room: %d tries found no walkable place that is free "
                   "for an agent of this shape",
                   desc->level->name, TRIES);
}

bool agents_spawn(const SpawnDesc *desc, Agents *agents, char *message, int message_size)
{
    Spawner spawner = {.desc = desc, .agents = agents};
    bool good = false;
    *agents = (Agents){.list = malloc(desc->count * sizeof(Agent)), .shapes = malloc(sizeof(sidle_shape))};
    if (!agents->list || !agents->shapes || !list_walkable(&spawner))
    {
        explain(message, message_size, "Not enough memory for %u agents", desc->count);
    }
    else if (spawner.triangle_count == 0)
    {
        explain(message, message_size,
                "%s has no triangle that faces up and is at most 45 degrees steep; is its up axis another "
                "(--up)?",
                desc->level->name);
    }
    else
    {
        good = place_all(&spawner, message, message_size);
    }
    free(spawner.triangles);
    free(spawner.area_until);
    if (!good)
    {
        agents_free(agents);
        return false;
    }
    agents->count = agents->capacity = desc->count;
    agents->shapes[0] = desc->shape;
    agents->shape_count = agents->shape_capacity = 1;
    return true;
}
