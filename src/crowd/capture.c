/* A move, watched: every triangle that one of its gathers brings is noted, then all is written down. The
 * triangles alone give the same bits again, since what is not gathered has no part in a move. A gather that
 * fails brings none: that it failed is all that matters of it. */
#include "sidle/capture.h"

#include "base/fp_environment.h"
#include "crowd/agent.h"
#include "crowd/capture_text.h"
#include "crowd/mover.h"
#include "mesh/packet.h"

#include <string.h>

typedef struct Noted
{
    uint32_t instance, triangle;
    float corners[9]; /* stored space */
    uint16_t surface;
} Noted;

typedef struct Capture
{
    Gatherer gatherer; /* first: it is what comes back as self */
    const sidle_crowd *crowd;
    const sidle_capture_desc *desc;
    Candidates candidates;
    LeafCache cache;
    Noted *noted;
    uint32_t count, capacity;
    uint32_t gathers; /* made */
    uint64_t failed[CAPTURE_FAILURES];
    sidle_status status;

    sidle_move move; /* as it is made */
    sidle_result result;
    sidle_contact met[SIDLE_MAX_AGENT_CONTACTS];
} Capture;

/* ---- noting ---- */

static bool reserve(Capture *capture, uint32_t more)
{
    const sidle_allocator *allocator = &capture->crowd->allocator;
    if (more <= capture->capacity - capture->count)
    {
        return true;
    }
    uint64_t wanted = 2 * (uint64_t)capture->count + more;
    Noted *noted = wanted <= UINT32_MAX ? memory_allocate(allocator, wanted, sizeof *noted) : NULL;
    if (!noted)
    {
        capture->status = SIDLE_ERROR_MEMORY;
        return false;
    }
    if (capture->count > 0)
    {
        memcpy(noted, capture->noted, capture->count * sizeof *noted);
    }
    memory_free(allocator, capture->noted, capture->capacity, sizeof *noted);
    capture->noted = noted;
    capture->capacity = (uint32_t)wanted;
    return true;
}

static Noted note_of(const Candidate *candidate)
{
    Noted noted = {
        .instance = candidate->instance, .triangle = candidate->triangle, .surface = candidate->surface};
    const LeafPacket *packet = candidate->packet;
    uint32_t local = candidate->local;
    packet_make_whole(&packet, &local);
    for (uint32_t i = 0; i < 9; ++i)
    {
        noted.corners[i] = packet->vertices[packet->index[local][i / 3] + i % 3 * packet->stride];
    }
    return noted;
}

static void note_all(Capture *capture, const Candidates *c)
{
    if (reserve(capture, c->wide.count))
    {
        for (uint32_t i = 0; i < c->wide.count; ++i)
        {
            capture->noted[capture->count++] = note_of(&c->list[i]);
        }
    }
}

static bool watch(Gatherer *gatherer, Mover *mover, const Reach *reach)
{
    Capture *capture = (Capture *)gatherer;
    uint32_t number = capture->gathers++;
    bool fits = candidates_gather(mover->candidates, mover->snapshot, &mover->frame, reach, &mover->filter,
                                  mover->cache);
    if (fits)
    {
        note_all(capture, mover->candidates);
    }
    else if (number < 64 * CAPTURE_FAILURES)
    {
        capture->failed[number / 64] |= (uint64_t)1 << number % 64;
    }
    else
    {
        capture->status = SIDLE_ERROR_LIMIT;
    }
    return fits;
}

/* ---- each once, in order ---- */

static bool noted_before(const Noted *a, const Noted *b)
{
    return a->instance != b->instance ? a->instance < b->instance : a->triangle < b->triangle;
}

/* D. Shell, "A high-speed sorting procedure", 1959: in place and without recursion. */
static void sort(Noted *list, uint32_t count)
{
    for (uint32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : (uint32_t)(gap * (uint64_t)5 / 11))
    {
        for (uint32_t i = gap; i < count; ++i)
        {
            Noted noted = list[i];
            uint32_t at = i;
            for (; at >= gap && noted_before(&noted, &list[at - gap]); at -= gap)
            {
                list[at] = list[at - gap];
            }
            list[at] = noted;
        }
    }
}

static void keep_each_once(Capture *capture)
{
    uint32_t kept = 0;
    sort(capture->noted, capture->count);
    for (uint32_t i = 0; i < capture->count; ++i)
    {
        if (kept == 0 || noted_before(&capture->noted[kept - 1], &capture->noted[i]))
        {
            capture->noted[kept++] = capture->noted[i];
        }
    }
    capture->count = kept;
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
    memcpy(head.failed_gathers, capture->failed, sizeof head.failed_gathers);
    text_line(text, "sidle capture 1");
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
                                .origin = {origin.x, origin.y, origin.z},
                                .from = placed->from,
                                .to = placed->to,
                                .triangle_count = count};
    text_line(text, "instance");
    text_fields(text, &instance, capture_instance_fields, CAPTURE_FIELD_COUNT(capture_instance_fields));
    for (uint32_t i = first; i < first + count; ++i)
    {
        const Noted *noted = &capture->noted[i];
        text_triangle(text, noted->triangle, noted->surface, noted->corners);
    }
}

/* What the move names is there even if nothing of it is near. */
static uint32_t next_slot(const Capture *capture, uint32_t from, uint32_t noted)
{
    const sidle_instance named[2] = {capture->move.body.ground, capture->move.ignore};
    uint32_t next = noted < capture->count ? capture->noted[noted].instance : UINT32_MAX;
    for (int i = 0; i < 2; ++i)
    {
        bool is_there = snapshot_has(capture->desc->snapshot, named[i]) && named[i].index >= from;
        next = is_there && named[i].index < next ? named[i].index : next;
    }
    return next;
}

static void write_instances(const Capture *capture, CaptureText *text)
{
    uint32_t first = 0, end = 0;
    for (uint32_t slot = next_slot(capture, 0, 0); slot != UINT32_MAX;
         slot = next_slot(capture, slot + 1, end))
    {
        while (end < capture->count && capture->noted[end].instance == slot)
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
    bool fits = desc->write || !desc->text || text.length < desc->capacity;
    return fits ? SIDLE_OK : SIDLE_ERROR_LIMIT;
}

/* ---- the call ---- */

static FP_BODY sidle_status capture(sidle_crowd *crowd, const sidle_capture_desc *desc)
{
    Capture c = {.gatherer = {.gather = watch}, .crowd = crowd, .desc = desc, .move = *desc->move};
    AgentScratch scratch = {.met = c.met, .cache = &c.cache, .gatherer = &c.gatherer};
    c.move.flags &= ~(uint32_t)SIDLE_MOVE_NO_CONTACTS;
    crowd_place_candidates(crowd, 0, &c.candidates);
    agent_tick(crowd, &c.candidates, &c.move, &scratch, &c.result);
    if (c.status == SIDLE_OK)
    {
        keep_each_once(&c);
        c.status = write_all(&c);
    }
    memory_free(&crowd->allocator, c.noted, c.capacity, sizeof *c.noted);
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
    /* Inside of a tick of nobody, which checks what a tick checks and has the memory ready. */
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
