/* Captured moves: written, read and replayed, to the bit. Those that something moving carries or pushes are
 * in test_capture_motion.c, and files that are none in test_capture_files.c. */
#include "support/captures.h"
#include "support/heap.h"
#include "support/mixed.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

/* ---- to the same bits ---- */

Test(capture, captured_moves_are_replayed_to_the_same_bits)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    Troop troop = troop_of(120);
    for (uint32_t tick = 0; tick < 40; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        for (uint32_t i = tick % 7; i < troop.count && tick % 4 == 0; i += 7)
        {
            capture_try(&trial, &troop.moves[i]);
        }
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    uint32_t seen = SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_OVERLAP;
    cr_expect((trial.reasons & seen) == seen, "only %x was seen", trial.reasons);
    cr_expect(trial.contacts_seen > 50 && trial.triangles_seen > 500);
    troop_free(&troop);
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    capture_trial_close(&trial);
    scene_close(&level);
}

Test(capture, moving_instances_layers_one_sided_triangles_and_ignored_instances_are_captured)
{
    Random random = random_seeded(31);
    sidle_world *world = mixed_world(&random);
    sidle_snapshot *snapshot;
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), snapshot);
    for (uint32_t i = 0; i < 300; ++i)
    {
        sidle_move move = mixed_move(&random, i);
        Vector wish = vector_scale(random_direction(&random), random_scale(&random, .01, 2));
        move.displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
        trial.times.motion_begin = i % 3 ? .25f : 0;
        trial.times.motion_end =
            i % 3 ? .25f * (float)(i % 3) : 0; /* nothing of the motion, a part, all of it */
        capture_try(&trial, &move);
    }
    cr_expect(trial.contacts_seen > 100);
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    capture_trial_close(&trial);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
}

Test(capture, an_instance_at_the_end_of_its_motion_is_replayed_there)
{
    Random random = random_seeded(32);
    sidle_world *world = mixed_world(&random);
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    sidle_snapshot *snapshot;
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), snapshot);
    for (uint32_t i = 0; i < 100; ++i)
    {
        sidle_move move = mixed_move(&random, i);
        move.displacement = (sidle_vec3){.1f, -.1f, .2f};
        capture_try(&trial, &move);
    }
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    capture_trial_close(&trial);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
}

/* Where more is near than fits, it has to be too much again. */
Test(capture, a_move_that_ran_out_of_candidates_runs_out_again)
{
    Random random = random_seeded(8);
    Soup soup = {0};
    soup_terrain(&soup, 40, .25, .2, 4);
    Scene level = scene_of(soup, walking_ball());
    for (uint32_t capacity = 4; capacity < 1000; capacity *= 3)
    {
        sidle_profile profiles[3];
        for (uint32_t mode = 0; mode < 3; ++mode)
        {
            profiles[mode] =
                (sidle_profile){.size = sizeof *profiles, .shape.radii = {.4f, .9f, .4f}, .mode = mode};
        }
        sidle_crowd_desc desc = {
            .size = sizeof desc, .profiles = profiles, .profile_count = 3, .max_candidates = capacity};
        sidle_crowd *crowd;
        demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
        CaptureTrial trial = capture_trial_of(crowd, level.snapshot);
        for (uint32_t i = 0; i < 12; ++i)
        {
            Vector wish = vector_scale(random_direction(&random), random_scale(&random, .1, 3));
            sidle_move move = {.id = i, .body.center = {0, 1.1, .1 * i}, .profile = i % 3};
            move.displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
            capture_try(&trial, &move);
        }
        cr_expect(capacity > 4 || (trial.reasons & SIDLE_REASON_CANDIDATES));
        cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
        capture_trial_close(&trial);
    }
    scene_close(&level);
}

/* Large, flat and far away: double lanes, slivers, an origin that is not zero. */
Test(capture, large_flat_triangles_far_from_the_origin_keep_their_bits)
{
    Random random = random_seeded(12);
    Soup soup = {0};
    soup_slivers(&soup, 6, 3000, .2);
    soup_slope(&soup, 2e4, 3);
    soup_fan(&soup, 40, 600, 1);
    soup_shift(&soup, vector(1e6 + .1, -3e5, 7e6));
    Scene level = scene_of(soup, walking_ball());
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    for (uint32_t i = 0; i < 120; ++i)
    {
        Vector place = random_in_box(&random, vector(-4, .3, -4), vector(4, 1.5, 4));
        sidle_move move = {.id = i, .profile = i % 12, .rotation = {.2f, .5f, .1f, 1}};
        move.body.center = (sidle_position){1e6 + .1 + place.x, -3e5 + place.y, 7e6 + place.z};
        move.displacement = (sidle_vec3){.3f, -.5f, (float)random_unit(&random)};
        capture_try(&trial, &move);
    }
    cr_expect(trial.contacts_seen > 50);
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    capture_trial_close(&trial);
    scene_close(&level);
}

Test(capture, nan_is_captured_and_replayed)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move move = {.id = UINT64_MAX, .body.center = {1e-310, -0.0, 3}, .mass = (float)INFINITY};
    move.body.ground = (sidle_instance){5, 9};
    move.body.ground_triangle = 77;
    move.displacement.y = (float)NAN;
    capture_try(&trial, &move);
    cr_expect(trial.result.reasons == SIDLE_REASON_INVALID && trial.result.body.ground_triangle == 77);
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    capture_trial_close(&trial);
    scene_close(&level);
}

/* ---- what a capture says and does not touch ---- */

Test(capture, contacts_are_recorded_whatever_the_flags_say_and_a_changed_number_is_noticed)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    Troop troop = troop_of(20);
    for (uint32_t tick = 0; tick < 120; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    sidle_move move = troop.moves[0];
    for (uint32_t i = 0; i < troop.count && !(move.body.flags & SIDLE_BODY_GROUNDED); ++i)
    {
        move = troop.moves[i];
    }
    move.flags = SIDLE_MOVE_NO_CONTACTS;
    capture_move(&trial, &move);
    cr_expect(trial.result.contact_count > 0);
    CaptureReading reading = capture_read(trial.text, trial.length);
    cr_assert(reading.good, "%s", reading.message);
    ReplayRun run;
    reading.replay.head.move.body.center.y += 1e-9;
    cr_assert(replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message));
    cr_expect_str_eq(replay_difference(&reading.replay, &run), "body.center");
    reading.replay.head.move.body.center.y -= 1e-9;
    reading.replay.triangles[0].surface ^= 1;
    reading.replay.contacts[0].normal.x += 1e-3f;
    cr_assert(replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message));
    cr_expect(replay_difference(&reading.replay, &run) != NULL);
    replay_free(&reading.replay);
    troop_free(&troop);
    capture_trial_close(&trial);
    scene_close(&level);
}

static void append(void *user, const char *piece, size_t length)
{
    char **at = user;
    memcpy(*at, piece, length);
    *at += length;
}

Test(capture, a_callback_gets_the_text_of_a_buffer_and_a_short_buffer_reports_the_length)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move move = {.id = 4, .body.center = {1, 1, 1}, .displacement = {.1f, 0, 0}};
    capture_move(&trial, &move);
    char *copy = calloc(trial.length + 1, 1), *at = copy;
    sidle_capture_desc desc = capture_desc_of(&trial, &move);
    desc.text = NULL;
    desc.capacity = 0;
    desc.write = append;
    desc.user = &at;
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_OK);
    cr_expect((size_t)(at - copy) == trial.length && strcmp(copy, trial.text) == 0);
    size_t length = 0, expected = trial.length;
    desc.write = NULL;
    desc.length = &length;
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_OK && length == expected, "only asked");
    desc.text = copy;
    copy[0] = '?';
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_OK && copy[0] == '?',
              "only asked, of a buffer");
    desc.capacity = expected; /* no room for the zero */
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_ERROR_LIMIT && length == expected);
    desc.capacity = expected + 1;
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_OK);
    free(copy);
    capture_trial_close(&trial);
    scene_close(&level);
}

Test(capture, a_capture_between_two_ticks_changes_no_bit_of_them)
{
    Scene level = troop_level();
    uint64_t expected = troop_history(&level, 0, 60, 30, troop_run_plainly, NULL);
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    Troop troop = troop_of(60);
    for (uint32_t tick = 0; tick < 30; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        capture_move(&trial, &troop.moves[tick]);
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    cr_expect(troop.history == expected);
    troop_free(&troop);
    capture_trial_close(&trial);
    scene_close(&level);
}

typedef struct Attempt
{
    sidle_snapshot *snapshot;
    size_t length;
} Attempt;

static sidle_status attempt(const sidle_allocator *allocator, void *context)
{
    Attempt *attempt = context;
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {1, 1, 1}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_move move = {.id = 1, .displacement = {2, 0, 0}};
    sidle_capture_desc capture_desc = {.size = sizeof capture_desc,
                                       .snapshot = attempt->snapshot,
                                       .dt = 1 / 60.f,
                                       .move = &move,
                                       .length = &attempt->length};
    sidle_crowd *crowd = NULL;
    sidle_status status = sidle_crowd_create(&desc, allocator, &crowd);
    status = status == SIDLE_OK ? sidle_capture_move(crowd, &capture_desc) : status;
    sidle_crowd_destroy(crowd);
    return status;
}

static void expect_status_without_memory(sidle_snapshot *snapshot)
{
    Heap heap = {.allocations = 0};
    Attempt context = {.snapshot = snapshot};
    HeapTrial trial = heap_try(&heap, attempt, &context);
    cr_expect(trial.end == SIDLE_OK && trial.failures > 3 && trial.wrong == 0 && trial.left == 0);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
}

Test(capture, a_failed_allocation_is_a_status_and_leaks_nothing)
{
    Random random = random_seeded(33);
    Scene level = troop_level();
    sidle_world *world = mixed_world(&random);
    sidle_snapshot *moving;
    demand(sidle_world_snapshot(world, &moving), "sidle_world_snapshot");
    expect_status_without_memory(level.snapshot);
    expect_status_without_memory(moving);
    sidle_snapshot_release(moving);
    sidle_world_destroy(world);
    scene_close(&level);
}

Test(capture, bad_arguments_are_refused_with_a_status)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move move = {.id = 4, .body.center = {1, 1, 1}}, invalid = {.profile = 12};
    capture_move(&trial, &move);
    sidle_capture_desc good = capture_desc_of(&trial, &move), bad;
    cr_expect(sidle_capture_move(NULL, &good) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_capture_move(trial.crowd, NULL) == SIDLE_ERROR_ARGUMENT);
    REFUSES(size = 1, SIDLE_ERROR_ARGUMENT);
    REFUSES(snapshot = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(move = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(move = &invalid, SIDLE_ERROR_ARGUMENT);
    REFUSES(dt = -1, SIDLE_ERROR_ARGUMENT);
    REFUSES(motion_end = 2, SIDLE_ERROR_ARGUMENT);
    REFUSES(text = NULL, SIDLE_ERROR_ARGUMENT);
    bad = good;
    bad.text = NULL;
    bad.capacity = 0;
    bad.length = NULL;
    cr_expect(sidle_capture_move(trial.crowd, &bad) == SIDLE_ERROR_ARGUMENT, "nowhere to go");
    sidle_work work;
    sidle_tick_desc tick = {.size = sizeof tick, .snapshot = level.snapshot, .dt = 1};
    demand(sidle_crowd_tick_begin(trial.crowd, &tick, 1, &work), "sidle_crowd_tick_begin");
    cr_expect(sidle_capture_move(trial.crowd, &good) == SIDLE_ERROR_BUSY);
    demand(sidle_crowd_tick_end(trial.crowd, &work), "sidle_crowd_tick_end");
    capture_trial_close(&trial);
    scene_close(&level);
}
