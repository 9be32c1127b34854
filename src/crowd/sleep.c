#include "crowd/sleep.h"

#include "base/atomic_raise.h"
#include "crowd/contacts.h"
#include "crowd/peers.h"
#include "crowd/rest.h"

#include <string.h>

/* Boxes that overlap one another in a row from a change to an agent whose result it may reach: the rounds, the division of gaps, the
 * choice of pairs by the lower id and by the higher, and one to spare. */
#define SLEEP_HOPS (PEER_ROUNDS + 4) /* mutant: short_chains */

/* By how much boxes may grow from tick to tick without waking all. */
#define SLEEP_MARGIN (1. / 16)

/* The narrowest cells, so that their numbers are integers of 32 bits. */
#define LEAST_CELL 1

/* What a cell's mark says, of which the highest counts. */
enum Mark
{
    MARK_NONE = 0,
    MARK_SUPPORT,
    MARK_AWAKE,
    MARK_CHANGED /* and the cells around it are marked */
};

#define MARK_BITS 3 /* the lowest, beside the cell's key */

/* Marks for each agent, and their number at most: 128 KiB, which each tick clears. Beyond that all agents are awake. */
#define MARKS_EACH  8
#define MARKS_LEAST 2048
#define MARKS_MOST  16384

/* Places in which a mark may lie. A longer cluster counts as a full table. */
#define MARK_PROBES 64

static uint32_t marks_for(uint32_t count)
{
    uint32_t marks = MARKS_LEAST;
    while (marks < MARKS_MOST && marks / MARKS_EACH < count)
    {
        marks *= 2;
    }
    return marks;
}

static size_t bytes_of(uint32_t count)
{
    return marks_for(count) * sizeof(uint64_t) + count * sizeof(SleepPlace) + count;
}

static void place(Sleep *sleep, uint32_t count, void *memory)
{
    sleep->marks = memory;
    sleep->mark_count = marks_for(count);
    sleep->places = (SleepPlace *)(void *)(sleep->marks + sleep->mark_count);
    sleep->states = (uint8_t *)(sleep->places + count);
    sleep->capacity = count;
}

static bool may_sleep(const sidle_tick_desc *desc)
{
    return (desc->flags & SIDLE_TICK_AGENTS_COLLIDE) && desc->count >= SLEEP_LEAST;
}

static bool is_looking(const sidle_tick_desc *desc)
{
    return may_sleep(desc) && !desc->stats;
}

bool sidle_sleep_reserve(sidle_crowd *crowd, const sidle_tick_desc *desc)
{
    Sleep *sleep = &crowd->sleep;
    if (!may_sleep(desc) || desc->count <= sleep->capacity)
    {
        return true;
    }
    if (!sidle_scratch_reserve(&crowd->sleeps, &crowd->allocator, bytes_of(desc->count), 1))
    {
        return false;
    }
    place(sleep, desc->count, crowd->sleeps.memory);
    sleep->count = 0; /* what it held is lost */
    return true;
}

/* ---- cells ---- */

static int32_t cell_at(double place, double cell)
{
    return (int32_t)floor(place / cell);
}

/* 31 bits each: LEAST_CELL keeps numbers below 2^30. */
static uint64_t key_of(int32_t a, int32_t b)
{
    uint64_t low = INT32_MAX;
    return (((uint64_t)(uint32_t)a & low) << 31 | ((uint64_t)(uint32_t)b & low)) << 2;
}

static uint64_t *probe(const Sleep *sleep, uint64_t key, uint32_t number)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15);
    return &sleep->marks[((hash >> 32) + number) & (sleep->mark_count - 1)];
}

/* Raises the mark of a cell. Other tasks may do the same. */
static void mark(Sleep *sleep, int32_t a, int32_t b, uint64_t level)
{
    uint64_t key = key_of(a, b);
    for (uint32_t i = 0; i < MARK_PROBES; ++i)
    {
        uint64_t *at = probe(sleep, key, i), seen = __atomic_load_n(at, __ATOMIC_RELAXED);
        while (seen == 0 || (seen & ~(uint64_t)MARK_BITS) == key) /* mutant: cells_share_marks */
        {
            if ((seen & MARK_BITS) >= level ||
                __atomic_compare_exchange_n(at, &seen, key | level, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            {
                return;
            }
        }
    }
    __atomic_store_n(&sleep->is_full, true, __ATOMIC_RELAXED); /* mutant: loses_marks */
}

static uint32_t mark_of(const Sleep *sleep, int32_t a, int32_t b)
{
    uint64_t key = key_of(a, b);
    for (uint32_t i = 0; i < MARK_PROBES; ++i)
    {
        uint64_t seen = __atomic_load_n(probe(sleep, key, i), __ATOMIC_RELAXED);
        if (seen == 0 || (seen & ~(uint64_t)MARK_BITS) == key)
        {
            return seen & MARK_BITS;
        }
    }
    return MARK_NONE;
}

/* Two cells to each side, once for all agents of a cell. */
static void mark_around(Sleep *sleep, SleepPlace at)
{
    int32_t a = cell_at(at.a, sleep->cell), b = cell_at(at.b, sleep->cell);
    if (mark_of(sleep, a, b) == MARK_CHANGED)
    {
        return;
    }
    for (int32_t i = -2; i <= 2; ++i)
    {
        for (int32_t j = -2; j <= 2; ++j)
        {
            bool is_next = i * i <= 1 && j * j <= 1;
            mark(sleep, a + i, b + j, is_next ? MARK_AWAKE : MARK_SUPPORT);
        }
    }
    mark(sleep, a, b, MARK_CHANGED);
}

/* Along the two axes across the up of the crowd, or nearest to that. Agents are no farther apart there than in space. */
static SleepPlace across_up(const sidle_crowd *crowd, Vec3 v)
{
    Vec3 up = vec3_abs(crowd->up);
    bool along_x = up.x > up.y && up.x > up.z, along_y = !along_x && up.y > up.z;
    return (SleepPlace){.a = along_x ? v.y : v.x, .b = along_x || along_y ? v.z : v.y};
}

/* An invalid agent collides with none, so its place does not matter. */
static SleepPlace place_of(const sidle_crowd *crowd, const sidle_move *move)
{
    SleepPlace at = across_up(crowd, vec3_from_position(move->body.center));
    bool is_valid = fabs(at.a) <= SIDLE_MAX_COORDINATE && fabs(at.b) <= SIDLE_MAX_COORDINATE;
    return is_valid ? at : (SleepPlace){.a = 0};
}

/* ---- the tick ---- */

/* The widest half of a box across up, of the agents that were described. */
static double widest_of(const sidle_crowd *crowd)
{
    double widest = 0;
    for (uint32_t level = 0; level < PEER_LEVELS; ++level)
    {
        const double *half = crowd->tick.peers->half[level];
        SleepPlace across =
            across_up(crowd, vec3(atomic_raised(half), atomic_raised(half + 1), atomic_raised(half + 2)));
        widest = larger(widest, larger(across.a, across.b));
    }
    return widest;
}

void sidle_sleep_begin(sidle_crowd *crowd)
{
    const Tick *tick = &crowd->tick;
    Sleep *sleep = &crowd->sleep;
    uint32_t before = sleep->count;
    sleep->cell = sleep->sleepers = 0;
    sleep->is_looking = is_looking(&tick->desc) && !tick->has_budget;
    if (tick->desc.count == 0)
    {
        return; /* as for a what-if; the last tick remains the last */
    }
    sleep->before = sleep->is_looking ? before : 0;
    sleep->count = sleep->is_looking ? tick->desc.count : 0;
    if (sleep->before > 0)
    {
        sleep->cell = larger(2 * SLEEP_HOPS * sleep->widest, LEAST_CELL);
        memset(sleep->marks, 0, sleep->mark_count * sizeof *sleep->marks);
        sleep->is_full = false;
    }
    for (uint32_t gone = tick->desc.count; gone < sleep->before; ++gone)
    {
        mark_around(sleep, sleep->places[gone]); /* mutant: slept_through_leaving */
    }
}

bool sidle_sleep_look(sidle_crowd *crowd, uint32_t agent)
{
    const Tick *tick = &crowd->tick;
    Sleep *sleep = &crowd->sleep;
    if (!sleep->is_looking)
    {
        return false;
    }
    const sidle_move *move = tick_move(tick, agent);
    SleepPlace here = place_of(crowd, move), there = sleep->places[agent];
    bool is_same = false;
    if (sleep->cell > 0)
    {
        TriangleCache *cache = (TriangleCache *)crowd->caches.memory + agent;
        const Rest *rest = (const Rest *)crowd->rests.memory + agent;
        is_same = agent < sleep->before && cache->rests && rest_is_possible(tick, move, TURN_COMES) &&
                  sidle_rest_is_same(crowd, move, rest, tick->contacts);
        if (!is_same)
        {
            mark_around(sleep, here);
            if (agent < sleep->before)
            {
                mark_around(sleep, there); /* mutant: slept_through_teleport */
            }
        }
    }
    here.half = there.half;
    sleep->places[agent] = here;
    sleep->states[agent] = is_same ? SLEEP_SAME : SLEEP_AWAKE;
    return is_same;
}

void sidle_sleep_note(sidle_crowd *crowd, uint32_t agent)
{
    Sleep *sleep = &crowd->sleep;
    if (sleep->is_looking)
    {
        const float *half = crowd->tick.peers->seats[agent].entry.half;
        SleepPlace across = across_up(crowd, vec3((double)half[0], (double)half[1], (double)half[2]));
        sleep->places[agent].half = larger(across.a, across.b);
    }
}

bool sidle_sleep_wakes_all(const sidle_crowd *crowd)
{
    bool is_full = __atomic_load_n(&crowd->sleep.is_full, __ATOMIC_RELAXED);
    return is_full || widest_of(crowd) > crowd->sleep.widest; /* mutant: slept_beside_fast */
}

bool sidle_sleep_wake(sidle_crowd *crowd, uint32_t agent, bool wakes_all)
{
    Sleep *sleep = &crowd->sleep;
    SleepPlace at = sleep->places[agent];
    uint32_t level = mark_of(sleep, cell_at(at.a, sleep->cell), cell_at(at.b, sleep->cell));
    uint8_t state = SLEEP_ASLEEP;
    if (wakes_all || level >= MARK_AWAKE)
    {
        state = SLEEP_AWAKE;
    }
    else if (level == MARK_SUPPORT)
    {
        state = SLEEP_SUPPORT; /* mutant: sleeping_support */
    }
    sleep->states[agent] = state;
    if (state == SLEEP_ASLEEP)
    {
        atomic_raise(&sleep->sleepers, at.half); /* mutant: forgets_sleepers */
    }
    return state != SLEEP_ASLEEP;
}

void sidle_sleep_end(sidle_crowd *crowd, bool is_complete)
{
    Sleep *sleep = &crowd->sleep;
    if (!is_complete)
    {
        sleep->count = 0;
    }
    else if (sleep->is_looking)
    {
        sleep->widest = larger(widest_of(crowd), sleep->sleepers) * (1 + SLEEP_MARGIN);
    }
}
