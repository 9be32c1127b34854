/* One agent, one tick. */
#ifndef CROWD_AGENT_H
#define CROWD_AGENT_H

#include "crowd/crowd.h"

/* Observes the searches of a move in order: capture/capture.c, capture/again.c. The returned value replaces whether the
 * search's result fits. */
typedef struct Observer
{
    bool (*gathered)(struct Observer *self, Candidates *candidates, bool fits);
    /* A search for moving instances. */
    bool (*searched)(struct Observer *self, const uint32_t *slots, uint32_t count, bool fits);
} Observer;

/* How far an agent may move towards a neighbour. */
typedef struct AgentGap
{
    float normal[3];  /* world, unit, towards the neighbour */
    uint32_t touches; /* 1: a contact: the two touch, or one presses on the other */
    double most;      /* world, along the normal, from where moving ground has taken the agent */
    uint64_t id;
} AgentGap;

_Static_assert(sizeof(AgentGap) == 32, "two to a cache line");

/* What the neighbours of one agent allow in this tick. */
typedef struct AgentGaps
{
    const AgentGap *list;
    uint32_t count;
    bool is_pushed;  /* the agent moves against its wish, or without one: over no step */
    bool is_calm;    /* no moving instance carries the agent or is near */
    Vec3 correction; /* of the displacement, world */
} AgentGaps;

/* NULL if they allow everything. */
static inline const AgentGaps *agent_gaps_given(const AgentGaps *gaps)
{
    return gaps->count > 0 || !vec3_is_zero(gaps->correction) ? gaps : NULL;
}

/* A gap as a limit of a move: rim.inl. */
typedef struct AgentLimit
{
    Vec3 normal;
    double most;
    /* The same for the horizontal part of a path on the ground; a zero normal stops no such path. */
    Vec3 along;
    double most_along;
    uint64_t id;
    bool touches;
    bool is_rim; /* no neighbour, but the end of the ground */
} AgentLimit;

typedef struct AgentLimits
{
    const AgentLimit *list;
    uint32_t count;
    Vec3 correction;
    bool is_pushed;
} AgentLimits;

/* Scatters ids that are counted up; the high half best. */
static inline uint64_t id_mix(uint64_t id)
{
    uint64_t h = (id + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Whether an agent moves in this tick: turns.inl, turns.c. */
enum Turn
{
    TURN_COMES, /* moves, without an interval or before that has passed */
    TURN_PACED, /* moves, since its interval has passed */
    TURN_WAITS, /* is deferred, or its request is refused */
    TURN_RIVAL  /* would move, but can be deferred: max_moves decides */
};

/* A request with the time and displacement of the ticks that deferred it, in `storage` if there are any. Both together last at
 * most SIDLE_MAX_DT. */
static inline const sidle_move *move_with_waited(const sidle_crowd *crowd, const sidle_move *move,
                                                 sidle_move *storage)
{
    if (!(move->body.waited > 0))
    {
        return move;
    }
    float most = SIDLE_MAX_DT - crowd->tick.desc.dt;
    *storage = *move;
    storage->body.waited = move->body.waited < most ? move->body.waited : most;
    Vec3 own = vec3_from(move->displacement), postponed = vec3_from(move->body.postponed);
    storage->displacement = vec3_to_float(vec3_add(own, postponed)); /* mutant: forgets_displacement */
    storage->body.postponed = (sidle_vec3){0, 0, 0};
    return storage;
}

/* An agent that ticks again in an epoch has been moved by a part of its motion before. */
static inline bool has_moved_along(const Tick *tick, const sidle_body *body)
{
    const sidle_snapshot *snapshot = tick->desc.snapshot;
    return snapshot->moving_count > 0 && body->motion_epoch == (uint32_t)snapshot->epoch;
}

/* What of the epoch's motion has moved the agent now, from what had moved it before. A world at rest leaves it as it is. */
static inline void update_motion(const Tick *tick, sidle_body *body)
{
    if (tick->desc.snapshot->moving_count > 0)
    {
        bool is_less = has_moved_along(tick, body) && (double)body->motion_done > tick->time;
        body->motion_epoch = (uint32_t)tick->desc.snapshot->epoch;
        body->motion_done = is_less ? body->motion_done : (float)tick->time;
    }
}

/* Whether the agent's contacts are asked for. */
static inline bool reports_contacts(const sidle_move *move, const sidle_contact *contacts)
{
    return contacts && !(move->flags & SIDLE_MOVE_NO_CONTACTS);
}

/* Memory and outputs of one agent's move. kernels->move (crowd/answer.inl) reads a request, and writes a result and the
 * contacts. */
typedef struct AgentScratch
{
    const AgentGaps *gaps;   /* NULL: no other agent matters */
    sidle_contact *contacts; /* SIDLE_MAX_AGENT_CONTACTS contacts; NULL: none are written */
    TriangleCache *cache;
    Observer *observer; /* NULL: none */
    uint32_t turn;      /* an enum Turn */
    bool is_calm;       /* no moving instance matters: it has been looked for */
    double clear;       /* written: the share of the displacement before the first contact */
} AgentScratch;

#endif
