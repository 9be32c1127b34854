#include "capture/again.h"

#include "capture/limits.h"

typedef struct Again
{
    Observer observer; /* first: callbacks cast it back */
    const CaptureAgain *capture;
    const sidle_tick_desc *tick;
    uint32_t searches; /* number so far */
} Again;

static bool next_fits(Observer *observer, bool fits)
{
    Again *again = (Again *)observer;
    uint32_t number = again->searches++;
    bool failed = number < 64 * CAPTURE_FAILURES &&
                  (again->capture->head->failed_searches[number / 64] >> number % 64 & 1);
    return !failed && fits;
}

static bool gather_again(Observer *observer, Candidates *candidates, bool fits)
{
    (void)candidates;
    return next_fits(observer, fits);
}

static bool search_again(Observer *observer, const uint32_t *slots, uint32_t count, bool fits)
{
    (void)slots, (void)count;
    return next_fits(observer, fits);
}

static sidle_status make_move(sidle_crowd *crowd, void *context)
{
    Again *again = context;
    const CaptureAgain *capture = again->capture;
    TriangleCache cache = {.agent = 0};
    AgentGap list[CAPTURE_NEIGHBOURS];
    AgentGaps gaps = sidle_gaps_read(capture->head, capture->neighbours, list);
    if (!sidle_gaps_are_good(crowd, again->tick->moves, &gaps))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    AgentScratch scratch = {.gaps = agent_gaps_given(&gaps),
                            .contacts = again->tick->contacts,
                            .cache = &cache,
                            .observer = &again->observer,
                            .turn = capture->head->turn};
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    candidates.first_number = capture->first;
    candidates.numbers = capture->numbers;
    candidates.most_leaves = candidates.most_seen = UINT32_MAX;
    if (capture->head->max_candidates > 0)
    {
        candidates.asked_capacity = capture->head->max_candidates;
    }
    crowd->kernels->move(crowd, &candidates, again->tick->moves, &scratch, again->tick->results);
    return SIDLE_OK;
}

sidle_status sidle_capture_again(sidle_crowd *crowd, const sidle_tick_desc *tick, const CaptureAgain *capture)
{
    if (tick->count != 1 || tick->contact_capacity < SIDLE_MAX_AGENT_CONTACTS ||
        capture->head->neighbour_count > CAPTURE_NEIGHBOURS)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Again again = {.observer = {gather_again, search_again}, .capture = capture, .tick = tick};
    return sidle_crowd_run_alone(crowd, tick, make_move, &again);
}
