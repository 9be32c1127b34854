/* Rays: from a request to a hit, one after the other or several in flight. */
#include "query/ray.h"

/* Rays in flight. All look at a node before one of them moves on, so that their cache misses overlap. A ray needs a stack for the
 * triangles, and a second one for the instances if more than one is present. */
#define RAYS_ABREAST 6u
#define RAY_STACKS   8u

#define RAYS_AHEAD 8 /* rays: distance of the prefetch of requests and results */

/* ---- the request ---- */

/* Returns true if the ray is valid, as most are. Tested without branches, as cast_is_plain. */
static inline bool ray_is_plain(const sidle_cast *cast)
{
    const float most = (float)SIDLE_MAX_COORDINATE;
    int origin = quad_less_equal(quad_abs(quad_load((const double *)(const void *)cast)),
                                 quad_all(SIDLE_MAX_COORDINATE)) &
                 7;
    int turn = float4_less_equal(float4_abs(float4_load(&cast->rotation)), float4_all(FLT_MAX));
    int moves = float4_less_equal(float4_abs(float4_load(&cast->displacement)), float4_all(most));
    int is_ray = float4_equal(float4_load(&cast->shape), float4_all(0));
    return ((origin == 7) & ((turn & moves & is_ray) == 15)) &
           !(cast->flags & ~(uint32_t)(SIDLE_CAST_ONE_SIDED | SIDLE_CAST_ANY));
}

/* The half extents for the walk of the instances, as ray_enter's: across the ray a corner moves by at most 16 u of its
 * distance along each axis, and no more in the world, whatever the instance's scale and rotation; the factor leaves ample
 * room. */
static Quad ray_extents(const sidle_snapshot *snapshot, Vec3 center)
{
    const BvhNode *root = bvh_node(snapshot->nodes, snapshot->root);
    const float *planes[3][2] = {
        {root->min_x, root->max_x}, {root->min_y, root->max_y}, {root->min_z, root->max_z}};
    const double c[3] = {center.x, center.y, center.z};
    double size = 0;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            double low = fabs((double)planes[axis][0][i] - c[axis]),
                   high = fabs((double)planes[axis][1][i] - c[axis]);
            size = larger(larger(low, high), size); /* this order skips the NaN of unused children */
        }
    }
    return quad_all(4 * PACK_ERROR * 3 * sqrt(3) * size);
}

static inline void ray_begin_walk(RayCaster *caster, const sidle_cast *cast)
{
    const sidle_snapshot *snapshot = caster->snapshot;
    Trace *trace = &caster->instances;
    trace->top = caster->triangles.top = 0;
    caster->share = round_up(1);
    if ((float4_equal(float4_load(&cast->displacement), float4_all(0)) & 7) == 7) /* no path, no hit */
    {
        return;
    }
    if (snapshot->present_count == 1)
    {
        ray_enter(caster, snapshot_placed(snapshot, snapshot->only));
    }
    else if (snapshot->present_count > 1)
    {
        Vec3 center = vec3_sub(caster->from, snapshot->origin);
        trace->leaves = (const char *)snapshot->all_placed;
        trace->leaf_unit = sizeof *snapshot->all_placed;
        begin_trace(trace, snapshot->nodes, snapshot->root, quad_of(center), ray_extents(snapshot, center),
                    quad_of(caster->path));
    }
}

/* Called once for a caster. `instances` may be NULL if only one instance is present. */
static inline void ray_prepare(RayCaster *caster, const sidle_snapshot *snapshot, double time,
                               TraceEntry *triangles, TraceEntry *instances)
{
    caster->snapshot = snapshot;
    caster->filter = (Filter){.time = time};
    caster->triangles.is_far = caster->instances.is_far = snapshot->mesh_bytes > NEAR_CACHES;
    caster->triangles.stack = triangles;
    caster->instances.stack = instances;
}

static inline void ray_begin(RayCaster *caster, const sidle_cast *cast, sidle_cast_hit *out)
{
    caster->out = out;
    caster->filter.collides_with = cast->collides_with ? cast->collides_with : UINT32_MAX;
    caster->filter.ignore = cast->ignore;
    caster->filter.ignored_group = placed_group_ignored(cast->ignored_group);
    caster->filter.one_sided = (cast->flags & SIDLE_CAST_ONE_SIDED) != 0;
    caster->ignored_surfaces = cast->ignored_surfaces;
    caster->is_any = (cast->flags & SIDLE_CAST_ANY) != 0;
    caster->path = vec3_from(cast->displacement);
    caster->from = vec3_from_position(cast->origin);
    caster->best.found = false;
    caster->best.time = 1;
    caster->best.is_named = true;
    caster->late.packet = NULL;
    ray_begin_walk(caster, cast);
}

/* ---- the hit ---- */

static inline void ray_answer(RayCaster *caster)
{
    RayHit *best = &caster->best;
    sidle_cast_hit *out = caster->out;
    if (!best->found || caster->is_any) /* which one depends on the walk */
    {
        *out = (sidle_cast_hit){.hit = best->found ? SIDLE_CAST_HIT : SIDLE_CAST_MISS};
        return;
    }
    Placed between;
    const Placed *placed = best->placed;
    uint64_t key = placed->key;
    uint32_t generation = placed->generation, slot = placed->slot;
    ray_name(best);
    placed = placed->moves ? sidle_placed_at(placed, caster->filter.time, &between) : placed;
    Vec3 path = caster->path, normal = best->normal;
    normal = placed->is_plain ? normal : mat3_mul_transposed(placed->inverse, normal);
    if (vec3_length2(normal) <= 0 && vec3_is_zero(normal))
    {
        normal = path;
    }
    normal = vec3_scale(vec3_normalize(normal), 1 - 2 * (double)(vec3_dot(normal, path) > 0));
    Vec3 point = vec3_add_scaled(caster->from, path, best->time);
    *out = (sidle_cast_hit){.t = best->time,
                            .point = {point.x, point.y, point.z},
                            .normal = vec3_to_float(normal),
                            .hit = SIDLE_CAST_HIT,
                            .instance_key = key,
                            .instance = {slot, generation},
                            .triangle = best->triangle,
                            .surface = best->surface,
                            .feature = SIDLE_FEATURE_FACE};
}

/* ---- leaves of copies (copies.inl) ---- */

static inline bool ray_has_copy(const RayCaster *caster, const LeafPacket *packet)
{
    Copy best = {caster->best.packet, (uint8_t)caster->best.local};
    return caster->best.found && caster->best.placed == caster->placed && is_copy(&best, packet, 0);
}

/* Returns true if the triangles of a leaf of copies are known. */
static OUT_OF_LINE bool ray_takes_copies(RayCaster *caster, const LeafPacket *packet)
{
    RayHit *best = &caster->best;
    if (caster->late.packet && caster->late_placed == caster->placed && is_copy(&caster->late, packet, 0))
    {
        return true;
    }
    if (!ray_has_copy(caster, packet))
    {
        return false;
    }
    uint32_t first = first_of_leaf(packet);
    if (ray_prefers(caster, packet, first)) /* mutant: first_copy_on_a_ray */
    {
        best->packet = packet;
        best->local = first;
        best->is_named = false;
    }
    return true;
}

/* After the test of a leaf of copies. */
static OUT_OF_LINE void ray_keeps_copies(RayCaster *caster, const LeafPacket *packet)
{
    if (!ray_has_copy(caster, packet) &&
        (!caster->best.found || ray_prefers(caster, packet, first_of_leaf(packet))))
    {
        caster->late = (Copy){packet, 0};
        caster->late_placed = caster->placed;
    }
}

/* ---- the walk ---- */

static inline void ray_leaf(RayCaster *caster, uint32_t child)
{
    if (caster->field)
    {
        ray_square(caster, caster->field, child & ~BVH_LEAF);
        return;
    }
    const LeafPacket *packet = packet_at((const uint8_t *)caster->triangles.leaves, child & ~BVH_LEAF);
    bool is_of_copies = packet->vertex_count <= 3 && !caster->ignored_surfaces && is_leaf_of_copies(packet);
    if (is_of_copies && ray_takes_copies(caster, packet))
    {
        return;
    }
    ray_packet(caster, packet);
    if (is_of_copies)
    {
        ray_keeps_copies(caster, packet);
    }
}

/* Enters the next instance. */
static inline void ray_next_instance(RayCaster *caster)
{
    TraceEntry entry;
    if (KERNELS_NEXT(&caster->instances, caster->share, &entry))
    {
        ray_enter(caster, &caster->snapshot->all_placed[entry.child & ~BVH_LEAF]);
    }
}

/* Tests all leaves of the instance. */
static inline void ray_walk(RayCaster *caster)
{
    Trace *trace = &caster->triangles;
    TraceEntry *top = trace->stack + trace->top, entry;
    TraceLanes lanes;
    trace_lanes_set(&lanes, trace, caster->share);
    while (trace_to_leaf(trace, &lanes, caster->share, &top, &entry))
    {
        ray_leaf(caster, entry.child);
        lanes.limit = lanes_set(caster->share);
    }
    trace->top = 0;
}

/* Walks all that is left. */
static void ray_finish(RayCaster *caster)
{
    while (caster->triangles.top > 0 || caster->instances.top > 0)
    {
        if (caster->triangles.top > 0)
        {
            ray_walk(caster);
        }
        else
        {
            ray_next_instance(caster);
        }
    }
}

/* One step of several, after KERNELS_LOOK. Returns false if the ray is done. */
static inline bool ray_moves_on(RayCaster *caster)
{
    Trace *trace = &caster->triangles;
    if (trace->top == 0)
    {
        if (caster->instances.top == 0)
        {
            return false;
        }
        ray_next_instance(caster);
        return true;
    }
    uint32_t child = trace->stack[trace->top - 1].child;
    if (child & BVH_LEAF)
    {
        --trace->top;
        ray_leaf(caster, child);
        trace_drop_late(trace, caster->share);
    }
    else
    {
        trace_move_on(trace, caster->share);
    }
    return trace->top > 0 || caster->instances.top > 0;
}

/* ---- many ---- */

typedef struct RayTask
{
    const sidle_cast_batch_desc *desc;
    size_t cast_stride, hit_stride;
    uint32_t next, end; /* casts that wait */
    bool has_shapes;    /* casts were skipped */
    RayCaster casters[RAYS_ABREAST];
    TraceEntry stacks[RAY_STACKS][BVH_STACK_SIZE];
} RayTask;

_Static_assert(sizeof(RayTask) + 8192 <= SIDLE_CAST_STACK, "the header's limit, with 8 KiB for the calls");

/* Begins the next valid ray. Invalid ones before it get SIDLE_CAST_INVALID. Returns false if none is left. */
static inline bool ray_next(RayTask *task, RayCaster *caster)
{
    while (task->next < task->end)
    {
        uint32_t i = task->next++;
        const sidle_cast *cast =
            (const sidle_cast *)((const char *)task->desc->casts + i * task->cast_stride);
        sidle_cast_hit *hit = (sidle_cast_hit *)((char *)task->desc->hits + i * task->hit_stride);
        __builtin_prefetch((const char *)cast + RAYS_AHEAD * task->cast_stride);
        __builtin_prefetch((char *)hit + RAYS_AHEAD * task->hit_stride, 1);
        if (!is_ray(cast))
        {
            task->has_shapes = true;
            continue;
        }
        if (!ray_is_plain(cast) && sidle_cast_check(cast) != SIDLE_OK)
        {
            *hit = (sidle_cast_hit){.hit = SIDLE_CAST_INVALID};
            continue;
        }
        ray_begin(caster, cast, hit);
        return true;
    }
    return false;
}

/* Steps all rays in flight until none is left. */
static void rays_fly(RayTask *task, uint32_t count)
{
    for (uint32_t flying = count; flying > 0;)
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            if (task->casters[i].triangles.top > 0)
            {
                KERNELS_LOOK(&task->casters[i].triangles, task->casters[i].share);
            }
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            RayCaster *caster = &task->casters[i];
            if (caster->out && !ray_moves_on(caster))
            {
                ray_answer(caster);
                if (!ray_next(task, caster))
                {
                    caster->out = NULL;
                    --flying;
                }
            }
        }
    }
}

/* Casts the rays of a batch. Returns true if it has other casts as well. Out of line, so that its stack is free before theirs. */
static OUT_OF_LINE bool cast_rays(const sidle_cast_batch_desc *desc, uint32_t begin, uint32_t end)
{
    RayTask task;
    bool is_near = desc->snapshot->mesh_bytes <= NEAR_CACHES, is_single = desc->snapshot->present_count <= 1;
    uint32_t count = 0, most = is_near ? 1u : is_single ? RAYS_ABREAST : RAY_STACKS / 2;
    task.desc = desc;
    task.cast_stride = desc->cast_stride ? desc->cast_stride : sizeof(sidle_cast);
    task.hit_stride = desc->hit_stride ? desc->hit_stride : sizeof(sidle_cast_hit);
    task.next = begin;
    task.end = end;
    task.has_shapes = false;
    for (; count < most; ++count)
    {
        RayCaster *caster = &task.casters[count];
        ray_prepare(caster, desc->snapshot, motion_end(desc->motion_time), task.stacks[count],
                    is_single ? NULL : task.stacks[RAY_STACKS / 2 + count]);
        if (!ray_next(&task, caster))
        {
            break;
        }
    }
    if (!is_near)
    {
        rays_fly(&task, count);
    }
    else if (count > 0)
    {
        do
        {
            ray_finish(&task.casters[0]);
            ray_answer(&task.casters[0]);
        }
        while (ray_next(&task, &task.casters[0]));
    }
    return task.has_shapes;
}

static OUT_OF_LINE sidle_status cast_ray(const sidle_snapshot *snapshot, double time, const sidle_cast *cast,
                                         sidle_cast_hit *out)
{
    RayCaster caster;
    TraceEntry stacks[2][BVH_STACK_SIZE];
    sidle_status status = ray_is_plain(cast) ? SIDLE_OK : sidle_cast_check(cast);
    if (status == SIDLE_OK)
    {
        ray_prepare(&caster, snapshot, time, stacks[0], stacks[1]);
        ray_begin(&caster, cast, out);
        ray_finish(&caster);
        ray_answer(&caster);
    }
    return status;
}
