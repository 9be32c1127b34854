#include "crowd/capture_again.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"
#include "crowd/mover.h"

typedef struct Again
{
    Gatherer gatherer; /* first: it is what comes back as self */
    const CaptureAgain *capture;
    uint32_t searches; /* so far */
} Again;

static bool next_failed(Again *again)
{
    uint32_t number = again->searches++;
    return number < 64 * CAPTURE_FAILURES &&
           (again->capture->head->failed_searches[number / 64] >> number % 64 & 1);
}

static bool gather_again(Gatherer *gatherer, Mover *mover, const Reach *reach)
{
    Again *again = (Again *)gatherer;
    Candidates *c = mover->candidates;
    if (next_failed(again) ||
        !candidates_gather(c, mover->snapshot, &mover->frame, reach, &mover->filter, mover->cache))
    {
        return false;
    }
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        Candidate *candidate = &c->list[i];
        const uint32_t *numbers = again->capture->numbers + again->capture->first[candidate->instance];
        candidate->triangle = numbers[candidate->triangle];
    }
    return true;
}

static bool find_again(Gatherer *gatherer, Mover *mover, const Reach *reach, uint32_t *count)
{
    if (next_failed((Again *)gatherer))
    {
        return false;
    }
    *count = candidates_instances(mover->candidates, mover->snapshot, &mover->frame, reach);
    return *count <= mover->candidates->capacity;
}

static FP_BODY void make_move(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureAgain *capture)
{
    Again again = {.gatherer = {.gather = gather_again, .find = find_again}, .capture = capture};
    LeafCache cache = {.agent = 0};
    AgentScratch scratch = {.met = tick->contacts, .cache = &cache, .gatherer = &again.gatherer};
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    agent_tick(crowd, &candidates, tick->moves, &scratch, tick->results);
}

sidle_status capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureAgain *capture)
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
    make_move(crowd, tick, capture);
    fp_leave(host);
    return sidle_crowd_tick_end(crowd, &work);
}
