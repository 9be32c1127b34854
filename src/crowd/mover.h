/* One agent during its tick. Positions are double in ellipsoid space, relative to the agent's centre at the beginning.
 * Displacements and normals are in the world.
 *
 * The files of the response in the order of a move:
 *   agent.inl               request to mover, mover to result
 *   carry.inl, push.inl     moving ground and moving obstacles
 *   cover.inl               the gather of a step
 *   recover.inl             recovery from overlaps
 *   slide.inl               collide and slide along one displacement
 *   ground.inl              which contacts carry an agent
 *   modes.inl, walk.inl     fly and slide; walk on the ground and in the air
 *   follow.inl, step.inl    ground that falls away; steps up
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

/* Three rounds lead from a face to the rest shell, at most 1.1 radii away. The fourth is for contacts on the path. Deeper
 * overlaps continue in the next tick. */
#define RECOVERY_ROUNDS 4

/* Radii that a gather covers beyond the tick's own path, so that slides after recovery find all candidates. */
#define RECOVERY_REACH (RECOVERY_ROUNDS * RECOVERY_STEP)

typedef struct Plane /* a contact that still holds */
{
    Vec3 m;     /* world normal, unit */
    Vec3 at;    /* the mover's position at the hit */
    bool holds; /* to the end of the tick: another agent */
} Plane;

typedef struct Ground /* what the agent stands on, or could stand on at the last hit */
{
    Vec3 normal; /* world; of the contact */
    /* World: normal of the flattest face at the contact. The contact's own normal if it is on a face. */
    Vec3 support;
    double overhang; /* how far the centre is beside that face, world */
    sidle_instance instance;
    uint32_t triangle;
    uint16_t surface;
} Ground;

/* Of an agent that begins a step in the air: the inputs of its impact speed. */
typedef struct FreeFlight
{
    Vec3 start;    /* world: the agent's centre at the beginning */
    double motion; /* seconds of the instances' motion since then */
    Vec3 velocity; /* world, at the beginning */
    bool runs;     /* the first contact with ground sets the impact */
    double impact; /* speed into that contact; negative: none yet */
} FreeFlight;

typedef struct Flattest /* the last contact asked for, see flattest_normal */
{
    uint32_t candidate; /* NO_HIT: none */
    Vec3 point, normal; /* ellipsoid space; world */
} Flattest;

typedef struct Mover
{
    /* What is asked. */
    const Profile *profile;
    const sidle_snapshot *snapshot;
    Candidates *candidates;
    TriangleCache *cache;
    Observer *observer;        /* NULL: none */
    const AgentLimits *limits; /* NULL: none */
    Vec3 limits_from;          /* world: the centre from which they count */
    Filter filter;
    Vec3 up, gravity;
    double dt;                       /* of the part of the tick that runs */
    double tick_dt;                  /* of the whole tick */
    double motion_begin, motion_end; /* of the epoch's motion that this tick covers */

    /* What changes. */
    Frame *frame;  /* the worker's */
    Vec3 position; /* ellipsoid space */
    Vec3 velocity; /* world */
    bool grounded, stuck;
    bool crushed; /* something that moves went through its centre, or crossed its core and moved on */
    bool pinned;  /* is_pinned where slides begin, which then lead nowhere */
    bool rides;   /* was carried in this tick by what it stands on */
    /* Of the carrying contact along up, relative to the frame's centre; -INFINITY: none; NaN: that of the footing. */
    double ground_height;
    Vec3 footing, footing_normal; /* position, and normal of the ground, where a step on the ground began */
    Ground ground;                /* found in this tick */
    Vec3 carried;      /* world velocity that moving instances gave it in this tick, if it stands or flies */
    Vec3 pushed;       /* the same of one in the air */
    Vec3 carried_over; /* see sidle_body */
    FreeFlight flight;
    Flattest flattest;

    /* What is reported. */
    double impact_speed; /* see sidle_result */
    uint32_t reasons;
    uint32_t met_count;
    sidle_contact *met; /* NULL: not wanted */
    /* Share of the step's first slide before its first contact; negative: no slide yet. */
    double step_clear;
    double clear;       /* the same of the whole displacement, parts of the tick together */
    double step_offset; /* see sidle_body */
} Mover;

/* What a slide does with its contacts. */
enum SlideFlags
{
    SLIDE_ONLY_WALKABLE =
        1,           /* contacts that cannot be stood on stand like walls: nothing is climbed against them */
    SLIDE_LANDS = 2, /* ends on the first contact that can be stood on */
    SLIDE_HOWEVER_SHORT = 4 /* also moves along a displacement below profile->shortest */
};

typedef struct SlideEnd
{
    double left; /* the share of the displacement that was not used up */
    bool blocked, landed;
    bool carried;             /* met what can be stood on */
    bool stepped_at;          /* met what is too steep to be ground, no higher than a step */
    Plane planes[MAX_PLANES]; /* that held at the end */
    uint32_t plane_count;
} SlideEnd;

typedef struct Room /* what a step may take of the world around its agent */
{
    Vec3 lift;           /* a straight path first; the rest begins at its end */
    Vec3 ball;           /* the displacement of a slide */
    double extra_radius; /* of a slide after that, in any direction */
    Vec3 segment;        /* a straight path at the end */
    double extra_swell;  /* radii all around */
    bool aside;          /* asked once: the agent's cache is not filled for it */
} Room;

/* Moves straight up along `displacement` (world) as far as there is room; returns the reason why no farther,
 * or 0. slide.inl */
static uint32_t lift(Mover *mover, Vec3 displacement);

/* What a straight path would hit; false: nothing. slide.inl */
static bool probe(const Mover *mover, Vec3 displacement, Hit *hit);

typedef struct Stop /* where something ends a path */
{
    Hit hit;
    double at;               /* length of the path up to there, ellipsoid space */
    const AgentLimit *limit; /* of a slide: another agent, no triangle */
} Stop;

typedef struct Landing /* where a straight path down ends */
{
    Stop stop;
    Vec3 m;         /* the contact's normal, world */
    Vec3 direction; /* of the path, ellipsoid space */
    double drop;    /* stop.at in the world, once follow.inl has measured it */
} Landing;

/* Sweeps along `displacement` (world). Returns true if it ends on a contact that can be stood on. slide.inl */
FORCE_INLINE bool find_landing(Mover *mover, Vec3 displacement, Landing *landing);

/* Moves the mover to where find_landing ended, and stands it there. slide.inl */
static inline void land(Mover *mover, const Landing *landing);

/* find_landing and land. Without a contact that can be stood on the mover does not move. slide.inl */
static bool settle(Mover *mover, Vec3 displacement);

/* On the ground: follows ground that falls away, down steps and over gaps. Returns false where the agent leaves the
 * ground. `clear`: how far it can sink straight down. follow.inl */
FORCE_INLINE bool follow_ground(Mover *mover, const Room *room, Vec3 start, double *clear);

/* Sets the flight's impact, unless an earlier contact of the step has, for ground of normal m that the mover touches
 * here and stands on. `end` holds the contacts that cannot be stood on. impact.inl */
static void note_impact(Mover *mover, Vec3 m, const SlideEnd *end);

/* Moves along `displacement` (world), sliding. slide.inl */
static void slide(Mover *mover, Vec3 displacement, uint32_t flags, SlideEnd *end);

/* Pushes the mover out of anything closer than the recovery shell; the gather must cover recovery. recover.inl */
static void recover(Mover *mover);

/* Returns false if the candidates exceed the capacity. cover.inl */
static bool gather_for(Mover *mover, const Room *room);

/* Whether a candidate crosses a capsule's core, so that no sweep is held by it, or it overlaps so many that a sweep would
 * take a millisecond. cover.inl */
static bool is_pinned(const Mover *mover);

/* Can a contact be stood on? ground.inl */
static inline bool is_walkable(Mover *mover, const Hit *hit, Vec3 m);
/* Could it, were it no higher than a step? */
static bool is_too_high(Mover *mover, const Hit *hit, Vec3 m);
static bool is_step(const Mover *mover, const Hit *hit, Vec3 m);
static inline void stand_on(Mover *mover, const Hit *hit, Vec3 m);
static bool is_wedged(Mover *mover); /* if so, stands on what carries most */
static double support_height(const Mover *mover, Vec3 position, Vec3 m);

/* The modes: one step of dt each; false if the candidates do not fit (nothing has changed then). */
static bool step_fly(Mover *mover, Vec3 wish);
static bool step_slide(Mover *mover, Vec3 wish);
static inline bool step_walk(Mover *mover, Vec3 wish);

/* The mover's position as a world displacement from the frame's centre. */
static inline Vec3 travelled(const Mover *mover)
{
    return frame_to_world(mover->frame, mover->position);
}

/* What accelerates an agent in the air. mover->gravity is the world's: how fast ground may fall away from under an agent
 * does not depend on the profile. */
static inline Vec3 fall_gravity(const Mover *mover)
{
    bool floats = mover->profile->flags & SIDLE_PROFILE_NO_GRAVITY;
    return floats ? vec3(0, 0, 0) : mover->gravity;
}

/* The frame moves along: its origin is where precision is best. */
static inline void advance_frame(Mover *mover)
{
    mover->frame->center = vec3_add(mover->frame->center, travelled(mover));
    mover->position = vec3(0, 0, 0);
}

/* Reports a contact once. agent.inl */
static inline void report_contact(Mover *mover, const Hit *hit, Vec3 m);

#endif
