/* From a reach to candidates: from the cache of an agent, or by a search. One search serves all sweeps of an agent's tick. */
#include "narrow/questions.h"
#include "simd/quad.h"

#include <stddef.h>
#include <string.h>

/* ---- the cache of an agent ---- */

/* A cache of an older epoch is valid if nothing has changed in its box. Its clearing may depend on more. */
static OUT_OF_LINE void cache_revive(TriangleCache *cache, const sidle_snapshot *snapshot)
{
    Vec3 center = vec3(cache->center[0], cache->center[1], cache->center[2]);
    Vec3 half = vec3((double)cache->half[0], (double)cache->half[1], (double)cache->half[2]);
    if (cache->resting && snapshot_rests_alike(snapshot, cache->resting, center, half))
    {
        cache->resting = snapshot->resting;
        cache->clearing.within = 0;
    }
}

FORCE_INLINE bool cache_covers(TriangleCache *cache, const sidle_snapshot *snapshot, Box box)
{
    if (cache->resting != snapshot->resting)
    {
        cache_revive(cache, snapshot);
    }
    Quad center = quad_set(cache->center[0], cache->center[1], cache->center[2], 0);
    Quad half = quad_load_floats(cache->half);
    Quad reach = quad_add(quad_abs(quad_sub(box.center, center)), box.half);
    /* mutant: cache_of_older_world, cache_of_elsewhere */
    return cache->resting == snapshot->resting && (quad_less_equal(reach, half) & 7) == 7;
}

/* Appends the triangles of one instance in the box to the cache. Returns false if they exceed it. */
static bool cache_add(TriangleCache *cache, Corners *corners, const Gather *gather, uint32_t slot, Box box,
                      uint32_t *leaves)
{
    const Candidates *c = gather->candidates;
    const Mapping *mapping = mapping_of(c, gather->snapshot, slot, gather->frame, gather->filter->time);
    const sidle_mesh *mesh = snapshot_placed(gather->snapshot, slot)->mesh;
    Bounds bounds = mapping_box(mapping, box);
    uint32_t most = CACHE_LEAVES - *leaves, before = corners->count;
    uint32_t found = collect_packets(mesh, &bounds, c->leaves, most);
    bool fits = found <= most && cache->run_count < CACHE_RUNS;
    for (uint32_t i = 0; i < found && fits && !mesh->field; ++i)
    {
        const char *line = (const char *)mesh->packets + (size_t)c->leaves[i] * PACKET_UNIT;
        __builtin_prefetch(line);
        __builtin_prefetch(line + 64);
        __builtin_prefetch(line + 128);
        __builtin_prefetch(line + 192);
    }
    for (uint32_t i = 0; i < found && fits; ++i)
    {
        FieldPacket memory;
        fits = keep_triangles(corners, mesh_packet(mesh, c->leaves[i], &memory), c->leaves[i], &bounds);
    }
    *leaves += found;
    if (fits && corners->count > before)
    {
        cache->run_slots[cache->run_count] = slot;
        cache->run_ends[cache->run_count++] = (uint8_t)corners->count;
    }
    return fits;
}

/* The numbers of a cache in rows of a stride. */
static inline Corners cache_corners(TriangleCache *cache, uint32_t stride)
{
    uint32_t *origins = &cache->numbers[CACHE_CORNER_ROWS * stride].origin;
    return (Corners){.rows = &cache->numbers[0].corner,
                     .leaf = origins,
                     .triangle = origins + stride,
                     .tag = origins + 2 * stride,
                     .stride = stride,
                     .capacity = CACHE_TRIANGLES};
}

/* Moves the rows of so many triangles together. */
static void cache_pack(TriangleCache *cache, uint32_t count)
{
    cache->stride = (count + 7) / 8 * 8;
    for (uint32_t row = 1; row < CACHE_ROWS; ++row)
    {
        memmove(cache->numbers + row * cache->stride, cache->numbers + row * CACHE_TRIANGLES,
                cache->stride * sizeof(CacheNumber));
    }
}

/* Fills the cache with the resting triangles within `margin` of the reach. Returns false if they are more than `most`, or of too
 * many leaves or instances. */
static bool cache_take(TriangleCache *cache, const Gather *gather, double margin, uint32_t most)
{
    const Candidates *c = gather->candidates;
    const sidle_snapshot *snapshot = gather->snapshot;
    double center[4], half[4];
    Vec3 path = gather->reach->center;
    double length = vec3_length(path);
    bool looks_around = cache->clearing.within > 0; /* searches for walls on all sides */
    double ahead = length > 0 && !looks_around ? CACHE_AHEAD * margin / length : 0;
    Box box = {quad_add_scaled(gather->box.center, quad_of(path), ahead),
               quad_add(gather->box.half, quad_all(margin))};
    quad_store(center, box.center);
    quad_store(half, box.half);
    for (int axis = 0; axis < 3; ++axis)
    {
        cache->center[axis] = center[axis];
        cache->half[axis] = round_down(half[axis]);
    }
    cache->run_count = 0;
    Corners corners = cache_corners(cache, CACHE_TRIANGLES);
    corners.capacity = most;
    uint32_t leaves = 0, resting_count = 0, found = find_instances_in(c, snapshot, box);
    bool fits = found <= instance_capacity(c); /* a search, too, fails beyond this */
    for (uint32_t i = 0; i < found && fits; ++i)
    {
        uint32_t slot = c->instances[i];
        bool rests = !snapshot_placed(snapshot, slot)->moves;
        resting_count += rests;
        fits = !rests ||
               (resting_count <= CACHE_INSTANCES && cache_add(cache, &corners, gather, slot, box, &leaves));
    }
    cache_pack(cache, fits ? corners.count : 0);
    return fits;
}

/* Margins, in units of the shape's smallest half extent. If one holds too many triangles, the next is tried. The first is .7 m for
 * a person, ten to thirty ticks of walking. A move reads the whole cache, so where triangles are dense, a smaller margin costs less. */
typedef struct CacheFill
{
    double margin;
    uint32_t most;
} CacheFill;

static const CacheFill cache_fills[3] = {{1.8, 32}, {1, CACHE_TRIANGLES}, {.5, CACHE_TRIANGLES}};

static OUT_OF_LINE void cache_fill(TriangleCache *cache, const Gather *gather)
{
    double least = vec3_min_component(gather->frame->extent);
    bool fits = false;
    if (cache->resting != gather->snapshot->resting)
    {
        cache->clearing.within = 0;
    }
    cache->resting = gather->snapshot->resting;
    for (uint32_t i = 0; i < 3 && !fits; ++i)
    {
        fits = cache_take(cache, gather, cache_fills[i].margin * least, cache_fills[i].most);
    }
    if (!fits)
    {
        cache->run_count = CACHE_CROWDED;
    }
}

/* Gathers resting triangles from the cache, which is filled if it does not cover the reach, and moving ones by a
 * search. */
FORCE_INLINE bool recall(Gather *gather, TriangleCache *cache)
{
    Candidates *c = gather->candidates;
    const sidle_snapshot *snapshot = gather->snapshot;
    bool covers = cache_covers(cache, snapshot, gather->box), aside = gather->reach->aside;
    if (!covers && !aside)
    {
        cache_fill(cache, gather);
    }
    if ((!covers && aside) || cache->run_count == CACHE_CROWDED)
    {
        return search(gather, false);
    }
    bool fits = true;
    Corners corners = cache_corners(cache, cache->stride);
    for (uint32_t i = 0, first = 0; i < cache->run_count && fits; first = cache->run_ends[i++])
    {
        uint32_t slot = cache->run_slots[i], before = c->wide.count;
        const Placed *placed = snapshot_placed(snapshot, slot);
        if (filter_takes(gather->filter, placed))
        {
            Mapping *mapping = mapping_of(c, snapshot, slot, gather->frame, gather->filter->time);
            Bounds box = mapping_box(mapping, gather->box);
            mapping_center(mapping, gather->frame);
            fits = add_corners(gather, mapping, &box, &corners, first, cache->run_ends[i]);
            end_run(gather, mapping, placed, before);
        }
    }
    bool moves = snapshot->moving_count > 0 && gather->filter->motion == FILTER_ALL;
    return fits && (!moves || search(gather, true));
}

/* Converts four numbers at a time: reach_length to core, and path with its length. */
FORCE_INLINE void set_rules(PackRules *rules, const Frame *frame, const Reach *reach, double condition)
{
    quad_store_floats(&rules->reach_length, quad_set(reach->path, reach->slack, condition, frame->core.y));
    quad_store_floats(rules->path, quad_load(&reach->first.x));
    rules->path_cull = (float)(reach->first_radius + reach->slack);
}

_Static_assert(offsetof(PackRules, core) == offsetof(PackRules, reach_length) + 3 * sizeof(float) &&
                   offsetof(PackRules, path_length) == offsetof(PackRules, path) + 3 * sizeof(float) &&
                   offsetof(Reach, first_length) == offsetof(Reach, first) + sizeof(Vec3),
               "side by side");

FORCE_INLINE bool candidates_corners_in(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                        const Reach *reach, const Filter *filter, TriangleCache *cache)
{
    c->wide.count = c->exact.count = c->run_count = 0;
    c->hides_backs = false;
    c->wide.capacity = c->capacity;
    c->core = frame->core.y;
    Gather gather; /* field by field, without writing zeros first */
    gather.candidates = c;
    gather.snapshot = snapshot;
    gather.frame = frame;
    gather.filter = filter;
    gather.reach = reach;
    gather.has_packed = false;
    gather.condition = 1;
    gather.leaves[0] = gather.leaves[1] = gather.field_leaves[0] = gather.field_leaves[1] = 0;
    gather.resting_count = gather.moving_count = 0;
    gather.box = reach_box(frame, reach);
    gather.box.center = quad_add(gather.box.center, quad_of(frame->center));
    /* With a small capacity the cache's extra leaves could decide what fits. */
    bool may_recall = cache && filter->motion != FILTER_SLOT && c->capacity >= CACHE_LEAVES;
    bool fits = may_recall                      ? recall(&gather, cache)
                : filter->motion == FILTER_SLOT ? add_instance(&gather, filter->slot)
                                                : search(&gather, false);
    if (!fits)
    {
        return false;
    }
    c->leaves_seen += seen_by(&gather);
    set_rules(&c->rules, frame, reach, gather.condition);
    c->rules.one_sided = filter->one_sided;
    return true;
}

FORCE_INLINE bool candidates_gather(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                    const Reach *reach, const Filter *filter, TriangleCache *cache)
{
    if (!candidates_corners_in(c, snapshot, frame, reach, filter, cache) ||
        !candidates_setup(c, snapshot, frame, &c->rules, filter->time))
    {
        return false;
    }
    if (c->stats)
    {
        ++c->stats->gathers;
        c->stats->candidates += c->wide.count;
        c->stats->exact += c->exact.count;
    }
    return true;
}
