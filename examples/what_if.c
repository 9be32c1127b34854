/* What-if moves. Each tick, an agent tries a fan of directions in one call and takes the one that leads nearest to its
 * goal. A tick writes results and nothing else, so each try can be continued from where it ends. The agent itself
 * stays in place until the engine moves it. */
#include "courtyard.h"

#include <math.h>
#include <string.h>

#define TRIES 32
#define SPEED .05 /* metres a tick */

static const sidle_position goal = {-3, 1, 5};

static double distance_to_goal(const sidle_move *agent)
{
    return hypot(goal.x - agent->body.center.x, goal.z - agent->body.center.z);
}

static sidle_vec3 heading(double angle, double length)
{
    return (sidle_vec3){(float)(length * sin(angle)), 0, (float)(length * cos(angle))};
}

static double angle_to_goal(const sidle_move *agent)
{
    return atan2(goal.x - agent->body.center.x, goal.z - agent->body.center.z);
}

static void tick_once(sidle_crowd *crowd, sidle_tick_desc tick, sidle_move *moves, uint32_t count)
{
    sidle_result results[TRIES];
    tick.moves = moves;
    tick.results = results;
    tick.count = count;
    must(sidle_crowd_tick(crowd, &tick));
    for (uint32_t i = 0; i < count; ++i)
        moves[i].body = results[i].body;
}

/* Three metres in each direction and from there towards the goal: where does that end? */
static double best_angle(sidle_crowd *crowd, const sidle_tick_desc *tick, const sidle_move *agent)
{
    sidle_vec3 tries[TRIES];
    sidle_what_if ends[TRIES];
    sidle_move copies[TRIES];
    sidle_what_if_desc fan = {.size = sizeof fan, .snapshot = tick->snapshot, .dt = tick->dt, .move = agent};
    for (uint32_t i = 0; i < TRIES; ++i)
        tries[i] = heading(angle_to_goal(agent) + 6.2831853 * i / TRIES, 3);
    fan.displacements = tries;
    fan.results = ends;
    fan.count = TRIES;
    must(sidle_crowd_what_if(crowd, &fan));
    for (uint32_t i = 0; i < TRIES; ++i)
    {
        copies[i] = *agent;
        copies[i].body = ends[i].body;
        copies[i].displacement = heading(angle_to_goal(&copies[i]), distance_to_goal(&copies[i]));
    }
    tick_once(crowd, *tick, copies, TRIES);
    uint32_t best = 0;
    for (uint32_t i = 1; i < TRIES; ++i)
        best = distance_to_goal(&copies[i]) < distance_to_goal(&copies[best]) - SPEED ? i : best;
    return angle_to_goal(agent) + 6.2831853 * best / TRIES;
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    sidle_crowd *crowd = courtyard_crowd(NULL);
    sidle_move agent = {.id = 1, .body.center = {-3, 1, -5}}; /* a pillar stands between it and the goal */
    sidle_tick_desc tick = {.size = sizeof tick, .dt = .02f};
    must(sidle_world_snapshot(world, &tick.snapshot));
    int ticks = 0, changed = 0;
    for (; ticks < 1000 && distance_to_goal(&agent) > SPEED; ++ticks)
    {
        sidle_position before = agent.body.center;
        double angle = best_angle(crowd, &tick, &agent);
        changed += memcmp(&before, &agent.body.center, sizeof before) != 0;
        agent.displacement = heading(angle, SPEED);
        tick_once(crowd, tick, &agent, 1);
    }
    printf("%.2f m from the goal after %.2f m and %d tries\n", distance_to_goal(&agent), ticks * SPEED,
           2 * TRIES * ticks);
    int arrived = distance_to_goal(&agent) <= SPEED;
    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return !arrived || changed;
}
