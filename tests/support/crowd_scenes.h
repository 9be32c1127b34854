/* Small scenes in which agents collide with one another: crushes, doors, stairs, lifts, ledges. A scene is a place, persons and
 * their wishes. A run measures overlap, rest and flow. The scenes use the public API alone, and the distance between two agents
 * is measured by an oracle that shares no formula with the library. Metres and seconds. */
#ifndef TESTS_SUPPORT_CROWD_SCENES_H
#define TESTS_SUPPORT_CROWD_SCENES_H

#include "support/stage.h"

#define CROWD_PROFILES 16

/* ---- the distance between two agents: crowd_scenes_gap.c ---- */

typedef struct CrowdBody
{
    Vector center, radii, axes[3]; /* the shape's own axes in the world */
    double half_height;
} CrowdBody;

CrowdBody crowd_body(const sidle_shape *shape, sidle_quat rotation, const sidle_position *center);
/* Signed distance; negative: the shortest displacement that separates them. The result is a lower bound, and a search over
 * directions makes it as large as it can. */
double crowd_gap(const CrowdBody *a, const CrowdBody *b);
/* The larger of -crowd_gap and `known`, which is not negative. Cheap where one of a few planes shows that `known` is. */
double crowd_overlap(const CrowdBody *a, const CrowdBody *b, double known);

/* ---- scenes ---- */

typedef enum CrowdKind /* and what CrowdSetting.amount means */
{
    CROWD_CRUSH,    /* all walk to the middle of a hall */
    CROWD_CORNER,   /* all walk into its corner */
    CROWD_DOOR,     /* width of the door */
    CROWD_CORRIDOR, /* two streams in a corridor of 4 m; sideways part of the wish, to the right */
    CROWD_CIRCLE,   /* all walk to the opposite side; part of the wish that turns right */
    CROWD_STAIRS,   /* a queue up stairs that three others block */
    CROWD_SLOPE,    /* a crush on 30 degrees */
    CROWD_LIFT,     /* up and down by 4 m, and sideways by so many metres */
    CROWD_LEDGE,    /* two thirds push the others towards a ledge */
    CROWD_FAST,     /* one of this mass at 20 m/s into a crowd */
    CROWD_PASS,     /* two head on at this speed */
    CROWD_TELEPORT, /* 50 in one spot; 1: in a corner */
    CROWD_MASSES,   /* 1:100, all into a corner */
    CROWD_RADII,    /* .2 to .8 m; 1: into a corner */
    CROWD_HEIGHTS,  /* ellipsoids of .4 to 2 m and capsules */
    CROWD_HEADS,    /* 20 fall onto the heads of a crowd */
    CROWD_WANDER,   /* this many a square metre */
    CROWD_GIANT,    /* one of this mass through a crowd that stands */
    CROWD_KINDS
} CrowdKind;

typedef struct CrowdSetting
{
    CrowdKind kind;
    int rate, count; /* ticks a second; persons */
    double seconds, amount;
    sidle_shape shape; /* of a person */
    uint64_t seed;     /* of the start */
    bool shuffled;     /* the arrays hold the persons in another order */
    bool until_rest;   /* the run ends when all have stood still for a second */
    uint32_t lanes;
    const sidle_jobs *jobs;
} CrowdSetting;

/* The scene as docs/crowd/figures.md shows it: 60 ticks a second, persons of radii .4, .9, .4. */
CrowdSetting crowd_setting(CrowdKind kind);
const char *crowd_name(CrowdKind kind);

typedef struct CrowdPerson
{
    Vector goal;
    double speed;
    int side;     /* of a stream; 0: none */
    bool is_hero; /* the one that a scene is about; its speed is not the crowd's */
    bool is_gone; /* has arrived and no longer collides */
} CrowdPerson;

typedef struct CrowdScene
{
    CrowdSetting setting;
    Stage stage;
    sidle_crowd *crowd;
    sidle_profile profiles[CROWD_PROFILES];
    sidle_move *moves;
    sidle_result *results;
    CrowdPerson *persons;
    uint32_t profile_count, count, capacity;
    int tick;
    Vector low, high; /* a person outside of this box is out of the level */
    Vector drift;     /* displacement of the ground in the last tick */
} CrowdScene;

CrowdScene *crowd_open(const CrowdSetting *setting);
void crowd_step(CrowdScene *scene);
void crowd_close(CrowdScene *scene);

double crowd_time(const CrowdScene *scene);
Vector crowd_place(const CrowdScene *scene, uint32_t person);
CrowdBody crowd_body_of(const CrowdScene *scene, uint32_t person);
bool crowd_is_done(const CrowdScene *scene, uint32_t person);
/* The worst overlap of two persons, as a share of the smaller radius. */
double crowd_worst_overlap(const CrowdScene *scene);
/* Over ids and bodies, whatever the order. */
uint64_t crowd_hash(const CrowdScene *scene);

/* What places share: crowd_scenes_places.c */
typedef struct CrowdPlace
{
    const char *name;
    int count;
    double seconds, amount;
    void (*build)(CrowdScene *scene, Soup *soup);
    Vector (*wish)(const CrowdScene *scene, uint32_t person);       /* velocity */
    bool (*is_done)(const CrowdScene *scene, uint32_t person);      /* NULL: no person arrives */
    bool (*is_gone)(const CrowdScene *scene, uint32_t person);      /* NULL: no person leaves */
    void (*move_ground)(CrowdScene *scene, double from, double to); /* NULL: it rests */
} CrowdPlace;

extern const CrowdPlace crowd_places[CROWD_KINDS];

sidle_move *crowd_add(CrowdScene *scene, uint64_t id, double x, double foot, double z, uint32_t profile);

/* ---- measured ---- */

typedef struct CrowdFigures
{
    double overlap, overlap_end; /* the worst, % of the smaller radius: of all ticks, of the last second */
    double speed, vibration;     /* mm/s, means of the last second; path less displacement */
    double fastest;              /* m/s, of all but the hero */
    double rest;                 /* s until the last has moved; negative: still moves in the last second */
    double apart;                /* s until no overlap exceeds 5 %; negative: never */
    double arrival;              /* s until 90 % have arrived; negative: never */
    double flow;                 /* persons a second, between 15 and 75 % of them */
    double share;                /* of those that have arrived */
    double hero_x;               /* where the hero ends */
    int out, stuck, airborne;    /* persons out of the level; ticks of persons; at the end */
    uint64_t hash;
} CrowdFigures;

CrowdFigures crowd_measure(const CrowdSetting *setting);

#endif
