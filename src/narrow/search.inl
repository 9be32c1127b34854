/* Searches for the triangles in a reach: instances, leaves, triangles. */
#include "narrow/questions.h"
#include "simd/quad.h"

/* ---- instances ---- */

static bool filter_takes(const Filter *filter, const Placed *placed)
{
    bool ignored =
        (filter->ignore.generation == placed->generation && filter->ignore.index == placed->slot) ||
        filter->ignored_group == placed->group;                   /* mutant: hits_ignored_group */
    bool wanted = filter->motion == FILTER_ALL || !placed->moves; /* FILTER_SLOT does not ask */
    return (placed->member_of & filter->collides_with) && !ignored && wanted;
}

static inline uint32_t instance_capacity(const Candidates *c)
{
    return c->capacity < MAX_GATHER_INSTANCES ? c->capacity : MAX_GATHER_INSTANCES;
}

static inline bool box_overlaps(Box box, const Placed *placed)
{
    Quad away = quad_abs(quad_sub(box.center, quad_load(placed->box_center)));
    return (quad_less_equal(away, quad_add(box.half, quad_load(placed->box_half))) & 7) == 7;
}

/* Instances that the tree may find beside those whose boxes overlap. Its own boxes are rounded outward. */
#define MAX_ROUNDED_INSTANCES 64

/* Writes the slots of the instances whose boxes overlap one in the world to c->instances; the only instance in any case.
 * What is found depends on each instance alone, not on the tree. */
static uint32_t find_instances_in(const Candidates *c, const sidle_snapshot *snapshot, Box box)
{
    if (snapshot->present_count <= 1)
    {
        c->instances[0] = snapshot->only;
        return snapshot->present_count;
    }
    Quad half = quad_add(box.half, quad_all(snapshot->doubt));
    Bounds bounds = box_bounds((Box){quad_sub(box.center, quad_of(snapshot->origin)), half});
    uint32_t most = MAX_GATHER_INSTANCES + MAX_ROUNDED_INSTANCES, kept = 0;
    most = c->capacity < most ? c->capacity : most;
    uint32_t found = KERNELS_COLLECT(snapshot->nodes, snapshot->root, &bounds, c->instances, most);
    if (found > most)
    {
        return found;
    }
    for (uint32_t i = 0; i < found; ++i)
    {
        const Placed *placed = &snapshot->all_placed[c->instances[i]];
        c->instances[kept] = placed->slot;
        kept += box_overlaps(box, placed);
    }
    return kept;
}

static uint32_t candidates_instances(const Candidates *c, const sidle_snapshot *snapshot, const Frame *frame,
                                     const Reach *reach)
{
    Box box = reach_box(frame, reach);
    box.center = quad_add(box.center, quad_of(frame->center));
    uint32_t found = find_instances_in(c, snapshot, box);
    return found == 1 && !box_overlaps(box, snapshot_placed(snapshot, c->instances[0])) ? 0 : found;
}

/* ---- the gather ---- */

/* The state of a gather. */
typedef struct Gather
{
    Candidates *candidates;
    const sidle_snapshot *snapshot;
    const Frame *frame;
    const Filter *filter;
    const Reach *reach;
    Box box;       /* of the reach, in the world */
    Bounds packed; /* of the reach, in ellipsoid space; valid if has_packed */
    bool has_packed;
    double condition;
    uint32_t leaves[2];                   /* found by searches, in resting instances and in moving ones */
    uint32_t field_leaves[2];             /* those of heightfields */
    uint32_t resting_count, moving_count; /* instances that a search has looked at */
} Gather;

static OUT_OF_LINE bool append_in_doubt(Gather *gather, const Mapping *mapping, const Bounds *stored,
                                        const Corners *from, uint32_t first, uint32_t end)
{
    Candidates *c = gather->candidates;
    if (!gather->has_packed)
    {
        gather->packed = reach_bounds(gather->frame, gather->reach);
        gather->has_packed = true;
    }
    return append_corners(from, first, end, &mapping->transform, stored, &gather->packed, &c->wide,
                          &c->origins);
}

/* Adds the triangles `first` to `end` - 1, all of one instance. `stored`: the box of the reach in its stored space. The rare function gets copies, so
 * that the compiler can keep the originals in registers. */
FORCE_INLINE bool add_all_corners(Gather *gather, const Mapping *mapping, const Bounds *stored,
                                  const Corners *from, uint32_t first, uint32_t end)
{
    Candidates *c = gather->candidates;
    if (c->stats)
    {
        c->stats->leaf_triangles += end - first;
    }
    if (mapping->is_diagonal)
    {
        return append_corners(from, first, end, &mapping->transform, stored, NULL, &c->wide, &c->origins);
    }
    Bounds box = *stored;
    Corners corners = *from;
    return append_in_doubt(gather, mapping, &box, &corners, first, end);
}

/* Adds the runs of triangles between those that are ignored. */
static OUT_OF_LINE bool add_other_surfaces(Gather *gather, const Mapping *mapping, const Bounds *stored,
                                           const Corners *from, uint32_t first, uint32_t end)
{
    bool fits = true;
    for (uint32_t i = first; i < end && fits; first = ++i)
    {
        while (i < end && !surface_is_in(gather->filter->ignored_surfaces, from->tag[i] >> 8))
        {
            ++i;
        }
        fits = i == first || add_all_corners(gather, mapping, stored, from, first, i);
    }
    return fits;
}

FORCE_INLINE bool add_corners(Gather *gather, const Mapping *mapping, const Bounds *stored,
                              const Corners *from, uint32_t first, uint32_t end)
{
    if (!gather->filter->ignored_surfaces)
    {
        return add_all_corners(gather, mapping, stored, from, first, end);
    }
    Bounds box = *stored;
    Corners corners = *from;
    return add_other_surfaces(gather, mapping, &box, &corners, first, end);
}

FORCE_INLINE void mapping_center(Mapping *mapping, const Frame *frame)
{
    transform_set_center(&mapping->transform, mapping_place(mapping, quad_of(frame->center)));
}

/* Ends the run of an instance, if any of its triangles were added. */
FORCE_INLINE void end_run(Gather *gather, const Mapping *mapping, const Placed *placed, uint32_t before)
{
    Candidates *c = gather->candidates;
    if (c->wide.count > before)
    {
        gather->condition = larger(gather->condition, mapping->condition);
        c->runs[c->run_count++] = (LaneRun){placed, c->wide.count};
        c->hides_backs |= (placed->flags & SIDLE_INSTANCE_ONE_SIDED) != 0;
    }
}

static inline bool may_look(const Candidates *c)
{
    return c->leaves_seen <= c->most_seen;
}

/* The leaves of a gather, counted alike with and without a cache. */
static inline uint32_t leaves_of(const Gather *gather)
{
    uint32_t resting = gather->leaves[0] + SEEN_FIELD * gather->field_leaves[0];
    uint32_t moving = gather->leaves[1] + SEEN_MOVING_FIELD * gather->field_leaves[1];
    return (gather->leaves[0] > CACHE_LEAVES ? resting : 0) + moving;
}

/* What a gather adds to leaves_seen, likewise. */
static inline uint32_t seen_by(const Gather *gather)
{
    uint32_t resting = gather->resting_count > CACHE_INSTANCES ? gather->resting_count : 0;
    return leaves_of(gather) + resting + SEEN_MOVING * gather->moving_count;
}

/* The packets of a mesh in a box: by a walk of its tree, or of a heightfield from the numbers of the cells. */
static inline uint32_t collect_packets(const sidle_mesh *mesh, const Bounds *box, uint32_t *packets,
                                       uint32_t capacity)
{
    return mesh->field ? sidle_field_find(mesh->field, box, packets, capacity)
                       : KERNELS_COLLECT(mesh->nodes, 0, box, packets, capacity);
}

/* Adds the triangles of the leaves in c->leaves. Several leaves at once, since few triangles of a leaf are in most boxes. */
static bool add_leaves(Gather *gather, const Mapping *mapping, const sidle_mesh *mesh, const Bounds *box,
                       uint32_t count)
{
    const uint32_t *leaves = gather->candidates->leaves;
    SomeCorners memory;
    Corners some = corners_in(&memory);
    bool fits = true;
    for (uint32_t i = 0; i < count && fits; ++i)
    {
        FieldPacket packet;
        (void)keep_triangles(&some, mesh_packet(mesh, leaves[i], &packet), leaves[i],
                             box);                       /* there is room */
        if (!has_room_for_leaf(&some) || i + 1 == count) /* mutant: loses_leaves */
        {
            fits = some.count == 0 || add_corners(gather, mapping, box, &some, 0, some.count);
            some.count = 0;
        }
    }
    return fits;
}

/* Adds one instance by a walk of its tree. */
static bool add_instance(Gather *gather, uint32_t slot)
{
    Candidates *c = gather->candidates;
    Mapping *mapping = mapping_of(c, gather->snapshot, slot, gather->frame, gather->filter->time);
    Bounds box = mapping_box(mapping, gather->box);
    const Placed *placed = snapshot_placed(gather->snapshot, slot);
    uint32_t left = c->most_leaves - leaves_of(gather), before = c->wide.count;
    uint32_t most = left < c->capacity ? left : c->capacity;
    uint32_t found = collect_packets(placed->mesh, &box, c->leaves, most);
    gather->leaves[placed->moves] += found;
    gather->field_leaves[placed->moves] += placed->mesh->field ? found : 0;
    gather->resting_count += !placed->moves;
    gather->moving_count += placed->moves;
    mapping_center(mapping, gather->frame);
    bool fits = found <= most && leaves_of(gather) <= c->most_leaves &&
                add_leaves(gather, mapping, placed->mesh, &box, found);
    end_run(gather, mapping, placed, before);
    return fits;
}

/* Gathers by walks of all trees, or of those of moving instances. */
static OUT_OF_LINE bool search(Gather *gather, bool only_moving)
{
    Candidates *c = gather->candidates;
    const sidle_snapshot *snapshot = gather->snapshot;
    uint32_t count = find_instances_in(c, snapshot, gather->box);
    bool fits = count <= instance_capacity(c);
    for (uint32_t i = 0; i < count && fits; ++i)
    {
        uint32_t slot = c->instances[i];
        const Placed *placed = snapshot_placed(snapshot, slot);
        bool wanted = !only_moving || placed->moves;
        fits = !(wanted && filter_takes(gather->filter, placed)) || add_instance(gather, slot);
    }
    return fits;
}
