/* Out of an overlap: a few rounds of the shortest push that brings all contacts that are too close to 1 +
 * delta, each round checked before it is taken, and all of them no faster than the profile allows: who was
 * spawned in a wall walks out of it and is not shot. The check that the way out crosses no triangle is what
 * keeps a ball between two walls half a radius apart from ending up outside them. */
#include "crowd/mover.h"

/* Of Gauss-Seidel. Between walls that are too close it comes to no end, and the last of them has its way;
 * where contacts at an angle have a push in common that three of the nearest do not give, a pass leaves at
 * most cos^2 of the angle between two of them, so at 60 degrees eight leave 2^-16. At 0 a capsule whose core
 * crosses a floor stays in it (n52 of test_cases); with the judges of carry.inl all holds from 1 to 30. */
#define PASSES 8

/* Tried: x, x/2, x/4, x/8. From half a radius that is down to a sixteenth; who finds nothing by then stays,
 * and is stuck. With the judges of carry.inl all holds from 1 to 12. */
#define HALVINGS 4

#define EXACT        8    /* contacts, the nearest, that the shortest push is sought among */
#define CLOSE_ENOUGH 1e-9 /* radii: the rounding of a push against the contacts that it is made of */

/* The square of the sine of the angle between two normals, and between a third and the plane of both, from
 * which they give a push of their own. Solving divides the rounding of double, some 4 * 2^-53, by such a
 * sine: by 1e-6 that makes 4e-10, less than CLOSE_ENOUGH. Where both are as small try_push turns down what
 * came of it. */
#define LEAST_SINE2 1e-12

typedef struct Push
{
    Vec3 x;
    double length2; /* INFINITY: none yet */
} Push;

/* How far contact i is from the rest shell. */
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

/* The shortest x with n.x = need for three contacts, of which the second and third may repeat an earlier one.
 * By reciprocal vectors; nothing if the normals do not span as much as they are many. */
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

/* The shortest push for all contacts is the one for some three of them, or two, or one. */
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

/* What Gauss-Seidel comes to, where no push does for all: between walls that are too close. */
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

/* No longer than a round allows, nor, in the world, than is left for this tick. */
static Vec3 solve(const Mover *mover, const Hit *hits, uint32_t count, double left)
{
    double target = mover->profile->rest;
    Push best = shortest_push(hits, count, target);
    Vec3 x = best.length2 < (double)INFINITY ? best.x : compromise(hits, count, target);
    double share = RECOVERY_STEP / vec3_length(x);
    share = lesser(share, left / vec3_length(frame_to_world(mover->frame, x)));
    return share < 1 ? vec3_scale(x, share) : x;
}

/* Takes the first of x, x/2, x/4, x/8 that leads farther away without passing through anything. */
static bool take_step(Mover *mover, Vec3 x, double distance)
{
    /* A triangle beyond the recovery shell is farther than `distance` anyway. */
    double radius = mover->profile->recover;
    for (int i = 0; i < HALVINGS && (i == 0 || !work_is_spent(mover->candidates)); ++i)
    {
        work_add_close(mover->candidates);
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

static OUT_OF_LINE void recover(Mover *mover)
{
    double near = mover->profile->recover, left;
    left = mover->profile->recovery_speed * mover->profile->least * mover->dt;
    double distance = candidates_distance(mover->candidates, mover->position, near);
    for (int round = 0; round < RECOVERY_ROUNDS && distance < near && left > 0; ++round)
    {
        if (work_is_spent(mover->candidates))
        {
            mover->reasons |= SIDLE_REASON_CANDIDATES;
            break;
        }
        work_add_close(mover->candidates);
        Hit hits[MAX_RECOVER_CONTACTS];
        uint32_t count =
            candidates_contacts(mover->candidates, mover->position, near, hits, MAX_RECOVER_CONTACTS);
        for (uint32_t i = 0; i < count; ++i)
        {
            report_contact(mover, &hits[i], frame_normal_to_world(mover->frame, hits[i].contact.normal));
        }
        Vec3 before = mover->position;
        if (count == 0 || !take_step(mover, solve(mover, hits, count, left), distance))
        {
            break;
        }
        left -= vec3_length(frame_to_world(mover->frame, vec3_sub(mover->position, before)));
        distance = candidates_distance(mover->candidates, mover->position, near);
    }
    mover->reasons |= SIDLE_REASON_OVERLAP;
}
