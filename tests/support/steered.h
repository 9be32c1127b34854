/* Persons on a floor that are steered and collide. Metres and seconds. */
#ifndef TESTS_SUPPORT_STEERED_H
#define TESTS_SUPPORT_STEERED_H

#include "support/scene.h"

#define STEERED_MOST 256 /* persons */
#define STEERED_PACE 1.4

/* Zeros are the defaults. */
typedef struct SteeredForm
{
    int rate;          /* ticks a second: 60 */
    sidle_shape shape; /* an ellipsoid of radii .4 .9 .4; a shape is .9 from its middle to its ground */
    uint64_t seed;     /* of the starts */
    uint32_t lanes;    /* the library's choice */
} SteeredForm;

typedef struct Steered
{
    Scene scene; /* its crowd has one profile */
    SteeredForm form;
    sidle_move moves[STEERED_MOST];
    sidle_result results[STEERED_MOST];
    Vector goals[STEERED_MOST];
    uint32_t count;
    bool is_unsteered;
    uint32_t period, turn; /* of steering */
    sidle_vec3 kept[STEERED_MOST];
    const sidle_jobs *jobs;
} Steered;

/* Takes the soup, which has a floor at height 0. */
Steered *steered_open(Soup soup, SteeredForm form);
void steered_close(Steered *steered);

/* A person that stands at (x, z) on the floor, and its goal. Returns its move. */
sidle_move *steered_add(Steered *steered, double x, double z, double goal_x, double goal_z);
Vector steered_place(const Steered *steered, uint32_t person);
double steered_left(const Steered *steered, uint32_t person); /* to the goal */

/* Sets the displacements towards the goals. */
void steered_wish(Steered *steered);
/* sidle_steer of the moves, in place. */
sidle_steer_desc steered_desc(Steered *steered);
/* A tick: wishes, steering, moves. */
void steered_step(Steered *steered);
void steered_walk(Steered *steered, int ticks);
/* Seconds until this share of the persons is within `near` of the goals; `most`: not until then. */
double steered_arrival(Steered *steered, double share, double near, double most);
/* Over ids and bodies, whatever the order. */
uint64_t steered_hash(const Steered *steered);

/* Two streams of `count` persons in a corridor of 4 m; a circle of as many that walk to the opposite side. The
 * circle is not exact. In an exact one all neighbours touch at once and block as the stones of an arch do. */
Steered *steered_streams(uint32_t count, SteeredForm form);
Steered *steered_circle(uint32_t count, SteeredForm form);

#endif
