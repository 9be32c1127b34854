/* One agent during its tick. Positions are double in ellipsoid space, relative to the agent's centre at the beginning.
 * Displacements and normals are in the world.
 *
 * The files of the response in the order of a move:
 *   request.inl, agent.inl  request to mover; mover to result
 *   carry.inl, push.inl     moving ground and moving obstacles
 *   cover.inl               the gather of a step
 *   recover.inl             recovery from overlaps
 *   slide.inl               collide and slide along one displacement
 *   ground.inl              which contacts carry an agent
 *   modes.inl, walk.inl     fly and slide; walk on the ground and in the air
 *   follow.inl, gaps.inl    ground that falls away, and goes on behind a gap
 *   step.inl                steps up
 *   impact.inl              the speed of a landing
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

/* Three rounds lead from a face to the rest shell, at most 1.1 radii away. The fourth is for contacts on the path.
 * Deeper overlaps continue in the next tick. */
#define RECOVERY_ROUNDS 4

/* Radii that a gather covers beyond the tick's own path, so that slides after recovery find all candidates. */
#define RECOVERY_REACH (RECOVERY_ROUNDS * RECOVERY_STEP)

/* A contact that limits the slide. */
typedef struct Plane
{
    Vec3 m;     /* world normal, unit */
    Vec3 at;    /* the mover's position at the hit */
    bool holds; /* to the end of the tick: another agent */
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
    bool pinned;    /* is_pinned at the beginning of a slide, which then does not move */
    bool rides;     /* carried by its ground in this tick */
    bool is_free;   /* nothing is on the first path of the last gather, which the next slide takes */
    bool in_flight; /* a step from the air: its first contact with ground sets flight.impact */
    /* Height of the carrying contact along up, relative to the frame's centre; -INFINITY: none; NaN: that of the
     * footing. */
    double ground_height;
    Vec3 velocity;      /* world */
    double step_offset; /* see sidle_body */
    bool grounded, held;
    Vec3 footing,
        footing_normal; /* position, and normal of the ground, at the beginning of a step on the ground */
    Ground ground;      /* found in this tick */
    Vec3 carried_over;  /* see sidle_body */
    FreeFlight flight;
    /* Share of the step's first slide before its first contact; negative: no slide yet. */
    double step_clear;
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

/* Moves straight up along `displacement` (world) to the first hit. Returns the reason bit of the hit, or 0.
 * slide.inl */
static uint32_t lift(Mover *mover, Vec3 displacement);

/* Finds the hit of a straight path. Returns false if there is none. slide.inl */
static bool probe(const Mover *mover, Vec3 displacement, Hit *hit);

/* The end of a path at a hit. */
typedef struct Stop
{
    Hit hit;
    double at;               /* length of the path, ellipsoid space */
    const AgentLimit *limit; /* of a slide: another agent, no triangle */
} Stop;

/* The end of a straight path down. */
typedef struct Landing
{
    Stop stop;
    Vec3 m;           /* the contact's normal, world */
    SweepQuery query; /* along the path */
    double drop;      /* stop.at in the world; set by follow.inl */
} Landing;

/* Sweeps along `displacement` (world). Returns true if it ends on a contact that can be stood on. slide.inl */
FORCE_INLINE bool find_landing(Mover *mover, Vec3 displacement, Landing *landing);

/* Moves the mover to the result of find_landing, and stands it there. slide.inl */
FORCE_INLINE void land(Mover *mover, const Landing *landing);

/* find_landing and land. The mover moves only to a contact that can be stood on. slide.inl */
static bool settle(Mover *mover, Vec3 displacement);

/* Follows ground that falls away, down steps and over gaps. Returns false if the agent leaves the ground. `clear`: the
 * length of the free path straight down. follow.inl */
FORCE_INLINE bool follow_ground(Mover *mover, const MoveExtents *extents, Vec3 start, double *clear);

/* Sets the flight's impact on ground of normal m that the mover touches and stands on, unless an earlier contact of the
 * step has set it. `end` has the contacts that cannot be stood on. impact.inl */
static void note_impact(Mover *mover, Vec3 m, const SlideEnd *end);

/* Moves along `displacement` (world), sliding. slide.inl */
static void slide(Mover *mover, Vec3 displacement, uint32_t flags, SlideEnd *end);

/* Pushes the mover out of anything closer than the recovery shell. `distance`: from it to the nearest candidate. The gather
 * must cover recovery. recover.inl */
static void recover(Mover *mover, double distance);

/* Returns false if the candidates exceed the capacity. cover.inl */
static bool gather_for(Mover *mover, const MoveExtents *extents);

/* Returns true if a candidate crosses a capsule's core, which no sweep can resolve. Also if so many overlap the
 * capsule that a sweep would take a millisecond. cover.inl */
static bool is_pinned(const Mover *mover);

/* Returns true if a contact can be stood on. ground.inl */
FORCE_INLINE bool is_walkable(Mover *mover, const Hit *hit, Vec3 m);
/* Returns true if a contact could be stood on, but is higher than a step. */
static bool is_too_high(Mover *mover, const Hit *hit, Vec3 m);
static bool is_step(const Mover *mover, const Hit *hit, Vec3 m);
static inline void stand_on(Mover *mover, const Hit *hit, Vec3 m);
/* Returns true if several contacts carry the agent together. It then stands on the flattest of them. */
static bool is_wedged(Mover *mover);
static double support_height(const Mover *mover, Vec3 position, Vec3 m);

/* The modes: one step of dt. They return false, with nothing changed, if the candidates exceed the capacity. */
static bool step_fly(Mover *mover, Vec3 wish);
static bool step_slide(Mover *mover, Vec3 wish);
FORCE_INLINE bool step_walk(Mover *mover, Vec3 wish);

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

/* Reports a contact once. agent.inl */
static inline void report_contact(Mover *mover, const Hit *hit, Vec3 m);

#endif
