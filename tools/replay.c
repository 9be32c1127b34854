#include "replay.h"

#include "console.h"
#include "sidle/world.h"
#include "src/capture/again.h"

#include <stdlib.h>
#include <string.h>

/* Stands for an instance or a triangle that the move names and the capture does not hold: no world has this
 * number. */
#define ELSEWHERE UINT32_MAX

#define MOST_CANDIDATES 65536 /* of a crowd */

void replay_free(Replay *replay)
{
    free(replay->instances);
    free(replay->triangles);
    *replay = (Replay){.instances = NULL};
}

typedef struct Stage
{
    const Replay *replay;
    /* Of triangles, as in CaptureAgain. */
    uint32_t *first, *numbers;
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    char *message;
    int message_size;
} Stage;

static bool refuse(Stage *stage, const char *what, uint32_t number, const sidle_error *error,
                   sidle_status status)
{
    const char *text = error && error->text[0] ? error->text : sidle_status_text(status);
    return number == ELSEWHERE
               ? explain(stage->message, stage->message_size, "%s: %s", what, text)
               : explain(stage->message, stage->message_size, "%s %u: %s", what, number, text);
}

static void close_stage(Stage *stage)
{
    sidle_crowd_destroy(stage->crowd);
    sidle_snapshot_release(stage->snapshot);
    sidle_world_destroy(stage->world);
    free(stage->first);
    free(stage->numbers);
}

/* ---- From the capture to a world. ---- */

/* Instances get new numbers in the same order. Triangles keep those of their meshes in `numbers`. */
static bool list_numbers(Stage *stage)
{
    const Replay *replay = stage->replay;
    stage->first = calloc((size_t)replay->instance_count + 1, sizeof *stage->first);
    stage->numbers = calloc((size_t)replay->triangle_count + 1, sizeof *stage->numbers);
    if (!stage->first || !stage->numbers)
    {
        return explain(stage->message, stage->message_size, "Not enough memory for %u triangles",
                       replay->triangle_count);
    }
    for (uint32_t i = 0; i < replay->instance_count; i++)
    {
        stage->first[i] = replay->instances[i].first;
    }
    for (uint32_t i = 0; i < replay->triangle_count; i++)
    {
        stage->numbers[i] = replay->triangles[i].number;
    }
    return true;
}

/* Corners in double: origin and offset add up without rounding, as they did in the captured world. */
static void list_triangles(const Replay *replay, const ReplayInstance *instance, double *vertices,
                           uint16_t *surfaces)
{
    const sidle_position *origin = &instance->as.origin;
    const double from[3] = {origin->x, origin->y, origin->z};
    for (uint32_t i = 0; i < instance->as.triangle_count; i++)
    {
        const ReplayTriangle *triangle = &replay->triangles[instance->first + i];
        for (uint32_t k = 0; k < 9; k++)
        {
            vertices[9 * (size_t)i + k] = from[k % 3] + (double)triangle->corners[k];
        }
        surfaces[i] = triangle->surface;
    }
}

static sidle_status make_mesh(const Replay *replay, const ReplayInstance *instance, sidle_error *error,
                              sidle_mesh **out)
{
    uint32_t count = instance->as.triangle_count;
    double *vertices = malloc(((size_t)count + 1) * 9 * sizeof *vertices);
    uint16_t *surfaces = malloc(((size_t)count + 1) * sizeof *surfaces);
    sidle_status status = SIDLE_ERROR_MEMORY;
    if (vertices && surfaces)
    {
        list_triangles(replay, instance, vertices, surfaces);
        sidle_mesh_desc desc = {.size = sizeof desc,
                                .vertices_d = vertices,
                                .vertex_count = 3 * count,
                                .triangle_count = count,
                                .surfaces = surfaces,
                                .origin = &instance->as.origin,
                                .error = error};
        status = sidle_mesh_create(&desc, NULL, NULL, out);
    }
    free(vertices);
    free(surfaces);
    return status;
}

static bool add_instance(Stage *stage, const ReplayInstance *instance)
{
    const CaptureInstance *as = &instance->as;
    sidle_error error = {.text = ""};
    sidle_instance_desc desc = {.size = sizeof desc,
                                .pose = as->to,
                                .key = as->key,
                                .member_of = as->member_of,
                                .flags = as->flags,
                                .group = as->group};
    sidle_instance id;
    sidle_status status = make_mesh(stage->replay, instance, &error, &desc.mesh);
    if (status != SIDLE_OK)
    {
        return refuse(stage, "Instance", as->id.index, &error, status);
    }
    status = sidle_world_add(stage->world, &desc, &id);
    sidle_mesh_release(desc.mesh);
    if (status == SIDLE_OK)
    {
        status = sidle_world_move(stage->world, id, &as->from, &as->to);
    }
    return status == SIDLE_OK ||
           refuse(stage, "Instance", as->id.index, sidle_world_error(stage->world), status);
}

static bool build_world(Stage *stage)
{
    if (!list_numbers(stage))
    {
        return false;
    }
    uint64_t epoch = stage->replay->head.epoch; /* bodies refer to it */
    const sidle_world_desc desc = {.size = sizeof desc, .epoch = epoch > 0 ? epoch - 1 : 0};
    sidle_status status = sidle_world_create(&desc, NULL, &stage->world);
    for (uint32_t i = 0; status == SIDLE_OK && i < stage->replay->instance_count; i++)
    {
        if (!add_instance(stage, &stage->replay->instances[i]))
        {
            return false;
        }
    }
    status = status == SIDLE_OK ? sidle_world_commit(stage->world, NULL) : status;
    status = status == SIDLE_OK ? sidle_world_snapshot(stage->world, &stage->snapshot) : status;
    return status == SIDLE_OK || refuse(stage, "The world", ELSEWHERE, NULL, status);
}

/* One capacity for all triangles, leaves and instances. */
static uint32_t enough_candidates(const Stage *stage)
{
    uint64_t enough = 64 + (uint64_t)stage->replay->triangle_count + stage->replay->instance_count;
    return enough < MOST_CANDIDATES ? (uint32_t)enough : MOST_CANDIDATES;
}

static bool make_crowd(Stage *stage, const CaptureHead *head, uint32_t lanes)
{
    sidle_error error = {.text = ""};
    sidle_profile profile = head->profile;
    profile.size = sizeof profile;
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = &profile,
                             .profile_count = 1,
                             .lanes = lanes,
                             .up = head->up,
                             .gravity = head->gravity,
                             .max_candidates = enough_candidates(stage),
                             .error = &error};
    sidle_status status = sidle_crowd_create(&desc, NULL, &stage->crowd);
    return status == SIDLE_OK || refuse(stage, "The crowd", ELSEWHERE, &error, status);
}

/* New ids count from 0 and are of the first generation. */
static sidle_instance id_there(const Stage *stage, sidle_instance id)
{
    for (uint32_t i = 0; i < stage->replay->instance_count; i++)
    {
        const sidle_instance *known = &stage->replay->instances[i].as.id;
        if (known->index == id.index && known->generation == id.generation)
        {
            return (sidle_instance){i, 1};
        }
    }
    return id.generation ? (sidle_instance){ELSEWHERE, 1} : id;
}

static sidle_move move_there(const Stage *stage)
{
    sidle_move move = stage->replay->head.move;
    move.body.ground = id_there(stage, move.body.ground);
    move.ignore = id_there(stage, move.ignore);
    move.profile = 0;
    return move;
}

/* ---- Back to the numbers of the capture. ---- */

static sidle_instance id_back(const Stage *stage, sidle_instance id)
{
    if (id.generation == 0)
    {
        return id;
    }
    return id.index < stage->replay->instance_count ? stage->replay->instances[id.index].as.id
                                                    : stage->replay->head.move.body.ground;
}

static bool make_move(Stage *stage, ReplayRun *run)
{
    const CaptureHead *head = &stage->replay->head;
    CaptureAgain capture = {head, stage->replay->neighbours, stage->first, stage->numbers};
    sidle_move move = move_there(stage);
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = stage->snapshot,
                            .dt = head->dt,
                            .motion_begin = head->motion_begin,
                            .motion_end = head->motion_end,
                            .moves = &move,
                            .count = 1,
                            .results = &run->result,
                            .contacts = run->contacts,
                            .contact_capacity = SIDLE_MAX_AGENT_CONTACTS};
    sidle_status status = sidle_capture_again(stage->crowd, &tick, &capture);
    if (status != SIDLE_OK)
    {
        return refuse(stage, "The tick", ELSEWHERE, NULL, status);
    }
    run->result.body.ground = id_back(stage, run->result.body.ground);
    for (uint32_t i = 0; i < run->result.contact_count; i++)
    {
        run->contacts[i].instance = id_back(stage, run->contacts[i].instance);
    }
    run->lanes = sidle_crowd_lanes(stage->crowd);
    return true;
}

bool replay_run(const Replay *replay, uint32_t lanes, ReplayRun *run, char *message, int message_size)
{
    Stage stage = {.replay = replay, .message = message, .message_size = message_size};
    *run = (ReplayRun){.lanes = 0};
    bool good = build_world(&stage) && make_crowd(&stage, &replay->head, lanes) && make_move(&stage, run);
    close_stage(&stage);
    return good;
}

/* ---- Comparison. ---- */

static const char *differing_field(const CaptureField *fields, size_t count, const void *one,
                                   const void *other)
{
    static const size_t sizes[] = {
        [CAPTURE_FLOAT] = 4, [CAPTURE_DOUBLE] = 8, [CAPTURE_16] = 2, [CAPTURE_32] = 4, [CAPTURE_64] = 8};
    for (size_t i = 0; i < count; i++)
    {
        const CaptureField *field = &fields[i];
        if (memcmp((const char *)one + field->offset, (const char *)other + field->offset,
                   field->count * sizes[field->kind]) != 0)
        {
            return field->name;
        }
    }
    return NULL;
}

const char *replay_difference(const Replay *replay, const ReplayRun *run)
{
    const char *name = differing_field(capture_result_fields, CAPTURE_FIELD_COUNT(capture_result_fields),
                                       &replay->result, &run->result);
    for (uint32_t i = 0; !name && i < run->result.contact_count; i++)
    {
        name = differing_field(capture_contact_fields, CAPTURE_FIELD_COUNT(capture_contact_fields),
                               &replay->contacts[i], &run->contacts[i]);
    }
    return name;
}
