/* Chooses the agents that move in a tick with sidle_tick_desc.max_moves.
 *
 * The order is total and depends on the requests alone: by lateness, then by a hash of the id, then by the id. Lateness is the
 * time since the last move in intervals of the agent, so that far agents yield to near ones. An agent that has moved comes after
 * all that have not. Hence, of n agents without intervals, each moves at least every ceil(n / max_moves) ticks.
 *
 * A radix selection from the highest digit looks at each agent a few times, and at no pair of them. */
#include "crowd/turns.h"

#include "jobs/loop.h"

#include <string.h>

#define RANKS_PER_TASK 256

/* Bits of a digit: the counts fit the first-level cache. */
#define DIGIT_BITS  11
#define DIGIT_COUNT (1u << DIGIT_BITS)

/* Lowest bits of the digits of a number, the highest digit first. The last two overlap. */
static const uint8_t digit_shifts[] = {53, 42, 31, 20, 9, 0};
#define DIGITS (sizeof digit_shifts)

/* An agent that moves unless others are more urgent. */
typedef struct Rival
{
    uint64_t urgency, id; /* ids decide between equally urgent ones, then the order in the array */
    uint32_t index;
} Rival;

bool sidle_turns_has_budget(const sidle_tick_desc *desc)
{
    return desc->max_moves > 0 && desc->max_moves < desc->count;
}

bool sidle_turns_are_kept(const sidle_tick_desc *desc)
{
    return sidle_turns_has_budget(desc) || (desc->flags & SIDLE_TICK_AGENTS_COLLIDE);
}

bool sidle_turns_reserve(sidle_crowd *crowd, const sidle_tick_desc *desc)
{
    const sidle_allocator *allocator = &crowd->allocator;
    /* Also for a budget that is large enough for all, so that a lower one allocates nothing. */
    uint32_t rivals = desc->max_moves > 0 ? desc->count : 0; /* mutant: reserves_for_less */
    uint32_t turns = rivals > 0 || sidle_turns_are_kept(desc) ? desc->count : 0;
    return sidle_scratch_reserve(&crowd->turns, allocator, turns, 1) &&
           sidle_scratch_reserve(&crowd->rivals, allocator, rivals, sizeof(Rival));
}

/* Floats that are not negative compare as their bits do. */
static uint64_t urgency_of(const Tick *tick, const sidle_move *move)
{
    float dt = tick->desc.dt;
    float interval = move->interval < SIDLE_MAX_DT ? move->interval : SIDLE_MAX_DT;
    float period = interval > dt ? interval : dt; /* mutant: equal_periods */
    float late = (move->body.waited + dt) / period;
    uint32_t bits;
    memcpy(&bits, &late, sizeof bits);
    return (uint64_t)bits << 32 | id_hash(move->id) >> 32; /* mutant: by_id */
}

static void rank(sidle_crowd *crowd, uint32_t begin, uint32_t end, uint32_t worker)
{
    const Tick *tick = &crowd->tick;
    Rival *rivals = crowd->rivals.memory;
    Candidates candidates;
    crowd_place_candidates(crowd, worker, &candidates);
    for (uint32_t i = begin; i < end; ++i)
    {
        const sidle_move *move = tick_move(tick, i);
        tick->turns[i] = (uint8_t)crowd->kernels->turn(crowd, &candidates, move);
        if (tick->turns[i] == TURN_RIVAL)
        {
            rivals[i] = (Rival){urgency_of(tick, move), move->id, i};
        }
    }
}

/* Moves the rivals to the front, in their order. Returns how many; `left`: moves that remain for them. */
static uint32_t collect_rivals(const Tick *tick, Rival *rivals, uint32_t *left)
{
    uint32_t count = 0, others = 0;
    for (uint32_t i = 0; i < tick->desc.count; ++i)
    {
        others += tick->turns[i] == TURN_COMES || tick->turns[i] == TURN_PACED;
        if (tick->turns[i] == TURN_RIVAL)
        {
            rivals[count++] = rivals[i];
        }
    }
    *left = others < tick->desc.max_moves ? tick->desc.max_moves - others : 0;
    return count;
}

static uint32_t digit_of(const Rival *rival, uint32_t digit)
{
    uint64_t number = digit < DIGITS ? rival->urgency : rival->id;
    return number >> digit_shifts[digit % DIGITS] & (DIGIT_COUNT - 1);
}

/* The smallest value of a digit that not more than `left` rivals exceed. Subtracts those from `left`. */
static uint32_t find_bound(const Rival *rivals, uint32_t count, uint32_t digit, uint32_t *left)
{
    uint32_t counts[DIGIT_COUNT] = {0}, value = DIGIT_COUNT - 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        counts[digit_of(&rivals[i], digit)] += 1;
    }
    for (; value > 0 && counts[value] <= *left; --value)
    {
        *left -= counts[value]; /* mutant: over_budget */
    }
    return value;
}

static void choose(sidle_crowd *crowd)
{
    Rival *rivals = crowd->rivals.memory;
    uint8_t *turns = crowd->tick.turns;
    uint32_t left, count = collect_rivals(&crowd->tick, rivals, &left);
    for (uint32_t digit = 0; digit < 2 * DIGITS && left > 0 && left < count; ++digit)
    {
        uint32_t bound = find_bound(rivals, count, digit, &left), kept = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            uint32_t value = digit_of(&rivals[i], digit);
            turns[rivals[i].index] = value > bound ? TURN_PACED : TURN_WAITS;
            if (value == bound)
            {
                rivals[kept++] = rivals[i];
            }
        }
        count = kept;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        turns[rivals[i].index] = i < left ? TURN_PACED : TURN_WAITS;
    }
}

void sidle_turn_phase_tasks(uint32_t agents, uint32_t *task_count)
{
    task_count[TURN_RANK] = tasks_over(agents, RANKS_PER_TASK);
    task_count[TURN_CHOOSE] = 1;
}

void sidle_turn_phase_run(sidle_crowd *crowd, uint32_t phase, uint32_t task, uint32_t worker)
{
    if (phase == TURN_RANK)
    {
        rank(crowd, task * RANKS_PER_TASK, task_end(task, RANKS_PER_TASK, crowd->tick.desc.count), worker);
    }
    else
    {
        choose(crowd);
    }
}

bool sidle_turn_phases_run(sidle_crowd *crowd, const sidle_tick_desc *desc)
{
    if (!sidle_turns_reserve(crowd, desc))
    {
        return false;
    }
    sidle_crowd_set_tick(crowd, desc, 1);
    if (crowd->tick.has_budget)
    {
        rank(crowd, 0, desc->count, 0);
        choose(crowd);
    }
    return true;
}
