/* A crowd in a level of its own, for tests about how ticks are run: a bumpy ground with boxes, agents of
 * every mode and shape with wishes of their own. What an agent does depends on its id and the tick alone,
 * never on its place in the arrays. */
#ifndef TESTS_SUPPORT_TROOP_H
#define TESTS_SUPPORT_TROOP_H

#include "support/scene.h"

/* Mesh, world, snapshot; the scene's own crowd has but one profile. */
Scene troop_level(void);
/* A crowd with the profiles of the troop: walk, slide, fly; balls and ellipsoids; two-sided and one-sided. */
sidle_crowd *troop_crowd(uint32_t lanes, const sidle_allocator *allocator);

typedef struct Troop
{
    uint32_t count, contact_count, contact_capacity;
    sidle_move *moves;
    sidle_result *results;
    sidle_contact *contacts;
    uint64_t history; /* of all that every agent went through, whatever the order of the agents */
} Troop;

Troop troop_of(uint32_t count);
void troop_free(Troop *troop);
/* Another order of the same agents. */
void troop_shuffle(Troop *troop, uint64_t seed);

/* Sets the wishes of this tick and describes it. */
sidle_tick_desc troop_tick(Troop *troop, const Scene *level, uint32_t tick);
/* After the tick: takes the results over and adds them to the history. */
void troop_take(Troop *troop);

/* How a tick is run. */
typedef void TroopRun(sidle_crowd *crowd, sidle_tick_desc *tick, void *context);
void troop_run_plainly(sidle_crowd *crowd, sidle_tick_desc *tick, void *context); /* context: a sidle_jobs */

/* So many agents through so many ticks in a fresh crowd; returns the history. */
uint64_t troop_history(const Scene *level, uint32_t lanes, uint32_t agents, uint32_t ticks, TroopRun *run,
                       void *context);

#endif
