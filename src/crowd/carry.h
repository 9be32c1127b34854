/* Moving ground: what moving instances do to an agent before it moves itself. carry.inl moves an agent with the
 * instance that it stands on. push.inl moves an agent out of the way of an instance. */
#ifndef CROWD_CARRY_H
#define CROWD_CARRY_H

#include "crowd/mover.h"

#define NO_CARRIER UINT32_MAX

typedef struct Motion /* of an instance from one time of the epoch's motion to another; rigid */
{
    Vec3 from, to; /* of its origin */
    Mat3 turn;
} Motion;

static Motion motion_of(const Placed *placed, double begin, double end);

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

/* Pushes the mover out of the way of every moving instance, as far as the resting ones let it. `fastest`: how
 * far the fastest of those that pushed went, without the carrier. Returns false if
 * the candidates exceed the capacity. push.inl */
static bool push_aside(Mover *mover, const Slice *slice, double *fastest);

/* Moves the mover's centre to `from`, and from there along `way`, among some of the instances, where they are
 * at filter.time. Who is pinned among them stays at `from`. False if the candidates do not fit; then it stands
 * where it was. carry.inl */
static bool slide_among(Mover *mover, uint8_t motion, uint32_t slot, Vec3 from, Vec3 way, SlideEnd *end);

/* The tick's carrying and pushing, before the mover's own steps. */
static void carry(Mover *mover);

/* After them: what the next tick needs to know of this one's. */
static void carry_over(Mover *mover);

/* Most worlds are at rest, and pay for no more than this question. */
static inline bool anything_moves(const Mover *mover)
{
    return mover->snapshot->moving_count > 0;
}

/* The velocity that moving ground gives to who steps off it. */
static Vec3 carry_leaves_with(const Mover *mover);

/* The velocity of what mover->ground names, at the agent's place; zero if it rests. */
static Vec3 carry_ground_velocity(const Mover *mover);

#endif
