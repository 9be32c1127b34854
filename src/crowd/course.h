/* A course as walls and the highest speed leave it. */
#ifndef CROWD_COURSE_H
#define CROWD_COURSE_H

#include "crowd/steer.h"

/* Time in which an agent may reach a wall by its step aside [seconds]. */
#define WALL_TIME 1.0

/* Shortens a step aside that leads into a wall, but not the lean: those at a wall that lean on it keep their lane. */
static inline Course keep_from_walls(const Preference *own, Course course, const PeerWall *walls,
                                     uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const PeerWall *wall = &walls[i];
        Vec3 normal = vec3((double)wall->normal[0], (double)wall->normal[1], (double)wall->normal[2]);
        double into = -vec3_dot(normal, own->right) * own->speed * WALL_TIME;
        double gap = larger((double)wall->gap, 0);
        if (into * course.aside > gap)
        {
            course.aside = larger(gap / into, course.lean); /* mutant: no_lean_on_walls */
        }
    }
    return course;
}

/* The velocity of a course, world. */
static inline Vec3 velocity_of(const Steering *steering, uint32_t agent, Course course)
{
    const Preference *own = &steering->preferences[agent];
    double length = sqrt(course.ahead * course.ahead + course.aside * course.aside);
    double speed = own->speed * (length > steering->max_speed ? steering->max_speed / length : 1);
    Vec3 ahead = vec3_scale(own->forward, course.ahead);
    return vec3_scale(vec3_add_scaled(ahead, own->right, course.aside), speed);
}

#endif
