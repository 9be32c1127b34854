#include "world/pose.h"

#include "base/status.h"

Vec3 sidle_pose_scale(const sidle_pose *pose)
{
    Vec3 scale = vec3_from(pose->scale);
    return vec3_is_zero(scale) ? vec3(1, 1, 1) : scale;
}

#define MIN_SCALE ((double)1e-6f)
#define MAX_SCALE 1e6

static sidle_status check_finite(const sidle_pose *pose, const char *name, sidle_error *error)
{
    static const char *const fields[10] = {"position.x", "position.y", "position.z", "rotation.x",
                                           "rotation.y", "rotation.z", "rotation.w", "scale.x",
                                           "scale.y",    "scale.z"};
    const sidle_position *p = &pose->position;
    const sidle_quat *q = &pose->rotation;
    Vec3 s = vec3_from(pose->scale);
    const double values[10] = {p->x,         p->y,         p->z, (double)q->x, (double)q->y,
                               (double)q->z, (double)q->w, s.x,  s.y,          s.z};
    for (int i = 0; i < 10; ++i)
    {
        if (!isfinite(values[i]))
        {
            return sidle_status_fail(error, SIDLE_ERROR_NOT_FINITE, 0, "%s: %s is %g, but must be finite",
                                     name, fields[i], values[i]);
        }
    }
    return SIDLE_OK;
}

static sidle_status check_scale(Vec3 scale, const char *name, sidle_error *error)
{
    const double values[3] = {scale.x, scale.y, scale.z};
    for (int i = 0; i < 3; ++i)
    {
        if (fabs(values[i]) < MIN_SCALE || fabs(values[i]) > MAX_SCALE)
        {
            return sidle_status_fail(
                error, SIDLE_ERROR_LIMIT, 0,
                "%s: scale.%c is %g, but must be from %g to %g, or the negative; or all three 0", name,
                'x' + i, values[i], MIN_SCALE, MAX_SCALE);
        }
    }
    return SIDLE_OK;
}

sidle_status sidle_pose_check(const sidle_pose *pose, const sidle_mesh *mesh, const char *name,
                              sidle_error *error)
{
    Vec3 scale = sidle_pose_scale(pose);
    sidle_status status = check_finite(pose, name, error);
    status = status == SIDLE_OK ? check_scale(scale, name, error) : status;
    if (status != SIDLE_OK)
    {
        return status;
    }
    Vec3 low = vec3_abs(vec3_add(mesh->origin, bounds_low(&mesh->bounds)));
    Vec3 high = vec3_abs(vec3_add(mesh->origin, bounds_high(&mesh->bounds)));
    double reach = mesh->node_count > 0 ? vec3_max_component(vec3_larger(low, high)) : 0;
    Vec3 p = vec3_abs(vec3_from_position(pose->position));
    /* The farthest corner of a turned box is less than twice its largest coordinate away. */
    double extent = 2 * reach * vec3_max_component(vec3_abs(scale));
    if (vec3_max_component(p) + extent > SIDLE_MAX_COORDINATE)
    {
        return sidle_status_fail(
            error, SIDLE_ERROR_LIMIT, 0,
            "%s: the largest |coordinate| of position is %.9g and the mesh reaches up to %g from "
            "there, but the sum must be at most %g",
            name, vec3_max_component(p), extent, SIDLE_MAX_COORDINATE);
    }
    return SIDLE_OK;
}

/* Error of the squared length of a unit quaternion of floats: each component errs by half a unit in the last place. */
#define UNIT_ERROR 0x1p-22

sidle_quat sidle_pose_unit(sidle_quat q)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double length = sqrt(x * x + y * y + z * z + w * w);
    if (fabs(length * length - 1) <= UNIT_ERROR)
    {
        return q;
    }
    return length > 0 ? (sidle_quat){(float)(x / length), (float)(y / length), (float)(z / length),
                                     (float)(w / length)}
                      : (sidle_quat){0, 0, 0, 1};
}

bool sidle_pose_same_place(const sidle_pose *a, const sidle_pose *b)
{
    const sidle_position *p = &a->position, *q = &b->position;
    const sidle_quat *r = &a->rotation, *s = &b->rotation;
    return p->x == q->x && p->y == q->y && p->z == q->z && r->x == s->x && r->y == s->y && r->z == s->z &&
           r->w == s->w;
}

bool sidle_pose_equal(const sidle_pose *a, const sidle_pose *b)
{
    return sidle_pose_same_place(a, b) && vec3_equal(vec3_from(a->scale), vec3_from(b->scale));
}
