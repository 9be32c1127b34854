/* What chooses the kernels where the desc does not: SIDLE_LANES and SIDLE_AVX512, which are read once a process.
 * Each test is a process of its own. */
#include "support/casts.h"
#include "support/scene.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdlib.h>

static void set_environment(const char *name, const char *text)
{
#ifdef _WIN32
    _putenv_s(name, text);
#else
    setenv(name, text, 1);
#endif
}

/* 0: it is refused. */
static uint32_t lanes_of(uint32_t lanes)
{
    sidle_profile profile = walking_ball().profile;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = lanes};
    sidle_crowd *crowd = NULL;
    sidle_status status = sidle_crowd_create(&desc, NULL, &crowd);
    cr_expect(status == SIDLE_OK || (status == SIDLE_ERROR_UNSUPPORTED && crowd == NULL));
    uint32_t used = sidle_crowd_lanes(crowd);
    sidle_crowd_destroy(crowd);
    cr_expect_eq(sidle_cast_lanes(lanes), used);
    return used;
}

static void expect_lanes(const char *text, uint32_t expected)
{
    set_environment("SIDLE_LANES", text);
    cr_expect_eq(lanes_of(0), expected, "SIDLE_LANES=%s", text);
    cr_expect_eq(lanes_of(4), 4, "the desc goes first");
    set_environment("SIDLE_LANES", expected == 1 ? "4" : "1");
    cr_expect_eq(lanes_of(0), expected, "it has been read");

    Soup soup = {0};
    soup_floor(&soup, 4, 0);
    CastScene scene = cast_scene_of(soup);
    const sidle_cast cast = {.origin = {0, 1, 0}, .displacement = {0, -2, 0}};
    sidle_cast_hit hit = {.t = 7};
    sidle_status status = sidle_cast_closest(scene.snapshot, 0, &cast, &hit);
    cr_expect_eq(status, expected > 0 ? SIDLE_OK : SIDLE_ERROR_UNSUPPORTED);
    cr_expect_eq(hit.t, expected > 0 ? .5 : 7);
    cast_scene_close(&scene);
}

Test(lanes, the_environment_may_ask_for_one)
{
    expect_lanes("1", 1);
}

Test(lanes, the_environment_may_ask_for_four)
{
    expect_lanes("4", 4);
}

Test(lanes, an_empty_text_asks_for_nothing)
{
    expect_lanes("", lanes_of(8) == 8 ? 8 : 4);
}

Test(lanes, zero_asks_for_nothing)
{
    expect_lanes("0", lanes_of(8) == 8 ? 8 : 4);
}

Test(lanes, a_width_that_is_none_is_refused)
{
    expect_lanes("5", 0);
}

Test(lanes, more_than_a_number_is_refused)
{
    expect_lanes("4x", 0);
}

Test(lanes, less_than_nothing_is_refused)
{
    expect_lanes("-4", 0);
}

Test(lanes, a_number_that_overflows_is_refused)
{
    expect_lanes("99999999999999999999", 0);
}

/* NULL: there are none of eight lanes. */
static const Kernels *eight_of(bool avx512)
{
#ifdef WIDE_HAS_8
    const Kernels *const builds[2] = {&sidle_kernels_8_avx512, &sidle_kernels_8};
    for (int i = avx512 ? 0 : 1; i < 2; ++i)
    {
        if (sidle_kernels_run_here(builds[i]))
        {
            return builds[i];
        }
    }
#endif
    (void)avx512;
    return NULL;
}

Test(lanes, eight_of_avx512_go_before_eight_of_avx2)
{
    set_environment("SIDLE_AVX512", "1");
    cr_expect(sidle_kernels_select(8) == eight_of(true));
    set_environment("SIDLE_AVX512", "0");
    cr_expect(sidle_kernels_select(8) == eight_of(true), "it has been read");
}

Test(lanes, the_environment_may_do_without_avx512)
{
    set_environment("SIDLE_LANES", "");
    set_environment("SIDLE_AVX512", "0");
    cr_expect(sidle_kernels_select(8) == eight_of(false));
    cr_expect_null(sidle_kernels_select(16));
    cr_expect_eq(lanes_of(16), 0);
    cr_expect_eq(lanes_of(0), lanes_of(8) == 8 ? 8 : 4);
}
