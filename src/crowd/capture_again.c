#include "crowd/capture_again.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"

typedef struct Again
{
    Observer observer; /* first: it is what comes back as self */
    const CaptureAgain *capture;
    uint32_t searches; /* so far */
} Again;

static bool next_failed(Again *again)
{
    uint32_t number = again->searches++;
    return number < 64 * CAPTURE_FAILURES &&
           (again->capture->head->failed_searches[number / 64] >> number % 64 & 1);
}

static bool gather_again(Observer *observer, Candidates *candidates, bool fits)
{
    (void)candidates;
    return !next_failed((Again *)observer) && fits;
}

static bool search_again(Observer *observer, const uint32_t *slots, uint32_t count, bool fits)
{
    (void)slots, (void)count;
    return !next_failed((Again *)observer) && fits;
}

static FP_BODY void make_move(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureAgain *capture)
{
    Again again = {.observer = {gather_again, search_again}, .capture = capture};
    LeafCache cache = {.agent = 0};
    AgentScratch scratch = {.met = tick->contacts, .cache = &cache, .observer = &again.observer};
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    candidates.first_number = capture->first;
    candidates.numbers = capture->numbers;
    candidates.asked_capacity = capture->head->max_candidates;
    crowd->kernels->move(crowd, &candidates, tick->moves, &scratch, tick->results);
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
