#include "mesh/caps.h"

#include <string.h>

static Vec3 corner_of(const float v[3])
{
    return vec3((double)v[0], (double)v[1], (double)v[2]);
}

/* The foot, and how far its rounding takes it off, squared. */
static double place_foot(Vec3 begin, Vec3 edge, double t, CapCut *cut)
{
    const double from[3] = {begin.x, begin.y, begin.z}, along[3] = {edge.x, edge.y, edge.z};
    double off2 = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        cut->exact[axis] = from[axis] + t * along[axis];
        cut->foot[axis] = (float)cut->exact[axis];
        double off = (double)cut->foot[axis] - cut->exact[axis];
        off2 += off * off;
    }
    return off2;
}

bool cap_cut(const StoredTriangle *whole, CapCut *cut)
{
    Vec3 corner[3], edge[3];
    double edge2[3];
    for (int i = 0; i < 3; ++i)
    {
        corner[i] = corner_of(whole->v[i]);
    }
    uint32_t longest = 0;
    for (uint32_t i = 0; i < 3; ++i)
    {
        edge[i] = vec3_sub(corner[(i + 1) % 3], corner[i]);
        edge2[i] = vec3_length2(edge[i]);
        longest = edge2[i] > edge2[longest] ? i : longest;
    }
    uint32_t next = (longest + 1) % 3, apex = (longest + 2) % 3; /* edge `apex` leads from the apex */
    double area2 = vec3_length2(vec3_cross(edge[next], edge[apex]));
    if (!(area2 > 0) || !(area2 < CAP_KAPPA * CAP_KAPPA * (edge2[next] * edge2[apex])))
    {
        return false;
    }
    double t = vec3_dot(vec3_sub(corner[apex], corner[longest]), edge[longest]) / edge2[longest];
    double off2 = place_foot(corner[longest], edge[longest], t, cut);
    cut->begin = longest;
    return off2 * edge2[longest] <= CAP_FOOT_OFF * CAP_FOOT_OFF * area2;
}

StoredTriangle cap_piece(const StoredTriangle *whole, const CapCut *cut, enum CapPart part)
{
    const float *begin = whole->v[cut->begin], *end = whole->v[(cut->begin + 1) % 3];
    const float *apex = whole->v[(cut->begin + 2) % 3];
    StoredTriangle piece;
    memcpy(piece.v[0], apex, sizeof piece.v[0]);
    memcpy(piece.v[1], part == CAP_FIRST ? begin : cut->foot, sizeof piece.v[1]);
    memcpy(piece.v[2], part == CAP_FIRST ? cut->foot : end, sizeof piece.v[2]);
    return piece;
}

static Bounds bounds_of(const StoredTriangle *triangle)
{
    Bounds bounds = bounds_empty();
    for (int i = 0; i < 3; ++i)
    {
        bounds_add_point(&bounds, triangle->v[i]);
    }
    return bounds;
}

Bounds cap_piece_bounds(const StoredTriangle *whole, const CapCut *cut, enum CapPart part)
{
    StoredTriangle piece = cap_piece(whole, cut, part);
    Bounds bounds = bounds_of(&piece), most = bounds_of(whole), exact;
    for (int axis = 0; axis < 3; ++axis) /* no farther out than the whole */
    {
        float low = round_down(cut->exact[axis]), high = round_up(cut->exact[axis]);
        exact.min[axis] = low < most.min[axis] ? most.min[axis] : low;
        exact.max[axis] = high > most.max[axis] ? most.max[axis] : high;
    }
    bounds_add(&bounds, &exact);
    return bounds;
}
