/* Vectors in double for tests: oracles and scenes must not share arithmetic with the library they check. */
#ifndef TESTS_SUPPORT_VECTOR_H
#define TESTS_SUPPORT_VECTOR_H

#include <math.h>

typedef struct Vector
{
    double x, y, z;
} Vector;

typedef struct Rotation
{
    Vector rows[3];
} Rotation;

/* The larger of two errors; NaN is the worst of all and stays. (fmax would drop it.) */
static inline double worse(double a, double b)
{
    return a >= b ? a : b >= a ? b : NAN;
}

static inline Vector vector(double x, double y, double z)
{
    return (Vector){x, y, z};
}

static inline Vector vector_add(Vector a, Vector b)
{
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline Vector vector_sub(Vector a, Vector b)
{
    return vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline Vector vector_scale(Vector a, double factor)
{
    return vector(a.x * factor, a.y * factor, a.z * factor);
}

static inline Vector vector_times(Vector a, Vector b)
{
    return vector(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline Vector vector_over(Vector a, Vector b)
{
    return vector(a.x / b.x, a.y / b.y, a.z / b.z);
}

static inline double vector_dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vector vector_cross(Vector a, Vector b)
{
    return vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vector_length(Vector a)
{
    return sqrt(vector_dot(a, a));
}

static inline double vector_distance(Vector a, Vector b)
{
    return vector_length(vector_sub(a, b));
}

/* The zero vector stays zero, so that a scene with no direction does not turn into NaN. */
static inline Vector vector_unit(Vector a)
{
    double length = vector_length(a);
    return length > 0.0 ? vector_scale(a, 1.0 / length) : a;
}

/* a + t b: a point along a path. */
static inline Vector vector_along(Vector a, double t, Vector b)
{
    return vector_add(a, vector_scale(b, t));
}

static inline Vector vector_rotated(const Rotation *rotation, Vector a)
{
    return vector(vector_dot(rotation->rows[0], a), vector_dot(rotation->rows[1], a),
                  vector_dot(rotation->rows[2], a));
}

/* Volatile, because gcc 12 drops the conversion to float and back where it packs two of them into one vector. */
static inline double as_float(double a)
{
    volatile float rounded = (float)a;
    return (double)rounded;
}

/* Each coordinate to the nearest float: what a mesh of floats can hold. */
static inline Vector vector_as_float(Vector a)
{
    return vector(as_float(a.x), as_float(a.y), as_float(a.z));
}

static inline int vector_is_finite(Vector a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline int vector_same_bits(Vector a, Vector b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && signbit(a.x) == signbit(b.x) &&
           signbit(a.y) == signbit(b.y) && signbit(a.z) == signbit(b.z);
}

static inline double radians(double degrees)
{
    return degrees * 0.017453292519943295;
}

#endif
