/* All triangles that a shape touches on its path. Each triangle near the path is cast against alone, in a snapshot that holds
 * nothing else, so its hit has the bits that a world of this triangle would give. */
#include "query/cast_all.h"

#include "bvh/box.h"
#include "mesh/field.h"
#include "narrow/shape.h"

#include <string.h>

/* Radii. Lanes err by less (CAST_SLACK). */
#define PATH_MARGIN .01

/* The slot of the only instance. */
#define LONE_SLOT 0

/* A packet of one triangle, its coordinates as floats. */
typedef struct LonePacket
{
    _Alignas(8) uint8_t bytes[sizeof(LeafPacket) + 4 + 3 * 16 + 4 + 2 + PACKET_SLACK];
} LonePacket;

typedef struct Lone
{
    const Around *around;
    HitList *hits;
    cast_one_fn *ask;
    sidle_cast cast;
    Vec3 path; /* in the frame */
    /* The triangle that was cast against last, and its hit, which its copies have, too. */
    float corners[3][3];     /* stored */
    uint32_t known_instance; /* UINT32_MAX: none was */
    sidle_cast_hit hit;
    LonePacket packet;
    _Alignas(BVH_ROW) BvhNode node;
    sidle_mesh mesh;
    Placed placed[1];
    uint32_t page[PAGE_SLOTS];
    const uint32_t *pages[1];
    sidle_snapshot snapshot;
} Lone;

static void set_packet(LonePacket *to, const float corners[3][3], const Candidate *candidate)
{
    static const uint8_t index[4] = {0, 1, 2, 0};
    LeafPacket *packet = (LeafPacket *)(void *)to->bytes;
    memset(to, 0, sizeof *to);
    /* Four bytes for each coordinate and for the source. */
    *packet =
        (LeafPacket){.triangle_count = 1, .vertex_count = 3, .forms = 0xaa, .source = candidate->triangle};
    uint8_t *at = packet->rest;
    memcpy(at, index, sizeof index);
    at += sizeof index;
    for (int axis = 0; axis < 3; ++axis, at += 16)
    {
        float row[4] = {corners[0][axis], corners[1][axis], corners[2][axis], corners[2][axis]};
        memcpy(at, row, sizeof row);
    }
    memcpy(at + 4, &candidate->surface, sizeof candidate->surface);
}

/* A root with one leaf. */
static void set_node(BvhNode *node, const float corners[3][3])
{
    Bounds box = bounds_empty();
    for (int corner = 0; corner < 3; ++corner)
    {
        bounds_add_point(&box, corners[corner]);
    }
    for (uint32_t i = 0; i < BVH_WIDTH; ++i)
    {
        bvh_write_child(node, i, i ? NULL : &box, i ? 0 : BVH_LEAF);
    }
}

/* Origin and bounds stay those of the mesh: lanes round relative to them. */
static void set_lone(Lone *lone, const Placed *placed, const Candidate *candidate)
{
    const float(*corners)[3] = (const float(*)[3])lone->corners;
    set_packet(&lone->packet, corners, candidate);
    set_node(&lone->node, corners);
    lone->mesh.origin = placed->mesh->origin;
    lone->mesh.bounds = placed->mesh->bounds;
    lone->placed[0] = *placed;
    lone->placed[0].mesh = &lone->mesh;
    lone->placed[0].slot = LONE_SLOT;
}

/* Whether the shape can pass the triangle's box in the frame. */
static bool is_on_path(const Lone *lone, const Vec3 v[3])
{
    const Frame *frame = lone->around->frame;
    double wide = (1 + PATH_MARGIN) * CULL_GROWTH;
    Vec3 half = vec3(wide, wide + frame->core.y * CULL_GROWTH, wide);
    Vec3 low = vec3_lesser(v[0], vec3_lesser(v[1], v[2])), high = vec3_larger(v[0], vec3_larger(v[1], v[2]));
    return sidle_path_hits_box(vec3(0, 0, 0), lone->path, vec3_sub(low, half), vec3_add(high, half));
}

static bool take_alone(void *context, const AroundTriangle *triangle, double *reach)
{
    (void)reach;
    Lone *lone = context;
    if (!is_on_path(lone, triangle->corners))
    {
        return true;
    }
    float corners[3][3];
    FieldPacket memory;
    const Candidate *candidate = &triangle->candidate;
    const Placed *placed = snapshot_placed(lone->around->snapshot, candidate->instance);
    sidle_packet_corners(mesh_packet(placed->mesh, candidate->leaf, &memory), candidate->local, corners);
    if (lone->known_instance != candidate->instance || memcmp(lone->corners, corners, sizeof corners) != 0)
    {
        memcpy(lone->corners, corners, sizeof corners);
        lone->known_instance = candidate->instance;
        set_lone(lone, placed, candidate);
        lone->ask(&lone->snapshot, lone->around->time, &lone->cast, &lone->hit);
    }
    if (lone->hit.hit)
    {
        sidle_cast_hit hit = lone->hit;
        hit.instance.index = candidate->instance;
        hit.triangle = candidate->triangle;
        hit.surface = candidate->surface;
        sidle_hit_list_take(lone->hits, &hit);
    }
    return true;
}

sidle_status sidle_sweep_all(const Around *given, const sidle_cast *cast, HitList *hits)
{
    const Kernels *kernels = sidle_kernels_select(0);
    if (!kernels)
    {
        return SIDLE_ERROR_UNSUPPORTED;
    }
    Around around = *given;
    Frame frame = frame_of_shape(cast->origin, cast->rotation, &cast->shape); /* not turned along the path */
    around.frame = &frame;
    Lone lone = {
        .around = &around,
        .hits = hits,
        .ask = kernels->cast_one,
        .cast = *cast,
        .path = mat3_mul(frame.to_e, around.path),
        .known_instance = UINT32_MAX,
        .mesh = {.nodes = &lone.node, .packets = lone.packet.bytes, .node_count = 1},
        .pages = {lone.page},
        .snapshot = {.all_placed = lone.placed, .pages = lone.pages, .present_count = 1, .only = LONE_SLOT}};
    lone.cast.flags &= ~(uint32_t)SIDLE_CAST_ANY;
    lone.ask(around.snapshot, around.time, &lone.cast, &hits->first);
    if (hits->first.hit)
    {
        lone.cast.ignore = (sidle_instance){0, 0};
        sidle_around_visit(&around, PATH_MARGIN * vec3_max_component(frame.radii), take_alone, &lone);
    }
    return SIDLE_OK;
}
