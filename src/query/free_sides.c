/* How a shape leaves what it overlaps: half-spaces past each side of a triangle, a closed instance, an agent. */
#include "query/free.h"

#include "query/agents.h"

/* Radii: branches whose places are nearer to each other are one; less than ROUNDING. */
#define SAME_PLACE 1e-6

bool sidle_free_is_known(const Search *search, Vec3 displacement)
{
    double same = SAME_PLACE * vec3_min_component(search->frame.radii);
    bool known = false;
    for (uint32_t i = 0; i < search->try_count && !known; ++i)
    {
        known = vec3_length2(vec3_sub(search->tried[i], displacement)) < same * same;
    }
    return known;
}

/* Adds a branch in which the centre has to move by `need` along a unit normal, in the world, from the branch's place. */
static void branch_along(Search *search, const Branch *from, Vec3 normal, double need)
{
    double radius = (double)search->desc->radius;
    if (!(need > 0) || from->count == MOST_PLANES || search->open_count == MOST_OPEN)
    {
        return;
    }
    Branch branch = *from;
    branch.planes[branch.count++] = (HalfSpace){normal, need + vec3_dot(normal, from->displacement)};
    if (sidle_branch_settle(&branch) && branch.distance2 <= radius * radius &&
        !sidle_free_is_known(search, branch.displacement))
    {
        search->open[search->open_count++] = branch;
    }
}

/* The same in the frame at the branch's place. */
static void branch_off(Search *search, const Branch *from, Vec3 n, double need)
{
    Vec3 world = mat3_mul_transposed(search->frame.to_e, n);
    double length = vec3_length(world);
    if (need > 0)
    {
        branch_along(search, from, vec3_scale(world, 1 / length), (need + ROUNDING) / length);
    }
}

/* Branches off past each side of a triangle that overlaps the shape, and past each edge also at 45 degrees on either side, since
 * a round shape passes an edge at any angle. The frame's ball and core reach 1 + core |n.y| along n. */
void sidle_free_leave(Search *search, const Branch *from, const Vec3 v[3], const KernelContact *contact)
{
    double core = search->frame.core.y;
    branch_off(search, from, contact->normal, 1 - contact->t);
    Vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    if (!triangle_has_face(v, normal))
    {
        return;
    }
    normal = vec3_normalize(normal);
    for (int side = -1; side <= 1; side += 2)
    {
        Vec3 n = vec3_scale(normal, side);
        branch_off(search, from, n, 1 + core * fabs(n.y) + vec3_dot(n, v[0]));
    }
    for (int i = 0; i < 3; ++i)
    {
        Vec3 out = vec3_normalize(vec3_cross(vec3_sub(v[(i + 1) % 3], v[i]), normal));
        for (int side = -1; side <= 1; ++side)
        {
            Vec3 n = vec3_normalize(vec3_add_scaled(out, normal, side));
            double need = 1 + core * fabs(n.y) + vec3_dot(n, v[i]);
            branch_off(search, from, n, need); /* mutant: never_past_edges */
        }
    }
}

/* ---- out of closed instances ---- */

static void leave_past_nearest(Search *search, const Branch *from, const Placed *placed)
{
    double most = vec3_max_component(search->frame.radii), least = vec3_min_component(search->frame.radii);
    Around around = search->around;
    around.only = placed;
    Nearest nearest = {.frame = &search->frame, .radius = 1, .unit = most};
    sidle_around_visit(&around, (double)search->desc->radius * most / least, sidle_take_nearer, &nearest);
    if (nearest.found)
    {
        sidle_free_leave(search, from, nearest.triangle.corners, &nearest.contact);
    }
}

/* Past a side of the instance's box, at `place` of an axis of stored space. */
static void leave_box(Search *search, const Branch *from, const Placed *placed, int axis, double sign,
                      double place)
{
    const Vec3 row = placed->inverse.row[axis], o = placed->mesh->origin;
    const double origin[3] = {o.x, o.y, o.z};
    double length = vec3_length(row),
           at = vec3_dot(row, vec3_sub(search->frame.center, placed->position)) - origin[axis],
           beyond = sign * (place - at) / length;
    Vec3 n = mat3_mul_transposed(search->frame.to_w, vec3_scale(row, sign / length));
    double reach = vec3_length(n);
    n = vec3_scale(n, 1 / reach);
    branch_off(search, from, n, 1 + search->frame.core.y * fabs(n.y) + beyond / reach);
}

void sidle_free_leave_solid(Search *search, const Branch *from, const Placed *given)
{
    Placed between;
    const Placed *placed = sidle_placed_at(given, search->around.time, &between);
    const Bounds *bounds = &placed->mesh->bounds;
    leave_past_nearest(search, from, given);
    for (int axis = 0; axis < 3; ++axis)
    {
        leave_box(search, from, placed, axis, 1, (double)bounds->max[axis]);
        leave_box(search, from, placed, axis, -1, (double)bounds->min[axis]);
    }
}

/* ---- past agents ---- */

/* The sine below which a direction leads up or down, and any side will do: what is left across is mostly rounding. */
#define UPRIGHT 1e-6

Vec3 sidle_free_up(const sidle_free_desc *desc)
{
    return vec3_is_zero(vec3_from(desc->up)) ? vec3(0, 1, 0) : vec3_normalize(vec3_from(desc->up));
}

static void branch_past(Search *search, const Branch *from, const PairQuery *query, const PairShape *agent,
                        Vec3 normal)
{
    double apart = ROUNDING * vec3_min_component(search->frame.radii);
    branch_along(search, from, normal, apart - sidle_pair_gap_along(query, agent, normal));
}

/* Branches off straight away from an agent and past its sides. A shape on the ground stays there, so its sides are horizontal. */
static void leave_agent(Search *search, const Branch *from, Vec3 center, const PairShape *agent, Vec3 away)
{
    const Vec3 r = search->frame.radii, up = sidle_free_up(search->desc);
    PairQuery query = {.frame = search->frame, .is_round = r.x == r.y && r.x == r.z};
    query.frame.center = center;
    if (search->desc->drop == 0)
    {
        branch_past(search, from, &query, agent, away);
        branch_past(search, from, &query, agent, up);
        branch_past(search, from, &query, agent, vec3_scale(up, -1));
    }
    Vec3 side = vec3_without(away, up);
    if (vec3_length(side) < UPRIGHT)
    {
        side = vec3_cross(up, fabs(up.x) < .7 ? vec3(1, 0, 0) : vec3(0, 0, 1));
    }
    side = vec3_normalize(side);
    Vec3 beside = vec3_cross(up, side);
    for (int i = 0; i < SIDES; ++i) /* mutant: past_one_side */
    {
        branch_past(search, from, &query, agent, side);
        free_turn(&side, &beside);
    }
}

static bool deepest_agent(const Search *search, Vec3 center, PairShape *agent, Vec3 *away)
{
    const sidle_free_desc *desc = search->desc;
    Frame frame = search->frame;
    frame.center = center;
    return desc->agents && sidle_agents_deepest(desc->agents, &frame, desc->place.collides_with,
                                                desc->ignored_agent, agent, away);
}

bool sidle_free_overlaps_agent(const Search *search, Vec3 center)
{
    PairShape agent;
    Vec3 away;
    return deepest_agent(search, center, &agent, &away);
}

bool sidle_free_leave_agents(Search *search, const Branch *from, Vec3 center)
{
    PairShape agent;
    Vec3 away;
    bool overlaps = deepest_agent(search, center, &agent, &away);
    if (overlaps)
    {
        search->among_agents = true;
        leave_agent(search, from, center, &agent, away);
    }
    return overlaps;
}
