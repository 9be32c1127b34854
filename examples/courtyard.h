/* Where the examples take place: a courtyard with four walls and two pillars, and people. */
#ifndef COURTYARD_H
#define COURTYARD_H

#include <sidle/sidle.h>
#include <stdio.h>
#include <stdlib.h>

#define COURTYARD_HALF 10 /* metres */

/* Exits on a failure. A real program would handle the status. */
static inline void must(sidle_status status)
{
    if (status != SIDLE_OK)
    {
        fprintf(stderr, "%s\n", sidle_status_text(status));
        exit(1);
    }
}

/* Adds an upright box around (x, z), standing on the ground, to an array of triangles. */
static inline float *courtyard_box(float *at, float x, float z, float half_x, float half_z, float height)
{
    const float side[5][2] = {{x - half_x, z - half_z},
                              {x - half_x, z + half_z},
                              {x + half_x, z + half_z},
                              {x + half_x, z - half_z},
                              {x - half_x, z - half_z}};
    for (int i = 0; i < 4; ++i)
    {
        const float *a = side[i], *b = side[i + 1];
        const float quad[6][3] = {{a[0], 0, a[1]}, {b[0], 0, b[1]},      {b[0], height, b[1]},
                                  {a[0], 0, a[1]}, {b[0], height, b[1]}, {a[0], height, a[1]}};
        for (int k = 0; k < 18; ++k)
            *at++ = quad[k / 3][k % 3];
    }
    return at;
}

static inline sidle_mesh *courtyard_mesh(const sidle_allocator *allocator)
{
    const float h = COURTYARD_HALF, floor[18] = {-h, 0, -h, -h, 0, h, h, 0, h, -h, 0, -h, h, 0, h, h, 0, -h};
    float vertices[18 + 6 * 72], *at = vertices;
    for (int i = 0; i < 18; ++i)
        *at++ = floor[i];
    at = courtyard_box(at, 0, -h, h, .5f, 3);
    at = courtyard_box(at, 0, h, h, .5f, 3);
    at = courtyard_box(at, -h, 0, .5f, h, 3);
    at = courtyard_box(at, h, 0, .5f, h, 3);
    at = courtyard_box(at, -3, 0, 1, 1, 3);
    at = courtyard_box(at, 3, 0, 1, 1, 3);
    sidle_mesh_desc soup = {.size = sizeof soup, .vertices_f = vertices};
    soup.vertex_count = (uint32_t)(at - vertices) / 3;
    soup.triangle_count = soup.vertex_count / 3;
    sidle_mesh *mesh;
    must(sidle_mesh_create(&soup, NULL, allocator, &mesh));
    return mesh;
}

/* The courtyard as a world of one instance; the world keeps the mesh alive. */
static inline sidle_world *courtyard_world(const sidle_allocator *allocator)
{
    sidle_instance_desc placed = {.size = sizeof placed, .mesh = courtyard_mesh(allocator)};
    sidle_instance instance;
    sidle_world *world;
    must(sidle_world_create(NULL, allocator, &world));
    must(sidle_world_add(world, &placed, &instance));
    must(sidle_world_commit(world, NULL));
    sidle_mesh_release(placed.mesh);
    return world;
}

static inline sidle_crowd *courtyard_crowd(const sidle_allocator *allocator)
{
    const sidle_profile person = {.size = sizeof person, .shape.radii = {.4f, .9f, .4f}};
    const sidle_crowd_desc people = {.size = sizeof people, .profiles = &person, .profile_count = 1};
    sidle_crowd *crowd;
    must(sidle_crowd_create(&people, allocator, &crowd));
    return crowd;
}

/* People in rows along the near wall, each with a heading of its own. */
static inline void courtyard_people(sidle_move *moves, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        float turn = (float)(i % 17) / 8 - 1;
        moves[i] = (sidle_move){.id = i + 1};
        moves[i].body.center = (sidle_position){-8.0 + i % 16, 1, -8.0 + i / 16 % 6};
        moves[i].displacement = (sidle_vec3){turn / 20, 0, 1 / 20.f};
    }
}

#endif
