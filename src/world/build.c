/* Makes the snapshot of a commit as phases of a sidle_work.
 *
 *     copy the table ─► lay out ─► boxes ─► top of the tree ─► subtrees ─► nodes
 *     (parallel)        (1 task)   (parallel) (1 task)         (parallel)  (1 task)
 *
 * Ranges are cut by the number of slots alone, so no schedule changes a bit. */
#include "world/snapshot.h"

#include "base/memory.h"
#include "bvh/build.h"
#include "jobs/loop.h"

#define SLOTS_PER_TASK 256 /* 50 to 100 microseconds of work */
#define LEAST_FOR_JOBS 2048

enum
{
    COPY,
    LAY_OUT,
    BOX,
    SPLIT,
    BUILD,
    WRITE,
    PHASE_COUNT
};

static const char *const phase_names[PHASE_COUNT] = {"sidle commit: copy",  "sidle commit: lay out",
                                                     "sidle commit: box",   "sidle commit: split",
                                                     "sidle commit: build", "sidle commit: write"};

/* The slots of one task. */
typedef struct Part
{
    Vec3 low, high; /* bounds of the instances that can be hit */
    uint32_t present_count, moving_count, first_present;
} Part;

typedef struct Build
{
    sidle_snapshot *snapshot;
    const Placed *placed; /* the world's table */
    uint32_t count;       /* slots */
    Placed *table;        /* the copy; the snapshot owns it after LAY_OUT */
    Part *parts;
    uint32_t part_count;
    BvhBuild tree;
    BvhLeaf *leaves;
    uint8_t begun[BVH_MAX_SUBTREES];
    bool out_of_memory;
} Build;

static bool can_be_hit(const Placed *placed)
{
    return placed->mesh && placed->mesh->node_count > 0;
}

static void copy(Build *build, uint32_t task)
{
    Part part = {.low = vec3(INFINITY, INFINITY, INFINITY), .high = vec3(-INFINITY, -INFINITY, -INFINITY)};
    uint32_t end = task_end(task, SLOTS_PER_TASK, build->count);
    for (uint32_t i = task * SLOTS_PER_TASK; i < end; ++i)
    {
        Placed *placed = &build->table[i];
        *placed = build->placed[i];
        if (can_be_hit(placed))
        {
            Vec3 low, high;
            sidle_placed_bounds(placed, &low, &high);
            part.low = vec3_lesser(part.low, low);
            part.high = vec3_larger(part.high, high);
            ++part.present_count;
            part.moving_count += placed->moves;
        }
    }
    build->parts[task] = part;
}

/* Gives the table to the snapshot and retains its meshes. The snapshot's release then releases them. */
static void give_table(Build *build)
{
    sidle_snapshot *snapshot = build->snapshot;
    snapshot->placed = build->table;
    snapshot->present = (uint32_t *)(build->table + build->count);
    snapshot->placed_count = build->count;
    build->table = NULL;
    for (uint32_t i = 0; i < build->count; ++i)
    {
        if (snapshot->placed[i].mesh)
        {
            sidle_mesh_retain(snapshot->placed[i].mesh);
        }
    }
}

/* Boxes of the tree are float, relative to the middle of the world, so that they are precise far from zero. A side is
 * computed by six sums and differences of world positions, each with an error of 2^-53 of the farthest. */
static void choose_origin(sidle_snapshot *snapshot, Vec3 low, Vec3 high)
{
    snapshot->origin = vec3_add_scaled(low, vec3_sub(high, low), .5);
    Vec3 farthest = vec3_add(vec3_abs(low), vec3_abs(high));
    snapshot->doubt = 0x1p-49 * vec3_max_component(farthest);
}

static void lay_out(Build *build)
{
    sidle_snapshot *snapshot = build->snapshot;
    Vec3 low = build->parts[0].low, high = build->parts[0].high;
    for (uint32_t i = 0; i < build->part_count; ++i)
    {
        Part *part = &build->parts[i];
        part->first_present = snapshot->present_count;
        snapshot->present_count += part->present_count;
        snapshot->moving_count += part->moving_count;
        low = vec3_lesser(low, part->low);
        high = vec3_larger(high, part->high);
    }
    give_table(build);
    uint32_t count = snapshot->present_count;
    if (count == 0)
    {
        return;
    }
    choose_origin(snapshot, low, high);
    const sidle_allocator *allocator = &snapshot->allocator;
    build->tree.count = count;
    build->tree.leaf_size = 1;
    build->tree.primitives = sidle_memory_allocate(allocator, count, sizeof *build->tree.primitives);
    build->tree.binary = sidle_memory_allocate(allocator, count, 2 * sizeof *build->tree.binary);
    build->leaves = sidle_memory_allocate(allocator, count, sizeof *build->leaves);
    build->out_of_memory = !build->tree.primitives || !build->tree.binary || !build->leaves;
}

static void box(Build *build, uint32_t task)
{
    sidle_snapshot *snapshot = build->snapshot;
    uint32_t end = task_end(task, SLOTS_PER_TASK, build->count), at = build->parts[task].first_present;
    for (uint32_t i = task * SLOTS_PER_TASK; i < end; ++i)
    {
        if (can_be_hit(&snapshot->placed[i]))
        {
            Vec3 low, high;
            sidle_placed_bounds(&snapshot->placed[i], &low, &high);
            Vec3 half = vec3_scale(vec3_sub(high, low), .5);
            Vec3 center = vec3_sub(vec3_add(low, half), snapshot->origin);
            snapshot->present[at] = i;
            build->tree.primitives[at++] = (BvhPrimitive){bounds_around(center, half), i};
        }
    }
}

/* A subtree that two threads build at once would be written beyond its end. */
static void build_subtree(Build *build, uint32_t task)
{
    if (task < build->tree.subtree_count && !__atomic_exchange_n(&build->begun[task], 1, __ATOMIC_RELAXED))
    {
        sidle_bvh_build_subtree(&build->tree, task);
    }
}

/* Each leaf is one instance, identified by its slot. */
static void write_nodes(Build *build)
{
    sidle_snapshot *snapshot = build->snapshot;
    uint32_t node_count = sidle_bvh_count_nodes(&build->tree).node_count;
    snapshot->nodes = sidle_memory_allocate(&snapshot->allocator, node_count, sizeof *snapshot->nodes);
    if (!snapshot->nodes)
    {
        build->out_of_memory = true;
        return;
    }
    snapshot->node_count = node_count;
    sidle_bvh_write_nodes(&build->tree, snapshot->nodes, build->leaves);
    for (uint32_t n = 0; n < node_count * BVH_WIDTH; ++n)
    {
        uint32_t *child = &snapshot->nodes[n / BVH_WIDTH].child[n % BVH_WIDTH];
        if (*child & BVH_LEAF)
        {
            *child = BVH_LEAF | build->tree.primitives[build->leaves[*child & ~BVH_LEAF].first].id;
        }
    }
}

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)worker;
    Build *build = state;
    if (phase > LAY_OUT && (build->tree.count == 0 || build->out_of_memory))
    {
        return;
    }
    switch (phase)
    {
    case COPY:
        copy(build, task);
        break;
    case LAY_OUT:
        lay_out(build);
        break;
    case BOX:
        box(build, task);
        break;
    case SPLIT:
        sidle_bvh_build_top(&build->tree);
        break;
    case BUILD:
        build_subtree(build, task);
        break;
    default:
        write_nodes(build);
        break;
    }
}

static sidle_status run_phases(Build *build, const sidle_jobs *jobs)
{
    sidle_work work = {.run = run,
                       .state = build,
                       .phase_names = phase_names,
                       .phase_count = PHASE_COUNT,
                       .worker_count = jobs_worker_count(jobs),
                       .task_count = {[COPY] = build->part_count,
                                      [LAY_OUT] = 1,
                                      [BOX] = build->part_count,
                                      [SPLIT] = 1,
                                      [BUILD] = BVH_MAX_SUBTREES,
                                      [WRITE] = 1}};
    sidle_work_begin(&work);
    sidle_work_execute(&work, build->count < LEAST_FOR_JOBS ? NULL : jobs);
    sidle_status status = sidle_work_end(&work);
    return build->out_of_memory ? SIDLE_ERROR_MEMORY : status;
}

static sidle_status fill(sidle_snapshot *snapshot, const Placed *placed, uint32_t count,
                         const sidle_jobs *jobs)
{
    const sidle_allocator *allocator = &snapshot->allocator;
    Build build = {.snapshot = snapshot, .placed = placed, .count = count};
    size_t slot_bytes = sizeof *build.table + sizeof *snapshot->present;
    build.part_count = tasks_over(count, SLOTS_PER_TASK);
    build.table = sidle_memory_allocate(allocator, count, slot_bytes);
    build.parts = sidle_memory_allocate(allocator, build.part_count, sizeof *build.parts);
    sidle_status status = SIDLE_ERROR_MEMORY;
    if (build.table && build.parts)
    {
        status = run_phases(&build, jobs);
    }
    sidle_memory_free(allocator, build.table, count, slot_bytes);
    sidle_memory_free(allocator, build.parts, build.part_count, sizeof *build.parts);
    sidle_memory_free(allocator, build.tree.primitives, build.tree.count, sizeof *build.tree.primitives);
    sidle_memory_free(allocator, build.tree.binary, build.tree.count, 2 * sizeof *build.tree.binary);
    sidle_memory_free(allocator, build.leaves, build.tree.count, sizeof *build.leaves);
    return status;
}

sidle_status sidle_snapshot_create(const sidle_allocator *allocator, uint64_t epoch, const Placed *placed,
                                   uint32_t count, uint64_t resting, const sidle_jobs *jobs,
                                   sidle_snapshot **out)
{
    static atomic_uint_least64_t serials;
    sidle_snapshot *snapshot = sidle_memory_allocate(allocator, 1, sizeof *snapshot);
    if (!snapshot)
    {
        return SIDLE_ERROR_MEMORY;
    }
    *snapshot = (sidle_snapshot){.allocator = *allocator,
                                 .epoch = epoch,
                                 .resting = resting ? resting : 1 + atomic_fetch_add(&serials, 1)};
    reference_init(&snapshot->reference);
    sidle_status status = count > 0 ? fill(snapshot, placed, count, jobs) : SIDLE_OK;
    if (status != SIDLE_OK)
    {
        sidle_snapshot_release(snapshot);
        return status;
    }
    *out = snapshot;
    return SIDLE_OK;
}
