/* One agent during its tick. Positions are double in ellipsoid space, relative to the agent's centre at the beginning.
 * Displacements and normals are in the world.
 *
 * The files of the response, of which none calls a later one:
 *   contact.inl              the contacts that are reported
 *   recover.inl, cover.inl   recovery from overlaps; the gather of a step
 *   ground.inl               which contacts carry an agent
 *   moving_ground.inl        the ground's velocity
 *   planes.inl, limits.inl   what limits a slide: contacts, and neighbours
 *   impact.inl               the speed of a landing
 *   slide.inl                collide and slide along one displacement
 *   push.inl, carry.inl      moving obstacles and moving ground
 *   modes.inl                fly and slide
 *   gaps.inl, follow.inl     gaps in the ground, and ground that falls away
 *   step.inl, walk.inl       steps up; walk on the ground and in the air
 *   request.inl, agent.inl   request to mover; mover to result
 *   rim.inl, answer.inl      a move among neighbours; the answer to a request
 * width.inl compiles all of them once per width. */
#ifndef CROWD_MOVER_H
#define CROWD_MOVER_H

#include "crowd/agent.h"
#include "crowd/work.h"
#include "narrow/questions.h"

#define MAX_SWEEPS           8                /* of one slide */
#define MAX_PLANES           (2 * MAX_SWEEPS) /* a contact adds its plane and at most an upright one */
#define MAX_RECOVER_CONTACTS 32

/* Radii: the longest round of recovery. Every triangle nearer than 1 is a contact of the round (up to
 * MAX_RECOVER_CONTACTS), so a round below 1 crosses nothing that does not push it away. */
#define RECOVERY_STEP .5

/* A move that changes the distance to the surface by less than this is rounding: 6 u S with S about 10. Agents at rest
 * do not tremble by it. */
#define SETTLED 4e-6

/* Three rounds lead from a face to the rest shell, at most 1.1 radii away. The fourth is for contacts on the path.
 * Deeper overlaps continue in the next tick. */
#define RECOVERY_ROUNDS 4

/* Radii that a gather covers beyond the tick's own path, so that slides after recovery find all candidates. */
#define RECOVERY_REACH (RECOVERY_ROUNDS * RECOVERY_STEP)

/* A contact that limits the slide. */
typedef struct Plane
{
    Vec3 m;               /* world normal, unit */
    Vec3 at;              /* the mover's position at the hit */
    bool holds;           /* to the end of the tick: another agent */
    const Placed *moving; /* the instance if it moves; else NULL */
} Plane;

/* The ground of the agent, or the last contact that could be its ground. */
typedef struct Ground
{
    Vec3 normal; /* world; of the contact */
    /* World: normal of the flattest face at the contact. The contact's own normal if it is on a face. */
    Vec3 support;
    double overhang; /* how far the centre is beside that face, world */
    sidle_instance instance;
    uint64_t key; /* of the instance */
    uint32_t triangle;
    uint16_t surface;
} Ground;

/* The inputs of the impact speed, of an agent that begins a step in the air. */
typedef struct FreeFlight
{
    Vec3 start;    /* world: the agent's centre at the beginning */
    double motion; /* seconds of the instances' motion since then */
    Vec3 velocity; /* world, at the beginning */
    double impact; /* speed into that contact; negative: none yet */
} FreeFlight;

/* The last result of flattest_normal. */
typedef struct Flattest
{
    uint32_t candidate; /* NO_HIT: none */
    Vec3 point, normal; /* ellipsoid space; world */
} Flattest;

/* What a move changes. The fields up to `velocity` begin as zero. */
typedef struct MoverState
{
    Vec3 position; /* ellipsoid space */
    Vec3 carried;  /* world velocity by moving instances in this tick, of an agent that stands or flies */
    Vec3 pushed;   /* world velocity by moving instances in this tick, of an agent in the air */
    bool stuck;
    bool crushed;   /* a moving instance passed through the centre, or crossed the core */
    bool pinned;    /* by set_pinned: the slide does not move */
    bool rides;     /* carried by its ground in this tick */
    bool is_free;   /* nothing is on the first path of the last gather, which the next slide takes */
    bool in_flight; /* a step from the air: its first contact with ground sets flight.impact */
    /* Height of the carrying contact along up, relative to the frame's centre; -INFINITY: none; NaN: that of the
     * footing. */
    double ground_height;
    /* Share of the step's first slide before its first contact; negative: no slide yet. */
    double step_clear;
    Vec3 velocity;      /* world */
    double step_offset; /* see sidle_body */
    bool grounded, held;
    Vec3 footing,
        footing_normal; /* position, and normal of the ground, at the beginning of a step on the ground */
    Ground ground;      /* found in this tick */
    Vec3 carried_over;  /* see sidle_body */
    FreeFlight flight;
} MoverState;

/* What the result says of a move, beside the body. Begins as zero. */
typedef struct MoverReport
{
    double impact_speed; /* see sidle_result */
    double clear;        /* share of the whole displacement before its first contact */
    uint32_t reasons;
    uint32_t contact_count;
} MoverReport;

typedef struct Mover
{
    /* What is asked, and what serves to answer. agent.inl cuts dt into parts, carry.inl moves filter.time. */
    const Profile *profile;
    const sidle_snapshot *snapshot;
    Candidates *candidates;
    TriangleCache *cache;
    Observer *observer;        /* NULL: none */
    sidle_contact *contacts;   /* memory for contacts; NULL: none are reported */
    Frame *frame;              /* in the worker's memory; its centre moves with the agent */
    const AgentLimits *limits; /* NULL: none */
    Vec3 limits_from;          /* world: the centre from which they count */
    Filter filter;
    Vec3 up, gravity;
    double dt;                       /* of the current part of the move */
    double whole_dt;                 /* of the whole move, with the time that the agent was deferred */
    double tick_dt;                  /* of the tick, and so of the motion of instances */
    double motion_begin, motion_end; /* of the epoch's motion: the part that this tick adds */
    Flattest flattest;               /* of the last gather */
    bool is_calm;                    /* no moving instance matters */

    MoverReport report;
    MoverState state;
} Mover;

/* A mover before an attempt that may fail. */
typedef struct MoverBefore
{
    MoverState state;
    MoverReport report;
    Vec3 center;
} MoverBefore;

static inline void mover_save(const Mover *mover, MoverBefore *before)
{
    before->state = mover->state;
    before->report = mover->report;
    before->center = mover->frame->center;
}

/* The candidates of the last gather, and the work so far, stay. */
static inline void mover_restore(Mover *mover, const MoverBefore *before)
{
    mover->state = before->state;
    mover->report = before->report;
    mover->frame->center = before->center; /* mutant: carried_by_a_failed_slice */
}

enum SlideFlags
{
    /* Contacts that cannot be stood on act as upright walls, so that the agent does not climb them. */
    SLIDE_ONLY_WALKABLE = 1,
    /* Ends on the first contact that can be stood on. */
    SLIDE_LANDS = 2,
    /* Also moves along a displacement below profile->shortest. */
    SLIDE_HOWEVER_SHORT = 4
};

typedef struct SlideEnd
{
    double left; /* share of the displacement that was not used */
    bool blocked, landed;
    bool carried;             /* hit a contact that can be stood on */
    bool stepped_at;          /* hit a contact too steep for ground, no higher than a step */
    Plane planes[MAX_PLANES]; /* contacts at the end */
    uint32_t plane_count;
} SlideEnd;

/* The region around an agent in which a step moves. Its paths follow one another. */
typedef struct MoveExtents
{
    Vec3 lift;           /* a straight path first; the others begin at its end */
    Vec3 ball;           /* the displacement of a slide */
    double extra_radius; /* of a slide after that, in any direction */
    Vec3 segment;        /* a straight path at the end */
    double extra_swell;  /* radii added on all sides */
    bool aside;          /* a single query: does not fill the agent's cache */
} MoveExtents;

/* The end of a path at a hit. */
typedef struct Stop
{
    Hit hit;
    double at;               /* length of the path, ellipsoid space */
    const AgentLimit *limit; /* of a slide: another agent, no triangle */
} Stop;

/* The mover's position as a world displacement from the frame's centre. */
static inline Vec3 travelled(const Mover *mover)
{
    return frame_to_world(mover->frame, mover->state.position);
}

/* The acceleration of an agent in the air. mover->gravity does not depend on the profile: it limits the speed at which
 * a rider follows falling ground. */
static inline Vec3 fall_gravity(const Mover *mover)
{
    bool floats = mover->profile->flags & SIDLE_PROFILE_NO_GRAVITY;
    return floats ? vec3(0, 0, 0) : mover->gravity;
}

/* Moves the frame to the mover, since precision is best at its origin. Returns the new centre. */
static inline Vec3 advance_frame(Mover *mover)
{
    Vec3 center = vec3_add(mover->frame->center, travelled(mover));
    mover->frame->center = center;
    mover->state.position = vec3(0, 0, 0);
    return center;
}

#endif
