#include "crowd/capture_again.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"
#include "crowd/mover.h"

typedef struct Again
{
    Gatherer gatherer; /* first: it is what comes back as self */
    const CaptureHead *head;
    uint32_t gathers; /* so far */
} Again;

static bool repeat(Gatherer *gatherer, Mover *mover, const Reach *reach)
{
    Again *again = (Again *)gatherer;
    const CaptureHead *head = again->head;
    uint32_t number = again->gathers++;
    if (number < 64 * CAPTURE_FAILURES && (head->failed_gathers[number / 64] >> number % 64 & 1))
    {
        return false;
    }
    return candidates_gather(mover->candidates, mover->snapshot, &mover->frame, reach, &mover->filter,
                             mover->cache);
}

static FP_BODY void make_move(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureHead *head)
{
    Again again = {.gatherer = {.gather = repeat}, .head = head};
    LeafCache cache = {.agent = 0};
    AgentScratch scratch = {.met = tick->contacts, .cache = &cache, .gatherer = &again.gatherer};
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    agent_tick(crowd, &candidates, tick->moves, &scratch, tick->results);
}

sidle_status capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureHead *head)
{
    if (tick->count != 1 || tick->contact_capacity < SIDLE_MAX_AGENT_CONTACTS)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_tick_desc nobody = *tick; /* see capture.c */
    nobody.count = 0;
    nobody.contacts = NULL;
    nobody.contact_capacity = 0;
    sidle_work work;
    sidle_status status = sidle_crowd_tick_begin(crowd, &nobody, 1, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    FpEnvironment host = fp_enter();
    make_move(crowd, tick, head);
    fp_leave(host);
    return sidle_crowd_tick_end(crowd, &work);
}
