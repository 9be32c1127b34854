/* Visits triangles around a place, by walks of the trees. */
#include "query/place.h"

#include "bvh/box.h"
#include "narrow/candidates.h"
#include "narrow/view.h"

/* A walk of the trees. */
typedef struct Visit
{
    const Around *around;
    around_fn *take;
    void *context;
    double reach; /* as it is now */
    bool ended;
    /* Of the instance that is walked. */
    const Placed *placed; /* NULL: the tree of the instances is */
    View view;
    Vec3 from, along; /* of a path: in the space of the tree that is walked */
    /* The region there, valid for one reach; NaN: not known. */
    double known_reach;
    Vec3 half; /* of the shape and its reach */
    Bounds region;
} Visit;

typedef void leaf_fn(Visit *visit, uint32_t leaf);

static void find_region(Visit *visit);

/* Children of a node, the farthest first, with their distance from the middle of a box: the largest along an axis. */
typedef struct Children
{
    uint32_t child[BVH_WIDTH], count;
    float distance[BVH_WIDTH];
} Children;

static void insert_child(Children *children, uint32_t child, float distance)
{
    uint32_t at = children->count++;
    for (; at > 0 && children->distance[at - 1] < distance; --at)
    {
        children->child[at] = children->child[at - 1];
        children->distance[at] = children->distance[at - 1];
    }
    children->child[at] = child;
    children->distance[at] = distance;
}

static float beyond(float low, float high, float middle)
{
    float below = low - middle, above = middle - high;
    return below > above ? below : above;
}

static void sort_children(const BvhNode *node, uint32_t bits, const Bounds *box, Children *out)
{
    float middle[3];
    for (int axis = 0; axis < 3; ++axis)
    {
        middle[axis] = (box->min[axis] + box->max[axis]) / 2;
    }
    out->count = 0;
    for (; bits; bits &= bits - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(bits);
        float x = beyond(node->min_x[i], node->max_x[i], middle[0]),
              y = beyond(node->min_y[i], node->max_y[i], middle[1]),
              z = beyond(node->min_z[i], node->max_z[i], middle[2]), most = x > y ? x : y;
        insert_child(out, node->child[i], most > z ? most : z);
    }
}

bool sidle_path_hits_box(Vec3 from, Vec3 along, Vec3 low, Vec3 high)
{
    const double at[3] = {from.x, from.y, from.z}, by[3] = {along.x, along.y, along.z};
    const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
    double first = 0, last = 1;
    for (int axis = 0; axis < 3; ++axis)
    {
        if (by[axis] != 0)
        {
            double a = (lows[axis] - at[axis]) / by[axis], b = (highs[axis] - at[axis]) / by[axis];
            first = larger(first, lesser(a, b));
            last = lesser(last, larger(a, b));
        }
    }
    return first <= last + 1e-9 * (fabs(first) + fabs(last));
}

/* Of the children in `bits`, those that the shape passes on its path, or touches within rounding. */
static uint32_t children_on(const Visit *visit, const BvhNode *node, uint32_t bits)
{
    Vec3 half = visit->half;
    uint32_t on = 0;
    for (; bits; bits &= bits - 1)
    {
        uint32_t i = (uint32_t)__builtin_ctz(bits);
        Vec3 low = vec3((double)node->min_x[i], (double)node->min_y[i], (double)node->min_z[i]),
             high = vec3((double)node->max_x[i], (double)node->max_y[i], (double)node->max_z[i]);
        on |= (uint32_t)sidle_path_hits_box(visit->from, visit->along, vec3_sub(low, half),
                                            vec3_add(high, half))
              << i;
    }
    return on;
}

/* Roughly nearest first. The box is asked for again at each node, since hits make it smaller. */
static void walk(Visit *visit, const BvhNode *nodes, uint32_t root, leaf_fn *take)
{
    uint32_t stack[BVH_STACK_SIZE], top = 0;
    stack[top++] = root;
    while (top > 0 && !visit->ended)
    {
        uint32_t child = stack[--top];
        if (child & BVH_LEAF)
        {
            take(visit, child & ~BVH_LEAF);
            continue;
        }
        const BvhNode *node = bvh_node(nodes, child);
        Children children;
        find_region(visit);
        uint32_t bits = bvh_children_in(node, &visit->region);
        bits = visit->around->is_path ? children_on(visit, node, bits) : bits;
        sort_children(node, bits, &visit->region, &children);
        for (uint32_t i = 0; i < children.count; ++i)
        {
            stack[top++] = children.child[i];
        }
    }
}

/* Half the sides of the box around the shape and its reach, in the space of the tree that is walked. The unit box of a frame reaches
 * as far as the sum of its axes. */
static Vec3 shape_half(const Visit *visit)
{
    const Frame *frame = visit->around->frame;
    Vec3 half = frame->extent;
    if (visit->around->is_box)
    {
        half = mat3_mul_abs(frame->to_w, vec3(1, 1, 1));
    }
    double reach = visit->reach;
    half = vec3_add(vec3_add(half, frame->core_extent), vec3(reach, reach, reach));
    half = vec3_scale(half, CULL_GROWTH);
    if (visit->placed)
    {
        return mat3_mul_abs(visit->view.inverse, half);
    }
    double doubt = visit->around->snapshot->doubt;
    return vec3_add(half, vec3(doubt, doubt, doubt));
}

/* The box of the whole path. */
static void find_region(Visit *visit)
{
    if (visit->known_reach == visit->reach)
    {
        return;
    }
    visit->known_reach = visit->reach;
    visit->half = shape_half(visit);
    Vec3 half = visit->half, middle = visit->from;
    if (visit->around->is_path)
    {
        half = vec3_add_scaled(half, vec3_abs(visit->along), CULL_GROWTH / 2);
        middle = vec3_add_scaled(middle, visit->along, .5);
    }
    visit->region = bounds_around(middle, half);
}

/* ---- triangles ---- */

static void take_packet(Visit *visit, const LeafPacket *packet, uint32_t leaf)
{
    const Placed *placed = visit->placed;
    for (uint32_t i = 0; i < packet->triangle_count && !visit->ended; ++i)
    {
        PacketOrigin origin = sidle_packet_origin(packet, i);
        if (surface_is_in(visit->around->ignored_surfaces, origin.surface))
        {
            continue;
        }
        AroundTriangle triangle = {.candidate = {.key = placed->key,
                                                 .leaf = leaf,
                                                 .triangle = origin.source,
                                                 .instance = placed->slot,
                                                 .surface = origin.surface,
                                                 .local = (uint8_t)i},
                                   .generation = placed->generation,
                                   .is_one_sided = placed->flags & SIDLE_INSTANCE_ONE_SIDED};
        view_packet_corners(&visit->view, placed, packet, i, triangle.corners);
        visit->ended = !visit->take(visit->context, &triangle, &visit->reach);
    }
}

/* Whether a packet of a heightfield, of which a leaf has many, is in the region. */
static bool is_in_reach(Visit *visit, uint32_t packet)
{
    Bounds own = sidle_field_packet_box(visit->placed->mesh->field, packet);
    bool within = true;
    find_region(visit);
    const Bounds *box = &visit->region;
    for (int axis = 0; axis < 3; ++axis)
    {
        within = within && own.min[axis] <= box->max[axis] && box->min[axis] <= own.max[axis];
    }
    return within;
}

static void take_leaf(Visit *visit, uint32_t leaf)
{
    const sidle_mesh *mesh = visit->placed->mesh;
    uint32_t packets[FIELD_LEAF * FIELD_LEAF], count = mesh_leaf(mesh, leaf, packets);
    for (uint32_t i = 0; i < count && !visit->ended; ++i)
    {
        FieldPacket memory;
        if (!mesh->field || is_in_reach(visit, packets[i]))
        {
            take_packet(visit, mesh_packet(mesh, packets[i], &memory), packets[i]);
        }
    }
}

/* ---- instances ---- */

static void take_instance(Visit *visit, uint32_t index)
{
    const Around *around = visit->around;
    const Placed *placed = &around->snapshot->all_placed[index];
    if (around_includes(around, placed))
    {
        visit->placed = placed;
        Vec3 from = visit->from, along = visit->along;
        visit->view = view_of(placed, around->frame, around->time);
        visit->from = visit->view.center;
        visit->along = mat3_mul(visit->view.inverse, around->path);
        visit->known_reach = NAN;
        walk(visit, placed->mesh->nodes, 0, take_leaf);
        visit->placed = NULL;
        visit->known_reach = NAN;
        visit->from = from;
        visit->along = along;
    }
}

void sidle_around_visit(const Around *around, double reach, around_fn *take, void *context)
{
    const sidle_snapshot *snapshot = around->snapshot;
    Visit visit = {.around = around, .take = take, .context = context, .reach = reach, .known_reach = NAN};
    visit.from = vec3_sub(around->frame->center, snapshot->origin);
    visit.along = around->is_path ? around->path : vec3(0, 0, 0);
    if (snapshot->present_count == 1)
    {
        take_instance(&visit, (uint32_t)(snapshot_placed(snapshot, snapshot->only) - snapshot->all_placed));
    }
    else if (snapshot->present_count > 1)
    {
        walk(&visit, snapshot->nodes, snapshot->root, take_instance);
    }
}
