/* Steering: preferred velocities become velocities that avoid predicted collisions. The phases of a call:
 *
 *     describe ─► scan ─► fill ─► steer
 *     steer.c     └ peer_grid.c ┘ avoid.inl
 *
 * Steering is two-dimensional: an agent is a disc in the plane across its up vector, at a height. The grid is that of
 * agents that collide. */
#ifndef CROWD_STEER_H
#define CROWD_STEER_H

#include "sidle/steer.h"

#include "crowd/peers.h"

/* checks.c: what a call refuses. */
sidle_status sidle_steer_check(const sidle_steer_desc *desc, uint32_t worker_count);

/* Rows of floats by place in the grid. A coordinate is a multiple of SQUARE, which floats hold exactly up to 1e9, and a rest of up to
 * 32, which they round by at most 2^-20. So agents avoid one another far from the origin as they do near it. */
#define SQUARE 64.0
/* Of the rests of two agents, twice. */
#define REST_ERROR 0x1p-18

enum WalkerPlace
{
    PLACE_SQUARE = 0,
    PLACE_REST = 3,
    PLACE_VELOCITY = 6,
    PLACE_FORWARD = 9,
    PLACE_RADIUS = 12, /* with the personal space */
    PLACE_HEIGHT = 13,
    PLACE_ROWS = 14
};

/* By place: the row of cells, as in PeerEntry, and the layers. */
typedef struct WalkerLayers
{
    uint32_t row;
    PeerLayers layers;
} WalkerLayers;

/* What steering reads of an agent beside its Peer. */
typedef struct Preference
{
    Vec3 velocity;  /* expected, world */
    Vec3 forward;   /* unit, across up: of the preferred velocity; zero: the agent keeps its displacement */
    Vec3 right;     /* unit, across up */
    Vec3 ground;    /* its velocity, world */
    double speed;   /* of the preferred velocity across up */
    double along;   /* up: the displacement's part, world */
    uint32_t place; /* in the grid */
} Preference;

#define STEER_REACH 40 /* radii: the default */

/* Discs are larger by this factor, so that agents pass with a gap. */
#define PERSONAL_SPACE 1.06

/* A call. */
typedef struct Steering
{
    Peers *peers;
    Preference *preferences; /* by agent */
    float *places;           /* PLACE_ROWS rows */
    size_t place_stride;
    WalkerLayers *layers; /* by place */
    double reach;         /* world; 0: the default */
    double max_speed;     /* a multiple of the preferred speed */
    uint32_t period, turn;
    void *out; /* of the caller: displacements */
    size_t out_stride;
} Steering;

/* Distance within which an agent notices others in front of it. */
static inline double steering_reach(const Steering *steering, const Peer *peer)
{
    return steering->reach > 0 ? steering->reach : STEER_REACH * peer->shape->disc;
}

/* Distance from an agent, in its smallest radii, within which walls limit its sidestep. */
#define STEER_WALL_REACH 1

/* The multiple of SQUARE nearest to a coordinate. */
static inline double square_at(double coordinate)
{
    double scaled = coordinate / SQUARE + .5, square = (double)(int64_t)scaled;
    return SQUARE * (square - (square > scaled));
}

static inline Vec3 square_of(Vec3 v)
{
    return vec3(square_at(v.x), square_at(v.y), square_at(v.z));
}

/* A velocity across up, in multiples of the preferred speed. */
typedef struct Course
{
    double ahead; /* 0 to 1 */
    double aside; /* to the right; not negative; 0: ahead is 1 */
    double lean;  /* part of `aside` that leads into walls, too */
} Course;

#endif
