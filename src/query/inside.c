/* The closed instances that hold a place: those whose mesh winds around it. A ray goes from the place along y of the stored space, and
 * each triangle that it crosses counts by the side that it turns up. Signs are exact, and a ray through an edge or a corner is moved aside
 * by less than any number (H. Edelsbrunner, E. Mücke, "Simulation of Simplicity", 1990), so it crosses one triangle there. */
#include "query/place.h"

#include "base/exact.h"
#include "base/fp_environment.h"
#include "bvh/box.h"
#include "narrow/candidates.h"
#include "query/cast.h"

/* Smaller coordinates are 0: those of base/exact.h end here. */
#define LEAST_COORDINATE 1e-60

typedef struct Holding
{
    const Around *around;
    Vec3 point;          /* world */
    const Placed *first; /* of the instances that hold it; NULL: none so far */
    /* Of the instance that is walked. */
    const Placed *placed;
    Vec3 at; /* the point in its stored space */
    int winding;
    bool is_ignored;
} Holding;

typedef void leaf_fn(Holding *holding, uint32_t leaf);

static void walk(Holding *holding, const BvhNode *nodes, uint32_t root, const Bounds *box, leaf_fn *take)
{
    uint32_t stack[BVH_STACK_SIZE], top = 0;
    stack[top++] = root;
    while (top > 0)
    {
        uint32_t child = stack[--top];
        if (child & BVH_LEAF)
        {
            take(holding, child & ~BVH_LEAF);
            continue;
        }
        const BvhNode *node = bvh_node(nodes, child);
        for (uint32_t bits = bvh_children_in(node, box); bits; bits &= bits - 1)
        {
            stack[top++] = node->child[__builtin_ctz(bits)];
        }
    }
}

/* ---- triangles ---- */

/* The side of the line from a to b, seen from above: 1, the point is to its left; -1, to its right; 0, the line is vertical. A point on the
 * line is moved along z, or along x if the line goes along z. */
static int side_of(const Vec3 *a, const Vec3 *b, const Vec3 *point)
{
    double side = exact_orient2d_sign(a->z, a->x, b->z, b->x, point->z, point->x);
    if (side == 0)
    {
        side = a->x != b->x ? a->x - b->x : b->z - a->z; /* mutant: edge_crossed_twice */
    }
    return (side > 0) - (side < 0);
}

/* 1: the triangle is above the point and turns its front up; -1: its back. */
static int crossing_of(const Vec3 v[3], const Vec3 *point)
{
    int side = side_of(&v[0], &v[1], point);
    if (side == 0 || side_of(&v[1], &v[2], point) != side || side_of(&v[2], &v[0], point) != side)
    {
        return 0;
    }
    return exact_orient3d_sign(v[0], v[1], v[2], *point) * side > 0 ? side : 0;
}

static void take_leaf(Holding *holding, uint32_t leaf)
{
    const LeafPacket *packet = packet_at(holding->placed->mesh->packets, leaf);
    for (uint32_t i = 0; i < packet->triangle_count; ++i)
    {
        float stored[3][3];
        Vec3 v[3];
        sidle_packet_corners(packet, i, stored);
        for (uint32_t corner = 0; corner < 3; ++corner)
        {
            const float *c = stored[corner];
            v[corner] = vec3((double)c[0], (double)c[1], (double)c[2]);
        }
        int crossing = crossing_of(v, &holding->at);
        holding->winding += crossing;
        holding->is_ignored |= crossing && surface_is_in(holding->around->ignored_surfaces,
                                                         sidle_packet_origin(packet, i).surface);
    }
}

/* ---- instances ---- */

static double in_range(double coordinate)
{
    return fabs(coordinate) < LEAST_COORDINATE ? 0 : coordinate;
}

static bool holds(Holding *holding, const Placed *given)
{
    Placed between;
    const Placed *placed = sidle_placed_at(given, holding->around->time, &between);
    Vec3 at = vec3_sub(holding->point, placed->position);
    at = vec3_sub(placed->is_plain ? at : mat3_mul(placed->inverse, at), placed->mesh->origin);
    holding->at = vec3(in_range(at.x), in_range(at.y), in_range(at.z));
    holding->placed = placed;
    holding->winding = 0;
    holding->is_ignored = false;
    Bounds above = bounds_around(holding->at, vec3(0, 0, 0));
    above.max[1] = INFINITY;
    walk(holding, placed->mesh->nodes, 0, &above, take_leaf);
    holding->placed = NULL;
    return holding->winding != 0 && !holding->is_ignored;
}

static void take_instance(Holding *holding, uint32_t index)
{
    const Placed *placed = &holding->around->snapshot->all_placed[index], *first = holding->first;
    bool comes_first =
        !first || placed->key < first->key || (placed->key == first->key && placed->slot < first->slot);
    if ((placed->flags & SIDLE_INSTANCE_CLOSED) && comes_first && around_includes(holding->around, placed) &&
        holds(holding, placed))
    {
        holding->first = placed;
    }
}

const Placed *sidle_around_holder(const Around *around, Vec3 point)
{
    const sidle_snapshot *snapshot = around->snapshot;
    Holding holding = {.around = around, .point = point};
    if (snapshot->closed_count == 0)
    {
        return NULL;
    }
    if (snapshot->present_count == 1)
    {
        take_instance(&holding, (uint32_t)(snapshot_placed(snapshot, snapshot->only) - snapshot->all_placed));
    }
    else if (snapshot->present_count > 1)
    {
        const double doubt = snapshot->doubt;
        Bounds box = bounds_around(vec3_sub(point, snapshot->origin), vec3(doubt, doubt, doubt));
        walk(&holding, snapshot->nodes, snapshot->root, &box, take_instance);
    }
    return holding.first;
}

/* ---- the call ---- */

static FP_BODY sidle_status find_inside(const sidle_snapshot *snapshot, float motion_time,
                                        const sidle_place *place, sidle_inside *out)
{
    if (!snapshot || !place || !out || !motion_is_good(motion_time))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    sidle_status status = sidle_place_check(place);
    if (status != SIDLE_OK)
    {
        return status;
    }
    *out = (sidle_inside){.found = 0};
    Frame frame;
    Around around = sidle_around_of(snapshot, motion_time, place, &frame);
    const Placed *holder = sidle_around_holder(&around, frame.center);
    if (holder)
    {
        *out = (sidle_inside){
            .found = 1, .instance_key = holder->key, .instance = {holder->slot, holder->generation}};
    }
    return SIDLE_OK;
}

sidle_status sidle_place_inside(const sidle_snapshot *snapshot, float motion_time, const sidle_place *place,
                                sidle_inside *out)
{
    FpEnvironment host = fp_enter();
    sidle_status status = find_inside(snapshot, motion_time, place, out);
    fp_leave(host);
    return status;
}
