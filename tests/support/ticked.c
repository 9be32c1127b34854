#include "support/ticked.h"

#include "support/scene.h"

#include <stddef.h>
#include <string.h>

void tick_moves(sidle_crowd *crowd, const sidle_tick_desc *times, const sidle_move *moves, uint32_t count,
                sidle_result *results, sidle_contact *contacts)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = times->snapshot,
                            .dt = times->dt,
                            .motion_begin = times->motion_begin,
                            .motion_end = times->motion_end,
                            .moves = moves,
                            .count = count,
                            .results = results,
                            .contacts = contacts,
                            .contact_capacity = contacts ? SIDLE_MAX_AGENT_CONTACTS : 0};
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
}

/* Field after field without a gap, but for the four bytes at the end of a contact. */
_Static_assert(sizeof(sidle_body) == 3 * 8 + 12 * 4 + 2 * 4 + 8 + 4 + 2 * 2 + 4 * 4 + 8 + 2 * 4,
               "a body's fields");
_Static_assert(sizeof(sidle_contact) == 2 * 8 + 3 * 8 + 3 * 4 + 8 + 4 + 2 * 2 + 4, "a contact's fields");

bool same_body(const sidle_body *a, const sidle_body *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

bool same_contacts(const sidle_contact *a, const sidle_contact *b, uint32_t count)
{
    bool same = true;
    for (uint32_t i = 0; i < count; ++i)
    {
        same = same && memcmp(&a[i], &b[i], offsetof(sidle_contact, feature) + sizeof a->feature) == 0;
    }
    return same;
}
