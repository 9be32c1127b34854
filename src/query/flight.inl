/* Casts in progress: several at a time. */
#include "query/caster.h"

/* Long casts in flight. All look at a node before one of them moves on (caster_look), so that their cache misses overlap. */
#define ABREAST 6u

/* As many as fit into SIDLE_CAST_STACK; sixteen lanes need more of it elsewhere. A cast needs one for the triangles,
 * and a second one for the instances if more than one is present. */
#define STACKS (LANE_COUNT > 8 ? 6u : 7u)

#define AHEAD 8 /* casts: distance of the prefetch of requests and results */

typedef struct Flight
{
    Caster caster;
    sidle_cast_hit *hit; /* NULL: no cast */
} Flight;

typedef struct Task
{
    const sidle_cast_batch_desc *desc;
    size_t cast_stride, hit_stride;
    uint32_t next, end; /* casts that wait */
    uint32_t flying;
    bool has_boxes; /* some cast waits for cast_group */
    bool has_rays;  /* casts were skipped */
    CastScratch scratch;
    Flight flights[STACKS];
    TraceEntry stacks[STACKS][BVH_STACK_SIZE];
} Task;

_Static_assert(sizeof(Task) + 8192 <= SIDLE_CAST_STACK, "the header's limit, with 8 KiB for the calls");

/* Begins the next valid cast. Invalid ones before it get SIDLE_CAST_INVALID. */
static void take_off(Task *task, Flight *flight)
{
    const sidle_cast_batch_desc *desc = task->desc;
    flight->hit = NULL;
    while (task->next < task->end)
    {
        uint32_t i = task->next++;
        const sidle_cast *cast = (const sidle_cast *)((const char *)desc->casts + i * task->cast_stride);
        sidle_cast_hit *hit = (sidle_cast_hit *)((char *)desc->hits + i * task->hit_stride);
        __builtin_prefetch((const char *)cast + AHEAD * task->cast_stride);
        __builtin_prefetch((char *)hit + AHEAD * task->hit_stride, 1);
        bool is_ball = cast_is_plain(cast);
        if (!is_ball && is_ray(cast))
        {
            task->has_rays = true;
            continue;
        }
        if (!is_ball && sidle_cast_check(cast) != SIDLE_OK)
        {
            *hit = (sidle_cast_hit){.hit = SIDLE_CAST_INVALID};
            continue;
        }
        flight->hit = hit;
        caster_begin(&flight->caster, cast, is_ball);
        return;
    }
}

static void test_leaves(Caster *const *casters, const Group *group)
{
    const GroupList *leaves = &group->leaves;
    const uint32_t count = group->leaf_count;
    for (uint32_t i = 0; i < count && casters[0]->triangles.is_far; ++i)
    {
        prefetch_leaf(&casters[leaves->path[i]]->triangles, leaves->child[i] & ~BVH_LEAF);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        test_leaf(casters[leaves->path[i]], leaves->child[i], true);
    }
}

/* Finds the leaves of all short casts that have entered an instance, and tests them. */
static void cast_group(Flight *flights, uint32_t count, Group *group)
{
    GroupPath paths[STACKS];
    Caster *casters[STACKS];
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Caster *caster = &flights[i].caster;
        if (flights[i].hit && caster->has_box)
        {
            paths[waiting] = (GroupPath){caster->triangles.nodes, &caster->box};
            casters[waiting++] = caster;
        }
    }
    bool fits = KERNELS_GROUP(paths, waiting, group);
    if (fits)
    {
        test_leaves(casters, group);
    }
    for (uint32_t i = 0; i < waiting; ++i)
    {
        if (fits)
        {
            leave_instance(casters[i]);
        }
        else
        {
            leave_group(casters[i]);
        }
    }
}

/* Takes one step, or all of them if the trees are in the cache (is_near). Returns false if the cast is done. */
static inline bool flight_moves(Caster *caster, bool is_near)
{
    bool goes = caster->placed || caster->instances.top > 0;
    if (goes && !is_near)
    {
        return caster_move_on(caster);
    }
    while (goes && !caster->has_box)
    {
        goes = caster_step(caster);
    }
    return goes;
}

/* Steps all flights, and replaces those that are done by the next casts. */
static void fly(Task *task, uint32_t count, bool is_near)
{
    Flight *flights = task->flights;
    for (uint32_t i = 0; i < count && !is_near; ++i)
    {
        if (flights[i].hit)
        {
            caster_look(&flights[i].caster);
        }
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        Flight *flight = &flights[i];
        if (flight->hit && !flight_moves(&flight->caster, is_near))
        {
            caster_answer(&flight->caster, flight->hit);
            take_off(task, flight);
            task->flying -= flight->hit == NULL;
        }
        task->has_boxes |= flight->hit && flight->caster.has_box;
    }
}

static const sidle_cast *cast_of(const sidle_cast_batch_desc *desc, uint32_t i)
{
    size_t stride = desc->cast_stride ? desc->cast_stride : sizeof(sidle_cast);
    return (const sidle_cast *)((const char *)desc->casts + i * stride);
}

/* Casts of a batch are mostly alike, so the first decides: short casts are faster with more flights, long ones
 * slower. */
static bool begins_short(const sidle_cast_batch_desc *desc, uint32_t begin)
{
    const sidle_cast *cast = cast_of(desc, begin);
    const sidle_vec3 *d = &cast->displacement;
    float most = SHORT_PATH * cast->shape.radii.x;
    return d->x * d->x + d->y * d->y + d->z * d->z <= most * most;
}

/* Casts all but the rays. Returns true if there are rays as well. Out of line, so that its stack and that of the rays are
 * not added. */
static OUT_OF_LINE bool cast_shapes(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end)
{
    Task task;
    Group group;
    double time = motion_end(desc->motion_time);
    task.desc = desc;
    task.cast_stride = desc->cast_stride ? desc->cast_stride : sizeof(sidle_cast);
    task.hit_stride = desc->hit_stride ? desc->hit_stride : sizeof(sidle_cast_hit);
    task.next = begin;
    task.end = end;
    task.flying = 0;
    task.has_boxes = true;
    task.has_rays = false;
    cast_scratch_set(&task.scratch, &KERNELS_TABLE);
    bool is_near = desc->snapshot->mesh_bytes <= NEAR_CACHES, is_single = desc->snapshot->present_count <= 1;
    uint32_t count = !is_single ? STACKS / 2 : begins_short(desc, begin) ? STACKS : ABREAST;
    for (uint32_t i = 0; i < count; ++i)
    {
        Flight *flight = &task.flights[i];
        caster_prepare(&flight->caster, desc->snapshot, time, &task.scratch.candidates, task.stacks[i],
                       is_single ? NULL : task.stacks[STACKS / 2 + i]);
        take_off(&task, flight);
        task.flying += flight->hit != NULL;
    }
    while (task.flying > 0)
    {
        if (task.has_boxes)
        {
            cast_group(task.flights, count, &group);
            task.has_boxes = false;
        }
        fly(&task, count, is_near);
    }
    return task.has_rays;
}

/* The first cast decides which kind comes first: mostly there is no other. */
static void cast_many(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end)
{
    if (!is_ray(cast_of(desc, begin)))
    {
        if (cast_shapes(desc, begin, end))
        {
            KERNELS_RAYS(desc, begin, end);
        }
    }
    else if (KERNELS_RAYS(desc, begin, end))
    {
        cast_shapes(desc, begin, end);
    }
}

static OUT_OF_LINE sidle_status cast_shape(const sidle_snapshot *snapshot, double time,
                                           const sidle_cast *cast, sidle_cast_hit *out)
{
    CastScratch scratch;
    Flight flight;
    Caster *caster = &flight.caster;
    Group group;
    TraceEntry stacks[2][BVH_STACK_SIZE];
    bool is_ball = cast_is_plain(cast);
    sidle_status status = is_ball ? SIDLE_OK : sidle_cast_check(cast);
    if (status != SIDLE_OK)
    {
        return status;
    }
    caster_prepare(caster, snapshot, time, &scratch.candidates, stacks[0], stacks[1]);
    if (cast->shape.half_height > 0)
    {
        cast_scratch_set(&scratch, &KERNELS_TABLE);
    }
    flight.hit = out;
    caster_begin(caster, cast, is_ball);
    bool goes = caster->placed || caster->instances.top > 0;
    while (goes)
    {
        if (caster->has_box)
        {
            cast_group(&flight, 1, &group);
        }
        goes = (caster->placed || caster->instances.top > 0) && caster_step(caster);
    }
    caster_answer(caster, out);
    return SIDLE_OK;
}

static sidle_status cast_one(const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                             sidle_cast_hit *out)
{
    return (is_ray(cast) ? KERNELS_RAY : cast_shape)(snapshot, time, cast, out);
}
