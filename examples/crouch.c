/* A person walks up to a low slab, crouches, walks below it, and stands up as soon as there is room: behind the slab. */
#include "courtyard.h"

#include <stdbool.h>

#define DT (1 / 60.f)

enum
{
    STANDING,
    CROUCHED
};

/* Capsules of one radius, 1.8 and 1 m high. */
static const sidle_profile profiles[2] = {
    {.size = sizeof(sidle_profile), .shape = {{.4f, .4f, .4f}, .5f}},
    {.size = sizeof(sidle_profile), .shape = {{.4f, .4f, .4f}, .1f}},
};

/* From x = -2 to 2, 1.3 m above the ground. */
static void add_slab(sidle_world *world)
{
    static const float corners[6][3] = {{-2, 1.3f, 4}, {-2, 1.3f, 8}, {2, 1.3f, 8},
                                        {-2, 1.3f, 4}, {2, 1.3f, 8},  {2, 1.3f, 4}};
    sidle_mesh_desc slab = {
        .size = sizeof slab, .vertices_f = corners[0], .vertex_count = 6, .triangle_count = 2};
    sidle_instance_desc placed = {.size = sizeof placed};
    must(sidle_mesh_create(&slab, NULL, NULL, &placed.mesh));
    sidle_instance instance;
    must(sidle_world_add(world, &placed, &instance));
    must(sidle_world_commit(world, NULL));
    sidle_mesh_release(placed.mesh);
}

static sidle_place place_of(const sidle_move *agent)
{
    return (sidle_place){.center = agent->body.center, .shape = profiles[agent->profile].shape};
}

/* Returns false if there is no room. */
static bool take_shape(const sidle_snapshot *snapshot, sidle_move *agent, uint32_t profile)
{
    sidle_place place = place_of(agent);
    sidle_position center;
    uint32_t fits;
    must(sidle_place_resize(snapshot, 0, &place, &profiles[profile].shape, agent->up, &center, &fits));
    if (fits)
    {
        agent->profile = profile;
        agent->body.center = center;
        printf("x = %4.1f m: %s\n", center.x, profile == CROUCHED ? "crouches" : "stands up");
    }
    return fits;
}

static uint32_t overlaps(const sidle_snapshot *snapshot, const sidle_move *agent)
{
    sidle_place place = place_of(agent);
    uint32_t count;
    must(sidle_place_overlaps(snapshot, 0, &place, NULL, 1, &count));
    return count;
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    add_slab(world);
    sidle_snapshot *snapshot;
    must(sidle_world_snapshot(world, &snapshot));
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = profiles, .profile_count = 2};
    sidle_crowd *crowd;
    must(sidle_crowd_create(&desc, NULL, &crowd));

    sidle_move agent = {.id = 1, .body.center = {-5, 1, 6}, .displacement = {2 * DT, 0, 0}};
    sidle_result result;
    sidle_tick_desc tick = {
        .size = sizeof tick, .snapshot = snapshot, .dt = DT, .moves = &agent, .count = 1, .results = &result};
    int refused = 0, inside = 0;
    for (int i = 0; i < 300; ++i)
    {
        must(sidle_crowd_tick(crowd, &tick));
        agent.body = result.body;
        bool grounded = agent.body.flags & SIDLE_BODY_GROUNDED;
        if (agent.profile == CROUCHED)
            refused += !take_shape(snapshot, &agent, STANDING);
        else if (grounded && (result.reasons & SIDLE_REASON_BLOCKED) && agent.body.center.x < 0)
            take_shape(snapshot, &agent, CROUCHED);
        inside += overlaps(snapshot, &agent) > 0;
    }
    printf("x = %4.1f m: the end; no room in %d ticks, %d ticks in an overlap\n", agent.body.center.x,
           refused, inside);
    bool good = agent.body.center.x > 3 && agent.profile == STANDING && refused > 100 && inside == 0;
    sidle_crowd_destroy(crowd);
    sidle_snapshot_release(snapshot);
    sidle_world_destroy(world);
    return !good;
}
