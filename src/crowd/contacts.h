/* The contacts of a tick in the order of agents' ids. */
#ifndef CROWD_CONTACTS_H
#define CROWD_CONTACTS_H

#include "crowd/crowd.h"

/* Sorts agents by id and gives each its run of the caller's array. One task. */
void sidle_contacts_lay_out(Tick *tick);

/* Copies the runs of agents [begin, end). */
void sidle_contacts_copy(const Tick *tick, uint32_t begin, uint32_t end);

/* An agent's result and move in the strided arrays. */
static inline sidle_result *tick_result(const Tick *tick, uint32_t agent)
{
    return (sidle_result *)((char *)tick->desc.results + agent * tick->desc.result_stride);
}

static inline const sidle_move *tick_move(const Tick *tick, uint32_t agent)
{
    return (const sidle_move *)((const char *)tick->desc.moves + agent * tick->desc.move_stride);
}

#endif
