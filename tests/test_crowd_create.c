/* The creation of crowds: profiles and descs that are refused. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

static sidle_crowd *const untouched = (sidle_crowd *)(void *)&(char){0};

/* `index`: of the profile that the error names. */
static void expect_refused(sidle_crowd_desc desc, sidle_status expected, uint64_t index, const char *what)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_crowd *crowd = untouched;
    desc.error = &error;
    sidle_status status = sidle_crowd_create(&desc, NULL, &crowd);
    cr_expect_eq(status, expected, "%s: %s", what, sidle_status_text(status));
    cr_expect(error.status == expected && error.index == index && strlen(error.text) > 10,
              "%s: reports %d of %d, '%s'", what, (int)error.status, (int)error.index, error.text);
    cr_expect(crowd == untouched, "%s: writes its out", what);
    desc.error = NULL;
    cr_expect_eq(sidle_crowd_create(&desc, NULL, &crowd), expected, "%s: without an error to fill", what);
}

/* The second of two profiles is this one. */
static void expect_bad_profile(sidle_profile bad, sidle_status expected, const char *what)
{
    sidle_profile profiles[2] = {walking_ball().profile, bad};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 2};
    expect_refused(desc, expected, 1, what);
}

Test(crowd_create, a_profile_outside_its_ranges_is_refused_by_its_index)
{
    const sidle_profile good = walking_ball().profile;
    const float slopes[4] = {-0.1f, 1.1f, NAN, INFINITY}, skins[4] = {0.004f, 0.11f, -0.02f, NAN};
    const float steps[2] = {NAN, INFINITY};
    for (int i = 0; i < 4; ++i)
    {
        sidle_profile bad = good;
        bad.max_slope_cos = slopes[i];
        expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "max_slope_cos");
        bad = good;
        bad.skin = skins[i];
        expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "skin");
        bad = good;
        *(i % 2 ? &bad.step_up : &bad.step_down) = steps[i / 2];
        expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "a step");
    }
    sidle_profile bad = good;
    bad.size -= 1;
    expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "size");
    bad = good;
    bad.mode = SIDLE_FLY + 1;
    expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "mode");
    bad = good;
    bad.flags = SIDLE_PROFILE_STANDS_ON_AGENTS << 1;
    expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "flags");
    bad = good;
    bad.shape.half_height = 2e4f * bad.shape.radii.x;
    expect_bad_profile(bad, SIDLE_ERROR_LIMIT, "too long a capsule");
    bad.shape.half_height = INFINITY;
    expect_bad_profile(bad, SIDLE_ERROR_NOT_FINITE, "an endless capsule");
    bad.shape.half_height = -0.5f;
    expect_bad_profile(bad, SIDLE_ERROR_ARGUMENT, "a negative half height");
    bad.shape.half_height = NAN;
    expect_bad_profile(bad, SIDLE_ERROR_NOT_FINITE, "no half height");
}

/* The floats of limits are within; what is beyond is refused with the name of the field and its value. */
static void expect_limit(sidle_profile *profile, float *field, float within, float beyond, const char *name)
{
    sidle_error error = {.status = SIDLE_OK};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profile, .profile_count = 1, .error = &error};
    sidle_crowd *crowd = NULL;
    char value[64];
    float before = *field;
    *field = within;
    cr_expect_eq(sidle_crowd_create(&desc, NULL, &crowd), SIDLE_OK, "%s %g: %s", name, (double)within,
                 error.text);
    sidle_crowd_destroy(crowd);
    *field = beyond;
    snprintf(value, sizeof value, "%s is %g,", name, (double)beyond);
    cr_expect_neq(sidle_crowd_create(&desc, NULL, &crowd), SIDLE_OK, "%s %g", name, (double)beyond);
    cr_expect(strstr(error.text, value) != NULL, "'%s' does not say '%s'", error.text, value);
    *field = before;
}

Test(crowd_create, profiles_at_their_limits_are_taken_and_beyond_refused)
{
    sidle_profile one = {.size = sizeof one, .shape.radii = {.05f, .05f, .05f}}, large = one, thin = one;
    large.shape.radii = (sidle_vec3){1e4f, 1e4f, 1e4f};
    thin.shape.radii = (sidle_vec3){.01f, .01f, .01f};
    expect_limit(&one, &one.shape.radii.x, 1e-3f, .999e-3f, "radii.x");
    expect_limit(&large, &large.shape.radii.y, 1e4f, 1.001e4f, "radii.y");
    expect_limit(&large, &large.shape.half_height, 1e4f, 1.001e4f, "half_height");
    expect_limit(&thin, &thin.shape.radii.z, 1, 1.001f, "radii.z");
    expect_limit(&thin, &thin.shape.half_height, 1, 1.001f, "half_height");
    expect_limit(&one, &one.max_slope_cos, 1e-6f, .99e-6f, "max_slope_cos");
    expect_limit(&one, &one.step_up, 1e4f, 1.001e4f, "step_up");
    expect_limit(&one, &one.step_down, 1e4f, 1.001e4f, "step_down");
    expect_limit(&one, &one.recovery_speed, 1e4f, 1.001e4f, "recovery_speed");
}

Test(crowd_create, an_invalid_desc_is_refused_with_a_sentence)
{
    sidle_profile profile = walking_ball().profile;
    const sidle_crowd_desc good = {.size = sizeof good, .profiles = &profile, .profile_count = 1};
    sidle_crowd_desc desc = good;
    desc.profiles = NULL;
    expect_refused(desc, SIDLE_ERROR_ARGUMENT, 0, "no profiles");
    desc = good;
    desc.profile_count = 0;
    expect_refused(desc, SIDLE_ERROR_ARGUMENT, 0, "no profile");
    desc.profile_count = SIDLE_MAX_PROFILES + 1;
    expect_refused(desc, SIDLE_ERROR_LIMIT, 0, "too many profiles");
    desc = good;
    desc.profile_stride = sizeof profile - 4;
    expect_refused(desc, SIDLE_ERROR_ARGUMENT, 0, "a stride too small");
    desc.profile_stride = sizeof profile + 1;
    expect_refused(desc, SIDLE_ERROR_ARGUMENT, 0, "a stride that is not aligned");
    desc = good;
    desc.max_candidates = 65537;
    expect_refused(desc, SIDLE_ERROR_LIMIT, 0, "too many candidates");
    desc = good;
    desc.lanes = 3;
    expect_refused(desc, SIDLE_ERROR_UNSUPPORTED, 0, "three lanes");
    desc = good;
    desc.up.x = NAN;
    expect_refused(desc, SIDLE_ERROR_NOT_FINITE, 0, "no up");
    desc = good;
    desc.gravity.z = INFINITY;
    expect_refused(desc, SIDLE_ERROR_NOT_FINITE, 0, "no gravity");
    sidle_crowd *crowd = untouched;
    desc = good;
    desc.size -= 1;
    cr_expect_eq(sidle_crowd_create(&desc, NULL, &crowd), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_create(NULL, NULL, &crowd), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_create(&good, NULL, NULL), SIDLE_ERROR_ARGUMENT);
    const sidle_allocator half = {.user = &profile};
    cr_expect_eq(sidle_crowd_create(&good, &half, &crowd), SIDLE_ERROR_ARGUMENT);
    cr_expect(crowd == untouched);
}
