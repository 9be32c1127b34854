/* Casts in progress: several at a time. */
#include "query/caster.h"

/* Casts in flight: all of them look at a node before one of them moves on (caster_look), so that they wait for
 * memory, and for the results of their instructions, together. Three to eight take the same time. Sixteen lanes
 * need more stack elsewhere. Not worth it where the trees lie in the nearest caches anyway. */
#define IN_FLIGHT   (LANE_COUNT > 8 ? 3 : 4)
#define NEAR_CACHES 0x80000 /* bytes: half of a usual second level */

#define AHEAD 8 /* casts: how far ahead of their turn their own memory is asked for */

typedef struct Flight
{
    Caster caster;
    sidle_cast_hit *hit; /* NULL: no cast */
} Flight;

typedef struct Task
{
    const sidle_cast_batch_desc *desc;
    uint32_t next, end; /* casts that wait */
    CastScratch scratch;
    Flight flights[IN_FLIGHT];
} Task;

_Static_assert(sizeof(Task) + 8192 <= SIDLE_CAST_STACK, "what the header says, with room for the calls");

/* The next cast that can be answered takes off; those that cannot are marked on the way. */
static void take_off(Task *task, Flight *flight)
{
    const sidle_cast_batch_desc *desc = task->desc;
    size_t cast_stride = desc->cast_stride ? desc->cast_stride : sizeof(sidle_cast);
    size_t hit_stride = desc->hit_stride ? desc->hit_stride : sizeof(sidle_cast_hit);
    flight->hit = NULL;
    while (task->next < task->end && !flight->hit)
    {
        uint32_t i = task->next++;
        const sidle_cast *cast = (const sidle_cast *)((const char *)desc->casts + i * cast_stride);
        sidle_cast_hit *hit = (sidle_cast_hit *)((char *)desc->hits + i * hit_stride);
        __builtin_prefetch((const char *)cast + AHEAD * cast_stride);
        __builtin_prefetch((char *)hit + AHEAD * hit_stride, 1);
        if (!cast_is_plain(cast) && cast_check(cast) != SIDLE_OK)
        {
            *hit = (sidle_cast_hit){.hit = SIDLE_CAST_INVALID};
            continue;
        }
        double time = motion_end(desc->motion_time);
        caster_begin(&flight->caster, desc->snapshot, time, cast, &task->scratch.candidates);
        flight->hit = hit;
    }
}

static bool needs_flights(const sidle_snapshot *snapshot)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < snapshot->present_count && bytes <= NEAR_CACHES; ++i)
    {
        const sidle_mesh *mesh = snapshot->placed[snapshot->present[i]].mesh;
        bytes += mesh->packet_bytes + mesh->node_count * sizeof *mesh->nodes;
    }
    return bytes > NEAR_CACHES;
}

static void fly_alone(Task *task)
{
    Flight *flight = &task->flights[0];
    while (flight->hit)
    {
        while (caster_step(&flight->caster, UINT32_MAX))
        {
        }
        caster_answer(&flight->caster, flight->hit);
        take_off(task, flight);
    }
}

static void cast_many(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end)
{
    Task task;
    task.desc = desc;
    task.next = begin;
    task.end = end;
    cast_scratch_set(&task.scratch, &KERNELS_TABLE);
    uint32_t count = end - begin > 1 && needs_flights(desc->snapshot) ? IN_FLIGHT : 1, flying = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        take_off(&task, &task.flights[i]);
        flying += task.flights[i].hit != NULL;
    }
    if (count == 1)
    {
        fly_alone(&task);
        return;
    }
    while (flying > 0)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            if (task.flights[i].hit)
            {
                caster_look(&task.flights[i].caster);
            }
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            Flight *flight = &task.flights[i];
            if (flight->hit && !caster_move_on(&flight->caster))
            {
                caster_answer(&flight->caster, flight->hit);
                take_off(&task, flight);
                flying -= flight->hit == NULL;
            }
        }
    }
}

static void cast_one(const sidle_snapshot *snapshot, double time, const sidle_cast *cast, sidle_cast_hit *out)
{
    CastScratch scratch;
    Caster caster;
    if (!cast_is_plain(cast))
    {
        cast_scratch_set(&scratch, &KERNELS_TABLE);
    }
    caster_begin(&caster, snapshot, time, cast, &scratch.candidates);
    while (caster_step(&caster, UINT32_MAX))
    {
    }
    caster_answer(&caster, out);
}
