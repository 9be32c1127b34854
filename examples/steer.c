/* Two groups change sides of a courtyard through the gap between its pillars. Steering turns the displacements that people
 * prefer into displacements that avoid collisions ahead of time. Without it the groups block each other. */
#include "courtyard.h"

#include <math.h>

#define PEOPLE 40
#define SPEED  (1.4f / 60) /* metres a tick */

/* Distance along z to the goal on the other side. */
static float left(const sidle_move *person)
{
    return (person->id % 2 ? 8.f : -8.f) - (float)person->body.center.z;
}

static uint32_t run(sidle_snapshot *snapshot, int steers)
{
    sidle_crowd *crowd = courtyard_crowd(NULL);
    sidle_move people[PEOPLE];
    sidle_result results[PEOPLE];
    for (uint32_t i = 0; i < PEOPLE; ++i)
        people[i] =
            (sidle_move){.id = i, .body.center = {i / 2 % 4 - 1.5, .92, (i % 2 ? -1. : 1) * (2 + i / 8)}};
    sidle_steer_desc steer = {.size = sizeof steer, .snapshot = snapshot, .dt = 1 / 60.f, .count = PEOPLE};
    steer.moves = people;
    steer.displacements = &people->displacement; /* in place */
    steer.displacement_stride = sizeof *people;
    sidle_tick_desc tick = {.size = sizeof tick, .snapshot = snapshot, .dt = 1 / 60.f};
    tick.moves = people;
    tick.results = results;
    tick.count = PEOPLE;
    tick.flags = SIDLE_TICK_AGENTS_COLLIDE;
    for (int t = 0; t < 30 * 60; ++t)
    {
        for (uint32_t i = 0; i < PEOPLE; ++i)
            people[i].displacement = (sidle_vec3){0, 0, fmaxf(-SPEED, fminf(left(&people[i]), SPEED))};
        if (steers)
            must(sidle_steer(crowd, &steer));
        must(sidle_crowd_tick(crowd, &tick));
        for (uint32_t i = 0; i < PEOPLE; ++i)
            people[i].body = results[i].body;
    }
    uint32_t arrived = 0;
    for (uint32_t i = 0; i < PEOPLE; ++i)
        arrived += fabsf(left(&people[i])) < 5;
    sidle_crowd_destroy(crowd);
    return arrived;
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    sidle_snapshot *snapshot;
    must(sidle_world_snapshot(world, &snapshot));
    uint32_t steered = run(snapshot, 1), straight = run(snapshot, 0);
    printf("%u of %u people get across, %u without steering\n", steered, PEOPLE, straight);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return steered < PEOPLE * 9 / 10 || straight > PEOPLE / 2;
}
