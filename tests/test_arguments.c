/* Arrays and descs of every call: sizes of other versions, strides that are too small, not aligned or wrap round, and
 * outputs that overlap inputs. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <stdint.h>
#include <string.h>

/* Strides that no array of elements of this size and alignment has. Three of the last two wrap round. */
#define BAD_STRIDES(type)                                                                                    \
    {                                                                                                        \
        sizeof(type) - __alignof__(type), sizeof(type) + 1, SIZE_MAX - 7, SIZE_MAX / 4 + 1                   \
    }
#define BAD_STRIDE_COUNT 4

static sidle_profile person(void)
{
    return (sidle_profile){.size = sizeof(sidle_profile), .shape.radii = {.4f, .9f, .4f}};
}

/* ---- ticks ---- */

typedef struct TickCall
{
    Scene scene;
    sidle_move moves[3];
    sidle_result results[3];
    sidle_tick_desc desc;
} TickCall;

static void tick_call_open(TickCall *call)
{
    memset(call, 0, sizeof *call);
    call->scene = scene_of((Soup){0}, walking_ball());
    call->desc = (sidle_tick_desc){.size = sizeof call->desc,
                                   .snapshot = call->scene.snapshot,
                                   .dt = 1 / 60.f,
                                   .moves = call->moves,
                                   .results = call->results,
                                   .count = 3};
}

static void expect_tick(TickCall *call, sidle_tick_desc desc, sidle_status expected, const char *what)
{
    sidle_work work = {.state = NULL};
    sidle_result before[3];
    memcpy(before, call->results, sizeof before);
    cr_expect_eq(sidle_crowd_tick_begin(call->scene.crowd, &desc, 1, &work), expected, "begin: %s", what);
    cr_expect_eq(memcmp(before, call->results, sizeof before), 0, "%s", what);
    cr_expect(expected != SIDLE_OK ||
              sidle_crowd_tick_end(call->scene.crowd, &work) == SIDLE_ERROR_INCOMPLETE);
    cr_expect_eq(sidle_crowd_tick(call->scene.crowd, &desc), expected, "%s", what);
}

Test(arguments, strides_of_a_tick_that_hold_no_array_are_refused)
{
    TickCall call;
    const size_t moves[] = BAD_STRIDES(sidle_move), results[] = BAD_STRIDES(sidle_result);
    tick_call_open(&call);
    for (int i = 0; i < BAD_STRIDE_COUNT; ++i)
    {
        sidle_tick_desc bad = call.desc;
        bad.move_stride = moves[i];
        expect_tick(&call, bad, SIDLE_ERROR_ARGUMENT, "move_stride");
        bad = call.desc;
        bad.result_stride = results[i];
        expect_tick(&call, bad, SIDLE_ERROR_ARGUMENT, "result_stride");
    }
    expect_tick(&call, call.desc, SIDLE_OK, "tightly packed");
    scene_close(&call.scene);
}

Test(arguments, results_of_a_tick_that_overlap_its_moves_are_refused)
{
    TickCall call;
    union Both
    {
        sidle_move moves[4];
        sidle_result results[4];
        struct
        {
            sidle_move move;
            sidle_result result;
        } pairs[2];
    } both;
    tick_call_open(&call);
    memset(&both, 0, sizeof both);
    sidle_tick_desc desc = call.desc;
    desc.moves = both.moves;
    desc.results = both.results;
    expect_tick(&call, desc, SIDLE_ERROR_ARGUMENT, "one place");
    desc.results = (sidle_result *)(void *)((char *)both.moves + 2 * sizeof(sidle_move));
    expect_tick(&call, desc, SIDLE_ERROR_ARGUMENT, "the last move");
    desc.count = 2;
    expect_tick(&call, desc, SIDLE_OK, "right behind the moves");
    desc.moves = &both.pairs[0].move;
    desc.results = &both.pairs[0].result;
    desc.move_stride = desc.result_stride = sizeof both.pairs[0];
    expect_tick(&call, desc, SIDLE_OK, "fields of one structure");
    desc.result_stride = sizeof both.pairs[0] - sizeof(double);
    expect_tick(&call, desc, SIDLE_ERROR_ARGUMENT, "another stride");
    scene_close(&call.scene);
}

/* ---- what-ifs ---- */

Test(arguments, arrays_of_a_what_if_that_wrap_or_overlap_are_refused)
{
    Scene scene = scene_of((Soup){0}, walking_ball());
    const sidle_move move = {.id = 1};
    union
    {
        sidle_vec3 displacements[3];
        sidle_what_if results[3];
    } both = {.displacements = {{0}}};
    sidle_vec3 displacements[3] = {{0}};
    sidle_what_if results[3];
    const sidle_what_if_desc good = {.size = sizeof good,
                                     .snapshot = scene.snapshot,
                                     .dt = 1 / 60.f,
                                     .move = &move,
                                     .displacements = displacements,
                                     .results = results,
                                     .count = 3};
    const size_t inputs[] = BAD_STRIDES(sidle_vec3), outputs[] = BAD_STRIDES(sidle_what_if);
    sidle_what_if_desc bad;
    for (int i = 0; i < BAD_STRIDE_COUNT; ++i)
    {
        bad = good;
        bad.displacement_stride = inputs[i];
        cr_expect_eq(sidle_crowd_what_if(scene.crowd, &bad), SIDLE_ERROR_ARGUMENT, "displacements: %zu",
                     inputs[i]);
        bad = good;
        bad.result_stride = outputs[i];
        cr_expect_eq(sidle_crowd_what_if(scene.crowd, &bad), SIDLE_ERROR_ARGUMENT, "results: %zu",
                     outputs[i]);
    }
    bad = good;
    bad.displacements = both.displacements;
    bad.results = both.results;
    cr_expect_eq(sidle_crowd_what_if(scene.crowd, &bad), SIDLE_ERROR_ARGUMENT, "one place");
    cr_expect_eq(sidle_crowd_what_if(scene.crowd, &good), SIDLE_OK);
    scene_close(&scene);
}

/* ---- cast batches ---- */

Test(arguments, arrays_of_a_cast_batch_that_wrap_or_overlap_are_refused)
{
    Scene scene = scene_of((Soup){0}, walking_ball());
    union
    {
        sidle_cast casts[3];
        sidle_cast_hit hits[3];
    } both = {.casts = {{.origin = {0, 0, 0}}}};
    sidle_cast casts[3] = {{.origin = {0, 0, 0}}};
    sidle_cast_hit hits[3];
    const sidle_cast_batch_desc good = {
        .size = sizeof good, .snapshot = scene.snapshot, .casts = casts, .hits = hits, .count = 3};
    const size_t inputs[] = BAD_STRIDES(sidle_cast), outputs[] = BAD_STRIDES(sidle_cast_hit);
    sidle_cast_batch_desc bad;
    for (int i = 0; i < BAD_STRIDE_COUNT; ++i)
    {
        bad = good;
        bad.cast_stride = inputs[i];
        cr_expect_eq(sidle_cast_batch(&bad), SIDLE_ERROR_ARGUMENT, "casts: %zu", inputs[i]);
        bad = good;
        bad.hit_stride = outputs[i];
        cr_expect_eq(sidle_cast_batch(&bad), SIDLE_ERROR_ARGUMENT, "hits: %zu", outputs[i]);
    }
    bad = good;
    bad.casts = both.casts;
    bad.hits = both.hits;
    cr_expect_eq(sidle_cast_batch(&bad), SIDLE_ERROR_ARGUMENT, "one place");
    cr_expect_eq(sidle_cast_batch(&good), SIDLE_OK);
    scene_close(&scene);
}

/* ---- meshes and crowds ---- */

Test(arguments, strides_of_a_mesh_or_of_profiles_that_wrap_are_refused)
{
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double doubles[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    const uint32_t indices[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const size_t wrapping[] = {SIZE_MAX - 7, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1};
    const sidle_profile profiles[3] = {person(), person(), person()};
    sidle_mesh *mesh = NULL;
    sidle_crowd *crowd = NULL;
    for (int i = 0; i < 6; ++i)
    {
        sidle_mesh_desc desc = {
            .size = sizeof desc, .vertex_count = 3, .triangle_count = 3, .indices = indices};
        desc.vertices_f = i % 2 ? corners : NULL;
        desc.vertices_d = i % 2 ? NULL : doubles;
        desc.vertex_stride = wrapping[i / 2];
        cr_expect_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), SIDLE_ERROR_ARGUMENT, "vertices %d", i);
        desc.vertex_stride = 0;
        desc.index_stride = wrapping[i / 2];
        cr_expect_eq(sidle_mesh_create(&desc, NULL, NULL, &mesh), SIDLE_ERROR_ARGUMENT, "indices %d", i);
        const sidle_crowd_desc people = {.size = sizeof people,
                                         .profiles = profiles,
                                         .profile_count = 3,
                                         .profile_stride = wrapping[i / 2]};
        cr_expect_eq(sidle_crowd_create(&people, NULL, &crowd), SIDLE_ERROR_ARGUMENT, "profiles %d", i);
    }
    cr_expect(mesh == NULL && crowd == NULL);
}

/* ---- sizes ---- */

/* Of a version that has more fields, or fewer. */
Test(arguments, a_desc_of_another_size_is_refused_by_every_call)
{
    TickCall call;
    tick_call_open(&call);
    for (int more = -1; more <= 1; more += 2)
    {
        const size_t change = (size_t)(more * (int)sizeof(void *));
        sidle_profile profile = person();
        sidle_mesh *mesh = NULL;
        sidle_world *world = NULL;
        sidle_crowd *crowd = NULL;
        sidle_pool *pool = NULL;
        sidle_instance instance;
        sidle_vec3 displacement = {0, 0, 0};
        sidle_what_if tried;
        char text[9];
        const sidle_mesh_desc soup = {.size = sizeof soup + change};
        const sidle_blob_desc blob = {.size = sizeof blob + change, .bytes = &call};
        const sidle_world_desc space = {.size = sizeof space + change};
        const sidle_instance_desc placed = {.size = sizeof placed + change, .mesh = call.scene.meshes[0]};
        const sidle_crowd_desc people = {
            .size = sizeof people + change, .profiles = &profile, .profile_count = 1};
        const sidle_pool_desc threads = {.size = sizeof threads + change, .worker_count = 1};
        const sidle_cast_batch_desc batch = {.size = sizeof batch + change, .snapshot = call.scene.snapshot};
        sidle_what_if_desc what_if = {.size = sizeof what_if + change, .move = call.moves, .dt = 1};
        sidle_capture_desc capture = {.size = sizeof capture + change, .move = call.moves, .dt = 1};
        sidle_contact_events events = {.size = sizeof events + change};
        sidle_stats stats = {.size = sizeof stats + change};
        const sidle_contacts none = {NULL, 0};
        const sidle_jobs jobs = {.size = sizeof jobs + change};
        sidle_tick_desc tick = call.desc;
        what_if.snapshot = capture.snapshot = call.scene.snapshot;
        what_if.displacements = &displacement;
        what_if.results = &tried;
        capture.text = text;
        cr_expect_eq(sidle_mesh_create(&soup, NULL, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_mesh_open(&blob, NULL, &mesh), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_world_create(&space, NULL, &world), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_world_add(call.scene.world, &placed, &instance), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_crowd_create(&people, NULL, &crowd), SIDLE_ERROR_ARGUMENT);
        cr_expect_neq(sidle_pool_create(&threads, NULL, &pool), SIDLE_OK);
        cr_expect_eq(sidle_cast_batch(&batch), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_crowd_what_if(call.scene.crowd, &what_if), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_capture_move(call.scene.crowd, &capture), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_contacts_diff(&none, &none, &events), SIDLE_ERROR_ARGUMENT);
        cr_expect_eq(sidle_world_commit(call.scene.world, &jobs), SIDLE_ERROR_ARGUMENT);
        tick.size += change;
        expect_tick(&call, tick, SIDLE_ERROR_ARGUMENT, "size");
        tick = call.desc;
        tick.stats = &stats;
        expect_tick(&call, tick, SIDLE_ERROR_ARGUMENT, "size of stats");
        profile.size += change;
        const sidle_crowd_desc others = {.size = sizeof others, .profiles = &profile, .profile_count = 1};
        cr_expect_eq(sidle_crowd_create(&others, NULL, &crowd), SIDLE_ERROR_ARGUMENT);
        cr_expect(!mesh && !world && !crowd && !pool && stats.moves == 0);
    }
    scene_close(&call.scene);
}
