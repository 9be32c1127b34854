/* From samples to a heightfield: checks, a copy, and the tree over squares of cells. */
#include "mesh/field.h"

#include "base/fp_environment.h"
#include "base/memory.h"
#include "base/status.h"
#include "bvh/build.h"

#include <math.h>

void sidle_field_free(Field *field, const sidle_allocator *allocator)
{
    if (!field)
    {
        return;
    }
    size_t samples = ((size_t)field->columns + 1) * (field->rows + 1),
           cells = (size_t)field->columns * field->rows;
    sidle_memory_free(allocator, field->steps, samples, sizeof *field->steps);
    sidle_memory_free(allocator, field->heights, samples, sizeof *field->heights);
    sidle_memory_free(allocator, field->surfaces, cells, sizeof *field->surfaces);
    sidle_memory_free(allocator, field, 1, sizeof *field);
}

size_t sidle_field_bytes(const Field *field)
{
    if (!field)
    {
        return 0;
    }
    size_t samples = ((size_t)field->columns + 1) * (field->rows + 1),
           cells = (size_t)field->columns * field->rows;
    return sizeof *field + samples * (field->heights ? sizeof(float) : sizeof(uint16_t)) +
           (field->surfaces ? cells : 0);
}

/* ---- checks ---- */

static sidle_status check_counts(const sidle_field_desc *desc)
{
    if (!desc->heights == !desc->heights_f)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "heights and heights_f are both %s, but exactly one is needed",
                                 desc->heights ? "given" : "NULL");
    }
    const uint64_t columns = desc->columns, rows = desc->rows;
    if (columns < 2 || rows < 2)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "columns and rows are %u and %u, but must be at least 2", desc->columns,
                                 desc->rows);
    }
    if (columns > SIDLE_MAX_TRIANGLES || rows > SIDLE_MAX_TRIANGLES ||
        2 * (columns - 1) * (rows - 1) > SIDLE_MAX_TRIANGLES)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_LIMIT, 0,
                                 "%u by %u samples make more than %u triangles", desc->columns, desc->rows,
                                 SIDLE_MAX_TRIANGLES);
    }
    return SIDLE_OK;
}

static sidle_status check_number(const sidle_field_desc *desc, double value, double low, double high,
                                 const char *name)
{
    if (!isfinite(value))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_NOT_FINITE, 0, "%s is %g, but must be finite", name,
                                 value);
    }
    if (value < low || value > high)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_LIMIT, 0, "%s is %.9g, but must be from %g to %g",
                                 name, value, low, high);
    }
    return SIDLE_OK;
}

/* Every sample as well, so that no coordinate is beyond the limit. */
static sidle_status check_desc(const sidle_field_desc *desc)
{
    const double most = SIDLE_MAX_COORDINATE, least = FLT_MIN;
    const struct
    {
        const char *name;
        double value, low;
    } checks[] = {{"spacing_x", (double)desc->spacing_x, least},
                  {"spacing_z", (double)desc->spacing_z, least},
                  {"the extent along x", (double)desc->spacing_x * (desc->columns - 1), least},
                  {"the extent along z", (double)desc->spacing_z * (desc->rows - 1), least},
                  {"scale", desc->heights ? (double)desc->scale : 0, -most},
                  {"base", desc->heights ? (double)desc->base : 0, -most},
                  {"the height of a sample",
                   desc->heights ? 65535 * (double)desc->scale + (double)desc->base : 0, -most},
                  {"origin.x", desc->origin.x, -most},
                  {"origin.y", desc->origin.y, -most},
                  {"origin.z", desc->origin.z, -most}};
    sidle_status status = check_counts(desc);
    for (size_t i = 0; i < sizeof checks / sizeof *checks && status == SIDLE_OK; ++i)
    {
        status = check_number(desc, checks[i].value, checks[i].low, most, checks[i].name);
    }
    size_t samples = desc->heights_f && status == SIDLE_OK ? (size_t)desc->columns * desc->rows : 0;
    for (size_t i = 0; i < samples && status == SIDLE_OK; ++i)
    {
        if (!(fabs((double)desc->heights_f[i]) <= most))
        {
            bool is_number = isfinite(desc->heights_f[i]);
            status = sidle_status_fail(desc->error, is_number ? SIDLE_ERROR_LIMIT : SIDLE_ERROR_NOT_FINITE, i,
                                       "sample %zu is %g, but must be finite and at most %g", i,
                                       (double)desc->heights_f[i], most);
        }
    }
    return status;
}

/* ---- the copy ---- */

static void *copy(const sidle_allocator *allocator, const void *from, size_t count, size_t unit)
{
    void *to = from ? sidle_memory_allocate(allocator, count, unit) : NULL;
    if (to)
    {
        memcpy(to, from, count * unit);
    }
    return to;
}

static Field *copy_desc(const sidle_field_desc *desc, const sidle_allocator *allocator)
{
    Field *field = sidle_memory_allocate(allocator, 1, sizeof *field);
    if (!field)
    {
        return NULL;
    }
    size_t samples = (size_t)desc->columns * desc->rows,
           cells = (size_t)(desc->columns - 1) * (desc->rows - 1);
    *field = (Field){.columns = desc->columns - 1,
                     .rows = desc->rows - 1,
                     .spacing = {desc->spacing_x, desc->spacing_z},
                     .scale = desc->scale,
                     .base = desc->base};
    field->packet_columns = (field->columns + FIELD_PACKET - 1) / FIELD_PACKET;
    field->packet_rows = (field->rows + FIELD_PACKET - 1) / FIELD_PACKET;
    field->leaf_columns = (field->packet_columns + FIELD_LEAF - 1) / FIELD_LEAF;
    field->leaf_rows = (field->packet_rows + FIELD_LEAF - 1) / FIELD_LEAF;
    field->steps = copy(allocator, desc->heights, samples, sizeof *field->steps);
    field->heights = copy(allocator, desc->heights_f, samples, sizeof *field->heights);
    field->surfaces = copy(allocator, desc->surfaces, cells, sizeof *field->surfaces);
    if ((!field->steps && !field->heights) || (desc->surfaces && !field->surfaces))
    {
        sidle_field_free(field, allocator);
        return NULL;
    }
    return field;
}

/* ---- the tree ---- */

/* The box of a leaf. Returns false if all of it is holes. */
static bool box_leaf(const Field *field, uint32_t leaf, Bounds *box)
{
    uint32_t packets[FIELD_LEAF * FIELD_LEAF], count = sidle_field_leaf(field, leaf, packets);
    bool any = false;
    *box = bounds_empty();
    for (uint32_t i = 0; i < count; ++i)
    {
        FieldPacket memory;
        if (sidle_field_packet(field, packets[i], &memory)->triangle_count > 0)
        {
            Bounds own = sidle_field_packet_box(field, packets[i]);
            bounds_add(box, &own);
            any = true;
        }
    }
    return any;
}

static sidle_status build_nodes(sidle_mesh *mesh, BvhBuild *build)
{
    sidle_bvh_build_top(build);
    for (uint32_t i = 0; i < build->subtree_count; ++i)
    {
        sidle_bvh_build_subtree(build, i);
    }
    sidle_bvh_settle(build);
    for (uint32_t i = 0; i < build->branch_count; ++i)
    {
        sidle_bvh_count_branch(build, i);
    }
    BvhSize size = sidle_bvh_place_branches(build);
    BvhNode *nodes = sidle_memory_allocate(&mesh->allocator, size.node_count, sizeof *nodes);
    for (uint32_t i = 0; nodes && i <= build->branch_count; ++i)
    {
        sidle_bvh_write_branch(build, i, nodes, NULL);
    }
    mesh->nodes = nodes;
    mesh->node_count = nodes ? size.node_count : 0;
    mesh->leaf_count = size.leaf_count;
    mesh->bounds = build->binary[build->root].bounds;
    mesh->sah_cost = sidle_bvh_cost(build, &mesh->bounds);
    return nodes ? SIDLE_OK : SIDLE_ERROR_MEMORY;
}

static sidle_status build_tree(sidle_mesh *mesh)
{
    const sidle_allocator *allocator = &mesh->allocator;
    uint32_t most = mesh->field->leaf_columns * mesh->field->leaf_rows;
    BvhBuild *build = sidle_memory_allocate(allocator, 1, sizeof *build);
    BvhPrimitive *primitives = sidle_memory_allocate(allocator, most, sizeof *primitives);
    BinaryNode *binary = sidle_memory_allocate(allocator, most, 2 * sizeof *binary);
    sidle_status status = build && primitives && binary ? SIDLE_OK : SIDLE_ERROR_MEMORY;
    if (status == SIDLE_OK)
    {
        memset(build, 0, sizeof *build);
        build->primitives = primitives;
        build->binary = binary;
        build->node_rows = BVH_NODE_ROWS;
        for (uint32_t leaf = 0; leaf < most; ++leaf)
        {
            Bounds box;
            if (box_leaf(mesh->field, leaf, &box))
            {
                primitives[build->count++] = bvh_primitive(&box, leaf);
            }
        }
        status = build->count > 0 ? build_nodes(mesh, build) : SIDLE_OK;
    }
    sidle_memory_free(allocator, build, 1, sizeof *build);
    sidle_memory_free(allocator, primitives, most, sizeof *primitives);
    sidle_memory_free(allocator, binary, most, 2 * sizeof *binary);
    return status;
}

static sidle_status create(const sidle_field_desc *desc, const sidle_allocator *allocator, sidle_mesh **out)
{
    sidle_mesh *mesh = sidle_memory_allocate(allocator, 1, sizeof *mesh);
    if (!mesh)
    {
        return SIDLE_ERROR_MEMORY;
    }
    *mesh = (sidle_mesh){.allocator = *allocator,
                         .origin = vec3_from_position(desc->origin),
                         .bounds = bounds_empty(),
                         .triangle_count = 2 * (desc->columns - 1) * (desc->rows - 1)};
    reference_init(&mesh->reference);
    mesh->field = copy_desc(desc, allocator);
    sidle_status status = mesh->field ? build_tree(mesh) : SIDLE_ERROR_MEMORY;
    if (status != SIDLE_OK)
    {
        sidle_mesh_release(mesh);
        return status;
    }
    *out = mesh;
    return SIDLE_OK;
}

sidle_status sidle_mesh_create_field(const sidle_field_desc *desc, const sidle_allocator *allocator,
                                     sidle_mesh **out)
{
    sidle_allocator chosen;
    if (!desc || desc->size != sizeof *desc || !out || !sidle_memory_choose(allocator, &chosen))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    FpEnvironment host = fp_enter();
    sidle_status status = check_desc(desc);
    if (status == SIDLE_OK && create(desc, &chosen, out) != SIDLE_OK)
    {
        status = sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    fp_leave(host);
    return status;
}
