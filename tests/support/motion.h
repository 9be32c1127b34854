/* Motion as an engine sees it: an agent of a shape walks through a scene at a speed in metres a second, at
 * some number of ticks a second. The published algorithm goes through the same scenes, with the fall that any
 * engine would add to it. */
#ifndef TESTS_SUPPORT_MOTION_H
#define TESTS_SUPPORT_MOTION_H

#include "support/fauerby.h"
#include "support/scene.h"

typedef enum MotionSubject
{
    MOTION_WALK, /* sidle's modes */
    MOTION_SLIDE,
    MOTION_FLY,
    MOTION_PUBLISHED
} MotionSubject;

typedef struct MotionSetting
{
    MotionSubject subject;
    sidle_shape shape;
    sidle_quat rotation;
    ScenePieces pieces;
    Vector place;  /* where the scene's origin stands in the world */
    double turned; /* degrees about y: the rotation of every instance */
    int rate;      /* ticks a second */
    double step_up;
    double slope; /* degrees: the steepest that carries */
} MotionSetting;

/* Radii .4, .9, .4; steps up to .4 m; slopes up to 50 degrees; 60 ticks a second; one mesh at the origin. */
MotionSetting motion_person(MotionSubject subject);

typedef struct Actor
{
    MotionSetting setting;
    Scene scene;
    Agent agent;
    FauerbyTriangle *triangles; /* MOTION_PUBLISHED only: where they stand in the world */
    double falling;             /* m/s, the same */
    bool grounded;
} Actor;

/* Takes the soup. The start is relative to the scene's origin and turned with it, as all places and velocities are
 * below. */
Actor actor_of(const MotionSetting *setting, Soup soup, Vector start);
void actor_end(Actor *actor);

/* One tick, or as many as fit into these seconds. Velocities in m/s. */
void actor_tick(Actor *actor, Vector velocity);
void actor_go(Actor *actor, Vector velocity, double seconds);
/* Stands still until it stands on something: false if it does not within ten seconds. */
bool actor_land(Actor *actor);
/* Falls at this speed already. */
void actor_fall(Actor *actor, double speed);

Vector actor_place(const Actor *actor);
int actor_ticks(const Actor *actor, double seconds);
/* Least distance to the scene in radii: below 1 it overlaps. Shapes that are not turned. */
double actor_clearance(const Actor *actor);
/* Half the shape's extent upwards and the gap that it keeps: how high its centre rests over a floor. */
double motion_rest(const MotionSetting *setting);

#endif
