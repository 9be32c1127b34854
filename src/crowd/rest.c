#include "crowd/rest.h"

#include "bvh/box.h"

#include <string.h>

/* ---- moving instances ---- */

/* Largest radii: how far around its centre a move that leads nowhere looks for instances, beside its displacement, its fall and its
 * steps. Recovery reaches 2 radii beyond the shape, a gap that is crossed as far again. */
#define NEAR_RADII 8

/* Boxes of the tree are those of the whole motion of an epoch. */
static bool moves_in(const sidle_snapshot *snapshot, Vec3 center, double reach)
{
    uint32_t stack[BVH_STACK_SIZE], top = 0;
    double half = reach + snapshot->doubt;
    Bounds box = bounds_around(vec3_sub(center, snapshot->origin), vec3(half, half, half));
    stack[top++] = snapshot->root;
    while (top > 0)
    {
        const BvhNode *node = bvh_node(snapshot->nodes, stack[--top]);
        for (uint32_t bits = bvh_children_in(node, &box); bits; bits &= bits - 1)
        {
            uint32_t child = node->child[__builtin_ctz(bits)];
            if (!(child & BVH_LEAF))
            {
                stack[top++] = child;
            }
            else if (snapshot->all_placed[child & ~BVH_LEAF].moves)
            {
                return true;
            }
        }
    }
    return false;
}

/* Of a move that is valid. The only instance of a world counts wherever it is. */
static bool is_moving_near(const sidle_crowd *crowd, const sidle_move *move)
{
    const sidle_snapshot *snapshot = crowd->tick.desc.snapshot;
    if (snapshot->moving_count == 0 || snapshot->present_count == 1)
    {
        return snapshot->moving_count > 0;
    }
    const Profile *profile = &crowd->profiles[move->profile];
    double dt = (double)crowd->tick.desc.dt, radius = vec3_max_component(profile->radii);
    Vec3 gravity = vec3_add(vec3_abs(crowd->gravity), vec3_abs(vec3_from(move->gravity)));
    double path = vec3_length(vec3_from(move->displacement)) +
                  dt * (vec3_length(vec3_from(move->body.velocity)) + dt * vec3_length(gravity));
    double steps = profile->step_up + profile->step_down + profile->highest_step;
    double reach = NEAR_RADII * (radius + profile->core * radius) + 4 * path + 2 * steps;
    return moves_in(snapshot, vec3_from_position(move->body.center), reach); /* mutant: door_beside_rest */
}

/* ---- repeated moves ---- */

#define MOTION_FIELDS offsetof(sidle_body, motion_epoch)

_Static_assert(MOTION_FIELDS + sizeof(uint32_t) + sizeof(float) == sizeof(sidle_body) &&
                   offsetof(sidle_move, rotation) == offsetof(sidle_move, body) + sizeof(sidle_body),
               "at the end of a body");

/* But for what moved the body last, which matters to moving instances alone. */
static bool same_body(const sidle_body *a, const sidle_body *b)
{
    return memcmp(a, b, MOTION_FIELDS) == 0;
}

static bool same_move(const sidle_move *a, const sidle_move *b)
{
    const size_t after = offsetof(sidle_move, rotation);
    return memcmp(a, b, sizeof *a) == 0 || /* of most agents: at once */
           (a->id == b->id && same_body(&a->body, &b->body) &&
            memcmp((const char *)a + after, (const char *)b + after, sizeof *a - after) == 0);
}

bool sidle_rest_is_same(const sidle_crowd *crowd, const sidle_move *move, const Rest *rest,
                        const sidle_contact *contacts)
{
    const Tick *tick = &crowd->tick;
    const sidle_snapshot *snapshot = tick->desc.snapshot;
    uint64_t resting = snapshot->resting;
    bool same = rest->resting == resting && rest->dt == tick->desc.dt && /* mutant: rests_in_another_world */
                rest->among_moving == (snapshot->moving_count > 0) &&
                rest->with_contacts == reports_contacts(move, contacts) && same_move(&rest->move, move);
    return same && !is_moving_near(crowd, move);
}

void sidle_rest_write(const sidle_crowd *crowd, const sidle_move *move, const Rest *rest,
                      sidle_result *result)
{
    *result =
        (sidle_result){.body = move->body, .contact_count = rest->contact_count, .reasons = rest->reasons};
    update_motion(&crowd->tick, &result->body);
}

bool sidle_rest_repeats(const sidle_crowd *crowd, const sidle_move *move, const AgentScratch *scratch,
                        const Rest *rest, sidle_result *result)
{
    if ((rest->reasons != 0 && scratch->gaps) || !sidle_rest_is_same(crowd, move, rest, scratch->contacts))
    {
        return false;
    }
    sidle_rest_write(crowd, move, rest, result);
    return true;
}

void sidle_rest_keep(const sidle_crowd *crowd, const sidle_move *move, const AgentScratch *scratch,
                     const sidle_result *result, Rest *rest)
{
    const Tick *tick = &crowd->tick;
    scratch->cache->rests = REST_NONE;
    if (!same_body(&result->body, &move->body) || result->impact_speed != 0 ||
        (result->reasons & SIDLE_REASON_INVALID) || is_moving_near(crowd, move))
    {
        return;
    }
    bool is_alone = rest_is_undisturbed(move, scratch) &&
                    !(result->reasons & SIDLE_REASON_AGENT); /* mutant: rests_on_a_neighbour */
    scratch->cache->rests = is_alone ? REST_ALONE : REST_AMONG;
    *rest = (Rest){.move = *move,
                   .resting = tick->desc.snapshot->resting,
                   .dt = tick->desc.dt,
                   .reasons = result->reasons,
                   .contact_count = result->contact_count,
                   .with_contacts = reports_contacts(move, scratch->contacts),
                   .among_moving = tick->desc.snapshot->moving_count > 0};
}
