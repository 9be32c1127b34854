/* The scenes that motion is measured in, one for each complaint that engines hear. Each function builds its
 * scene for the subject of the setting, moves through it and answers with figures; bounds are the tests'
 * affair. */
#ifndef TESTS_SUPPORT_MOTION_SCENES_H
#define TESTS_SUPPORT_MOTION_SCENES_H

#include "support/motion.h"

/* ---- Surfaces: motion_surfaces.c ---- */

/* Ticks in a thousand in which an agent that walks over a flat floor of tiles (along a flat wall of tiles)
 * comes 1 % short of the path asked, is turned aside by as much or lifted by more than a millimetre. */
double motion_floor_ghosts(const MotionSetting *setting);
double motion_wall_ghosts(const MotionSetting *setting);

typedef struct MotionRest
{
    int unsettled; /* scenes in which it still moves by more than .01 mm a tick after five seconds of pushing */
    double jitter_mm; /* the longest displacement of one tick after that */
} MotionRest;

/* Sixty corners of a floor and two leaning walls, and an agent that walks into them. */
MotionRest motion_corners(const MotionSetting *setting);
/* Upright wedges of 30, 60, 90 and 120 degrees on a floor. */
MotionRest motion_wedges(const MotionSetting *setting);

/* The share of the path asked for along a V-shaped groove whose sides enclose these degrees. */
double motion_groove(const MotionSetting *setting, double degrees);
/* Metres that an agent that stands on a slope without a displacement moves in ten seconds. */
double motion_drift(const MotionSetting *setting, double degrees);
/* Ticks of 120 not grounded, walking down a slope of 10 degrees. */
int motion_downhill_airborne(const MotionSetting *setting);

/* ---- Stairs: motion_stairs.c ---- */

/* Of stairs. */
typedef struct MotionFlight
{
    double riser, tread; /* metres */
    double degrees;      /* between the path and straight up or down the stairs */
    bool down;
} MotionFlight;

typedef struct MotionStairs
{
    bool passed;     /* reached the far end of the flight */
    double speed;    /* horizontal, a share of what was asked, while on the stairs; 0 if not passed */
    double airborne; /* the share of the ticks on the stairs */
} MotionStairs;

MotionStairs motion_stairs(const MotionSetting *setting, MotionFlight flight);
/* The highest riser climbed on treads of .3 m, straight, in steps of .01 m up to .8. */
double motion_highest_riser(const MotionSetting *setting);
/* The highest single step climbed from a run-up on a floor, to 1e-4 m. */
double motion_highest_kerb(const MotionSetting *setting);

/* ---- Tight places: motion_tight.c ---- */

typedef enum MotionTrap
{
    TRAP_FLOOR,
    TRAP_WALL,
    TRAP_CORNER,
    TRAP_COUNT
} MotionTrap;

/* Of three gaps (between walls, posts, and under a lintel) by this share too narrow: how many are passed. */
int motion_gaps_passed(const MotionSetting *setting, double too_narrow);

typedef struct MotionFreed
{
    int ticks;   /* until nothing is closer than the radius; -1: not within five seconds */
    double peak; /* m/s, the fastest tick until then */
} MotionFreed;

/* Put .3 m deep into something. */
MotionFreed motion_embedded(const MotionSetting *setting, MotionTrap trap);

/* Of eight agents that fall at 200 m/s on a single layer of triangles: how many pass it. */
int motion_tunnels(const MotionSetting *setting);

typedef struct MotionLow
{
    bool comes_out; /* having walked under a ceiling that comes down, walks back out */
    double depth_mm;
} MotionLow;

MotionLow motion_low_ceiling(const MotionSetting *setting);

/* Walks at this speed over a slot of this width in a flat floor, .8 m deep: whether it gets across within the
 * time for six metres. */
bool motion_crosses_slot(const MotionSetting *setting, double width, double speed);
/* Of the widths .1 to .8 m (in steps of .1) at .3, 1, 2, 3 and 6 m/s, forty in all: in how many it sticks. */
int motion_slots_stuck(const MotionSetting *setting);

/* ---- Random levels: motion_wild.c ---- */

Soup motion_wild_level(Random *random);
/* Of so many pushed in one direction on random levels: how many, after four seconds, go to and fro for two more on a
 * path of more than three times what it leads to, and two centimetres. */
int motion_oscillates(const MotionSetting *setting, int runs);

/* ---- Up and down: motion_vertical.c ---- */

typedef enum MotionGround
{
    GROUND_LEDGES,
    GROUND_GAPS,
    GROUND_CRATES,
    GROUND_SCANS,
    GROUND_COUNT
} MotionGround;

extern const char *const motion_ground_names[GROUND_COUNT];

/* A height of an agent that is followed from tick to tick: of its centre, or the one that it is drawn at. */
typedef struct MotionHeight
{
    const char *name;
    double (*of)(const Actor *actor);
} MotionHeight;

extern const MotionHeight motion_heights[];
extern const int motion_height_count;

typedef struct MotionVertical
{
    int ticks;
    double most;        /* mm: the largest |change in a tick| */
    double excess_down; /* mm: the largest beyond what stride_excess_down and stride_excess_up explain */
    double excess_up;
} MotionVertical;

/* Walks at 3 m/s over random ground of this kind. */
MotionVertical motion_vertical(const MotionSetting *setting, MotionGround ground, const MotionHeight *height);

/* ---- Rates: motion_rates.c ---- */

typedef enum MotionCourse
{
    COURSE_WALL,
    COURSE_STAIRS_UP,
    COURSE_STAIRS_DOWN,
    COURSE_SLOPE_UP,
    COURSE_SLOPE_DOWN,
    COURSE_AIR,
    COURSE_LIFT,
    COURSE_COUNT
} MotionCourse;

extern const int motion_rates[];
extern const int motion_rate_count;
extern const char *const motion_course_names[COURSE_COUNT];

typedef struct MotionEnd
{
    Vector place;
    double path; /* asked */
} MotionEnd;

/* Where two seconds lead at the setting's rate. */
MotionEnd motion_course(const MotionSetting *setting, MotionCourse course);
/* The largest distance between the ends at any two rates, in percent of the path. */
double motion_course_spread(const MotionSetting *setting, MotionCourse course);

/* ---- Moving ground: motion_ride.c ---- */

typedef struct MotionLift
{
    int lost;        /* of 600 ticks: not on the lift */
    double launched; /* metres, the farthest above it */
} MotionLift;

/* A platform that goes up and down at 2 m/s, reversing once a second. */
MotionLift motion_lift(const MotionSetting *setting);
/* Metres by which an agent at 2 m from the axis slips on a platform that turns at 1 rad/s for ten seconds. */
double motion_spin_slip(const MotionSetting *setting);

#endif
