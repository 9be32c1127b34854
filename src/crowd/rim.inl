/* Agents among neighbours, whose limits are laid on the ground of the agent. No push leads over a ledge: a move that leaves the
 * ground is repeated with the rim as a further limit, beyond which the agent goes no farther than its own wish. */
#include "crowd/peers.h"

/* Rims of one move: two, and their corner. */
#define MOST_RIMS 2

/* Least length of the part of a normal along the ground that limits a path on it. */
#define LEAST_ALONG 1e-6

/* Whether a push may have taken an agent beyond the ground where it stood: into the air, or onto an edge. */
static bool may_be_pushed_off(const sidle_crowd *crowd, const sidle_move *move, const AgentScratch *scratch,
                              const sidle_result *result)
{
    bool stands = (result->body.flags & SIDLE_BODY_GROUNDED) && !(result->body.overhang > 0);
    return crowd->profiles[move->profile].mode == SIDLE_WALK && (move->body.flags & SIDLE_BODY_GROUNDED) &&
           !vec3_is_zero(scratch->limits->correction) && !stands;
}

/* The mover at the place where the move has led, at the height where it began. */
static Vec3 look_from(Mover *mover, const sidle_result *result)
{
    Vec3 path = flat_part(mover, vec3_sub(vec3_from_position(result->body.center), mover->frame->center));
    mover->position = frame_to_ellipsoid(mover->frame, path);
    return path;
}

/* Whether ground that the agent would step down to is below its centre. */
static bool is_above_ground(Mover *mover, Vec3 path)
{
    double snap = mover->profile->step_down + mover->profile->skin_w;
    MoveExtents extents = {.lift = path, .segment = vec3_scale(mover->up, -snap)};
    Hit below;
    return gather_for(mover, &extents) && find_ground_below(mover, extents.segment, vec3(0, 0, 0), &below);
}

/* The rim between the ground where the agent stands and the place beyond it. It leads through the point of the ground that is
 * nearest to that place, across the path from there. */
static bool find_rim(Mover *mover, Vec3 path, Vec3 wish, AgentLimit *rim)
{
    double width = 2 * mover->profile->rest * foot_radius(mover);
    Vec3 nearest;
    if (!gather_level(mover, vec3(0, 0, 0), width) || !find_level_ground(mover, &nearest))
    {
        return false;
    }
    double beyond = vec3_length(nearest);
    Vec3 out = vec3_normalize(vec3_scale(nearest, -1));
    double gap = vec3_dot(path, out) - beyond;
    *rim =
        (AgentLimit){.along = out, .most_along = larger(larger(gap, vec3_dot(wish, out)), 0), .is_rim = true};
    return beyond > SETTLED * mover->profile->least;
}

/* The limits as those of paths on the ground: horizontal normals, with the height that the ground adds to a path. Paths of other
 * agents keep them as they are. */
static void lay_on_ground(const sidle_crowd *crowd, const sidle_move *move, AgentLimit *list, uint32_t count)
{
    uint32_t mode = crowd->profiles[move->profile].mode;
    bool is_flat = (move->body.flags & SIDLE_BODY_GROUNDED) && mode != SIDLE_FLY;
    Vec3 up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
    Ground ground;
    take_ground(&move->body, up, &ground);
    double steep = vec3_dot(ground.support, up);
    Vec3 slope = vec3(0, 0, 0); /* the height of a horizontal path is its product with this */
    if (mode == SIDLE_WALK && steep >= LEAST_RISE)
    {
        slope = vec3_add_scaled(vec3_scale(ground.support, -1 / steep), up, 1);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        AgentLimit *limit = &list[i];
        double rise = is_flat ? vec3_dot(limit->normal, up) : 0;
        Vec3 along = vec3_add_scaled(vec3_add_scaled(limit->normal, up, -rise), slope, rise);
        double length = vec3_length(along);
        bool is_along = length >= LEAST_ALONG;
        limit->along = is_along ? vec3_scale(along, 1 / length) : vec3(0, 0, 0);
        limit->most_along = is_along ? limit->most / length : 0;
    }
}

static OUT_OF_LINE void move_among_agents(const sidle_crowd *crowd, Candidates *candidates,
                                          const sidle_move *move, AgentScratch *scratch, sidle_result *result)
{
    AgentLimit list[PEER_PAIRS + MOST_RIMS];
    const AgentLimits *given = scratch->limits;
    AgentLimits limits = *given;
    memcpy(list, limits.list, limits.count * sizeof *list);
    limits.list = list;
    lay_on_ground(crowd, move, list, limits.count);
    scratch->limits = &limits;
    move_agent(crowd, candidates, move, scratch, result);
    /* mutant: no_rim */
    for (int rims = 0; rims < MOST_RIMS && may_be_pushed_off(crowd, move, scratch, result); ++rims)
    {
        Mover mover;
        mover_make(crowd, candidates, move, scratch, &mover);
        Vec3 path = look_from(&mover, result);
        if (is_above_ground(&mover, path))
        {
            break;
        }
        bool is_rim = find_rim(&mover, path, vec3_from(move->displacement), &list[limits.count]);
        limits.count += is_rim;
        limits.correction = is_rim ? limits.correction : vec3(0, 0, 0);
        move_agent(crowd, candidates, move, scratch, result);
    }
    scratch->limits = given;
}
