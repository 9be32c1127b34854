/* Capsules against oracles that search along core and path: what an accepted path comes close to, what a hit
 * touches, how far things are. SIDLE_QUERIES says how many. */
#include "support/judge_core.h"
#include "support/oracle_core.h"
#include "support/precise.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

static void judge_many(const Kernels *kernels, bool raw, uint32_t count, const char *what)
{
    Random random = random_seeded(301);
    CapsuleJudge judge = capsule_judge_of(kernels, raw);
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector core;
        Query query = capsule_query(&random, kernels != &kernels_1d, &core);
        capsule_judge(&judge, &query, core);
    }
    capsule_judge_print(&judge, what);
    cr_expect_eq(judge.wrong, 0, "%u answers break the law", judge.wrong);
    cr_expect(judge.hits > count / 10 && judge.misses > count / 20, "too one-sided to show anything");
}

Test(capsule_oracle, swept_capsules_keep_the_error_law)
{
    judge_many(&kernels_4, false, query_count(10000), "answers");
}

Test(capsule_oracle, float_lanes_keep_the_error_law)
{
    judge_many(&kernels_4, true, query_count(8000), "float lanes");
}

Test(capsule_oracle, double_lanes_keep_the_error_law)
{
    if (precise_available()) /* double does not judge itself */
    {
        judge_many(&kernels_1d, true, query_count(8000), "double lanes");
    }
}

/* Double sees the shallow touch of the first triangle, which is 14,000 radii long, more than a radius later than
 * float does: the path went on to there, through the second one. */
Test(capsule_oracle, what_stands_between_the_times_of_float_and_double_is_not_passed)
{
    const Query query = {
        .count = 2,
        .origin = {0x1.264312b36b98dp-7, -0x1.3553f7990c4d4p-8, -0x1.6426cfcc9bc61p-9},
        .direction = {-0x1.40cbcf5e37febp-1, -0x1.2c69531288879p-1, -0x1.06a746582051fp-1},
        .length = 0x1.670764d7a335ep+2,
        .skin = 0.1,
        .triangles = {{{0x1.f562f6p+9, -0x1.15f54ep+12, -0x1.082366p+12},
                       {-0x1.15ac2p+11, 0x1.77a30ep+9, 0x1.a05fp+9},
                       {0x1.01c556p+13, -0x1.d5f36cp+10, -0x1.18d62cp+11}},
                      {{-0x1.c2fe2ep-3, -0x1.fb5836p-1, -0x1.7327fap-1},
                       {-0x1.c31b5ep-3, -0x1.fb5534p-1, -0x1.732674p-1},
                       {-0x1.c31b5ep-3, -0x1.fb5534p-1, -0x1.732674p-1}}},
    };
    Vector core = vector(-0x1.3812b4p-7, 0x1.480d0cp-8, 0x1.79b56ep-9), row[3];
    draw_turn(core, row);
    core = vector(0, vector_length(core), 0);
    Query upright = query_turned(&query, row);
    CapsuleJudge judge = capsule_judge_of(&kernels_4, false);
    upright = query_in_float(&upright);
    capsule_judge(&judge, &upright, core);
    cr_expect_eq(judge.hits, 1);
    cr_expect_eq(judge.wrong, 0);
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
        KernelContact contact = contact_of_core(corners, core.y, vec3_of_vector(query.origin));
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

/* Over the triangle are the lower half of the core and a quarter of the upper one. */
Test(capsule_oracle, a_core_along_a_wall_touches_it_in_the_middle_of_what_is_over_it)
{
    const Vec3 wall[3] = {{-9, -3, 2}, {9, -3, 2}, {0, 0.25, 2}};
    const SweepQuery query = {.direction = {0, 0, 1}, .length = 5, .radius = 1};
    KernelContact contact;
    cr_assert(contact_of_core_sweep(wall, &query, 1, &contact));
    cr_expect_float_eq(contact.t, 1, 1e-15);
    cr_expect_eq(contact.feature, SIDLE_FEATURE_FACE);
    cr_expect_float_eq(contact.point.y, -0.375, 1e-15);
    cr_expect_float_eq(contact.point.z, 2, 1e-15);
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
