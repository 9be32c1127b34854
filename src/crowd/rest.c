#include "crowd/rest.h"

#include <string.h>

bool sidle_rest_repeats(const Tick *tick, const sidle_move *move, const AgentScratch *scratch,
                        const Rest *rest, sidle_result *result)
{
    uint64_t resting = tick->desc.snapshot->resting;
    bool same = rest->resting == resting && rest->dt == tick->desc.dt && /* mutant: rests_in_another_world */
                rest->with_contacts == reports_contacts(move, scratch->contacts) &&
                (rest->reasons == 0 || !scratch->gaps) && memcmp(&rest->move, move, sizeof *move) == 0;
    if (same)
    {
        *result = (sidle_result){
            .body = move->body, .contact_count = rest->contact_count, .reasons = rest->reasons};
        if (rest->contact_count > 0)
        {
            scratch->contacts[0] = rest->contact;
        }
    }
    return same;
}

void sidle_rest_keep(const Tick *tick, const sidle_move *move, const AgentScratch *scratch,
                     const sidle_result *result, Rest *rest)
{
    rest->resting = 0;
    if (memcmp(&result->body, &move->body, sizeof move->body) != 0 || result->contact_count > 1 ||
        result->impact_speed != 0 ||
        (result->reasons & SIDLE_REASON_AGENT)) /* mutant: rests_on_a_neighbour */
    {
        return;
    }
    *rest = (Rest){.move = *move,
                   .resting = tick->desc.snapshot->resting,
                   .dt = tick->desc.dt,
                   .reasons = result->reasons,
                   .contact_count = result->contact_count,
                   .with_contacts = reports_contacts(move, scratch->contacts)};
    if (result->contact_count > 0)
    {
        rest->contact = scratch->contacts[0];
    }
}
