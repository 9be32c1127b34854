/* One agent, one tick. */
#ifndef CROWD_AGENT_H
#define CROWD_AGENT_H

#include "crowd/crowd.h"

/* Observes the searches of a move in order: capture/capture.c, capture/again.c. The returned value replaces whether the
 * search's result fits. */
typedef struct Observer
{
    bool (*gathered)(struct Observer *self, Candidates *candidates, bool fits);
    bool (*searched)(struct Observer *self, const uint32_t *slots, uint32_t count,
                     bool fits); /* what moves */
} Observer;

typedef struct AgentLimit /* how far an agent may move towards a neighbour */
{
    Vec3 normal; /* world, unit, towards the neighbour; horizontal for agents on the ground */
    double
        most; /* world, along the normal, since the beginning of the tick and without what carries the agent */
    bool touches; /* at the beginning of the tick: a contact */
    bool is_rim;  /* no neighbour, but the ground's end */
    uint64_t id;
} AgentLimit;

typedef struct AgentLimits /* of one agent and tick */
{
    const AgentLimit *list;
    uint32_t count;
    Vec3 correction; /* of the displacement, world */
    bool
        is_pushed; /* the correction leads against the wish or along none: it takes the agent over no step or ledge */
} AgentLimits;

typedef struct AgentScratch /* of one agent */
{
    const AgentLimits *limits; /* NULL: agents do not collide */
    sidle_contact *met;        /* SIDLE_MAX_AGENT_CONTACTS; NULL: none wanted */
    TriangleCache *cache;
    Observer *observer; /* may be NULL */
    double clear;       /* written: the share of the displacement before the first contact */
} AgentScratch;

/* A move reads a request, writes `result` and what was met: kernels->move (crowd/agent.inl). */

#endif
