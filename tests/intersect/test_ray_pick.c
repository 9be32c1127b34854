/* The ray under a pointer: named cases and MPFR. SIDLE_QUERIES says how many. */
#include "sidle/intersect/ray.h"

#include "intersect/support/number.h"
#include "support/queries.h"
#include "support/random.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

#define UNIT 0x1p-53

static bool is_at(sidle_position a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

Test(intersect_ray_pick, a_picking_ray_runs_from_the_near_point_to_the_far_one)
{
    sidle_position near_point = {1, 2, 3}, far_point = {1, 2, -7};
    sidle_ray ray;
    cr_expect(sidle_ray_from_points(&near_point, &far_point, &ray));
    cr_expect(is_at(ray.origin, 1, 2, 3) && is_at(ray.direction, 0, 0, -10));
    cr_expect_not(sidle_ray_from_points(&near_point, &near_point, &ray));
    far_point.x = NAN;
    cr_expect_not(sidle_ray_from_points(&near_point, &far_point, NULL));
}

/* The inverse of a perspective projection as OpenGL has it: near 1, far 3, 90 degrees, looking along -z from
 * e. */
static void perspective(double m[16], double ex, double ey, double ez)
{
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = 1;
    m[14] = -1;
    m[11] = -1. / 3; /* w = (4 - 2 z) / 6 */
    m[15] = 2. / 3;
    for (int column = 0; column < 4; ++column) /* then to the eye */
    {
        m[4 * column] += ex * m[4 * column + 3];
        m[4 * column + 1] += ey * m[4 * column + 3];
        m[4 * column + 2] += ez * m[4 * column + 3];
    }
}

Test(intersect_ray_pick, the_ray_under_a_pointer_of_a_perspective_and_of_an_orthographic_view)
{
    double m[16];
    sidle_ray ray;
    perspective(m, 10, 20, 30);
    cr_expect(sidle_ray_from_matrix(m, .5, -1, -1, 1, &ray));
    cr_expect(fabs(ray.origin.x - 10.5) < 1e-14 && fabs(ray.origin.y - 19) < 1e-14 &&
              fabs(ray.origin.z - 29) < 1e-14);
    cr_expect(fabs(ray.direction.x - 1) < 1e-14 && fabs(ray.direction.y + 2) < 1e-14);
    cr_expect(fabs(ray.direction.z + 2) < 1e-14);
    cr_expect_not(sidle_ray_from_matrix(m, 0, 0, -1, 2, &ray), "at infinity, or nearly");
    cr_expect_not(sidle_ray_from_matrix(m, 0, 0, -1, 3, &ray), "behind the eye");
    cr_expect_not(sidle_ray_from_matrix(m, 0, 0, 1, 1, &ray), "a ray without a direction");
    const double box[16] = {8, 0, 0, 0, 0, 6, 0, 0, 0, 0, -50, 0, 1, 2, -51, 1};
    cr_expect(sidle_ray_from_matrix(box, .25, .5, -1, 1, &ray));
    cr_expect(is_at(ray.origin, 3, 5, -1) && is_at(ray.direction, 0, 0, -100));
    cr_expect(sidle_ray_from_matrix(box, .25, .5, 1, -1, &ray) && ray.origin.z == -101);
    double flat[16];
    memcpy(flat, box, sizeof flat);
    flat[5] = 0;
    cr_expect_not(sidle_ray_from_matrix(flat, .25, .5, -1, 1, &ray));
    for (int i = 0; i < 16; ++i)
    {
        memcpy(flat, box, sizeof flat);
        flat[i] = NAN;
        cr_expect_not(sidle_ray_from_matrix(flat, .25, .5, -1, 1, NULL));
    }
    cr_expect_not(sidle_ray_from_matrix(box, NAN, .5, -1, 1, NULL));
}

Test(intersect_ray_pick, a_singular_matrix_is_known_exactly)
{
    Random random = random_seeded(24);
    for (int i = 0; i < 2000; ++i)
    {
        double m[16];
        int64_t weights[3];
        for (int k = 0; k < 3; ++k)
        {
            weights[k] = (int64_t)random_below(&random, 9) - 4;
        }
        for (int row = 0; row < 4; ++row) /* the last column is a sum of the others, in whole numbers */
        {
            for (int column = 0; column < 3; ++column)
            {
                m[4 * column + row] = (double)random_below(&random, 1 << 20) - (1 << 19);
            }
            m[12 + row] = (double)weights[0] * m[row] + (double)weights[1] * m[4 + row] +
                          (double)weights[2] * m[8 + row];
        }
        sidle_ray ray;
        cr_assert_not(sidle_ray_from_matrix(m, .1, .2, 0, 1, &ray));
        m[3] = m[7] = m[11] = 0;
        m[15] = 1;
        m[12] = nextafter(m[12], 1e9);
        sidle_ray_from_matrix(m, .1, .2, 0, 1, &ray);
    }
}

Test(intersect_ray_pick, picked_points_err_by_their_own_rounding)
{
    Random random = random_seeded(25);
    double worst = 0;
    uint32_t count = number_available() ? query_count(20000) : 0, hits = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double m[16], x = random_between(&random, -1, 1), y = random_between(&random, -1, 1);
        for (int k = 0; k < 16; ++k)
        {
            double size = i % 3 ? 1 : random_scale(&random, 1e-6, 1e6);
            m[k] = size * random_between(&random, -1, 1);
        }
        sidle_ray ray;
        if (!sidle_ray_from_matrix(m, x, y, 0, 1, &ray))
        {
            continue;
        }
        ++hits;
        number_begin();
        const double device[2][4] = {{x, y, 0, 1}, {x, y, 1, 1}};
        Number at[2][4];
        for (int end = 0; end < 2; ++end)
        {
            for (int row = 0; row < 4; ++row)
            {
                at[end][row] = number_of(0);
                for (int k = 0; k < 4; ++k)
                {
                    at[end][row] = number_add(
                        at[end][row], number_mul(number_of(m[4 * k + row]), number_of(device[end][k])));
                }
            }
            cr_assert(number_sign(at[end][3]) > 0);
        }
        const double found[6] = {ray.origin.x,    ray.origin.y,    ray.origin.z,
                                 ray.direction.x, ray.direction.y, ray.direction.z};
        for (int k = 0; k < 3; ++k)
        {
            Number first = number_div(at[0][k], at[0][3]), second = number_div(at[1][k], at[1][3]);
            double size = fabs(number_double(first)) + fabs(number_double(second));
            worst = worse(worst, number_error(first, found[k]) / size / UNIT);
            worst = worse(worst, number_error(number_sub(second, first), found[3 + k]) / size / UNIT);
        }
    }
    printf("ray: %u matrices, %u with a ray, off by at most %.2f u of the points\n", count, hits, worst);
    cr_expect(worst <= 8);
}
