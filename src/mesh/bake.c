/* From triangles to a mesh, as phases of a sidle_work. The serial parts (the origin, the top of the tree, the layout of
 * memory) are phases of one task between the parallel ones. */
#include "mesh/bake.h"

#include "base/memory.h"
#include "base/status.h"
#include "jobs/loop.h"

#include <string.h>

static const char *const phase_names[BAKE_PHASE_COUNT] = {
    "sidle bake: measure", "sidle bake: place",   "sidle bake: box",     "sidle bake: split",
    "sidle bake: count",   "sidle bake: plan",    "sidle bake: move",    "sidle bake: build",
    "sidle bake: widen",   "sidle bake: branch",  "sidle bake: reserve", "sidle bake: write",
    "sidle bake: pack",    "sidle bake: lay out", "sidle bake: copy",
};

/* Returns false for a task that has already run, or whose phase has not begun. Such a task is skipped, since it would
 * overwrite data in use or read data that is not written; _end reports it. */
static bool may_begin(Bake *bake, uint32_t phase, uint32_t task)
{
    uint32_t first = bake->first_task[phase];
    /* mutant: repeated_bake_task */
    return __atomic_load_n(&bake->ended, __ATOMIC_RELAXED) >= first &&
           !__atomic_exchange_n(&bake->begun[first + task], 1, __ATOMIC_RELAXED);
}

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)worker;
    Bake *bake = state;
    /* No race: only phases of one task set the status. */
    if (bake->status != SIDLE_OK || !may_begin(bake, phase, task))
    {
        return;
    }
    sidle_bake_run_phase(bake, (enum BakePhase)phase, task);
    __atomic_fetch_add(&bake->ended, 1, __ATOMIC_RELAXED);
}

static void release(Bake *bake)
{
    sidle_allocator allocator = bake->allocator;
    uint32_t leaf_count = bake->mesh ? bake->mesh->leaf_count : 0;
    sidle_memory_free(&allocator, bake->leaves, leaf_count, sizeof *bake->leaves);
    sidle_memory_free(&allocator, bake->leaf_units, leaf_count, sizeof *bake->leaf_units);
    sidle_memory_free(&allocator, bake->tree.primitives, bake->tree.count, sizeof *bake->tree.primitives);
    sidle_memory_free(&allocator, bake->tree.binary, bake->tree.count, 2 * sizeof *bake->tree.binary);
    sidle_memory_free(&allocator, bake->reports, bake->report_count, sizeof *bake->reports);
    sidle_memory_free(&allocator, bake->begun, bake->first_task[BAKE_PHASE_COUNT], sizeof *bake->begun);
    sidle_mesh_release(bake->mesh);
    sidle_memory_free(&allocator, bake, 1, sizeof *bake);
}

static sidle_status check_counts(const sidle_mesh_desc *desc)
{
    const char *names[2] = {"triangle_count", "vertex_count"};
    const uint32_t counts[2] = {desc->triangle_count, desc->vertex_count};
    for (int i = 0; i < 2; ++i)
    {
        if (counts[i] > SIDLE_MAX_TRIANGLES)
        {
            return sidle_status_fail(desc->error, SIDLE_ERROR_LIMIT, 0, "%s is %u, but must be at most %u",
                                     names[i], counts[i], SIDLE_MAX_TRIANGLES);
        }
    }
    if (desc->vertex_count > 0 && !desc->vertices_f == !desc->vertices_d)
    {
        return sidle_status_fail(
            desc->error, SIDLE_ERROR_ARGUMENT, 0,
            "vertices_f and vertices_d are both %s, but exactly one is needed for a vertex_count of %u",
            desc->vertices_f ? "given" : "NULL", desc->vertex_count);
    }
    return SIDLE_OK;
}

sidle_status sidle_bake_check_desc(const sidle_mesh_desc *desc)
{
    sidle_status status = check_counts(desc);
    if (status == SIDLE_OK && desc->origin)
    {
        status = sidle_bake_check_place(vec3_from_position(*desc->origin), 0, "origin", desc->error);
    }
    if (status != SIDLE_OK)
    {
        return status;
    }
    size_t unit = desc->vertices_f ? sizeof(float) : sizeof(double), index_size = 3 * sizeof(uint32_t);
    const void *vertices = desc->vertices_f ? (const void *)desc->vertices_f : desc->vertices_d;
    Row vertex_row = {vertices, desc->vertex_stride, 3 * unit, unit, desc->vertex_count};
    Row index_row = {desc->indices, desc->index_stride, index_size, sizeof(uint32_t),
                     desc->indices ? desc->triangle_count : 0};
    status = sidle_row_check(vertex_row, "vertices", "vertex_stride", desc->error);
    return status == SIDLE_OK ? sidle_row_check(index_row, "indices", "index_stride", desc->error) : status;
}

Source sidle_bake_source(const sidle_mesh_desc *desc)
{
    Source source = {*desc, desc->origin ? vec3_from_position(*desc->origin) : vec3(0, 0, 0)};
    size_t vertex_size = desc->vertices_f ? 3 * sizeof(float) : 3 * sizeof(double);
    source.desc.vertex_stride = desc->vertex_stride ? desc->vertex_stride : vertex_size;
    source.desc.index_stride = desc->index_stride ? desc->index_stride : 3 * sizeof(uint32_t);
    return source;
}

/* Counts the tasks of each phase. Without triangles only the first two phases run, which check the vertices. */
static void count_tasks(Bake *bake)
{
    const sidle_mesh_desc *desc = &bake->source.desc;
    bake->vertex_tasks = tasks_over(desc->vertex_count, VERTICES_PER_TASK);
    bake->triangle_tasks = tasks_over(desc->triangle_count, TRIANGLES_PER_TASK);
    const uint32_t counts[BAKE_PHASE_COUNT] = {[MEASURE] = bake->vertex_tasks,
                                               [PLACE] = 1,
                                               [BOX] = bake->triangle_tasks,
                                               [SPLIT] = 1,
                                               [COUNT] = BVH_CHUNKS,
                                               [PLAN] = 1,
                                               [MOVE] = BVH_CHUNKS,
                                               [BUILD] = BVH_MAX_SUBTREES,
                                               [WIDEN] = 1,
                                               [MEASURE_BRANCH] = BVH_MAX_BRANCHES,
                                               [RESERVE] = 1,
                                               [WRITE] = BRANCH_TASKS,
                                               [PACK] = BRANCH_TASKS,
                                               [LAY_OUT] = 1,
                                               [COPY] = BRANCH_TASKS};
    for (uint32_t phase = 0; phase < BAKE_PHASE_COUNT; ++phase)
    {
        bake->first_task[phase + 1] = bake->first_task[phase] + counts[phase];
    }
}

static bool reserve(Bake *bake)
{
    const sidle_mesh_desc *desc = &bake->source.desc;
    bake->report_count = bake->vertex_tasks + bake->triangle_tasks + 1; /* not 0 of an empty mesh */
    bake->tree.count = desc->triangle_count;
    bake->tree.leaf_bits = PACKET_BITS;
    bake->tree.node_rows = BVH_NODE_ROWS;
    bake->mesh = sidle_memory_allocate(&bake->allocator, 1, sizeof *bake->mesh);
    bake->reports = sidle_memory_allocate(&bake->allocator, bake->report_count, sizeof *bake->reports);
    bake->begun =
        sidle_memory_allocate(&bake->allocator, bake->first_task[BAKE_PHASE_COUNT], sizeof *bake->begun);
    bake->tree.primitives =
        sidle_memory_allocate(&bake->allocator, bake->tree.count, sizeof *bake->tree.primitives);
    bake->tree.binary =
        sidle_memory_allocate(&bake->allocator, bake->tree.count, 2 * sizeof *bake->tree.binary);
    if (!bake->mesh)
    {
        return false;
    }
    memset(bake->mesh, 0, sizeof *bake->mesh);
    reference_init(&bake->mesh->reference);
    bake->mesh->allocator = bake->allocator;
    bake->mesh->triangle_count = desc->triangle_count;
    bake->mesh->bounds = bounds_empty();
    if (bake->begun)
    {
        memset(bake->begun, 0, bake->first_task[BAKE_PHASE_COUNT]);
    }
    return bake->reports && bake->begun &&
           (bake->tree.count == 0 || (bake->tree.primitives && bake->tree.binary));
}

static void plan(Bake *bake, uint32_t worker_count, sidle_work *work)
{
    *work = (sidle_work){.run = run,
                         .state = bake,
                         .phase_names = phase_names,
                         .phase_count = bake->tree.count == 0 ? BOX : BAKE_PHASE_COUNT,
                         .worker_count = worker_count};
    for (uint32_t phase = 0; phase < BAKE_PHASE_COUNT; ++phase)
    {
        work->task_count[phase] = bake->first_task[phase + 1] - bake->first_task[phase];
    }
    sidle_work_begin(work);
}

sidle_status sidle_mesh_create_begin(const sidle_mesh_desc *desc, uint32_t worker_count,
                                     const sidle_allocator *allocator, sidle_work *work)
{
    sidle_allocator chosen;
    if (!desc || desc->size != sizeof *desc || !work || worker_count < 1 ||
        worker_count > SIDLE_MAX_WORKERS || !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_bake_check_desc(desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    Bake *bake = sidle_memory_allocate(&chosen, 1, sizeof *bake);
    if (!bake)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    memset(bake, 0, sizeof *bake);
    bake->source = sidle_bake_source(desc);
    bake->allocator = chosen;
    count_tasks(bake);
    if (!reserve(bake))
    {
        release(bake);
        return sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    plan(bake, worker_count, work);
    return SIDLE_OK;
}

sidle_status sidle_mesh_create_end(sidle_work *work, sidle_mesh **out)
{
    if (!work || work->run != run || !work->state)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    Bake *bake = work->state;
    sidle_status status = bake->status, ran = sidle_work_end(work);
    if (status == SIDLE_OK && ran != SIDLE_OK)
    {
        status = sidle_status_fail(bake->source.desc.error, ran, 0, "not every task has run once");
    }
    if (status == SIDLE_OK && !out)
    {
        status = SIDLE_ERROR_ARGUMENT;
    }
    if (status == SIDLE_OK)
    {
        sidle_mesh_retain(bake->mesh); /* release drops the bake's reference */
        *out = bake->mesh;
    }
    release(bake);
    return status;
}

sidle_status sidle_mesh_create(const sidle_mesh_desc *desc, const sidle_jobs *jobs,
                               const sidle_allocator *allocator, sidle_mesh **out)
{
    sidle_work work;
    if (!out || !sidle_jobs_are_valid(jobs))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_mesh_create_begin(desc, jobs_worker_count(jobs), allocator, &work);
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_work_execute(&work, jobs);
    return sidle_mesh_create_end(&work, out);
}
