/* Captures of agents that collide with one another: a capture holds what the other agents of its tick allow. */
#include "agents_forms.h"
#include "support/captures.h"
#include "support/heap.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

/* ---- to the same bits ---- */

#define EACH_TICK   6 /* ticks from one capture to the next */
#define EACH_PERSON 7

/* Of other layers, groups and masses, and without contacts. */
static void vary(CrowdScene *scene)
{
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        sidle_move *move = &scene->moves[i];
        move->mass = i % 9 == 4 ? (float)INFINITY : move->mass;
        move->group = i % 8 < 2 ? 1 + i % 2 : 0;
        move->member_of = 1 + i % 3;
        move->collides_with_agents = i % 5 == 2 ? 1 : 0;
        move->flags |= i % 11 == 5 ? (uint32_t)SIDLE_MOVE_NO_AGENTS : 0;
    }
}

static sidle_crowd *crowd_with(const sidle_profile *profiles, uint32_t count)
{
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = count};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* Captures every few ticks the moves of some persons among all. */
static void capture_scene(CrowdSetting setting, bool varied, uint32_t *reasons, uint32_t *neighbours)
{
    CrowdScene *scene = crowd_open(&setting);
    CaptureTrial trial = capture_trial_of(crowd_with(scene->profiles, scene->profile_count), NULL);
    trial.times.dt = 1 / (float)setting.rate;
    if (varied)
    {
        vary(scene);
    }
    for (int tick = 1; tick <= setting.seconds * setting.rate; ++tick)
    {
        crowd_step(scene);
        trial.times.snapshot = scene->stage.scene.snapshot;
        trial.among = scene->moves;
        trial.among_count = scene->count;
        for (uint32_t i = (uint32_t)tick % EACH_PERSON; i < scene->count && tick % EACH_TICK == 0;
             i += EACH_PERSON)
        {
            capture_try(&trial, &scene->moves[i]);
        }
    }
    *reasons |= trial.reasons;
    *neighbours += trial.neighbours_seen;
    cr_expect(trial.moves > 10 && trial.wrong == 0, "%s: %u of %u: %s", crowd_name(setting.kind), trial.wrong,
              trial.moves, trial.complaint);
    capture_trial_close(&trial);
    crowd_close(scene);
}

static void capture_scenes(const CrowdKind *kinds, int count)
{
    uint32_t reasons = 0, neighbours = 0;
    for (int i = 0; i < count; ++i)
    {
        for (int rate = 0; rate < 4; ++rate)
        {
            CrowdSetting setting = crowd_setting(kinds[i]);
            setting.count = 40;
            setting.rate = rates[rate];
            setting.seconds = 30 / (double)setting.rate + .5;
            capture_scene(setting, rate % 2, &reasons, &neighbours);
        }
    }
    cr_expect(reasons & SIDLE_REASON_AGENT);
    cr_expect_gt(neighbours, 500, "%u neighbours", neighbours);
}

Test(capture_agents, crushes_on_the_ground_are_replayed_to_the_same_bits)
{
    const CrowdKind kinds[] = {CROWD_CORNER, CROWD_TELEPORT, CROWD_SLOPE, CROWD_MASSES};
    capture_scenes(kinds, 4);
}

Test(capture_agents, crowds_of_many_shapes_are_replayed_to_the_same_bits)
{
    const CrowdKind kinds[] = {CROWD_HEIGHTS, CROWD_RADII, CROWD_WANDER};
    capture_scenes(kinds, 3);
}

Test(capture_agents, crowds_at_ledges_on_stairs_on_lifts_and_in_the_air_are_replayed_to_the_same_bits)
{
    const CrowdKind kinds[] = {CROWD_LEDGE, CROWD_STAIRS, CROWD_LIFT, CROWD_HEADS};
    capture_scenes(kinds, 4);
}

/* Sliding and flying agents that overlap at first, in a room of stairs and ramps. */
Test(capture_agents, a_troop_of_every_mode_and_shape_is_replayed_to_the_same_bits)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    Troop troop = troop_of(400);
    trial.among = troop.moves;
    trial.among_count = troop.count;
    for (uint32_t tick = 0; tick < 40; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        desc.flags = SIDLE_TICK_AGENTS_COLLIDE;
        for (uint32_t i = tick % 7; i < troop.count && tick % 4 == 0; i += 7)
        {
            capture_try(&trial, &troop.moves[i]);
        }
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    cr_expect(trial.reasons & SIDLE_REASON_AGENT);
    cr_expect_gt(trial.neighbours_seen, 200, "%u neighbours", trial.neighbours_seen);
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    troop_free(&troop);
    capture_trial_close(&trial);
    scene_close(&level);
}

/* The agent has no wish, so it takes no step. */
Test(capture_agents, an_agent_that_is_pushed_against_a_kerb_is_replayed_to_the_same_bits)
{
    Soup soup = {0};
    soup_floor(&soup, 9, 0);
    soup_box(&soup, vector(1, 0, -5), vector(9, .2, 5));
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    Scene scene = scene_of(soup, options);
    CaptureTrial trial = capture_trial_of(crowd_with(&options.profile, 1), scene.snapshot);
    sidle_move moves[2] = {{.id = 1, .body.center = {.3, .92, 0}, .body.flags = SIDLE_BODY_GROUNDED},
                           {.id = 2,
                            .body.center = {-.6, .92, .05},
                            .body.flags = SIDLE_BODY_GROUNDED,
                            .displacement = {.06f, 0, 0},
                            .mass = 100}};
    trial.among = moves;
    trial.among_count = 2;
    for (uint32_t tick = 0; tick < 60; ++tick)
    {
        sidle_result results[2];
        sidle_tick_desc desc = {.size = sizeof desc,
                                .snapshot = scene.snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = 2,
                                .results = results,
                                .flags = SIDLE_TICK_AGENTS_COLLIDE};
        capture_try(&trial, &moves[0]);
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        moves[0].body = results[0].body;
        moves[1].body = results[1].body;
    }
    cr_expect(trial.wrong == 0, "%u of %u: %s", trial.wrong, trial.moves, trial.complaint);
    cr_expect(moves[0].body.center.x > .5 && moves[0].body.center.y < .95, "at x = %g, y = %g",
              moves[0].body.center.x, moves[0].body.center.y);
    capture_trial_close(&trial);
    scene_close(&scene);
}

/* ---- what a capture holds ---- */

#define CROWDED 30

/* Agents in a row that press on the first. */
static void crowded(sidle_move moves[CROWDED])
{
    for (uint32_t i = 0; i < CROWDED; ++i)
    {
        moves[i] = (sidle_move){.id = 100 + i,
                                .body.center = {2.1 * i, 1.02, 0},
                                .body.flags = SIDLE_BODY_GROUNDED,
                                .displacement = {i ? -.1f : .1f, 0, .01f * (float)(i % 3)},
                                .mass = 1 + (float)i,
                                .member_of = 5,
                                .collides_with_agents = 7,
                                .group = i};
    }
}

Test(capture_agents, a_capture_holds_the_fields_of_collisions)
{
    Soup soup = {0};
    soup_floor(&soup, 90, 0);
    SceneOptions options = walking_ball();
    options.profile.comfort = .3f;
    Scene scene = scene_of(soup, options);
    sidle_move moves[CROWDED];
    crowded(moves);
    CaptureTrial trial = capture_trial_of(crowd_with(&options.profile, 1), scene.snapshot);
    trial.among = moves;
    trial.among_count = CROWDED;
    capture_move(&trial, &moves[3]);
    CaptureReading reading = capture_read(trial.text, trial.length);
    cr_assert(reading.good, "%s", reading.message);
    const CaptureHead *head = &reading.replay.head;
    cr_expect(head->profile.comfort == .3f && head->move.mass == 4 && head->move.member_of == 5 &&
              head->move.collides_with_agents == 7 && head->move.group == 3);
    cr_expect_eq(head->neighbour_count, 2);
    cr_expect(reading.replay.neighbours[0].id == 102 && reading.replay.neighbours[1].id == 104);
    replay_free(&reading.replay);
    capture_trial_close(&trial);
    scene_close(&scene);
}

static uint64_t history_of(Scene *level, bool captures)
{
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level->snapshot);
    Troop troop = troop_of(60);
    trial.among = troop.moves;
    trial.among_count = troop.count;
    for (uint32_t tick = 0; tick < 30; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, level, tick);
        desc.flags = SIDLE_TICK_AGENTS_COLLIDE;
        if (captures)
        {
            capture_move(&trial, &troop.moves[tick]);
        }
        demand(sidle_crowd_tick(trial.crowd, &desc), "sidle_crowd_tick");
        troop_take(&troop);
    }
    uint64_t history = troop.history;
    troop_free(&troop);
    capture_trial_close(&trial);
    return history;
}

Test(capture_agents, a_capture_between_two_ticks_changes_no_bit_of_them)
{
    Scene level = troop_level();
    cr_expect(history_of(&level, true) == history_of(&level, false));
    scene_close(&level);
}

/* ---- refused ---- */

Test(capture_agents, bad_arrays_of_requests_are_refused_with_a_status)
{
    Scene level = troop_level();
    CaptureTrial trial = capture_trial_of(troop_crowd(0, NULL), level.snapshot);
    sidle_move moves[CROWDED], another;
    crowded(moves);
    another = moves[1];
    trial.among = moves;
    trial.among_count = CROWDED;
    capture_move(&trial, &moves[1]);
    sidle_capture_desc good = capture_desc_of(&trial, &moves[1]), bad;
    REFUSES(move = &another, SIDLE_ERROR_ARGUMENT);
    REFUSES(moves = NULL, SIDLE_ERROR_ARGUMENT);
    REFUSES(moves = moves + 2, SIDLE_ERROR_ARGUMENT);
    REFUSES(moves = (const sidle_move *)((const char *)moves + 8), SIDLE_ERROR_ARGUMENT);
    REFUSES(move_stride = sizeof *moves - 8, SIDLE_ERROR_ARGUMENT);
    REFUSES(move_stride = 2 * sizeof *moves, SIDLE_ERROR_ARGUMENT);
    REFUSES(count = 0, SIDLE_ERROR_ARGUMENT);
    REFUSES(count = 1, SIDLE_ERROR_ARGUMENT);
    REFUSES(count = SIDLE_MAX_AGENTS + 1, SIDLE_ERROR_LIMIT);
    REFUSES(flags = 2, SIDLE_ERROR_ARGUMENT);
    REFUSES(flags = 3, SIDLE_ERROR_ARGUMENT);
    REFUSES(dt = 0, SIDLE_ERROR_ARGUMENT);
    sidle_work work;
    sidle_tick_desc tick = {.size = sizeof tick, .snapshot = level.snapshot, .dt = 1};
    demand(sidle_crowd_tick_begin(trial.crowd, &tick, 1, &work), "sidle_crowd_tick_begin");
    cr_expect(sidle_capture_move(trial.crowd, &good) == SIDLE_ERROR_BUSY);
    demand(sidle_crowd_tick_end(trial.crowd, &work), "sidle_crowd_tick_end");
    capture_trial_close(&trial);
    scene_close(&level);
}

static sidle_status attempt(const sidle_allocator *allocator, void *context)
{
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {1, 1, 1}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    size_t length;
    sidle_move moves[CROWDED];
    crowded(moves);
    sidle_capture_desc capture_desc = {.size = sizeof capture_desc,
                                       .snapshot = context,
                                       .dt = 1 / 60.f,
                                       .move = &moves[2],
                                       .length = &length,
                                       .moves = moves,
                                       .count = CROWDED,
                                       .flags = SIDLE_TICK_AGENTS_COLLIDE};
    sidle_crowd *crowd = NULL;
    sidle_status status = sidle_crowd_create(&desc, allocator, &crowd);
    status = status == SIDLE_OK ? sidle_capture_move(crowd, &capture_desc) : status;
    sidle_crowd_destroy(crowd);
    return status;
}

Test(capture_agents, a_failed_allocation_is_a_status_and_leaks_nothing)
{
    Heap heap = {.allocations = 0};
    Scene level = troop_level();
    HeapTrial trial = heap_try(&heap, attempt, level.snapshot);
    cr_expect(trial.end == SIDLE_OK && trial.failures > 5 && trial.wrong == 0 && trial.left == 0);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
    scene_close(&level);
}
