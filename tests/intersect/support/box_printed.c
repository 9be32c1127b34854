#include "intersect/support/box.h"

#include <string.h>

static bool is_inside(const sidle_box *box, double x, double y, double z)
{
    return x >= box->min.x && x <= box->max.x && y >= box->min.y && y <= box->max.y && z >= box->min.z &&
           z <= box->max.z;
}

static bool has_corner_in(const sidle_box *a, const sidle_box *b)
{
    for (int i = 0; i < 8; ++i)
    {
        if (is_inside(b, i & 1 ? a->max.x : a->min.x, i & 2 ? a->max.y : a->min.y,
                      i & 4 ? a->max.z : a->min.z))
        {
            return true;
        }
    }
    return false;
}

bool printed_boxes_meet(const sidle_box *a, const sidle_box *b)
{
    return has_corner_in(a, b) || has_corner_in(b, a);
}

static double at(Vector v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

bool printed_oriented_boxes_meet(const sidle_oriented_box *a, const sidle_oriented_box *b, double epsilon)
{
    Vector axes_a[3], axes_b[3], half_a, half_b, offset;
    double r[3][3], f[3][3], t[3];
    memcpy(axes_a, a->axes, sizeof axes_a);
    memcpy(axes_b, b->axes, sizeof axes_b);
    memcpy(&half_a, &a->half, sizeof half_a);
    memcpy(&half_b, &b->half, sizeof half_b);
    offset = vector(b->center.x - a->center.x, b->center.y - a->center.y, b->center.z - a->center.z);
    bool meet = true;
    for (int i = 0; i < 3; ++i)
    {
        t[i] = vector_dot(offset, axes_a[i]);
        for (int j = 0; j < 3; ++j)
        {
            r[i][j] = vector_dot(axes_a[i], axes_b[j]);
            f[i][j] = fabs(r[i][j]) + epsilon;
        }
    }
    for (int i = 0; i < 3; ++i)
    {
        double of_b = half_b.x * f[i][0] + half_b.y * f[i][1] + half_b.z * f[i][2];
        double of_a = half_a.x * f[0][i] + half_a.y * f[1][i] + half_a.z * f[2][i];
        meet = meet && fabs(t[i]) <= at(half_a, i) + of_b;
        meet = meet && fabs(vector_dot(offset, axes_b[i])) <= at(half_b, i) + of_a;
        for (int j = 0; j < 3; ++j)
        {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double reach = at(half_a, i1) * f[i2][j] + at(half_a, i2) * f[i1][j] + at(half_b, j1) * f[i][j2] +
                           at(half_b, j2) * f[i][j1];
            meet = meet && fabs(t[i2] * r[i1][j] - t[i1] * r[i2][j]) <= reach;
        }
    }
    return meet;
}
