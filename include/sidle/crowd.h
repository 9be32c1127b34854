/* Moves agents: requests in, results out. The engine owns its agents; a crowd holds profiles and scratch memory. A tick
 * allocates nothing if an earlier one had as many agents and workers, and its options: contacts, collisions, max_moves.
 *
 * Source: K. Fauerby, "Improved Collision detection and Response", 2003, with the departures of docs/method.md.
 *
 * Threads: one tick at a time per crowd, any number of crowds on one snapshot. */
#ifndef SIDLE_CROWD_H
#define SIDLE_CROWD_H

#include "sidle/base.h"
#include "sidle/jobs.h"
#include "sidle/stats.h"
#include "sidle/world.h"

/* [Limit] agents of a tick, profiles of a crowd, contacts of an agent and tick. */
#define SIDLE_MAX_AGENTS         0x1000000u
#define SIDLE_MAX_PROFILES       0x10000u
#define SIDLE_MAX_AGENT_CONTACTS 8

#define SIDLE_TASK_STACK 0xC000u /* bytes of stack that a task of a tick or of steering takes at most */

/* [Limit] of shapes and requests. */
#define SIDLE_MIN_RADIUS 1e-3 /* units */
#define SIDLE_MAX_LENGTH 1e4  /* units: radii, half_height, step_up, step_down */
#define SIDLE_MAX_ASPECT 100  /* largest radius or half_height over smallest radius */
#define SIDLE_MAX_PATH   1e4  /* smallest radii a tick: see SIDLE_BODY_INVALID */
#define SIDLE_MAX_DT     1    /* seconds */

/* A ball or an ellipsoid. With a half_height a capsule: the ellipsoid swept along the shape's y, half_height down and up. */
typedef struct sidle_shape
{
    sidle_vec3 radii;  /* along the shape's axes */
    float half_height; /* along y; 0: no capsule */
} sidle_shape;

enum /* sidle_profile.mode */
{
    SIDLE_WALK = 0,  /* walks on ground up to the slope limit, follows it downhill, falls, lands */
    SIDLE_SLIDE = 1, /* the displacement, then the fall, as in the paper */
    SIDLE_FLY = 2    /* the displacement */
};

enum /* sidle_profile.flags */
{
    /* No falling: a zero vector means the default gravity. In walk mode an agent in the air keeps its velocity, steers and
     * lands as usual. */
    SIDLE_PROFILE_NO_GRAVITY = 1,
    /* Ignore a triangle if the tick starts behind its plane. A triangle lower than .014 radii has no back. */
    SIDLE_PROFILE_ONE_SIDED = 2,
    /* Slide mode adds the fall to the displacement: one pass. */
    SIDLE_PROFILE_ONE_PASS = 4,
    /* Walk mode keeps the horizontal speed on slopes up to 84 degrees. By default the displacement is measured along the
     * ground. */
    SIDLE_PROFILE_HORIZONTAL_SPEED = 8,
    /* Walk mode stands on agents below it (SIDLE_BODY_GROUNDED) in place of sliding off, where they are no steeper than max_slope. They do
     * not carry it along. */
    SIDLE_PROFILE_STANDS_ON_AGENTS = 16
};

typedef struct sidle_profile
{
    size_t size;
    sidle_shape shape;
    /* Cosine of the steepest walkable slope; 0: .70710678 (45 degrees); 1: level ground only. [Limit] 1e-6 to 1. The
     * tolerance is .1 degrees. */
    float max_slope_cos;
    /* Height up to which an agent steps onto walkable ground [units]. 0: half of what the unrotated shape reaches above its
     * centre (.45 for radii.y = .9). Negative: none. [Limit] 1e4 */
    float step_up;
    /* How far down a walking agent follows the ground [units], no steeper than the slope limit or as fast as it would
     * fall. Gaps narrower than the shape are crossed on the level. 0: as step_up. Negative: none. [Limit] 1e4 */
    float step_down;
    /* Gap that a move keeps to everything, a fraction of each radius; 0: .02. [Limit] .005 to .1 */
    float skin;
    uint32_t mode, flags;
    /* Speed of the push out of an overlap [smallest radii / s]; 0: 7.5. Below skin/16 per tick a flying agent can sink
     * into a nearly parallel wall (SIDLE_REASON_STUCK) and eventually pass through it. [Limit] 1e4 */
    float recovery_speed;
    /* Gap that an agent likes to keep to others [smallest radii]; 0: .15. Neighbours inside it move apart at up to
     * recovery_speed. Negative: none. [Limit] 1 */
    float comfort;
} sidle_profile;

typedef struct sidle_crowd sidle_crowd;

typedef struct sidle_crowd_desc
{
    size_t size;
    const sidle_profile *profiles; /* copied */
    size_t profile_stride;
    uint32_t profile_count; /* at least 1 */
    /* SIMD width: 1, 4, 8 (AVX2 or AVX-512) or 16 (AVX-512) triangles. 0: SIDLE_LANES of the environment, else 8 or 4 by
     * processor. SIDLE_AVX512=0 there disables AVX-512. Both are read once a process. */
    uint32_t lanes;
    /* Zero: y. It turns no shape: if it is z, give ellipsoids their height along z, and turn capsules by sidle_move.rotation. */
    sidle_vec3 up;
    sidle_vec3 gravity; /* zero: 9.81 against up */
    /* Triangles, and boxes of instances, tested near an agent; 0: 4096. [Limit] 65536. See SIDLE_REASON_CANDIDATES. */
    uint32_t max_candidates;
    sidle_error *error; /* index: profile */
} sidle_crowd_desc;

/* NOT_FINITE, LIMIT, MEMORY, UNSUPPORTED (lanes). */
SIDLE_API sidle_status sidle_crowd_create(const sidle_crowd_desc *desc, const sidle_allocator *allocator,
                                          sidle_crowd **out);
SIDLE_API void sidle_crowd_destroy(sidle_crowd *crowd);
SIDLE_API uint32_t sidle_crowd_lanes(const sidle_crowd *crowd); /* the width in use */

enum /* sidle_body.flags */
{
    SIDLE_BODY_GROUNDED = 1, /* stands on something walkable */
    /* Still overlaps something after the tick, or a moving instance passed through its centre. */
    SIDLE_BODY_STUCK = 2,
    /* The request is refused and the body returned as given. It holds a NaN, an infinity, an unknown profile or flag, or
     * leads beyond SIDLE_MAX_COORDINATE. Or a coordinate of displacement, step_offset, velocity * dt, carried_over * dt or
     * gravity * dt^2 / 2 exceeds SIDLE_MAX_PATH smallest radii. Here dt includes waited, and displacement postponed. */
    SIDLE_BODY_INVALID = 4,
    SIDLE_BODY_PACED = 8, /* has moved by its interval */
    SIDLE_BODY_HELD = 16  /* stands in a jam until two fifths of its displacement are free */
};

/* An agent's state, kept by the engine:
 *  - spawn: zero everything, set center;
 *  - each tick: pass it in sidle_move.body, keep sidle_result.body;
 *  - jump: clear SIDLE_BODY_GROUNDED, set the vertical velocity to carried_over's plus the jump's;
 *  - teleport: set center, clear SIDLE_BODY_GROUNDED, zero velocity, carried_over, step_offset and waited. */
typedef struct sidle_body
{
    sidle_position center;
    /* Of the last tick [units/s], with what carried and pushed the agent, without the height of steps. Falling uses it. */
    sidle_vec3 velocity;
    /* Unit normal of the contact that the agent stands on; zero: in the air. */
    sidle_vec3 ground_normal;
    /* Velocity of the ground, or of the last one [units/s]. The agent's own is velocity - carried_over. */
    sidle_vec3 carried_over;
    /* Unit normal of the flattest face at that contact; another than ground_normal on edges. Zero: ground_normal. */
    sidle_vec3 support_normal;
    /* Horizontal distance from the centre to that face [units]. Output only. */
    float overhang;
    /* Draw the agent at center - step_offset * up [units]. After a step the drawn height approaches the center's no steeper than
     * the slope limit, but by at least 3 step heights a second. */
    float step_offset;
    sidle_instance ground;
    uint32_t ground_triangle;
    uint16_t ground_surface, flags;
    /* Time [s] and displacement [units] of deferred ticks. The next move adds both. */
    float waited;
    sidle_vec3 postponed;
    uint64_t ground_key;   /* of `ground` */
    uint32_t motion_epoch; /* whose motion has moved the agent, up to motion_done; 32 bits */
    float motion_done;
} sidle_body;

enum /* sidle_move.flags */
{
    SIDLE_MOVE_NO_CONTACTS = 1, /* report none for this agent */
    SIDLE_MOVE_NO_AGENTS = 2    /* the agent does not collide with other agents */
};

typedef struct sidle_move
{
    uint64_t id; /* chosen by the caller, another for each agent; contacts are sorted by it */
    sidle_body body;
    sidle_quat rotation; /* of the shape */
    /* Of this tick [units]. Less than 1e-6 smallest radii is no motion. Walk mode ignores the part along up. [Limit]
     * SIDLE_MAX_PATH along each axis */
    sidle_vec3 displacement;
    sidle_vec3 up, gravity; /* zero: the crowd's */
    sidle_instance ignore;
    /* Mass for collisions between agents; 0: 1. The heavier agent of a pair yields less, one of infinite mass only to another.
     * A player may have INFINITY, giants 100. Negative: invalid. */
    float mass;
    uint32_t profile;       /* may change from tick to tick; to crouch see docs/integration.md */
    uint32_t collides_with; /* layers of instances; 0: all */
    /* Two agents collide if each is a member of a layer that the other collides with; 0: all layers. Agents of one group
     * do not collide; 0: no group. */
    uint32_t member_of, group;
    uint32_t flags;                /* SIDLE_MOVE_... */
    uint32_t collides_with_agents; /* layers of agents; 0: all */
    /* Time from move to move [s]; 0: each tick. The first is shorter, by id, so that agents take turns. Above SIDLE_MAX_DT it counts as
     * SIDLE_MAX_DT. Negative: invalid. */
    float interval;
    uint32_t ignored_surfaces; /* bit s: triangles of surface s are not there; 0 to 31 */
    uint32_t ignored_group;    /* instances of this group are not there; 0: none */
} sidle_move;

enum /* sidle_result.reasons: why an agent moved less than asked */
{
    SIDLE_REASON_WALL = 1,    /* an upright face; for flying agents any contact that is not above */
    SIDLE_REASON_SLOPE = 2,   /* ground steeper than max_slope_cos */
    SIDLE_REASON_CEILING = 4, /* a contact above */
    SIDLE_REASON_SWEEPS = 8,  /* 8 sweeps did not use up the displacement; the move ends early */
    /* The move ends early, or takes no step: beyond max_candidates, 512 instances, 512 triangles that need double precision (huge
     * ones, slivers), or .35 ms, counted in triangles and instances. Leaves of the trees are limited as well: half of max_candidates
     * in one search, at least 512, and 2,048 in a tick. Of moving instances 64 in the path count, those with the lowest keys, and 130
     * whose boxes overlap the agent's, or 37 while these turn fast. */
    SIDLE_REASON_CANDIDATES = 16,
    /* The tick began inside the level, or nearer to it than 3/8 of the skin; the agent was pushed out first. */
    SIDLE_REASON_OVERLAP = 32,
    SIDLE_REASON_STUCK = 64,    /* SIDLE_BODY_STUCK */
    SIDLE_REASON_INVALID = 128, /* SIDLE_BODY_INVALID */
    /* Contacts beyond SIDLE_MAX_AGENT_CONTACTS or contact_capacity were dropped. */
    SIDLE_REASON_CONTACTS = 256,
    SIDLE_REASON_STEP = 512, /* walkable ground higher than step_up */
    /* Another agent, or an instance with SIDLE_INSTANCE_AGENT. Reported instead of WALL, SLOPE, STEP and CEILING. */
    SIDLE_REASON_AGENT = 1024,
    SIDLE_REASON_EDGE = 2048, /* the agent climbed an edge, which shortened its horizontal path */
    /* Did not move, by interval or max_moves: only waited and postponed change; no contacts. Agents beside
     * moving instances always move, as do those whose next move would exceed SIDLE_MAX_DT or SIDLE_MAX_PATH. */
    SIDLE_REASON_DEFERRED = 4096,
    SIDLE_REASON_TRUNCATED = SIDLE_REASON_SWEEPS | SIDLE_REASON_CANDIDATES,
    /* The level or an agent stopped it. */
    SIDLE_REASON_BLOCKED =
        SIDLE_REASON_WALL | SIDLE_REASON_SLOPE | SIDLE_REASON_CEILING | SIDLE_REASON_STEP | SIDLE_REASON_AGENT
};

/* One reason bit in words, and what can be changed about it. Never NULL. */
SIDLE_API const char *sidle_reason_text(uint32_t reason);
SIDLE_API const char *sidle_reason_advice(uint32_t reason);

typedef struct sidle_result
{
    sidle_body body;
    uint32_t contact_first, contact_count; /* into sidle_tick_desc.contacts */
    uint32_t reasons;
    /* Speed of a landing along the normal of the ground, relative to it [units/s]. 0 without a landing, and in fly mode. */
    float impact_speed;
} sidle_result;

typedef struct sidle_contact
{
    uint64_t agent; /* sidle_move.id */
    uint64_t instance_key;
    sidle_position point; /* on the triangle */
    sidle_vec3 normal;    /* unit, towards the agent */
    sidle_instance instance;
    uint32_t triangle;         /* index in the mesh's desc */
    uint16_t surface, feature; /* SIDLE_FEATURE_... */
} sidle_contact;

enum /* sidle_tick_desc.flags */
{
    /* The agents of this tick collide with one another. Agents that do not overlap at the beginning do not overlap at the
     * end. Exceptions: moving instances carry or push them faster than they can yield (recovery_speed, less at low tick rates), or
     * against a deferred agent. One leaves an overlap with the level. One steps down beside another.
     * [Limit] 24 neighbours of lower ids and 24 of higher, whose paths come nearest; more may overlap. */
    SIDLE_TICK_AGENTS_COLLIDE = 1
};

typedef struct sidle_tick_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    const sidle_jobs *jobs; /* ignored by _begin */
    float dt;               /* [s] more than 0; [Limit] SIDLE_MAX_DT */
    /* Part of the snapshot's motion, 0 <= begin <= end <= 1; both 0: all. Each part moves an agent once, in any
     * number of ticks. */
    float motion_begin, motion_end;
    const sidle_move *moves;
    size_t move_stride;
    uint32_t count;
    sidle_result *results; /* must not overlap moves */
    size_t result_stride;
    sidle_contact *contacts; /* or NULL; sorted by agent id, then in the order of the hits */
    uint32_t contact_capacity;
    uint32_t *contact_count; /* written; or NULL */
    sidle_stats *stats;      /* or NULL; added to */
    uint32_t flags;          /* SIDLE_TICK_... */
    /* The most agents to move, unless more cannot be deferred; 0: all. Those late by most intervals (0: dt) come first,
     * equal ones by a hash of the id. */
    uint32_t max_moves;
    sidle_error *error; /* or NULL: why the call is refused */
} sidle_tick_desc;

/* Moves every agent by one tick. A result depends on its move, the snapshot and dt, with max_moves or colliding agents on
 * all moves, but not on order, threads or lanes. Contacts of lower ids fill contact_capacity first. LIMIT, MEMORY, BUSY, INCOMPLETE. */
SIDLE_API sidle_status sidle_crowd_tick(sidle_crowd *crowd, const sidle_tick_desc *tick);

/* The same at level L2 (sidle/jobs.h). */
SIDLE_API sidle_status sidle_crowd_tick_begin(sidle_crowd *crowd, const sidle_tick_desc *tick,
                                              uint32_t worker_count, sidle_work *work);
SIDLE_API sidle_status sidle_crowd_tick_end(sidle_crowd *crowd, sidle_work *work);

#endif
