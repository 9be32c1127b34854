/* An agent thinks before it moves: each tick it tries a fan of ways and takes the one that would bring it
 * nearest to its goal. All tries are one call. They share one search for the triangles around the agent. A tick
 * writes results and nothing else, so the example can go on from where they end. The agent stays where it was
 * until the engine moves it. */
#include "courtyard.h"

#include <math.h>
#include <string.h>

#define WAYS  32
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
    sidle_result results[WAYS];
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
    sidle_vec3 ways[WAYS];
    sidle_what_if ends[WAYS];
    sidle_move copies[WAYS];
    sidle_what_if_desc fan = {.size = sizeof fan, .snapshot = tick->snapshot, .dt = tick->dt, .move = agent};
    for (uint32_t i = 0; i < WAYS; ++i)
        ways[i] = heading(angle_to_goal(agent) + 6.2831853 * i / WAYS, 3);
    fan.displacements = ways;
    fan.results = ends;
    fan.count = WAYS;
    must(sidle_crowd_what_if(crowd, &fan));
    for (uint32_t i = 0; i < WAYS; ++i)
    {
        copies[i] = *agent;
        copies[i].body = ends[i].body;
        copies[i].displacement = heading(angle_to_goal(&copies[i]), distance_to_goal(&copies[i]));
    }
    tick_once(crowd, *tick, copies, WAYS);
    uint32_t best = 0;
    for (uint32_t i = 1; i < WAYS; ++i)
        best = distance_to_goal(&copies[i]) < distance_to_goal(&copies[best]) - SPEED ? i : best;
    return angle_to_goal(agent) + 6.2831853 * best / WAYS;
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
           2 * WAYS * ticks);
    int arrived = distance_to_goal(&agent) <= SPEED;
    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return !arrived || changed;
}
