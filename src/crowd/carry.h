/* Moving ground: what moving instances do to an agent before it moves itself. carry.inl moves an agent with the
 * instance that it stands on. push.inl moves an agent out of an instance that moves into it. */
#ifndef CROWD_CARRY_H
#define CROWD_CARRY_H

#include "crowd/mover.h"

#define NO_CARRIER UINT32_MAX

typedef struct Motion /* of an instance from one time of the epoch's motion to another; rigid */
{
    Vec3 from, to; /* of its origin */
    Mat3 turn;
} Motion;

static Motion motion_between(const Placed *placed, double begin, double end);

/* Where a point of the instance is taken. */
static inline Vec3 motion_takes(const Motion *motion, Vec3 point)
{
    return vec3_add(motion->to, mat3_mul(motion->turn, vec3_sub(point, motion->from)));
}

typedef struct Slice /* a part of the tick's motion: arcs are followed in chords */
{
    double begin, end;
    Vec3 start;       /* the agent's centre at its beginning, */
    Vec3 target;      /* and where its carrier takes it */
    uint32_t carrier; /* slot; NO_CARRIER: none */
} Slice;

/* [Limit] moving instances near one agent. */
#define MAX_NEAR 64

typedef struct Near
{
    uint32_t slots[MAX_NEAR]; /* in the order of their keys */
    uint32_t count;
} Near;

/* The moving instances that may meet an agent that the slice has moved from `start` to where it is. Returns
 * false if there are more than MAX_NEAR. push.inl */
static bool find_near(Mover *mover, const Slice *slice, Near *near);

/* Pushes the mover out of every moving instance, as far as resting instances let it. `fastest`: the longest path of an
 * instance that pushed, without the carrier. Returns false if the candidates exceed the capacity. push.inl */
static bool push_aside(Mover *mover, const Slice *slice, double *fastest);

/* Moves the mover's centre to `from` and slides it along `displacement`, among some of the instances at filter.time. A pinned
 * mover stays at `from`. Returns false, with the mover where it was, if the candidates exceed the capacity. carry.inl */
static bool slide_among(Mover *mover, uint8_t motion, uint32_t slot, Vec3 from, Vec3 displacement,
                        SlideEnd *end);

/* Carries and pushes the mover before its own steps. */
static void carry(Mover *mover);

/* After the steps: sets the velocities that the next tick starts with. */
static void carry_over(Mover *mover);

/* Worlds at rest pay for this test only. */
static inline bool anything_moves(const Mover *mover)
{
    return mover->snapshot->moving_count > 0;
}

/* The velocity that an agent keeps when it steps off moving ground. */
static Vec3 carry_leaves_with(const Mover *mover);

/* The velocity of mover->ground at the agent's place; zero if it rests. */
static Vec3 carry_ground_velocity(const Mover *mover);

#endif
