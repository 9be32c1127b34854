/* The nearest free place. A free place is on one side of each triangle near it. The search branches over these sides: in front of
 * the deepest triangle or behind it, past one of its edges, or straight away from it. A branch is a set of half-spaces, and its
 * place is the one of least displacement within them. The branch whose place is nearest comes next, so the first place that
 * nothing overlaps is the nearest of all branches. If a closed instance holds it, the search branches past the nearest triangle of that
 * instance, and past the sides of its box. If an agent overlaps it, the search branches past that agent on all sides. */
#include "query/place.h"

#include "base/fp_environment.h"
#include "query/agents.h"
#include "query/branch.h"
#include "query/cast.h"

#include <string.h>

#define MOST_TRIES 256
#define MOST_OPEN  96                 /* branches; more are dropped, so that a call fits on a small stack */
#define CLEARANCE  .02                /* the default */
#define LEVEL_COS  .70710678118654752 /* the default of max_slope_cos */

/* Radii: a step past a triangle is longer by this, so that rounding does not leave the two in touch. */
#define ROUNDING 1e-5

/* Radii: branches whose places are nearer to each other are one; less than ROUNDING. */
#define SAME_PLACE 1e-6

typedef struct Search
{
    const sidle_free_desc *desc;
    Around around;
    Frame frame; /* larger than the shape by the clearance */
    Vec3 center;
    Vec3 tried[MOST_TRIES];
    uint32_t try_count;
    Branch open[MOST_OPEN]; /* a heap would save little */
    uint32_t open_count;
} Search;

/* ---- branches ---- */

static bool is_known(const Search *search, Vec3 displacement)
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
        !is_known(search, branch.displacement))
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

/* Branches off past each side of a triangle that overlaps the shape. The frame's ball and core reach 1 + core |n.y| along n. */
static void leave(Search *search, const Branch *from, const Vec3 v[3], const KernelContact *contact)
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
        double need = 1 + core * fabs(out.y) + vec3_dot(out, v[i]);
        branch_off(search, from, out, need); /* mutant: never_past_edges */
    }
}

/* ---- out of closed instances ---- */

typedef struct Shell
{
    Nearest nearest;
    uint32_t slot;
} Shell;

/* An around_fn that keeps the closest triangle of one instance. */
static bool take_of_shell(void *context, const AroundTriangle *triangle, double *reach)
{
    Shell *shell = context;
    return triangle->candidate.instance != shell->slot || sidle_take_nearer(&shell->nearest, triangle, reach);
}

static void leave_past_nearest(Search *search, const Branch *from, uint32_t slot)
{
    double most = vec3_max_component(search->frame.radii), least = vec3_min_component(search->frame.radii);
    Shell shell = {{.frame = &search->frame, .radius = 1, .unit = most}, slot};
    sidle_around_visit(&search->around, (double)search->desc->radius * most / least, take_of_shell, &shell);
    if (shell.nearest.found)
    {
        leave(search, from, shell.nearest.triangle.corners, &shell.nearest.contact);
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

static void leave_solid(Search *search, const Branch *from, const Placed *given)
{
    Placed between;
    const Placed *placed = sidle_placed_at(given, search->around.time, &between);
    const Bounds *bounds = &placed->mesh->bounds;
    leave_past_nearest(search, from, placed->slot);
    for (int axis = 0; axis < 3; ++axis)
    {
        leave_box(search, from, placed, axis, 1, (double)bounds->max[axis]);
        leave_box(search, from, placed, axis, -1, (double)bounds->min[axis]);
    }
}

/* ---- past agents ---- */

/* Horizontal directions past an agent, and the angle between two. */
#define SIDES    16
#define SIDE_COS .92387953251128674
#define SIDE_SIN .38268343236508978

/* The sine below which a direction leads up or down, and any side will do: what is left across is mostly rounding. */
#define UPRIGHT 1e-6

static Vec3 up_of(const sidle_free_desc *desc)
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
    const Vec3 r = search->frame.radii, up = up_of(search->desc);
    PairQuery query = {.frame = search->frame, .is_round = r.x == r.y && r.x == r.z};
    query.frame.center = center;
    if (search->desc->drop == 0)
    {
        branch_past(search, from, &query, agent, away);
        branch_past(search, from, &query, agent, up);
        branch_past(search, from, &query, agent, vec3_scale(up, -1));
    }
    Vec3 side = vec3_add_scaled(away, up, -vec3_dot(away, up));
    if (vec3_length(side) < UPRIGHT)
    {
        side = vec3_cross(up, fabs(up.x) < .7 ? vec3(1, 0, 0) : vec3(0, 0, 1));
    }
    side = vec3_normalize(side);
    Vec3 beside = vec3_cross(up, side);
    for (int i = 0; i < SIDES; ++i) /* mutant: past_one_side */
    {
        branch_past(search, from, &query, agent, side);
        Vec3 turned = vec3_add_scaled(vec3_scale(side, SIDE_COS), beside, SIDE_SIN);
        beside = vec3_add_scaled(vec3_scale(beside, SIDE_COS), side, -SIDE_SIN);
        side = turned;
    }
}

static bool leave_agents(Search *search, const Branch *from, Vec3 center)
{
    const sidle_free_desc *desc = search->desc;
    PairShape agent;
    Vec3 away;
    Frame frame = search->frame;
    frame.center = center;
    bool overlaps = desc->agents && sidle_agents_deepest(desc->agents, &frame, desc->place.collides_with,
                                                         desc->ignored_agent, &agent, &away);
    if (overlaps)
    {
        leave_agent(search, from, center, &agent, away);
    }
    return overlaps;
}

static Branch take_nearest(Search *search)
{
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < search->open_count; ++i)
    {
        nearest = search->open[i].distance2 < search->open[nearest].distance2 ? i : nearest;
    }
    Branch branch = search->open[nearest];
    search->open[nearest] = search->open[--search->open_count];
    return branch;
}

/* ---- ground ---- */

/* Puts the shape on the ground below. Returns false if there is none that it can stand on. */
static bool put_down(const Search *search, const sidle_snapshot *snapshot, float motion_time, Vec3 *center)
{
    const sidle_free_desc *desc = search->desc;
    Vec3 up = up_of(desc);
    double least = desc->max_slope_cos > 0 ? (double)desc->max_slope_cos : LEVEL_COS;
    sidle_cast cast = {.origin = {center->x, center->y, center->z},
                       .rotation = desc->place.rotation,
                       .displacement = vec3_to_float(vec3_scale(up, -(double)desc->drop)),
                       .shape = desc->place.shape,
                       .ignore = desc->place.ignore,
                       .collides_with = desc->place.collides_with,
                       .ignored_surfaces = desc->place.ignored_surfaces,
                       .ignored_group = desc->place.ignored_group};
    sidle_cast_hit hit;
    sidle_kernels_select(0)->cast_one(snapshot, motion_end(motion_time), &cast, &hit);
    double rise = vec3_dot(vec3_from(hit.normal), up);
    if (hit.hit != SIDLE_CAST_HIT || rise < least)
    {
        return false;
    }
    double gap = vec3_min_component(vec3_sub(search->frame.radii, vec3_from(desc->place.shape.radii)));
    *center = vec3_add_scaled(*center, up, gap / rise - hit.t * (double)desc->drop);
    return true;
}

/* ---- the call ---- */

static bool find(Search *search, const sidle_snapshot *snapshot, float motion_time, Vec3 *center)
{
    search->open[0] = (Branch){.count = 0, .displacement = {0, 0, 0}, .distance2 = 0};
    search->open_count = 1;
    while (search->open_count > 0 && search->try_count < MOST_TRIES)
    {
        Branch branch = take_nearest(search);
        if (is_known(search, branch.displacement))
        {
            continue;
        }
        search->tried[search->try_count++] = branch.displacement;
        search->frame.center = vec3_add(search->center, branch.displacement);
        Nearest deepest = {.frame = &search->frame, .radius = 1, .unit = 1};
        sidle_around_visit(&search->around, 0, sidle_take_nearer, &deepest);
        if (deepest.found && deepest.contact.t < 1)
        {
            leave(search, &branch, deepest.triangle.corners, &deepest.contact);
            continue;
        }
        const Placed *holder = sidle_around_holder(&search->around, search->frame.center);
        if (holder) /* mutant: free_inside */
        {
            leave_solid(search, &branch, holder);
            continue;
        }
        *center = search->frame.center;
        bool stands = search->desc->drop == 0 || put_down(search, snapshot, motion_time, center);
        if (stands && !leave_agents(search, &branch, *center))
        {
            return true;
        }
    }
    return false;
}

static sidle_status check(const sidle_free_desc *desc)
{
    const sidle_vec3 *up = &desc->up;
    const float numbers[7] = {desc->radius, desc->clearance, desc->drop, desc->max_slope_cos,
                              up->x,        up->y,           up->z};
    sidle_status status = sidle_place_check(&desc->place);
    for (int i = 0; i < 7 && status == SIDLE_OK; ++i)
    {
        status = isfinite(numbers[i]) ? SIDLE_OK : SIDLE_ERROR_NOT_FINITE;
    }
    if (status != SIDLE_OK)
    {
        return status;
    }
    if ((desc->place.flags & SIDLE_PLACE_BOX) || vec3_is_zero(vec3_from(desc->place.shape.radii)))
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    bool good = desc->radius >= 0 && (double)desc->radius <= SIDLE_MAX_LENGTH && desc->clearance >= 0 &&
                desc->clearance <= 1 && desc->drop >= 0 && (double)desc->drop <= SIDLE_MAX_LENGTH &&
                desc->max_slope_cos >= 0 && desc->max_slope_cos <= 1;
    return good ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

static FP_BODY sidle_status find_free(const sidle_snapshot *snapshot, float motion_time,
                                      const sidle_free_desc *desc, sidle_position *center, uint32_t *found)
{
    if (!snapshot || !desc || desc->size != sizeof *desc || !center || !found || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    *found = 0;
    *center = desc->place.center;
    sidle_status status = check(desc);
    if (status != SIDLE_OK || !sidle_kernels_select(0))
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_UNSUPPORTED;
    }
    sidle_place wide = desc->place;
    double least = vec3_min_component(vec3_from(wide.shape.radii)),
           gap = least * (desc->clearance > 0 ? (double)desc->clearance : CLEARANCE);
    wide.shape.radii = vec3_to_float(vec3_add(vec3_from(wide.shape.radii), vec3(gap, gap, gap)));
    Search search;
    search.desc = desc;
    search.center = vec3_from_position(desc->place.center);
    search.try_count = 0;
    search.around = sidle_around_of(snapshot, motion_time, &wide, &search.frame);
    Vec3 place;
    if (find(&search, snapshot, motion_time, &place))
    {
        *center = (sidle_position){place.x, place.y, place.z};
        *found = 1;
    }
    return SIDLE_OK;
}

sidle_status sidle_place_find_free(const sidle_snapshot *snapshot, float motion_time,
                                   const sidle_free_desc *desc, sidle_position *center, uint32_t *found)
{
    FpEnvironment host = fp_enter();
    sidle_status status = find_free(snapshot, motion_time, desc, center, found);
    fp_leave(host);
    return status;
}
