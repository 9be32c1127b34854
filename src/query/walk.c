/* The way through the trees: instances nearest first, in each of them leaves nearest first, triangles in
 * chunks. Every chunk may bring the limit nearer for the next. */
#include "query/caster.h"

/* Leaves asked for at a time, and triangles from which on a chunk is tested: two blocks of eight lanes are
 * enough to hide their latency, and what a chunk finds may spare all the rest. */
#define LEAVES_AT_A_TIME 2
#define CHUNK_TRIANGLES  12

_Static_assert(CHUNK_TRIANGLES + LEAVES_AT_A_TIME * PACKET_TRIANGLES <= CAST_CAPACITY, "append may not fail");

/* Begins a walk with a box of these half extents from `center` along `way`, all in the tree's space. */
static void begin_trace(Trace *trace, const BvhNode *nodes, Vec3 center, Vec3 half, Vec3 way)
{
    const double c[3] = {center.x, center.y, center.z}, h[3] = {half.x, half.y, half.z},
                 d[3] = {way.x, way.y, way.z};
    trace->nodes = nodes;
    trace->top = 1;
    trace->stack[0] = (TraceEntry){0, 0};
    for (uint32_t axis = 0; axis < 3; ++axis)
    {
        /* Slower than this the reciprocal overflows: the box takes the axis' whole way at once and stands
         * still. An infinite time is good; a zero one of a box that just touches is not possible, since `low`
         * and `high` are rounded outward by more than nothing. */
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

static void test_chunk(Caster *caster)
{
    Candidates *c = &caster->candidates;
    if (c->wide.count > 0)
    {
        (caster->is_ray ? caster_test_ray : caster_test_ball)(caster);
    }
    c->wide.count = c->exact.count = 0;
    caster->at_origin = false;
}

/* The limit as a walk counts: a share of the way. */
static float share_left(const Caster *caster)
{
    return caster->length > 0 ? round_up(caster_limit(caster) / caster->length) : 0;
}

/* The largest sum of products that brings any corner of the mesh into the frame: what the errors of
 * append.inl scale with. */
static double view_size(const View *view, const sidle_mesh *mesh)
{
    const float *low = mesh->bounds.min, *high = mesh->bounds.max;
    Vec3 min = vec3((double)low[0], (double)low[1], (double)low[2]);
    Vec3 max = vec3((double)high[0], (double)high[1], (double)high[2]);
    Vec3 half = vec3_scale(vec3_sub(max, min), .5);
    Vec3 middle = vec3_sub(vec3_add(min, half), view->center);
    return vec3_length(mat3_mul_abs(view->to_e, vec3_add(vec3_abs(middle), half)));
}

/* The part of the frame that triangles may matter in: a tube of this half width around what is left of the
 * way. */
static Bounds reach_of(const Caster *caster, double half_width, double room)
{
    float low = round_down(-half_width), high = round_up(half_width);
    return (Bounds){{low, low, round_down(-room)}, {high, high, round_up(caster_limit(caster) + room)}};
}

typedef struct Room /* that a cast takes in an instance */
{
    double half_width, along; /* in the frame; what float makes of the corners is append's business */
    Vec3 half;                /* in stored space, for the tree */
} Room;

/* A ray has no width: a triangle whose corners all lie on one side of it is not pierced. But float has moved
 * the corners, all three together by up to sqrt(3) 2 size PACK_ERROR in the world (the shear adds to each
 * axis at most what z is off), and the tree must find the triangle where it really is. */
static Room room_of_ray(Caster *caster, const Placed *placed, const View *view)
{
    double error = PACK_ERROR * view_size(view, placed->mesh);
    Vec3 unit = vec3_abs(vec3_div(vec3(1, 1, 1), placed->scale));
    caster->margin = fmax(caster->margin, error);
    return (Room){0, error, vec3_scale(unit, 4 * error)};
}

/* How much larger than u |e| a corner of this instance may err that float brings into the frame. The sums of
 * a row are sum |M_ij| |d_j| with d = M^-1 e; weighted by the columns' lengths w, Cauchy and Schwarz bound
 * them by the row's length in M / w times that of w M^-1 e, and Gershgorin bounds the norm of w M^-1. 1 for
 * balls and for shapes that stand upright in the instance, where no sum cancels; up to the aspect of what is
 * turned against it. Rounded up to a power of two, so that most instances agree and may share a chunk. */
static float condition_of(const View *view, const Mat3 *inverse)
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
        norm2 = fmax(norm2, sums.x + sums.y + sums.z);
        rows = fmax(rows, vec3_length(vec3_div(m->row[i], w)));
    }
    float condition = 1;
    while ((double)condition * 1.01 < rows * sqrt(norm2)) /* 1.01: rounding is no doubling */
    {
        condition *= 2;
    }
    return condition;
}

static bool is_even(Vec3 a)
{
    return a.x == a.y && a.y == a.z;
}

/* A chunk has one condition, so that what float may answer does not depend on what a triangle shares its
 * chunk with. */
static Room room_of_ball(Caster *caster, const Placed *placed, const View *view)
{
    Mat3 inverse = mat3_product(view->inverse, caster->frame.to_w);
    bool keeps_form = is_even(caster->frame.radii) && is_even(vec3_abs(placed->scale));
    float condition = keeps_form ? 1 : condition_of(view, &inverse);
    if (condition != caster->rules.condition)
    {
        test_chunk(caster);
        caster->rules.condition = condition;
    }
    double width = 1 + CAST_SLACK;
    return (Room){width, width, vec3_scale(mat3_row_lengths(inverse), width)};
}

static void walk_instance(Caster *caster, uint32_t slot)
{
    const Placed *placed = &caster->snapshot->placed[slot];
    if (!filter_takes(&caster->filter, caster->snapshot, slot))
    {
        return;
    }
    Candidates *c = &caster->candidates;
    View view = view_of(placed, &caster->frame, caster->filter.time);
    Room room = (caster->is_ray ? room_of_ray : room_of_ball)(caster, placed, &view);
    caster->view = view;
    caster->viewed = slot;
    PackTransform transform = view_transform(&view, placed, slot);
    Trace *trace = &caster->scratch->triangles;
    uint32_t leaves[LEAVES_AT_A_TIME], found;
    begin_trace(trace, placed->mesh->nodes, view.center, room.half,
                mat3_mul(view.inverse, caster->displacement));
    while ((found = c->kernels->trace(trace, share_left(caster), leaves, LEAVES_AT_A_TIME)) > 0)
    {
        Bounds reach = reach_of(caster, room.half_width, room.along);
        caster->at_origin = caster->at_origin || trace->first <= 0;
        c->kernels->append(placed->mesh->packets, leaves, found, &transform, &reach, &c->wide, c->list);
        if (c->wide.count >= CHUNK_TRIANGLES)
        {
            test_chunk(caster);
        }
    }
}

/* A ray's room in the world, as in room_of_ray: with every coordinate below `size` the sums of a corner are
 * at most 2 sqrt(3), 2 sqrt(3) and sqrt(3) times that, and view_size 3 sqrt(3). */
static Vec3 room_in_world(const Caster *caster, Vec3 center)
{
    if (!caster->is_ray)
    {
        return vec3_scale(mat3_row_lengths(caster->frame.to_w), 1 + CAST_SLACK);
    }
    const BvhNode *root = caster->snapshot->nodes;
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
            size = fmax(size, fmax(low, high)); /* fmax passes over the NaN of unused children */
        }
    }
    double room = 4 * PACK_ERROR * 3 * sqrt(3) * size;
    return vec3(room, room, room);
}

void caster_walk(Caster *caster)
{
    const sidle_snapshot *snapshot = caster->snapshot;
    if (snapshot->present_count == 1)
    {
        walk_instance(caster, snapshot->present[0]);
    }
    else if (snapshot->present_count > 1)
    {
        Trace *trace = &caster->scratch->instances;
        Vec3 center = vec3_sub(caster->frame.center, snapshot->origin);
        uint32_t slot;
        begin_trace(trace, snapshot->nodes, center, room_in_world(caster, center), caster->displacement);
        while (caster->candidates.kernels->trace(trace, share_left(caster), &slot, 1) > 0)
        {
            walk_instance(caster, slot);
        }
    }
    test_chunk(caster);
}
