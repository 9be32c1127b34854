/* A platform and its rider: what the tests of moving ground begin with. Metres and seconds. */
#ifndef TESTS_SUPPORT_RIDE_H
#define TESTS_SUPPORT_RIDE_H

#include "support/stage.h"

static const Vector still = {0, 0, 0};
static const Vector upwards = {0, 1, 0};

/* An upright ellipsoid of .4 by .9 m that walks. */
SceneOptions person_at(int rate);

bool is_grounded(const Agent *agent);
Vector velocity_of(const Agent *agent);
Vector carried_over(const Agent *agent);

/* A platform of 4 by 4 m whose top is at the height of its pose, and an agent that has come to rest on it. */
typedef struct Ride
{
    Stage stage;
    uint32_t platform;
    Agent agent;
} Ride;

/* Takes the soup that rests. */
Ride ride_from(Soup resting, SceneOptions options, sidle_pose pose, Vector place);
Ride ride_on(SceneOptions options, sidle_pose pose, Vector place); /* nothing rests */

/* One epoch in one tick: the platform moves there. */
void go(Ride *ride, sidle_pose to, Vector wish);
double time_of(const Ride *ride, int tick);

#endif
