/* The files of `sidle replay`: what is read, and what is refused and by which line. */
#include "support/captures.h"
#include "support/stage.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static char *text_of(const Scene *scene, const sidle_move *move)
{
    char *text = calloc(1 << 16, 1);
    sidle_capture_desc desc = {.size = sizeof desc,
                               .snapshot = scene->snapshot,
                               .dt = 1 / 60.f,
                               .move = move,
                               .text = text,
                               .capacity = 1 << 16};
    demand(sidle_capture_move(scene->crowd, &desc), "sidle_capture_move");
    return text;
}

/* A ball over a floor of two triangles. */
static char *small_capture(void)
{
    Soup soup = {0};
    soup_floor(&soup, 5, 0);
    Scene scene = scene_of(soup, walking_ball());
    sidle_move move = {.id = 1, .body.center = {0, 1.02, 0}, .displacement = {.1f, 0, 0}};
    char *text = text_of(&scene, &move);
    scene_close(&scene);
    return text;
}

/* The same ball, pushed by a box. */
static char *pushed_capture(void)
{
    Soup floor = {0}, box = {0};
    soup_floor(&floor, 5, 0);
    soup_box(&box, vector(-1, 0, -1), vector(0, 3, 1));
    Stage stage = stage_of(floor, walking_ball());
    uint32_t body = stage_add(&stage, box, pose_at(-1.5, 0, 0));
    stage_commit(&stage);
    stage_move(&stage, body, pose_at(-.75, 0, 0));
    stage_commit(&stage);
    sidle_move move = {.id = 1, .body.center = {0, 1.02, 0}};
    char *text = text_of(&stage.scene, &move);
    stage_close(&stage);
    return text;
}

/* The same ball, which runs into another agent. */
static char *neighbour_capture(void)
{
    Soup soup = {0};
    soup_floor(&soup, 5, 0);
    Scene scene = scene_of(soup, walking_ball());
    const sidle_move moves[2] = {{.id = 1,
                                  .body.center = {0, 1.02, 0},
                                  .body.flags = SIDLE_BODY_GROUNDED,
                                  .displacement = {.5f, 0, .1f}},
                                 {.id = 8, .body.center = {2.3, 1.02, 0}, .mass = (float)INFINITY}};
    char *text = calloc(1 << 16, 1);
    sidle_capture_desc desc = {.size = sizeof desc,
                               .snapshot = scene.snapshot,
                               .dt = 1 / 60.f,
                               .move = moves,
                               .text = text,
                               .capacity = 1 << 16,
                               .moves = moves,
                               .count = 2,
                               .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_capture_move(scene.crowd, &desc), "sidle_capture_move");
    scene_close(&scene);
    return text;
}

/* The text with the first `from` as `to`; takes it. */
static char *changed(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from), *copy = calloc(1 << 17, 1);
    cr_assert(at != NULL, "%s is not there", from);
    memcpy(copy, text, (size_t)(at - text));
    strcat(copy, to);
    strcat(copy, at + strlen(from));
    free(text);
    return copy;
}

static void expect_refusal_of(char *given, const char *from, const char *to, const char *complaint)
{
    char *text = changed(given, from, to), *colon;
    CaptureReading reading = capture_read(text, strlen(text));
    ReplayRun run;
    bool ran = reading.good && replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message);
    cr_expect(!ran, "'%s' instead of '%s' is taken", to, from);
    colon = strstr(reading.message, complaint);
    cr_expect(colon != NULL, "'%s' is reported by: %s", to, reading.message);
    replay_free(&reading.replay);
    free(text);
}

static void expect_refusal(const char *from, const char *to, const char *complaint)
{
    expect_refusal_of(small_capture(), from, to, complaint);
}

Test(capture_files, an_instance_keeps_all_of_its_flags)
{
    char *text = changed(small_capture(), "\nflags 0\ngroup", "\nflags 7\ngroup");
    CaptureReading reading = capture_read(text, strlen(text));
    ReplayRun run;
    cr_assert(reading.good && replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message),
              "%s", reading.message);
    cr_expect_eq(reading.replay.instances[0].as.flags, 7);
    replay_free(&reading.replay);
    free(text);
}

Test(capture_files, an_invalid_capture_is_refused_with_its_line)
{
    expect_refusal("sidle capture 8", "siddle capture 5", ":1: this is no capture");
    expect_refusal("sidle capture 8", "sidle capture 5",
                   ":1: a capture of version 5; this program reads version 8");
    expect_refusal("\nup 0 0 0", "\nup 0 0", ":2: up takes 3 numbers, not 2");
    expect_refusal("\nup 0 0 0", "\nup 0 0 x", ":2: up cannot be 'x'");
    expect_refusal("\nup 0 0 0", "\nup 0 0 1e40", ":2: up cannot be '1e40'");
    expect_refusal("\nup 0 0 0", "\nup 0 0 nan", ":2: up cannot be 'nan'");
    expect_refusal("\nup 0 0 0", "\nup 0 0 bits:100000000", ":2: up cannot be");
    expect_refusal("gravity", "levity", ":3: 'gravity' is expected here, not 'levity'");
    expect_refusal("max_candidates 4096", "max_candidates -1", ":4: max_candidates cannot be '-1'");
    expect_refusal("max_candidates 4096", "max_candidates 4294967296", ":4: max_candidates cannot be");
    expect_refusal("failed_searches 0 ", "failed_searches ", "failed_searches takes 16 numbers, not 15");
    expect_refusal("profile.shape.radii 0x1", "profile.shape.radii -0x1", "radii.x is -1");
    expect_refusal("profile.mode 0", "profile.mode 3", "mode is 3");
    expect_refusal("triangle_count 2", "triangle_count 3", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("triangle_count 2", "triangle_count 1", "'instance' or 'result' is expected");
    expect_refusal("triangle_count 2", "triangle_count 4000000000", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("triangle 1 ", "triangle 0 ", "must ascend");
    expect_refusal("triangle 1 ", "triangle 1 1 ", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("triangle 1 0 ", "triangle 1 0 bits:7f800000 # ", "'triangle NUMBER SURFACE' and nine");
    expect_refusal("\nflags 0\ngroup", "\nflags 8\ngroup", "flags is 8, but must be from 0 to 7");
    expect_refusal("to.scale 0", "to.scale 0x1p-90",
                   "scale.x is 8.07794e-28, but must be from 1e-06 to 1e+06");
    expect_refusal("\norigin 0", "\norigin bits:7ff0000000000000", "origin: x is inf, but must be finite");
    expect_refusal("dt 0x", "dt -0x", "an argument is missing or outside its range");
    expect_refusal("contact_count 1", "contact_count 9", "more contacts than an agent keeps");
    expect_refusal("contact_count 1", "contact_count 2", "'contact' is expected here");
    expect_refusal("\nend\n", "\n", "the file ends too early");
    expect_refusal("\nresult\n", "\ninstance\nid 0 1\n", "'key' is expected here, not 'body.center'");
}

/* The box is the second of two instances. */
static void expect_motion_refusal(const char *from, const char *to, const char *complaint)
{
    expect_refusal_of(pushed_capture(), from, to, complaint);
}

Test(capture_files, an_invalid_motion_is_refused_with_its_line)
{
    expect_motion_refusal("failed_searches 0 ", "failed_searches 0 0 ", "failed_searches takes 16 numbers");
    expect_motion_refusal("failed_searches 0 ", "failed_searches -1 ", "failed_searches cannot be '-1'");
    expect_motion_refusal("triangle_count 10", "triangle_count 11", "'triangle NUMBER SURFACE' and nine");
    expect_motion_refusal("triangle_count 10", "triangle_count 9", "'instance' or 'result' is expected");
    expect_motion_refusal("id 1 1", "id 0 1", "the ids of instances must ascend");
    expect_motion_refusal("from.position -0x1.8p0", "from.position bits:7ff8000000000000",
                          "Instance 1: from: position.x is nan");
    expect_motion_refusal("from.position -0x1.8p0", "from.position 0x1p60",
                          "Instance 1: from: the largest |coordinate| of position is 1.15");
    expect_motion_refusal("to.position -0x1.8p-1", "to.position nan", "to.position cannot be 'nan'");
    expect_motion_refusal("motion_end 0", "motion_end 2", "an argument is missing or outside its range");
    expect_motion_refusal("motion_begin 0", "motion_begin bits:7fc00000", "an argument is missing");
}

/* Takes the text. */
static void expect_difference(char *text, const char *change)
{
    CaptureReading reading = capture_read(text, strlen(text));
    ReplayRun run;
    cr_assert(reading.good, "%s: %s", change, reading.message);
    cr_assert(replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message));
    cr_expect(replay_difference(&reading.replay, &run) != NULL, "%s is not noticed", change);
    replay_free(&reading.replay);
    free(text);
}

static void expect_neighbour_refusal(const char *from, const char *to, const char *complaint)
{
    expect_refusal_of(neighbour_capture(), from, to, complaint);
}

Test(capture_files, invalid_neighbours_are_refused_with_a_sentence)
{
    static const char range[] = "The tick: an argument is missing or outside its range";
    expect_neighbour_refusal("neighbour_count 1", "neighbour_count 49", "more neighbours than an agent has");
    expect_neighbour_refusal("neighbour_count 1", "neighbour_count 2", "'neighbour' is expected here");
    expect_neighbour_refusal("neighbour_count 1", "neighbour_count 0", "'instance' or 'result' is expected");
    expect_neighbour_refusal("\nneighbour\n", "\n", "'neighbour' is expected here");
    expect_neighbour_refusal("\nneighbour\nid 8\n", "\nneighbour\nid x\n", "id cannot be 'x'");
    expect_neighbour_refusal("\nnormal ", "\nnormal 1.001 0 0 # ", range);
    expect_neighbour_refusal("\nnormal ", "\nnormal bits:7ff8000000000000 0 0 # ", range);
    expect_neighbour_refusal("\nmost 0x", "\nmost -0x", range);
    expect_neighbour_refusal("\nmost 0x", "\nmost bits:7ff0000000000000 # ", range);
    expect_neighbour_refusal("\ncorrection ", "\ncorrection 1e6 0 0 # ", range);
    expect_neighbour_refusal("\ncorrection ", "\ncorrection 0 0 bits:7ff8000000000000 # ", range);
}

Test(capture_files, other_neighbours_are_another_move)
{
    static const char *const changes[][2] = {{"\nmost 0x", "\nmost 0 # "},
                                             {"\nnormal ", "\nnormal 0 0 1 # "},
                                             {"\ncorrection ", "\ncorrection 0 0 0x1p-6 # "},
                                             {"\nid 8\n", "\nid 9\n"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i)
    {
        expect_difference(changed(neighbour_capture(), changes[i][0], changes[i][1]), changes[i][1]);
    }
}

Test(capture_files, another_motion_is_another_move)
{
    static const char *const changes[][2] = {
        {"to.position -0x1.8p-1", "to.position -0x1.4p-1"},   /* pushes farther */
        {"to.position -0x1.8p-1", "to.position -0x1.8p0"},    /* rests */
        {"failed_searches 0 ", "failed_searches 1 "},         /* what moves is not found at first */
        {"failed_searches 0 ", "failed_searches 4294967295 "} /* and neither is anything else */
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i)
    {
        expect_difference(changed(pushed_capture(), changes[i][0], changes[i][1]), changes[i][1]);
    }
}

static void expect_no_shorter(char *text)
{
    size_t length = strlen(text);
    for (size_t end = 0; end + 4 < length; end += 1 + end % 3)
    {
        CaptureReading reading = capture_read(text, end);
        cr_assert(!reading.good && reading.message[0] && !reading.replay.instances, "%u bytes",
                  (unsigned)end);
    }
    free(text);
}

Test(capture_files, every_shorter_file_is_refused_with_a_sentence)
{
    expect_no_shorter(small_capture());
    expect_no_shorter(pushed_capture());
    expect_no_shorter(neighbour_capture());
}

Test(capture_files, numbers_may_be_written_by_hand)
{
    char *text = changed(small_capture(), "move.displacement 0x1.99999ap-4", "move.displacement .1");
    CaptureReading reading = capture_read(text, strlen(text));
    ReplayRun run;
    cr_assert(reading.good, "%s", reading.message);
    cr_assert(replay_run(&reading.replay, 0, &run, reading.message, sizeof reading.message));
    cr_expect_null(replay_difference(&reading.replay, &run));
    replay_free(&reading.replay);
    free(text);
}
