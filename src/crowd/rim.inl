/* Agents among neighbours, whose limits are laid on the ground of the agent. No push leads over a ledge: a move that leaves the
 * ground is repeated with the rim as a further limit, beyond which the agent goes no farther than its own wish. */
#include "crowd/peers.h"

/* Rims of one move: two, and their corner. */
#define MOST_RIMS 2

/* Least length of the part of a normal along the ground that limits a path on it. */
#define LEAST_ALONG 1e-6

/* Whether a push may have taken an agent beyond the ground where it stood: into the air, or onto an edge. */
static bool may_be_pushed_off(const sidle_crowd *crowd, const sidle_move *move, const AgentLimits *limits,
                              const sidle_result *result)
{
    bool stands = (result->body.flags & SIDLE_BODY_GROUNDED) && !(result->body.overhang > 0);
    return crowd->profiles[move->profile].mode == SIDLE_WALK && (move->body.flags & SIDLE_BODY_GROUNDED) &&
           !vec3_is_zero(limits->correction) && !stands;
}

/* The mover at the place where the move has led, at the height where it began. */
static Vec3 look_from(Mover *mover, const sidle_result *result)
{
    Vec3 path = flat_part(mover, vec3_sub(vec3_from_position(result->body.center), mover->frame->center));
    mover->state.position = frame_to_ellipsoid(mover->frame, path);
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

/* The height that the ground adds to a horizontal path is its product with this. */
static Vec3 slope_of(const sidle_move *move, uint32_t mode, Vec3 up)
{
    Ground ground;
    take_ground(&move->body, &up, &ground);
    double steep = vec3_dot(ground.support, up);
    bool is_sloped = mode == SIDLE_WALK && steep >= LEAST_RISE;
    return is_sloped ? vec3_add_scaled(vec3_scale(ground.support, -1 / steep), up, 1) : vec3(0, 0, 0);
}

/* Gaps as limits of paths on the ground: horizontal normals, with the height that the ground adds to a path. Paths of other
 * agents keep the normals as they are. */
static void lay_on_ground(const sidle_crowd *crowd, const sidle_move *move, const AgentGaps *gaps,
                          AgentLimit *list)
{
    uint32_t mode = crowd->profiles[move->profile].mode;
    bool is_flat = (move->body.flags & SIDLE_BODY_GROUNDED) && mode != SIDLE_FLY;
    Vec3 up = is_zero(&move->up) ? crowd->up : vec3_normalize(vec3_from(move->up));
    Vec3 slope = slope_of(move, mode, up);
    for (uint32_t i = 0; i < gaps->count; ++i)
    {
        const AgentGap *gap = &gaps->list[i];
        Vec3 n = vec3((double)gap->normal[0], (double)gap->normal[1], (double)gap->normal[2]);
        double rise = is_flat ? vec3_dot(n, up) : 0;
        Vec3 along = vec3_add_scaled(vec3_add_scaled(n, up, -rise), slope, rise);
        double length = vec3_length(along);
        bool is_along = length >= LEAST_ALONG;
        list[i] = (AgentLimit){.normal = n,
                               .most = gap->most,
                               .along = is_along ? vec3_scale(along, 1 / length) : vec3(0, 0, 0),
                               .most_along = is_along ? gap->most / length : 0,
                               .id = gap->id,
                               .touches = gap->touches};
    }
}

static OUT_OF_LINE void move_among_agents(const sidle_crowd *crowd, Candidates *candidates,
                                          const sidle_move *move, AgentScratch *scratch, sidle_result *result)
{
    AgentLimit list[PEER_PAIRS + MOST_RIMS];
    const AgentGaps *gaps = scratch->gaps;
    AgentLimits limits = {list, gaps->count, gaps->correction, gaps->is_pushed};
    lay_on_ground(crowd, move, gaps, list);
    move_agent(crowd, candidates, move, scratch, &limits, result);
    /* mutant: no_rim */
    for (int rims = 0; rims <= MOST_RIMS && may_be_pushed_off(crowd, move, &limits, result); ++rims)
    {
        Mover mover;
        mover_make(crowd, candidates, move, scratch, &mover);
        Vec3 path = look_from(&mover, result);
        if (is_above_ground(&mover, path))
        {
            break;
        }
        bool is_rim =
            rims < MOST_RIMS && find_rim(&mover, path, vec3_from(move->displacement), &list[limits.count]);
        limits.count += is_rim;
        limits.correction = is_rim ? limits.correction : vec3(0, 0, 0);
        move_agent(crowd, candidates, move, scratch, &limits, result);
    }
}
