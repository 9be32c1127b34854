/* Stepping over what is no higher than step_up: the agent is lifted, moved across and put down again. */
#include "crowd/mover.h"

/* Share of a displacement that a step must gain over sliding. It is above the rounding of positions, 4e-7 radii (6 u S),
 * which is 4e-5 of a displacement of a hundredth of a radius. */
#define LEAST_GAIN 1e-3

/* The share of a displacement that the agent has moved along, as seen from above. */
static double share_done(const Mover *mover, Vec3 start, Vec3 displacement)
{
    Vec3 flat = flat_part(mover, displacement);
    return vec3_dot(vec3_sub(travelled(mover), start), flat) / vec3_length2(flat);
}

/* The longest horizontal path up a face that is too steep to stand on but no higher than a step. Faces below 45 degrees
 * are no faces of kerbs, however low the slope limit is. */
static Vec3 across_face(const Mover *mover, Vec3 displacement)
{
    const Profile *profile = mover->profile;
    Vec3 flat = flat_part(mover, displacement);
    double length = vec3_length(flat), longest = profile->step_up / larger(profile->max_slope_tan, 1);
    return length > 0 ? vec3_scale(flat, longest / length) : vec3(0, 0, 0);
}

/* Whether the landing is on the steep face of a kerb: behind it, along `across`, is ground above the landing that can be
 * stood on. If so, the agent stands on the face as on the edge of that ground. `down`: the path to the landing. */
static OUT_OF_LINE bool land_on_face_of_kerb(Mover *mover, const Landing *face, Vec3 across, Vec3 down)
{
    Vec3 near = mover->position, path = frame_to_ellipsoid(mover->frame, across);
    double length = vec3_length(path);
    if (!(length > 0) || work_is_spent(mover->candidates))
    {
        return false;
    }
    Vec3 direction = vec3_scale(path, 1 / length);
    Stop stop;
    bool stops = find_stop(mover, direction, length, &stop);
    mover->position = vec3_add_scaled(near, direction, stops ? stop.at : length);
    Landing ground;
    bool leads_on = find_landing(mover, down, &ground) && ground.stop.at < face->stop.at &&
                    height_of(mover, &ground.stop.hit) <= mover->profile->step_up;
    if (leads_on)
    {
        stand_on(mover, &ground.stop.hit, ground.m);
    }
    mover->position = near;
    if (leads_on)
    {
        Vec3 support = mover->ground.support;
        land(mover, face);
        mover->ground.support = support;
    }
    return leads_on;
}

/* Puts the agent down after a step. Returns false if there is nothing to stand on. */
static bool put_down(Mover *mover, Vec3 across, Vec3 down)
{
    Landing landing;
    landing.m = vec3(0, 0, 0);
    if (find_landing(mover, down, &landing))
    {
        land(mover, &landing);
        return true;
    }
    return vec3_dot(landing.m, mover->up) > 0 && land_on_face_of_kerb(mover, &landing, across, down);
}

/* Gathers what a step may touch. If it does not fit, gathers `low` again for what comes after. */
static bool gather_step(Mover *mover, const Room *low, Vec3 across)
{
    Room room = {.lift = vec3_scale(mover->up, mover->profile->step_up + mover->profile->skin_w)};
    room.ball = vec3_add(low->ball, across);
    room.segment = vec3_sub(low->segment, room.lift);
    if (gather_for(mover, &room))
    {
        return true;
    }
    uint32_t seen = mover->candidates->leaves_seen;
    mover->candidates->leaves_seen = 0; /* it did fit */
    gather_for(mover, low);
    mover->candidates->leaves_seen += seen;
    return false;
}

/* Steps over what is in the way from `position`. Returns true if that leads farther than sliding did, and onto ground. Else
 * nothing has changed but the reasons. `reasons`: those from before the slide, since what is stepped over holds nobody
 * back. It needs candidates of its own: an ordinary move does not gather that high. */
static OUT_OF_LINE bool step_over(Mover *mover, const Room *low, Vec3 position, uint32_t reasons)
{
    Vec3 displacement = low->ball, across = across_face(mover, displacement);
    if (work_is_spent(mover->candidates))
    {
        mover->reasons |= SIDLE_REASON_CANDIDATES;
        return false;
    }
    if (!gather_step(mover, low, across))
    {
        return false;
    }
    Mover before = *mover;
    SlideEnd end;
    mover->position = position;
    mover->reasons = reasons | (mover->reasons & SIDLE_REASON_CONTACTS);
    Vec3 start = travelled(mover);
    double done = share_done(&before, start, displacement);
    Hit ground; /* the height of a step counts to the millimetre, and an agent may rest between the shells */
    if (probe(mover, low->segment, &ground))
    {
        Vec3 point = frame_to_world(mover->frame, ground.contact.point);
        mover->ground_height = vec3_dot(point, mover->up);
    }
    uint32_t above = lift(mover, vec3_scale(mover->up, mover->profile->step_up + mover->profile->skin_w));
    double raised = vec3_dot(vec3_sub(travelled(mover), start), mover->up);
    if (raised > mover->profile->skin_w)
    {
        slide(mover, displacement, SLIDE_ONLY_WALKABLE, &end);
        if (put_down(mover, across, vec3_add_scaled(low->segment, mover->up, -raised)) &&
            share_done(mover, start, displacement) > done + LEAST_GAIN)
        {
            return true;
        }
    }
    uint32_t why = (mover->reasons & (SIDLE_REASON_STEP | SIDLE_REASON_AGENT)) | above;
    *mover = before;
    mover->reasons |= why;
    return false;
}
