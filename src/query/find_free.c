/* The nearest free place. A free place is on one side of each triangle near it. The search branches over these sides: in front of
 * the deepest triangle or behind it, past one of its edges, or straight away from it. A branch is a set of half-spaces, and its
 * place is the one of least displacement within them. The branch whose place is nearest comes next, so the first place that
 * nothing overlaps is about the nearest of all branches. Sides are flat and shapes are round, so the search then draws nearer from there,
 * and from the next such places. If a closed instance holds a place, the search branches past the nearest triangle of that instance, and past
 * the sides of its box. If an agent overlaps it, the search branches past that agent on all sides. */
#include "query/free.h"

#include "base/fp_environment.h"
#include "query/cast.h"

#define CLEARANCE .02                /* the default */
#define LEVEL_COS .70710678118654752 /* the default of max_slope_cos */

/* Rings of places on which ground is looked for where the branches find none: up to the radius of the search. */
#define RINGS 8

#define MOST_FREE   3    /* places of branches, of which the nearest is the answer */
#define NEAR_ENOUGH 1.05 /* times as far as any free place is at least: ends the search */
#define TOO_FAR     1.15 /* times as far as the answer so far: ends it, too, although more could be drawn near */
#define GAIN        .95 /* of the distance: less is not worth another look */

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

/* Moves the frame by a displacement. Returns whether a triangle overlaps the shape there: then `deepest` is the one that does most. */
static bool is_blocked(Search *search, Vec3 displacement, Nearest *deepest)
{
    search->frame.center = vec3_add(search->center, displacement);
    *deepest = (Nearest){.frame = &search->frame, .radius = 1, .unit = 1};
    sidle_around_visit(&search->around, 0, sidle_take_nearer, deepest);
    return deepest->found && deepest->contact.t < 1;
}

/* Puts the shape on the ground below, if it is to stand: the clearance touches the ground. Returns false if there is none that it can
 * stand on. */
static bool stands(Search *search, Vec3 *center)
{
    const sidle_free_desc *desc = search->desc;
    if (desc->drop == 0)
    {
        return true;
    }
    Vec3 up = sidle_free_up(desc);
    double least = desc->max_slope_cos > 0 ? (double)desc->max_slope_cos : LEVEL_COS;
    sidle_cast cast = {.origin = {center->x, center->y, center->z},
                       .rotation = desc->place.rotation,
                       .displacement = vec3_to_float(vec3_scale(up, -(double)desc->drop)),
                       .shape = {vec3_to_float(search->frame.radii), desc->place.shape.half_height},
                       .ignore = desc->place.ignore,
                       .collides_with = desc->place.collides_with,
                       .ignored_surfaces = desc->place.ignored_surfaces,
                       .ignored_group = desc->place.ignored_group};
    sidle_cast_hit hit = {.hit = SIDLE_CAST_MISS}; /* for a cast beyond the limits */
    sidle_kernels_select(0)->cast_one(search->around.snapshot, search->around.time, &cast, &hit);
    double rise = vec3_dot(vec3_from(hit.normal), up);
    if (hit.hit != SIDLE_CAST_HIT || rise < least)
    {
        return false;
    }
    Vec3 path = vec3_from(cast.displacement);
    *center = vec3_add_scaled(vec3_add_scaled(*center, path, hit.t), up,
                              ROUNDING * vec3_min_component(search->frame.radii));
    Nearest deepest; /* the cast passes backs of faces */
    bool is_in =
        is_blocked(search, vec3_sub(*center, search->center), &deepest); /* mutant: stands_anywhere */
    return !is_in && !sidle_around_holder(&search->around, *center);
}

/* ---- nearer ---- */

/* The half-space in front of a triangle as seen from a free place: both are convex, so the plane is perpendicular to the least
 * distance between them. `at`: the centre that the corners are relative to. */
static HalfSpace seen_from(const Search *search, const Vec3 v[3], Vec3 at, Vec3 displacement)
{
    const Frame *frame = &search->frame;
    Vec3 from = mat3_mul(frame->to_e, vec3_sub(vec3_add(search->center, displacement), at));
    KernelContact contact =
        frame->core.y > 0 ? sidle_closest_of_core(v, frame->core.y, from) : sidle_closest_of_point(v, from);
    Vec3 world = mat3_mul_transposed(frame->to_e, contact.normal);
    double length = vec3_length(world);
    Vec3 n = vec3_scale(world, 1 / length);
    return (HalfSpace){n, vec3_dot(n, displacement) + (1 + ROUNDING - contact.t) / length};
}

/* Looks for a nearer place that no triangle overlaps: the least displacement in front of all triangles as seen from a free place.
 * The half-spaces of a branch were chosen before it was known where it leads. */
static bool draw_near(Search *search, Vec3 *displacement)
{
    Branch branch = {.count = 0, .displacement = {0, 0, 0}, .distance2 = 0};
    Nearest deepest = search->first;
    search->frame.center = search->center;
    for (bool is_in = deepest.found; is_in; is_in = is_blocked(search, branch.displacement, &deepest))
    {
        if (branch.count == MOST_PLANES)
        {
            return false;
        }
        branch.planes[branch.count++] =
            seen_from(search, deepest.triangle.corners, search->frame.center, *displacement);
        if (!sidle_branch_settle(&branch) || branch.distance2 >= vec3_length2(*displacement))
        {
            return false;
        }
    }
    *displacement = branch.displacement;
    return branch.count > 0;
}

/* ---- the search ---- */

/* Whether a place that no triangle overlaps is free. The centre goes on the ground, if it has to. */
static bool is_free(Search *search, Vec3 *center)
{
    return !sidle_around_holder(&search->around, *center) && stands(search, center) &&
           !sidle_free_overlaps_agent(search, *center);
}

static double distance_of(const Search *search, Vec3 center)
{
    return vec3_length(vec3_sub(center, search->center));
}

static void keep_nearest(Search *search, Vec3 center)
{
    double distance = distance_of(search, center);
    if (search->free_count++ == 0 || distance < search->distance)
    {
        search->distance = distance;
        search->answer = center;
    }
}

/* The first place is enough if no triangle overlaps the start, and in a crowd, where more would cost five times as much, to be nearer by
 * a hundredth. */
static bool is_near_enough(const Search *search, const Branch *next)
{
    uint32_t most = search->first.found && !search->among_agents ? MOST_FREE : 1;
    double too_far = TOO_FAR * search->distance;
    return search->free_count >= most ||
           (search->free_count > 0 &&
            (search->distance <= NEAR_ENOUGH * search->least || next->distance2 > too_far * too_far));
}

/* Draws nearer from a free place while that helps. */
static void take_free(Search *search, Vec3 displacement, Vec3 center)
{
    double distance = distance_of(search, center), before = (double)INFINITY;
    while (!search->among_agents && distance > NEAR_ENOUGH * search->least && distance < GAIN * before)
    {
        bool draws_near = draw_near(search, &displacement); /* mutant: never_drawn_near */
        Vec3 place = vec3_add(search->center, displacement);
        if (!draws_near || !is_free(search, &place) || distance_of(search, place) >= distance)
        {
            break;
        }
        center = place;
        before = distance;
        distance = distance_of(search, center);
    }
    keep_nearest(search, center);
}

/* Below the start there is no ground, or it is too steep: looks for it on rings around. */
static void look_around(Search *search)
{
    Vec3 up = sidle_free_up(search->desc), side = vec3_across(up), beside = vec3_cross(up, side);
    for (int ring = 1; ring <= RINGS && search->free_count == 0; ++ring)
    {
        double distance = (double)search->desc->radius * ring / RINGS;
        for (int i = 0; i < SIDES; ++i)
        {
            Nearest deepest;
            bool is_in = is_blocked(search, vec3_scale(side, distance), &deepest); /* mutant: no_rings */
            Vec3 center = search->frame.center;
            if (!is_in && is_free(search, &center))
            {
                keep_nearest(search, center);
            }
            free_turn(&side, &beside);
        }
    }
}

/* Looks at the place of a branch. If it is not free, branches off past what it overlaps. */
static void try_branch(Search *search, const Branch *branch)
{
    Nearest deepest;
    search->tried[search->try_count++] = branch->displacement;
    if (is_blocked(search, branch->displacement, &deepest))
    {
        if (branch->count == 0)
        {
            search->first = deepest;
            search->least = (1 - larger(deepest.contact.t, 0)) * vec3_min_component(search->frame.radii);
        }
        sidle_free_leave(search, branch, deepest.triangle.corners, &deepest.contact);
        return;
    }
    Vec3 center = search->frame.center;
    const Placed *holder = sidle_around_holder(&search->around, center);
    if (holder) /* mutant: free_inside */
    {
        sidle_free_leave_solid(search, branch, holder);
    }
    else if (stands(search, &center) && !sidle_free_leave_agents(search, branch, center))
    {
        take_free(search, branch->displacement, center);
    }
}

static bool find(Search *search)
{
    search->open[0] = (Branch){.count = 0, .displacement = {0, 0, 0}, .distance2 = 0};
    search->open_count = 1;
    search->try_count = search->free_count = 0;
    search->among_agents = false;
    search->first.found = false;
    search->least = search->distance = 0;
    while (search->open_count > 0 && search->try_count < MOST_TRIES)
    {
        Branch branch = take_nearest(search);
        if (is_near_enough(search, &branch))
        {
            break;
        }
        if (!sidle_free_is_known(search, branch.displacement))
        {
            try_branch(search, &branch);
        }
    }
    if (search->free_count == 0 && search->desc->drop > 0)
    {
        look_around(search);
    }
    return search->free_count > 0;
}

/* ---- the call ---- */

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
    sidle_status status = check(desc);
    if (status != SIDLE_OK || !sidle_kernels_select(0))
    {
        return status != SIDLE_OK ? status : SIDLE_ERROR_UNSUPPORTED;
    }
    *found = 0;
    *center = desc->place.center;
    sidle_place wide = desc->place;
    double least = vec3_min_component(vec3_from(wide.shape.radii)),
           gap = least * (desc->clearance > 0 ? (double)desc->clearance : CLEARANCE);
    wide.shape.radii = vec3_to_float(vec3_add(vec3_from(wide.shape.radii), vec3(gap, gap, gap)));
    Search search;
    search.desc = desc;
    search.center = vec3_from_position(desc->place.center);
    search.around = sidle_around_of(snapshot, motion_time, &wide, &search.frame);
    if (find(&search))
    {
        *center = (sidle_position){search.answer.x, search.answer.y, search.answer.z};
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
