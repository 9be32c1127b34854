/* From a reach to candidates: instances, leaves, triangles. One search for everything that an agent does in a tick. */
#include "base/memory.h"
#include "narrow/questions.h"
#include "narrow/view.h"
#include "simd/quad.h"

#include <string.h>

typedef struct Box /* axis-aligned */
{
    Quad center, half;
} Box;

static inline Quad quad_of(Vec3 v)
{
    return quad_set(v.x, v.y, v.z, 0);
}

/* In the world, relative to the frame's centre: all that a reach holds. */
static inline Box reach_box(const Frame *frame, const Reach *reach)
{
    Quad segment = quad_of(reach->segment), extent = quad_of(frame->extent);
    Quad half = quad_add_scaled(quad_all(reach->radius), extent, reach->swell);
    half = quad_add(half, quad_of(frame->core_extent));
    return (Box){quad_add_scaled(quad_of(reach->center), segment, .5),
                 quad_add_scaled(half, quad_abs(segment), .5)};
}

/* What float leaves of a coordinate errs by less than this share of it; 8 u of PackTransform's diagonal is as much. */
#define BOX_GROWTH 0x1p-21

/* In float, rounded outward. */
static inline Bounds box_bounds(Box box)
{
    Quad low = quad_sub(box.center, box.half), high = quad_add(box.center, box.half),
         least = quad_all(0x1p-126);
    low = quad_sub(quad_add_scaled(low, quad_abs(low), -BOX_GROWTH), least);
    high = quad_add(quad_add_scaled(high, quad_abs(high), BOX_GROWTH), least);
    float min[4], max[4];
    quad_store_floats(min, low);
    quad_store_floats(max, high);
    return (Bounds){{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
}

/* Of a reach, in ellipsoid space: what a triangle has to meet as well where axes do not agree. */
static Bounds reach_bounds(const Frame *frame, const Reach *reach)
{
    const Mat3 *to = &frame->to_e;
    Vec3 middle = mat3_mul(*to, vec3_add_scaled(reach->center, reach->segment, .5));
    Vec3 half =
        vec3_add_scaled(vec3(reach->swell, reach->swell, reach->swell), frame->inverse, reach->radius);
    half = vec3_add_scaled(half, vec3_abs(mat3_mul(*to, reach->segment)), .5);
    return bounds_around(middle, vec3_add(half, vec3_abs(frame->core)));
}

/* ---- instances ---- */

static OUT_OF_LINE void mapping_set(Mapping *mapping, const sidle_snapshot *snapshot, uint32_t slot,
                                    const Frame *frame, double time)
{
    const Placed *given = &snapshot->placed[slot];
    Placed between;
    const Placed *placed = placed_at(given, time, &between);
    Vec3 position = placed->position, origin = placed->mesh->origin;
    View view = {.inverse = placed->inverse, .to_e = mat3_product(frame->to_e, placed->linear)};
    Mat3 inverse = mat3_product(view.inverse, frame->to_w), columns = mat3_transpose(placed->inverse);
    mapping->snapshot = frame->profile && !given->moves ? snapshot->serial : 0;
    mapping->profile = frame->profile;
    mapping->slot = slot;
    mapping->condition = larger(view_condition(&view, &inverse), 1);
    quad_store(mapping->position, quad_of(position));
    quad_store(mapping->origin, quad_of(origin));
    transform_set(&mapping->transform, &view.to_e, given, slot);
    Vec3 *column = columns.row;
    mapping->is_diagonal = mapping->transform.is_diagonal && column[0].y == 0 && column[0].z == 0 &&
                           column[1].x == 0 && column[1].z == 0 && column[2].x == 0 && column[2].y == 0;
    if (mapping->is_diagonal)
    {
        column[0] = vec3(column[0].x, column[1].y, column[2].z);
    }
    for (int i = 0; i < 3; ++i)
    {
        quad_store(mapping->inverse[i], quad_of(column[i]));
    }
}

static inline Mapping *mapping_of(const Candidates *c, const sidle_snapshot *snapshot, uint32_t slot,
                                  const Frame *frame, double time)
{
    Mapping *mapping = &c->mappings[(slot * 8 + frame->profile) % MAPPINGS];
    if (mapping->snapshot != snapshot->serial || mapping->slot != slot || mapping->profile != frame->profile)
    {
        mapping_set(mapping, snapshot, slot, frame, time);
    }
    return mapping;
}

/* A world displacement in stored space. */
static inline Quad mapping_turn(const Mapping *mapping, Quad v)
{
    Quad first = quad_load(mapping->inverse[0]);
    if (mapping->is_diagonal)
    {
        return quad_mul(first, v);
    }
    double x[4];
    quad_store(x, v);
    Quad sum = quad_add_scaled(quad_mul(first, quad_all(x[0])), quad_load(mapping->inverse[1]), x[1]);
    return quad_add_scaled(sum, quad_load(mapping->inverse[2]), x[2]);
}

/* A place of the world in stored space. */
static inline Quad mapping_place(const Mapping *mapping, Quad place)
{
    Quad local = mapping_turn(mapping, quad_sub(place, quad_load(mapping->position)));
    return quad_sub(local, quad_load(mapping->origin));
}

/* The box in stored space around a box in the world. */
static Bounds mapping_box(const Mapping *mapping, Box box)
{
    Quad half = quad_mul(quad_abs(quad_load(mapping->inverse[0])), box.half);
    if (!mapping->is_diagonal)
    {
        double x[4];
        quad_store(x, box.half);
        half = quad_mul(quad_abs(quad_load(mapping->inverse[0])), quad_all(x[0]));
        half = quad_add_scaled(half, quad_abs(quad_load(mapping->inverse[1])), x[1]);
        half = quad_add_scaled(half, quad_abs(quad_load(mapping->inverse[2])), x[2]);
    }
    return box_bounds((Box){mapping_place(mapping, box.center), half});
}

static bool filter_takes(const Filter *filter, const sidle_snapshot *snapshot, uint32_t slot)
{
    const Placed *placed = &snapshot->placed[slot];
    bool ignored = filter->ignore.generation == placed->generation && filter->ignore.index == slot;
    bool wanted = filter->motion == FILTER_ALL ||
                  (filter->motion == FILTER_RESTING ? !placed->moves : slot == filter->slot);
    return (placed->member_of & filter->collides_with) && !ignored && wanted;
}

static inline uint32_t instance_room(const Candidates *c)
{
    return c->capacity < MAX_GATHER_INSTANCES ? c->capacity : MAX_GATHER_INSTANCES;
}

/* Into c->instances. `box`: in the world. */
static uint32_t find_instances_in(const Candidates *c, const sidle_snapshot *snapshot, Box box)
{
    if (snapshot->present_count <= 1)
    {
        c->instances[0] = snapshot->present_count ? snapshot->present[0] : 0;
        return snapshot->present_count;
    }
    Bounds bounds = box_bounds((Box){quad_sub(box.center, quad_of(snapshot->origin)), box.half});
    return KERNELS_COLLECT(snapshot->nodes, &bounds, c->instances, instance_room(c));
}

static uint32_t candidates_instances(const Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                     const Reach *reach)
{
    Box box = reach_box(frame, reach);
    box.center = quad_add(box.center, quad_of(frame->center));
    return find_instances_in(c, snapshot, box);
}

/* ---- the gather ---- */

typedef struct Gather /* one that runs */
{
    Candidates *candidates;
    const sidle_snapshot *snapshot;
    const Frame *frame;
    const Filter *filter;
    const Reach *reach;
    Box box; /* of the reach, in the world */
    double condition;
    uint32_t
        leaves[2]; /* found in instances that rest, which a cache may know already, and in those that move */
    uint32_t moving_count;
} Gather;

static void count_leaves(sidle_stats *stats, const uint8_t *packets, const uint32_t *leaves, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        stats->leaf_triangles +=
            ((const LeafPacket *)(packets + (size_t)leaves[i] * PACKET_UNIT))->triangle_count;
    }
}

static OUT_OF_LINE bool append_leaves_turned(const Gather *gather, const Mapping *mapping,
                                             const Bounds *stored, const uint32_t *leaves, uint32_t count)
{
    Candidates *c = gather->candidates;
    const uint8_t *packets = gather->snapshot->placed[mapping->slot].mesh->packets;
    Bounds packed = reach_bounds(gather->frame, gather->reach);
    return append_turned(packets, leaves, count, &mapping->transform, stored, &packed, &c->wide, &c->origins);
}

/* `stored`: the box of the reach in stored space. */
static bool add_leaves(Gather *gather, Mapping *mapping, const Bounds *stored, const uint32_t *leaves,
                       uint32_t count)
{
    Candidates *c = gather->candidates;
    const sidle_mesh *mesh = gather->snapshot->placed[mapping->slot].mesh;
    PackTransform *transform = &mapping->transform;
    double center[4];
    quad_store(center, mapping_place(mapping, quad_of(gather->frame->center)));
    transform_set_center(transform, center);
    if (c->stats)
    {
        count_leaves(c->stats, mesh->packets, leaves, count);
    }
    uint32_t before = c->wide.count;
    bool fits = mapping->is_diagonal
                    ? append_diagonal(mesh->packets, leaves, count, transform, stored, &c->wide, &c->origins)
                    : append_leaves_turned(gather, mapping, stored, leaves, count);
    if (c->wide.count > before) /* an instance of which nothing is near changes nothing */
    {
        gather->condition = larger(gather->condition, mapping->condition);
        c->runs[c->run_count++] = (Run){mapping->slot, c->wide.count};
    }
    return fits;
}

/* A replay's leaves are others: which gathers did not fit it knows from its capture. */
static inline bool is_replay(const Candidates *c)
{
    return c->numbers != NULL;
}

static inline bool may_look(const Candidates *c)
{
    return c->leaves_seen <= MAX_LEAVES_SEEN || is_replay(c);
}

/* Of one gather: half as many as candidates, which is enough for what fits, but not so few that a cache holds more. */
static inline uint32_t leaf_room(const Candidates *c)
{
    uint32_t least = c->capacity < 512 ? c->capacity : 512;
    return c->capacity / 2 > least ? c->capacity / 2 : least;
}

/* The leaves that a gather has seen, be it with a cache or without. */
static inline uint32_t leaves_of(const Gather *gather)
{
    uint32_t resting = gather->leaves[0] > LEAF_CACHE_SEARCHED ? gather->leaves[0] : 0;
    return resting + gather->leaves[1];
}

/* One instance, with a walk of its tree. */
static bool add_instance(Gather *gather, uint32_t slot)
{
    Candidates *c = gather->candidates;
    Mapping *mapping = mapping_of(c, gather->snapshot, slot, gather->frame, gather->filter->time);
    Bounds box = mapping_box(mapping, gather->box);
    const Placed *placed = &gather->snapshot->placed[slot];
    uint32_t room = is_replay(c) ? c->capacity : leaf_room(c) - leaves_of(gather);
    uint32_t found = KERNELS_COLLECT(placed->mesh->nodes, &box, c->leaves, room);
    gather->leaves[placed->moves] += found;
    gather->moving_count += placed->moves;
    bool fits = found <= room && (is_replay(c) || leaves_of(gather) <= leaf_room(c));
    return fits && add_leaves(gather, mapping, &box, c->leaves, found);
}

/* With walks of all trees; `only_moving`: of instances that move. */
static OUT_OF_LINE bool search(Gather *gather, bool only_moving)
{
    Candidates *c = gather->candidates;
    const sidle_snapshot *snapshot = gather->snapshot;
    uint32_t count = find_instances_in(c, snapshot, gather->box);
    bool fits = count <= instance_room(c);
    for (uint32_t i = 0; i < count && fits; ++i)
    {
        uint32_t slot = c->instances[i];
        bool wanted = !only_moving || snapshot->placed[slot].moves;
        fits = !(wanted && filter_takes(gather->filter, snapshot, slot)) || add_instance(gather, slot);
    }
    return fits;
}

/* ---- the cache ---- */

static inline bool cache_covers(const LeafCache *cache, uint64_t snapshot, Box box)
{
    Quad center = quad_set(cache->center[0], cache->center[1], cache->center[2], 0);
    Quad half = quad_set((double)cache->half[0], (double)cache->half[1], (double)cache->half[2], 0);
    Quad reach = quad_add(quad_abs(quad_sub(box.center, center)), box.half);
    return cache->snapshot == snapshot && (quad_less_equal(reach, half) & 7) == 7;
}

/* Whether the box of one of its triangles meets another box, in stored space. */
static bool leaf_has_any(const LeafPacket *packet, const Bounds *bounds)
{
    bool any = false;
    for (uint32_t i = 0; i < packet->triangle_count && !any; ++i)
    {
        const uint8_t *index = packet->index[i];
        any = true;
        for (uint32_t axis = 0; axis < 3 && any; ++axis)
        {
            const float *at = packet->vertices + axis * packet->stride;
            float a = at[index[0]], b = at[index[1]], c = at[index[2]];
            bool is_beyond = (a > bounds->max[axis] && b > bounds->max[axis] && c > bounds->max[axis]) ||
                             (a < bounds->min[axis] && b < bounds->min[axis] && c < bounds->min[axis]);
            any = !is_beyond;
        }
    }
    return any;
}

/* The leaves of one instance in the box, behind those that are there; false if they are too many. `searched`: adds up
 * how many there were before those without a triangle in the box were dropped. */
static bool cache_add(LeafCache *cache, const Gather *gather, uint32_t slot, Box box, uint32_t *searched)
{
    const Frame *frame = gather->frame;
    const Mapping *mapping =
        mapping_of(gather->candidates, gather->snapshot, slot, frame, gather->filter->time);
    Bounds bounds = mapping_box(mapping, box);
    if (cache->count + 2 > LEAF_CACHE_SIZE)
    {
        return false;
    }
    uint32_t room = LEAF_CACHE_SIZE - cache->count - 2, *words = cache->words + cache->count, kept = 0;
    uint32_t found = KERNELS_COLLECT(gather->snapshot->placed[slot].mesh->nodes, &bounds, words + 2, room);
    *searched += found;
    if (found > room || *searched > LEAF_CACHE_SEARCHED)
    {
        return false;
    }
    const uint8_t *packets = gather->snapshot->placed[slot].mesh->packets;
    for (uint32_t i = 0; i < found; ++i)
    {
        uint32_t leaf = words[2 + i];
        words[2 + kept] = leaf;
        kept += leaf_has_any((const LeafPacket *)(packets + (size_t)leaf * PACKET_UNIT), &bounds);
    }
    words[0] = slot;
    words[1] = kept;
    cache->count += kept > 0 ? kept + 2 : 0;
    return true;
}

static OUT_OF_LINE void cache_fill(LeafCache *cache, const Gather *gather)
{
    const Candidates *c = gather->candidates;
    const sidle_snapshot *snapshot = gather->snapshot;
    double margin = LEAF_CACHE_MARGIN * vec3_min_component(gather->frame->extent), center[4], half[4];
    Box box = {gather->box.center, quad_add(gather->box.half, quad_all(margin))};
    quad_store(center, box.center);
    quad_store(half, box.half);
    for (int axis = 0; axis < 3; ++axis)
    {
        cache->center[axis] = center[axis];
        cache->half[axis] = round_down(half[axis]);
    }
    cache->snapshot = snapshot->serial;
    cache->count = 0;
    uint32_t searched = 0;
    uint32_t found = find_instances_in(c, snapshot, box);
    bool fits = found <= instance_room(c); /* else what the cache serves would be more than a search does */
    for (uint32_t i = 0; i < found && fits; ++i)
    {
        uint32_t slot = c->instances[i];
        fits = snapshot->placed[slot].moves || cache_add(cache, gather, slot, box, &searched);
    }
    cache->count = fits ? cache->count : LEAF_CACHE_CROWDED;
}

/* What rests from the cache, which is filled if it does not cover the reach; what moves by a search. */
static inline bool recall(Gather *gather, LeafCache *cache)
{
    Candidates *c = gather->candidates;
    const sidle_snapshot *snapshot = gather->snapshot;
    if (!cache_covers(cache, snapshot->serial, gather->box))
    {
        cache_fill(cache, gather);
    }
    if (cache->count == LEAF_CACHE_CROWDED)
    {
        return search(gather, false);
    }
    bool fits = true;
    for (uint32_t i = 0; i < cache->count && fits; i += 2 + cache->words[i + 1])
    {
        uint32_t slot = cache->words[i];
        if (filter_takes(gather->filter, snapshot, slot))
        {
            Mapping *mapping = mapping_of(c, snapshot, slot, gather->frame, gather->filter->time);
            Bounds box = mapping_box(mapping, gather->box);
            fits = add_leaves(gather, mapping, &box, cache->words + i + 2, cache->words[i + 1]);
        }
    }
    bool moves = snapshot->moving_count > 0 && gather->filter->motion == FILTER_ALL;
    return fits && (!moves || search(gather, true));
}

/* ---- who a candidate is ---- */

/* exact_of ascends. */
static uint32_t exact_lane(const Candidates *c, uint32_t candidate)
{
    uint32_t low = 0, high = c->exact.count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        *(c->exact_of[middle] <= candidate ? &low : &high) = middle;
    }
    return low;
}

static bool is_exact(const Candidates *c, uint32_t candidate)
{
    return c->exact.count > 0 && c->exact_of[exact_lane(c, candidate)] == candidate;
}

typedef struct Identity
{
    const Placed *placed;
    const LeafPacket *packet;
    uint32_t slot, triangle;
    uint16_t surface;
    uint8_t local;
} Identity;

static inline Identity identity_of(const Candidates *c, uint32_t i)
{
    uint32_t low = 0, high = c->run_count;
    while (high - low > 1)
    {
        uint32_t middle = low + (high - low) / 2;
        *(c->runs[middle - 1].end <= i ? &low : &high) = middle;
    }
    const Run *run = &c->runs[low];
    const Placed *placed = &c->snapshot->placed[run->slot];
    const uint8_t *packets = placed->mesh->packets;
    const LeafPacket *packet = (const LeafPacket *)(packets + (size_t)c->origins.leaf[i] * PACKET_UNIT);
    uint8_t local = c->origins.local[i];
    uint32_t triangle = packet_sources(packet)[local];
    triangle = c->numbers ? c->numbers[c->first_number[run->slot] + triangle] : triangle;
    return (Identity){placed, packet, run->slot, triangle, packet_surfaces(packet)[local], local};
}

/* Written when it is asked for: most candidates never are. */
static OUT_OF_LINE const Candidate *candidate_of(const Candidates *c, uint32_t i)
{
    Candidate *candidate = &c->list[i];
    if (c->run_count == 0) /* written all at once, by a cast */
    {
        return candidate;
    }
    Identity identity = identity_of(c, i);
    *candidate = (Candidate){.key = identity.placed->key,
                             .packet = identity.packet,
                             .triangle = identity.triangle,
                             .instance = identity.slot,
                             .surface = identity.surface,
                             .local = identity.local,
                             .exact = is_exact(c, i)};
    return candidate;
}

/* All of them. */
static OUT_OF_LINE void list_candidates(const Candidates *c)
{
    for (uint32_t i = 0; i < c->wide.count && c->run_count > 0; ++i)
    {
        candidate_of(c, i);
    }
}

/* What float does not serve, again in double and from the stored vertices. */
static OUT_OF_LINE void pack_exact(Candidates *c, uint32_t count, const Frame *frame, const PackRules *rules,
                                   double time)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        const Candidate *candidate = candidate_of(c, c->exact_of[i]);
        const Placed *placed = &c->snapshot->placed[candidate->instance];
        View view = view_of(placed, frame, time);
        double *lane = (double *)c->exact.blocks + (size_t)i * FIELD_COUNT;
        Vec3 corners[3];
        view_corners(&view, placed, candidate, corners);
        memcpy(lane + FIELD_V0, corners, sizeof corners);
        c->list[c->exact_of[i]].exact = 1;
    }
    c->exact.count = count;
    kernels_1d.finish(&c->exact, rules, NULL);
}

static inline bool candidates_finish(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                     const PackRules *rules, double time)
{
    c->snapshot = snapshot;
    uint32_t exact_count = finish_batch(&c->wide, rules, c->exact_of);
    if (exact_count > MAX_GATHER_EXACT)
    {
        return false;
    }
    if (exact_count > 0)
    {
        pack_exact(c, exact_count, frame, rules, time);
    }
    return true;
}

static bool candidates_gather(Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                              const Reach *reach, const Filter *filter, LeafCache *cache)
{
    c->wide.count = c->exact.count = c->run_count = 0;
    c->wide.capacity = c->capacity;
    c->core = frame->core.y;
    Gather gather = {.candidates = c, .snapshot = snapshot, .frame = frame, .filter = filter, .condition = 1};
    gather.reach = reach;
    gather.box = reach_box(frame, reach);
    gather.box.center = quad_add(gather.box.center, quad_of(frame->center));
    /* The few that a small capacity allows must not depend on the cache's extra leaves. */
    bool may_recall =
        cache && filter->motion != FILTER_SLOT && c->capacity >= LEAF_CACHE_SIZE * PACKET_TRIANGLES;
    bool fits = may_recall                      ? recall(&gather, cache)
                : filter->motion == FILTER_SLOT ? add_instance(&gather, filter->slot)
                                                : search(&gather, false);
    if (!fits)
    {
        return false;
    }
    c->leaves_seen += leaves_of(&gather) + SEEN_MOVING * gather.moving_count;
    c->rules = (PackRules){.reach_length = (float)reach->path,
                           .slack = (float)reach->slack,
                           .condition = (float)gather.condition,
                           .one_sided = filter->one_sided,
                           .core = (float)frame->core.y,
                           .near = (float)reach->near};
    if (!candidates_finish(c, snapshot, frame, &c->rules, filter->time))
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
