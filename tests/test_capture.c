/* Captured moves: written, read and made again, to the bit. */
#include "support/heap.h"
#include "support/motley.h"
#include "tools/replay.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_SIZE (1 << 20)

static const uint32_t widths[] = {1, 4, 8, 16};

static bool runs(uint32_t lanes)
{
    sidle_profile profile = walking_ball().profile;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1, .lanes = lanes};
    sidle_crowd *crowd = NULL;
    sidle_status status = sidle_crowd_create(&desc, NULL, &crowd);
    sidle_crowd_destroy(crowd);
    return status == SIDLE_OK;
}

/* What the reader makes of a text. */
typedef struct Reading
{
    Replay replay;
    char path[64], message[512];
    bool good;
} Reading;

static Reading reading_of(const char *text, size_t length)
{
    Reading reading = {.path = "/tmp/sidle-capture-XXXXXX"};
    int handle = mkstemp(reading.path);
    cr_assert(handle >= 0 && write(handle, text, length) == (ssize_t)length);
    close(handle);
    reading.good = replay_read(reading.path, &reading.replay, reading.message, sizeof reading.message);
    unlink(reading.path);
    return reading;
}

typedef struct Trial
{
    sidle_crowd *crowd;
    sidle_capture_desc desc; /* snapshot and times */
    sidle_result result;
    char *text;
    size_t length;
    uint32_t reasons; /* of all that was seen */
    uint32_t contacts, triangles;
} Trial;

static Trial trial_of(sidle_crowd *crowd, sidle_snapshot *snapshot)
{
    Trial trial = {.crowd = crowd, .text = calloc(TEXT_SIZE, 1)};
    cr_assert(trial.text != NULL);
    trial.desc = (sidle_capture_desc){
        .size = sizeof trial.desc, .snapshot = snapshot, .dt = 1 / 60.f, .capacity = TEXT_SIZE};
    return trial;
}

static void trial_close(Trial *trial)
{
    sidle_crowd_destroy(trial->crowd);
    free(trial->text);
}

static void capture(Trial *trial, const sidle_move *move)
{
    trial->desc.move = move;
    trial->desc.text = trial->text;
    trial->desc.length = &trial->length;
    trial->desc.result = &trial->result;
    demand(sidle_capture_move(trial->crowd, &trial->desc), "sidle_capture_move");
    cr_expect(strlen(trial->text) == trial->length);
    trial->reasons |= trial->result.reasons;
    trial->contacts += trial->result.contact_count;
}

static bool same_result(const sidle_result *a, const sidle_result *b)
{
    return memcmp(&a->body.center, &b->body.center, sizeof a->body.center) == 0 &&
           memcmp(&a->body.velocity, &b->body.velocity, sizeof a->body.velocity) == 0 &&
           a->body.flags == b->body.flags && a->reasons == b->reasons &&
           a->contact_count == b->contact_count && a->body.ground.index == b->body.ground.index &&
           a->body.ground_triangle == b->body.ground_triangle;
}

/* Capture and tick agree; and so do capture and replay, at every width. */
static void expect_replay(Trial *trial, const sidle_move *move)
{
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
    sidle_result ticked;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = trial->desc.snapshot,
                            .dt = trial->desc.dt,
                            .motion_begin = trial->desc.motion_begin,
                            .motion_end = trial->desc.motion_end,
                            .moves = move,
                            .count = 1,
                            .results = &ticked,
                            .contacts = contacts,
                            .contact_capacity = SIDLE_MAX_AGENT_CONTACTS};
    capture(trial, move);
    demand(sidle_crowd_tick(trial->crowd, &tick), "sidle_crowd_tick");
    cr_expect(same_result(&ticked, &trial->result), "agent %u: a captured move is another",
              (unsigned)move->id);
    Reading reading = reading_of(trial->text, trial->length);
    cr_assert(reading.good, "agent %u: %s", (unsigned)move->id, reading.message);
    trial->triangles += reading.replay.triangle_count;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    {
        ReplayRun run;
        if (runs(widths[i]))
        {
            bool ran = replay_run(&reading.replay, widths[i], &run, reading.message, sizeof reading.message);
            cr_assert(ran, "agent %u: %s", (unsigned)move->id, reading.message);
            const char *difference = replay_difference(&reading.replay, &run);
            cr_expect(difference == NULL, "agent %u: %s at %u lanes", (unsigned)move->id,
                      difference ? difference : "", run.lanes);
            cr_expect(run.lanes == widths[i]);
        }
    }
    replay_free(&reading.replay);
}

/* ---- to the same bits ---- */

Test(capture, moves_of_a_troop_are_made_again_to_the_same_bits)
{
    Scene level = troop_level();
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
    Troop troop = troop_of(120);
    for (uint32_t tick = 0; tick < 40; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        for (uint32_t i = tick % 7; i < troop.count && tick % 4 == 0; i += 7)
        {
            expect_replay(&trial, &troop.moves[i]);
        }
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    uint32_t seen = SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_OVERLAP;
    cr_expect((trial.reasons & seen) == seen, "only %x was seen", trial.reasons);
    cr_expect(trial.contacts > 50 && trial.triangles > 500);
    troop_free(&troop);
    trial_close(&trial);
    scene_close(&level);
}

Test(capture, moving_instances_layers_one_sided_triangles_and_what_is_ignored_come_along)
{
    Random random = random_seeded(31);
    sidle_world *world = motley_world(&random);
    sidle_snapshot *snapshot;
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    Trial trial = trial_of(troop_crowd(0, NULL), snapshot);
    for (uint32_t i = 0; i < 300; ++i)
    {
        sidle_move move = motley_move(&random, i);
        Vector wish = vector_scale(random_direction(&random), random_scale(&random, .01, 2));
        move.displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
        trial.desc.motion_begin = trial.desc.motion_end =
            i % 2 ? .25f : .75f; /* nobody is pushed: see capture.h */
        expect_replay(&trial, &move);
    }
    cr_expect(trial.contacts > 100);
    trial_close(&trial);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
}

Test(capture, a_moving_instance_that_has_arrived_is_put_there_again)
{
    Random random = random_seeded(32);
    sidle_world *world = motley_world(&random);
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    sidle_snapshot *snapshot;
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    Trial trial = trial_of(troop_crowd(0, NULL), snapshot);
    for (uint32_t i = 0; i < 100; ++i)
    {
        sidle_move move = motley_move(&random, i);
        move.displacement = (sidle_vec3){.1f, -.1f, .2f};
        expect_replay(&trial, &move);
    }
    trial_close(&trial);
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
        Trial trial = trial_of(crowd, level.snapshot);
        for (uint32_t i = 0; i < 12; ++i)
        {
            Vector wish = vector_scale(random_direction(&random), random_scale(&random, .1, 3));
            sidle_move move = {.id = i, .body.center = {0, 1.1, .1 * i}, .profile = i % 3};
            move.displacement = (sidle_vec3){(float)wish.x, (float)wish.y, (float)wish.z};
            expect_replay(&trial, &move);
        }
        cr_expect(capacity > 4 || (trial.reasons & SIDLE_REASON_CANDIDATES));
        trial_close(&trial);
    }
    scene_close(&level);
}

/* Large, flat and far away: double lanes, cut triangles, an origin that is not zero. */
Test(capture, large_flat_triangles_far_from_the_origin_keep_their_bits)
{
    Random random = random_seeded(12);
    Soup soup = {0};
    soup_caps(&soup, 6, 3000, .2);
    soup_slope(&soup, 2e4, 3);
    soup_fan(&soup, 40, 600, 1);
    soup_shift(&soup, vector(1e6 + .1, -3e5, 7e6));
    Scene level = scene_of(soup, walking_ball());
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
    for (uint32_t i = 0; i < 120; ++i)
    {
        Vector place = random_in_box(&random, vector(-4, .3, -4), vector(4, 1.5, 4));
        sidle_move move = {.id = i, .profile = i % 12, .rotation = {.2f, .5f, .1f, 1}};
        move.body.center = (sidle_position){1e6 + .1 + place.x, -3e5 + place.y, 7e6 + place.z};
        move.displacement = (sidle_vec3){.3f, -.5f, (float)random_unit(&random)};
        expect_replay(&trial, &move);
    }
    cr_expect(trial.contacts > 50);
    trial_close(&trial);
    scene_close(&level);
}

Test(capture, what_is_no_number_comes_along_too)
{
    Scene level = troop_level();
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move move = {.id = UINT64_MAX, .body.center = {1e-310, -0.0, 3}, .mass = (float)INFINITY};
    move.body.ground = (sidle_instance){5, 9};
    move.body.ground_triangle = 77;
    move.displacement.y = (float)NAN;
    expect_replay(&trial, &move);
    cr_expect(trial.result.reasons == SIDLE_REASON_INVALID && trial.result.body.ground_triangle == 77);
    trial_close(&trial);
    scene_close(&level);
}

/* ---- what a capture says and does not touch ---- */

Test(capture, contacts_are_recorded_whatever_the_flags_say_and_a_changed_number_is_noticed)
{
    Scene level = troop_level();
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
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
    capture(&trial, &move);
    cr_expect(trial.result.contact_count > 0);
    Reading reading = reading_of(trial.text, trial.length);
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
    trial_close(&trial);
    scene_close(&level);
}

static void append(void *user, const char *piece, size_t length)
{
    char **at = user;
    memcpy(*at, piece, length);
    *at += length;
}

Test(capture, a_callback_gets_the_same_text_as_a_buffer_and_a_short_buffer_is_told_the_length)
{
    Scene level = troop_level();
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move move = {.id = 4, .body.center = {1, 1, 1}, .displacement = {.1f, 0, 0}};
    capture(&trial, &move);
    char *copy = calloc(trial.length + 1, 1), *at = copy;
    sidle_capture_desc desc = trial.desc;
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
    desc.capacity = expected; /* no room for the zero */
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_ERROR_LIMIT && length == expected);
    desc.capacity = expected + 1;
    cr_expect(sidle_capture_move(trial.crowd, &desc) == SIDLE_OK);
    free(copy);
    trial_close(&trial);
    scene_close(&level);
}

Test(capture, a_crowd_that_is_captured_between_its_ticks_ticks_as_if_it_had_not_been)
{
    Scene level = troop_level();
    uint64_t expected = troop_history(&level, 0, 60, 30, troop_run_plainly, NULL);
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
    Troop troop = troop_of(60);
    for (uint32_t tick = 0; tick < 30; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        capture(&trial, &troop.moves[tick]);
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    cr_expect(troop.history == expected);
    troop_free(&troop);
    trial_close(&trial);
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

Test(capture, memory_that_runs_out_is_a_status_and_nothing_is_left)
{
    Scene level = troop_level();
    Heap heap = {.allocations = 0};
    Attempt context = {.snapshot = level.snapshot};
    HeapTrial trial = heap_try(&heap, attempt, &context);
    cr_expect(trial.end == SIDLE_OK && trial.failures > 3 && trial.wrong == 0 && trial.left == 0);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    scene_close(&level);
}

#define REFUSES(change, expected)                                                                            \
    bad = good;                                                                                              \
    bad.change;                                                                                              \
    cr_expect(sidle_capture_move(trial.crowd, &bad) == (expected), #change)

Test(capture, bad_arguments_are_a_status)
{
    Scene level = troop_level();
    Trial trial = trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move move = {.id = 4, .body.center = {1, 1, 1}}, nobody = {.profile = 12};
    capture(&trial, &move);
    sidle_capture_desc good = trial.desc, bad;
    cr_expect(sidle_capture_move(NULL, &good) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_capture_move(trial.crowd, NULL) == SIDLE_ERROR_ARGUMENT);
    REFUSES(size = 1, SIDLE_ERROR_ARGUMENT);
    REFUSES(snapshot = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(move = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(move = &nobody, SIDLE_ERROR_ARGUMENT);
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
    trial_close(&trial);
    scene_close(&level);
}

/* ---- files that are none ---- */

/* A good capture of a ball over a floor of two triangles. */
static char *small_capture(void)
{
    Soup soup = {0};
    soup_floor(&soup, 5, 0);
    Scene scene = scene_of(soup, walking_ball());
    sidle_move move = {.id = 1, .body.center = {0, 1.02, 0}, .displacement = {.1f, 0, 0}};
    char *text = calloc(1 << 16, 1);
    sidle_capture_desc desc = {.size = sizeof desc,
                               .snapshot = scene.snapshot,
                               .dt = 1 / 60.f,
                               .move = &move,
                               .text = text,
                               .capacity = 1 << 16};
    demand(sidle_capture_move(scene.crowd, &desc), "sidle_capture_move");
    scene_close(&scene);
    return text;
}

/* The text with the first `from` as `to`. */
static char *changed(const char *from, const char *to)
{
    char *text = small_capture(), *at = strstr(text, from), *copy = calloc(1 << 17, 1);
    cr_assert(at != NULL, "%s is not there", from);
    memcpy(copy, text, (size_t)(at - text));
    strcat(copy, to);
    strcat(copy, at + strlen(from));
    free(text);
    return copy;
}

static void expect_refusal(const char *from, const char *to, const char *complaint)
{
    char *text = changed(from, to), *colon;
    Reading reading = reading_of(text, strlen(text));
    ReplayRun run;
    bool ran = reading.good && replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message);
    cr_expect(!ran, "'%s' instead of '%s' is taken", to, from);
    colon = strstr(reading.message, complaint);
    cr_expect(colon != NULL, "'%s' is told by: %s", to, reading.message);
    replay_free(&reading.replay);
    free(text);
}

Test(capture_files, what_is_no_capture_is_told_by_its_line)
{
    expect_refusal("sidle capture 1", "siddle capture 1", ":1: this is no capture");
    expect_refusal("sidle capture 1", "sidle capture 2", ":1: a capture of version 2");
    expect_refusal("\nup 0 0 0", "\nup 0 0", ":2: up takes 3 numbers, not 2");
    expect_refusal("\nup 0 0 0", "\nup 0 0 x", ":2: up cannot be 'x'");
    expect_refusal("\nup 0 0 0", "\nup 0 0 1e40", ":2: up cannot be '1e40'");
    expect_refusal("\nup 0 0 0", "\nup 0 0 nan", ":2: up cannot be 'nan'");
    expect_refusal("\nup 0 0 0", "\nup 0 0 bits:100000000", ":2: up cannot be");
    expect_refusal("gravity", "levity", ":3: 'gravity' is expected here, not 'levity'");
    expect_refusal("max_candidates 4096", "max_candidates -1", ":4: max_candidates cannot be '-1'");
    expect_refusal("max_candidates 4096", "max_candidates 4294967296", ":4: max_candidates cannot be");
    expect_refusal("failed_gathers 0 ", "failed_gathers ", "failed_gathers takes 16 numbers, not 15");
    expect_refusal("profile.shape.radii 0x1", "profile.shape.radii -0x1", "a radius is not above 0");
    expect_refusal("profile.mode 0", "profile.mode 3", "outside its range");
    expect_refusal("triangle_count 2", "triangle_count 3", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("triangle_count 2", "triangle_count 1", "'instance' or 'result' is expected");
    expect_refusal("triangle_count 2", "triangle_count 4000000000", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("triangle 1 ", "triangle 0 ", "must ascend");
    expect_refusal("triangle 1 ", "triangle 1 1 ", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("triangle 1 0 ", "triangle 1 0 bits:7f800000 # ", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("to.scale 0", "to.scale 0x1p-90", "limit");
    expect_refusal("\norigin 0", "\norigin bits:7ff0000000000000", "the origin is no place");
    expect_refusal("dt 0x", "dt -0x", "an argument is missing or outside its range");
    expect_refusal("contact_count 1", "contact_count 9", "more contacts than an agent keeps");
    expect_refusal("contact_count 1", "contact_count 2", "'contact' is expected here");
    expect_refusal("\nend\n", "\n", "the file ends too early");
    expect_refusal("\nresult\n", "\ninstance\nid 0 1\n", "'key' is expected here, not 'body.center'");
}

Test(capture_files, every_shorter_file_is_refused_with_a_sentence)
{
    char *text = small_capture();
    size_t length = strlen(text);
    for (size_t end = 0; end + 4 < length; end += 1 + end % 3)
    {
        Reading reading = reading_of(text, end);
        cr_assert(!reading.good && reading.message[0] && !reading.replay.instances, "%u bytes",
                  (unsigned)end);
    }
    free(text);
}

Test(capture_files, numbers_may_be_written_by_hand)
{
    char *text = changed("move.displacement 0x1.99999ap-4", "move.displacement .1");
    Reading reading = reading_of(text, strlen(text));
    ReplayRun run;
    cr_assert(reading.good, "%s", reading.message);
    cr_assert(replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message));
    cr_expect_null(replay_difference(&reading.replay, &run));
    replay_free(&reading.replay);
    free(text);
}

/* ---- reasons in words ---- */

Test(reasons, each_has_words_and_advice_of_its_own)
{
    const char *none = sidle_reason_text(0);
    uint32_t known = 0;
    for (uint32_t bit = 1; bit != 0; bit *= 2)
    {
        known += strcmp(sidle_reason_text(bit), none) != 0;
        for (uint32_t other = 1; other < bit && strcmp(sidle_reason_text(bit), none) != 0; other *= 2)
        {
            cr_expect(strcmp(sidle_reason_text(bit), sidle_reason_text(other)) != 0);
        }
        cr_expect(sidle_reason_advice(bit)[0]);
    }
    cr_expect(known == 10, "%u", known);
    cr_expect(strcmp(sidle_reason_text(SIDLE_REASON_CONTACTS), none) != 0);
    cr_expect(strstr(sidle_reason_advice(SIDLE_REASON_CANDIDATES), "max_candidates") != NULL);
    cr_expect_str_eq(sidle_reason_text(SIDLE_REASON_TRUNCATED), none, "two at a time are none");
}
