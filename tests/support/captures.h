/* Moves that are captured, written to a file, read and replayed. */
#ifndef TESTS_SUPPORT_CAPTURES_H
#define TESTS_SUPPORT_CAPTURES_H

#include "sidle/sidle.h"
#include "tools/replay.h"

#include <stdbool.h>

/* What the reader makes of a text. */
typedef struct CaptureReading
{
    Replay replay;
    char message[512];
    bool good;
} CaptureReading;

CaptureReading capture_read(const char *text, size_t length);

typedef struct CaptureTrial
{
    sidle_crowd *crowd;
    sidle_tick_desc times; /* snapshot, dt and part of the motion: what moves are captured in */
    /* Requests that collide with one another, one of which each captured move is. NULL: a captured move is alone. */
    const sidle_move *among;
    uint32_t among_count;
    uint32_t flags, max_moves; /* of their ticks */
    sidle_result result;       /* of the last captured move */
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
    char *text;
    size_t length;
    uint32_t moves, wrong; /* of all that were tried */
    uint32_t reasons;      /* of all results */
    uint32_t contacts_seen, triangles_seen, neighbours_seen;
    char complaint[600]; /* of the first that was wrong */
} CaptureTrial;

/* Takes the crowd. A sixtieth of a second. */
CaptureTrial capture_trial_of(sidle_crowd *crowd, sidle_snapshot *snapshot);
void capture_trial_close(CaptureTrial *trial);

sidle_capture_desc capture_desc_of(CaptureTrial *trial, const sidle_move *move);

/* Into the trial's text and result. */
void capture_move(CaptureTrial *trial, const sidle_move *move);

/* Captures a move, ticks it and makes it again at every width: all have to agree in every bit of result and
 * contacts. */
void capture_try(CaptureTrial *trial, const sidle_move *move);

/* In a test with a trial, a good desc and room for a bad one: whether a changed desc is refused. */
#define REFUSES(change, expected)                                                                            \
    bad = good;                                                                                              \
    bad.change;                                                                                              \
    cr_expect(sidle_capture_move(trial.crowd, &bad) == (expected), #change)

#endif
