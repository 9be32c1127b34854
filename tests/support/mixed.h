/* A world of many makes: instances turned, stretched, mirrored, moving, with and without keys, in layers; and
 * agents that stand, fall and overlap among them, ignore some, and have any rotation. For tests that ask
 * whether two calls for the same move agree. */
#ifndef TESTS_SUPPORT_MIXED_H
#define TESTS_SUPPORT_MIXED_H

#include "support/random.h"
#include "support/troop.h"

#define MIXED_INSTANCES 12

sidle_world *mixed_world(Random *random);

/* Of the crowd of a troop (troop_crowd); `number` chooses profile, layers and what is ignored. */
sidle_move mixed_move(Random *random, uint32_t number);

#endif
