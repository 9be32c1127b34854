/* Gaps in level ground that are narrower than the foot: the agent stays level across them. */
#include "crowd/carry.h"

/* Smallest radii: ground within this of the foot's height is level with it. */
#define LEVEL .05

/* Cosine of 45 degrees: how far aside the ground on a side of a gap may be. */
#define ACROSS .70710678118654752

static Vec3 flat_part(const Mover *mover, Vec3 v)
{
    return vec3_without(v, mover->up);
}

/* The point under the centre where level ground would carry the agent, relative to its centre, ellipsoid space. */
static Vec3 foot_of(const Mover *mover)
{
    return frame_support(mover->frame, mover->up, mover->profile->rest);
}

/* The widest horizontal radius; a little less if up is askew to the axes of the world. */
static double foot_radius(const Mover *mover)
{
    const Vec3 extent = vec3_add(mover->frame->extent, mover->frame->core_extent), up = mover->up;
    return larger(
        extent.x * sqrt(larger(1 - up.x * up.x, 0)),
        larger(extent.y * sqrt(larger(1 - up.y * up.y, 0)), extent.z * sqrt(larger(1 - up.z * up.z, 0))));
}

/* The foot of an agent that stays level. */
typedef struct Foot
{
    Vec3 place; /* ellipsoid space */
    Vec3 up;    /* a displacement's height in the world is its product with this */
    double level;
} Foot;

static Foot place_foot(const Mover *mover)
{
    return (Foot){vec3_add(mover->state.position, foot_of(mover)),
                  mat3_mul_transposed(mover->frame->to_w, mover->up), LEVEL * mover->profile->least};
}

/* The horizontal path from the foot to a face that is level with it. Returns false if the face is not level with it, or
 * cannot be walked on. */
static bool is_level_ground(const Mover *mover, const Foot *foot, uint32_t candidate, const Vec3 corners[3],
                            Vec3 *aside)
{
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        double height = vec3_dot(vec3_sub(corners[i], foot->place), foot->up);
        lowest = lesser(lowest, height);
        highest = larger(highest, height);
    }
    if (lowest > foot->level || highest < -foot->level || !candidates_counts(mover->candidates, candidate) ||
        vec3_dot(face_normal(mover, candidate), mover->up) < mover->profile->max_slope_cos)
    {
        return false;
    }
    Vec3 point = sidle_contact_of_closest(corners, foot->place, foot->place).point;
    Vec3 away = frame_to_world(mover->frame, vec3_sub(point, foot->place));
    *aside = flat_part(mover, away);
    return fabs(vec3_dot(away, mover->up)) <= foot->level;
}

/* The shortest horizontal path from the foot to ground that is level with it. Returns false if there is none. */
static bool find_level_ground(const Mover *mover, Vec3 *nearest)
{
    Foot foot = place_foot(mover);
    double nearest2 = INFINITY;
    *nearest = vec3(0, 0, 0);
    for (uint32_t i = 0; i < mover->candidates->wide.count; ++i)
    {
        Vec3 corners[3], aside;
        candidates_corners(mover->candidates, i, corners);
        if (is_level_ground(mover, &foot, i, corners, &aside) && vec3_length2(aside) < nearest2)
        {
            *nearest = aside;
            nearest2 = vec3_length2(aside);
        }
    }
    return nearest2 < (double)INFINITY;
}

/* The horizontal distance from the foot to level ground in a direction, or infinity. */
static double distance_ahead(const Mover *mover, Vec3 across)
{
    Foot foot = place_foot(mover);
    Vec3 forward = mat3_mul_transposed(mover->frame->to_w, across);
    double ahead = INFINITY;
    for (uint32_t i = 0; i < mover->candidates->wide.count; ++i)
    {
        Vec3 corners[3], aside;
        candidates_corners(mover->candidates, i, corners);
        bool is_ahead = false;
        for (int j = 0; j < 3; ++j)
        {
            is_ahead = is_ahead || vec3_dot(vec3_sub(corners[j], foot.place), forward) > 0;
        }
        if (is_ahead && is_level_ground(mover, &foot, i, corners, &aside) &&
            vec3_dot(aside, across) >= ACROSS * vec3_length(aside))
        {
            ahead = lesser(ahead, vec3_length(aside));
        }
    }
    return ahead;
}

/* Gathers triangles at the height of the foot: along a line through it, or all around if `across` is zero. */
static bool gather_level(Mover *mover, Vec3 across, double width)
{
    Vec3 foot = frame_to_world(mover->frame, vec3_add(mover->state.position, foot_of(mover)));
    MoveExtents extents = {.lift = vec3_add_scaled(foot, across, -width),
                           .segment = vec3_scale(across, 2 * width),
                           .extra_radius = vec3_is_zero(across) ? width : 0,
                           .extra_swell = LEVEL - mover->profile->reach,
                           .aside = true};
    return gather_for(mover, &extents);
}

/* Returns true if level ground continues beyond the foot, within the width of the foot. `edge`: the horizontal path
 * from an edge to the foot; if it is zero, the nearest ground all around is used. An agent without a displacement stays
 * on level ground that its foot reaches. Makes a gather of its own, whose candidates remain. */
static bool bridges_gap(Mover *mover, const MoveExtents *extents, Vec3 edge)
{
    double width = 2 * mover->profile->rest * foot_radius(mover), length = vec3_length(edge);
    Vec3 across = length > 0 ? vec3_scale(edge, 1 / length) : vec3(0, 0, 0), nearest;
    if (work_is_spent(mover->candidates))
    {
        return false;
    }
    if (!gather_level(mover, across, width))
    {
        gather_for(mover, extents); /* for the rest of the step */
        mover->report.reasons |= SIDLE_REASON_CANDIDATES;
        return false;
    }
    work_add_look(mover->candidates, WORK_CLOSE);
    if (length > 0)
    {
        return length + distance_ahead(mover, across) <= width; /* mutant: no_bridge */
    }
    if (!find_level_ground(mover, &nearest))
    {
        return false;
    }
    double away = vec3_length(nearest);
    bool is_idle = vec3_length(extents->ball) <= mover->profile->shortest;
    return away > SETTLED * mover->profile->least && /* the ground is not right below */
           ((is_idle && away <= width / 2) ||
            away + distance_ahead(mover, vec3_scale(nearest, -1 / away)) <= width);
}
