/* Moving ground: what moving instances do to an agent before it moves itself. carry.inl moves an agent with the
 * instance that it stands on. push.inl moves an agent out of an instance that moves into it. */
#ifndef CROWD_CARRY_H
#define CROWD_CARRY_H

#include "crowd/mover.h"

#define NO_CARRIER UINT32_MAX

/* The rigid motion of an instance between two times of the epoch's motion. */
typedef struct Motion
{
    Vec3 from, to; /* of its origin */
    Mat3 turn;
} Motion;

static Motion motion_between(const Placed *placed, double begin, double end);

/* The position of a point of the instance after the motion. */
static inline Vec3 motion_takes(const Motion *motion, Vec3 point)
{
    return vec3_add(motion->to, mat3_mul(motion->turn, vec3_sub(point, motion->from)));
}

/* A part of the tick's motion. Each slice follows an arc by its chord. */
typedef struct Slice
{
    double begin, end;
    Vec3 start;       /* the agent's centre at the beginning */
    Vec3 target;      /* the centre as its carrier moves it */
    uint32_t carrier; /* slot; NO_CARRIER: none */
} Slice;

/* [Limit] moving instances near one agent. */
#define MAX_NEAR 64

typedef struct Near
{
    uint32_t slots[MAX_NEAR]; /* in the order of their keys */
    uint32_t count;
} Near;

/* Finds the moving instances that can touch an agent, which the slice has moved from `start` to its present position.
 * Returns false if there are more than MAX_NEAR, or if their search exceeds the limits of a tick. push.inl */
static bool find_near(Mover *mover, const Slice *slice, Near *near);

/* Pushes the mover out of every moving instance, as far as resting instances let it. `fastest`: the longest path of an
 * instance that pushed, without the carrier. Returns false if the candidates exceed the capacity. push.inl */
static bool push_aside(Mover *mover, const Slice *slice, double *fastest);

/* Moves the mover's centre to `from` and slides it along `displacement`, among some of the instances at filter.time. A
 * pinned mover stays at `from`. Returns false, with the mover unchanged, if the candidates exceed the capacity.
 * carry.inl */
static bool slide_among(Mover *mover, uint8_t motion, uint32_t slot, Vec3 from, Vec3 displacement,
                        SlideEnd *end);

/* Carries and pushes the mover before its own steps. */
static void carry(Mover *mover);

/* After the steps: sets the velocities that the next tick starts with. */
static void carry_over(Mover *mover);

/* An agent that ticks again in an epoch has been moved by a part of its motion before. */
static inline bool has_moved_along(const Tick *tick, const sidle_body *body)
{
    const sidle_snapshot *snapshot = tick->desc.snapshot;
    return snapshot->moving_count > 0 && body->motion_epoch == (uint32_t)snapshot->epoch;
}

/* The beginning of the part of the tick's motion that is new to the agent; then it may be at the end, or beyond. */
static inline double motion_begin_of(const Tick *tick, const sidle_body *body)
{
    bool again = has_moved_along(tick, body); /* mutant: carried_twice */
    return again ? larger(tick->begin, (double)body->motion_done) : tick->begin;
}

/* In a world at rest this is the only cost of moving instances. */
static inline bool anything_moves(const Mover *mover)
{
    return mover->snapshot->moving_count > 0;
}

/* The velocity that an agent keeps when it steps off moving ground. */
static Vec3 carry_leaves_with(const Mover *mover);

/* The velocity of mover->state.ground at the agent's place; zero if it rests. */
static Vec3 carry_ground_velocity(const Mover *mover);

#endif
