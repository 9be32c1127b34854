/* Small vectors and matrices in double, as in all of the response. Only meshes and kernels use float. */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include "sidle/base.h"

#include <math.h>
#include <stdbool.h>

/* Unlike fmax and fmin, these define the result for 0 and -0 on every machine. They return b if a and b are equal, and
 * for NaN. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

typedef struct Vec3
{
    double x, y, z;
} Vec3;

typedef struct Mat3
{
    Vec3 row[3];
} Mat3;

static inline Vec3 vec3(double x, double y, double z)
{
    return (Vec3){x, y, z};
}

/* The same vector. As an argument of a function out of line it keeps the compiler from writing `v` itself to memory, where few
 * calls need it. */
static inline Vec3 vec3_copy(Vec3 v)
{
    return vec3(v.x, v.y, v.z);
}

static inline Vec3 vec3_from(sidle_vec3 v)
{
    return vec3((double)v.x, (double)v.y, (double)v.z);
}

static inline Vec3 vec3_from_position(sidle_position p)
{
    return vec3(p.x, p.y, p.z);
}

static inline sidle_vec3 vec3_to_float(Vec3 v)
{
    return (sidle_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static inline Vec3 vec3_add(Vec3 a, Vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline Vec3 vec3_scale(Vec3 a, double s)
{
    return vec3(a.x * s, a.y * s, a.z * s);
}

static inline Vec3 vec3_mul(Vec3 a, Vec3 b)
{
    return vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline Vec3 vec3_div(Vec3 a, Vec3 b)
{
    return vec3(a.x / b.x, a.y / b.y, a.z / b.z);
}

static inline Vec3 vec3_abs(Vec3 a)
{
    return vec3(fabs(a.x), fabs(a.y), fabs(a.z));
}

/* a + s b */
static inline Vec3 vec3_add_scaled(Vec3 a, Vec3 b, double s)
{
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double vec3_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Without its part along a unit vector. */
static inline Vec3 vec3_without(Vec3 v, Vec3 unit)
{
    return vec3_add_scaled(v, unit, -vec3_dot(v, unit));
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec3_length2(Vec3 a)
{
    return vec3_dot(a, a);
}

static inline double vec3_length(Vec3 a)
{
    return sqrt(vec3_dot(a, a));
}

static inline double vec3_min_component(Vec3 a)
{
    double m = a.x < a.y ? a.x : a.y;
    return m < a.z ? m : a.z;
}

static inline double vec3_max_component(Vec3 a)
{
    double m = a.x > a.y ? a.x : a.y;
    return m > a.z ? m : a.z;
}

static inline Vec3 vec3_lesser(Vec3 a, Vec3 b)
{
    return vec3(lesser(a.x, b.x), lesser(a.y, b.y), lesser(a.z, b.z));
}

static inline Vec3 vec3_larger(Vec3 a, Vec3 b)
{
    return vec3(larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z));
}

/* The unit vector, or zero for a vector of length zero. */
static inline Vec3 vec3_normalize(Vec3 a)
{
    double length = vec3_length(a);
    return length > 0 ? vec3_scale(a, 1 / length) : vec3(0, 0, 0);
}

/* A unit vector perpendicular to a. */
static inline Vec3 vec3_across(Vec3 a)
{
    Vec3 size = vec3_abs(a);
    return vec3_normalize(vec3_cross(a, size.x <= size.y && size.x <= size.z ? vec3(1, 0, 0)
                                        : size.y <= size.z                   ? vec3(0, 1, 0)
                                                                             : vec3(0, 0, 1)));
}

static inline bool vec3_is_finite(Vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline bool vec3_equal(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static inline bool vec3_is_zero(Vec3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

static inline Vec3 mat3_mul(Mat3 m, Vec3 v)
{
    return vec3(vec3_dot(m.row[0], v), vec3_dot(m.row[1], v), vec3_dot(m.row[2], v));
}

/* The transpose times v: the inverse, if m is a rotation. */
static inline Vec3 mat3_mul_transposed(Mat3 m, Vec3 v)
{
    return vec3_add_scaled(vec3_add_scaled(vec3_scale(m.row[0], v.x), m.row[1], v.y), m.row[2], v.z);
}

/* The length of each row. */
static inline Vec3 mat3_row_lengths(Mat3 m)
{
    return vec3(vec3_length(m.row[0]), vec3_length(m.row[1]), vec3_length(m.row[2]));
}

/* |m| v: half extents of a box after m. */
static inline Vec3 mat3_mul_abs(Mat3 m, Vec3 v)
{
    return vec3(vec3_dot(vec3_abs(m.row[0]), v), vec3_dot(vec3_abs(m.row[1]), v),
                vec3_dot(vec3_abs(m.row[2]), v));
}

static inline Mat3 mat3_transpose(Mat3 m)
{
    return (Mat3){{vec3(m.row[0].x, m.row[1].x, m.row[2].x), vec3(m.row[0].y, m.row[1].y, m.row[2].y),
                   vec3(m.row[0].z, m.row[1].z, m.row[2].z)}};
}

static inline Mat3 mat3_product(Mat3 a, Mat3 b)
{
    Mat3 t = mat3_transpose(b);
    return (Mat3){{mat3_mul(t, a.row[0]), mat3_mul(t, a.row[1]), mat3_mul(t, a.row[2])}};
}

/* The rotation of a quaternion that need not be unit; zero means the identity. */
static inline Mat3 mat3_from_quat(sidle_quat quat)
{
    double x = (double)quat.x, y = (double)quat.y, z = (double)quat.z, w = (double)quat.w;
    double n = x * x + y * y + z * z + w * w;
    double s = n > 0 ? 2 / n : 0;
    return (Mat3){{vec3(1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
                   vec3(s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
                   vec3(s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y))}};
}

#endif
