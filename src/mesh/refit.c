/* A mesh with the tree of another one and other vertices, as phases of a sidle_work.
 *
 *     packets and boxes of leaves ─► boxes of nodes ─► packets to their places
 *     (parallel)                     (1 task)          (parallel)
 *
 * The tree keeps its form, so no triangle is sorted: that is most of a bake. Absent triangles have no place in a packet, and empty
 * packets none in a node; the form, with all triangles, is that of the first mesh. */
#include "mesh/refit.h"

#include "bvh/box.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "base/status.h"
#include "jobs/loop.h"

#include <string.h>

enum
{
    REFIT_PACK,
    REFIT_SETTLE,
    REFIT_COPY,
    REFIT_PHASE_COUNT
};

static const char *const phase_names[REFIT_PHASE_COUNT] = {"sidle refit: pack", "sidle refit: settle",
                                                           "sidle refit: copy"};

/* ---- nodes ---- */

static sidle_status report_failure(const Refit *refit, uint32_t triangle)
{
    const Source *source = &refit->source;
    sidle_status status = sidle_bake_check_triangle(source, triangle);
    for (uint32_t i = 0, corners[3]; i < 3 && status == SIDLE_OK; ++i)
    {
        source_triangle(source, triangle, corners);
        status = sidle_bake_check_vertex(source, corners[i]);
    }
    return status;
}

static sidle_status find_failure(const Refit *refit)
{
    uint32_t lowest = NOTHING_BAD;
    for (uint32_t i = 0; i < refit->part_count; ++i)
    {
        uint32_t bad = refit->parts[i].bad_triangle;
        lowest = bad < lowest ? bad : lowest;
    }
    return lowest == NOTHING_BAD ? SIDLE_OK : report_failure(refit, lowest);
}

/* From the last node to the first, as children follow their parents. */
static void settle_nodes(Refit *refit)
{
    double cost = 0;
    for (uint32_t n = refit->form->node_count; n-- > 0;)
    {
        BvhNode *node = &refit->nodes[n];
        const RefitPart *part = &refit->parts[n / REFIT_NODES_PER_TASK];
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = node->child[i];
            if (child & BVH_LEAF)
            {
                Bounds box = bvh_child_box(node, i);
                cost += BVH_LEAF_COST * (double)bounds_half_area(&box);
                node->child[i] = BVH_LEAF | (part->first_unit + refit->leaf_units[child & ~BVH_LEAF]);
            }
            else if (child)
            {
                Bounds box = bvh_node_box(&refit->nodes[child / BVH_NODE_ROWS]);
                bool is_empty = !(box.min[0] <= box.max[0]);
                bvh_write_child(node, i, is_empty ? NULL : &box, is_empty ? 0 : child);
            }
        }
        Bounds box = bvh_node_box(node);
        cost += box.min[0] <= box.max[0] ? BVH_NODE_COST * (double)bounds_half_area(&box) : 0;
    }
    refit->mesh->bounds = bvh_node_box(&refit->nodes[0]);
    double area = (double)bounds_half_area(&refit->mesh->bounds);
    refit->mesh->sah_cost = area > 0 ? cost / area : 0;
}

static void settle(Refit *refit)
{
    sidle_mesh *mesh = refit->mesh;
    refit->status = find_failure(refit);
    if (refit->status != SIDLE_OK)
    {
        return;
    }
    uint64_t units = 0, absent_count = 0;
    for (uint32_t i = 0; i < refit->part_count; ++i)
    {
        RefitPart *part = &refit->parts[i];
        part->first_unit = (uint32_t)units;
        units += part->units;
        mesh->leaf_count += part->leaf_count;
        mesh->degenerate_count += part->counts.degenerate;
        mesh->sliver_count += part->counts.slivers;
        absent_count += part->absent_count;
    }
    if (absent_count > 0) /* what comes back must have a place */
    {
        mesh->form = (sidle_mesh *)refit->form;
        sidle_mesh_retain(mesh->form);
    }
    settle_nodes(refit);
    if (mesh->leaf_count == 0) /* an empty mesh has no nodes */
    {
        sidle_memory_free(&mesh->allocator, refit->nodes, mesh->node_count, sizeof *refit->nodes);
        mesh->nodes = NULL;
        mesh->node_count = 0;
        return;
    }
    mesh->packet_bytes = units * PACKET_UNIT + PACKET_SLACK;
    refit->packets = sidle_memory_allocate(&mesh->allocator, (size_t)mesh->packet_bytes, 1);
    mesh->packets = refit->packets;
    if (!refit->packets)
    {
        refit->status = sidle_status_fail(refit->source.desc.error, SIDLE_ERROR_MEMORY, 0, NULL);
        return;
    }
    memset(refit->packets + units * PACKET_UNIT, 0, PACKET_SLACK);
}

static void copy(Refit *refit, uint32_t task)
{
    const RefitPart *part = &refit->parts[task];
    memcpy(refit->packets + (size_t)part->first_unit * PACKET_UNIT, sidle_refit_scratch(refit, part),
           (size_t)part->units * PACKET_UNIT);
}

/* ---- the call ---- */

static void run(void *state, uint32_t phase, uint32_t task, uint32_t worker)
{
    (void)worker;
    Refit *refit = state;
    if (phase == REFIT_PACK)
    {
        sidle_refit_pack(refit, task);
    }
    else if (phase == REFIT_SETTLE)
    {
        settle(refit);
    }
    else if (refit->status == SIDLE_OK && refit->mesh->node_count > 0)
    {
        copy(refit, task);
    }
}

/* What comes before the nodes of each task. */
static void count_leaves(Refit *refit)
{
    const sidle_mesh *form = refit->form;
    uint32_t leaf = 0, triangle = 0;
    for (uint32_t n = 0; n < form->node_count; ++n)
    {
        if (n % REFIT_NODES_PER_TASK == 0)
        {
            refit->parts[n / REFIT_NODES_PER_TASK] =
                (RefitPart){.first_leaf = leaf, .first_triangle = triangle};
        }
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            uint32_t child = form->nodes[n].child[i];
            if (child & BVH_LEAF)
            {
                ++leaf;
                triangle += packet_at(form->packets, child & ~BVH_LEAF)->triangle_count;
            }
        }
    }
}

static bool reserve(Refit *refit, const sidle_allocator *allocator)
{
    const sidle_mesh *form = refit->form;
    sidle_mesh *mesh = sidle_memory_allocate(allocator, 1, sizeof *mesh);
    if (!mesh)
    {
        return false;
    }
    *mesh = (sidle_mesh){.allocator = *allocator,
                         .node_count = form->node_count,
                         .triangle_count = form->triangle_count,
                         .bounds = bounds_empty(),
                         .origin = refit->source.origin};
    reference_init(&mesh->reference);
    refit->mesh = mesh;
    refit->part_count = tasks_over(form->node_count, REFIT_NODES_PER_TASK);
    refit->nodes = sidle_memory_allocate(allocator, form->node_count, sizeof *refit->nodes);
    mesh->nodes = refit->nodes;
    refit->parts = sidle_memory_allocate(allocator, refit->part_count, sizeof *refit->parts);
    refit->leaf_units = sidle_memory_allocate(allocator, form->leaf_count, sizeof *refit->leaf_units);
    refit->scratch = sidle_memory_allocate(allocator, form->triangle_count, PACKET_MOST);
    return form->node_count == 0 || (refit->nodes && refit->parts && refit->leaf_units && refit->scratch);
}

static sidle_status refit_all(Refit *refit, const sidle_jobs *jobs)
{
    sidle_work work = {.run = run,
                       .state = refit,
                       .phase_names = phase_names,
                       .phase_count = REFIT_PHASE_COUNT,
                       .worker_count = jobs_worker_count(jobs),
                       .task_count = {refit->part_count, 1, refit->part_count}};
    if (refit->form->node_count == 0)
    {
        return SIDLE_OK;
    }
    count_leaves(refit);
    sidle_work_begin(&work);
    sidle_work_execute(&work, jobs);
    sidle_status ran = sidle_work_end(&work);
    if (refit->status == SIDLE_OK && ran != SIDLE_OK)
    {
        return sidle_status_fail(refit->source.desc.error, ran, 0, "not every task has run once");
    }
    return refit->status;
}

static sidle_status check(const sidle_mesh *mesh, const sidle_mesh_desc *desc)
{
    if (desc->triangle_count != mesh->triangle_count)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "triangle_count is %u, but must be that of the mesh, %u",
                                 desc->triangle_count, mesh->triangle_count);
    }
    if (mesh->field)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_UNSUPPORTED, 0, "the mesh is a heightfield");
    }
    return sidle_bake_check_desc(desc);
}

static FP_BODY sidle_status refit_mesh(const sidle_mesh *mesh, const sidle_mesh_desc *desc,
                                       const sidle_jobs *jobs, const sidle_allocator *allocator,
                                       sidle_mesh **out)
{
    sidle_allocator chosen;
    if (!mesh || !desc || desc->size != sizeof *desc || !out || !sidle_jobs_are_valid(jobs) ||
        !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = check(mesh, desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    Refit refit = {.form = mesh->form ? mesh->form : mesh, .source = sidle_bake_source(desc)};
    refit.source.origin = desc->origin ? refit.source.origin : mesh->origin;
    status = reserve(&refit, &chosen) ? refit_all(&refit, jobs)
                                      : sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    sidle_memory_free(&chosen, refit.scratch, refit.form->triangle_count, PACKET_MOST);
    sidle_memory_free(&chosen, refit.leaf_units, refit.form->leaf_count, sizeof *refit.leaf_units);
    sidle_memory_free(&chosen, refit.parts, refit.part_count, sizeof *refit.parts);
    if (status == SIDLE_OK)
    {
        *out = refit.mesh;
    }
    else
    {
        sidle_mesh_release(refit.mesh);
    }
    return status;
}

sidle_status sidle_mesh_refit(const sidle_mesh *mesh, const sidle_mesh_desc *desc, const sidle_jobs *jobs,
                              const sidle_allocator *allocator, sidle_mesh **out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = refit_mesh(mesh, desc, jobs, allocator, out);
    fp_leave(host);
    return status;
}
