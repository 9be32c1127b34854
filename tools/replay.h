/* Reads a captured move from its file, makes it again and compares the results. */
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
    CaptureNeighbour neighbours[CAPTURE_NEIGHBOURS];
    ReplayInstance *instances; /* ids ascend */
    ReplayTriangle *triangles; /* numbers ascend in each instance */
    uint32_t instance_count, instance_capacity, triangle_count, triangle_capacity;
    sidle_result result; /* as it was captured */
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
} Replay;

/* Returns false, with a message that names file and line, if the file is no capture. Nothing is then left
 * to free. */
bool replay_read(const char *path, Replay *replay, char *message, int message_size);
void replay_free(Replay *replay);

/* In the ids and triangle numbers of the capture. */
typedef struct ReplayRun
{
    uint32_t lanes;
    sidle_result result;
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
} ReplayRun;

/* Builds the world of the capture and makes the move in it. `lanes` 0: the default. Returns false, with a
 * message, if the library refuses the capture. */
bool replay_run(const Replay *replay, uint32_t lanes, ReplayRun *run, char *message, int message_size);

/* Returns the name of the first field whose bits differ from the capture; NULL if none does. */
const char *replay_difference(const Replay *replay, const ReplayRun *run);

#endif
