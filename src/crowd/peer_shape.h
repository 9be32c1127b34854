/* A shape as other agents see it. Agents that stand upright in the crowd's up share that of their profile. */
#ifndef CROWD_PEER_SHAPE_H
#define CROWD_PEER_SHAPE_H

#include "narrow/frame.h"

typedef struct PeerShape
{
    Vec3 up;
    Vec3 square, cross; /* Q diag(r^2) Q^T: the diagonal, and yz, xz, xy */
    Vec3 inverse;       /* of the diagonal */
    Vec3 core;          /* of a capsule: from the middle of its core to an end; else zero */
    double disc;        /* root mean square of the half axes of the section across up */
    double height;      /* half of the shape's box along up */
    double least;       /* radius */
    double comfort;     /* length */
    uint32_t profile;
    bool is_diagonal;
} PeerShape;

/* What steering sees. */
static inline void peer_shape_set_disc(PeerShape *shape)
{
    Vec3 u = shape->up, cross = shape->cross, square = shape->square, core = shape->core;
    double along2 = vec3_dot(vec3_mul(u, u), square) +
                    2 * (u.y * u.z * cross.x + u.x * u.z * cross.y + u.x * u.y * cross.z);
    double all2 = square.x + square.y + square.z, core_along = vec3_dot(core, u);
    shape->disc = sqrt(larger(all2 - along2, 0) / 2) + vec3_length(vec3_add_scaled(core, u, -core_along));
    shape->height = sqrt(larger(along2, 0)) + fabs(core_along);
}

static inline PeerShape peer_shape_of(const Frame *frame, Vec3 up)
{
    Mat3 w = frame->to_w;
    PeerShape shape = {.up = up};
    shape.square = vec3(vec3_length2(w.row[0]), vec3_length2(w.row[1]), vec3_length2(w.row[2]));
    if (!frame->is_upright)
    {
        shape.cross =
            vec3(vec3_dot(w.row[1], w.row[2]), vec3_dot(w.row[0], w.row[2]), vec3_dot(w.row[0], w.row[1]));
    }
    shape.is_diagonal = vec3_is_zero(shape.cross);
    shape.inverse = vec3_div(vec3(1, 1, 1), shape.square);
    shape.core = mat3_mul(frame->to_w, frame->core);
    peer_shape_set_disc(&shape);
    return shape;
}

#endif
