#include "crates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF .3 /* of an edge [m]; a crate is higher than a step */

/* No crate stands nearer to an agent than this [m], from centre to centre: its half diagonal, the agent's radius, and a little. */
#define LEAST_DISTANCE (HALF * 1.42 + (double)PATCH_RADIUS + .1)

/* Places for one crate: agents stand at some of them. */
#define TRIES 2

#define CORNERS   8
#define TRIANGLES 12

static const double corners[3 * CORNERS] = {-HALF, -HALF, -HALF, HALF,  -HALF, -HALF, -HALF, HALF,
                                            -HALF, HALF,  HALF,  -HALF, -HALF, -HALF, HALF,  HALF,
                                            -HALF, HALF,  -HALF, HALF,  HALF,  HALF,  HALF,  HALF};
static const uint32_t indices[3 * TRIANGLES] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                                2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static bool touches_agent(const Patch *patch, uint32_t agents, sidle_position place)
{
    for (uint32_t i = 0; i < agents; ++i)
    {
        double x = patch->places[i].x - place.x, z = patch->places[i].z - place.z;
        if (x * x + z * z < LEAST_DISTANCE * LEAST_DISTANCE)
        {
            return true;
        }
    }
    return false;
}

/* Leaves the patch the places of its agents, and puts `count` centres of crates after them. Returns false if there are fewer. */
static bool choose_places(Patch *patch, uint32_t agents, uint32_t count)
{
    uint32_t chosen = 0;
    for (uint32_t i = agents; i < patch->count && chosen < count; ++i)
    {
        sidle_position place = patch->places[i];
        if (!touches_agent(patch, agents, place))
        {
            patch->places[agents + chosen++] =
                (sidle_position){place.x, place.y - (double)PATCH_HEIGHT + HALF, place.z};
        }
    }
    patch->count = agents;
    return chosen == count;
}

static bool place_apart(Crates *crates, Patch *patch, const sidle_position *places, uint32_t count)
{
    sidle_mesh_desc soup = {.size = sizeof soup,
                            .vertices_d = corners,
                            .vertex_count = CORNERS,
                            .triangle_count = TRIANGLES,
                            .indices = indices};
    bool is_good = !sidle_mesh_create(&soup, NULL, NULL, &crates->mesh);
    for (uint32_t i = 0; is_good && i < count; ++i)
    {
        sidle_instance_desc placed = {
            .size = sizeof placed, .mesh = crates->mesh, .pose.position = places[i]};
        sidle_instance instance;
        is_good = !sidle_world_add(patch->world, &placed, &instance);
    }
    return is_good && !sidle_world_commit(patch->world, NULL) &&
           !sidle_world_snapshot(patch->world, &crates->apart);
}

/* Writes the level's triangles and those of the crates. */
static void append_crates(const Level *level, const sidle_position *places, uint32_t count, double *vertices,
                          uint32_t *all)
{
    memcpy(vertices, level->vertices, 3 * (size_t)level->vertex_count * sizeof *vertices);
    memcpy(all, level->indices, 3 * (size_t)level->triangle_count * sizeof *all);
    vertices += 3 * (size_t)level->vertex_count;
    all += 3 * (size_t)level->triangle_count;
    for (uint32_t crate = 0; crate < count; ++crate)
    {
        const double center[3] = {places[crate].x, places[crate].y, places[crate].z};
        for (int i = 0; i < 3 * CORNERS; ++i)
        {
            *vertices++ = center[i % 3] + corners[i];
        }
        for (int i = 0; i < 3 * TRIANGLES; ++i)
        {
            *all++ = level->vertex_count + crate * CORNERS + indices[i];
        }
    }
}

static bool place_merged(Crates *crates, const Level *level, const sidle_position *places, uint32_t count)
{
    uint32_t vertex_count = level->vertex_count + count * CORNERS;
    uint32_t triangle_count = level->triangle_count + count * TRIANGLES;
    double *vertices = malloc(3 * (size_t)vertex_count * sizeof *vertices);
    uint32_t *all = malloc(3 * (size_t)triangle_count * sizeof *all);
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    bool is_good = vertices && all;
    if (is_good)
    {
        append_crates(level, places, count, vertices, all);
        sidle_mesh_desc soup = {.size = sizeof soup,
                                .vertices_d = vertices,
                                .vertex_count = vertex_count,
                                .triangle_count = triangle_count,
                                .indices = all};
        is_good = !sidle_mesh_create(&soup, NULL, NULL, &crates->merged_mesh);
    }
    free(vertices);
    free(all);
    placed.mesh = crates->merged_mesh;
    return is_good && !sidle_world_create(NULL, NULL, &crates->merged_world) &&
           !sidle_world_add(crates->merged_world, &placed, &instance) &&
           !sidle_world_commit(crates->merged_world, NULL) &&
           !sidle_world_snapshot(crates->merged_world, &crates->merged);
}

bool crates_place(Crates *crates, Patch *patch, uint32_t agents, uint32_t count)
{
    *crates = (Crates){.mesh = NULL};
    if (!patch_spread(patch, agents + TRIES * count, INFINITY))
    {
        return false;
    }
    const sidle_position *places = patch->places + agents;
    if (!choose_places(patch, agents, count) || !place_apart(crates, patch, places, count) ||
        !place_merged(crates, &patch->level, places, count))
    {
        fprintf(stderr, "%s: %u crates cannot be placed\n", patch->level.name, (unsigned)count);
        crates_remove(crates);
        return false;
    }
    return true;
}

void crates_remove(Crates *crates)
{
    sidle_snapshot_release(crates->apart);
    sidle_snapshot_release(crates->merged);
    sidle_world_destroy(crates->merged_world);
    sidle_mesh_release(crates->merged_mesh);
    sidle_mesh_release(crates->mesh);
    *crates = (Crates){.mesh = NULL};
}
