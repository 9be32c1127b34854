/* A wall as the one instance of a world, and a ball that flies against it: the place of the wall follows from how far
 * it comes. */
#ifndef TESTS_SUPPORT_WALL_H
#define TESTS_SUPPORT_WALL_H

#include "support/scene.h"

static const sidle_pose as_it_is = {.scale = {0, 0, 0}};

static inline sidle_pose pose_at(double x, double y, double z)
{
    sidle_pose pose = as_it_is;
    pose.position = (sidle_position){x, y, z};
    return pose;
}

/* Commits, and ticks run on the new epoch from here on. */
static inline void renew(Scene *scene)
{
    sidle_snapshot_release(scene->snapshot);
    demand(sidle_world_commit(scene->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(scene->world, &scene->snapshot), "sidle_world_snapshot");
}

/* A wall across the x axis at 10, as one instance. */
static inline Scene wall_scene(void)
{
    Soup wall = {0};
    soup_wall(&wall, 20, 0);
    Scene scene = scene_of(wall, flying_ball());
    const sidle_pose pose = pose_at(10, 0, 0);
    demand(sidle_world_teleport(scene.world, scene.instances[0], &pose), "sidle_world_teleport");
    renew(&scene);
    return scene;
}

/* How far a ball of radius 1 flies along x from the origin, at most 30. */
static inline double flight(const Scene *scene)
{
    Agent agent = agent_at(0, 0, 0);
    scene_tick(scene, &agent, vector(30, 0, 0));
    return agent_center(&agent).x;
}

static const double gap = 1.02; /* of the ball at rest to a wall that it hits head on */

static inline bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-5;
}

#endif
