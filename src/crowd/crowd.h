/* The structure of a crowd: checked profiles, and scratch memory that only grows. */
#ifndef CROWD_CROWD_H
#define CROWD_CROWD_H

#include "sidle/crowd.h"

#include "base/memory.h"
#include "crowd/peer_shape.h"
#include "narrow/candidates.h"

#include <stddef.h>

/* A checked sidle_profile in double. */
typedef struct Profile
{
    Vec3 radii;
    double core; /* half of a capsule's core, in radii.y; 0: a ball or an ellipsoid */
    double max_slope_cos, max_slope_tan, step_up, step_down, highest_step;
    double skin;           /* delta */
    double look_ahead;     /* radii: the farthest that a sweep looks beyond the end of its path */
    double recovery_speed; /* smallest radii a second */
    double comfort;        /* smallest radii */
    uint32_t mode, flags;
    double swept, recover, rest; /* the shells */
    double reach;        /* radii covered by a gather: the swept shell, the look-ahead and the slack */
    double slack;        /* delta / 8 */
    double skin_w;       /* the skin of the widest radius, world */
    double least;        /* radius */
    double shortest;     /* a shorter displacement is no motion, world */
    float longest;       /* [Limit] each coordinate of a displacement in a tick */
    Frame upright;       /* of an agent whose shape is not rotated; the centre is not set */
    PeerShape shape;     /* of such an agent with the up of the crowd */
    sidle_profile given; /* for a capture */
} Profile;

/* The two shells around the ball, ellipsoid space:
 *
 *      1             the ball itself: closer is penetration
 *      1 + delta/2   swept: no sweep hits anything closer than this
 *      1 + delta     where moves end; those that come in at less than 30 degrees may end between the shells
 *
 * A ball that rests at 1 + delta on a flat floor slides along it without touching the swept shell, so it never hits the
 * inner edges of the floor. Recovery begins below the swept shell by more than a graze, delta/16, and the error of a
 * float lane, delta/16. */
#define SHELL_SWEPT(skin)   (1 + (skin) / 2)
#define SHELL_RECOVER(skin) (1 + (.5 - .125) * (skin))
#define SHELL_REST(skin)    (1 + (skin))

/* Of the smallest radius: a shorter displacement is no motion. Float lanes of a ball resolve 6 u S = 4e-7 near the
 * agent. */
#define SHORTEST_MOTION 1e-6

/* The floats of a request lie in two rows: of the body from velocity to step_offset, of the move from rotation to
 * gravity. */
#define BODY_FLOATS ((offsetof(sidle_body, ground) - offsetof(sidle_body, velocity)) / sizeof(float))
#define MOVE_FLOATS ((offsetof(sidle_move, ignore) - offsetof(sidle_move, rotation)) / sizeof(float))
_Static_assert(BODY_FLOATS == 14 && MOVE_FLOATS == 13,
               "four vectors and two lengths; a quaternion and three vectors");

/* Factors that turn the floats of a request into lengths: dt, dt^2 / 2, 1, or 0 for directions. */
typedef struct Scales
{
    float body[BODY_FLOATS], move[MOVE_FLOATS];
    float fall; /* the largest coordinate of the crowd's gravity, times dt^2 / 2 */
} Scales;

static inline Scales scales_of(float dt, Vec3 gravity)
{
    float fall = dt * dt / 2;
    /* velocity, a normal, carried_over, a normal, overhang, step_offset; rotation, displacement, up, gravity */
    return (Scales){.body = {dt, dt, dt, 0, 0, 0, dt, dt, dt, 0, 0, 0, 0, 1},
                    .move = {0, 0, 0, 0, 1, 1, 1, 0, 0, 0, fall, fall, fall},
                    .fall = (float)vec3_max_component(vec3_abs(gravity)) * fall};
}

/* The current tick. */
typedef struct Tick
{
    sidle_tick_desc desc;    /* strides filled in */
    double begin, time;      /* the part of the epoch's motion; agents move among instances at its end */
    uint32_t *order;         /* agents by id, and as much again to sort them */
    sidle_contact *contacts; /* SIDLE_MAX_AGENT_CONTACTS per agent; NULL without contacts */
    uint32_t written;        /* contacts */
    uint32_t worker_count;
    bool agents_collide;
    bool reports_touches; /* contacts between agents are asked for */
    struct Peers *peers;  /* of agents that collide, or that are steered */
    bool has_budget;      /* max_moves is less than the count */
    uint8_t *turns;       /* of each agent, an enum Turn; NULL: from its request */
    Scales scales;
    const struct Steering *steering; /* of sidle_steer, else NULL */
} Tick;

/* Of an agent across up: which cell it is in. */
typedef struct SleepPlace
{
    double a, b;
    double half; /* the wider one across up of its box, when it was last described */
} SleepPlace;

/* The state of crowd/sleep.h, from tick to tick. */
typedef struct Sleep
{
    double widest;   /* half, with a margin, of all agents of the last tick */
    double sleepers; /* the widest half of those that sleep in this tick; atomic */
    double cell;     /* edge of the cells; 0: no agent sleeps in this tick */
    bool is_looking;
    uint32_t count, before; /* agents of this tick, and of the last one; 0: unknown */
    uint32_t capacity;      /* agents that there is room for */
    uint32_t mark_count;    /* a power of two */
    bool is_full;           /* atomic: some marks found no room */
    /* In sleeps. */
    uint64_t *marks;    /* of cells: a hash table with linear probing, atomic */
    SleepPlace *places; /* by agent */
    uint8_t *states;    /* SleepState */
} Sleep;

/* At the end of each worker's scratch, whole cache lines. */
#define WORKER_STATS_BYTES MEMORY_LINES(sizeof(sidle_stats))

struct sidle_crowd
{
    sidle_allocator allocator;
    const Kernels *kernels;
    Profile *profiles;                /* in the memory of the crowd */
    uint32_t profile_count, capacity; /* of candidates */
    Vec3 up, gravity;
    sidle_vec3 given_up, given_gravity; /* for a capture */

    int8_t stretch[3]; /* of the shapes along the axes, as powers of two: the cells of the grid of agents */

    Scratch workers; /* candidates and statistics of each */
    size_t worker_bytes;
    Scratch contacts, order, caches, rests, peers, turns, rivals, sleeps;
    Sleep sleep;
    Tick tick;
    bool ticking;
};

/* checks.c: what a tick refuses. */
sidle_status sidle_tick_check(const sidle_tick_desc *desc, uint32_t worker_count);

/* Sets crowd->tick from a checked desc whose memory is reserved. */
void sidle_crowd_set_tick(sidle_crowd *crowd, const sidle_tick_desc *desc, uint32_t worker_count);

/* Runs a function with the scratch of worker 0, as a tick without agents. This checks the arguments, reserves the
 * memory and excludes other ticks. `desc` has its snapshot, dt and motion. */
sidle_status sidle_crowd_run_alone(sidle_crowd *crowd, const sidle_tick_desc *desc,
                                   sidle_status (*fn)(sidle_crowd *crowd, void *context), void *context);

/* The candidates of a worker, in the scratch memory that a tick has reserved. */
static inline void crowd_place_candidates(const sidle_crowd *crowd, uint32_t worker, Candidates *out)
{
    char *memory = (char *)crowd->workers.memory + worker * crowd->worker_bytes;
    sidle_candidates_place(out, crowd->kernels, crowd->capacity, memory);
}

#endif
