#include "replay.h"

#include "console.h"
#include "sidle/world.h"

#include <stdlib.h>
#include <string.h>

/* The world of a replay gives ids and triangle numbers of its own. What the move names but the capture does not hold
 * becomes what no world has. */
#define ELSEWHERE UINT32_MAX

typedef struct Stage
{
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
}

/* ---- there ---- */

/* Corners in double: origin and rest add up without rounding, as they did where they come from. */
static sidle_status make_mesh(const Replay *replay, const ReplayInstance *instance, sidle_error *error,
                              sidle_mesh **out)
{
    uint32_t count = instance->as.triangle_count;
    const sidle_position *origin = &instance->as.origin;
    double *vertices = malloc((size_t)(count + 1) * 9 * sizeof *vertices);
    uint16_t *surfaces = malloc((size_t)(count + 1) * sizeof *surfaces);
    sidle_status status = SIDLE_ERROR_MEMORY;
    for (uint32_t i = 0; vertices && surfaces && i < count; i++)
    {
        const ReplayTriangle *triangle = &replay->triangles[instance->first + i];
        const double from[3] = {origin->x, origin->y, origin->z};
        for (uint32_t k = 0; k < 9; k++)
        {
            vertices[9 * (size_t)i + k] = from[k % 3] + (double)triangle->corners[k];
        }
        surfaces[i] = triangle->surface;
    }
    if (vertices && surfaces)
    {
        sidle_mesh_desc desc = {.size = sizeof desc,
                                .vertices_d = vertices,
                                .vertex_count = 3 * count,
                                .triangle_count = count,
                                .surfaces = surfaces,
                                .origin = origin,
                                .error = error};
        status = sidle_mesh_create(&desc, NULL, NULL, out);
    }
    free(vertices);
    free(surfaces);
    return status;
}

static bool add_instance(Stage *stage, const Replay *replay, uint32_t i)
{
    const ReplayInstance *instance = &replay->instances[i];
    sidle_error error = {.text = ""};
    sidle_instance_desc desc = {.size = sizeof desc,
                                .pose = instance->as.to,
                                .key = instance->as.key,
                                .member_of = instance->as.member_of};
    sidle_instance id;
    sidle_status status = make_mesh(replay, instance, &error, &desc.mesh);
    if (status != SIDLE_OK)
    {
        return refuse(stage, "Instance", i, &error, status);
    }
    status = sidle_world_add(stage->world, &desc, &id);
    sidle_mesh_release(desc.mesh);
    if (status == SIDLE_OK)
    {
        status = sidle_world_move(stage->world, id, &instance->as.from, &instance->as.to);
    }
    return status == SIDLE_OK || refuse(stage, "Instance", i, NULL, status);
}

static bool build_world(Stage *stage, const Replay *replay)
{
    sidle_status status = sidle_world_create(NULL, NULL, &stage->world);
    for (uint32_t i = 0; status == SIDLE_OK && i < replay->instance_count; i++)
    {
        if (!add_instance(stage, replay, i))
        {
            return false;
        }
    }
    status = status == SIDLE_OK ? sidle_world_commit(stage->world, NULL) : status;
    status = status == SIDLE_OK ? sidle_world_snapshot(stage->world, &stage->snapshot) : status;
    return status == SIDLE_OK || refuse(stage, "The world", ELSEWHERE, NULL, status);
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
                             .max_candidates = head->max_candidates,
                             .error = &error};
    sidle_status status = sidle_crowd_create(&desc, NULL, &stage->crowd);
    return status == SIDLE_OK || refuse(stage, "The crowd", ELSEWHERE, &error, status);
}

static uint32_t find_instance(const Replay *replay, sidle_instance id)
{
    for (uint32_t i = 0; i < replay->instance_count; i++)
    {
        const sidle_instance *known = &replay->instances[i].as.id;
        if (known->index == id.index && known->generation == id.generation)
        {
            return i;
        }
    }
    return ELSEWHERE;
}

/* New ids count from 0, and all are of the first generation. */
static sidle_instance id_there(const Replay *replay, sidle_instance id)
{
    uint32_t at = find_instance(replay, id);
    return id.generation ? (sidle_instance){at, 1} : id;
}

static sidle_move move_there(const Replay *replay)
{
    sidle_move move = replay->head.move;
    uint32_t ground = find_instance(replay, move.body.ground), triangle = ELSEWHERE;
    if (ground != ELSEWHERE)
    {
        const ReplayInstance *instance = &replay->instances[ground];
        for (uint32_t i = 0; i < instance->as.triangle_count; i++)
        {
            bool is_it = replay->triangles[instance->first + i].number == move.body.ground_triangle;
            triangle = is_it ? i : triangle;
        }
    }
    move.body.ground_triangle = triangle;
    move.body.ground = id_there(replay, move.body.ground);
    move.ignore = id_there(replay, move.ignore);
    move.profile = 0;
    return move;
}

/* ---- and back ---- */

static void bring_back(const Replay *replay, sidle_instance *id, uint32_t *triangle)
{
    const sidle_body *body = &replay->head.move.body;
    if (id->index >= replay->instance_count || id->generation == 0) /* none, or what the move brought along */
    {
        *triangle = *triangle == ELSEWHERE ? body->ground_triangle : *triangle;
        *id = id->index == ELSEWHERE ? body->ground : *id;
        return;
    }
    const ReplayInstance *instance = &replay->instances[id->index];
    *triangle = *triangle < instance->as.triangle_count
                    ? replay->triangles[instance->first + *triangle].number
                    : body->ground_triangle;
    *id = instance->as.id;
}

static bool make_move(Stage *stage, const Replay *replay, ReplayRun *run)
{
    const CaptureHead *head = &replay->head;
    sidle_move move = move_there(replay);
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
    sidle_status status = sidle_crowd_tick(stage->crowd, &tick);
    if (status != SIDLE_OK)
    {
        return refuse(stage, "The tick", ELSEWHERE, NULL, status);
    }
    bring_back(replay, &run->result.body.ground, &run->result.body.ground_triangle);
    for (uint32_t i = 0; i < run->result.contact_count; i++)
    {
        bring_back(replay, &run->contacts[i].instance, &run->contacts[i].triangle);
    }
    run->lanes = sidle_crowd_lanes(stage->crowd);
    return true;
}

bool replay_run(const Replay *replay, uint32_t lanes, ReplayRun *run, char *message, int message_size)
{
    Stage stage = {.message = message, .message_size = message_size};
    *run = (ReplayRun){.lanes = 0};
    bool good = build_world(&stage, replay) && make_crowd(&stage, &replay->head, lanes) &&
                make_move(&stage, replay, run);
    close_stage(&stage);
    return good;
}

/* ---- compared ---- */

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
