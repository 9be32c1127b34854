/* One agent, one tick. */
#ifndef CROWD_AGENT_H
#define CROWD_AGENT_H

#include "crowd/crowd.h"

/* Observes the searches of a move in order: capture/capture.c, capture/again.c. The returned value replaces whether the
 * search's result fits. */
typedef struct Observer
{
    bool (*gathered)(struct Observer *self, Candidates *candidates, bool fits);
    /* A search for moving instances. */
    bool (*searched)(struct Observer *self, const uint32_t *slots, uint32_t count, bool fits);
} Observer;

/* Memory and outputs of one agent's move. kernels->move (crowd/agent.inl) reads a request, and writes a result and the
 * contacts. */
typedef struct AgentScratch
{
    sidle_contact *met; /* SIDLE_MAX_AGENT_CONTACTS contacts; NULL: none are written */
    TriangleCache *cache;
    Observer *observer; /* NULL: none */
    double clear;       /* written: the share of the displacement before the first contact */
} AgentScratch;

#endif
