/* What can be stood on. */
#include "crowd/mover.h"

#define AT_CONTACT 1e-3 /* radii: faces this close to a contact's point meet there */

/* The height along up of the lowest point that ground of normal m would touch, relative to the frame's
 * centre. */
double support_height(const Mover *mover, Vec3 position, Vec3 m)
{
    Vec3 foot = vec3_add(position, frame_support(&mover->frame, m));
    return vec3_dot(mat3_mul(mover->frame.to_w, foot), mover->up);
}

/* The rise of a triangle's face, on the side of the agent; -1 where it has no face. */
static double face_rise(const Mover *mover, uint32_t candidate)
{
    Vec3 v[3];
    candidates_corners(mover->candidates, candidate, v);
    Vec3 n = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    if (vec3_is_zero(n))
    {
        return -1;
    }
    double side = vec3_dot(n, vec3_sub(mover->position, v[0])) < 0 ? -1 : 1;
    return side * vec3_dot(frame_normal_to_world(&mover->frame, n), mover->up);
}

/* The best rise of the faces that meet at a contact's point: of all of them, however many a fan or copies
 * bring. */
static double best_adjacent_rise(const Mover *mover, const Hit *hit)
{
    uint32_t count;
    const uint32_t *faces = candidates_within(mover->candidates, hit->contact.point, AT_CONTACT, &count);
    double best = face_rise(mover, hit->candidate);
    for (uint32_t i = 0; i < count; ++i)
    {
        best = candidates_counts(mover->candidates, faces[i]) ? fmax(best, face_rise(mover, faces[i])) : best;
    }
    return best;
}

/* A face must be flat enough. An edge or a corner may also lead onto something flat enough: a round foot
 * meets a kerb under a steep normal though it climbs it with ease. Its height counts from the contact that
 * carries the agent, not from the lowest point of the body, which hangs below narrow treads. */
bool is_walkable(const Mover *mover, const Hit *hit, Vec3 m)
{
    double limit = mover->profile->max_slope_cos, rise = vec3_dot(m, mover->up);
    if (rise >= limit)
    {
        return true;
    }
    if (hit->contact.feature == SIDLE_FEATURE_FACE || rise <= 0)
    {
        return false;
    }
    double height =
        vec3_dot(mat3_mul(mover->frame.to_w, hit->contact.point), mover->up) - mover->ground_height;
    return height <= mover->profile->step_up && best_adjacent_rise(mover, hit) >= limit;
}

void stand_on(Mover *mover, const Hit *hit, Vec3 m)
{
    const Candidate *candidate = &mover->candidates->list[hit->candidate];
    uint32_t generation = mover->snapshot->placed[candidate->instance].generation;
    mover->ground = (Ground){m, {candidate->instance, generation}, candidate->triangle, candidate->surface};
}
