/* The walk through the trees: instances nearest first, and within each of them leaves nearest first. A hit in one
 * step lowers the limit of the next. */
#include "query/caster.h"

/* As round_down and round_up (base/bounds.h). */
static inline Float4 quad_round_down(Quad a)
{
    return quad_to_float4(
        quad_sub(quad_sub(a, quad_mul(quad_abs(a), quad_all(0x1p-23))), quad_all(0x1p-126)));
}

static inline Float4 quad_round_up(Quad a)
{
    return quad_to_float4(
        quad_add(quad_add(a, quad_mul(quad_abs(a), quad_all(0x1p-23))), quad_all(0x1p-126)));
}

/* Begins a walk with a box of these half extents that moves from `center` along `path`. All are in the tree's space. */
static inline void begin_trace(Trace *trace, const BvhNode *nodes, uint32_t root, Quad center, Quad half,
                               Quad path)
{
    /* Below this the reciprocal overflows. The box is then widened by the displacement along the axis and does
     * not move. An infinite time is valid. A box that just touches never gets a time of zero, since `low` and
     * `high` are rounded outward. */
    Quad size = quad_abs(path), rests = quad_less(size, quad_all(1e-37));
    Quad extent = quad_add(half, quad_and(size, rests));
    Float4 low = quad_round_down(quad_sub(center, extent)), high = quad_round_up(quad_add(center, extent));
    Quad inverse = quad_select(rests, quad_all((double)FLT_MAX), quad_div(quad_all(1), path));
    Float4 rate = quad_to_float4(inverse), falls = float4_less(rate, float4_all(0));
    trace->nodes = nodes;
    trace->top = 1;
    trace->stack[0] = (TraceEntry){0, root};
    float4_store(trace->inverse, rate);
    float4_store(trace->near_side, float4_select(falls, low, high));
    float4_store(trace->far_side, float4_select(falls, high, low));
    static const int32_t mins[4] = {0, BVH_WIDTH, 2 * BVH_WIDTH, 0},
                         maxs[4] = {3 * BVH_WIDTH, 4 * BVH_WIDTH, 5 * BVH_WIDTH, 0};
    Float4 first = float4_load(mins), last = float4_load(maxs); /* bits of integers */
    float4_store(trace->near_at, float4_select(falls, last, first));
    float4_store(trace->far_at, float4_select(falls, first, last));
}

/* The box of a path, rounded outward. */
static inline PathBox box_of_path(Quad center, Quad half, Quad path)
{
    Quad zero = quad_all(0), low = quad_add(center, quad_sub(quad_min(path, zero), half)),
         high = quad_add(center, quad_add(quad_max(path, zero), half));
    PathBox box;
    float4_store(box.min, quad_round_down(low));
    float4_store(box.max, quad_round_up(high));
    return box;
}

/* Begins the walk of an instance's triangles. Short paths only set their box here: cast_group walks them together. */
static inline void begin_triangles(Caster *caster, const sidle_mesh *mesh, Quad center, Quad half, Quad path)
{
    caster->has_box = caster->is_short;
    if (caster->is_short)
    {
        caster->triangles.nodes = mesh->nodes;
        caster->box = box_of_path(center, half, path);
        return;
    }
    begin_trace(&caster->triangles, mesh->nodes, 0, center, half, path);
}

static void caster_test(Caster *caster)
{
    Candidates *c = caster->candidates;
    if (c->wide.count > 0)
    {
        caster_test_capsule(caster);
    }
    c->wide.count = c->exact.count = 0;
    caster_shorten(caster);
}

/* The largest sum of products that brings any corner of the mesh into the frame. The errors of append.inl are
 * proportional to it. */
static double view_size(const View *view, const sidle_mesh *mesh)
{
    Vec3 min = bounds_low(&mesh->bounds), max = bounds_high(&mesh->bounds);
    Vec3 half = vec3_scale(vec3_sub(max, min), .5);
    Vec3 middle = vec3_sub(vec3_add(min, half), view->center);
    return vec3_length(mat3_mul_abs(view->to_e, vec3_add(vec3_abs(middle), half)));
}

/* A tube around the rest of the path, which lies in the yz plane. */
static Bounds caster_reach(const Caster *caster)
{
    double width = caster->half_width, end = caster->limit, core = caster->frame.core.y;
    double low = lesser(caster->direction.at.y * end, 0) - core,
           high = larger(caster->direction.at.y * end, 0) + core;
    float side = round_down(-width);
    return (Bounds){{side, round_down(low - width), side},
                    {-side, round_up(high + width), round_up(caster->direction.at.z * end + width)}};
}

/* The error of a corner that float brings into the frame, as a multiple of u |e|.
 *
 * The sums of a row are sum |M_ij| |d_j| with d = M^-1 e. With the columns' lengths w as weights, Cauchy-Schwarz bounds
 * them by the row's length in M / w times the length of w M^-1 e. Gershgorin bounds the norm of w M^-1. The result is 1
 * for shapes that stand upright in the instance, where no sum cancels, and at most the aspect of a turned shape. */
static double condition_of(const View *view, const Mat3 *inverse)
{
    const Mat3 *m = &view->to_e;
    Vec3 w = mat3_row_lengths(mat3_transpose(*m));
    Mat3 a = {{vec3_scale(inverse->row[0], w.x), vec3_scale(inverse->row[1], w.y),
               vec3_scale(inverse->row[2], w.z)}};
    Mat3 square = mat3_product(a, mat3_transpose(a));
    double norm2 = 0, rows = 0;
    for (int i = 0; i < 3; ++i)
    {
        Vec3 sums = vec3_abs(square.row[i]);
        norm2 = larger(norm2, sums.x + sums.y + sums.z);
        rows = larger(rows, vec3_length(vec3_div(m->row[i], w)));
    }
    return rows * sqrt(norm2);
}

static Vec3 half_extents_of_ball(Caster *caster)
{
    double width = 1 + CAST_SLACK;
    caster->half_width = width;
    Mat3 inverse = mat3_product(caster->view.inverse, caster->frame.to_w);
    caster->rules.condition = (float)larger(condition_of(&caster->view, &inverse), 1);
    double doubt = PACK_ERROR * view_size(&caster->view, caster->placed->mesh);
    caster->box_extent = round_up((width + (double)caster->rules.condition * doubt) * LEAF_BOX_GROWTH);
    Vec3 core = vec3_abs(mat3_mul(inverse, caster->frame.core));
    return vec3_add(vec3_scale(mat3_row_lengths(inverse), width), core);
}

/* A uniformly scaled instance and a ball: the frame has the axes of stored space. The spares hold anything. */
FORCE_INLINE void enter_evenly(Caster *caster, const Placed *given)
{
    Placed between;
    const Placed *placed = given->moves ? sidle_placed_at(given, caster->filter.time, &between) : given;
    double radius = caster->radius, size = fabs(placed->scale.x), length = caster->length;
    Quad local = quad_sub(quad_load(caster->origin.each), quad_of(placed->position)),
         path = quad_load(caster->displacement.each);
    if (!placed->is_plain)
    {
        SparedVec3 at;
        quad_store(at.each, local);
        local = quad_of(mat3_mul(placed->inverse, at.at));
        path = quad_of(mat3_mul(placed->inverse, caster->displacement.at));
    }
    Quad center = quad_sub(local, quad_of(placed->mesh->origin));
    caster->scale = size / radius;
    /* The error of each coordinate is a fraction of the coordinate. */
    caster->box_extent = (float)((1 + CAST_SLACK) * LEAF_BOX_GROWTH);
    quad_store(caster->center.each, center);
    quad_store(caster->direction.each,
               length > 0 ? quad_mul(path, quad_all(caster->scale / length)) : quad_set(0, 0, 1, 0));
    caster->rules.condition = 1;
    caster->transform.matrix[0] = (float)caster->scale;
    caster->transform.mirrored = false; /* the corners keep their stored order */
    transform_set_center(&caster->transform, center);
    begin_triangles(caster, placed->mesh, center, quad_all((1 + CAST_SLACK) * radius / size), path);
}

/* All other instances and shapes. */
static OUT_OF_LINE void enter_turned(Caster *caster, const Placed *placed)
{
    if (!caster->is_aimed)
    {
        caster_aim(caster);
    }
    caster->view = view_of(placed, &caster->frame, caster->filter.time);
    caster->transform = view_transform(&caster->view, placed, caster->slot);
    if (!caster->is_capsule) /* a capsule's: aim_capsule */
    {
        caster->direction.at = vec3(0, 0, 1);
    }
    Vec3 half = half_extents_of_ball(caster);
    Vec3 path = mat3_mul(caster->view.inverse, caster->displacement.at);
    begin_triangles(caster, placed->mesh, quad_of(caster->view.center), quad_of(half), quad_of(path));
}

static OUT_OF_LINE void caster_enter(Caster *caster, const Placed *placed)
{
    if (!filter_takes(&caster->filter, placed))
    {
        return;
    }
    caster->placed = placed;
    caster->slot = placed->slot;
    caster->is_even = caster->is_ball & placed->is_even;
    caster->rules.one_sided = caster->filter.one_sided | ((placed->flags & SIDLE_INSTANCE_ONE_SIDED) != 0);
    caster->triangles.leaves = (const char *)placed->mesh->packets;
    caster->triangles.leaf_unit = PACKET_UNIT;
    if (caster->is_even)
    {
        enter_evenly(caster, placed);
    }
    else
    {
        enter_turned(caster, placed);
    }
    Float4 direction = quad_to_float4(quad_load(caster->direction.each));
    float4_store(caster->lane_direction, direction);
    caster->lane_excess = lane_excess_of(quad_of_float4(direction));
    shorten_ball(caster);
}

/* The half extents for the walk of the instances. */
static Vec3 half_extents_in_world(const Caster *caster)
{
    if (!caster->is_aimed)
    {
        double extent = (1 + CAST_SLACK) * caster->radius;
        return vec3(extent, extent, extent);
    }
    Vec3 core = vec3_abs(mat3_mul(caster->frame.to_w, caster->frame.core));
    return vec3_add(vec3_scale(mat3_row_lengths(caster->frame.to_w), 1 + CAST_SLACK), core);
}

static void caster_begin_walk(Caster *caster)
{
    const sidle_snapshot *snapshot = caster->snapshot;
    Trace *trace = &caster->instances;
    trace->top = 0;
    if (snapshot->present_count == 1)
    {
        caster_enter(caster, snapshot_placed(snapshot, snapshot->only));
    }
    else if (snapshot->present_count > 1)
    {
        Vec3 center = vec3_sub(caster->origin.at, snapshot->origin);
        caster_shorten(caster);
        trace->leaves = (const char *)snapshot->all_placed;
        trace->leaf_unit = sizeof *snapshot->all_placed;
        begin_trace(trace, snapshot->nodes, snapshot->root, quad_of(center),
                    quad_of(half_extents_in_world(caster)), quad_load(caster->displacement.each));
    }
}

/* Enters the next instance. Returns false if there is none. */
static bool step_to_instance(Caster *caster)
{
    TraceEntry entry;
    if (caster->instances.top == 0 || !KERNELS_NEXT(&caster->instances, caster->share, &entry))
    {
        return false;
    }
    caster_enter(caster, &caster->snapshot->all_placed[entry.child & ~BVH_LEAF]);
    return true;
}

/* Leaves that a capsule tests together. */
static void test_packed(Caster *caster, const TraceEntry *entries, uint32_t found)
{
    Candidates *c = caster->candidates;
    uint32_t leaves[CAST_LEAVES];
    Bounds reach = caster_reach(caster);
    caster->at_origin = false;
    for (uint32_t i = 0; i < found; ++i)
    {
        caster->at_origin |= entries[i].time <= 0;
        leaves[i] = entries[i].child & ~BVH_LEAF;
    }
    if (caster->placed->mesh->field)
    {
        for (uint32_t i = 0; i < found; ++i)
        {
            test_square(caster, leaves[i]);
        }
        return;
    }
    append_packets(caster->placed->mesh->packets, leaves, found, &caster->transform, &reach, &c->wide,
                   c->list);
    caster_test(caster);
}

/* The same, but for leaves of copies, of which each is tested alone. */
static void test_leaves_of_capsule(Caster *caster, const TraceEntry *entries, uint32_t found)
{
    TraceEntry others[CAST_LEAVES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < found; ++i)
    {
        const LeafPacket *packet = packet_at(caster->placed->mesh->packets, entries[i].child & ~BVH_LEAF);
        if (caster->placed->mesh->field || !may_be_of_copies(caster, packet))
        {
            others[count++] = entries[i];
        }
        else if (!take_leaf_of_copies(caster, packet))
        {
            test_packed(caster, &entries[i], 1);
            keep_leaf_of_copies(caster, packet);
        }
    }
    if (count > 0)
    {
        test_packed(caster, others, count);
    }
}

/* A leaf of the mesh, coded as in a node. */
static inline void test_leaf(Caster *caster, uint32_t child, bool at_origin)
{
    const sidle_mesh *mesh = caster->placed->mesh;
    if (mesh->field)
    {
        caster->at_origin = at_origin;
        test_square(caster, child & ~BVH_LEAF);
        return;
    }
    const LeafPacket *packet = packet_at(mesh->packets, child & ~BVH_LEAF);
    bool is_of_copies = may_be_of_copies(caster, packet);
    if (is_of_copies && take_leaf_of_copies(caster, packet))
    {
        return;
    }
    caster_test_leaf(caster, packet, at_origin);
    if (is_of_copies)
    {
        keep_leaf_of_copies(caster, packet);
    }
}

static bool top_is_leaf(const Trace *trace)
{
    return trace->top > 0 && trace->stack[trace->top - 1].child & BVH_LEAF;
}

/* Pops and tests the leaf on top of the stack; for a capsule, with one below it. */
static inline void take_leaf(Caster *caster)
{
    Trace *trace = &caster->triangles;
    TraceEntry entries[CAST_LEAVES] = {trace->stack[--trace->top]};
    uint32_t found = 1;
    if (!caster->is_capsule)
    {
        test_leaf(caster, entries[0].child, entries[0].time <= 0);
        return;
    }
    while (found < CAST_LEAVES && top_is_leaf(trace))
    {
        entries[found++] = trace->stack[--trace->top];
    }
    test_leaves_of_capsule(caster, entries, found);
}

/* ---- short paths ---- */

/* Called when all leaves of the instance are tested. */
static inline void leave_instance(Caster *caster)
{
    caster->has_box = false;
    caster->triangles.top = 0;
    caster->placed = NULL;
    if (caster->instances.top > 0)
    {
        caster_shorten(caster);
    }
}

/* With many leaves the nearest-first order saves tests, so the cast goes on with an ordinary walk. */
static OUT_OF_LINE void leave_group(Caster *caster)
{
    caster->is_short = false;
    caster_enter(caster, caster->placed);
}

/* Ends a step. Returns false if the whole walk is done. */
static bool goes_on(Caster *caster)
{
    if (caster->triangles.top == 0)
    {
        caster->placed = NULL;
    }
    return caster->placed || caster->instances.top > 0;
}

static void caster_look(Caster *caster)
{
    if (caster->placed)
    {
        KERNELS_LOOK(&caster->triangles, caster->share);
    }
}

static bool caster_move_on(Caster *caster)
{
    if (!caster->placed)
    {
        return caster_step(caster);
    }
    Trace *trace = &caster->triangles;
    if (top_is_leaf(trace))
    {
        take_leaf(caster);
        trace_drop_late(trace, caster->share);
    }
    else
    {
        trace_move_on(trace, caster->share);
    }
    return goes_on(caster);
}

static bool caster_step(Caster *caster)
{
    TraceEntry entries[CAST_LEAVES];
    if (!caster->placed)
    {
        return step_to_instance(caster);
    }
    Trace *trace = &caster->triangles;
    while (!caster->is_capsule && KERNELS_NEXT(trace, caster->share, entries))
    {
        test_leaf(caster, entries[0].child, entries[0].time <= 0);
    }
    while (trace->top > 0) /* a capsule */
    {
        uint32_t found = 0;
        while (found < CAST_LEAVES && KERNELS_NEXT(trace, caster->share, &entries[found]))
        {
            ++found;
        }
        test_leaves_of_capsule(caster, entries, found);
    }
    return goes_on(caster);
}
