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

#endif
