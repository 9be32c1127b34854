/* A world of many makes: instances turned, stretched, mirrored, moving, with and without keys, in layers; and
 * agents that stand, fall and overlap among them, ignore some, and turn in any way. For tests that ask
 * whether two ways to the same move agree. */
#ifndef TESTS_SUPPORT_MOTLEY_H
#define TESTS_SUPPORT_MOTLEY_H

#include "support/random.h"
#include "support/troop.h"

#define MOTLEY_INSTANCES 12

sidle_world *motley_world(Random *random);

/* Of the crowd of a troop (troop_crowd); `number` chooses profile, layers and what is ignored. */
sidle_move motley_move(Random *random, uint32_t number);

#endif
