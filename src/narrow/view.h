/* One instance as an agent or a cast sees it: how its stored space becomes ellipsoid space. */
#ifndef NARROW_VIEW_H
#define NARROW_VIEW_H

#include "kernels/kernels.h"
#include "narrow/frame.h"
#include "world/snapshot.h"

typedef struct View
{
    Vec3 center;  /* of the frame, in stored space */
    Mat3 inverse; /* world displacement -> stored space */
    Mat3 to_e;    /* stored displacement -> ellipsoid space */
} View;

static inline View view_of(const Placed *given, const Frame *frame, double time)
{
    Placed between;
    const Placed *placed = placed_at(given, time, &between);
    Vec3 local = mat3_mul(placed->inverse, vec3_sub(frame->center, placed->position));
    return (View){vec3_sub(local, placed->mesh->origin), placed->inverse,
                  mat3_product(frame->to_e, placed->linear)};
}

static inline bool placed_is_mirrored(const Placed *placed)
{
    return placed->scale.x * placed->scale.y * placed->scale.z < 0;
}

/* How much larger than u |e| a corner may err that float brings into ellipsoid space: the largest row sum of
 * |M| |M^-1| (R. Skeel, "Scaling for numerical stability in Gaussian elimination", 1979). 1 where
 * the axes of both agree, at most 3 for balls, up to the aspect for a flat ellipsoid that is turned against
 * the instance's. */
static inline double view_condition(const View *view, const Mat3 *inverse)
{
    double worst = 0;
    Vec3 sums = vec3(vec3_dot(vec3_abs(inverse->row[0]), vec3(1, 1, 1)),
                     vec3_dot(vec3_abs(inverse->row[1]), vec3(1, 1, 1)),
                     vec3_dot(vec3_abs(inverse->row[2]), vec3(1, 1, 1)));
    for (int row = 0; row < 3; ++row)
    {
        worst = larger(worst, vec3_dot(vec3_abs(view->to_e.row[row]), sums));
    }
    return worst;
}

/* The centre of a shape in stored space, for floats. */
static inline void view_split_center(Vec3 given, PackTransform *t)
{
    const double center[3] = {given.x, given.y, given.z};
    for (int axis = 0; axis < 3; ++axis)
    {
        /* volatile: gcc 12's vectoriser takes (double)(float)x for x and leaves nothing of the rest. */
        volatile float leading = (float)center[axis];
        t->high[axis] = leading;
        t->low[axis] = (float)(center[axis] - (double)leading);
    }
}

static inline PackTransform view_transform(const View *view, const Placed *placed, uint32_t slot)
{
    PackTransform t = {.key = placed->key, .instance = slot};
    const Vec3 *rows = view->to_e.row;
    for (int row = 0; row < 3; ++row)
    {
        t.matrix[3 * row] = (float)rows[row].x;
        t.matrix[3 * row + 1] = (float)rows[row].y;
        t.matrix[3 * row + 2] = (float)rows[row].z;
    }
    view_split_center(view->center, &t);
    t.mirrored = placed_is_mirrored(placed);
    return t;
}

/* The corners of a packet's triangle in double, from the stored vertices, in the order of the (unmirrored)
 * front. */
static inline void view_packet_corners(const View *view, const Placed *placed, const LeafPacket *packet,
                                       uint32_t local, Vec3 corners[3])
{
    bool mirrored = placed_is_mirrored(placed);
    for (uint32_t corner = 0; corner < 3; ++corner)
    {
        uint32_t v = packet->index[local][mirrored && corner > 0 ? 3 - corner : corner];
        const float *x = packet->vertices + v;
        Vec3 stored = vec3((double)x[0], (double)x[packet->stride], (double)x[2 * packet->stride]);
        corners[corner] = mat3_mul(view->to_e, vec3_sub(stored, view->center));
    }
}

/* Of a piece of a cap those of the whole, to which double does justice and which has no rounded foot. */
static inline void view_corners(const View *view, const Placed *placed, const Candidate *candidate,
                                Vec3 corners[3])
{
    const LeafPacket *packet = candidate->packet;
    uint32_t local = candidate->local;
    packet_make_whole(&packet, &local);
    view_packet_corners(view, placed, packet, local, corners);
}

#endif
