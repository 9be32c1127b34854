/* The ray under a pointer. What is common in print (and in gluUnProject) is to divide whatever w comes out: a
 * point behind the eye then gives a ray in the opposite direction, and a singular matrix gives noise. Here
 * such input has no ray. Sums of products are good to the last bit, so that far from the origin only the
 * points' own rounding is left. */
#include "intersect/path.h"

/* A plain 4x4 determinant by pairs of rows has 2 roundings a minor, 2 a product and 5 in their sum: 9, twice
 * over for the sizes themselves. */
#define EXACT_FILTER_4 (20 * EXACT_UNIT)

bool sidle_ray_from_points(const sidle_position *near_point, const sidle_position *far_point, sidle_ray *out)
{
    const sidle_segment segment = {*near_point, *far_point};
    Path path;
    if (!path_of_segment(&segment, &path) || vec3_is_zero(path.direction))
    {
        return false;
    }
    if (nothing_of_vec3(path.direction) != 0) /* so far apart that there is no number for it */
    {
        return false;
    }
    if (out)
    {
        *out = (sidle_ray){position_of(path.origin), position_of(path.direction)};
    }
    return true;
}

/* The two rows' minor of columns a and b. */
static double plain_minor(const double *m, int row, int a, int b)
{
    return m[4 * a + row] * m[4 * b + row + 1] - m[4 * b + row] * m[4 * a + row + 1];
}

static double minor_size(const double *m, int row, int a, int b)
{
    return fabs(m[4 * a + row] * m[4 * b + row + 1]) + fabs(m[4 * b + row] * m[4 * a + row + 1]);
}

/* Adds sign times the minor of rows 0 and 1, columns a and b, times that of rows 2 and 3, columns c and d. */
static void add_minors(ExactSum *sum, const double *m, double sign, const int columns[4])
{
    Exact parts[2][2];
    for (int row = 0; row < 2; ++row)
    {
        const double *p = m + 4 * columns[2 * row] + 2 * row, *q = m + 4 * columns[2 * row + 1] + 2 * row;
        parts[row][0] = exact_product(p[0], q[1]);
        parts[row][1] = exact_negative(exact_product(q[0], p[1]));
    }
    for (int i = 0; i < 4; ++i)
    {
        exact_add_terms(sum, sign, parts[0][i & 1], parts[1][i >> 1]);
    }
}

/* Laplace's expansion by the upper two rows and the lower two. */
static bool is_singular(const double m[16])
{
    static const int columns[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                      {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    static const double signs[6] = {1, -1, 1, 1, -1, 1};
    double plain = 0, size = 0;
    for (int i = 0; i < 6; ++i)
    {
        const int *c = columns[i];
        plain += signs[i] * (plain_minor(m, 0, c[0], c[1]) * plain_minor(m, 2, c[2], c[3]));
        size += minor_size(m, 0, c[0], c[1]) * minor_size(m, 2, c[2], c[3]);
    }
    if (fabs(plain) > EXACT_FILTER_4 * size)
    {
        return false;
    }
    ExactSum sum;
    exact_begin(&sum);
    for (int i = 0; i < 6; ++i)
    {
        add_minors(&sum, m, signs[i], columns[i]);
    }
    return exact_value(&sum) == 0;
}

/* The point of the world at one depth; false where it is at or behind infinity. */
static bool point_at_depth(const double inverse[16], double x, double y, double z, Vec3 *out)
{
    const double device[4] = {x, y, z, 1};
    double at[4];
    for (int row = 0; row < 4; ++row)
    {
        const double across[4] = {inverse[row], inverse[4 + row], inverse[8 + row], inverse[12 + row]};
        at[row] = exact_dot(across, device, 4);
    }
    *out = vec3(at[0] / at[3], at[1] / at[3], at[2] / at[3]);
    return at[3] > 0;
}

bool sidle_ray_from_matrix(const double inverse[16], double x, double y, double near_z, double far_z,
                           sidle_ray *out)
{
    double nothing = nothing_of(x) + nothing_of(y) + nothing_of(near_z) + nothing_of(far_z);
    for (int i = 0; i < 16; ++i)
    {
        nothing += nothing_of(inverse[i]);
    }
    Vec3 near_point, far_point;
    if (nothing != 0 || is_singular(inverse) || !point_at_depth(inverse, x, y, near_z, &near_point) ||
        !point_at_depth(inverse, x, y, far_z, &far_point))
    {
        return false;
    }
    sidle_position begin = position_of(near_point), end = position_of(far_point);
    return sidle_ray_from_points(&begin, &end, out);
}
