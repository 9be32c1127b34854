/* Capsules against oracles that search along core and path: what an accepted path comes close to, what a hit
 * touches, how far things are. SIDLE_QUERIES says how many. */
#include "kernels/core_contact.h"
#include "support/capsule_checker.h"
#include "support/oracle_core.h"
#include "support/precise.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

static void check_many(const Kernels *kernels, bool raw, uint32_t count, const char *what)
{
    Random random = random_seeded(301);
    CapsuleChecker checker = capsule_checker_of(kernels, raw);
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, kernels != &sidle_kernels_1d, &core);
        capsule_check(&checker, &query, core);
    }
    capsule_checker_print(&checker, what);
    cr_expect_eq(checker.wrong, 0, "%u answers break the law", checker.wrong);
    cr_expect(checker.hits > count / 10 && checker.misses > count / 20, "too one-sided to show anything");
}

Test(capsule_oracle, swept_capsules_keep_the_error_law)
{
    check_many(&sidle_kernels_4, false, query_count(10000), "answers");
}

Test(capsule_oracle, float_lanes_keep_the_error_law)
{
    check_many(&sidle_kernels_4, true, query_count(8000), "float lanes");
}

Test(capsule_oracle, double_lanes_keep_the_error_law)
{
    if (precise_available()) /* double does not check itself */
    {
        check_many(&sidle_kernels_1d, true, query_count(8000), "double lanes");
    }
}

/* When lanes of this width touch the first triangle of a query. */
static double first_touch(const Kernels *kernels, const Query *query, Vector core)
{
    Query first = *query;
    bool is_hit = false;
    Hit hit;
    first.count = 1;
    bool is_served = capsule_answer(kernels, &first, core, true, &is_hit, &hit);
    return is_served && is_hit ? hit.contact.t : (double)NAN;
}

/* The first triangle is 10,000 radii long and the path is shallow: double lanes touch it more than a radius later
 * than float lanes. The second triangle stands between the two times. */
Test(capsule_oracle, a_triangle_between_the_times_of_float_and_double_is_not_passed)
{
    const Query query = {
        .count = 2,
        .direction = {-0x1.90b8de372ecf7p-3, -0x1.911c4688ec9b3p-1, 0x1.2e060bdfde2a4p-1},
        .length = 0x1.190949183dc7p+4,
        .skin = 0.1,
        .triangles = {{{-0x1.3ccabap+11, -0x1.234c3ap+11, 0x1.737598p+11},
                       {0x1.d00066p+10, 0x1.8eb984p+11, -0x1.7e6674p+11},
                       {0x1.1f85b8p+12, 0x1.58b3ap+10, -0x1.ccf61cp+11}},
                      {{-0x1.225982p+0, -0x1.2d71ep+2, 0x1.b5ac0ep+1},
                       {-0x1.225c9ep+0, -0x1.2d728cp+2, 0x1.b5ae98p+1},
                       {-0x1.22507cp+0, -0x1.2d6fcep+2, 0x1.b5ae66p+1}}},
    };
    const Vector core = {0.0, 0x1.5a0ad924ace8ep-3, 0.0};
    double early = first_touch(&sidle_kernels_4, &query, core),
           late = first_touch(&sidle_kernels_1d, &query, core);
    cr_assert(late > early + 1.0, "%g and %g: the query has lost its point", early, late);
    CapsuleChecker checker = capsule_checker_of(&sidle_kernels_4, false);
    capsule_check(&checker, &query, core);
    cr_expect_eq(checker.hits, 1);
    cr_expect_eq(checker.wrong, 0);
}

/* Distances of triangles to the core at the path's beginning, signed where they cross. */
Test(capsule_oracle, distances_are_those_of_the_core)
{
    Random random = random_seeded(302);
    uint32_t count = query_count(50000), crossed = 0, wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, true, &core);
        Vec3 corners[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            corners[corner] = vec3_of_vector(query.triangles[0][corner]);
        }
        KernelContact contact = sidle_contact_of_core(corners, core.y, vec3_of_vector(query.origin));
        OracleCore truth = oracle_core(query.triangles[0], core, query.origin);
        bool crosses = oracle_core_crosses(query.triangles[0], core, query.origin) &&
                       height_over_longest(query.triangles[0]) > 1.01 * THIN_HEIGHT;
        double size = capsule_size(&query, 0, core);
        double more = contact.t - truth.distance, thin = THIN_HEIGHT * THIN_HEIGHT / 2.0;
        bool agrees = contact.t <= 0.0 ? truth.distance <= 1e-9 * size
                                       : more >= -1e-7 - 1e-12 * size &&
                                             more <= 1e-7 + fmin(thin / truth.distance, 0.5 * THIN_HEIGHT);
        crossed += crosses;
        agrees = agrees && (!crosses || contact.t <= 1e-9 * size);
        agrees = agrees && fabs(vec3_length(contact.normal) - 1.0) < 1e-9;
        if (!agrees && wrong++ < 8)
        {
            printf("WRONG: %.9g instead of %.9g, core %a %a %a:", contact.t, truth.distance, core.x, core.y,
                   core.z);
            query_print(&query, 0);
        }
    }
    cr_expect_eq(wrong, 0, "%u distances are wrong", wrong);
    cr_expect(crossed > count / 100, "too tame to show anything");
}

/* The plane of each triangle holds the core but for rounding. Rounded signs of volumes then take it for a crossing. */
Test(capsule_oracle, a_triangle_in_the_plane_of_the_core_is_crossed_only_where_it_is)
{
    Random random = random_seeded(303);
    uint32_t count = query_count(50000), apart = 0, wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        double x = random_scale(&random, 1e-6, 1.0), z = random_scale(&random, 1e-6, 1.0);
        Vector v[3];
        Vec3 corners[3];
        for (int corner = 0; corner < 3; ++corner)
        {
            double out = random_between(&random, -1.0, 8.0);
            v[corner] = vector(out * x, random_between(&random, -2.0, 2.0), out * z);
            corners[corner] = vec3_of_vector(v[corner]);
        }
        OracleCore truth = oracle_core(v, vector(0.0, 1.0, 0.0), vector(0.0, 0.0, 0.0));
        double t = sidle_closest_of_core(corners, 1.0, vec3(0, 0, 0)).t;
        apart += truth.distance > 0.1;
        wrong += !(fabs(t - truth.distance) <= 1e-6);
    }
    cr_expect_eq(wrong, 0, "%u of %u distances are wrong", wrong, count);
    cr_expect(apart > count / 10, "too few are apart to show anything");
}

static void check_middle(const KernelContact *contact)
{
    cr_expect_float_eq(contact->t, 1, 1e-15);
    cr_expect_eq(contact->feature, SIDLE_FEATURE_FACE);
    cr_expect_float_eq(contact->point.y, -0.375, 1e-15);
    cr_expect_float_eq(contact->point.z, 2, 1e-15);
}

/* Over the triangle are the lower half of the core and a quarter of the upper one. */
Test(capsule_oracle, a_core_along_a_wall_touches_the_middle_of_the_overlap)
{
    const Vec3 wall[3] = {{-9, -3, 2}, {9, -3, 2}, {0, 0.25, 2}};
    const SweepQuery query = {.direction = {0, 0, 1}, .length = 5, .radius = 1};
    KernelContact contact;
    cr_assert(sidle_contact_of_core_sweep(wall, &query, 1, &contact));
    check_middle(&contact);
    cr_assert(contact_of_core(wall, 1, (RimPath){query.direction, 5, 1}, 1, &contact));
    check_middle(&contact);
}

static bool same_hit(bool a_is_hit, const Hit *a, bool b_is_hit, const Hit *b)
{
    return a_is_hit == b_is_hit &&
           (!a_is_hit || (a->candidate == b->candidate && a->contact.t == b->contact.t &&
                          vec3_is_zero(vec3_sub(a->contact.point, b->contact.point)) &&
                          a->contact.feature == b->contact.feature));
}

Test(capsule_oracle, every_width_gives_the_same_bits)
{
    const Kernels *widths[BUILD_COUNT];
    uint32_t width_count = builds_here(widths);
    Random random = random_seeded(303);
    for (uint32_t i = 0; i < 5000; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, true, &core);
        Hit first = {.candidate = 0};
        bool first_is_hit = false;
        for (uint32_t w = 0; w < width_count; ++w)
        {
            Hit hit = {.candidate = 0};
            bool is_hit = false;
            capsule_answer(widths[w], &query, core, false, &is_hit, &hit);
            cr_assert(w == 0 || same_hit(first_is_hit, &first, is_hit, &hit), "%u lanes differ, query %u",
                      widths[w]->lane_count, i);
            first = hit;
            first_is_hit = is_hit;
        }
    }
}
