/* What the steps of docs/tutorial.md share: a world of boxes, and one agent. Metres and seconds. */
#ifndef GAME_H
#define GAME_H

#include <sidle/sidle.h>
#include <stdio.h>
#include <stdlib.h>

#define DT (1 / 60.f) /* seconds a tick */

typedef struct Game
{
    sidle_mesh *box;
    sidle_world *world;
    sidle_crowd *crowd;
    sidle_move agent;    /* the request of the next tick */
    sidle_result result; /* the result of the last one */
} Game;

static inline void check(sidle_status status)
{
    if (status != SIDLE_OK)
    {
        fprintf(stderr, "%s\n", sidle_status_text(status));
        exit(1);
    }
}

/* A box of 1 x 1 x 1 m. The origin is the middle of its top. */
static inline sidle_mesh *make_box(void)
{
    const float vertices[] = {-.5f, -1, -.5f, .5f, -1, -.5f, .5f, -1, .5f, -.5f, -1, .5f, /* bottom */
                              -.5f, 0,  -.5f, .5f, 0,  -.5f, .5f, 0,  .5f, -.5f, 0,  .5f};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 4, 7, 6, 4, 6, 5, 0, 4, 5, 0, 5, 1,
                                  3, 2, 6, 3, 6, 7, 0, 3, 7, 0, 7, 4, 1, 5, 6, 1, 6, 2};
    sidle_mesh_desc desc = {.size = sizeof desc, .vertices_f = vertices, .vertex_count = 8};
    desc.indices = triangles;
    desc.triangle_count = 12;
    sidle_mesh *box;
    check(sidle_mesh_create(&desc, NULL, NULL, &box));
    return box;
}

/* An empty world, and a crowd with one profile: a person of 1.8 m. */
static inline Game begin_game(void)
{
    Game game = {.box = make_box(), .agent.id = 1};
    const sidle_profile person = {.size = sizeof person, .shape.radii = {.4f, .9f, .4f}};
    const sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &person, .profile_count = 1};
    check(sidle_world_create(NULL, NULL, &game.world));
    check(sidle_crowd_create(&desc, NULL, &game.crowd));
    return game;
}

static inline void end_game(Game *game)
{
    sidle_crowd_destroy(game->crowd);
    sidle_world_destroy(game->world);
    sidle_mesh_release(game->box);
}

/* The pose of a box: the middle of its top, and its size. */
static inline sidle_pose box_at(double x, double top, double z, sidle_vec3 size)
{
    return (sidle_pose){.position = {x, top, z}, .scale = size};
}

static inline sidle_instance add_box(Game *game, sidle_pose pose, uint32_t flags)
{
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = game->box, .pose = pose, .flags = flags};
    sidle_instance instance;
    check(sidle_world_add(game->world, &desc, &instance));
    return instance;
}

/* One tick, in which the agent is asked to move at (x, z) m/s. */
static inline void tick(Game *game, float x, float z)
{
    sidle_tick_desc desc = {.size = sizeof desc, .dt = DT, .moves = &game->agent, .count = 1};
    desc.results = &game->result;
    game->agent.displacement = (sidle_vec3){x * DT, 0, z * DT};
    check(sidle_world_commit(game->world, NULL)); /* publish what changed in the world */
    check(sidle_world_snapshot(game->world, &desc.snapshot));
    check(sidle_crowd_tick(game->crowd, &desc));
    sidle_snapshot_release(desc.snapshot);
    game->agent.body = game->result.body; /* the next tick starts from here */
}

#endif
