#include "crowd_leak.h"

#include "sidle/what_if.h"

#include <math.h>

/* A ball around an agent that stands on something ends there, so the search for a larger one would be wasted. */
#define CLEAR_LIMIT  1.15       /* of the largest radius */
#define CLEAR_MARGIN (1 - 1e-9) /* for rounding */

/* Halvings of a tick: the shortest pieces are 1/4096 of it, a millimetre of a walk at one tick a second. */
#define MAX_HALVINGS 12

/* ---- The chord. ---- */

/* An agent stays in its clear ball for a dozen ticks. The grid is read only when the agent leaves the ball, because
 * reading it evicts what the next tick needs from the caches: a city then measured a third slower. */
bool leak_is_possible(const CheckGrid *grid, const LeakPath *path, ClearBall *ball)
{
    if (check_distance(ball->center, path->from) < ball->radius &&
        check_distance(ball->center, path->to) < ball->radius)
    {
        return false;
    }
    sidle_vec3 radii = path->shape.radii;
    double largest = fmax((double)radii.x, fmax((double)radii.y, (double)radii.z));
    ball->center = path->to;
    ball->radius = CLEAR_MARGIN * check_clearance(grid, path->to, CLEAR_LIMIT * largest);
    return check_crosses(grid, path->from, path->to);
}

/* ---- The path. ---- */

typedef struct Stop
{
    float share; /* of the tick */
    sidle_position place;
} Stop;

static bool stop_at(const LeakCheck *check, const sidle_move *move, float share, Stop *stop)
{
    sidle_vec3 wish = {move->displacement.x * share, move->displacement.y * share,
                       move->displacement.z * share};
    sidle_what_if result;
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = check->snapshot,
                               .dt = check->dt * share,
                               .move = move,
                               .displacements = &wish,
                               .count = 1,
                               .results = &result};
    bool good = sidle_crowd_what_if(check->crowd, &desc) == SIDLE_OK;
    *stop = (Stop){share, good ? result.body.center : move->body.center};
    return good;
}

static bool path_is_free(const LeakCheck *check, const sidle_move *move, Stop from, Stop to, int halvings)
{
    Stop middle;
    if (!check_crosses(check->grid, from.place, to.place))
    {
        return true;
    }
    return halvings > 0 && stop_at(check, move, .5f * (from.share + to.share), &middle) &&
           path_is_free(check, move, from, middle, halvings - 1) &&
           path_is_free(check, move, middle, to, halvings - 1);
}

bool leak_is_real(const LeakCheck *check, const sidle_move *move, sidle_position to)
{
    Stop begin = {0, move->body.center}, end = {1, to};
    return !path_is_free(check, move, begin, end, MAX_HALVINGS);
}
