/* Captures a move: an observer records every triangle of its gathers, which are then written as text. These triangles
 * are sufficient for the same bits, since a move depends on nothing else. Moving instances are written with the
 * triangles that span their box, since carrying and pushing depend on that box. Of a search that fails, only the
 * failure is recorded.
 *
 * Agents that collide: the phases before the moves run for all requests, and what they allow this agent is recorded. The slide
 * depends on other agents through that alone. */
#include "sidle/capture.h"

#include "capture/again.h"
#include "capture/limits.h"
#include "capture/notes.h"
#include "capture/text.h"

#include <stdio.h>
#include <string.h>

typedef struct Capture
{
    Observer observer; /* first: callbacks cast it back */
    const sidle_capture_desc *desc;
    CaptureNotes notes;
    CaptureHead head;
    CaptureNeighbour neighbours[CAPTURE_NEIGHBOURS];
    uint32_t searches; /* number so far */
    bool too_many;     /* a search beyond failed_searches failed */
    sidle_result result;
    sidle_contact contacts[SIDLE_MAX_AGENT_CONTACTS];
} Capture;

/* ---- recording ---- */

/* Records whether the next search failed. */
static void count_search(Capture *capture, bool fits)
{
    uint32_t number = capture->searches++;
    if (!fits && number < 64 * CAPTURE_FAILURES)
    {
        capture->head.failed_searches[number / 64] |= (uint64_t)1 << number % 64;
    }
    capture->too_many |= !fits && number >= 64 * CAPTURE_FAILURES;
}

static bool watch_gather(Observer *observer, Candidates *candidates, bool fits)
{
    Capture *capture = (Capture *)observer;
    count_search(capture, fits);
    if (fits)
    {
        sidle_notes_add_candidates(&capture->notes, candidates);
    }
    return fits;
}

static bool watch_search(Observer *observer, const uint32_t *slots, uint32_t count, bool fits)
{
    Capture *capture = (Capture *)observer;
    count_search(capture, fits);
    for (uint32_t i = 0; fits && i < count; ++i)
    {
        if (snapshot_placed(capture->desc->snapshot, slots[i])->moves)
        {
            sidle_notes_add_instance(&capture->notes, slots[i]);
        }
    }
    return fits;
}

/* Records an instance that the move refers to, even if none of its triangles is near. */
static void note_named(Capture *capture, sidle_instance named)
{
    if (snapshot_has(capture->desc->snapshot, named))
    {
        sidle_notes_add_instance(&capture->notes, named.index);
    }
}

/* ---- writing ---- */

static void write_instance(const Placed *placed, uint32_t slot, const Note *notes, uint32_t count,
                           CaptureText *text)
{
    Vec3 origin = placed->mesh->origin;
    CaptureInstance instance = {.id = {slot, placed->generation},
                                .key = placed->key,
                                .member_of = placed->member_of,
                                .flags = placed->flags,
                                .group = placed->group,
                                .origin = {origin.x, origin.y, origin.z},
                                .from = placed->from,
                                .to = placed->to,
                                .triangle_count = count};
    sidle_text_line(text, "instance");
    sidle_text_fields(text, &instance, capture_instance_fields, CAPTURE_FIELD_COUNT(capture_instance_fields));
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_text_triangle(text, notes[i].triangle, notes[i].surface, notes[i].corners);
    }
}

static void write_instances(const CaptureNotes *notes, CaptureText *text)
{
    uint32_t first = 0;
    for (uint32_t slot = 0; slot < notes->snapshot->placed_count; ++slot)
    {
        uint32_t end = first;
        while (end < notes->count && notes->list[end].instance == slot)
        {
            ++end;
        }
        if (notes->has_instance[slot])
        {
            const Note *list = end > first ? notes->list + first : NULL;
            write_instance(snapshot_placed(notes->snapshot, slot), slot, list, end - first, text);
        }
        first = end;
    }
}

static void write_neighbours(const Capture *capture, CaptureText *text)
{
    for (uint32_t i = 0; i < capture->head.neighbour_count; ++i)
    {
        sidle_text_line(text, "neighbour");
        sidle_text_fields(text, &capture->neighbours[i], capture_neighbour_fields,
                          CAPTURE_FIELD_COUNT(capture_neighbour_fields));
    }
}

static sidle_status write_all(const Capture *capture)
{
    const sidle_capture_desc *desc = capture->desc;
    CaptureText text = {.desc = desc};
    char first_line[32];
    snprintf(first_line, sizeof first_line, "sidle capture %d", SIDLE_CAPTURE_VERSION);
    sidle_text_line(&text, first_line);
    sidle_text_fields(&text, &capture->head, capture_head_fields, CAPTURE_FIELD_COUNT(capture_head_fields));
    write_neighbours(capture, &text);
    write_instances(&capture->notes, &text);
    sidle_text_line(&text, "result");
    sidle_text_fields(&text, &capture->result, capture_result_fields,
                      CAPTURE_FIELD_COUNT(capture_result_fields));
    for (uint32_t i = 0; i < capture->result.contact_count; ++i)
    {
        sidle_text_line(&text, "contact");
        sidle_text_fields(&text, &capture->contacts[i], capture_contact_fields,
                          CAPTURE_FIELD_COUNT(capture_contact_fields));
    }
    sidle_text_line(&text, "end");
    if (desc->length)
    {
        *desc->length = text.length;
    }
    bool fits = desc->write || desc->capacity == 0 || text.length < desc->capacity;
    return fits ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

/* ---- the call ---- */

/* All that the search for limits and the move do not write. */
static CaptureHead head_of(const sidle_crowd *crowd, const sidle_capture_desc *desc)
{
    CaptureHead head = {.up = crowd->given_up,
                        .gravity = crowd->given_gravity,
                        .max_candidates = crowd->capacity,
                        .lanes = crowd->kernels->lane_count,
                        .profile = crowd->profiles[desc->move->profile].given,
                        .dt = desc->dt,
                        .motion_begin = desc->motion_begin,
                        .motion_end = desc->motion_end,
                        .epoch = desc->snapshot->epoch,
                        .move = *desc->move};
    head.move.flags &= ~(uint32_t)SIDLE_MOVE_NO_CONTACTS;
    return head;
}

static sidle_status capture(sidle_crowd *crowd, void *context)
{
    Capture *c = context;
    AgentGap list[CAPTURE_NEIGHBOURS];
    AgentGaps gaps = sidle_gaps_read(&c->head, c->neighbours, list);
    TriangleCache cache = {.agent = 0};
    AgentScratch scratch = {
        .gaps = agent_gaps_given(&gaps), .contacts = c->contacts, .cache = &cache, .observer = &c->observer};
    Candidates candidates;
    crowd_place_candidates(crowd, 0, &candidates);
    if (!c->desc->flags && !c->desc->max_moves)
    {
        c->head.turn = crowd->kernels->turn(crowd, &candidates, &c->head.move);
    }
    scratch.turn = c->head.turn;
    c->notes = sidle_notes_begin(&crowd->allocator, c->desc->snapshot);
    crowd->kernels->move(crowd, &candidates, &c->head.move, &scratch, &c->result);
    note_named(c, c->desc->move->body.ground);
    note_named(c, c->desc->move->ignore);
    sidle_notes_complete(&c->notes);
    sidle_status status = c->too_many ? SIDLE_ERROR_LIMIT : SIDLE_OK;
    status = c->notes.out_of_memory ? SIDLE_ERROR_MEMORY : status;
    status = status == SIDLE_OK ? write_all(c) : status;
    sidle_notes_end(&c->notes);
    if (status == SIDLE_OK && c->desc->result)
    {
        *c->desc->result = c->result;
    }
    return status;
}

/* The place of `move` in the array of all; `count` if it is none of them. */
static uint32_t place_among(const sidle_capture_desc *desc)
{
    Row moves = ROW(desc->moves, desc->move_stride, desc->count);
    size_t offset = (uintptr_t)desc->move - (uintptr_t)desc->moves, stride = row_stride(moves);
    bool is_there = row_is_good(moves) && offset % stride == 0 && offset / stride < desc->count;
    return is_there ? (uint32_t)(offset / stride) : desc->count;
}

sidle_status sidle_capture_move(sidle_crowd *crowd, const sidle_capture_desc *desc)
{
    if (!crowd || !desc || desc->size != sizeof *desc || !desc->snapshot || !desc->move ||
        desc->move->profile >= crowd->profile_count || (desc->capacity > 0 && !desc->text) ||
        (!desc->write && !desc->text && !desc->length))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_tick_desc tick = {.snapshot = desc->snapshot,
                            .dt = desc->dt,
                            .motion_begin = desc->motion_begin,
                            .motion_end = desc->motion_end,
                            .moves = desc->moves,
                            .move_stride = desc->move_stride,
                            .count = desc->count,
                            .flags = desc->flags,
                            .max_moves = desc->max_moves};
    Capture c = {.observer = {watch_gather, watch_search}, .desc = desc, .head = head_of(crowd, desc)};
    sidle_status status = SIDLE_OK;
    if (desc->flags || desc->max_moves)
    {
        status = sidle_capture_limits(crowd, &tick, place_among(desc), &c.head, c.neighbours);
    }
    return status == SIDLE_OK ? sidle_crowd_run_alone(crowd, &tick, capture, &c) : status;
}
