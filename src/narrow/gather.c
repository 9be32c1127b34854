/* From a reach to candidates: instances, leaves, triangles. One walk for everything that an agent does in a
 * tick. */
#include "base/memory.h"
#include "narrow/candidates.h"
#include "narrow/view.h"

#include <string.h>

typedef struct Cut /* hands out pieces of one allocation; with no memory it only counts */
{
    char *memory;
    size_t used;
} Cut;

static void *cut_off(Cut *cut, size_t bytes)
{
    void *piece = cut->memory ? cut->memory + cut->used : NULL;
    cut->used += MEMORY_LINES(bytes);
    return piece;
}

static size_t lay_out(Candidates *c, const Kernels *kernels, uint32_t capacity, void *memory)
{
    Cut cut = {memory, 0};
    *c = (Candidates){.kernels = kernels, .capacity = capacity};
    c->list = cut_off(&cut, capacity * sizeof *c->list);
    c->leaves = cut_off(&cut, capacity * sizeof *c->leaves);
    c->instances = cut_off(&cut, capacity * sizeof *c->instances);
    c->exact_of = cut_off(&cut, capacity * sizeof *c->exact_of);
    c->wide = (Batch){cut_off(&cut, batch_bytes(kernels, capacity)), 0, capacity};
    c->exact = (Batch){cut_off(&cut, batch_bytes(&kernels_1d, capacity)), 0, capacity};
    return cut.used;
}

size_t candidates_bytes(const Kernels *kernels, uint32_t capacity)
{
    Candidates unused;
    return lay_out(&unused, kernels, capacity, NULL);
}

void candidates_place(Candidates *candidates, const Kernels *kernels, uint32_t capacity, void *memory)
{
    lay_out(candidates, kernels, capacity, memory);
}

/* The axis-aligned box, in the space that `to` leads to, of a shape moved about in the reach. A unit ball
 * that a matrix turns into an ellipsoid reaches as far along an axis as the matrix's row is long: `shape` is
 * that for the agent's shape, `unit` for a ball of the world's unit of length. */
static Bounds reach_bounds(const Reach *reach, Vec3 center, const Mat3 *to, Vec3 shape, Vec3 unit)
{
    Vec3 middle = vec3_add(center, mat3_mul(*to, vec3_add_scaled(reach->center, reach->segment, .5)));
    Vec3 along = vec3_abs(mat3_mul(*to, reach->segment));
    Vec3 half = vec3_add_scaled(vec3_scale(shape, reach->swell), unit, reach->radius);
    return bounds_around(middle, vec3_add_scaled(half, along, .5));
}

/* A capsule's core reaches farther, the same way to either side. Out of line, as all that only capsules need:
 * it would cost the others their inlining. */
static __attribute__((noinline)) Bounds with_core(const Bounds *box, const Frame *frame, const Mat3 *from_e)
{
    Vec3 core = mat3_mul(*from_e, frame->core);
    const double more[3] = {fabs(core.x), fabs(core.y), fabs(core.z)};
    Bounds grown;
    for (int axis = 0; axis < 3; ++axis)
    {
        grown.min[axis] = round_down((double)box->min[axis] - more[axis]);
        grown.max[axis] = round_up((double)box->max[axis] + more[axis]);
    }
    return grown;
}

/* The leaves that meet a box, and at times some more: from the cache if it can. */
static uint32_t find_leaves(Candidates *c, const sidle_snapshot *snapshot, uint32_t slot, const Bounds *box,
                            double margin, LeafCache *cache, const uint32_t **leaves)
{
    const BvhNode *nodes = snapshot->placed[slot].mesh->nodes;
    *leaves = c->leaves;
    if (!cache || snapshot->placed[slot].moves) /* who moves has no stored space that lasts */
    {
        return c->kernels->collect(nodes, box, c->leaves, c->capacity);
    }
    if (!leaf_cache_covers(cache, snapshot->serial, slot, box))
    {
        cache->snapshot = snapshot->serial;
        cache->instance = slot;
        cache->box = bounds_grown(box, margin);
        cache->count = c->kernels->collect(nodes, &cache->box, cache->leaves, LEAF_CACHE_SIZE);
        cache->count = cache->count > LEAF_CACHE_SIZE ? LEAF_CACHE_CROWDED : cache->count;
    }
    if (cache->count == LEAF_CACHE_CROWDED)
    {
        return c->kernels->collect(nodes, box, c->leaves, c->capacity);
    }
    *leaves = cache->leaves;
    return cache->count;
}

static void count_leaves(sidle_stats *stats, const uint8_t *packets, const uint32_t *leaves, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        stats->leaf_triangles +=
            ((const LeafPacket *)(packets + (size_t)leaves[i] * PACKET_UNIT))->triangle_count;
    }
}

static inline __attribute__((always_inline)) bool
gather_instance(Candidates *c, const sidle_snapshot *snapshot, uint32_t slot, const Frame *frame,
                const Reach *reach, const Bounds *reach_e, double time, LeafCache *cache, double *condition)
{
    const Placed *placed = &snapshot->placed[slot];
    View view = view_of(placed, frame, time);
    Mat3 inverse = mat3_product(view.inverse, frame->to_w);
    double own_condition = larger(view_condition(&view, &inverse), 1);
    Vec3 shape = mat3_row_lengths(inverse);
    Vec3 unit = vec3_abs(vec3_div(vec3(1, 1, 1), placed->scale)); /* rotations keep rows unit */
    Bounds box = reach_bounds(reach, view.center, &view.inverse, shape, unit);
    if (frame->is_capsule)
    {
        box = with_core(&box, frame, &inverse);
    }
    const uint32_t *leaves;
    double margin = LEAF_CACHE_MARGIN * vec3_min_component(shape);
    uint32_t found = find_leaves(c, snapshot, slot, &box, margin, cache, &leaves);
    if (found > c->capacity)
    {
        return false;
    }
    if (c->stats)
    {
        count_leaves(c->stats, placed->mesh->packets, leaves, found);
    }
    PackTransform transform = view_transform(&view, placed, slot);
    uint32_t before = c->wide.count;
    bool fits =
        c->kernels->append(placed->mesh->packets, leaves, found, &transform, reach_e, &c->wide, c->list);
    if (c->wide.count > before) /* an instance of which nothing is near changes nothing */
    {
        *condition = larger(*condition, own_condition);
    }
    return fits;
}

/* What float does not serve, again in double and from the stored vertices. */
static void pack_exact(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                       const PackRules *rules, double time)
{
    for (uint32_t i = 0; i < c->wide.count; ++i)
    {
        const Candidate *candidate = &c->list[i];
        if (!candidate->exact)
        {
            continue;
        }
        const Placed *placed = &snapshot->placed[candidate->instance];
        View view = view_of(placed, frame, time);
        Vec3 corners[3];
        view_corners(&view, placed, candidate, corners);
        double *lane = (double *)c->exact.blocks + (size_t)c->exact.count * FIELD_COUNT;
        memcpy(lane + FIELD_V0, corners, sizeof corners);
        c->exact_of[c->exact.count++] = i;
    }
    kernels_1d.finish(&c->exact, rules, NULL);
}

void candidates_finish(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                       const PackRules *rules, double time)
{
    if (c->kernels->finish(&c->wide, rules, c->list) > 0)
    {
        pack_exact(c, snapshot, frame, rules, time);
    }
}

bool filter_takes(const Filter *filter, const sidle_snapshot *snapshot, uint32_t slot)
{
    const Placed *placed = &snapshot->placed[slot];
    bool ignored = filter->ignore.generation == placed->generation && filter->ignore.index == slot;
    bool wanted = filter->motion == FILTER_ALL ||
                  (filter->motion == FILTER_RESTING ? !placed->moves : slot == filter->slot);
    return (placed->member_of & filter->collides_with) && !ignored && wanted;
}

uint32_t candidates_instances(const Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                              const Reach *reach)
{
    if (snapshot->present_count <= 1)
    {
        c->instances[0] = snapshot->present_count ? snapshot->present[0] : 0;
        return snapshot->present_count;
    }
    static const Mat3 identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3 shape = mat3_row_lengths(frame->to_w), unit = vec3(1, 1, 1);
    Bounds box = reach_bounds(reach, vec3_sub(frame->center, snapshot->origin), &identity, shape, unit);
    box = frame->is_capsule ? with_core(&box, frame, &frame->to_w) : box;
    return c->kernels->collect(snapshot->nodes, &box, c->instances, c->capacity);
}

static Bounds reach_in_frame(const Frame *frame, const Reach *reach)
{
    static const Mat3 identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3 unit = vec3_div(vec3(1, 1, 1), frame->radii);
    Bounds box = reach_bounds(reach, vec3(0, 0, 0), &frame->to_e, vec3(1, 1, 1), unit);
    return frame->is_capsule ? with_core(&box, frame, &identity) : box;
}

bool candidates_gather(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame, const Reach *reach,
                       const Filter *filter, LeafCache *cache)
{
    c->wide.count = c->exact.count = 0;
    c->wide.capacity = c->capacity;
    c->core = frame->core.y;
    uint32_t instance_count = candidates_instances(c, snapshot, frame, reach);
    if (instance_count > c->capacity)
    {
        return false;
    }
    /* One instance's leaves are kept; the few that a small capacity allows must not depend on the cache's
     * extra ones. */
    cache = instance_count == 1 && c->capacity >= LEAF_CACHE_SIZE * PACKET_TRIANGLES ? cache : NULL;
    Bounds reach_e = reach_in_frame(frame, reach);
    double condition = 1;
    for (uint32_t i = 0; i < instance_count; ++i)
    {
        if (filter_takes(filter, snapshot, c->instances[i]) &&
            !gather_instance(c, snapshot, c->instances[i], frame, reach, &reach_e, filter->time, cache,
                             &condition))
        {
            return false;
        }
    }
    c->rules = (PackRules){(float)reach->path, (float)reach->slack, (float)condition, filter->one_sided,
                           (float)frame->core.y};
    candidates_finish(c, snapshot, frame, &c->rules, filter->time);
    if (c->stats)
    {
        ++c->stats->gathers;
        c->stats->candidates += c->wide.count;
        c->stats->exact += c->exact.count;
    }
    return true;
}

void candidates_prefetch(const LeafCache *cache, const sidle_snapshot *snapshot)
{
    if (cache->snapshot != snapshot->serial || cache->count > LEAF_CACHE_SIZE)
    {
        return;
    }
    const uint8_t *packets = snapshot->placed[cache->instance].mesh->packets;
    for (uint32_t i = 0; i < cache->count; ++i)
    {
        const uint8_t *packet = packets + (size_t)cache->leaves[i] * PACKET_UNIT;
        __builtin_prefetch(packet);
        __builtin_prefetch(packet + 64);
        __builtin_prefetch(packet + 128);
    }
}
