/* One agent, one tick. */
#ifndef CROWD_AGENT_H
#define CROWD_AGENT_H

#include "crowd/crowd.h"

typedef struct AgentScratch /* of one agent */
{
    sidle_contact *met; /* SIDLE_MAX_AGENT_CONTACTS; NULL: nobody wants contacts */
    LeafCache *cache;
    struct Gatherer *gatherer; /* NULL: the tick gathers for itself */
} AgentScratch;

/* Reads `move`, writes `result` and what was met. */
void agent_tick(const sidle_crowd *crowd, Candidates *candidates, const sidle_move *move,
                const AgentScratch *scratch, sidle_result *result);

#endif
