/* Out of an overlap: a few rounds of Gauss-Seidel on the contacts that are too close, each round checked
 * before it is taken, and all of them no faster than the profile allows: who was spawned in a wall walks out of it and
 * is not shot. The check that the way out crosses no triangle is what keeps a ball between two walls
 * half a radius apart from ending up outside them. */
#include "crowd/mover.h"

#define ROUNDS       4
#define PASSES       8
#define LARGEST_STEP .5 /* radii a round; profile->recovery_speed limits all rounds of a tick */
#define HALVINGS     4

/* The push that brings all contacts to 1 + delta, as far as they agree. */
static Vec3 solve(const Hit *hits, uint32_t count, double target, double longest)
{
    Vec3 x = {0, 0, 0};
    for (int pass = 0; pass < PASSES; ++pass)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            double missing = target - hits[i].contact.t - vec3_dot(hits[i].contact.normal, x);
            x = vec3_add_scaled(x, hits[i].contact.normal, larger(missing, 0));
        }
    }
    double length = vec3_length(x);
    return length > longest ? vec3_scale(x, longest / length) : x;
}

/* Takes the first of x, x/2, x/4, x/8 that leads farther away without passing through anything. */
static bool take_step(Mover *mover, Vec3 x, double distance)
{
    double radius = shell_rest(mover->profile) + 2 * LARGEST_STEP;
    for (int i = 0; i < HALVINGS; ++i)
    {
        Vec3 next = vec3_add(mover->position, x);
        if (candidates_distance(mover->candidates, next, radius) > distance &&
            !candidates_block_segment(mover->candidates, mover->position, next))
        {
            mover->position = next;
            return true;
        }
        x = vec3_scale(x, .5);
    }
    return false;
}

void recover(Mover *mover)
{
    double near = shell_recover(mover->profile), left = mover->profile->recovery_speed * mover->dt;
    double distance = candidates_distance(mover->candidates, mover->position, near);
    for (int round = 0; round < ROUNDS && distance < near && left > 0; ++round)
    {
        Hit hits[MAX_RECOVER_CONTACTS];
        uint32_t count =
            candidates_contacts(mover->candidates, mover->position, near, hits, MAX_RECOVER_CONTACTS);
        for (uint32_t i = 0; i < count; ++i)
        {
            report_contact(mover, &hits[i], frame_normal_to_world(&mover->frame, hits[i].contact.normal));
        }
        Vec3 before = mover->position;
        Vec3 x = solve(hits, count, shell_rest(mover->profile), lesser(left, LARGEST_STEP));
        if (!take_step(mover, x, distance))
        {
            break;
        }
        left -= vec3_length(vec3_sub(mover->position, before));
        distance = candidates_distance(mover->candidates, mover->position, near);
    }
    mover->reasons |= SIDLE_REASON_OVERLAP;
}
