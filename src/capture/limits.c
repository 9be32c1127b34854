#include "capture/limits.h"

#include "capture/again.h"
#include "crowd/peer_phases.h"
#include "crowd/turns.h"

_Static_assert(CAPTURE_NEIGHBOURS == PEER_PAIRS, "a capture has room for every limit of an agent");

/* Of the longest displacement along an axis. A correction is the difference of two displacements. The longest is a displacement
 * and a fall, 5.2: its coordinates add up to 3, times the square root of 3. */
#define LONGEST_CORRECTION 10.5

/* By which a squared normal may differ from 1; rounding explains 1e-15. */
#define UNIT_ERROR 1e-6

/* ---- from a capture ---- */

static Vec3 vector_of(const double numbers[3])
{
    return vec3(numbers[0], numbers[1], numbers[2]);
}

AgentGaps sidle_gaps_read(const CaptureHead *head, const CaptureNeighbour *neighbours, AgentGap *list)
{
    for (uint32_t i = 0; i < head->neighbour_count; ++i)
    {
        const double *n = neighbours[i].normal;
        list[i] = (AgentGap){.normal = {(float)n[0], (float)n[1], (float)n[2]},
                             .most = neighbours[i].most,
                             .id = neighbours[i].id,
                             .touches = neighbours[i].touches != 0}; /* mutant: capture_of_no_touch */
    }
    return (AgentGaps){.list = list,
                       .count = head->neighbour_count,
                       .correction = vector_of(head->correction),
                       .is_pushed = head->is_pushed != 0}; /* mutant: unpushed_capture */
}

/* Comparisons are false for NaN. */
bool sidle_gaps_are_good(const sidle_crowd *crowd, const sidle_move *move, const AgentGaps *gaps)
{
    if (move->profile >= crowd->profile_count) /* the move is refused */
    {
        return true;
    }
    double longest = LONGEST_CORRECTION * (double)crowd->profiles[move->profile].longest;
    bool good = vec3_length(gaps->correction) <= longest; /* mutant: any_correction */
    for (uint32_t i = 0; i < gaps->count && good; ++i)
    {
        const AgentGap *gap = &gaps->list[i];
        Vec3 n = vec3((double)gap->normal[0], (double)gap->normal[1], (double)gap->normal[2]);
        good = fabs(vec3_length2(n) - 1) <= UNIT_ERROR && gap->most >= 0 && gap->most < INFINITY;
    }
    return good;
}

/* ---- to a capture ---- */

static void put_vector(Vec3 v, double numbers[3])
{
    numbers[0] = v.x;
    numbers[1] = v.y;
    numbers[2] = v.z;
}

typedef struct Search
{
    const sidle_tick_desc *tick;
    uint32_t agent;
    CaptureHead *head;
    CaptureNeighbour *neighbours;
} Search;

static sidle_status find_limits(sidle_crowd *crowd, void *context)
{
    const Search *search = context;
    bool collide = search->tick->flags & SIDLE_TICK_AGENTS_COLLIDE;
    if (!(collide ? sidle_peer_phases_run(crowd, search->tick) : sidle_turn_phases_run(crowd, search->tick)))
    {
        return SIDLE_ERROR_MEMORY;
    }
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    search->head->turn = turn_at(crowd, search->agent, tick_move(&crowd->tick, search->agent), &candidates);
    if (!collide)
    {
        return SIDLE_OK;
    }
    const AgentGaps *gaps = &crowd->tick.peers->gaps[search->agent];
    for (uint32_t i = 0; i < gaps->count; ++i)
    {
        const AgentGap *gap = &gaps->list[i];
        search->neighbours[i] = (CaptureNeighbour){
            .id = gap->id,
            .normal = {(double)gap->normal[0], (double)gap->normal[1], (double)gap->normal[2]},
            .most = gap->most,
            .touches = gap->touches};
    }
    put_vector(gaps->correction, search->head->correction);
    search->head->is_pushed = gaps->is_pushed;
    search->head->neighbour_count = gaps->count;
    return SIDLE_OK;
}

sidle_status sidle_capture_limits(sidle_crowd *crowd, const sidle_tick_desc *tick, uint32_t agent,
                                  CaptureHead *head, CaptureNeighbour neighbours[CAPTURE_NEIGHBOURS])
{
    if ((tick->flags & ~(uint32_t)SIDLE_TICK_AGENTS_COLLIDE) || agent >= tick->count ||
        !row_is_good(ROW(tick->moves, tick->move_stride, tick->count)))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    if (tick->count > SIDLE_MAX_AGENTS)
    {
        return SIDLE_ERROR_LIMIT;
    }
    sidle_tick_desc requests = {.snapshot = tick->snapshot,
                                .dt = tick->dt,
                                .motion_begin = tick->motion_begin,
                                .motion_end = tick->motion_end,
                                .moves = tick->moves,
                                .move_stride = tick->move_stride,
                                .count = tick->count,
                                .flags = tick->flags,
                                .max_moves = tick->max_moves};
    Search search = {&requests, agent, head, neighbours};
    return sidle_crowd_run_alone(crowd, tick, find_limits, &search);
}
