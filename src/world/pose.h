/* Poses of instances: what is refused, and what zero means. */
#ifndef WORLD_POSE_H
#define WORLD_POSE_H

#include "mesh/mesh.h"

/* Refuses numbers that are not finite, scales beyond their limits, and places from which the mesh reaches beyond
 * SIDLE_MAX_COORDINATE. `name`: of the pose in the sentence. */
sidle_status sidle_pose_check(const sidle_pose *pose, const sidle_mesh *mesh, const char *name,
                              sidle_error *error);

/* The zero vector means 1. A scale with some zero components has no inverse and is refused. */
Vec3 sidle_pose_scale(const sidle_pose *pose);

/* Normalises a quaternion, so that interpolation weighs both ends alike. Zero means the identity. A unit quaternion
 * keeps its bits, so that an instance at rest can be placed at its own pose again. */
sidle_quat sidle_pose_unit(sidle_quat rotation);

/* Position and rotation are equal. */
bool sidle_pose_same_place(const sidle_pose *a, const sidle_pose *b);

/* And the scale as given. */
bool sidle_pose_equal(const sidle_pose *a, const sidle_pose *b);

#endif
