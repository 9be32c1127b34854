#include "crowd_checks.h"

#include "fuzz.h"

#include <stdio.h>

/* Smallest radii: what the distance of two may lose to float in a tick. */
#define ROUNDING 2e-5

Vector checked_center(const sidle_body *body)
{
    return vector(body->center.x, body->center.y, body->center.z);
}

double checked_least(const TickCheck *check, const sidle_move *move)
{
    const sidle_vec3 *r = &check->profiles[move->profile].shape.radii;
    return (double)fminf(r->x, fminf(r->y, r->z));
}

CrowdBody checked_shape(const TickCheck *check, const sidle_move *move, const sidle_body *body)
{
    return crowd_body(&check->profiles[move->profile].shape, move->rotation, &body->center);
}

bool checked_collide(const sidle_move *a, const sidle_move *b)
{
    const sidle_move *moves[2] = {a, b};
    uint32_t member[2], with[2];
    for (int i = 0; i < 2; ++i)
    {
        member[i] = moves[i]->member_of ? moves[i]->member_of : UINT32_MAX;
        with[i] = moves[i]->collides_with_agents ? moves[i]->collides_with_agents : UINT32_MAX;
    }
    return !((a->flags | b->flags) & SIDLE_MOVE_NO_AGENTS) && (a->group == 0 || a->group != b->group) &&
           (member[0] & with[1]) && (member[1] & with[0]);
}

void checked_print(const TickCheck *check, uint32_t agent)
{
    const sidle_move *move = &check->tick->moves[agent];
    const sidle_result *end = &check->tick->results[agent];
    const sidle_profile *profile = &check->profiles[move->profile];
    sidle_position from = move->body.center, to = end->body.center;
    sidle_vec3 r = profile->shape.radii, wish = move->displacement, v = move->body.velocity;
    sidle_quat q = move->rotation;
    fprintf(stderr,
            "agent %d, mode %u, radii %g %g %g, core %g, rotation %g %g %g %g, mass %g, waited %g\n"
            "  from %.9g %.9g %.9g to %.9g %.9g %.9g, wish %g %g %g, velocity %g %g %g, flags %x to %x, "
            "reasons %x\n",
            (int)move->id, profile->mode, (double)r.x, (double)r.y, (double)r.z,
            (double)profile->shape.half_height, (double)q.x, (double)q.y, (double)q.z, (double)q.w,
            (double)move->mass, (double)move->body.waited, from.x, from.y, from.z, to.x, to.y, to.z,
            (double)wish.x, (double)wish.y, (double)wish.z, (double)v.x, (double)v.y, (double)v.z,
            move->body.flags, end->body.flags, end->reasons);
}

/* What the level pushes out of itself it may push into others. */
static bool is_pushed(const sidle_result *result)
{
    return result->reasons & (SIDLE_REASON_OVERLAP | SIDLE_REASON_STUCK);
}

static void check_pair(const TickCheck *check, uint32_t i, uint32_t k)
{
    const sidle_move *a = &check->tick->moves[i], *b = &check->tick->moves[k];
    const sidle_result *end_a = &check->tick->results[i], *end_b = &check->tick->results[k];
    if (!checked_collide(a, b) || is_pushed(end_a) || is_pushed(end_b))
    {
        return;
    }
    CrowdBody before[2] = {checked_shape(check, a, &a->body), checked_shape(check, b, &b->body)},
              after[2] = {checked_shape(check, a, &end_a->body), checked_shape(check, b, &end_b->body)};
    double least = fmin(checked_least(check, a), checked_least(check, b));
    double overlap = crowd_overlap(&after[0], &after[1], 0);
    if (overlap > ROUNDING * least && crowd_overlap(&before[0], &before[1], 0) <= 0)
    {
        checked_print(check, i);
        checked_print(check, k);
        fuzz_demand_at_most(overlap / least, ROUNDING, "two that were apart overlap");
    }
}

void pairs_check(const TickCheck *check)
{
    for (uint32_t i = 0; i < check->tick->count; ++i)
    {
        for (uint32_t k = 0; k < i; ++k)
        {
            check_pair(check, k, i);
        }
    }
}
