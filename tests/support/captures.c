#include "support/captures.h"

#include "support/file.h"
#include "support/scene.h"
#include "support/ticked.h"
#include "support/widths.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE (1 << 20)

CaptureReading capture_read(const char *text, size_t length)
{
    CaptureReading reading = {.good = false};
    File file = file_of(text, length);
    reading.good = replay_read(file.path, &reading.replay, reading.message, sizeof reading.message);
    file_remove(&file);
    return reading;
}

CaptureTrial capture_trial_of(sidle_crowd *crowd, sidle_snapshot *snapshot)
{
    CaptureTrial trial = {.crowd = crowd,
                          .times = {.snapshot = snapshot, .dt = 1 / 60.f},
                          .flags = SIDLE_TICK_AGENTS_COLLIDE,
                          .text = calloc(TEXT_SIZE, 1)};
    if (!trial.text)
    {
        abort();
    }
    return trial;
}

void capture_trial_close(CaptureTrial *trial)
{
    sidle_crowd_destroy(trial->crowd);
    free(trial->text);
}

sidle_capture_desc capture_desc_of(CaptureTrial *trial, const sidle_move *move)
{
    return (sidle_capture_desc){.size = sizeof(sidle_capture_desc),
                                .snapshot = trial->times.snapshot,
                                .dt = trial->times.dt,
                                .motion_begin = trial->times.motion_begin,
                                .motion_end = trial->times.motion_end,
                                .move = move,
                                .text = trial->text,
                                .capacity = TEXT_SIZE,
                                .length = &trial->length,
                                .result = &trial->result,
                                .moves = trial->among,
                                .count = trial->among_count,
                                .flags = trial->among ? trial->flags : 0,
                                .max_moves = trial->max_moves};
}

void capture_move(CaptureTrial *trial, const sidle_move *move)
{
    sidle_capture_desc desc = capture_desc_of(trial, move);
    demand(sidle_capture_move(trial->crowd, &desc), "sidle_capture_move");
    trial->reasons |= trial->result.reasons;
    trial->contacts_seen += trial->result.contact_count;
    ++trial->moves;
}

static void complain(CaptureTrial *trial, const sidle_move *move, const char *what, uint32_t lanes)
{
    if (trial->wrong++ == 0)
    {
        snprintf(trial->complaint, sizeof trial->complaint, "move %u, agent %u, %u lanes: %s", trial->moves,
                 (unsigned)move->id, lanes, what);
    }
}

static void replay(CaptureTrial *trial, const sidle_move *move, CaptureReading *reading, uint32_t lanes)
{
    ReplayRun run;
    if (!replay_run(&reading->replay, lanes, &run, reading->message, sizeof reading->message))
    {
        complain(trial, move, reading->message, lanes);
        return;
    }
    const char *difference = replay_difference(&reading->replay, &run);
    if (difference || run.lanes != lanes)
    {
        complain(trial, move, difference ? difference : "another width", lanes);
    }
}

/* The tick of all requests; the result and the contacts of one. */
static sidle_result tick_among(CaptureTrial *trial, const sidle_move *move, sidle_contact *contacts)
{
    uint32_t count = trial->among_count, index = (uint32_t)(move - trial->among);
    sidle_result *results = calloc(count, sizeof *results);
    sidle_contact *all = calloc((size_t)count * SIDLE_MAX_AGENT_CONTACTS, sizeof *all);
    if (!results || !all)
    {
        abort();
    }
    sidle_tick_desc tick = trial->times;
    tick.size = sizeof tick;
    tick.moves = trial->among;
    tick.count = count;
    tick.results = results;
    tick.contacts = all;
    tick.contact_capacity = count * SIDLE_MAX_AGENT_CONTACTS;
    tick.flags = trial->flags;
    tick.max_moves = trial->max_moves;
    demand(sidle_crowd_tick(trial->crowd, &tick), "sidle_crowd_tick");
    sidle_result result = results[index];
    memcpy(contacts, all + result.contact_first, result.contact_count * sizeof *contacts);
    free(results);
    free(all);
    return result;
}

static void compare_with_tick(CaptureTrial *trial, const sidle_move *move, const Replay *replay)
{
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
    sidle_result ticked;
    if (trial->among)
    {
        ticked = tick_among(trial, move, contacts);
    }
    else
    {
        tick_moves(trial->crowd, &trial->times, move, 1, &ticked, contacts);
    }
    bool same = same_body(&ticked.body, &trial->result.body) && ticked.reasons == trial->result.reasons &&
                ticked.contact_count == trial->result.contact_count &&
                ticked.impact_speed == trial->result.impact_speed &&
                same_contacts(contacts, replay->contacts, ticked.contact_count);
    if (!same && !(move->flags & SIDLE_MOVE_NO_CONTACTS))
    {
        complain(trial, move, "a tick makes another move", 0);
    }
}

void capture_try(CaptureTrial *trial, const sidle_move *move)
{
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    capture_move(trial, move);
    CaptureReading reading = capture_read(trial->text, trial->length);
    if (!reading.good)
    {
        complain(trial, move, reading.message, 0);
        return;
    }
    compare_with_tick(trial, move, &reading.replay);
    trial->triangles_seen += reading.replay.triangle_count;
    trial->neighbours_seen += reading.replay.head.neighbour_count;
    for (uint32_t i = 0; i < width_count; ++i)
    {
        replay(trial, move, &reading, widths[i]->lane_count);
    }
    replay_free(&reading.replay);
}
