/* A ball against the triangles of one leaf, in lanes. The passes are those of kernels/capsule_sweep.inl, fused with the
 * setup of the triangles, since the planes alone cull most leaves. The path begins at the origin of the frame.
 *
 * The limit only culls. A lane's time, and its feature, are those of the whole path, so that they do not depend on the
 * order in which a tree is walked. */
#include "query/caster.h"

typedef struct LeafLanes
{
    LaneVec3 v[3];
    Face face;
    Path path;
    Lanes first, last; /* lengths of the path between which the ball can touch the plane */
} LeafLanes;

/* The path of a caster as the kernels see it. */
static inline Sweep leaf_sweep(const Caster *caster)
{
    const Real cull = (Real)(1 + CAST_SLACK), slope = (Real)GRAZE_SLOPE;
    const float *d = caster->lane_direction;
    return (Sweep){
        .origin = lane3_set(0, 0, 0),
        .direction = lane3_set(d[0], d[1], d[2]),
        .excess = lanes_set(caster->lane_excess),
        .length = lanes_set((Real)caster->length),
        .radius = lanes_set(1),
        .radius2 = lanes_set(1),
        .cull2 = lanes_set(cull * cull),
        .graze_depth = lanes_set(0), /* a cast has no skin that could absorb a graze */
        .graze_g2 = lanes_set(slope * slope),
        .graze_d2 = lanes_set(0),
    };
}

/* The rare tests read blocks, and a copy of the sweep. Always inlined, so that the lanes stay in registers elsewhere. */
FORCE_INLINE void leaf_to_block(const LeafLanes *lanes, Real *block)
{
    for (uint32_t i = 0; i < 3; ++i)
    {
        lane3_store(field_at(block, FIELD_V0 + 3 * i), lanes->v[i]);
    }
    const Face *face = &lanes->face;
    lane3_store(field_at(block, FIELD_N), face->normal);
    lanes_store(field_at(block, FIELD_PLANE), face->plane);
    lanes_store(field_at(block, FIELD_SIZE), face->size);
    lanes_store(field_at(block, FIELD_LEAST_APPROACH), face->least_approach);
    for (uint32_t i = 0; i < 3; ++i)
    {
        lane3_store(field_at(block, FIELD_A0 + 3 * i), face->inward[i]);
        lanes_store(field_at(block, FIELD_K + i), face->offset[i]);
    }
    path_keep(block, &lanes->path);
}

/* Tests the lanes in `near` for an overlap at the start. */
static __attribute__((noinline)) void leaf_overlap(Caster *caster, const LeafPacket *packet, uint32_t first,
                                                   Real *block, const Sweep *sweep, uint32_t near)
{
    _Alignas(64) Real each[LANE_COUNT];
    Face face;
    Path path;
    face_load_plane(block, &face);
    face_load_rims(block, &face);
    path_kept(block, &path);
    lanes_store(each, closest_distance2(block, &face, &path, sweep->origin, NULL));
    for (; near; near &= near - 1)
    {
        uint32_t lane = (uint32_t)__builtin_ctz(near);
        caster_take_overlap(caster, packet, first + lane, (double)each[lane]);
    }
}

/* ---- the passes ---- */

/* Takes the lanes in `hit`, earliest first, up to the best hit so far. `features`: of each lane. */
static inline void leaf_take(Caster *caster, const LeafPacket *packet, uint32_t first, Lanes times, Mask hit,
                             Lanes features)
{
    LaneTime hits[LANE_COUNT];
    _Alignas(64) Real each[LANE_COUNT];
    uint32_t count = note_times(times, hit, 0, hits);
    if (count == 0)
    {
        return;
    }
    lanes_store(each, features);
    if (count > 1)
    {
        lane_times_sort(hits, count);
    }
    for (uint32_t i = 0; i < count && hits[i].t <= caster->limit; ++i)
    {
        uint32_t lane = hits[i].lane;
        caster_take_hit(caster, packet, first + lane, hits[i].t, (enum LeafFeature)each[lane]);
    }
}

/* The triangles whose box overlaps the box of the rest of the path. A lane without a triangle is NaN and overlaps
 * nothing: min and max return their second operand there. */
static inline Mask leaf_boxes_overlap(const PathBox *rest, const LaneVec3 v[3])
{
    LaneVec3 low = lane3_min(v[2], lane3_min(v[0], v[1])), high = lane3_max(v[2], lane3_max(v[0], v[1]));
    LaneVec3 min = lane3_set(rest->min[0], rest->min[1], rest->min[2]),
             max = lane3_set(rest->max[0], rest->max[1], rest->max[2]);
    return boxes_overlap(&min, &max, low, high);
}

/* Sets the part of the path on which the ball can touch the planes. In float, the distance from a plane errs by at most
 * 16 u of the size (FLOAT_ERROR_FACTOR). For a path parallel to a plane, both ends are infinite, so that the part is all of
 * the path or nothing, or NaN, beyond the cull radius, where rest_over_plane culls. */
static inline void leaf_window(LeafLanes *lanes)
{
    const Path *path = &lanes->path;
    /* mutant: narrow_window */
    Lanes width =
        lanes_add(lanes_set((Real)(1 + CAST_SLACK)),
                  lanes_mul(lanes_set((Real)(FLOAT_ERROR_FACTOR * FLOAT_ROUNDOFF)), lanes->face.size));
    Lanes inverse = lanes_div(lanes_set(1), path->rate);
    Lanes below = lanes_mul(lanes_sub(lanes_negate(width), path->distance), inverse),
          above = lanes_mul(lanes_sub(width, path->distance), inverse);
    lanes->first = lanes_max(lanes_min(below, above), lanes_set(0));
    lanes->last = lanes_max(below, above);
}

/* As path_reaches, but with the edge functions on that part of the path alone. Of a long path, it is a short one. */
static inline Mask leaf_passes(const LeafLanes *lanes, Lanes rest2, Lanes limit)
{
    const Path *path = &lanes->path;
    Lanes far[3], first = lanes->first, last = lanes_min(lanes->last, limit);
#pragma GCC unroll 3 /* so early that the arrays stay in registers */
    for (uint32_t i = 0; i < 3; ++i)
    {
        far[i] = lanes_max(lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], first)),
                           lanes_add(path->edge[i], lanes_mul(path->edge_rate[i], last)));
    }
    return lanes_less_equal(most_outside2(far), rest2);
}

/* Returns the lanes that the path can hit before `limit`. Tests planes first. */
static inline Mask leaf_reached(LeafLanes *lanes, const Shape *shape, const Sweep *sweep, Lanes limit)
{
    Path *path = &lanes->path;
    const Face *face = &lanes->face;
    path->distance = lanes_negate(face->plane);
    path->rate = lane3_dot(face->normal, sweep->direction);
    Lanes rest2 = rest_over_plane(path, sweep, limit);
    Mask enters = lanes_less_equal(lanes_set(0), rest2);
    if (!mask_bits(enters))
    {
        return enters;
    }
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_edge(lanes->v, i, &lanes->face, shape);
        path->edge[i] = lanes_negate(face->offset[i]);
        path->edge_rate[i] = lane3_dot(face->inward[i], sweep->direction);
    }
    leaf_window(lanes);
    return mask_and(enters, leaf_passes(lanes, rest2, limit));
}

/* Records the feature of lanes where `next` is less than `first`. */
static inline Lanes leaf_earlier(Lanes next, Lanes first, enum LeafFeature feature, Lanes *features)
{
    *features = lanes_select(lanes_less(next, first), lanes_set((Real)feature), *features);
    return next;
}

/* sweep_rims with the feature of each lane: the earliest hit of edges and corners. */
static inline Lanes leaf_rims(const LeafLanes *lanes, const Sweep *sweep, Mask asked, Real *spare,
                              Lanes *features)
{
    Lanes least = lanes_set((Real)INFINITY);
    Mask unsure = lanes_less(lanes_set(0), lanes_set(0));
    Rim rim[3];
    Face face = lanes->face;
    *features = lanes_set((Real)LEAF_ANY);
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; ++i)
    {
        face_rim(lanes->v, i, &face);
        rim[i] = rim_of(&face, &lanes->path, i, lanes->v[i], sweep);
        Lanes next = sweep_corner(lanes->v[i], sweep, &unsure, least);
        least = leaf_earlier(next, least, LEAF_CORNER + i, features);
    }
#pragma GCC unroll 3
    for (uint32_t i = 0; i < 3; ++i)
    {
        Lanes next = sweep_edge(&rim[i], sweep, &unsure, least);
        least = leaf_earlier(next, least, LEAF_EDGE + i, features);
    }
    if (mask_bits(mask_and(unsure, asked)))
    {
        const Sweep copy = *sweep;
        leaf_to_block(lanes, spare);
        /* The other lanes keep their feature: which lanes share a block depends on the width. */
        *features = lanes_select(unsure, lanes_set((Real)LEAF_ANY), *features);
        return sweep_rims_exact(spare, &copy);
    }
    return lanes_select(lanes_less_equal(least, sweep->length), least, lanes_set((Real)INFINITY));
}

/* Replaces the times of lanes that seem to be inside the radius at the start (held_or_free). */
static inline Lanes leaf_leave_freely(const LeafLanes *lanes, const Sweep *sweep, Lanes t, Mask inside,
                                      Real *spare)
{
    if (mask_bits(inside))
    {
        const Sweep copy = *sweep;
        leaf_to_block(lanes, spare);
        return held_or_free(spare, &copy, t, inside);
    }
    return t;
}

static inline Lanes leaf_end(const Caster *caster)
{
    return lanes_set(caster->end);
}

/* Edges and corners of the lanes without a hit of their face. */
static inline void leaf_edges(Caster *caster, const LeafPacket *packet, uint32_t first,
                              const LeafLanes *lanes, const Sweep *sweep, Mask pending, Mask late,
                              Real *spare)
{
    Lanes never = lanes_set((Real)INFINITY), end = leaf_end(caster);
    pending = mask_and(pending, leaf_passes(lanes, rest_over_plane(&lanes->path, sweep, end), end));
    if (!mask_bits(pending))
    {
        return;
    }
    Lanes features, t = leaf_rims(lanes, sweep, pending, spare, &features);
    if (mask_bits(mask_and(late, pending)))
    {
        Lanes entered = sweep_late_face(&lanes->face, &lanes->path, sweep);
        Mask enters = mask_and(late, lanes_less(entered, t));
        t = lanes_select(enters, entered, t);
        features = lanes_select(enters, lanes_set((Real)LEAF_ANY), features);
    }
    t = leaf_leave_freely(lanes, sweep, t, path_begins_near(&lanes->path, sweep, lanes_less(t, never)),
                          spare);
    leaf_take(caster, packet, first, t, mask_and(pending, lanes_less_equal(t, end)), features);
}

static inline void leaf_sweep_lanes(Caster *caster, const LeafPacket *packet, uint32_t first,
                                    const LeafLanes *lanes, const Sweep *sweep, Mask reached, Lanes end,
                                    Real *spare)
{
    Lanes never = lanes_set((Real)INFINITY);
    Mask late;
    Lanes t = lanes_select(reached, sweep_face(&lanes->face, &lanes->path, sweep, &late), never);
    t = leaf_leave_freely(lanes, sweep, t, lanes_less_equal(t, lanes_set(0)), spare);
    Mask pending = mask_and(reached, lanes_less_equal(never, t));
    leaf_take(caster, packet, first, t, lanes_less_equal(t, end), lanes_set((Real)LEAF_FACE));
    if (mask_bits(pending))
    {
        leaf_edges(caster, packet, first, lanes, sweep, pending, late, spare);
    }
}

static inline void leaf_block(Caster *caster, const LeafPacket *packet, uint32_t first, bool at_origin)
{
    _Alignas(64) Real spare[FIELD_COUNT * LANE_COUNT]; /* a block, where one is needed */
    LeafLanes lanes;
    Shape shape;
    Face *face = &lanes.face;
    leaf_corners(packet, first, &caster->transform, caster->is_even, lanes.v);
    Mask overlapping = leaf_boxes_overlap(&caster->rest, lanes.v);
    if (!mask_bits(overlapping))
    {
        return;
    }
    Sweep sweep = leaf_sweep(caster);
    Lanes end = leaf_end(caster);
    face_shape(lanes.v, THIN_HEIGHT, face, &shape);
    face_plane(lanes.v, (Real)caster->length, face, &shape);
    Mask in_double = mask_without(overlapping, float_serves(&shape, face->size, &caster->rules));
    Mask seen = mask_without(overlapping, in_double);
    if (caster->rules.one_sided) /* the centre starts behind */
    {
        seen = mask_without(seen, mask_and(face_exists(face), lanes_less(lanes_set(0), face->plane)));
    }
    face->plane = lanes_select(seen, face->plane, lanes_set((Real)NAN)); /* NaN is never hit */
    uint32_t exact = mask_bits(in_double);
    if (exact)
    {
        caster_take_exactly(caster, packet, first, exact, at_origin);
        end = leaf_end(caster);
    }
    Mask reached = leaf_reached(&lanes, &shape, &sweep, end);
    if (!mask_bits(reached))
    {
        return;
    }
    uint32_t near = at_origin ? mask_bits(path_begins_near(&lanes.path, &sweep, reached)) : 0;
    if (near)
    {
        const Sweep copy = sweep;
        leaf_to_block(&lanes, spare);
        leaf_overlap(caster, packet, first, spare, &copy, near);
    }
    if (!caster->best.overlaps && caster->length > 0)
    {
        leaf_sweep_lanes(caster, packet, first, &lanes, &sweep, reached, end, spare);
    }
}

static void caster_test_leaf(Caster *caster, const LeafPacket *packet, bool at_origin)
{
    for (uint32_t first = 0; first < packet->triangle_count; first += LANE_COUNT)
    {
        leaf_block(caster, packet, first, at_origin);
    }
}
