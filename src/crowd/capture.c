/* A move, watched: every triangle that one of its gathers brings is noted, then all is written down. The
 * triangles alone give the same bits again, since what is not gathered has no part in a move; and what moves
 * comes with the triangles that span its box, since that is what carrying and pushing look at beside them. A
 * search that fails brings none: that it failed is all that matters of it. */
#include "sidle/capture.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"
#include "crowd/capture_notes.h"
#include "crowd/capture_text.h"

#include <stdio.h>
#include <string.h>

#define NAMED 2 /* instances that a move names: its ground, and what it ignores */

typedef struct Capture
{
    Observer observer; /* first: it is what comes back as self */
    const sidle_crowd *crowd;
    const sidle_capture_desc *desc;
    Candidates candidates;
    TriangleCache cache;
    CaptureNotes notes;
    uint32_t searches; /* made */
    uint64_t failed[CAPTURE_FAILURES];
    sidle_status status;

    sidle_move move; /* as it is made */
    sidle_instance named[NAMED];
    sidle_result result;
    sidle_contact met[SIDLE_MAX_AGENT_CONTACTS];
} Capture;

/* ---- watching ---- */

/* Notes whether the next search failed. */
static void count_search(Capture *capture, bool fits)
{
    uint32_t number = capture->searches++;
    if (!fits && number < 64 * CAPTURE_FAILURES)
    {
        capture->failed[number / 64] |= (uint64_t)1 << number % 64;
    }
    else if (!fits)
    {
        capture->status = SIDLE_ERROR_LIMIT;
    }
}

static bool watch_gather(Observer *observer, Candidates *candidates, bool fits)
{
    Capture *capture = (Capture *)observer;
    count_search(capture, fits);
    if (fits)
    {
        notes_add_candidates(&capture->notes, candidates);
    }
    return fits;
}

static bool watch_search(Observer *observer, const uint32_t *slots, uint32_t count, bool fits)
{
    Capture *capture = (Capture *)observer;
    count_search(capture, fits);
    for (uint32_t i = 0; fits && i < count; ++i)
    {
        notes_add_moving(&capture->notes, slots[i]);
    }
    return fits;
}

static void note_named(Capture *capture)
{
    for (int i = 0; i < NAMED; ++i)
    {
        if (snapshot_has(capture->desc->snapshot, capture->named[i]))
        {
            notes_add_moving(&capture->notes, capture->named[i].index);
        }
    }
}

/* ---- writing ---- */

static void write_head(const Capture *capture, CaptureText *text)
{
    const sidle_crowd *crowd = capture->crowd;
    const sidle_capture_desc *desc = capture->desc;
    CaptureHead head = {.up = crowd->given_up,
                        .gravity = crowd->given_gravity,
                        .max_candidates = crowd->capacity,
                        .lanes = crowd->kernels->lane_count,
                        .profile = crowd->profiles[capture->move.profile].given,
                        .dt = desc->dt,
                        .motion_begin = desc->motion_begin,
                        .motion_end = desc->motion_end,
                        .epoch = desc->snapshot->epoch,
                        .move = capture->move};
    memcpy(head.failed_searches, capture->failed, sizeof head.failed_searches);
    char first_line[32];
    snprintf(first_line, sizeof first_line, "sidle capture %d", SIDLE_CAPTURE_VERSION);
    text_line(text, first_line);
    text_fields(text, &head, capture_head_fields, CAPTURE_FIELD_COUNT(capture_head_fields));
}

static void write_instance(const Capture *capture, uint32_t slot, uint32_t first, uint32_t count,
                           CaptureText *text)
{
    const Placed *placed = &capture->desc->snapshot->placed[slot];
    Vec3 origin = placed->mesh->origin;
    CaptureInstance instance = {.id = {slot, placed->generation},
                                .key = placed->key,
                                .member_of = placed->member_of,
                                .flags = placed->flags,
                                .origin = {origin.x, origin.y, origin.z},
                                .from = placed->from,
                                .to = placed->to,
                                .triangle_count = count};
    text_line(text, "instance");
    text_fields(text, &instance, capture_instance_fields, CAPTURE_FIELD_COUNT(capture_instance_fields));
    for (uint32_t i = first; i < first + count; ++i)
    {
        const Note *note = &capture->notes.list[i];
        text_triangle(text, note->triangle, note->surface, note->corners);
    }
}

/* What the move names is there even if nothing of it is near. */
static uint32_t next_slot(const Capture *capture, uint32_t from, uint32_t noted)
{
    uint32_t next = noted < capture->notes.count ? capture->notes.list[noted].instance : UINT32_MAX;
    for (int i = 0; i < NAMED; ++i)
    {
        sidle_instance named = capture->named[i];
        bool is_there = snapshot_has(capture->desc->snapshot, named) && named.index >= from;
        next = is_there && named.index < next ? named.index : next;
    }
    return next;
}

static void write_instances(const Capture *capture, CaptureText *text)
{
    uint32_t first = 0, end = 0;
    for (uint32_t slot = next_slot(capture, 0, 0); slot != UINT32_MAX;
         slot = next_slot(capture, slot + 1, end))
    {
        while (end < capture->notes.count && capture->notes.list[end].instance == slot)
        {
            ++end;
        }
        write_instance(capture, slot, first, end - first, text);
        first = end;
    }
}

static sidle_status write_all(const Capture *capture)
{
    const sidle_capture_desc *desc = capture->desc;
    CaptureText text = {.desc = desc};
    write_head(capture, &text);
    write_instances(capture, &text);
    text_line(&text, "result");
    text_fields(&text, &capture->result, capture_result_fields, CAPTURE_FIELD_COUNT(capture_result_fields));
    for (uint32_t i = 0; i < capture->result.contact_count; ++i)
    {
        text_line(&text, "contact");
        text_fields(&text, &capture->met[i], capture_contact_fields,
                    CAPTURE_FIELD_COUNT(capture_contact_fields));
    }
    text_line(&text, "end");
    if (desc->length)
    {
        *desc->length = text.length;
    }
    bool fits = desc->write || desc->capacity == 0 || text.length < desc->capacity;
    return fits ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

/* ---- the call ---- */

static FP_BODY sidle_status capture(sidle_crowd *crowd, const sidle_capture_desc *desc)
{
    Capture c = {.observer = {watch_gather, watch_search},
                 .crowd = crowd,
                 .desc = desc,
                 .notes = notes_begin(&crowd->allocator, desc->snapshot),
                 .move = *desc->move,
                 .named = {desc->move->body.ground, desc->move->ignore}};
    AgentScratch scratch = {.met = c.met, .cache = &c.cache, .observer = &c.observer};
    c.move.flags &= ~(uint32_t)SIDLE_MOVE_NO_CONTACTS;
    crowd_place_candidates(crowd, 0, &c.candidates);
    crowd->kernels->move(crowd, &c.candidates, &c.move, &scratch, &c.result);
    note_named(&c);
    notes_sort(&c.notes);
    c.status = c.notes.out_of_memory ? SIDLE_ERROR_MEMORY : c.status;
    c.status = c.status == SIDLE_OK ? write_all(&c) : c.status;
    notes_end(&c.notes);
    if (c.status == SIDLE_OK && desc->result)
    {
        *desc->result = c.result;
    }
    return c.status;
}

sidle_status sidle_capture_move(sidle_crowd *crowd, const sidle_capture_desc *desc)
{
    if (!crowd || !desc || desc->size < sizeof *desc || !desc->move ||
        desc->move->profile >= crowd->profile_count || (desc->capacity > 0 && !desc->text) ||
        (!desc->write && !desc->text && !desc->length))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    /* Runs inside a tick without agents, which checks the arguments and reserves the memory. */
    sidle_tick_desc nobody = {.size = sizeof nobody,
                              .snapshot = desc->snapshot,
                              .dt = desc->dt,
                              .motion_begin = desc->motion_begin,
                              .motion_end = desc->motion_end};
    sidle_work work;
    sidle_status status = sidle_crowd_tick_begin(crowd, &nobody, 1, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    FpEnvironment host = fp_enter();
    status = capture(crowd, desc);
    fp_leave(host);
    sidle_status ended = sidle_crowd_tick_end(crowd, &work);
    return status != SIDLE_OK ? status : ended;
}
