/* Recovery from an overlap: a few rounds of the shortest push that brings all close contacts to 1 + delta. A round
 * whose path crosses a triangle is rejected, so a ball between two walls half a radius apart does not leave them. All
 * rounds together are no faster than the profile's recovery_speed. */
#include "crowd/mover.h"

/* Passes of Gauss-Seidel, for contacts that no push of three resolves. A pass leaves at most cos^2 of the angle between
 * two of them: eight leave 2^-16 at 60 degrees. Between walls that are too close it does not converge. */
#define PASSES 8

/* Tries x, x/2, x/4, x/8: from half a radius to a sixteenth. If all fail the agent is stuck. */
#define HALVINGS 4

#define EXACT        8    /* nearest contacts for which the shortest push is exact */
#define CLOSE_ENOUGH 1e-9 /* radii: the rounding of a push along the normals of its contacts */

/* Squared sine of the smallest angle between two normals, and between a third and their plane, that are solved
 * together. Solving divides rounding, some 4 * 2^-53, by the sine: 4e-10 by 1e-6, below CLOSE_ENOUGH. */
#define LEAST_SINE2 1e-12

typedef struct Push
{
    Vec3 x;
    double length2; /* INFINITY: none yet */
} Push;

/* The distance that is missing between a contact and the rest shell after a push x. */
static double missing(const Hit *hit, Vec3 x, double target)
{
    return target - hit->contact.t - vec3_dot(hit->contact.normal, x);
}

static void try_push(Push *best, Vec3 x, const Hit *hits, uint32_t count, double target)
{
    double length2 = vec3_length2(x);
    bool is_better = length2 < best->length2;
    for (uint32_t i = 0; i < count && is_better; ++i)
    {
        is_better = missing(&hits[i], x, target) <= CLOSE_ENOUGH;
    }
    if (is_better)
    {
        *best = (Push){x, length2};
    }
}

/* The shortest x with n.x = need for three contacts, of which the second and third may repeat an earlier one. Solved by
 * reciprocal vectors. Returns false if the normals are nearly dependent. */
static bool shortest_for(const Hit *hits, const uint32_t at[3], double target, Vec3 *x)
{
    Vec3 a = hits[at[0]].contact.normal, b = hits[at[1]].contact.normal, c = hits[at[2]].contact.normal;
    double need[3];
    for (int i = 0; i < 3; ++i)
    {
        need[i] = missing(&hits[at[i]], vec3(0, 0, 0), target);
    }
    if (at[1] == at[0])
    {
        *x = vec3_scale(a, need[0]);
        return true;
    }
    Vec3 across = vec3_cross(a, b);
    c = at[2] == at[1] ? across : c;
    need[2] = at[2] == at[1] ? 0 : need[2];
    double volume = vec3_dot(across, c);
    if (vec3_length2(across) < LEAST_SINE2 ||
        volume * volume < LEAST_SINE2 * vec3_length2(across) * vec3_length2(c))
    {
        return false;
    }
    Vec3 sum = vec3_add_scaled(vec3_scale(vec3_cross(b, c), need[0]), vec3_cross(c, a), need[1]);
    *x = vec3_scale(vec3_add_scaled(sum, across, need[2]), 1 / volume);
    return true;
}

/* The shortest push for all contacts, which is that for three of them, for two, or for one. */
static Push shortest_push(const Hit *hits, uint32_t count, double target)
{
    Push best = {{0, 0, 0}, INFINITY};
    uint32_t tried = count < EXACT ? count : EXACT;
    for (uint32_t i = 0; i < tried; ++i)
    {
        for (uint32_t j = i; j < tried; ++j)
        {
            for (uint32_t k = j; k < tried; ++k)
            {
                Vec3 x;
                if ((i < j || j == k) && shortest_for(hits, (uint32_t[3]){i, j, k}, target, &x))
                {
                    try_push(&best, x, hits, count, target);
                }
            }
        }
    }
    return best;
}

/* Gauss-Seidel, if no push resolves all contacts. */
static Vec3 compromise(const Hit *hits, uint32_t count, double target)
{
    Vec3 x = {0, 0, 0};
    for (int pass = 0; pass < PASSES; ++pass)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            x = vec3_add_scaled(x, hits[i].contact.normal, larger(missing(&hits[i], x, target), 0));
        }
    }
    return x;
}

/* The push of a round: at most RECOVERY_STEP long, and in the world at most `left`. */
static Vec3 solve(const Mover *mover, const Hit *hits, uint32_t count, double left)
{
    double target = mover->profile->rest;
    Push best = shortest_push(hits, count, target);
    Vec3 x = best.length2 < (double)INFINITY ? best.x : compromise(hits, count, target);
    double share = RECOVERY_STEP / vec3_length(x);
    /* mutant: recovery_at_any_speed */
    share = lesser(share, left / vec3_length(frame_to_world(mover->frame, x)));
    return share < 1 ? vec3_scale(x, share) : x;
}

/* Takes the first of x, x/2, x/4, x/8 that increases the distance without crossing a triangle. Returns the distance after it. */
static double take_step(Mover *mover, Vec3 x, double distance)
{
    /* A triangle beyond the recovery shell is farther than `distance` anyway. */
    double radius = mover->profile->recover;
    for (int i = 0; i < HALVINGS && (i == 0 || !work_is_spent(mover->candidates)); ++i)
    {
        work_add_close(mover->candidates, WORK_CLOSE);
        Vec3 next = vec3_add(mover->state.position, x);
        double then = candidates_distance(mover->candidates, next, radius);
        /* mutant: recovery_through_walls */
        if (then > distance && !candidates_block_segment(mover->candidates, mover->state.position, next))
        {
            mover->state.position = next;
            return then;
        }
        x = vec3_scale(x, .5);
    }
    return distance;
}

/* Pushes the mover out of anything closer than the recovery shell. `distance`: from it to the nearest candidate. The gather
 * must cover recovery. */
static OUT_OF_LINE void recover(Mover *mover, double distance)
{
    double near = mover->profile->recover;
    double left = mover->profile->recovery_speed * mover->profile->least * mover->dt;
    for (int round = 0; round < RECOVERY_ROUNDS && left > 0; ++round)
    {
        if (!(distance < near) || work_is_spent(mover->candidates))
        {
            break;
        }
        work_add_close(mover->candidates, WORK_CONTACT);
        Hit hits[MAX_RECOVER_CONTACTS];
        uint32_t count =
            candidates_contacts(mover->candidates, mover->state.position, near, hits, MAX_RECOVER_CONTACTS);
        for (uint32_t i = 0; i < count; ++i)
        {
            report_contact(mover, &hits[i], frame_normal_to_world(mover->frame, hits[i].contact.normal));
        }
        Vec3 before = mover->state.position;
        double after = count > 0 ? take_step(mover, solve(mover, hits, count, left), distance) : distance;
        if (!(after > distance))
        {
            break;
        }
        distance = after;
        left -= vec3_length(frame_to_world(mover->frame, vec3_sub(mover->state.position, before)));
    }
    mover->report.reasons |= SIDLE_REASON_OVERLAP;
}
