/* sidle's casts: one call for each, and one call for all of them. */
#include "casts.h"

#include "sidle/sidle.h"

#include <stdlib.h>

typedef struct State
{
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_cast_hit *hits; /* of the batch */
    uint32_t capacity;
} State;

static void close_state(void *memory)
{
    State *state = memory;
    sidle_snapshot_release(state->snapshot);
    sidle_world_destroy(state->world);
    sidle_mesh_release(state->mesh);
    free(state->hits);
    free(state);
}

static bool place(const CastMesh *mesh, State *state)
{
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_f = mesh->vertices,
                            .vertex_count = mesh->vertex_count,
                            .indices = mesh->indices,
                            .triangle_count = mesh->triangle_count};
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    if (sidle_mesh_create(&desc, NULL, NULL, &state->mesh) || sidle_world_create(NULL, NULL, &state->world))
    {
        return false;
    }
    placed.mesh = state->mesh;
    return !sidle_world_add(state->world, &placed, &instance) && !sidle_world_commit(state->world, NULL) &&
           !sidle_world_snapshot(state->world, &state->snapshot);
}

static void *open_state(const CastMesh *mesh)
{
    State *state = calloc(1, sizeof *state);
    if (state && !place(mesh, state))
    {
        close_state(state);
        return NULL;
    }
    return state;
}

static float time_of(const sidle_cast_hit *hit)
{
    return hit->hit == SIDLE_CAST_MISS ? CAST_MISSED : (float)hit->t;
}

/* A call that fails stops the program: no figure may come from it. */
static void demand(bool good)
{
    if (!good)
    {
        abort();
    }
}

static void cast_one_by_one(void *memory, const CastSet *set, float *times)
{
    const State *state = memory;
    for (uint32_t i = 0; i < set->count; ++i)
    {
        sidle_cast_hit hit;
        demand(!sidle_cast_closest(state->snapshot, 0, &set->requests[i], &hit));
        times[i] = time_of(&hit);
    }
}

static void run_batch(State *state, const CastSet *set, const sidle_cast *requests, float *times)
{
    if (state->capacity < set->count)
    {
        free(state->hits);
        state->hits = calloc(set->count, sizeof *state->hits);
        state->capacity = set->count;
        demand(state->hits != NULL);
    }
    sidle_cast_batch_desc batch = {.size = sizeof batch,
                                   .snapshot = state->snapshot,
                                   .casts = requests,
                                   .count = set->count,
                                   .hits = state->hits};
    demand(!sidle_cast_batch(&batch));
    for (uint32_t i = 0; i < set->count; ++i)
    {
        times[i] = time_of(&state->hits[i]);
    }
}

static void cast_batch(void *memory, const CastSet *set, float *times)
{
    run_batch(memory, set, set->requests, times);
}

static void cast_any(void *memory, const CastSet *set, float *times)
{
    run_batch(memory, set, set->any_requests, times);
}

const CastPeer casts_sidle = {"sidle",
                              true,
                              true,
                              0,
                              open_state,
                              close_state,
                              {{"`sidle_cast_closest`", cast_one_by_one, false, false},
                               {"`sidle_cast_batch`", cast_batch, false, false},
                               {"`sidle_cast_batch`, `SIDLE_CAST_ANY`", cast_any, true, true}}};
