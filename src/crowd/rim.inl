/* Agents that neighbours push: no push leads over a ledge. A move that leaves the ground is repeated with the rim as a further
 * limit, beyond which the agent goes no farther than its own wish. */
#include "crowd/peers.h"

/* Rims of one move: two, and their corner. */
#define MOST_RIMS 2

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
    *rim = (AgentLimit){.normal = out, .most = larger(larger(gap, vec3_dot(wish, out)), 0), .is_rim = true};
    return beyond > SETTLED * mover->profile->least;
}

static OUT_OF_LINE void move_among_agents(const sidle_crowd *crowd, Candidates *candidates,
                                          const sidle_move *move, AgentScratch *scratch, sidle_result *result)
{
    AgentLimit list[PEER_PAIRS + MOST_RIMS];
    AgentLimits limits = *scratch->limits;
    memcpy(list, limits.list, limits.count * sizeof *list);
    limits.list = list;
    move_agent(crowd, candidates, move, scratch, result);
    /* mutant: no_rim */
    for (int rims = 0; rims < MOST_RIMS && may_be_pushed_off(crowd, move, scratch, result); ++rims)
    {
        Mover mover;
        mover_make(crowd, candidates, move, scratch, &mover);
        Vec3 path = look_from(&mover, result);
        if (is_above_ground(&mover, path))
        {
            return;
        }
        bool is_rim = find_rim(&mover, path, vec3_from(move->displacement), &list[limits.count]);
        limits.count += is_rim;
        limits.correction = is_rim ? limits.correction : vec3(0, 0, 0);
        scratch->limits = &limits;
        move_agent(crowd, candidates, move, scratch, result);
    }
}
