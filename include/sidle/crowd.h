/* Moving agents: requests in, results out. The engine owns its agents; a crowd holds profiles and scratch
 * memory.
 *
 * The response is the collide-and-slide of K. Fauerby, "Improved Collision detection and Response", 2003,
 * made robust; docs/method.md says how and where it departs.
 *
 * Threads: one tick at a time per crowd; any number of crowds may tick on one snapshot at once. A tick that
 * is no larger than an earlier one, with no more workers, allocates nothing. */
#ifndef SIDLE_CROWD_H
#define SIDLE_CROWD_H

#include "sidle/base.h"
#include "sidle/jobs.h"
#include "sidle/stats.h"
#include "sidle/world.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] agents of one tick, profiles of one crowd, contacts kept of one agent and tick. */
#define SIDLE_MAX_AGENTS         0x1000000u
#define SIDLE_MAX_PROFILES       0x10000u
#define SIDLE_MAX_AGENT_CONTACTS 8

/* [Limit] of shapes and requests. */
#define SIDLE_MIN_RADIUS 1e-3 /* units */
#define SIDLE_MAX_LENGTH 1e4  /* units: radii, half_height, step_up, step_down */
#define SIDLE_MAX_ASPECT 100  /* largest radius, or half_height, over the smallest radius */
#define SIDLE_MAX_PATH   1e4  /* smallest radii in a tick along an axis: see SIDLE_BODY_INVALID */
#define SIDLE_MAX_DT     1    /* seconds */

/* A ball or an ellipsoid; with half_height > 0 a capsule: all that the ellipsoid covers on its way from
 * half_height below the centre to half_height above it, along the shape's y. */
typedef struct sidle_shape
{
    sidle_vec3 radii;  /* [Limit] each from 1e-3 to 1e4, the largest at most 100 times the smallest */
    float half_height; /* of the core segment along the shape's y; [Limit] at most 1e4, and 100 times the
                          smallest radius */
} sidle_shape;

enum /* sidle_profile.mode */
{
    SIDLE_WALK = 0,  /* stands and walks on ground up to the slope limit, follows it downhill, falls, lands */
    SIDLE_SLIDE = 1, /* moves along the wish, then falls: the two passes of the paper */
    SIDLE_FLY = 2    /* moves along the wish */
};

enum /* sidle_profile.flags */
{
    /* The agent does not fall. This is how to ask for zero gravity: a zero vector in a desc or a move asks for the
     * default. Slide mode leaves out its second pass. In walk mode an agent in the air floats on with its velocity,
     * steers and lands as usual; on the ground it walks and follows the ground as usual. */
    SIDLE_PROFILE_NO_GRAVITY = 1,
    SIDLE_PROFILE_ONE_SIDED = 2, /* a triangle is ignored in a tick whose start lies behind its plane; one
                                     lower than .014 radii has no back */
    SIDLE_PROFILE_ONE_PASS = 4,  /* slide mode adds the fall to the wish instead of a second pass: cheaper */
    /* Walk mode keeps the horizontal part of the displacement on slopes. Without this flag, the displacement's length
     * is measured along the ground: a slope of 40 degrees is walked at cos 40 = .77 of the horizontal speed, up and
     * down. On ground steeper than 84 degrees the flag does nothing. */
    SIDLE_PROFILE_HORIZONTAL_SPEED = 8
};

typedef struct sidle_profile
{
    size_t size;
    sidle_shape shape;
    /* Cosine of the steepest walkable slope; 0: .70710678 (45 degrees); 1: level ground only. [Limit] 1e-6 to 1.
     * The limit has a tolerance of .1 degrees: a slope of exactly the limit is walkable however it is turned. */
    float max_slope_cos;
    /* An agent walks over contacts up to this height above the ground if they lead onto walkable ground [units]. 0:
     * half of what the shape reaches above its centre, a quarter of a person's height (.45 for radii.y = .9). Negative:
     * none. [Limit] 1e4 */
    float step_up;
    /* How far below itself a walking agent follows the ground [units]. It sinks no steeper than the slope limit, or as
     * fast as it would fall. Ground that falls away farther is a ledge: the agent falls. A gap between level edges that
     * is narrower than the shape is crossed on the level. 0: as step_up. Negative: none. [Limit] 1e4 */
    float step_down;
    /* Gap that a move keeps to everything, a fraction of the radius; 0: .02. [Limit] .005 to .1. An ellipsoid's gap differs
     * by axis: with radii .4 .9 .4 m and .02 it is 18 mm below the foot and 8 mm at the side. A capsule of a ball of .4 m
     * keeps 8 mm all around. */
    float skin;
    uint32_t mode, flags;
    /* How fast an agent is pushed out of what it overlaps, in smallest radii a second; 0: 7.5, 3 m/s for a
     * person of .4 m; [Limit] 1e4. Below skin/16 per tick, a flying agent can sink into a nearly parallel wall
     * (SIDLE_REASON_STUCK) and at last pass through it. */
    float recovery_speed;
} sidle_profile;

typedef struct sidle_crowd sidle_crowd;

typedef struct sidle_crowd_desc
{
    size_t size;
    const sidle_profile *profiles; /* copied */
    size_t profile_stride;         /* bytes; 0: tightly packed */
    uint32_t profile_count;        /* >= 1 */
    uint32_t
        lanes; /* triangles at a time: 1, 4, 8 (AVX2, or AVX-512 where there is) or 16 (AVX-512); 0: what the
                environment's SIDLE_LANES says, else 8 where it runs, else 4. SIDLE_AVX512=0 does without AVX-512.
                (Both are read once a process.) Never changes a result. UNSUPPORTED where it cannot run. */
    sidle_vec3 up;           /* zero: (0, 1, 0) */
    sidle_vec3 gravity;      /* zero: 9.81 against up; none at all: SIDLE_PROFILE_NO_GRAVITY */
    uint32_t max_candidates; /* triangles, and boxes of instances, near one agent that a tick looks at; 0:
                                4096; [Limit] 65536. An agent with more near it is stopped short of what was
                                not looked at: SIDLE_REASON_CANDIDATES. So is, whatever this says, one with more
                                than 512 boxes of instances or 512 triangles that float does not serve (huge,
                                or needles) near it, and one whose tick has taken .35 ms of work, as counted: by
                                the triangles that it has looked at, never by a clock */
    sidle_error *error;      /* NULL or where a failure is told; index: the profile */
} sidle_crowd_desc;

SIDLE_API sidle_status sidle_crowd_create(const sidle_crowd_desc *desc, const sidle_allocator *allocator,
                                          sidle_crowd **out);
SIDLE_API void sidle_crowd_destroy(sidle_crowd *crowd);         /* NULL is allowed */
SIDLE_API uint32_t sidle_crowd_lanes(const sidle_crowd *crowd); /* the width in use */

enum /* sidle_body.flags */
{
    SIDLE_BODY_GROUNDED = 1, /* stands on something that it can walk on */
    SIDLE_BODY_STUCK = 2,    /* ended closer than its radius to something and could not be freed this tick, or
                                something that moves went through its centre */
    /* The request is refused and the body returned as given: it held a NaN, an infinity, an unknown profile or
     * flag, or led out of the world (SIDLE_MAX_COORDINATE), or a coordinate of displacement, velocity * dt,
     * carried_over * dt or gravity * dt^2 / 2 is beyond SIDLE_MAX_PATH smallest radii. */
    SIDLE_BODY_INVALID = 4
};

/* The state of an agent: the engine keeps it; it goes in and comes out. */
typedef struct sidle_body
{
    sidle_position center;
    /* Of the last tick, with what carried and pushed it; falling needs it. A step up is not part of it, only the slope of
     * the ground; on the way down a step it points down. To jump, clear SIDLE_BODY_GROUNDED and set the vertical part to
     * that of carried_over plus the speed of the jump. */
    sidle_vec3 velocity;
    sidle_vec3 ground_normal;
    /* The velocity of its ground where it stands; in the air, that of the last ground it left, from which the
     * wish then counts. velocity less this is its own. */
    sidle_vec3 carried_over;
    sidle_vec3
        support_normal; /* unit, of the flattest face where it stands: ground_normal, unless that is an edge's or
                                  a corner's. Zero goes for ground_normal */
    float overhang;     /* how far the centre stands beside that face; comes out, is not read */
    /* For drawing and cameras [units]: draw a walking agent at center - step_offset * up. Steps and edges lift or
     * lower the centre in one tick; the drawn height follows no steeper than the slope limit, and at 3 steps a
     * second at least. Set it to 0 after a teleport. [Limit] as of a displacement. */
    float step_offset;
    sidle_instance ground;
    uint32_t ground_triangle;
    uint16_t ground_surface, flags;
} sidle_body;

enum /* sidle_move.flags */
{
    SIDLE_MOVE_NO_CONTACTS = 1 /* report none for this agent */
};

typedef struct sidle_move
{
    uint64_t id; /* the caller's; decides the order of contacts; only among equal ids their places do */
    sidle_body body;
    sidle_quat rotation; /* of the shape; zero: identity */
    /* The wish of this tick. Less than 1e-6 of the smallest radius is no motion; [Limit] 1e4 smallest radii
     * along each axis. Walk mode ignores its part along `up`: an agent jumps by its velocity, and leaves the ground by
     * another mode. */
    sidle_vec3 displacement;
    sidle_vec3 up, gravity; /* zero: the crowd's */
    sidle_instance ignore;  /* none: collides with all */
    float mass;             /* not read yet; 0 */
    /* May differ from the last tick's. To crouch, use a profile with a lower shape and lower body.center by the difference
     * of the shapes' heights below the centre, so that the foot stays. Before the agent stands up again, ask with a cast
     * whether there is room (docs/integration.md). */
    uint32_t profile;
    uint32_t collides_with;    /* instance layers it meets; 0: all */
    uint32_t member_of, group; /* not read yet; 0 */
    uint32_t flags;            /* SIDLE_MOVE_... */
} sidle_move;

enum /* sidle_result.reasons: why an agent moved less than asked */
{
    SIDLE_REASON_WALL = 1,        /* something upright; to who flies, all that is not above */
    SIDLE_REASON_SLOPE = 2,       /* ground steeper than max_slope_cos */
    SIDLE_REASON_CEILING = 4,     /* something above */
    SIDLE_REASON_SWEEPS = 8,      /* 8 sweeps did not use up the way; it ends early (TRUNCATED) */
    SIDLE_REASON_CANDIDATES = 16, /* more near than max_candidates, or than 64 instances that move, of which
                                     those with the lowest keys are met, or more work than a tick may take:
                                     the way ends early (TRUNCATED) */
    SIDLE_REASON_OVERLAP = 32,    /* the tick began closer than any move ends: it was pushed out first */
    SIDLE_REASON_STUCK = 64,      /* see SIDLE_BODY_STUCK */
    SIDLE_REASON_INVALID = 128,   /* see SIDLE_BODY_INVALID */
    SIDLE_REASON_CONTACTS =
        256,                   /* contacts beyond SIDLE_MAX_AGENT_CONTACTS or contact_capacity were dropped */
    SIDLE_REASON_STEP = 512,   /* who walks met the rim of what could be stood on, but higher than step_up */
    SIDLE_REASON_AGENT = 1024, /* what stands for an agent, which says no WALL, SLOPE, STEP or CEILING */
    SIDLE_REASON_EDGE = 2048,  /* walking climbed an edge that it can step on, and had less of its way left */
    SIDLE_REASON_TRUNCATED = SIDLE_REASON_SWEEPS | SIDLE_REASON_CANDIDATES
};

/* A reason in words, and what would change it: sentences without a full stop, for logs and tools. One bit at
 * a time; never NULL, also for a value that is no single reason. */
SIDLE_API const char *sidle_reason_text(uint32_t reason);
SIDLE_API const char *sidle_reason_advice(uint32_t reason);

typedef struct sidle_result
{
    sidle_body body;
    uint32_t contact_first, contact_count; /* into sidle_tick_desc.contacts */
    uint32_t reasons;
    /* Speed into the ground at the moment of landing [units/s], for damage and sounds: against the normal of the ground
     * that the agent hits first, relative to that ground if it moves. It does not depend on the tick rate: a fall by h
     * lands with sqrt(2 g h). 0 in a tick in which a walking or sliding agent does not land, and in fly mode. */
    float impact_speed;
} sidle_result;

typedef struct sidle_contact
{
    uint64_t agent;        /* sidle_move.id */
    uint64_t instance_key; /* sidle_instance_desc.key */
    sidle_position point;  /* on the triangle */
    sidle_vec3 normal;     /* unit, against the agent: the way it may not go is -normal */
    sidle_instance instance;
    uint32_t triangle;         /* index in the mesh's desc */
    uint16_t surface, feature; /* SIDLE_FEATURE_... */
} sidle_contact;

typedef struct sidle_tick_desc
{
    size_t size;
    sidle_snapshot *snapshot;
    const sidle_jobs *jobs;         /* NULL: on this thread; ignored by _begin */
    float dt;                       /* seconds, > 0; [Limit] 1 */
    float motion_begin, motion_end; /* part of the epoch's motion that this tick covers, 0 <= begin <= end
                                       <= 1; both 0: all of it */
    const sidle_move *moves;
    size_t move_stride; /* bytes; 0: tightly packed */
    uint32_t count;
    sidle_result *results; /* count; may not overlap moves */
    size_t result_stride;
    sidle_contact *contacts; /* NULL: none wanted; else sorted by (agent id, order of meeting) */
    uint32_t contact_capacity;
    uint32_t *contact_count; /* NULL or how many were written */
    sidle_stats
        *stats; /* NULL, or what the tick's counts are added to; counting costs about a tenth of a tick */
} sidle_tick_desc;

/* Moves every agent by one tick. ARGUMENT, LIMIT, MEMORY, BUSY (between _begin and _end, or jobs that have not run
 * each task once: the results are then incomplete); an agent with bad
 * numbers gets SIDLE_BODY_INVALID and keeps its state while the others move. A result depends on its move,
 * the snapshot and dt alone: not on the order or number of the other agents, on threads or on lanes. (Only of
 * contacts, an agent has as many as contact_capacity leaves room for behind those of lower ids.) */
SIDLE_API sidle_status sidle_crowd_tick(sidle_crowd *crowd, const sidle_tick_desc *tick);

/* The same as an L2 work; every array of the desc and the snapshot stay valid until _end, which says BUSY if
 * not each task has run once (the results are then incomplete). */
SIDLE_API sidle_status sidle_crowd_tick_begin(sidle_crowd *crowd, const sidle_tick_desc *tick,
                                              uint32_t worker_count, sidle_work *work);
SIDLE_API sidle_status sidle_crowd_tick_end(sidle_crowd *crowd, sidle_work *work);

#ifdef __cplusplus
}
#endif

#endif
