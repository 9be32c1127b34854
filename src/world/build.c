/* Builds the tree of an epoch as phases of a sidle_work.
 *
 *     measure ─► lay out ─► boxes ─► top of the tree ─► subtrees ─► nodes
 *     (parallel) (1 task)   (parallel) (1 task)         (parallel)  (1 task)
 *
 * Ranges are cut by the number of slots alone, so no schedule changes a bit. */
#include "world/tree.h"

#include "base/memory.h"
#include "jobs/loop.h"

#include <string.h>

#define SLOTS_PER_TASK 256 /* 10 to 50 microseconds of work */
#define LEAST_FOR_JOBS 2048

enum
{
    MEASURE,
    LAY_OUT,
    BOX,
    SPLIT,
    BUILD,
    WRITE,
    PHASE_COUNT
};

static const char *const phase_names[PHASE_COUNT] = {"sidle commit: measure", "sidle commit: lay out",
                                                     "sidle commit: box",     "sidle commit: split",
                                                     "sidle commit: build",   "sidle commit: write"};

/* The slots of one task. */
typedef struct Part
{
    Vec3 low, high; /* bounds of the instances that can be hit */
    uint32_t present_count, first_present;
} Part;

typedef struct Build
{
    Tree *tree;
    const uint32_t *index_of; /* by slot */
    uint32_t count;           /* slots */
    Part *parts;
    uint32_t part_count;
    BvhBuild bvh;
    uint8_t begun[BVH_MAX_SUBTREES];
    bool out_of_memory;
} Build;

static const Placed *placed_in(const Build *build, uint32_t slot)
{
    return store_item(build->tree->placed, build->index_of[slot]);
}

static void measure(Build *build, uint32_t task)
{
    Part part = {.low = vec3(INFINITY, INFINITY, INFINITY), .high = vec3(-INFINITY, -INFINITY, -INFINITY)};
    uint32_t end = task_end(task, SLOTS_PER_TASK, build->count);
    for (uint32_t i = task * SLOTS_PER_TASK; i < end; ++i)
    {
        const Placed *placed = placed_in(build, i);
        if (placed_can_be_hit(placed))
        {
            const double *c = placed->box_center, *h = placed->box_half;
            Vec3 center = vec3(c[0], c[1], c[2]), half = vec3(h[0], h[1], h[2]);
            part.low = vec3_lesser(part.low, vec3_sub(center, half));
            part.high = vec3_larger(part.high, vec3_add(center, half));
            ++part.present_count;
        }
    }
    build->parts[task] = part;
}

/* Boxes of the tree are float, relative to the middle of the world, so that they are precise far from zero. */
static void lay_out(Build *build)
{
    Tree *tree = build->tree;
    Vec3 low = build->parts[0].low, high = build->parts[0].high;
    uint32_t count = 0;
    for (uint32_t i = 0; i < build->part_count; ++i)
    {
        Part *part = &build->parts[i];
        part->first_present = count;
        count += part->present_count;
        low = vec3_lesser(low, part->low);
        high = vec3_larger(high, part->high);
    }
    tree->origin = vec3_add_scaled(low, vec3_sub(high, low), .5);
    tree->reach = vec3_max_component(vec3_larger(vec3_abs(low), vec3_abs(high)));
    build->bvh.count = count;
    build->bvh.leaf_bits = 0;
    build->bvh.node_rows = TREE_NODE_ROWS;
    build->bvh.primitives = sidle_memory_allocate(tree->allocator, count, sizeof *build->bvh.primitives);
    build->bvh.binary = sidle_memory_allocate(tree->allocator, count, 2 * sizeof *build->bvh.binary);
    build->out_of_memory = !build->bvh.primitives || !build->bvh.binary;
}

static void box(Build *build, uint32_t task)
{
    uint32_t end = task_end(task, SLOTS_PER_TASK, build->count), at = build->parts[task].first_present;
    for (uint32_t i = task * SLOTS_PER_TASK; i < end; ++i)
    {
        const Placed *placed = placed_in(build, i);
        if (placed_can_be_hit(placed))
        {
            Bounds box = tree_box(build->tree, placed);
            build->bvh.primitives[at++] = bvh_primitive(&box, build->index_of[i]);
        }
    }
}

/* A subtree that two threads build at once would be written beyond its end. */
static void build_subtree(Build *build, uint32_t task)
{
    if (task < build->bvh.subtree_count && !__atomic_exchange_n(&build->begun[task], 1, __ATOMIC_RELAXED))
    {
        sidle_bvh_build_subtree(&build->bvh, task);
    }
}

/* Each leaf is one instance. The nodes get room for the copies of some epochs. */
static void write_nodes(Build *build)
{
    Tree *tree = build->tree;
    sidle_bvh_settle(&build->bvh);
    for (uint32_t i = 0; i < build->bvh.branch_count; ++i)
    {
        sidle_bvh_count_branch(&build->bvh, i);
    }
    uint32_t node_count = sidle_bvh_place_branches(&build->bvh).node_count;
    if (!sidle_store_restart(&tree->nodes, node_count + node_count / 2 + BVH_MAX_DEPTH, tree->living))
    {
        build->out_of_memory = true;
        return;
    }
    NumberedNode *nodes = store_item(&tree->nodes, 0);
    tree->nodes.block->used = node_count;
    for (uint32_t i = 0; i <= build->bvh.branch_count; ++i)
    {
        sidle_bvh_write_branch(&build->bvh, i, &nodes->node, NULL);
    }
    build->out_of_memory = !sidle_tree_number(tree, build->bvh.count);
}

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)worker;
    Build *build = state;
    if (phase > LAY_OUT && build->out_of_memory)
    {
        return;
    }
    switch (phase)
    {
    case MEASURE:
        measure(build, task);
        break;
    case LAY_OUT:
        lay_out(build);
        break;
    case BOX:
        box(build, task);
        break;
    case SPLIT:
        sidle_bvh_build_top(&build->bvh);
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
                       .task_count = {[MEASURE] = build->part_count,
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

sidle_status sidle_tree_build(Tree *tree, const uint32_t *index_of, uint32_t count, const sidle_jobs *jobs)
{
    const sidle_allocator *allocator = tree->allocator;
    Build *build = sidle_memory_allocate(allocator, 1, sizeof *build); /* too large for small stacks */
    if (!build)
    {
        return SIDLE_ERROR_MEMORY;
    }
    memset(build, 0, sizeof *build);
    build->tree = tree;
    build->index_of = index_of;
    build->count = count;
    build->part_count = tasks_over(count, SLOTS_PER_TASK);
    build->parts = sidle_memory_allocate(allocator, build->part_count, sizeof *build->parts);
    sidle_status status = build->parts ? run_phases(build, jobs) : SIDLE_ERROR_MEMORY;
    tree->stale = status != SIDLE_OK;
    sidle_memory_free(allocator, build->parts, build->part_count, sizeof *build->parts);
    sidle_memory_free(allocator, build->bvh.primitives, build->bvh.count, sizeof *build->bvh.primitives);
    sidle_memory_free(allocator, build->bvh.binary, build->bvh.count, 2 * sizeof *build->bvh.binary);
    sidle_memory_free(allocator, build, 1, sizeof *build);
    return status;
}
