/* The contacts that limit a slide, as planes. */
#include "crowd/mover.h"
#include "crowd/project.h"

#define SAME_PLANE .9999984769 /* cos .1 degree: of two such contacts the newer is kept */

/* Radii: a contact no farther back than this still holds. An edge's normal turns by as much in radians, which takes
 * 1/800 of a displacement along it. */
#define PLANE_MEMORY .05

/* Squared length of the horizontal part of a normal from which it has a direction. Rounding of corners turns a face by
 * 6 u S over its height h: less than 1e-3 for S up to 2800 h. */
#define LEAST_FLAT2 1e-6

static void forget_far_planes(const Mover *mover, SlideEnd *end)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < end->plane_count; ++i)
    {
        Vec3 moved = vec3_sub(mover->state.position, end->planes[i].at);
        bool is_near = vec3_length2(moved) < PLANE_MEMORY * PLANE_MEMORY; /* mutant: one_plane */
        if (is_near || end->planes[i].holds)
        {
            end->planes[kept++] = end->planes[i];
        }
    }
    end->plane_count = kept;
}

/* `moving`: the instance if it moves, else NULL. Where something that rests was hit as well, it counts as at rest. */
static void put_plane(const Mover *mover, SlideEnd *end, Vec3 m, bool holds, const Placed *moving)
{
    uint32_t at = 0;
    while (at < end->plane_count && vec3_dot(end->planes[at].m, m) < SAME_PLANE)
    {
        ++at;
    }
    bool is_alone = at == end->plane_count || end->planes[at].moving == moving;
    end->planes[at] = (Plane){m, mover->state.position, holds, is_alone ? moving : NULL};
    end->plane_count = at == end->plane_count ? at + 1 : end->plane_count;
}

/* Adds an upright plane for a contact that cannot be stood on: its horizontal part blocks as well. */
static void add_wall(const Mover *mover, SlideEnd *end, Vec3 m)
{
    Vec3 flat = vec3_without(m, mover->up);
    if (vec3_length2(flat) > LEAST_FLAT2) /* floors and ceilings have no horizontal direction */
    {
        put_plane(mover, end, vec3_normalize(flat), false, NULL);
    }
}

static Vec3 project_on(const SlideEnd *end, Vec3 displacement)
{
    Vec3 m[MAX_PLANES];
    for (uint32_t i = 0; i < end->plane_count; ++i)
    {
        m[i] = end->planes[i].m;
    }
    return sidle_project(displacement, m, end->plane_count);
}
