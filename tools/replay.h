/* A captured move: read from its file, run again, and compared. */
#ifndef SIDLE_TOOLS_REPLAY_H
#define SIDLE_TOOLS_REPLAY_H

#include "src/capture/format.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ReplayTriangle
{
    uint32_t number; /* in the mesh that it comes from */
    uint16_t surface;
    float corners[9]; /* relative to the instance's origin */
} ReplayTriangle;

typedef struct ReplayInstance
{
    CaptureInstance as;
    uint32_t first; /* of its triangles */
} ReplayInstance;

typedef struct Replay
{
    CaptureHead head;
    ReplayInstance *instances; /* ids ascend */
    ReplayTriangle *triangles; /* numbers ascend in each instance */
    uint32_t instance_count, instance_capacity, triangle_count, triangle_capacity;
    sidle_result result; /* as it was captured */
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
} Replay;

/* False, with a message that names file and line and with nothing left to free, if it is no capture. */
bool replay_read(const char *path, Replay *replay, char *message, int message_size);
void replay_free(Replay *replay);

typedef struct ReplayRun /* in the ids and triangle numbers of the capture */
{
    uint32_t lanes;
    sidle_result result;
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
} ReplayRun;

/* Builds the world of the capture and makes the move in it. lanes 0: the default. False: the library refused it,
 * and the message says why. */
bool replay_run(const Replay *replay, uint32_t lanes, ReplayRun *run, char *message, int message_size);

/* The first field whose bits are not those of the capture; NULL if there is none. */
const char *replay_difference(const Replay *replay, const ReplayRun *run);

#endif
