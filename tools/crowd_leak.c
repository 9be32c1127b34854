#include "crowd_leak.h"

#include "src/capture/again.h"

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

typedef struct Path
{
    const LeakCheck *check;
    const sidle_move *move;
    /* What the neighbours allow in the whole tick; zero for agents that do not collide. */
    CaptureHead head;
    CaptureNeighbour neighbours[CAPTURE_NEIGHBOURS];
} Path;

typedef struct Stop
{
    float share; /* of the tick */
    sidle_position place;
} Stop;

static bool stop_at(const Path *path, float share, Stop *stop)
{
    const sidle_tick_desc *whole = path->check->tick;
    sidle_move move = *path->move;
    CaptureHead head = path->head;
    move.displacement.x *= share;
    move.displacement.y *= share;
    move.displacement.z *= share;
    move.body.waited *= share;
    move.body.postponed.x *= share;
    move.body.postponed.y *= share;
    move.body.postponed.z *= share;
    for (int i = 0; i < 3; i++)
    {
        head.correction[i] *= (double)share;
    }
    sidle_result result;
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = whole->snapshot,
                            .dt = whole->dt * share,
                            .moves = &move,
                            .count = 1,
                            .results = &result,
                            .contacts = contacts,
                            .contact_capacity = SIDLE_MAX_AGENT_CONTACTS};
    CaptureAgain again = {.head = &head, .neighbours = path->neighbours};
    bool good = sidle_capture_again(path->check->crowd, &tick, &again) == SIDLE_OK;
    *stop = (Stop){share, good ? result.body.center : move.body.center};
    return good;
}

/* A step leads up, across and down. */
static bool is_free_above(const Path *path, sidle_position from, sidle_position to)
{
    const CheckGrid *grid = path->check->grid;
    sidle_position up = from, across = to;
    up.y += path->check->step;
    across.y += path->check->step;
    return path->check->step > 0 && !check_crosses(grid, from, up) && !check_crosses(grid, up, across) &&
           !check_crosses(grid, across, to);
}

static bool path_is_free(const Path *path, Stop from, Stop to, int halvings)
{
    Stop middle;
    if (!check_crosses(path->check->grid, from.place, to.place))
    {
        return true;
    }
    if (halvings == 0)
    {
        return is_free_above(path, from.place, to.place);
    }
    return stop_at(path, .5f * (from.share + to.share), &middle) &&
           path_is_free(path, from, middle, halvings - 1) && path_is_free(path, middle, to, halvings - 1);
}

bool leak_is_real(const LeakCheck *check, uint32_t agent, sidle_position to)
{
    Path path = {.check = check, .move = &check->tick->moves[agent]};
    Stop begin = {0, path.move->body.center}, end = {1, to};
    if (check->tick->flags & SIDLE_TICK_AGENTS_COLLIDE)
    {
        sidle_capture_limits(check->crowd, check->tick, agent, &path.head, path.neighbours);
    }
    return !path_is_free(&path, begin, end, MAX_HALVINGS);
}
