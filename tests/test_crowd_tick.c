/* Ticks that are refused. */
#include "support/fixture.h"

#include <criterion/criterion.h>

#include <string.h>

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

Test(crowd_tick, an_invalid_tick_is_refused_and_moves_no_agent)
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

Test(crowd_tick, times_and_strides_outside_their_ranges_are_refused)
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

Test(crowd_tick, a_tick_without_a_crowd_workers_or_a_work_is_refused)
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
