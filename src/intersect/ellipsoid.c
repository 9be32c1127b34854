/* The normals and the space of an ellipsoid. After K. Fauerby, "Improved Collision Detection and Response",
 * 2003, sections 2.3 and appendix A; with a centre and an orientation.
 *
 * With S = R^-1 A^T (A: the axes as columns, R: the radii), a point p maps to S (p - c), a vector w to S w. A
 * plane's normal n has n . w = 0 for all vectors w in the plane. n_e . S w = 0 for the same vectors requires
 * n_e = S^-T n = R A^T n, and back n = A R^-1 n_e. */
#include "sidle/intersect/plane.h"

#include "intersect/direction.h"
#include "intersect/twofold.h"

static bool are_radii(Vec3 radii)
{
    return vec3_is_finite(radii) && radii.x > 0 && radii.y > 0 && radii.z > 0;
}

static bool answer_unit(Vec3 direction, sidle_dvec3 *out)
{
    Vec3 unit = direction_unit(direction);
    if (vec3_is_zero(unit))
    {
        return false;
    }
    if (out)
    {
        *out = position_from(unit);
    }
    return true;
}

bool sidle_ellipsoid_normal(sidle_dvec3 radii, sidle_dvec3 point, sidle_dvec3 *out)
{
    /* The gradient is p / r^2; times the least radius, so that no square leaves the range. */
    Vec3 r = vec3_from_position(radii), p = vec3_from_position(point);
    double least = vec3_min_component(r);
    Vec3 gradient = vec3_mul(vec3_div(p, r), vec3_div(vec3(least, least, least), r));
    return are_radii(r) && answer_unit(gradient, out);
}

/* ---- the space ---- */

/* Twice the product of two numbers of a quaternion and its square: entries of a rotation. */
static Mat3 axes_of(Vec3 imaginary, double w, double scale)
{
    Vec3 i = imaginary, s = vec3_scale(imaginary, scale);
    return (Mat3){{vec3(1 - (s.y * i.y + s.z * i.z), s.x * i.y + s.z * w, s.x * i.z - s.y * w),
                   vec3(s.x * i.y - s.z * w, 1 - (s.x * i.x + s.z * i.z), s.y * i.z + s.x * w),
                   vec3(s.x * i.z + s.y * w, s.y * i.z - s.x * w, 1 - (s.x * i.x + s.y * i.y))}};
}

bool sidle_ellipsoid_space_from(sidle_position center, sidle_dvec3 radii, const sidle_dquat *rotation,
                                sidle_ellipsoid_space *out)
{
    Vec3 r = vec3_from_position(radii), i = vec3(rotation->x, rotation->y, rotation->z);
    double w = rotation->w, square = vec3_length2(i) + w * w;
    if (!are_radii(r) || !vec3_is_finite(vec3_from_position(center)) || !isfinite(square))
    {
        return false;
    }
    if (out)
    {
        Mat3 axes = axes_of(i, w, square > 0 ? 2 / square : 0);
        *out = (sidle_ellipsoid_space){
            center,
            {position_from(axes.row[0]), position_from(axes.row[1]), position_from(axes.row[2])},
            radii};
    }
    return true;
}

static Mat3 axes_in(const sidle_ellipsoid_space *space)
{
    return (Mat3){{vec3_from_position(space->axes[0]), vec3_from_position(space->axes[1]),
                   vec3_from_position(space->axes[2])}};
}

static Vec3 turned_in(const sidle_ellipsoid_space *space, Vec3 v)
{
    return mat3_mul(axes_in(space), v);
}

static Vec3 turned_out(const sidle_ellipsoid_space *space, Vec3 v)
{
    return mat3_mul_transposed(axes_in(space), v);
}

static Vec3 radii_of(const sidle_ellipsoid_space *space)
{
    return vec3_from_position(space->radii);
}

sidle_dvec3 sidle_ellipsoid_space_vector_in(const sidle_ellipsoid_space *space, sidle_dvec3 vector)
{
    return position_from(vec3_div(turned_in(space, vec3_from_position(vector)), radii_of(space)));
}

sidle_dvec3 sidle_ellipsoid_space_vector_out(const sidle_ellipsoid_space *space, sidle_dvec3 vector)
{
    return position_from(turned_out(space, vec3_mul(vec3_from_position(vector), radii_of(space))));
}

sidle_position sidle_ellipsoid_space_point_in(const sidle_ellipsoid_space *space, sidle_position point)
{
    Vec3 from_center = vec3_sub(vec3_from_position(point), vec3_from_position(space->center));
    return sidle_ellipsoid_space_vector_in(space, position_from(from_center));
}

sidle_position sidle_ellipsoid_space_point_out(const sidle_ellipsoid_space *space, sidle_position point)
{
    Vec3 from_center = vec3_from_position(sidle_ellipsoid_space_vector_out(space, point));
    return position_from(vec3_add(from_center, vec3_from_position(space->center)));
}

/* Each part exact but for its last rounding: a part that is all but zero may be the one whose radius is
 * large. */
static Vec3 normal_in(const sidle_ellipsoid_space *space, Vec3 normal)
{
    Mat3 axes = axes_in(space);
    Vec3 turned = vec3(twofold_dot(axes.row[0], normal).high, twofold_dot(axes.row[1], normal).high,
                       twofold_dot(axes.row[2], normal).high);
    return vec3_mul(turned, radii_of(space));
}

static Vec3 normal_out(const sidle_ellipsoid_space *space, Vec3 normal)
{
    return turned_out(space, vec3_div(normal, radii_of(space)));
}

bool sidle_ellipsoid_space_normal_in(const sidle_ellipsoid_space *space, sidle_dvec3 normal, sidle_dvec3 *out)
{
    return answer_unit(normal_in(space, vec3_from_position(normal)), out);
}

bool sidle_ellipsoid_space_normal_out(const sidle_ellipsoid_space *space, sidle_dvec3 normal,
                                      sidle_dvec3 *out)
{
    return answer_unit(normal_out(space, vec3_from_position(normal)), out);
}

/* n . (c + S^-1 e) = offset, so n_e . e = offset - n . c, over the length by which n_e becomes unit. */
bool sidle_ellipsoid_space_plane_in(const sidle_ellipsoid_space *space, const sidle_plane *plane,
                                    sidle_plane *out)
{
    Vec3 normal = normal_in(space, vec3_from_position(plane->normal)), unit = direction_unit(normal);
    double offset = -sidle_plane_distance(plane, space->center) / vec3_length(normal);
    if (vec3_is_zero(unit) || !isfinite(offset))
    {
        return false;
    }
    if (out)
    {
        *out = (sidle_plane){position_from(unit), offset};
    }
    return true;
}

bool sidle_ellipsoid_space_plane_out(const sidle_ellipsoid_space *space, const sidle_plane *plane,
                                     sidle_plane *out)
{
    Vec3 normal = normal_out(space, vec3_from_position(plane->normal)), unit = direction_unit(normal);
    double from_center = plane->offset / vec3_length(normal);
    Exact center = twofold_dot(unit, vec3_from_position(space->center));
    double offset = twofold_add(center, exact_of(from_center)).high;
    if (vec3_is_zero(unit) || !isfinite(offset))
    {
        return false;
    }
    if (out)
    {
        *out = (sidle_plane){position_from(unit), offset};
    }
    return true;
}
