/* sidle in walk mode with the defaults of a profile, on one thread. */
#include "peer.h"
#include "sidle/sidle.h"

#include <stdlib.h>

typedef struct State
{
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    sidle_move *moves;
    sidle_result *results;
    uint32_t count, flags;
} State;

static void close_state(void *memory)
{
    State *state = memory;
    sidle_crowd_destroy(state->crowd);
    sidle_snapshot_release(state->snapshot);
    sidle_world_destroy(state->world);
    sidle_mesh_release(state->mesh);
    free(state->moves);
    free(state->results);
    free(state);
}

static bool place_level(State *state, const PeerScene *scene)
{
    sidle_mesh_desc soup = {.size = sizeof soup,
                            .vertices_d = scene->vertices,
                            .vertex_count = scene->vertex_count,
                            .triangle_count = scene->triangle_count,
                            .indices = scene->indices};
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    if (sidle_mesh_create(&soup, NULL, NULL, &state->mesh) || sidle_world_create(NULL, NULL, &state->world))
    {
        return false;
    }
    placed.mesh = state->mesh;
    return !sidle_world_add(state->world, &placed, &instance) && !sidle_world_commit(state->world, NULL) &&
           !sidle_world_snapshot(state->world, &state->snapshot);
}

static bool place_agents(State *state, const PeerScene *scene, sidle_shape shape)
{
    sidle_profile profile = {.size = sizeof profile, .shape = shape, .step_up = PEER_STEP};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    state->moves = calloc(scene->count, sizeof *state->moves);
    state->results = calloc(scene->count, sizeof *state->results);
    if (!state->moves || !state->results || sidle_crowd_create(&desc, NULL, &state->crowd))
    {
        return false;
    }
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        const double *start = &scene->starts[3 * (size_t)i];
        state->moves[i] = (sidle_move){.id = i + 1, .body.center = {start[0], start[1], start[2]}};
    }
    return true;
}

static void *open_shape(const PeerScene *scene, sidle_shape shape)
{
    State *state = calloc(1, sizeof *state);
    if (!state)
    {
        return NULL;
    }
    state->count = scene->count;
    state->flags = scene->agents_collide ? SIDLE_TICK_AGENTS_COLLIDE : 0;
    if (!place_level(state, scene) || !place_agents(state, scene, shape))
    {
        close_state(state);
        return NULL;
    }
    return state;
}

static void *open_ellipsoid(const PeerScene *scene)
{
    return open_shape(scene, (sidle_shape){.radii = {PEER_RADIUS, PEER_HALF, PEER_RADIUS}});
}

static void *open_capsule(const PeerScene *scene)
{
    return open_shape(scene, (sidle_shape){.radii = {PEER_RADIUS, PEER_RADIUS, PEER_RADIUS},
                                           .half_height = PEER_HALF - PEER_RADIUS});
}

static void tick(void *memory, const float *displacements)
{
    State *state = memory;
    sidle_tick_desc desc = {.size = sizeof desc,
                            .snapshot = state->snapshot,
                            .dt = 1.0f / PEER_HZ,
                            .moves = state->moves,
                            .count = state->count,
                            .results = state->results,
                            .flags = state->flags};
    for (uint32_t i = 0; i < state->count; ++i)
    {
        state->moves[i].displacement =
            (sidle_vec3){displacements[2 * (size_t)i], 0, displacements[2 * (size_t)i + 1]};
    }
    if (sidle_crowd_tick(state->crowd, &desc))
    {
        abort();
    }
    for (uint32_t i = 0; i < state->count; ++i)
    {
        state->moves[i].body = state->results[i].body;
    }
}

static void read_centers(void *memory, double *centers)
{
    State *state = memory;
    for (uint32_t i = 0; i < state->count; ++i)
    {
        sidle_position center = state->moves[i].body.center;
        centers[3 * (size_t)i] = center.x;
        centers[3 * (size_t)i + 1] = center.y;
        centers[3 * (size_t)i + 2] = center.z;
    }
}

const Peer peer_sidle = {"sidle", "ellipsoid", true, true, open_ellipsoid, tick, read_centers, close_state};
const Peer peer_sidle_capsule = {"sidle",      "capsule", true,         true,
                                 open_capsule, tick,      read_centers, close_state};
