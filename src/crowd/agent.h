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

typedef struct AgentScratch /* of one agent */
{
    sidle_contact *met; /* SIDLE_MAX_AGENT_CONTACTS; NULL: none wanted */
    TriangleCache *cache;
    Observer *observer; /* may be NULL */
    double clear;       /* written: the share of the displacement before the first contact */
} AgentScratch;

/* A move reads a request, writes `result` and what was met: kernels->move (crowd/agent.inl). */

#endif
