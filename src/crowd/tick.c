/* A tick: agents move, independently of each other; then their contacts are sorted.
 *
 *     move agents ─► lay out contacts ─► copy contacts
 *     (parallel)     (one task)          (parallel)
 *
 * Where agents collide, the phases of peers.h come before. If max_moves defers agents, two more come first: turns.h. */
#include "base/fp_environment.h"
#include "crowd/agent.h"
#include "crowd/contacts.h"
#include "crowd/peer_phases.h"
#include "crowd/rest.h"
#include "crowd/sleep.h"
#include "crowd/turns.h"
#include "jobs/loop.h"

#include <string.h>

/* 15 to 50 microseconds of work: enough to hide a task's cost, small enough to balance. */
#define AGENTS_PER_TASK 32
/* So few agents are one task, which runs on the calling thread: to wake another one takes about as long. */
#define AGENTS_OF_ONE_TASK 64
#define COPIES_PER_TASK    1024

enum
{
    MOVE,
    LAY_OUT,
    COPY,
    PHASE_COUNT
};

#define MOVE_PHASE_NAMES "sidle tick: move", "sidle tick: lay out", "sidle tick: copy"

_Static_assert((int)TURN_PHASES + (int)PEER_PHASES + (int)PHASE_COUNT <= SIDLE_MAX_PHASES,
               "a work has so many phases");

/* The last phases, or all of them. */
static const char *const phase_names[] = {TURN_PHASE_NAMES, PEER_PHASE_NAMES, MOVE_PHASE_NAMES};
/* With a budget, of agents that do not collide. */
static const char *const budget_names[] = {TURN_PHASE_NAMES, MOVE_PHASE_NAMES};

static const char *const *names_of(const Tick *tick)
{
    if (tick->has_budget)
    {
        return tick->agents_collide ? phase_names : budget_names;
    }
    return phase_names + TURN_PHASES + (tick->agents_collide ? 0 : PEER_PHASES);
}

/* The statistics at the end of a worker's scratch. */
static sidle_stats *worker_stats(const sidle_crowd *crowd, uint32_t worker)
{
    return (sidle_stats *)((char *)crowd->workers.memory + (worker + 1) * crowd->worker_bytes) - 1;
}

_Static_assert(offsetof(sidle_stats, lanes) == offsetof(sidle_stats, moves) + 14 * sizeof(uint64_t),
               "counts side by side");

/* Integer sums do not depend on their order. */
static void add_stats(sidle_stats *sum, const sidle_stats *part)
{
    for (uint64_t *to = &sum->moves, *from = (uint64_t *)&part->moves; (void *)to < (void *)&sum->lanes;)
    {
        *to++ += *from++;
    }
    sum->lanes |= part->lanes;
}

static uint32_t agents_per_task(uint32_t count)
{
    return count <= AGENTS_OF_ONE_TASK ? AGENTS_OF_ONE_TASK : AGENTS_PER_TASK;
}

static void move_one(sidle_crowd *crowd, uint32_t agent, const sidle_move *move, Candidates *candidates,
                     AgentScratch *scratch)
{
    const Tick *tick = &crowd->tick;
    sidle_result *result = tick_result(tick, agent);
    if (!rest_is_possible(tick, move, scratch->turn))
    {
        scratch->cache->rests = REST_NONE; /* mutant: contacts_of_another_move */
        crowd->kernels->move(crowd, candidates, move, scratch, result);
        return;
    }
    Rest *rest = (Rest *)crowd->rests.memory + agent;
    bool may_repeat = scratch->cache->rests == REST_ALONE && rest_is_undisturbed(move, scratch);
    if (!may_repeat || !sidle_rest_repeats(crowd, move, scratch, rest, result))
    {
        crowd->kernels->move(crowd, candidates, move, scratch, result);
        sidle_rest_keep(crowd, move, scratch, result, rest);
    }
}

/* Agents from the prefetch of a request and of a cache's head to the move, and from that of the triangles, whose number the head
 * has. */
#define HEADS_AHEAD     3
#define TRIANGLES_AHEAD 1

/* Prefetches what the moves of the next agents read: their requests and triangles, or the last move of an agent that may be at rest. */
FORCE_INLINE void prefetch_ahead(const sidle_crowd *crowd, uint32_t agent, uint32_t end)
{
    const TriangleCache *caches = crowd->caches.memory;
    if (agent + HEADS_AHEAD < end)
    {
        const char *line = (const char *)tick_move(&crowd->tick, agent + HEADS_AHEAD);
        for (size_t at = 0; at < sizeof(sidle_move); at += 64)
        {
            __builtin_prefetch(line + at);
        }
        cache_prefetch_head(&caches[agent + HEADS_AHEAD]);
    }
    if (agent + TRIANGLES_AHEAD < end)
    {
        uint32_t next = agent + TRIANGLES_AHEAD;
        if (caches[next].rests)
        {
            rest_prefetch((const Rest *)crowd->rests.memory + next);
        }
        else
        {
            cache_prefetch_triangles(&caches[next]);
        }
    }
}

static void move_agents(sidle_crowd *crowd, uint32_t task, uint32_t worker)
{
    const Tick *tick = &crowd->tick;
    TriangleCache *caches = crowd->caches.memory;
    Candidates candidates;
    AgentScratch scratch = {.gaps = NULL};
    const uint8_t *states = sleep_states(crowd);
    crowd_place_candidates(crowd, worker, &candidates);
    candidates.stats = tick->desc.stats ? worker_stats(crowd, worker) : NULL;
    uint32_t each = agents_per_task(tick->desc.count), end = task_end(task, each, tick->desc.count);
    for (uint32_t i = task * each; i < end; ++i)
    {
        prefetch_ahead(crowd, i, end);
        const sidle_move *move = tick_move(tick, i);
        if (states && states[i] >= SLEEP_SUPPORT)
        {
            sidle_rest_write(crowd, move, (const Rest *)crowd->rests.memory + i, tick_result(tick, i));
            continue;
        }
        scratch.contacts = tick->contacts ? tick->contacts + (size_t)i * SIDLE_MAX_AGENT_CONTACTS : NULL;
        scratch.cache = &caches[i];
        scratch.turn = turn_at(crowd, i, move, &candidates);
        if (tick->agents_collide)
        {
            peers_prefetch_gaps(tick->peers, i, end);
            scratch.gaps = agent_gaps_given(&tick->peers->gaps[i]);
            scratch.is_calm = tick->peers->gaps[i].is_calm;
        }
        move_one(crowd, i, move, &candidates, &scratch);
    }
}

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    sidle_crowd *crowd = state;
    if (crowd->tick.has_budget)
    {
        if (phase < TURN_PHASES)
        {
            sidle_turn_phase_run(crowd, phase, task, worker);
            return;
        }
        phase -= TURN_PHASES;
    }
    if (crowd->tick.agents_collide)
    {
        if (phase < PEER_PHASES)
        {
            sidle_peer_phase_run(crowd, phase, task, worker);
            return;
        }
        phase -= PEER_PHASES;
    }
    switch (phase)
    {
    case MOVE:
        move_agents(crowd, task, worker);
        break;
    case LAY_OUT:
        sidle_contacts_lay_out(&crowd->tick);
        break;
    default:
        sidle_contacts_copy(&crowd->tick, task * COPIES_PER_TASK,
                            task_end(task, COPIES_PER_TASK, crowd->tick.desc.count));
        break;
    }
}

/* New memory of contacts holds none of a move that is kept. */
static bool reserve_contacts(sidle_crowd *crowd, size_t count)
{
    size_t before = crowd->contacts.bytes;
    bool fits = sidle_scratch_reserve(&crowd->contacts, &crowd->allocator, count, sizeof(sidle_contact));
    if (crowd->contacts.bytes != before && crowd->rests.memory) /* mutant: keeps_lost_contacts */
    {
        memset(crowd->rests.memory, 0, crowd->rests.bytes);
    }
    return fits;
}

static bool reserve(sidle_crowd *crowd, const sidle_tick_desc *desc, uint32_t worker_count)
{
    const sidle_allocator *allocator = &crowd->allocator;
    size_t contacts = desc->contacts ? (size_t)desc->count * SIDLE_MAX_AGENT_CONTACTS : 0;
    size_t sorting = desc->contacts ? desc->count : 0;
    bool collide = desc->flags & SIDLE_TICK_AGENTS_COLLIDE;
    return sidle_scratch_reserve(&crowd->workers, allocator, worker_count, crowd->worker_bytes) &&
           sidle_scratch_reserve(&crowd->peers, allocator, collide ? sidle_peers_bytes(desc->count) : 0, 1) &&
           sidle_turns_reserve(crowd, desc) && sidle_sleep_reserve(crowd, desc) &&
           reserve_contacts(crowd, contacts) &&
           sidle_scratch_reserve(&crowd->caches, allocator, desc->count, sizeof(TriangleCache)) &&
           sidle_scratch_reserve(&crowd->rests, allocator, desc->count, sizeof(Rest)) &&
           sidle_scratch_reserve(&crowd->order, allocator, sorting, 2 * sizeof(uint32_t));
}

void sidle_crowd_set_tick(sidle_crowd *crowd, const sidle_tick_desc *desc, uint32_t worker_count)
{
    Tick *tick = &crowd->tick;
    *tick = (Tick){.desc = *desc,
                   .begin = (double)desc->motion_begin,
                   .time = desc->motion_end > 0 ? (double)desc->motion_end : 1,
                   .order = crowd->order.memory,
                   .contacts = desc->contacts ? crowd->contacts.memory : NULL,
                   .worker_count = worker_count,
                   .agents_collide = desc->flags & SIDLE_TICK_AGENTS_COLLIDE,
                   .reports_touches = desc->contacts};
    tick->desc.move_stride = desc->move_stride ? desc->move_stride : sizeof(sidle_move);
    tick->desc.result_stride = desc->result_stride ? desc->result_stride : sizeof(sidle_result);
    tick->scales = scales_of(desc->dt, crowd->gravity);
    tick->has_budget = sidle_turns_has_budget(desc);
    tick->turns = sidle_turns_are_kept(desc) ? crowd->turns.memory : NULL;
}

static FP_BODY sidle_status begin_tick(sidle_crowd *crowd, const sidle_tick_desc *desc, uint32_t worker_count,
                                       sidle_work *work)
{
    if (!crowd || !work)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = crowd->ticking ? SIDLE_ERROR_BUSY : sidle_tick_check(desc, worker_count);
    if (status != SIDLE_OK)
    {
        return status;
    }
    if (!reserve(crowd, desc, worker_count))
    {
        return SIDLE_ERROR_MEMORY;
    }
    sidle_crowd_set_tick(crowd, desc, worker_count);
    Tick *tick = &crowd->tick;
    if (tick->agents_collide)
    {
        tick->peers = sidle_peers_place(desc->count, crowd->stretch, crowd->peers.memory);
    }
    sidle_sleep_begin(crowd);
    for (uint32_t worker = 0; desc->stats && worker < worker_count; ++worker)
    {
        *worker_stats(crowd, worker) = (sidle_stats){.size = sizeof(sidle_stats)};
    }
    crowd->ticking = true;
    *work =
        (sidle_work){.run = run, .state = crowd, .phase_names = names_of(tick), .worker_count = worker_count};
    if (tick->has_budget)
    {
        sidle_turn_phase_tasks(desc->count, work->task_count);
        work->phase_count = TURN_PHASES;
    }
    if (tick->agents_collide)
    {
        sidle_peer_phase_tasks(desc->count, work->task_count + work->phase_count);
        work->phase_count += PEER_PHASES;
    }
    uint32_t *tasks = work->task_count + work->phase_count;
    tasks[MOVE] = tasks_over(desc->count, agents_per_task(desc->count));
    tasks[LAY_OUT] = 1;
    tasks[COPY] = tasks_over(desc->count, COPIES_PER_TASK);
    work->phase_count += desc->contacts ? PHASE_COUNT : LAY_OUT;
    sidle_work_begin(work);
    return SIDLE_OK;
}

sidle_status sidle_crowd_tick_begin(sidle_crowd *crowd, const sidle_tick_desc *desc, uint32_t worker_count,
                                    sidle_work *work)
{
    FpEnvironment host = fp_enter();
    sidle_status status = begin_tick(crowd, desc, worker_count, work);
    fp_leave(host);
    return status;
}

sidle_status sidle_crowd_tick_end(sidle_crowd *crowd, sidle_work *work)
{
    if (!crowd || !work || work->state != crowd || !crowd->ticking)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    crowd->ticking = false;
    for (uint32_t worker = 0; crowd->tick.desc.stats && worker < crowd->tick.worker_count; ++worker)
    {
        add_stats(crowd->tick.desc.stats, worker_stats(crowd, worker));
    }
    if (crowd->tick.desc.contact_count)
    {
        *crowd->tick.desc.contact_count = crowd->tick.written;
    }
    sidle_status status = sidle_work_end(work);
    if (!crowd->tick.steering)
    {
        sidle_sleep_end(crowd, status == SIDLE_OK);
    }
    return status;
}

sidle_status sidle_crowd_tick(sidle_crowd *crowd, const sidle_tick_desc *desc)
{
    sidle_work work;
    if (!desc || desc->size != sizeof *desc || !sidle_jobs_are_valid(desc->jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_crowd_tick_begin(crowd, desc, jobs_worker_count(desc->jobs), &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_work_execute(&work, desc->jobs);
    return sidle_crowd_tick_end(crowd, &work);
}

sidle_status sidle_crowd_run_alone(sidle_crowd *crowd, const sidle_tick_desc *desc,
                                   sidle_status (*fn)(sidle_crowd *crowd, void *context), void *context)
{
    sidle_tick_desc empty = {.size = sizeof empty,
                             .snapshot = desc->snapshot,
                             .dt = desc->dt,
                             .motion_begin = desc->motion_begin,
                             .motion_end = desc->motion_end};
    sidle_work work;
    sidle_status status = sidle_crowd_tick_begin(crowd, &empty, 1, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    FpEnvironment host = fp_enter();
    status = fn(crowd, context);
    fp_leave(host);
    sidle_status ended = sidle_crowd_tick_end(crowd, &work);
    return status != SIDLE_OK ? status : ended;
}
