/* Which agents of `sidle crowd` overlap, and which are close to another: a check of agents that collide. No shape is turned. */
#ifndef SIDLE_TOOLS_CROWD_NEAR_H
#define SIDLE_TOOLS_CROWD_NEAR_H

#include "agents.h"

#include <stdbool.h>
#include <stdint.h>

/* An agent's extent along x. */
typedef struct NearSpan
{
    double from, to;
    sidle_position center;
    uint32_t agent;
} NearSpan;

typedef struct NearAgents
{
    const Agents *agents;
    NearSpan *spans;  /* by `from` */
    uint32_t *places; /* of each agent among the spans */
    bool *marks;      /* of agents, while they are counted */
    double widest;    /* span */
    /* Of agents that overlap, the lower one in the upper half; in order. And those before the last update. */
    uint64_t *pairs, *earlier;
    size_t pair_count, pair_capacity, earlier_count, earlier_capacity;
    uint64_t new_overlaps; /* pairs that an update found and the one before did not */
} NearAgents;

/* Returns false if there is not enough memory. Call near_close in any case. */
bool near_open(NearAgents *near, const Agents *agents);
void near_close(NearAgents *near);

/* Finds the pairs that overlap now. The first call counts none of them as new. `results`: by agent. */
bool near_update(NearAgents *near, const sidle_result *results);

/* Returns true if the shape of another agent is within a distance of this one. */
bool near_has_other(const NearAgents *near, uint32_t agent, double distance);

/* The number of agents that overlap another. */
uint32_t near_overlapping(const NearAgents *near);

#endif
