/* The ellipsoid space of one agent. Its origin is the agent's centre, its axes are the shape's and its units the radii,
 * so that the shape is the unit ball. Fauerby 2003, chapter 2, with a rotation added. The centre is subtracted in
 * double before anything is float, so that the distance from the world's origin costs no precision.
 *
 * Only tests run in this space. Decisions on displacements, lengths and angles are made in the world. */
#ifndef NARROW_FRAME_H
#define NARROW_FRAME_H

#include "base/inlining.h"
#include "base/vector.h"

typedef struct Frame
{
    Vec3 center; /* world */
    Vec3 radii;
    Vec3 inverse; /* 1 / radii */
    Mat3 to_e;    /* world displacement -> ellipsoid space: diag(1/r) rotation^T */
    Mat3 to_w;    /* back: rotation diag(r) */
    Vec3 core; /* of a capsule: from the middle of its core to the positive end, ellipsoid space; else zero */
    Vec3 extent;      /* half extents of the unit ball in the world */
    Vec3 core_extent; /* half extents of the core in the world */
    bool is_capsule;
    bool is_upright; /* the shape is not rotated: both matrices are diagonal */
    /* 1 + the index of the profile whose upright frame this is; 0 if it is rotated, or of a cast. */
    uint32_t profile;
} Frame;

static inline void frame_give_core(Frame *frame, Vec3 core)
{
    frame->core = core;
    frame->core_extent = vec3_abs(mat3_mul(frame->to_w, core));
    frame->is_capsule = !vec3_is_zero(core);
}

/* Returns true for zero and for the identity, the rotation of most agents. */
static inline bool quat_is_identity(sidle_quat q)
{
    return q.x == 0 && q.y == 0 && q.z == 0 && (q.w == 0 || q.w == 1);
}

FORCE_INLINE Frame frame_make(Vec3 center, sidle_quat rotation, Vec3 radii)
{
    Mat3 axes = mat3_transpose(mat3_from_quat(rotation)); /* rows: the agent's axes in the world */
    Frame frame = {.center = center, .radii = radii, .inverse = vec3_div(vec3(1, 1, 1), radii)};
    frame.to_e = (Mat3){{vec3_scale(axes.row[0], frame.inverse.x), vec3_scale(axes.row[1], frame.inverse.y),
                         vec3_scale(axes.row[2], frame.inverse.z)}};
    frame.to_w = mat3_transpose((Mat3){{vec3_scale(axes.row[0], radii.x), vec3_scale(axes.row[1], radii.y),
                                        vec3_scale(axes.row[2], radii.z)}});
    frame.extent = mat3_row_lengths(frame.to_w);
    frame.is_upright = quat_is_identity(rotation);
    return frame;
}

/* Transform displacements. */
FORCE_INLINE Vec3 frame_to_world(const Frame *frame, Vec3 v)
{
    return frame->is_upright ? vec3_mul(frame->radii, v) : mat3_mul(frame->to_w, v);
}

FORCE_INLINE Vec3 frame_to_ellipsoid(const Frame *frame, Vec3 v)
{
    return frame->is_upright ? vec3_mul(frame->inverse, v) : mat3_mul(frame->to_e, v);
}

/* Transforms a normal, by the inverse transpose. */
FORCE_INLINE Vec3 frame_normal_to_world(const Frame *frame, Vec3 normal_e)
{
    return vec3_normalize(frame->is_upright ? vec3_mul(frame->inverse, normal_e)
                                            : mat3_mul_transposed(frame->to_e, normal_e));
}

/* The point of the shape's surface, in ellipsoid space, that touches ground with the world normal m. `radius`: of the
 * ball in ellipsoid space. */
FORCE_INLINE Vec3 frame_support(const Frame *frame, Vec3 m, double radius)
{
    Vec3 turned = frame->is_upright ? vec3_mul(frame->radii, m) : mat3_mul_transposed(frame->to_w, m);
    Vec3 n = vec3_normalize(turned), foot = vec3_scale(n, -radius);
    return frame->is_capsule ? vec3_add_scaled(foot, frame->core, vec3_dot(n, frame->core) < 0 ? 1 : -1)
                             : foot;
}

#endif
