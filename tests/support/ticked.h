/* What a tick makes of moves: whatever else claims to make the same move is compared with it. */
#ifndef TESTS_SUPPORT_TICKED_H
#define TESTS_SUPPORT_TICKED_H

#include "sidle/sidle.h"

#include <stdbool.h>

/* One tick; `times` has its snapshot, dt and part of the motion. `contacts`: NULL, or room for those of one
 * move. */
void tick_moves(sidle_crowd *crowd, const sidle_tick_desc *times, const sidle_move *moves, uint32_t count,
                sidle_result *results, sidle_contact *contacts);

/* To the bit, every field. */
bool same_body(const sidle_body *a, const sidle_body *b);
bool same_contacts(const sidle_contact *a, const sidle_contact *b, uint32_t count);

#endif
