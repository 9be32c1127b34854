/* The agents of `sidle crowd` before their first tick: spawned over a level or read from a file. */
#ifndef SIDLE_TOOLS_AGENTS_H
#define SIDLE_TOOLS_AGENTS_H

#include "check.h"
#include "sidle/crowd.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Agent
{
    sidle_position start;
    uint32_t seed;  /* of its path */
    uint32_t shape; /* index in Agents.shapes */
} Agent;

typedef struct Agents
{
    Agent *list;
    sidle_shape *shapes;
    uint32_t count, capacity, shape_count, shape_capacity;
} Agents;

void agents_free(Agents *agents);

/* Reads `x,y,z,rx,ry,rz,half_height,seed` per line; a header line is allowed. `wanted` is the number of
 * agents to read, 0 for all. A file with fewer agents is a failure. */
bool agents_read(const char *path, uint32_t wanted, Agents *agents, char *message, int message_size);

typedef struct SpawnDesc
{
    const Level *level;
    const CheckGrid *grid;
    const sidle_jobs *jobs;
    sidle_shape shape;
    uint32_t count, seed;
} SpawnDesc;

/* Places agents of one shape on walkable triangles, weighted by area. Each place is free of every triangle,
 * has nothing between the agent and its floor, and is not inside of something solid. Agents may overlap
 * each other. The same desc gives the same places. */
bool agents_spawn(const SpawnDesc *desc, Agents *agents, char *message, int message_size);

#endif
