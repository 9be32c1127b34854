/* The ellipsoid space of one agent: its centre at the origin, its axes, its radii as units, so that it is the
 * unit ball. Fauerby 2003, chapter 2; a rotation is added, and the centre moves to the origin in double
 * before anything is float: that is why the distance from the world's origin costs no precision.
 *
 * Displacements, lengths and angles that decide anything are world ones; only tests run in here. */
#ifndef NARROW_FRAME_H
#define NARROW_FRAME_H

#include "base/vector.h"

typedef struct Frame
{
    Vec3 center; /* world */
    Vec3 radii;
    Mat3 to_e; /* world displacement -> ellipsoid space: diag(1/r) rotation^T */
    Mat3 to_w; /* back: rotation diag(r) */
    Vec3 core; /* of a capsule: from the middle of its core to the positive end, ellipsoid space; else zero */
    bool is_capsule;
} Frame;

static inline void frame_give_core(Frame *frame, Vec3 core)
{
    frame->core = core;
    frame->is_capsule = !vec3_is_zero(core);
}

static inline Frame frame_make(Vec3 center, sidle_quat rotation, Vec3 radii)
{
    Mat3 axes = mat3_transpose(mat3_from_quat(rotation)); /* rows: the agent's axes in the world */
    Frame frame = {.center = center, .radii = radii};
    frame.to_e = (Mat3){{vec3_scale(axes.row[0], 1 / radii.x), vec3_scale(axes.row[1], 1 / radii.y),
                         vec3_scale(axes.row[2], 1 / radii.z)}};
    frame.to_w = mat3_transpose((Mat3){{vec3_scale(axes.row[0], radii.x), vec3_scale(axes.row[1], radii.y),
                                        vec3_scale(axes.row[2], radii.z)}});
    return frame;
}

/* Normals transform by the inverse transpose, unlike displacements. */
static inline Vec3 frame_normal_to_world(const Frame *frame, Vec3 normal_e)
{
    return vec3_normalize(mat3_mul_transposed(frame->to_e, normal_e));
}

/* Where the surface of the shape has the world normal -m, in ellipsoid space: what touches ground of normal
 * m. `radius`: of the ball that the shape is there, swollen or not. */
static inline Vec3 frame_support(const Frame *frame, Vec3 m, double radius)
{
    Vec3 n = vec3_normalize(mat3_mul_transposed(frame->to_w, m)), foot = vec3_scale(n, -radius);
    return frame->is_capsule ? vec3_add_scaled(foot, frame->core, vec3_dot(n, frame->core) < 0 ? 1 : -1)
                             : foot;
}

#endif
