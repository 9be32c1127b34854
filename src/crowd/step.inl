/* Steps over obstacles up to step_up: the agent is lifted, moved across and put down again. */
#include "crowd/mover.h"

/* Share of a displacement that a step must gain over sliding. It is above the rounding of positions, 4e-7 radii (6 u
 * S), which is 4e-5 of a displacement of a hundredth of a radius. */
#define LEAST_GAIN 1e-3

/* The share of a displacement that the agent has moved along, as seen from above. */
static double share_done(const Mover *mover, Vec3 start, Vec3 displacement)
{
    Vec3 flat = flat_part(mover, displacement);
    return vec3_dot(vec3_sub(travelled(mover), start), flat) / vec3_length2(flat);
}

/* A horizontal path of this length [m] towards a displacement. */
static Vec3 ahead(const Mover *mover, Vec3 displacement, double length)
{
    Vec3 flat = flat_part(mover, displacement);
    double asked = vec3_length(flat);
    return asked > 0 ? vec3_scale(flat, length / asked) : vec3(0, 0, 0);
}

/* The longest horizontal path up a face that is too steep to stand on but no higher than a step. Faces below 45 degrees
 * are no faces of kerbs, however low the slope limit is. */
static Vec3 across_face(const Mover *mover, Vec3 displacement)
{
    return ahead(mover, displacement, mover->profile->step_up / larger(mover->profile->max_slope_tan, 1));
}

/* Gathers for a step, and for a path `across` beyond it. If the candidates exceed the capacity, gathers `low` again for
 * the rest of the move. */
static bool gather_step(Mover *mover, const MoveExtents *low, Vec3 across)
{
    MoveExtents extents = {.lift = vec3_scale(mover->up, mover->profile->step_up + mover->profile->skin_w)};
    extents.ball = vec3_add(low->ball, across);
    extents.segment = vec3_sub(low->segment, extents.lift);
    if (gather_for(mover, &extents))
    {
        return true;
    }
    uint32_t seen = mover->candidates->leaves_seen;
    mover->candidates->leaves_seen = 0; /* `low` has fit before */
    gather_for(mover, low);
    mover->candidates->leaves_seen += seen;
    mover->report.reasons |= SIDLE_REASON_CANDIDATES; /* mutant: unseen_step */
    return false;
}

/* Returns true if walkable ground, no higher than a step, continues `across` from here, above the face that the agent
 * would land on. `down`: the path to the face. Then stands on that ground without moving there. */
static bool leads_across(Mover *mover, const Landing *face, Vec3 across, Vec3 down)
{
    Vec3 here = mover->state.position, path = frame_to_ellipsoid(mover->frame, across);
    double length = vec3_length(path);
    Vec3 direction = vec3_scale(path, 1 / length);
    Stop stop;
    bool stops = find_stop(mover, direction, length, &stop);
    mover->state.position = vec3_add_scaled(here, direction, stops ? stop.at : length);
    Landing ground;
    bool leads_on = find_landing(mover, down, &ground) && ground.stop.at < face->stop.at &&
                    !is_above_step(mover, &ground.stop.hit);
    if (leads_on)
    {
        stand_on(mover, &ground.stop.hit, ground.m);
    }
    mover->state.position = here;
    return leads_on;
}

/* Puts the agent down on the steep face of a kerb. It stands there as on the edge of the ground behind the face.
 * Returns false if there is no such ground. */
static OUT_OF_LINE bool land_on_face_of_kerb(Mover *mover, const MoveExtents *low, Vec3 down)
{
    Vec3 across = across_face(mover, low->ball);
    Landing face;
    if (vec3_is_zero(across) || work_is_spent(mover->candidates) || !gather_step(mover, low, across))
    {
        return false;
    }
    find_landing(mover, down, &face); /* among the candidates of this gather */
    if (vec3_is_zero(face.m) || !leads_across(mover, &face, across, down))
    {
        return false;
    }
    Vec3 support = mover->state.ground.support;
    land(mover, &face);
    mover->state.ground.support = support;
    return true;
}

/* Puts the agent down after a step. Returns false if there is nothing to stand on. */
static bool put_down(Mover *mover, const MoveExtents *low, Vec3 down)
{
    Landing landing;
    if (find_landing(mover, down, &landing))
    {
        land(mover, &landing);
        return true;
    }
    bool is_low = vec3_dot(landing.m, mover->up) > 0 && !is_above_step(mover, &landing.stop.hit);
    return is_low && land_on_face_of_kerb(mover, low, down); /* mutant: kerb_is_a_wall */
}

/* Steps over the obstacle from `position`. Returns true if that leads farther than sliding did, and onto ground.
 * Otherwise only the reasons change. `reasons`: those before the slide, since an obstacle that is stepped over does not
 * block. Makes a gather of its own, since an ordinary move does not gather that high. */
static OUT_OF_LINE bool step_over(Mover *mover, const MoveExtents *low, Vec3 position, uint32_t reasons)
{
    Vec3 displacement = low->ball;
    if (work_is_spent(mover->candidates) ||
        !gather_step(mover, low, ahead(mover, displacement, mover->profile->step_up / STEEPEST_FLIGHT)))
    {
        return false;
    }
    Vec3 start = frame_to_world(mover->frame, position);
    double done = share_done(mover, start, displacement); /* by the slide */
    MoverBefore before;
    mover_save(mover, &before);
    SlideEnd end;
    mover->state.position = position;
    mover->report.reasons =
        reasons | (mover->report.reasons & SIDLE_REASON_CONTACTS); /* mutant: step_hinders */
    /* The exact height of the ground, since an agent can rest between the shells. */
    Hit ground;
    if (probe(mover, low->segment, &ground))
    {
        Vec3 point = frame_to_world(mover->frame, ground.contact.point);
        mover->state.ground_height = vec3_dot(point, mover->up);
    }
    uint32_t above = lift(mover, vec3_scale(mover->up, mover->profile->step_up + mover->profile->skin_w));
    double raised = vec3_dot(vec3_sub(travelled(mover), start), mover->up);
    if (raised > mover->profile->skin_w)
    {
        slide(mover, displacement, SLIDE_ONLY_WALKABLE, &end);
        if (put_down(mover, low, vec3_add_scaled(low->segment, mover->up, -raised)) &&
            share_done(mover, start, displacement) > done + LEAST_GAIN &&
            !(mover->limits && is_too_near(mover)))
        {
            return true;
        }
    }
    uint32_t added =
        (mover->report.reasons & (SIDLE_REASON_STEP | SIDLE_REASON_AGENT | SIDLE_REASON_CANDIDATES)) | above;
    mover_restore(mover, &before);
    mover->report.reasons |= added;
    return false;
}
