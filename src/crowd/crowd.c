/* Creation of crowds, and the check of their profiles. */
#include "crowd/crowd.h"

#include "base/fp_environment.h"
#include "base/status.h"
#include "narrow/shape.h"

#define DEFAULT_SLOPE_COS      .70710678118654752
#define DEFAULT_SKIN           .02
#define DEFAULT_RECOVERY_SPEED 7.5
#define DEFAULT_COMFORT        .15
#define MAX_CANDIDATES         65536

/* The tolerance of every slope limit, .1 degrees. Rounding of corners to float tilts a triangle by 2^-24 of their
 * distance over its size: less than this up to a ratio of 2^14.8. */
#define TOLERANCE_COS .99999847691328770
#define TOLERANCE_SIN .00174532836589830

/* [Limit] of max_slope_cos, with and without the tolerance. */
#define LEAST_SLOPE_COS ((double)1e-6f)

static bool within(double value, double low, double high)
{
    return value >= low && value <= high; /* false for NaN */
}

/* Half the height of the unrotated shape along up. */
static double extent_along(const Profile *profile, Vec3 up)
{
    return vec3_length(vec3_mul(profile->radii, up)) + profile->core * profile->radii.y * fabs(up.y);
}

#define ASKEW_ENOUGH 8 /* a turned shape of aspect 16; a larger value would enlarge every search */

/* Let w be a world direction, and a plane perpendicular to it. In ellipsoid space 1 / cos of the angle between w and
 * the plane's normal is |M^T w| |M^-1 w|. This is its bound by the inequality of Kantorovich, 1 for balls. */
static double widest_obliquity(Vec3 radii)
{
    double low = vec3_min_component(radii), high = vec3_max_component(radii);
    return lesser((low * low + high * high) / (2 * low * high), ASKEW_ENOUGH);
}

/* cos(a + .1 degrees) of cos a. Only a square root, so that every machine gets the same bits. */
static double with_tolerance(double cosine)
{
    double sine = sqrt(larger(1 - cosine * cosine, 0));
    return larger(cosine * TOLERANCE_COS - sine * TOLERANCE_SIN, LEAST_SLOPE_COS);
}

static sidle_status check_ranges(const Profile *profile, uint32_t index, sidle_error *error)
{
    static const char steps[] = ", or negative for none";
    const uint32_t flags = SIDLE_PROFILE_NO_GRAVITY | SIDLE_PROFILE_ONE_SIDED | SIDLE_PROFILE_ONE_PASS |
                           SIDLE_PROFILE_HORIZONTAL_SPEED | SIDLE_PROFILE_STANDS_ON_AGENTS;
    const struct
    {
        const char *name;
        double value, low, high;
        const char *or_else;
    } ranges[] = {
        {"max_slope_cos", profile->max_slope_cos, LEAST_SLOPE_COS, 1, ""},
        {"skin", profile->skin, .005 * (1 - 1e-6), .1 * (1 + 1e-6), ""},
        {"step_up", profile->step_up, 0, SIDLE_MAX_LENGTH, steps},
        {"step_down", profile->step_down, 0, SIDLE_MAX_LENGTH, steps},
        {"recovery_speed", profile->recovery_speed, 0, SIDLE_MAX_LENGTH, ""},
        {"comfort", profile->comfort, 0, 1, ""},
        {"mode", profile->mode, 0, SIDLE_FLY, ""},
        {"flags", profile->flags, 0, flags, ""},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i)
    {
        if (!within(ranges[i].value, ranges[i].low, ranges[i].high))
        {
            return sidle_status_fail(
                error, SIDLE_ERROR_ARGUMENT, index, "profile %u: %s is %g, but must be from %g to %g%s",
                index, ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high, ranges[i].or_else);
        }
    }
    return SIDLE_OK;
}

static sidle_status make_profile(const sidle_profile *given, uint32_t index, Vec3 up, sidle_error *error,
                                 Profile *out)
{
    sidle_status status = sidle_shape_check(&given->shape, index, error);
    if (status != SIDLE_OK)
    {
        return status;
    }
    out->radii = vec3_from(given->shape.radii);
    out->core = (double)given->shape.half_height / out->radii.y;
    out->max_slope_cos = given->max_slope_cos == 0 ? DEFAULT_SLOPE_COS : (double)given->max_slope_cos;
    out->skin = given->skin == 0 ? DEFAULT_SKIN : (double)given->skin;
    double half = lesser(extent_along(out, up) / 2, SIDLE_MAX_LENGTH); /* rounding can exceed the limit */
    out->step_up = given->step_up == 0 ? half : (double)given->step_up;
    out->step_up = out->step_up < 0 ? 0 : out->step_up;
    out->step_down = given->step_down == 0 ? out->step_up : (double)given->step_down;
    out->step_down = out->step_down < 0 ? 0 : out->step_down;
    out->highest_step = larger(out->step_up, out->step_down);
    out->look_ahead = out->skin * widest_obliquity(out->radii);
    out->recovery_speed = given->recovery_speed == 0 ? DEFAULT_RECOVERY_SPEED : (double)given->recovery_speed;
    out->comfort = given->comfort == 0 ? DEFAULT_COMFORT : (double)given->comfort;
    out->comfort = out->comfort < 0 ? 0 : out->comfort;
    out->mode = given->mode;
    out->flags = given->flags;
    out->given = *given;
    out->swept = SHELL_SWEPT(out->skin);
    out->recover = SHELL_RECOVER(out->skin);
    out->rest = SHELL_REST(out->skin);
    out->slack = out->skin * SLACK_OF_SKIN;
    out->reach = out->swept + out->look_ahead + out->slack; /* mutant: gather_without_skin */
    out->skin_w = out->skin * vec3_max_component(out->radii);
    out->least = vec3_min_component(out->radii);
    out->shortest = SHORTEST_MOTION * out->least;
    out->longest = (float)shape_longest_path(out->radii);
    out->upright = frame_make(vec3(0, 0, 0), (sidle_quat){0, 0, 0, 1}, out->radii);
    frame_give_core(&out->upright, vec3(0, out->core, 0));
    out->upright.profile = index + 1;
    out->shape = peer_shape_of(&out->upright, up);
    out->shape.least = out->least;
    out->shape.comfort = out->comfort * out->least;
    out->shape.profile = index;
    status = check_ranges(out, index, error);
    out->max_slope_cos = with_tolerance(out->max_slope_cos);
    double cosine = out->max_slope_cos;
    out->max_slope_tan = sqrt(1 - cosine * cosine) / cosine;
    return status;
}

static sidle_status make_profiles(const sidle_crowd_desc *desc, sidle_crowd *crowd)
{
    size_t stride = desc->profile_stride ? desc->profile_stride : sizeof(sidle_profile);
    for (uint32_t i = 0; i < desc->profile_count; ++i)
    {
        const sidle_profile *given = (const sidle_profile *)((const char *)desc->profiles + i * stride);
        if (given->size != sizeof *given)
        {
            return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, i,
                                     "profile %u: size is %zu, but must be %zu", i, given->size,
                                     sizeof *given);
        }
        sidle_status status = make_profile(given, i, crowd->up, desc->error, &crowd->profiles[i]);
        if (status != SIDLE_OK)
        {
            return status;
        }
    }
    return SIDLE_OK;
}

static sidle_status check_vectors(const sidle_crowd_desc *desc)
{
    static const char *const names[6] = {"up.x", "up.y", "up.z", "gravity.x", "gravity.y", "gravity.z"};
    const sidle_vec3 *u = &desc->up, *g = &desc->gravity;
    const float values[6] = {u->x, u->y, u->z, g->x, g->y, g->z};
    for (int i = 0; i < 6; ++i)
    {
        if (!isfinite(values[i]))
        {
            return sidle_status_fail(desc->error, SIDLE_ERROR_NOT_FINITE, 0, "%s is %g, but must be finite",
                                     names[i], (double)values[i]);
        }
    }
    return SIDLE_OK;
}

/* The cells of the grid of agents are as long along an axis as most shapes are. */
static void set_stretch(sidle_crowd *crowd)
{
    Vec3 extent = vec3(0, 0, 0);
    for (uint32_t i = 0; i < crowd->profile_count; ++i)
    {
        const Frame *frame = &crowd->profiles[i].upright;
        extent = vec3_larger(extent, vec3_add(frame->extent, frame->core_extent));
    }
    const double along[3] = {extent.x, extent.y, extent.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        for (double least = vec3_min_component(extent); least < along[axis]; least *= 2)
        {
            crowd->stretch[axis] += 1;
        }
    }
}

static sidle_status check_desc(const sidle_crowd_desc *desc)
{
    sidle_error *error = desc->error;
    if (desc->profile_count < 1 || desc->profile_count > SIDLE_MAX_PROFILES)
    {
        return sidle_status_fail(error, desc->profile_count < 1 ? SIDLE_ERROR_ARGUMENT : SIDLE_ERROR_LIMIT, 0,
                                 "profile_count is %u, but must be from 1 to %u", desc->profile_count,
                                 SIDLE_MAX_PROFILES);
    }
    if (desc->max_candidates > MAX_CANDIDATES)
    {
        return sidle_status_fail(error, SIDLE_ERROR_LIMIT, 0, "max_candidates is %u, but must be at most %u",
                                 desc->max_candidates, MAX_CANDIDATES);
    }
    sidle_status status = sidle_row_check(ROW(desc->profiles, desc->profile_stride, desc->profile_count),
                                          "profiles", "profile_stride", error);
    if (status != SIDLE_OK)
    {
        return status;
    }
    if (!sidle_kernels_select(desc->lanes))
    {
        return sidle_status_fail(
            error, SIDLE_ERROR_UNSUPPORTED, 0,
            "lanes is %u, which cannot run here: 1 and 4 always can, 8 with AVX2, 16 with "
            "AVX-512; 0 asks SIDLE_LANES, and SIDLE_AVX512=0 disables AVX-512",
            desc->lanes);
    }
    return check_vectors(desc);
}

static size_t crowd_bytes(uint32_t profile_count)
{
    return sizeof(sidle_crowd) + profile_count * sizeof(Profile);
}

static FP_BODY sidle_status create(const sidle_crowd_desc *desc, const sidle_allocator *allocator,
                                   sidle_crowd **out)
{
    sidle_allocator chosen;
    if (!desc || desc->size != sizeof *desc || !out || !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = check_desc(desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_crowd *crowd = sidle_memory_allocate(&chosen, 1, crowd_bytes(desc->profile_count));
    if (!crowd)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    *crowd = (sidle_crowd){.allocator = chosen,
                           .kernels = sidle_kernels_select(desc->lanes),
                           .profiles = (Profile *)(crowd + 1),
                           .profile_count = desc->profile_count,
                           .capacity = desc->max_candidates ? desc->max_candidates : DEFAULT_CANDIDATES};
    crowd->given_up = desc->up;
    crowd->given_gravity = desc->gravity;
    crowd->up = vec3_normalize(vec3_from(desc->up));
    crowd->up = vec3_is_zero(crowd->up) ? vec3(0, 1, 0) : crowd->up;
    crowd->gravity = vec3_from(desc->gravity);
    crowd->gravity = vec3_is_zero(crowd->gravity) ? vec3_scale(crowd->up, -9.81) : crowd->gravity;
    status = make_profiles(desc, crowd);
    crowd->worker_bytes = sidle_candidates_bytes(crowd->kernels, crowd->capacity) + WORKER_STATS_BYTES;
    if (status != SIDLE_OK)
    {
        sidle_crowd_destroy(crowd);
        return status;
    }
    set_stretch(crowd);
    *out = crowd;
    return SIDLE_OK;
}

sidle_status sidle_crowd_create(const sidle_crowd_desc *desc, const sidle_allocator *allocator,
                                sidle_crowd **out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = create(desc, allocator, out);
    fp_leave(host);
    return status;
}

void sidle_crowd_destroy(sidle_crowd *crowd)
{
    if (!crowd)
    {
        return;
    }
    sidle_allocator allocator = crowd->allocator;
    sidle_scratch_release(&crowd->workers, &allocator);
    sidle_scratch_release(&crowd->contacts, &allocator);
    sidle_scratch_release(&crowd->order, &allocator);
    sidle_scratch_release(&crowd->caches, &allocator);
    sidle_scratch_release(&crowd->rests, &allocator);
    sidle_scratch_release(&crowd->peers, &allocator);
    sidle_scratch_release(&crowd->turns, &allocator);
    sidle_scratch_release(&crowd->rivals, &allocator);
    sidle_scratch_release(&crowd->sleeps, &allocator);
    sidle_memory_free(&allocator, crowd, 1, crowd_bytes(crowd->profile_count));
}

uint32_t sidle_crowd_lanes(const sidle_crowd *crowd)
{
    return crowd ? crowd->kernels->lane_count : 0;
}
