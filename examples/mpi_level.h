/* Where the crowd of mpi_crowd.c walks: a square of blocks with walls around it, and the agents. It does not
 * depend on ranks: any part of the level can be built without the rest. */
#ifndef MPI_LEVEL_H
#define MPI_LEVEL_H

#include "courtyard.h"

#include <stdint.h>
#include <string.h>

#define HZ    60
#define BLOCK 8. /* metres: the edge of a block, a square of floor with a pillar */
#define SLOTS 96 /* places for agents in a block: 1.5 a square metre */

static const float RADII[2] = {.35f, .3f}, HEIGHTS[2] = {.9f, .8f};

static inline sidle_position block_middle(int blocks, int block)
{
    return (sidle_position){BLOCK * (block % blocks + .5), 0, BLOCK * (block / blocks + .5)};
}

static inline sidle_mesh *mesh_of(const float *vertices, const float *end)
{
    sidle_mesh_desc soup = {.size = sizeof soup, .vertices_f = vertices};
    sidle_mesh *mesh;
    soup.vertex_count = (uint32_t)(end - vertices) / 3;
    soup.triangle_count = soup.vertex_count / 3;
    must(sidle_mesh_create(&soup, NULL, NULL, &mesh));
    return mesh;
}

/* A block, a wall across x, a wall across z. */
static inline sidle_mesh *level_mesh(int which)
{
    static sidle_mesh *meshes[3]; /* for the whole run */
    const float h = (float)BLOCK / 2;
    float block[18 + 72] = {-h, 0, -h, -h, 0, h, h, 0, h, -h, 0, -h, h, 0, h, h, 0, -h};
    const float wall_x[18] = {0, 0, -h, 0, 0, h, 0, 3, h, 0, 0, -h, 0, 3, h, 0, 3, -h};
    const float wall_z[18] = {-h, 0, 0, h, 0, 0, h, 3, 0, -h, 0, 0, h, 3, 0, -h, 3, 0};
    if (!meshes[0])
    {
        meshes[0] = mesh_of(block, courtyard_box(block + 18, 0, 0, .5f, .5f, 3));
        meshes[1] = mesh_of(wall_x, wall_x + 18);
        meshes[2] = mesh_of(wall_z, wall_z + 18);
    }
    return meshes[which];
}

/* Adds a block and, where the level ends, its walls. */
static inline void add_block(sidle_world *world, int blocks, int block)
{
    const int x = block % blocks, z = block / blocks;
    const int exists[5] = {1, x == 0, x == blocks - 1, z == 0, z == blocks - 1};
    sidle_instance_desc placed = {.size = sizeof placed, .key = 5 * (uint64_t)block};
    for (int i = 0; i < 5; ++i, ++placed.key)
    {
        sidle_instance instance;
        placed.mesh = level_mesh((i + 1) / 2);
        placed.pose.position = block_middle(blocks, block);
        placed.pose.position.x += i == 1 ? -BLOCK / 2 : i == 2 ? BLOCK / 2 : 0;
        placed.pose.position.z += i == 3 ? -BLOCK / 2 : i == 4 ? BLOCK / 2 : 0;
        if (exists[i])
            must(sidle_world_add(world, &placed, &instance));
    }
}

static inline sidle_crowd *make_crowd(void)
{
    sidle_profile profiles[2];
    sidle_crowd_desc people = {.size = sizeof people, .profiles = profiles, .profile_count = 2};
    sidle_crowd *crowd;
    for (int i = 0; i < 2; ++i)
        profiles[i] =
            (sidle_profile){.size = sizeof *profiles, .shape.radii = {RADII[i], HEIGHTS[i], RADII[i]}};
    must(sidle_crowd_create(&people, NULL, &crowd));
    return crowd;
}

static inline uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
    return x ^ x >> 32;
}

/* The displacement of an agent depends on its id and the tick alone: another heading each second, .8 to 1.8 m/s. */
static inline void wish(sidle_move *move, uint64_t tick)
{
    uint64_t random = mix(move->id << 24 ^ (tick + move->id % HZ) / HZ);
    double h = (double)(random & 0xFFFF) / 32768 - 1, speed = .8 + (double)(random >> 16 & 0xFFFF) / 65536;
    double step = (random >> 63 ? -speed : speed) / HZ / (1 + h * h);
    move->displacement = (sidle_vec3){(float)((1 - h * h) * step), 0, (float)(2 * h * step)};
}

/* The agents that begin in a block, on a grid of .8 m around the pillar. All blocks have as many, give or take one. Returns
 * how many. */
static inline uint32_t fill_block(int blocks, int block, uint64_t agents, sidle_move moves[SLOTS])
{
    uint64_t all = (uint64_t)blocks * (uint64_t)blocks, index = (uint64_t)block;
    uint64_t first = agents * index / all, end = agents * (index + 1) / all;
    uint32_t count = 0;
    for (uint32_t i = 0; i < 100 && count < end - first; ++i)
    {
        uint32_t slot = i * 37 % 100, x = slot % 10, z = slot / 10;
        if ((x == 4 || x == 5) && (z == 4 || z == 5)) /* in the pillar */
            continue;
        sidle_move *move = &moves[count];
        *move = (sidle_move){.id = first + count++};
        move->profile = move->id % 2;
        move->mass = (float)(1 + move->id % 3);
        move->body.center = block_middle(blocks, block);
        move->body.center.x += .8 * x - 3.6;
        move->body.center.y = 1.02 * (double)HEIGHTS[move->profile];
        move->body.center.z += .8 * z - 3.6;
        wish(move, 0);
    }
    return count;
}

#endif
