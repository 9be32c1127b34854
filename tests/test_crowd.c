/* Crowds and ticks as promised in sidle/crowd.h: what is refused, what a tick reads and writes, when it is
 * busy. */
#include "support/scene.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is refused ---- */

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

Test(crowd, a_profile_outside_its_ranges_is_refused_by_its_index)
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
    bad.flags = 16;
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

Test(crowd, profiles_at_their_limits_are_taken_and_beyond_refused)
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

Test(crowd, an_invalid_desc_is_refused_with_a_sentence)
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

/* One agent on a floor, and a place for its result. */
typedef struct Fixture
{
    Scene scene;
    sidle_move move;
    sidle_result result;
    sidle_tick_desc tick;
} Fixture;

static void fixture_set(Fixture *fixture, SceneOptions options)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    memset(fixture, 0, sizeof *fixture);
    fixture->scene = scene_of(floor, options);
    fixture->move = (sidle_move){.id = 5, .body = {.center = {0, 3, 0}}, .displacement = {0.1f, 0, 0}};
    memset(&fixture->result, 0x55, sizeof fixture->result);
    fixture->tick = (sidle_tick_desc){.size = sizeof fixture->tick,
                                      .snapshot = fixture->scene.snapshot,
                                      .dt = 1.0f / 60.0f,
                                      .moves = &fixture->move,
                                      .count = 1,
                                      .results = &fixture->result};
}

static void expect_no_tick(const Fixture *fixture, sidle_tick_desc tick, sidle_status expected,
                           const char *what)
{
    sidle_result before = fixture->result;
    sidle_work work;
    sidle_status status = sidle_crowd_tick(fixture->scene.crowd, &tick);
    cr_expect_eq(status, expected, "%s: %s", what, sidle_status_text(status));
    cr_expect_eq(sidle_crowd_tick_begin(fixture->scene.crowd, &tick, 1, &work), expected, "begin: %s", what);
    cr_expect_eq(memcmp(&before, &fixture->result, sizeof before), 0, "%s: writes a result", what);
}

Test(crowd, an_invalid_tick_is_refused_and_moves_no_agent)
{
    Fixture fixture;
    fixture_set(&fixture, walking_ball());
    sidle_tick_desc bad = fixture.tick;
    bad.size -= 1;
    expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "size");
    bad = fixture.tick;
    bad.snapshot = NULL;
    expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "no snapshot");
    bad = fixture.tick;
    bad.moves = NULL;
    expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "no moves");
    bad = fixture.tick;
    bad.results = NULL;
    expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "no results");
    bad = fixture.tick;
    bad.contact_capacity = 8;
    expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "no contacts");
    bad = fixture.tick;
    bad.count = SIDLE_MAX_AGENTS + 1;
    expect_no_tick(&fixture, bad, SIDLE_ERROR_LIMIT, "too many agents");
    cr_expect_eq(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), SIDLE_OK, "unharmed");
    scene_close(&fixture.scene);
}

Test(crowd, times_and_strides_outside_their_ranges_are_refused)
{
    Fixture fixture;
    fixture_set(&fixture, walking_ball());
    sidle_tick_desc bad;
    const float times[5] = {0.0f, -0.1f, NAN, 1.001f, -INFINITY};
    const float parts[5][2] = {{0.5f, 0.25f}, {-0.1f, 1.0f}, {0.0f, 1.1f}, {NAN, 1.0f}, {0.0f, NAN}};
    const size_t strides[2] = {8, 4};
    for (int i = 0; i < 5; ++i)
    {
        bad = fixture.tick;
        bad.dt = times[i];
        expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "dt");
        bad = fixture.tick;
        bad.motion_begin = parts[i][0];
        bad.motion_end = parts[i][1];
        expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "a part of the motion that is none");
        bad = fixture.tick;
        bad.move_stride = i % 2 ? sizeof(sidle_move) - strides[0] : sizeof(sidle_move) + strides[1];
        expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "move stride");
        bad = fixture.tick;
        bad.result_stride = i % 2 ? sizeof(sidle_result) - strides[0] : sizeof(sidle_result) + strides[1];
        expect_no_tick(&fixture, bad, SIDLE_ERROR_ARGUMENT, "result stride");
    }
    scene_close(&fixture.scene);
}

Test(crowd, a_tick_without_a_crowd_workers_or_a_work_is_refused)
{
    Fixture fixture;
    fixture_set(&fixture, walking_ball());
    sidle_work work;
    const sidle_jobs none = {.size = sizeof none, .worker_count = 1};
    sidle_tick_desc tick = fixture.tick;
    sidle_crowd *crowd = fixture.scene.crowd;
    cr_expect_eq(sidle_crowd_tick(NULL, &tick), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick(crowd, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick_begin(NULL, &tick, 1, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick_begin(crowd, NULL, 1, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick_begin(crowd, &tick, 1, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick_begin(crowd, &tick, 0, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick_begin(crowd, &tick, SIDLE_MAX_WORKERS + 1, &work), SIDLE_ERROR_ARGUMENT);
    tick.jobs = &none;
    cr_expect_eq(sidle_crowd_tick(crowd, &tick), SIDLE_ERROR_ARGUMENT, "no loop");
    work = (sidle_work){.state = NULL};
    cr_expect_eq(sidle_crowd_tick_end(crowd, &work), SIDLE_ERROR_ARGUMENT, "not begun");
    cr_expect_eq(sidle_crowd_tick_end(crowd, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_crowd_tick_end(NULL, &work), SIDLE_ERROR_ARGUMENT);
    scene_close(&fixture.scene);
}

/* A move whose numbers are good and lead nowhere. */
static void expect_no_place(SceneOptions options, sidle_move move, const char *what)
{
    Fixture fixture;
    fixture_set(&fixture, options);
    fixture.move = move;
    demand(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), "sidle_crowd_tick");
    const sidle_body *end = &fixture.result.body;
    cr_expect((end->flags & SIDLE_BODY_INVALID) && fixture.result.reasons == SIDLE_REASON_INVALID, "%s",
              what);
    cr_expect_eq(memcmp(&end->center, &move.body.center, sizeof end->center), 0, "%s: moved", what);
    cr_expect_eq(memcmp(&end->velocity, &move.body.velocity, sizeof end->velocity), 0, "%s: sped up", what);
    scene_close(&fixture.scene);
}

/* So a flag of a later version is not taken for granted by this one. */
Test(crowd, an_agent_with_an_unknown_flag_is_reported_invalid_and_stays)
{
    const sidle_move good = {
        .id = 5, .body = {.center = {0, 3, 0}, .velocity = {1, 2, 3}}, .displacement = {.x = .1f}};
    for (uint32_t flag = 2; flag; flag <<= 1)
    {
        sidle_move move = good;
        move.flags = SIDLE_MOVE_NO_CONTACTS | flag;
        expect_no_place(flying_ball(), move, "a flag");
    }
}

Test(crowd, an_agent_outside_the_limit_of_coordinates_is_reported_invalid_and_stays)
{
    const sidle_move good = {.id = 5, .body = {.center = {0, 3, 0}, .velocity = {1, 2, 3}}};
    sidle_move move = good;
    move.displacement.y = 1e38f;
    expect_no_place(flying_ball(), move, "a wish");
    move = good;
    move.body.center.z = -1.001 * SIDLE_MAX_COORDINATE;
    expect_no_place(flying_ball(), move, "a place");
    move = good;
    move.body.center.z = .9999999 * SIDLE_MAX_COORDINATE;
    move.displacement.z = 9999;
    expect_no_place(flying_ball(), move, "beyond the edge");
    move = good;
    move.gravity.y = 3e38f;
    expect_no_place(walking_ball(), move, "gravity");
    move = good;
    move.body.velocity.y = 3e38f;
    expect_no_place(sliding_ball(), move, "a velocity");
}

/* One of the fields that move an agent of radius 1, at this share of its limit. */
static sidle_move move_of(int field, double share)
{
    const double limit = share * SIDLE_MAX_PATH, hertz = 60;
    sidle_move move = {.id = 5, .body = {.center = {0, 3, 0}}};
    sidle_vec3 *fields[] = {&move.displacement, &move.body.velocity, &move.body.carried_over, &move.gravity};
    const double sizes[] = {limit, limit * hertz, limit * hertz, 2 * limit * hertz * hertz};
    *fields[field] = (sidle_vec3){0, (float)(.6 * sizes[field]), (float)sizes[field]};
    return move;
}

Test(crowd, a_displacement_above_ten_thousand_radii_is_reported_invalid)
{
    static const char *const names[] = {"displacement", "velocity", "carried_over", "gravity"};
    for (int field = 0; field < 4; ++field)
    {
        const SceneOptions modes[] = {flying_ball(), walking_ball(), sliding_ball()};
        for (int mode = 0; mode < 3; ++mode)
        {
            Fixture fixture;
            fixture_set(&fixture, modes[mode]);
            fixture.move = move_of(field, 1);
            demand(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), "sidle_crowd_tick");
            cr_expect(!(fixture.result.body.flags & SIDLE_BODY_INVALID), "%s", names[field]);
            scene_close(&fixture.scene);
            expect_no_place(modes[mode], move_of(field, 1.00001), names[field]);
        }
    }
}

/* Of the smallest agent. */
Test(crowd, no_displacement_is_too_long_for_a_wall_beside_its_beginning)
{
    SceneOptions options = flying_ball();
    options.profile.shape.radii = (sidle_vec3){1e-3f, 1e-3f, 1e-3f};
    Soup wall = {0};
    soup_wall(&wall, 10, 10);
    Scene scene = scene_of(wall, options);
    for (double length = SIDLE_MAX_PATH * 1e-3; length > 1e-3; length /= 2)
    {
        for (int i = 0; i < 64; ++i)
        {
            Agent agent = agent_at(10 - 1e-3 * (1.02 + .1 * i), 2, -3);
            scene_tick(&scene, &agent, vector(length, 0, 0));
            cr_expect_lt(agent.body.center.x, 10, "%g m, %d tenths of a radius before a wall", length, i);
            cr_expect_not(agent.body.flags & SIDLE_BODY_INVALID, "%g m", length);
        }
    }
    scene_close(&scene);
}

/* ---- what a tick reads and writes ---- */

typedef struct Being /* what an engine keeps of an agent, here and there */
{
    char name[20];
    float health;
    sidle_move move;
    uint64_t inventory[3];
    sidle_result result;
    double age;
} Being;

Test(crowd, strides_reach_into_structures_of_the_caller)
{
    enum
    {
        COUNT = 70
    };
    static Being beings[COUNT], before[COUNT];
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(COUNT);
    sidle_tick_desc tick = troop_tick(&troop, &level, 0);
    memset(beings, 0x55, sizeof beings);
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        beings[i].move = troop.moves[i];
    }
    memcpy(before, beings, sizeof beings);
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    tick.moves = &beings[0].move;
    tick.results = &beings[0].result;
    tick.move_stride = tick.result_stride = sizeof beings[0];
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        const sidle_result *a = &beings[i].result, *b = &troop.results[i];
        cr_expect(memcmp(&a->body.center, &b->body.center, sizeof a->body.center) == 0 &&
                  a->reasons == b->reasons && a->contact_first == b->contact_first);
        before[i].result = beings[i].result;
        cr_expect_eq(memcmp(&before[i], &beings[i], offsetof(Being, result)), 0, "writes beside the result");
        cr_expect(memcmp(&before[i].age, &beings[i].age, sizeof(double)) == 0, "writes behind the result");
    }
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}

Test(crowd, profiles_may_stand_in_structures_of_the_caller)
{
    struct
    {
        uint64_t color;
        sidle_profile profile;
        float weight;
    } kinds[3];
    memset(kinds, 0x55, sizeof kinds);
    for (uint32_t i = 0; i < 3; ++i)
    {
        kinds[i].profile = flying_ball().profile;
        kinds[i].profile.shape.radii.x = kinds[i].profile.shape.radii.y = 1.0f + (float)i;
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = &kinds[0].profile,
                             .profile_stride = sizeof kinds[0],
                             .profile_count = 3};
    Fixture fixture;
    fixture_set(&fixture, flying_ball());
    sidle_crowd_destroy(fixture.scene.crowd);
    fixture.scene.crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &fixture.scene.crowd), "sidle_crowd_create");
    memset(kinds, 0xFF, sizeof kinds);
    for (uint32_t i = 0; i < 3; ++i)
    {
        fixture.move = (sidle_move){.body = {.center = {0, 5, 0}}, .displacement = {0, -20, 0}, .profile = i};
        demand(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), "sidle_crowd_tick");
        cr_expect_float_eq(fixture.result.body.center.y, 1.02 * (1.0 + i), 1e-4);
    }
    scene_close(&fixture.scene);
}

Test(crowd, no_agents_are_moved_at_once)
{
    Fixture fixture;
    fixture_set(&fixture, flying_ball());
    uint32_t contact_count = 77;
    fixture.tick.count = 0;
    fixture.tick.moves = NULL;
    fixture.tick.results = NULL;
    fixture.tick.contact_count = &contact_count;
    cr_expect_eq(sidle_crowd_tick(fixture.scene.crowd, &fixture.tick), SIDLE_OK);
    cr_expect_eq(contact_count, 0);
    scene_close(&fixture.scene);
}
