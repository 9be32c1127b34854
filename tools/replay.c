#include "replay.h"

#include "console.h"
#include "sidle/world.h"
#include "src/crowd/capture_again.h"

#include <stdlib.h>
#include <string.h>

/* Ties go by (key, triangle, instance). Where instances share a key, the triangles of several may stand
 * between each other in that order, and the capture's are numbered anew here. So what comes in a row of one
 * instance becomes an instance of its own, with its place in the order as key: mostly one for each. */
typedef struct Row
{
    uint32_t instance;     /* of the capture */
    uint32_t first, count; /* in Stage.order */
} Row;

typedef struct Place
{
    uint64_t key;
    uint32_t number, instance, triangle; /* triangle: in the capture */
} Place;

/* What the move names but the capture does not hold becomes what no world has. */
#define ELSEWHERE UINT32_MAX

#define MOST_CANDIDATES 65536 /* of a crowd */

typedef struct Stage
{
    const Replay *replay;
    Place *order; /* of all triangles */
    Row *rows;    /* one instance each, with the row's number as its index */
    uint32_t row_count;
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
    free(stage->order);
    free(stage->rows);
}

/* ---- there ---- */

static int compare_places(const void *a, const void *b)
{
    const Place *p = a, *q = b;
    if (p->key != q->key)
    {
        return p->key < q->key ? -1 : 1;
    }
    if (p->number != q->number)
    {
        return p->number < q->number ? -1 : 1;
    }
    return (p->instance > q->instance) - (p->instance < q->instance);
}

static void add_to_rows(Stage *stage, uint32_t instance, uint32_t place)
{
    if (stage->row_count == 0 || stage->rows[stage->row_count - 1].instance != instance)
    {
        stage->rows[stage->row_count++] = (Row){instance, place, 0};
    }
    ++stage->rows[stage->row_count - 1].count;
}

/* Instances without triangles are there as well, behind the others: the move may name them. */
static bool find_rows(Stage *stage)
{
    const Replay *replay = stage->replay;
    size_t most = (size_t)replay->triangle_count + replay->instance_count + 1;
    stage->order = calloc(most, sizeof *stage->order);
    stage->rows = calloc(most, sizeof *stage->rows);
    if (!stage->order || !stage->rows)
    {
        return explain(stage->message, stage->message_size, "Not enough memory for %u triangles",
                       replay->triangle_count);
    }
    for (uint32_t i = 0; i < replay->instance_count; i++)
    {
        const ReplayInstance *instance = &replay->instances[i];
        for (uint32_t k = instance->first; k < instance->first + instance->as.triangle_count; k++)
        {
            stage->order[k] = (Place){instance->as.key, replay->triangles[k].number, i, k};
        }
    }
    qsort(stage->order, replay->triangle_count, sizeof *stage->order, compare_places);
    for (uint32_t k = 0; k < replay->triangle_count; k++)
    {
        add_to_rows(stage, stage->order[k].instance, k);
    }
    for (uint32_t i = 0; i < replay->instance_count; i++)
    {
        if (replay->instances[i].as.triangle_count == 0)
        {
            stage->rows[stage->row_count++] = (Row){i, 0, 0};
        }
    }
    return true;
}

/* Corners in double: origin and rest add up without rounding, as they did where they come from. */
static void list_triangles(const Stage *stage, const Row *row, double *vertices, uint16_t *surfaces)
{
    const sidle_position *origin = &stage->replay->instances[row->instance].as.origin;
    const double from[3] = {origin->x, origin->y, origin->z};
    for (uint32_t i = 0; i < row->count; i++)
    {
        const ReplayTriangle *triangle = &stage->replay->triangles[stage->order[row->first + i].triangle];
        for (uint32_t k = 0; k < 9; k++)
        {
            vertices[9 * (size_t)i + k] = from[k % 3] + (double)triangle->corners[k];
        }
        surfaces[i] = triangle->surface;
    }
}

static sidle_status make_mesh(const Stage *stage, const Row *row, sidle_error *error, sidle_mesh **out)
{
    double *vertices = malloc(((size_t)row->count + 1) * 9 * sizeof *vertices);
    uint16_t *surfaces = malloc(((size_t)row->count + 1) * sizeof *surfaces);
    sidle_status status = SIDLE_ERROR_MEMORY;
    if (vertices && surfaces)
    {
        list_triangles(stage, row, vertices, surfaces);
        sidle_mesh_desc desc = {.size = sizeof desc,
                                .vertices_d = vertices,
                                .vertex_count = 3 * row->count,
                                .triangle_count = row->count,
                                .surfaces = surfaces,
                                .origin = &stage->replay->instances[row->instance].as.origin,
                                .error = error};
        status = sidle_mesh_create(&desc, NULL, NULL, out);
    }
    free(vertices);
    free(surfaces);
    return status;
}

static bool add_row(Stage *stage, uint32_t number)
{
    const Row *row = &stage->rows[number];
    const CaptureInstance *as = &stage->replay->instances[row->instance].as;
    sidle_error error = {.text = ""};
    sidle_instance_desc desc = {
        .size = sizeof desc, .pose = as->to, .key = number, .member_of = as->member_of};
    sidle_instance id;
    sidle_status status = make_mesh(stage, row, &error, &desc.mesh);
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
    return status == SIDLE_OK || refuse(stage, "Instance", as->id.index, NULL, status);
}

static bool build_world(Stage *stage)
{
    if (!find_rows(stage))
    {
        return false;
    }
    sidle_status status = sidle_world_create(NULL, NULL, &stage->world);
    for (uint32_t i = 0; status == SIDLE_OK && i < stage->row_count; i++)
    {
        if (!add_row(stage, i))
        {
            return false;
        }
    }
    status = status == SIDLE_OK ? sidle_world_commit(stage->world, NULL) : status;
    status = status == SIDLE_OK ? sidle_world_snapshot(stage->world, &stage->snapshot) : status;
    return status == SIDLE_OK || refuse(stage, "The world", ELSEWHERE, NULL, status);
}

/* Room for everything: pieces of triangles, leaves, instances. */
static uint32_t enough_candidates(const Stage *stage)
{
    uint64_t enough = 64 + 2 * (uint64_t)stage->replay->triangle_count + stage->row_count;
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

/* The row of an instance that holds this triangle, and where; else the first row of the instance. */
static uint32_t find_row(const Stage *stage, sidle_instance id, uint32_t number, uint32_t *triangle)
{
    uint32_t found = ELSEWHERE;
    *triangle = ELSEWHERE;
    for (uint32_t i = 0; i < stage->row_count; i++)
    {
        const Row *row = &stage->rows[i];
        const sidle_instance *known = &stage->replay->instances[row->instance].as.id;
        bool is_it = known->index == id.index && known->generation == id.generation;
        found = is_it && found == ELSEWHERE ? i : found;
        for (uint32_t k = 0; is_it && k < row->count; k++)
        {
            if (stage->order[row->first + k].number == number)
            {
                *triangle = k;
                return i;
            }
        }
    }
    return found;
}

/* New ids count from 0, and all are of the first generation. */
static sidle_move move_there(const Stage *stage)
{
    sidle_move move = stage->replay->head.move;
    sidle_instance ground = move.body.ground, ignore = move.ignore;
    uint32_t unused, row = find_row(stage, ground, move.body.ground_triangle, &move.body.ground_triangle);
    move.body.ground = ground.generation ? (sidle_instance){row, 1} : ground;
    move.ignore = ignore.generation ? (sidle_instance){find_row(stage, ignore, 0, &unused), 1} : ignore;
    move.profile = 0;
    return move;
}

/* ---- and back ---- */

static void bring_back(const Stage *stage, sidle_instance *id, uint32_t *triangle)
{
    const sidle_body *given = &stage->replay->head.move.body;
    if (id->index >= stage->row_count || id->generation == 0) /* none, or what the move brought along */
    {
        *triangle = *triangle == ELSEWHERE ? given->ground_triangle : *triangle;
        *id = id->index == ELSEWHERE ? given->ground : *id;
        return;
    }
    const Row *row = &stage->rows[id->index];
    *triangle = *triangle < row->count ? stage->order[row->first + *triangle].number : given->ground_triangle;
    *id = stage->replay->instances[row->instance].as.id;
}

static void bring_contact_back(const Stage *stage, sidle_contact *contact)
{
    const Row *row = &stage->rows[contact->instance.index];
    contact->instance_key = stage->replay->instances[row->instance].as.key;
    bring_back(stage, &contact->instance, &contact->triangle);
}

static bool make_move(Stage *stage, ReplayRun *run)
{
    const CaptureHead *head = &stage->replay->head;
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
    sidle_status status = capture_again(stage->crowd, &tick, head);
    if (status != SIDLE_OK)
    {
        return refuse(stage, "The tick", ELSEWHERE, NULL, status);
    }
    bring_back(stage, &run->result.body.ground, &run->result.body.ground_triangle);
    for (uint32_t i = 0; i < run->result.contact_count; i++)
    {
        bring_contact_back(stage, &run->contacts[i]);
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
