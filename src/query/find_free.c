/* The nearest free place. A free place is on one side of each triangle near it. The search branches over these sides: in front of
 * the deepest triangle or behind it, past one of its edges, or straight away from it. A branch is a set of half-spaces, and its
 * place is the one of least displacement within them. The branch whose place is nearest comes next, so the first place that
 * nothing overlaps is the nearest of all branches. If a closed instance holds it, the search branches past the nearest triangle of that
 * instance, and past the sides of its box. If an agent overlaps it, the search branches past that agent on all sides. */
#include "query/free.h"

#include "base/fp_environment.h"
#include "query/cast.h"

#define CLEARANCE .02                /* the default */
#define LEVEL_COS .70710678118654752 /* the default of max_slope_cos */

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
    Vec3 up = sidle_free_up(desc);
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
        if (sidle_free_is_known(search, branch.displacement))
        {
            continue;
        }
        search->tried[search->try_count++] = branch.displacement;
        search->frame.center = vec3_add(search->center, branch.displacement);
        Nearest deepest = {.frame = &search->frame, .radius = 1, .unit = 1};
        sidle_around_visit(&search->around, 0, sidle_take_nearer, &deepest);
        if (deepest.found && deepest.contact.t < 1)
        {
            sidle_free_leave(search, &branch, deepest.triangle.corners, &deepest.contact);
            continue;
        }
        const Placed *holder = sidle_around_holder(&search->around, search->frame.center);
        if (holder) /* mutant: free_inside */
        {
            sidle_free_leave_solid(search, &branch, holder);
            continue;
        }
        *center = search->frame.center;
        bool stands = search->desc->drop == 0 || put_down(search, snapshot, motion_time, center);
        if (stands && !sidle_free_leave_agents(search, &branch, *center))
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
