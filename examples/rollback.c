/* Rollback. A network game receives an input late, returns to that tick and repeats the later ones. The engine owns its
 * agents and keeps the snapshots, so to return is to copy an array. A door closes meanwhile: each tick repeats in the
 * world that it had. */
#include "courtyard.h"

#include <string.h>

#define AGENTS  200
#define TICKS   120
#define DOOR_AT 60 /* tick */

/* All that a tick needs to happen again. */
typedef struct Moment
{
    sidle_snapshot *snapshot;
    sidle_move moves[AGENTS];
} Moment;

static Moment history[TICKS];

static void tick_once(sidle_crowd *crowd, const Moment *moment, sidle_move *moves)
{
    static sidle_result results[AGENTS];
    const sidle_tick_desc tick = {.size = sizeof tick,
                                  .snapshot = moment->snapshot,
                                  .dt = .02f,
                                  .moves = moves,
                                  .count = AGENTS,
                                  .results = results};
    must(sidle_crowd_tick(crowd, &tick));
    for (uint32_t i = 0; i < AGENTS; ++i)
        moves[i].body = results[i].body;
}

/* A wall across the courtyard slides up out of the ground within one tick. */
static void close_door(sidle_world *world)
{
    float vertices[72];
    courtyard_box(vertices, 0, 4, COURTYARD_HALF, .2f, 3);
    const sidle_mesh_desc soup = {
        .size = sizeof soup, .vertices_f = vertices, .vertex_count = 24, .triangle_count = 8};
    sidle_instance_desc door = {.size = sizeof door, .key = 1};
    sidle_instance instance;
    must(sidle_mesh_create(&soup, NULL, NULL, &door.mesh));
    must(sidle_world_add(world, &door, &instance));
    must(sidle_world_commit(world, NULL));
    sidle_mesh_release(door.mesh);
}

static uint32_t different(const sidle_move *a, const sidle_move *b)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < AGENTS; ++i)
        count += memcmp(&a[i].body.center, &b[i].body.center, sizeof a[i].body.center) != 0;
    return count;
}

int main(void)
{
    static sidle_move now[AGENTS], again[AGENTS];
    sidle_world *world = courtyard_world(NULL);
    sidle_crowd *crowd = courtyard_crowd(NULL);
    courtyard_people(now, AGENTS);
    for (int t = 0; t < TICKS; ++t)
    {
        if (t == DOOR_AT)
            close_door(world);
        must(sidle_world_snapshot(world, &history[t].snapshot));
        memcpy(history[t].moves, now, sizeof now);
        tick_once(crowd, &history[t], now);
    }

    /* Back to tick 30, and everything again: before the door closed, and after. */
    memcpy(again, history[30].moves, sizeof again);
    for (int t = 30; t < TICKS; ++t)
        tick_once(crowd, &history[t], again);
    uint32_t changed = different(now, again);

    /* Once more, but agent 7 turns round at tick 30. Only its path changes. */
    memcpy(again, history[30].moves, sizeof again);
    again[7].displacement.z = -again[7].displacement.z;
    for (int t = 30; t < TICKS; ++t)
        tick_once(crowd, &history[t], again);
    uint32_t turned = different(now, again);

    printf("replayed: %u of %d agents ended elsewhere; with one turned round: %u\n", changed, AGENTS, turned);
    for (int t = 0; t < TICKS; ++t)
        sidle_snapshot_release(history[t].snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return changed != 0 || turned != 1;
}
