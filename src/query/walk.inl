/* The walk through the trees: instances nearest first, and within each of them leaves nearest first. A hit in one
 * step lowers the limit of the next. */
#include "query/caster.h"

/* Begins a walk with a box of these half extents that moves from `center` along `path`. All are in the tree's space. */
static inline void begin_trace(Trace *trace, const BvhNode *nodes, uint32_t root, Vec3 center, Vec3 half,
                               Vec3 path)
{
    const double c[3] = {center.x, center.y, center.z}, h[3] = {half.x, half.y, half.z},
                 d[3] = {path.x, path.y, path.z};
    trace->nodes = nodes;
    trace->top = 1;
    trace->stack[0] = (TraceEntry){0, root};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        /* Below this the reciprocal overflows. The box is then widened by the displacement along the axis and does
         * not move. An infinite time is valid. A box that just touches never gets a time of zero, since `low` and
         * `high` are rounded outward. */
        bool rests = fabs(d[axis]) < 1e-37;
        double extent = h[axis] + (rests ? fabs(d[axis]) : 0);
        float low = round_down(c[axis] - extent), high = round_up(c[axis] + extent);
        bool falls = !rests && d[axis] < 0;
        trace->inverse[axis] = rests ? FLT_MAX : (float)(1 / d[axis]);
        trace->near_side[axis] = falls ? low : high;
        trace->far_side[axis] = falls ? high : low;
        trace->near_at[axis] = (axis + (falls ? 3 : 0)) * BVH_WIDTH;
        trace->far_at[axis] = (axis + (falls ? 0 : 3)) * BVH_WIDTH;
    }
}

/* The box of a path, rounded outward. */
static inline Bounds box_of_path(Vec3 center, Vec3 half, Vec3 path)
{
    Vec3 low = vec3(lesser(path.x, 0), lesser(path.y, 0), lesser(path.z, 0)),
         high = vec3(larger(path.x, 0), larger(path.y, 0), larger(path.z, 0));
    low = vec3_add(center, vec3_sub(low, half));
    high = vec3_add(center, vec3_add(high, half));
    return (Bounds){{round_down(low.x), round_down(low.y), round_down(low.z)},
                    {round_up(high.x), round_up(high.y), round_up(high.z)}};
}

/* Begins the walk of an instance's triangles. Short paths only set their box here: cast_group walks them together. */
static inline void begin_triangles(Caster *caster, const sidle_mesh *mesh, Vec3 center, Vec3 half, Vec3 path)
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
    const float *low = mesh->bounds.min, *high = mesh->bounds.max;
    Vec3 min = vec3((double)low[0], (double)low[1], (double)low[2]);
    Vec3 max = vec3((double)high[0], (double)high[1], (double)high[2]);
    Vec3 half = vec3_scale(vec3_sub(max, min), .5);
    Vec3 middle = vec3_sub(vec3_add(min, half), view->center);
    return vec3_length(mat3_mul_abs(view->to_e, vec3_add(vec3_abs(middle), half)));
}

/* A tube around the rest of the path, which lies in the yz plane. */
static Bounds caster_reach(const Caster *caster)
{
    double width = caster->half_width, end = caster_limit(caster), core = caster->frame.core.y;
    double low = lesser(caster->direction.y * end, 0) - core,
           high = larger(caster->direction.y * end, 0) + core;
    float side = round_down(-width);
    return (Bounds){{side, round_down(low - width), side},
                    {-side, round_up(high + width), round_up(caster->direction.z * end + width)}};
}

/* A ray has no width, but packing in float moves the corners of a triangle, and the tree must find its exact place. In
 * the world the corners move by up to sqrt(3) 2 size PACK_ERROR together: the shear adds at most the error of z to each
 * other axis. Returns the half extents in stored space. */
static Vec3 half_extents_of_ray(Caster *caster)
{
    caster->margin = PACK_ERROR * view_size(&caster->view, caster->placed->mesh);
    Vec3 unit = vec3_abs(vec3_div(vec3(1, 1, 1), caster->placed->scale));
    return vec3_scale(unit, 4 * caster->margin);
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
    caster->half_width = caster->margin = width;
    Mat3 inverse = mat3_product(caster->view.inverse, caster->frame.to_w);
    caster->rules.condition = (float)larger(condition_of(&caster->view, &inverse), 1);
    double doubt = PACK_ERROR * view_size(&caster->view, caster->placed->mesh);
    caster->box_extent = round_up((width + (double)caster->rules.condition * doubt) * LEAF_BOX_GROWTH);
    Vec3 core = vec3_abs(mat3_mul(inverse, caster->frame.core));
    return vec3_add(vec3_scale(mat3_row_lengths(inverse), width), core);
}

/* A uniformly scaled instance and a ball: the frame has the axes of stored space. */
static inline void enter_evenly(Caster *caster, const Placed *given)
{
    Placed between;
    const Placed *placed = given->moves ? sidle_placed_at(given, caster->filter.time, &between) : given;
    double radius = caster->frame.radii.x, size = fabs(placed->scale.x),
           extent = (1 + CAST_SLACK) * radius / size;
    Vec3 local = mat3_mul(placed->inverse, vec3_sub(caster->frame.center, placed->position));
    Vec3 path = mat3_mul(placed->inverse, caster->displacement),
         center = vec3_sub(local, placed->mesh->origin);
    double length = caster->length;
    caster->scale = size / radius;
    /* The error of each coordinate is a fraction of the coordinate. */
    caster->box_extent = (float)((1 + CAST_SLACK) * LEAF_BOX_GROWTH);
    caster->center = center;
    caster->direction = length > 0 ? vec3_scale(path, caster->scale / length) : vec3(0, 0, 1);
    caster->transform.matrix[0] = (float)caster->scale;
    caster->transform.mirrored = false; /* the corners keep their stored order */
    transform_set_center(&caster->transform, quad_set(center.x, center.y, center.z, 0));
    begin_triangles(caster, placed->mesh, center, vec3(extent, extent, extent), path);
}

static OUT_OF_LINE void enter_ray(Caster *caster, const Placed *placed)
{
    PackTransform *t = &caster->transform;
    caster->view = view_of(placed, &caster->frame, caster->filter.time);
    const View *view = &caster->view;
    const double *m = &view->to_e.row[0].x;
    for (int i = 0; i < 9; ++i)
    {
        t->matrix[i] = (float)m[i];
    }
    t->mirrored = placed_is_mirrored(placed);
    transform_set_center(t, quad_set(view->center.x, view->center.y, view->center.z, 0));
    Vec3 half = half_extents_of_ray(caster),
         path = placed->is_plain ? caster->displacement : mat3_mul(view->inverse, caster->displacement);
    begin_triangles(caster, placed->mesh, view->center, half, path);
}

/* All other instances and shapes. */
static __attribute__((noinline)) void enter_turned(Caster *caster, const Placed *placed)
{
    if (!caster->is_aimed)
    {
        caster_aim(caster);
    }
    caster->view = view_of(placed, &caster->frame, caster->filter.time);
    caster->transform = view_transform(&caster->view, placed, caster->slot);
    caster->direction = caster->is_capsule ? caster->direction : vec3(0, 0, 1); /* a capsule's: aim_capsule */
    Vec3 half = half_extents_of_ball(caster);
    Vec3 path = mat3_mul(caster->view.inverse, caster->displacement);
    begin_triangles(caster, placed->mesh, caster->view.center, half, path);
}

static void caster_enter(Caster *caster, const Placed *placed)
{
    if (!filter_takes(&caster->filter, placed))
    {
        return;
    }
    caster->placed = placed;
    caster->slot = placed->slot;
    caster->is_even = caster->is_sphere && vec3_is_even(vec3_abs(placed->scale));
    caster->rules.condition = 1;
    if (caster->is_ray)
    {
        enter_ray(caster, placed);
    }
    else if (caster->is_even)
    {
        enter_evenly(caster, placed);
    }
    else
    {
        enter_turned(caster, placed);
    }
    Vec3 d = caster->direction;
    caster->lane_direction[0] = (float)d.x;
    caster->lane_direction[1] = (float)d.y;
    caster->lane_direction[2] = (float)d.z;
    caster->lane_excess = (float)excess_of(d);
    caster->triangles.leaves = (const char *)placed->mesh->packets;
    caster->triangles.leaf_unit = PACKET_UNIT;
}

/* The half extents for the walk of the instances. Those of a ray follow from half_extents_of_ray. With every
 * coordinate below `size`, the sums of a corner are at most 2 sqrt(3), 2 sqrt(3) and sqrt(3) times `size`, and
 * view_size at most 3 sqrt(3) times. */
static Vec3 half_extents_in_world(const Caster *caster, Vec3 center)
{
    if (!caster->is_aimed)
    {
        double extent = (1 + CAST_SLACK) * caster->frame.radii.x;
        return vec3(extent, extent, extent);
    }
    if (!caster->is_ray)
    {
        Vec3 core = vec3_abs(mat3_mul(caster->frame.to_w, caster->frame.core));
        return vec3_add(vec3_scale(mat3_row_lengths(caster->frame.to_w), 1 + CAST_SLACK), core);
    }
    const BvhNode *root = bvh_node(caster->snapshot->nodes, caster->snapshot->root);
    const float *planes[3][2] = {
        {root->min_x, root->max_x}, {root->min_y, root->max_y}, {root->min_z, root->max_z}};
    const double c[3] = {center.x, center.y, center.z};
    double size = 0;
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        for (uint32_t i = 0; i < BVH_WIDTH; ++i)
        {
            double low = fabs((double)planes[axis][0][i] - c[axis]),
                   high = fabs((double)planes[axis][1][i] - c[axis]);
            size = larger(larger(low, high), size); /* this order skips the NaN of unused children */
        }
    }
    double extent = 4 * PACK_ERROR * 3 * sqrt(3) * size;
    return vec3(extent, extent, extent);
}

static void caster_begin_walk(Caster *caster)
{
    const sidle_snapshot *snapshot = caster->snapshot;
    Trace *trace = &caster->instances;
    caster_shorten(caster);
    trace->top = 0;
    if (snapshot->present_count == 1)
    {
        caster_enter(caster, snapshot_placed(snapshot, snapshot->only));
    }
    else if (snapshot->present_count > 1)
    {
        Vec3 center = vec3_sub(caster->frame.center, snapshot->origin);
        trace->leaves = (const char *)snapshot->all_placed;
        trace->leaf_unit = sizeof *snapshot->all_placed;
        begin_trace(trace, snapshot->nodes, snapshot->root, center, half_extents_in_world(caster, center),
                    caster->displacement);
    }
}

/* Enters the next instance. Returns false if there is none. */
static bool step_to_instance(Caster *caster)
{
    uint32_t index;
    if (caster->instances.top == 0 ||
        KERNELS_TRACE(&caster->instances, caster->share, UINT32_MAX, &index, 1) == 0)
    {
        return false;
    }
    caster_enter(caster, &caster->snapshot->all_placed[index]);
    return true;
}

static void step_packed(Caster *caster, uint32_t visits)
{
    Candidates *c = caster->candidates;
    uint32_t leaves[CAST_LEAVES];
    uint32_t found = KERNELS_TRACE(&caster->triangles, caster->share, visits, leaves, CAST_LEAVES);
    if (found == 0)
    {
        return;
    }
    Bounds reach = caster_reach(caster);
    caster->at_origin = caster->triangles.first <= 0;
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
    test_packet(caster, packet_at(mesh->packets, child & ~BVH_LEAF), at_origin);
}

/* Pops and tests the entry on top of the stack if it is a leaf. */
static inline void take_leaf(Caster *caster)
{
    Trace *trace = &caster->triangles;
    TraceEntry entry = trace->stack[trace->top - 1];
    if (entry.child & BVH_LEAF)
    {
        --trace->top;
        test_leaf(caster, entry.child, entry.time <= 0);
    }
}

/* ---- short paths ---- */

/* Called when all leaves of the instance are tested. */
static void leave_instance(Caster *caster)
{
    caster->has_box = false;
    caster->triangles.top = 0;
    caster->placed = NULL;
}

/* With many leaves the nearest-first order saves tests, so the cast goes on with an ordinary walk. */
static OUT_OF_LINE void leave_group(Caster *caster)
{
    caster->is_short = false;
    caster_enter(caster, caster->placed);
}

static bool walks_leaves(const Caster *caster)
{
    return caster->placed && !caster->is_capsule;
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
    if (walks_leaves(caster))
    {
        KERNELS_LOOK(&caster->triangles, caster->share);
    }
}

static bool caster_move_on(Caster *caster)
{
    if (!walks_leaves(caster))
    {
        return caster_step(caster, 1);
    }
    Trace *trace = &caster->triangles;
    if (trace->stack[trace->top - 1].child & BVH_LEAF)
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

static bool caster_step(Caster *caster, uint32_t visits)
{
    if (!caster->placed)
    {
        return step_to_instance(caster);
    }
    if (walks_leaves(caster))
    {
        take_leaf(caster);
        KERNELS_WALK(&caster->triangles, caster->share, visits);
    }
    else
    {
        step_packed(caster, visits);
    }
    return goes_on(caster);
}
