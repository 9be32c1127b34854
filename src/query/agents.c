/* Builds an index of agents, and walks it. */
#include "query/agents.h"

#include "base/fp_environment.h"
#include "base/status.h"
#include "narrow/shape.h"

#include <string.h>

/* Of a key, for each axis: three times as many fit into 64. */
#define KEY_BITS 21

/* Of a digit of the sort. */
#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

sidle_status sidle_agents_create(const sidle_allocator *given, sidle_agents **out)
{
    sidle_allocator allocator;
    if (!out || !sidle_memory_choose(given, &allocator))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_agents *agents = sidle_memory_allocate(&allocator, 1, sizeof *agents);
    if (!agents)
    {
        return SIDLE_ERROR_MEMORY;
    }
    *agents = (sidle_agents){.allocator = allocator};
    *out = agents;
    return SIDLE_OK;
}

void sidle_agents_destroy(sidle_agents *agents)
{
    if (agents)
    {
        sidle_scratch_release(&agents->memory, &agents->allocator);
        sidle_memory_free(&agents->allocator, agents, 1, sizeof *agents);
    }
}

/* ---- the request ---- */

static const sidle_move *move_of(const sidle_agents_desc *desc, uint32_t i)
{
    size_t stride = desc->move_stride ? desc->move_stride : sizeof(sidle_move);
    return (const sidle_move *)(const void *)((const char *)desc->moves + i * stride);
}

static const sidle_shape *shape_of(const sidle_agents_desc *desc, uint32_t i)
{
    size_t stride = desc->profile_stride ? desc->profile_stride : sizeof(sidle_profile);
    return &((const sidle_profile *)(const void *)((const char *)desc->profiles + i * stride))->shape;
}

static sidle_status check_move(const sidle_agents_desc *desc, uint32_t i)
{
    const sidle_move *move = move_of(desc, i);
    const sidle_quat *q = &move->rotation;
    Vec3 center = vec3_from_position(move->body.center);
    if (!vec3_is_finite(center) || !isfinite(q->x) || !isfinite(q->y) || !isfinite(q->z) || !isfinite(q->w))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_NOT_FINITE, i,
                                 "move %u: body.center or rotation is not finite", i);
    }
    if (vec3_max_component(vec3_abs(center)) > SIDLE_MAX_COORDINATE)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_LIMIT, i,
                                 "move %u: a coordinate of body.center exceeds %g", i, SIDLE_MAX_COORDINATE);
    }
    if (move->profile >= desc->profile_count)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_INDEX, i,
                                 "move %u: profile is %u, but there are %u profiles", i, move->profile,
                                 desc->profile_count);
    }
    return SIDLE_OK;
}

static sidle_status check(const sidle_agents_desc *desc)
{
    sidle_status status = SIDLE_OK;
    if (desc->count > SIDLE_MAX_AGENTS || desc->profile_count > SIDLE_MAX_PROFILES)
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_LIMIT, 0, "%u moves or %u profiles are too many",
                                 desc->count, desc->profile_count);
    }
    if (!row_is_good(ROW(desc->moves, desc->move_stride, desc->count)) ||
        !row_is_good(ROW(desc->profiles, desc->profile_stride, desc->profile_count)))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_ARGUMENT, 0,
                                 "an array is missing, or its stride is too small or not aligned");
    }
    for (uint32_t i = 0; i < desc->profile_count && status == SIDLE_OK; ++i)
    {
        status = sidle_shape_check(shape_of(desc, i), i, desc->error);
    }
    for (uint32_t i = 0; i < desc->count && status == SIDLE_OK; ++i)
    {
        status = check_move(desc, i);
    }
    return status;
}

/* ---- the order ---- */

/* Moves each bit to three times its place. */
static uint64_t spread(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x1F00000000FFFFu;
    bits = (bits | bits << 16) & 0x1F0000FF0000FFu;
    bits = (bits | bits << 8) & 0x100F00F00F00F00Fu;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

static void set_keys(sidle_agents *agents, const sidle_agents_desc *desc, CurvePlace *places)
{
    Vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3(-INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < desc->count; ++i)
    {
        Vec3 center = vec3_from_position(move_of(desc, i)->body.center);
        low = vec3_lesser(low, center);
        high = vec3_larger(high, center);
    }
    double side = vec3_max_component(vec3_sub(high, low));
    double scale = side > 0 ? ((1 << KEY_BITS) - 1) / side : 0;
    agents->span = side > 0 ? side : 0;
    agents->origin = desc->count ? vec3_scale(vec3_add(low, high), .5) : vec3(0, 0, 0);
    for (uint32_t i = 0; i < desc->count; ++i)
    {
        Vec3 center = vec3_from_position(move_of(desc, i)->body.center);
        Vec3 cell = vec3_scale(vec3_sub(center, low), scale);
        uint64_t key =
            spread((uint64_t)cell.x) << 2 | spread((uint64_t)cell.y) << 1 | spread((uint64_t)cell.z);
        places[i] = (CurvePlace){key, i, 0};
    }
}

/* Sorts by one digit, and keeps the order of equal ones. Returns false if all are equal. */
static bool sort_digit(const CurvePlace *from, CurvePlace *to, uint32_t count, uint32_t shift)
{
    uint32_t starts[DIGITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        starts[from[i].key >> shift & (DIGITS - 1)] += 1;
    }
    if (starts[from[0].key >> shift & (DIGITS - 1)] == count)
    {
        return false;
    }
    for (uint32_t digit = 0; digit < DIGITS; ++digit)
    {
        uint32_t own = starts[digit];
        starts[digit] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        to[starts[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
    }
    return true;
}

static const CurvePlace *sorted(CurvePlace *from, CurvePlace *to, uint32_t count)
{
    for (uint32_t shift = 0; shift < 3 * KEY_BITS && count > 0; shift += DIGIT_BITS)
    {
        if (sort_digit(from, to, count, shift))
        {
            CurvePlace *between = from;
            from = to;
            to = between;
        }
    }
    return from;
}

/* ---- the tree ---- */

static void enter(IndexedAgent *to, const sidle_agents_desc *desc, uint32_t i)
{
    const sidle_move *move = move_of(desc, i);
    const sidle_shape *shape = shape_of(desc, move->profile);
    to->shape.center = vec3_from_position(move->body.center);
    to->shape.axes = mat3_from_quat(move->rotation);
    to->shape.radii = vec3_from(shape->radii);
    to->shape.core = (double)shape->half_height;
    to->id = move->id;
    to->member_of = move->member_of ? move->member_of : UINT32_MAX;
    to->index = i;
}

static Bounds box_of(const PairShape *shape, Vec3 origin)
{
    const Mat3 *a = &shape->axes;
    Mat3 half = {{vec3_mul(a->row[0], shape->radii), vec3_mul(a->row[1], shape->radii),
                  vec3_mul(a->row[2], shape->radii)}};
    Vec3 core = vec3_abs(vec3_scale(vec3(a->row[0].y, a->row[1].y, a->row[2].y), shape->core));
    Vec3 extent = agent_box_half(vec3_add(mat3_row_lengths(half), core));
    return bounds_around(vec3_sub(shape->center, origin), extent);
}

static void set_child(AgentNode *node, uint32_t i, const Bounds *box)
{
    for (int axis = 0; axis < 3; ++axis)
    {
        node->low[axis][i] = box->min[axis];
        node->high[axis][i] = box->max[axis];
    }
}

static Bounds node_box(const AgentNode *node)
{
    Bounds box = bounds_empty();
    for (int axis = 0; axis < 3; ++axis)
    {
        for (uint32_t i = 0; i < AGENTS_WIDTH; ++i)
        {
            float low = node->low[axis][i], high = node->high[axis][i];
            box.min[axis] = low < box.min[axis] ? low : box.min[axis];
            box.max[axis] = high > box.max[axis] ? high : box.max[axis];
        }
    }
    return box;
}

static uint32_t nodes_over(uint32_t count)
{
    return (count + AGENTS_WIDTH - 1) / AGENTS_WIDTH;
}

/* Counts the nodes of each level, up to one root. Returns the number of all. */
static uint32_t count_nodes(uint32_t count, uint32_t first[AGENTS_LEVELS], uint32_t *levels)
{
    uint32_t all = 0, level = 0;
    for (uint32_t nodes = nodes_over(count); nodes > 0; nodes = nodes > 1 ? nodes_over(nodes) : 0)
    {
        first[level++] = all;
        all += nodes;
    }
    *levels = level;
    return all;
}

static void build_nodes(sidle_agents *agents, uint32_t node_count)
{
    AgentNode *nodes = agents->nodes;
    const IndexedAgent *list = agents->list;
    Bounds empty = bounds_empty();
    for (uint32_t level = 0; level < agents->level_count; ++level)
    {
        bool is_root = level + 1 == agents->level_count;
        uint32_t begin = agents->first[level], end = is_root ? node_count : agents->first[level + 1];
        uint32_t below = level ? agents->first[level - 1] : 0, below_count = level ? begin : agents->count;
        for (uint32_t n = begin; n < end; ++n)
        {
            for (uint32_t i = 0; i < AGENTS_WIDTH; ++i)
            {
                uint32_t child = below + (n - begin) * AGENTS_WIDTH + i;
                Bounds box = child >= below_count ? empty
                             : level              ? node_box(&nodes[child])
                                                  : box_of(&list[child].shape, agents->origin);
                set_child(&nodes[n], i, &box);
            }
        }
    }
}

static FP_BODY sidle_status build(sidle_agents *agents, const sidle_agents_desc *desc)
{
    sidle_status status = check(desc);
    if (status != SIDLE_OK)
    {
        return status;
    }
    uint32_t n = desc->count, first[AGENTS_LEVELS], levels, nodes = count_nodes(n, first, &levels);
    size_t node_bytes = MEMORY_LINES(nodes * sizeof(AgentNode)), list_bytes = n * sizeof(IndexedAgent),
           place_bytes = n * sizeof(CurvePlace);
    if (!sidle_scratch_reserve(&agents->memory, &agents->allocator, node_bytes + list_bytes + 2 * place_bytes,
                               1))
    {
        return sidle_status_fail(desc->error, SIDLE_ERROR_MEMORY, 0, NULL);
    }
    char *memory = agents->memory.memory;
    agents->nodes = (AgentNode *)(void *)memory;
    agents->list = (IndexedAgent *)(void *)(memory + node_bytes);
    CurvePlace *places = (CurvePlace *)(void *)(memory + node_bytes + list_bytes);
    set_keys(agents, desc, places);
    const CurvePlace *order = sorted(places, places + n, n);
    for (uint32_t i = 0; i < n; ++i)
    {
        enter(&agents->list[i], desc, order[i].agent);
    }
    agents->count = n;
    agents->level_count = levels;
    memcpy(agents->first, first, sizeof first);
    build_nodes(agents, nodes);
    return SIDLE_OK;
}

sidle_status sidle_agents_build(sidle_agents *agents, const sidle_agents_desc *desc)
{
    if (!agents || !desc || desc->size != sizeof *desc)
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    FpEnvironment host = fp_enter();
    sidle_status status = build(agents, desc);
    fp_leave(host);
    return status;
}
