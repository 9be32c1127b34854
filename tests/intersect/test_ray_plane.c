/* Rays and segments against planes: named cases and MPFR. SIDLE_QUERIES says how many. */
#include "sidle/intersect/ray.h"

#include "intersect/support/number.h"
#include "intersect/support/ray_drawn.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <stdio.h>

#define UNIT 0x1p-53

static sidle_position place(Vector a)
{
    return (sidle_position){a.x, a.y, a.z};
}

static sidle_ray ray_of(Vector origin, Vector direction)
{
    return (sidle_ray){place(origin), place(direction)};
}

static bool is_at(sidle_position a, double x, double y, double z)
{
    return a.x == x && a.y == y && a.z == z;
}

static double units_of(double found, Number truth)
{
    double size = fabs(number_double(truth));
    return size > 0 ? number_error(truth, found) / size / UNIT : found == 0 ? 0 : INFINITY;
}

Test(intersect_ray_plane, a_plane_is_hit_from_both_sides_touched_and_run_along)
{
    sidle_plane floor = {{0, 1, 0}, 2};
    sidle_ray_hit hit;
    sidle_ray ray = {{1, 5, 1}, {0, -2, 0}};
    cr_expect(sidle_ray_plane(&ray, &floor, &hit));
    cr_expect(hit.t == 1.5 && hit.t_exit == 1.5 && is_at(hit.point, 1, 2, 1) && is_at(hit.normal, 0, 1, 0));
    ray = (sidle_ray){{1, 0, 1}, {1, 4, 0}};
    cr_expect(sidle_ray_plane(&ray, &floor, &hit));
    cr_expect(hit.t == .5 && is_at(hit.point, 1.5, 2, 1) && hit.normal.y == -1);
    ray.direction.y = -4;
    cr_expect_not(sidle_ray_plane(&ray, &floor, &hit));
    ray = (sidle_ray){{1, 2, 1}, {0, 4, 0}}; /* leaves it */
    cr_expect(sidle_ray_plane(&ray, &floor, &hit) && hit.t == 0 && hit.t_exit == 0 && hit.normal.y == -1);
    ray.direction = (sidle_dvec3){1, 0, 0};
    cr_expect(sidle_ray_plane(&ray, &floor, &hit) && hit.t == 0 && hit.t_exit == INFINITY &&
              hit.normal.y == 1);
    ray.origin.y = nextafter(2, 3);
    cr_expect_not(sidle_ray_plane(&ray, &floor, &hit));
    sidle_segment segment = {{0, 5, 0}, {0, 2, 0}};
    cr_expect(sidle_segment_plane(&segment, &floor, &hit) && hit.t == 1 && hit.point.y == 2);
    segment.b.y = nextafter(2, 3);
    cr_expect_not(sidle_segment_plane(&segment, &floor, &hit));
    segment.a.y = segment.b.y = 2;
    cr_expect(sidle_segment_plane(&segment, &floor, &hit) && hit.t == 0 && hit.t_exit == 1);
    floor.normal.y = 0;
    cr_expect_not(sidle_segment_plane(&segment, &floor, &hit), "no normal, no plane");
}

Test(intersect_ray_plane, a_segment_that_ends_on_a_plane_hits_it_in_the_bits_of_its_end)
{
    Random random = random_seeded(20);
    sidle_plane floor = {{0, 1, 0}, 2};
    for (int i = 0; i < 1000; ++i)
    {
        Vector a = random_in_box(&random, vector(-9, 3, -9), vector(9, 9, 9));
        Vector b = random_in_box(&random, vector(-9, 2, -9), vector(9, 2, 9));
        sidle_segment segment = {place(a), place(b)};
        sidle_ray_hit hit;
        cr_assert(sidle_segment_plane(&segment, &floor, &hit) && hit.t == 1 &&
                  is_at(hit.point, b.x, b.y, b.z));
    }
}

Test(intersect_ray_plane, verdicts_of_planes_are_exact)
{
    Random random = random_seeded(21);
    double worst = 0;
    uint32_t wrong = 0, hits = 0, count = number_available() ? query_count(20000) : 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        int kind = (int)random_below(&random, 4);
        Vector a = drawn_vector(&random, kind), b = drawn_vector(&random, kind);
        Vector n = kind ? random_direction(&random) : drawn_vector(&random, 0);
        Vector on = random_chance(&random, .3)   ? a
                    : random_chance(&random, .3) ? b
                                                 : drawn_vector(&random, kind);
        bool is_ray = i % 2;
        sidle_plane plane = {place(n), vector_dot(n, on)};
        sidle_segment segment = {place(a), place(b)};
        sidle_ray ray = ray_of(a, b);
        sidle_ray_hit hit;
        bool found =
            is_ray ? sidle_ray_plane(&ray, &plane, &hit) : sidle_segment_plane(&segment, &plane, &hit);
        number_begin();
        NumberVector normal = number_vector(n), d = number_vector(b);
        d = is_ray ? d : number_vector_sub(d, number_vector(a));
        Number height = number_sub(number_dot(normal, number_vector(a)), number_of(plane.offset));
        Number fall = number_mul(number_dot(normal, d), number_of(-1));
        bool nothing = (n.x == 0 && n.y == 0 && n.z == 0) || (is_ray && b.x == 0 && b.y == 0 && b.z == 0);
        bool truth = number_sign(height) == 0 || number_sign(height) == number_sign(fall);
        truth = truth && (is_ray || number_sign(number_sub(number_abs(height), number_abs(fall))) <= 0 ||
                          number_sign(height) == 0);
        wrong += found != (truth && !nothing);
        hits += found;
        if (found && number_sign(height))
        {
            worst = worse(worst, units_of(hit.t, number_div(height, fall)));
            cr_assert(is_ray || hit.t <= 1);
        }
    }
    printf("ray: %u planes, %u hit, %u wrong, t off by at most %.2f u of itself\n", count, hits, wrong,
           worst);
    cr_expect(wrong == 0 && worst <= 6);
}
