#include "intersect/support/line_printed.h"

bool printed_segments_cross(const double p[4], const double q[4], double *s, double *t)
{
    double ux = p[2] - p[0], uy = p[3] - p[1], vx = q[2] - q[0], vy = q[3] - q[1];
    double wx = p[0] - q[0], wy = p[1] - q[1], below = vy * ux - vx * uy;
    if (fabs(below) < 1e-6)
    {
        return false;
    }
    *s = (vx * wy - vy * wx) / below;
    *t = (ux * wy - uy * wx) / below;
    return *s >= 0 && *s <= 1 && *t >= 0 && *t <= 1;
}

static double clamped(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

double printed_segments_nearest(const Vector p[2], const Vector q[2], double epsilon, double *s, double *t)
{
    Vector u = vector_sub(p[1], p[0]), v = vector_sub(q[1], q[0]), r = vector_sub(p[0], q[0]);
    double a = vector_dot(u, u), e = vector_dot(v, v), f = vector_dot(v, r);
    *s = *t = 0;
    if (a <= epsilon && e <= epsilon)
    {
        return vector_dot(r, r);
    }
    if (a <= epsilon)
    {
        *t = clamped(f / e);
    }
    else if (e <= epsilon)
    {
        *s = clamped(-vector_dot(u, r) / a);
    }
    else
    {
        double b = vector_dot(u, v), c = vector_dot(u, r), below = a * e - b * b;
        *s = below != 0 ? clamped((b * f - c * e) / below) : 0;
        *t = (b * *s + f) / e;
        if (*t < 0)
        {
            *t = 0;
            *s = clamped(-c / a);
        }
        else if (*t > 1)
        {
            *t = 1;
            *s = clamped((b - c) / a);
        }
    }
    Vector apart = vector_sub(vector_along(p[0], *s, u), vector_along(q[0], *t, v));
    return vector_dot(apart, apart);
}
