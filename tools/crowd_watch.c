#include "crowd_watch.h"

#include "wander.h"

#include <math.h>
#include <string.h>

#define SECONDS     2u
#define STAYS       .1   /* metres: a smaller distance is no motion */
#define OPEN_LENGTH .5   /* metres */
#define SAMPLES     10   /* along the open path */
#define LIFT        .4   /* of the extent upwards, half of which is the step height by default */
#define LOW_LIFT    .1   /* where there is no step rule */
#define CLEAR       1.03 /* radii: more than a skin away from everything */
#define DIRECTIONS  8    /* tested; a heading changes once a second */

void watch_begin(WatchedAgent *agent, sidle_position start)
{
    *agent = (WatchedAgent){.anchor = start};
}

/* The lower end is checked with the shape's full width, also where the shape narrows downwards. Otherwise
 * an agent between two bollards would count as free because only its foot fits over them. */
static bool is_clear(const WatchTick *tick, sidle_position center)
{
    sidle_vec3 radii = tick->shape.radii;
    float narrow = fminf(radii.x, fminf(radii.y, radii.z));
    double lower = (double)tick->shape.half_height + (double)radii.y - (double)narrow;
    sidle_position bottom = {center.x, center.y - lower, center.z};
    sidle_shape ball = {.radii = {narrow, narrow, narrow}};
    return check_is_free(tick->grid, center, tick->shape, CLEAR) &&
           check_is_free(tick->grid, bottom, ball, CLEAR);
}

static bool is_open(const WatchTick *tick, sidle_vec3 wish)
{
    double length = hypot((double)wish.x, (double)wish.z);
    double height = (double)tick->shape.radii.y + (double)tick->shape.half_height;
    double lift = height * (tick->mode == SIDLE_WALK ? LIFT : LOW_LIFT);
    for (int i = 0; i <= SAMPLES; ++i)
    {
        double share = OPEN_LENGTH * i / SAMPLES / length;
        sidle_position center = {tick->center.x + share * (double)wish.x, tick->center.y + lift,
                                 tick->center.z + share * (double)wish.z};
        if (!is_clear(tick, center))
        {
            return false;
        }
    }
    return true;
}

void watch_tick(WatchedAgent *agent, const WatchTick *tick)
{
    double x = tick->center.x - agent->anchor.x, y = tick->center.y - agent->anchor.y,
           z = tick->center.z - agent->anchor.z;
    uint32_t stayed = tick->tick - agent->since;
    if (x * x + y * y + z * z > STAYS * STAYS)
    {
        agent->anchor = tick->center;
        agent->since = tick->tick;
        return;
    }
    if (tick->is_hindered)
    {
        agent->since = tick->tick;
        return;
    }
    if (stayed < SECONDS * tick->hz)
    {
        return;
    }
    bool open = false;
    for (uint32_t i = 0; i < DIRECTIONS && !open; ++i)
    {
        /* An agent that has just turned away from a wall has not had the time to leave it. */
        uint32_t last = tick->hz / 4, then = agent->since + 1 + i * (stayed - 1 - last) / (DIRECTIONS - 1);
        sidle_vec3 wish = wander(tick->seed, then, tick->hz),
                   later = wander(tick->seed, then + last, tick->hz);
        open = memcmp(&wish, &later, sizeof wish) == 0 && is_open(tick, wish);
    }
    if (open && agent->motionless++ == 0)
    {
        agent->first = tick->center;
        agent->first_tick = tick->tick;
    }
    agent->since = tick->tick;
}
