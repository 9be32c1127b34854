/* Single scenes for the sweep kernel of every width: what once went wrong, or would with one line less. What is
 * drawn at random stands in test_sweep_oracle.c. */
#include "support/scene.h"
#include "support/sweep_checker.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>

/* The answer of every width that can run here to a query of one triangle keeps the law and is as expected. */
static void expect_everywhere(const Query *query, bool hits)
{
    const Kernels *widths[BUILD_COUNT + 1];
    uint32_t width_count = builds_here(widths);
    widths[width_count++] = &sidle_kernels_1d;
    for (uint32_t width = 0; width < width_count; ++width)
    {
        SweepChecker checker = sweep_checker_of(widths[width] == &sidle_kernels_1d ? 0x1p-53 : 0x1p-24);
        Filled filled;
        filled_set(&filled, widths[width], query, NULL);
        SweepAnswer answer = filled_sweep(&filled, query);
        sweep_check(&checker, query, &filled, answer);
        cr_expect(filled.exact_count > 0 || (answer.candidate != NO_HIT) == hits, "width %u", width);
        cr_expect_eq(checker.wrong, 0, "width %u", width);
    }
}

static const Vector needle[3] = {{0, 0, 0.01}, {0, 0, -0.01}, {400, 0, 0}};

/* A centre on an edge has no direction to its triangle but what rounding makes of it. */
Test(sweep_scenes, a_centre_on_an_edge_leaves_it_in_any_direction)
{
    const Kernels *const widths[2] = {&sidle_kernels_4, &sidle_kernels_1d};
    Random random = random_seeded(212);
    uint32_t held = 0;
    for (int i = 0; i < 20000; ++i)
    {
        Vector end =
            vector_as_float(vector_scale(random_direction(&random), random_scale(&random, 0.1, 30.0)));
        Vector apex =
            vector_as_float(vector_scale(random_direction(&random), random_scale(&random, 0.1, 30.0)));
        Query query = {.count = 1,
                       .direction = random_direction(&random),
                       .length = 2,
                       .skin = 0.02,
                       .triangles = {{end, vector_scale(end, -1), apex}}};
        Filled filled;
        filled_set(&filled, widths[i % 2], &query, NULL);
        held += filled_sweep(&filled, &query).candidate != NO_HIT;
    }
    cr_expect_eq(held, 0, "%u are held", held);
}

/* How far from the corner a head-on path ends, in u S; its direction is a unit as far as rounding lets it be. */
static double missed_by(const Kernels *kernels, double roundoff, Random *random)
{
    Vector direction = random_direction(random);
    Vector corner = vector_scale(direction, random_scale(random, 10.0, 1000.0));
    Query query = {.count = 1, .direction = direction, .length = vector_length(corner), .skin = 0.02};
    query.triangles[0][0] = query.triangles[0][1] = query.triangles[0][2] = corner;
    query = kernels == &sidle_kernels_1d ? query : query_in_float(&query);
    Filled filled;
    filled_set(&filled, kernels, &query, NULL);
    SweepQuery asked = query_for_kernels(&query);
    double t = kernels->sweep(&filled.batch, &asked, filled.candidates, NULL).t;
    Vector at = query.triangles[0][0], d = query.direction;
    if (kernels != &sidle_kernels_1d)
    {
        d = vector_as_float(d);
    }
    long double x = (long double)t * d.x - at.x, y = (long double)t * d.y - at.y,
                z = (long double)t * d.z - at.z;
    double distance = (double)(sqrtl(x * x + y * y + z * z) - (long double)asked.radius);
    return fabs(distance) / (roundoff * query_size(&query, 0));
}

/* |d|^2 is off by up to 5 u; taken for 1 it moves the touch by that share of the path. */
Test(sweep_scenes, a_corner_is_hit_at_its_place_with_any_rounding_of_the_direction)
{
    Random random = random_seeded(211);
    double worst[2] = {0, 0};
    for (int i = 0; i < 20000; ++i)
    {
        worst[0] = worse(worst[0], missed_by(&sidle_kernels_4, 0x1p-24, &random));
        worst[1] = worse(worst[1], missed_by(&sidle_kernels_1d, 0x1p-53, &random));
    }
    printf("head-on at a corner: off by %.3g u S in float, %.3g in double\n", worst[0], worst[1]);
    cr_expect(worst[0] < 4 && worst[1] < 4);
}

/* A face that grew by a fixed margin beyond its edges grew by hundreds of radii beyond this tip. */
Test(sweep_scenes, a_ball_that_falls_beyond_the_tip_of_a_needle_falls_freely)
{
    Query query = {.count = 1, .direction = vector(0, -1, 0), .length = 5.0, .skin = 0.02};
    Soup soup = {0};
    for (int corner = 0; corner < 3; ++corner)
    {
        query.triangles[0][corner] = vector_sub(needle[corner], vector(403, 3, 0));
    }
    expect_everywhere(&query, false);
    soup_triangle(&soup, needle[0], needle[1], needle[2]);
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_at(403, 3, 0);
    scene_tick(&scene, &agent, vector(0, -5, 0));
    cr_expect_eq(agent.contact_count, 0);
    cr_expect(vector_same_bits(agent_center(&agent), vector(403, -2, 0)), "at %g", agent_center(&agent).y);
    scene_close(&scene);
}

/* Rounding hid from the edge how little the ball sank in when it came over it, and from the face that it came
 * from outside: it went on into the face. */
Test(sweep_scenes, a_ball_that_enters_a_face_over_its_edge_on_a_shallow_path_hits_it)
{
    Query queries[] = {
        {.direction = {-0x1.8deb2e4ddaaabp-1, -0x1.4211ba2f3417ap-1, -0x1.17343fe4f0aa4p-6},
         .length = 0x1.6b7f4c095da6fp+0,
         .skin = 0.005,
         .triangles = {{{-0x1.0c2b3p+0, -0x1.13ac5ep+1, -0x1.ac9fd6p-5},
                        {0x1.653eb4p+1, 0x1.646314p-4, 0x1.e9404ap+1},
                        {0x1.0c3df2p-3, -0x1.15d0b4p+0, -0x1.0f8988p-1}}}},
        {.direction = {-0x1.22c08bb60d799p-1, 0x1.84a4d5e850c31p-1, 0x1.45f6c5ec3c28cp-2},
         .length = 0x1.e631ec19a5fa4p-2,
         .skin = 0.02,
         .triangles = {{{0x1.53514cp+4, 0x1.36a6a6p+3, -0x1.acf0bcp+2},
                        {-0x1.097a46p+5, 0x1.15e7e6p+5, 0x1.fef7f2p+3},
                        {-0x1.ed8a26p+4, -0x1.a0672ap+3, 0x1.d1f092p+2}}}},
        {.direction = {0x1.a5ab69c2ff991p-3, -0x1.8e40102731cdp-1, -0x1.3005042638558p-1},
         .length = 0x1.61405b83219dep+0,
         .skin = 0.02,
         .triangles = {{{-0x1.112ec4p+7, -0x1.ed785ap+6, -0x1.2901c6p+7},
                        {0x1.a5adfep+5, 0x1.72cc8p+5, 0x1.d10e64p+5},
                        {-0x1.0e536ap+7, -0x1.f1b90ep+6, -0x1.29e0acp+7}}}},
        {.direction = {0x1.dfdfcd0d5fd1ap-4, 0x1.02effd3c15ec4p-2, -0x1.ebb7107743a5ap-1},
         .length = 0x1p-4,
         .skin = 0.1,
         .triangles = {{{-0x1.f44d8p-1, -0x1.7d9c7ep-2, -0x1.20f4f4p-3},
                        {-0x1.949e56p-1, -0x1.05d2f2p-2, -0x1.41cc12p+0},
                        {-0x1.0b31f6p+0, 0x1.5464p-3, -0x1.2b698p-1}}}},
        {.direction = {-0x1.b98e537d34f12p-4, -0x1.755b0f376e32cp-1, 0x1.59fb3928f77c7p-1},
         .length = 0x1p+3,
         .skin = 0.1,
         .triangles = {{{-0x1.206b5p+0, -0x1.55c092p-1, 0x1.1dafe8p+0},
                        {-0x1.30738p+0, -0x1.200f1ap-1, 0x1.5fb74p-1},
                        {-0x1.125c0cp+0, -0x1.1101d4p-1, 0x1.24096ep+0}}}},
        {.direction = {0x1.fda40b7257fc7p-2, -0x1.66cbfc703f868p-2, -0x1.963c20cfaae66p-1},
         .length = 0x1p-5,
         .skin = 0.005,
         .triangles = {{{-0x1.6d2ap-1, -0x1.20d1fcp-1, -0x1.2174p-1},
                        {-0x1.0e880ep+0, -0x1.9dd50ap-3, -0x1.9ab0d4p-2},
                        {-0x1.4962d6p-1, -0x1.8f47fap-1, -0x1.2b3ap-3}}}},
        {.direction = {-0x1.41606b557523bp-2, -0x1.e51c7bac05894p-1, 0x1.f782f37317a34p-5},
         .length = 0x1.8p+0,
         .skin = 0.005,
         .triangles = {{{0x1.26b482p+1, 0x1.3cf222p-1, -0x1.41207ap+1},
                        {-0x1.92acap+1, -0x1.915c72p+3, 0x1.17d9ap+0},
                        {-0x1.6a6ee2p+0, -0x1.efc9cap+0, 0x1.3aa042p+2}}}},
    };
    for (int index = 0; index < (int)(sizeof queries / sizeof *queries); ++index)
    {
        queries[index].count = 1;
        expect_everywhere(&queries[index], true);
    }
}

/* The square of an edge, and what is made of it, underflow long before the edge does. */
Test(sweep_scenes, a_corner_beside_an_edge_of_any_shortness_is_hit)
{
    for (int quarters = 4, exponent = 0; exponent > -1000; quarters = quarters < 7 ? quarters + 1 : 4)
    {
        double tiny = ldexp(0.25 * quarters, exponent);
        exponent -= quarters < 7 ? 0 : exponent > -160 ? 1 : 20;
        Query query = {.count = 1,
                       .origin = {0, 2, -0.5},
                       .direction = {0, -1, 0},
                       .length = 3,
                       .skin = 0.02,
                       .triangles = {{{0, 0, 0}, {tiny, 0, 0}, {0, 0, 1}}}};
        expect_everywhere(&query, true);
    }
}

/* The length of a normal was taken from a square without the bits for it: 1.25 squared has five. The ball falls
 * onto the middle of the edge that is left, or onto a degenerate triangle alone. */
Test(sweep_scenes, a_triangle_of_any_size_is_hit_at_its_distance)
{
    for (int exponent = -10; exponent > -1000; exponent -= exponent > -160 ? 1 : 20)
    {
        double tiny = ldexp(1.25, exponent);
        for (int is_edge = 0; is_edge < 2; ++is_edge)
        {
            double length = is_edge ? 1.0 : tiny;
            Query query = {.count = 1,
                           .origin = {0, 2, 0.5 * length},
                           .direction = {0, -1, 0},
                           .length = 3,
                           .skin = 0.02,
                           .triangles = {{{0, 0, 0}, {tiny, 0, 0}, {0, 0, length}}}};
            expect_everywhere(&query, true);
        }
    }
}

/* Which side of an edge the triangle is on goes by its normal's sign, also where its square has no bits. */
Test(sweep_scenes, a_triangle_with_a_degenerate_edge_is_not_culled)
{
    Query query = {
        .count = 1,
        .origin = {0x1.5eb407654e141p-1, 0x1.af3d02704d94cp-2, 0x1.6a4e3da995589p-1},
        .direction = {-0x1.2aa07925ac9b3p-2, 0x1.c8115f1c49717p-1, -0x1.64f0bd7575563p-2},
        .length = 0x1.3568866690a15p-5,
        .skin = 0.005,
        .triangles = {{{-0x1.b1be2e389fcp-506, -0x1.47294d53e0288p-498, 0x1.8be80b91094f4p-500},
                       {0, 0, 0},
                       {0x1.d19e36bc0465fp-4, -0x1.04677fd943b96p-7, 0x1.454fffca36c48p-5}}},
    };
    expect_everywhere(&query, true);
}

/* Its normal was given up, since the product of two edges was too small for its bits, but an edge was not: the
 * frame of that edge leaned, and the ball hit it early. */
Test(sweep_scenes, a_degenerate_triangle_at_the_end_of_double_is_hit_at_its_distance)
{
    const double x = -0x1.34b661fdd2671p-18;
    Query query = {
        .count = 1,
        .origin = {-0x1.bbfd7715c5932p+4, -0x1.6a374491be0efp-499, 0x1.c0796fe0a7d29p-500},
        .direction = {1, 0, 0},
        .length = 30,
        .triangles = {{{x, 0x1.62ebb04743922p-499, -0x1.d73a679af49ep-500},
                       {x, 0, 0},
                       {x, -0x1.6a374491be0efp-499, 0x1.c0796fe0a7d29p-500}}},
    };
    Filled filled;
    filled_set(&filled, &sidle_kernels_1d, &query, NULL);
    SweepAnswer answer = filled_sweep(&filled, &query);
    cr_expect_float_eq(answer.t, x - query.origin.x - query_radius(&query), 1e-13);
}

/* Two edges so nearly parallel that the direction of their cross product is lost: any vector across the longest
 * edge served as a normal, and the other two leaned by as much as their height over it. */
Test(sweep_scenes, a_sliver_whose_normal_is_lost_is_hit_at_its_distance)
{
    Query queries[] = {
        {.direction = {-0x1.7be10c30a2457p-2, 0x1.8977da62c0c0fp-1, -0x1.0aed2ff1dd2dcp-1},
         .length = 0x1.03e8015b6a413p+2,
         .skin = 0.1,
         .triangles = {{{0x1.e62826p+2, 0x1.354a4ap+1, -0x1.3de49p+1},
                        {-0x1.302534p-1, 0x1.354a4ap+1, -0x1.3de49p+1},
                        {-0x1.ec1ca4p+2, 0x1.354a4ap+1, -0x1.3de458p+1}}}},
        {.origin = {-0x1.6068fdfbb92e3p+1, -0x1.2b69cdab79d77p+1, 0x1.f8a69e3c4d30cp-3},
         .direction = {0x1.df278bc9f139cp-4, 0x1.0f0f30c0cdfb2p-1, -0x1.ae369ca13fa2fp-1},
         .length = 0x1.4415d1edbfa3ap+0,
         .skin = 0.1,
         .triangles = {{{-0x1.6cd5bcp+2, -0x1.f5fd4ap+0, -0x1.91ec74p+0},
                        {-0x1.ef0a8p+0, -0x1.f5fd4ap+0, -0x1.91ecbp+0},
                        {0x1.0b6e1p+2, -0x1.f5fd4ap+0, -0x1.91ecbp+0}}}},
    };
    for (int index = 0; index < (int)(sizeof queries / sizeof *queries); ++index)
    {
        queries[index].count = 1;
        expect_everywhere(&queries[index], true);
    }
}

/* It begins outside an edge by less than the rounding of the root and moves away. */
Test(sweep_scenes, a_ball_that_leaves_an_edge_almost_in_contact_is_free)
{
    Query query = {.count = 1,
                   .direction = {-0x1.1a0b12db0df63p-1, -0x1.f292d97f3d046p-5, -0x1.aa2ca43720b86p-1},
                   .length = 0x1.093de6f9e1103p-4,
                   .skin = 0.005,
                   .triangles = {{{-0x1.a0d2bap-2, -0x1.b8479ep-1, 0x1.43fedap-2},
                                  {0x1.74cd94p-4, -0x1.fe8c74p-1, 0x1.1c354cp-1},
                                  {-0x1.02667ep-2, -0x1.d7596ap-1, 0x1.87338p-2}}}};
    expect_everywhere(&query, false);
}

/* The swept radius is exact here, and the path passes the edge at exactly that distance. */
Test(sweep_scenes, a_ball_that_glides_over_an_edge_does_not_hit_it)
{
    const double skin = 0x1p-5, radius = 1 + skin / 2;
    Query query = {.count = 1,
                   .direction = {1, 0, 0},
                   .length = 4,
                   .skin = skin,
                   .triangles = {{{2, -radius, -1}, {2, -radius, 1}, {2, -3, 0}}}};
    expect_everywhere(&query, false);
}

/* The same one dimension lower: rounding hid from the corner how little the ball sank in, and from the edge
 * that it came from beyond its end. */
Test(sweep_scenes, a_ball_that_enters_an_edge_over_its_corner_on_a_shallow_path_hits_it)
{
    Query queries[] = {
        {.direction = {0x1.dc371d63c5ef4p-2, 0x1.c50de2513f917p-1, 0x1.b9cbde4116d36p-6},
         .length = 0x1.8e2a42148ea84p-2,
         .skin = 0.1,
         .triangles = {{{0x1.e4a562p-1, -0x1.49599cp-4, -0x1.23f0a4p-1},
                        {0x1.aed3bep-1, -0x1.563d7cp+1, 0x1.0bce2ep+0},
                        {0x1.fd28bp+1, 0x1.558258p+2, -0x1.376bdp-3}}}},
        {.direction = {0x1.f8c9e05cc4258p-1, -0x1.05f3a4000933bp-4, -0x1.3c7d21f2363a8p-3},
         .length = 0x1.a9af236485dcep-3,
         .skin = 0.1,
         .triangles = {{{-0x1.577bfp+0, -0x1.070cfep+4, -0x1.b699eap+3},
                        {0x1.da722ep+4, -0x1.6b2074p+0, -0x1.64cdcp+2},
                        {0x1.ddd24cp-7, 0x1.412712p-1, -0x1.b26e5ap-1}}}},
        {.direction = {-0x1.822aba6b7e23ap-2, -0x1.d004eb8404db8p-2, -0x1.9d901e169e3cdp-1},
         .length = 0x1p+1,
         .skin = 0.1,
         .triangles = {{{0x1.9889c6p-3, 0x1.4dcf2ap-4, -0x1.83191ep+0},
                        {-0x1.f4p-8, 0x0p+0, -0x1.ep+0},
                        {-0x1.e969bp-8, -0x1.e214p-5, -0x1.da32p+0}}}},
    };
    for (int index = 0; index < (int)(sizeof queries / sizeof *queries); ++index)
    {
        queries[index].count = 1;
        expect_everywhere(&queries[index], true);
    }
}

/* Whether float serves a triangle for paths of this length in a space whose corners err by the condition times u S. */
static bool float_serves(const Kernels *kernels, const Vector v[3], double length, float condition)
{
    Query query = {.count = 1, .length = 1, .skin = 0.02, .triangles = {{v[0], v[1], v[2]}}};
    Filled filled;
    filled_set(&filled, kernels, &query, NULL);
    PackRules rules = {
        .reach_length = (float)length, .slack = (float)(query.skin * SLACK_OF_SKIN), .condition = condition};
    uint32_t exact_of[FILLED_LANES];
    return kernels->setup(&filled.batch, &rules, exact_of) == 0;
}

/* The two rules of docs/numerics.md, "Float or double"; each bounds the size of a lane by one over the condition. */
Test(sweep_scenes, the_condition_limits_the_size_that_float_serves)
{
    const double u = 0x1p-24, slack = 0.02 * SLACK_OF_SKIN, angle = 1e-3;
    const Vector right[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                 tip[3] = {{0, 0, .01}, {0, 0, -.01}, {20, 0, 0}};
    const double kappa2 = 0.75, of_right = slack / (u * sqrt(2.0 * (256.0 + 1.0 / kappa2)));
    const double of_tip = 8.0 * angle * angle / u;
    const float conditions[] = {0, 0.5f, 1, 3, 6};
    const Kernels *widths[BUILD_COUNT];
    uint32_t width_count = builds_here(widths);
    for (uint32_t width = 0; width < width_count; ++width)
    {
        for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i)
        {
            double errs = fmax(conditions[i], 1.0);
            cr_expect(float_serves(widths[width], right, 0.99 * of_right / errs, conditions[i]), "%g", errs);
            cr_expect(!float_serves(widths[width], right, 1.01 * of_right / errs, conditions[i]), "%g", errs);
            cr_expect(float_serves(widths[width], tip, 0.99 * of_tip / errs, conditions[i]), "%g", errs);
            cr_expect(!float_serves(widths[width], tip, 1.01 * of_tip / errs, conditions[i]), "%g", errs);
        }
    }
}

/* The ball touches both all along and comes nearer to none. The far edge of each stopped it when it entered its
 * cylinder. */
Test(sweep_scenes, a_ball_between_two_triangles_too_near_for_it_leaves_along_them)
{
    Soup soup = {0};
    for (int side = -1; side <= 1; side += 2)
    {
        double y = .5 * side;
        soup_triangle(&soup, vector(-9, y, -9 * side), vector(-9, y, 9 * side), vector(9, y, 0));
    }
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_at(-4, 0, 0);
    scene_ticks(&scene, &agent, vector(-.2, 0, 0), 100);
    cr_expect_lt(agent_center(&agent).x, -23.99, "at %g", agent_center(&agent).x);
    scene_close(&scene);
}

/* Found by fuzz_sweep: lanes cannot decide that the ball begins inside so large a triangle, and a corner's time is
 * that of coming in. */
Test(sweep_scenes, no_hit_time_is_negative_for_any_size_of_triangle)
{
    const double far = -0x1.e1e1ep+98;
    Query query = {.count = 1, .origin = {0, 0x1.fffebp-1, 0}, .direction = {0, -1, 0}, .length = 0x1.8p+97};
    query.triangles[0][0] = vector(far, far, far);
    query.triangles[0][1] = vector(0, 1, -5);
    query.triangles[0][2] = vector(0, 0, 0x1.7fp-134);
    query.skin = 0.02;
    const Kernels *widths[BUILD_COUNT + 1];
    uint32_t width_count = builds_here(widths);
    widths[width_count++] = &sidle_kernels_1d;
    for (uint32_t width = 0; width < width_count; ++width)
    {
        Filled filled;
        filled_set(&filled, widths[width], &query, NULL);
        cr_expect(filled_sweep(&filled, &query).t >= 0, "width %u", width);
    }
}
