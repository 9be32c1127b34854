/* The closest-point kernel of every width, and the contacts of single triangles in double, against the
 * oracles. SIDLE_QUERIES says how many. */
#include "support/closest_checker.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

/* The radii that the response asks with, and one that reaches far. */
static double draw_radius(Random *random, const Query *query)
{
    const double shares[4] = {0.0, 0.5, 0.75, 1.0};
    return random_chance(random, 0.5) ? 1.0 + shares[random_below(random, 4)] * query->skin
                                      : random_scale(random, 1e-3, 100.0);
}

static void check_kernels(const Kernels *kernels, double roundoff, uint64_t seed, const char *what)
{
    Random random = random_seeded(seed);
    ClosestChecker checker = {.law = {.roundoff = roundoff}};
    uint32_t count = query_count(100000);
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        query = kernels == &sidle_kernels_1d ? query : query_in_float(&query);
        Filled filled;
        filled_set(&filled, kernels, &query, NULL);
        closest_check(&checker, &query, &filled, draw_radius(&random, &query));
    }
    law_print(&checker.law, what);
    cr_expect_eq(checker.wrong, 0, "%u answers break the law", checker.wrong);
    cr_expect(checker.found > count / 2 && checker.skipped > count / 10, "too one-sided to show anything");
}

Test(closest_oracle, float_lanes_keep_the_error_law)
{
    check_kernels(&sidle_kernels_4, 0x1p-24, 201, "closest, float lanes");
}

Test(closest_oracle, double_lanes_keep_the_error_law_whatever_the_size)
{
    check_kernels(&sidle_kernels_1d, 0x1p-53, 202, "closest, double lanes");
}

static bool same_answers(const Filled *one, const Filled *other)
{
    bool same = true;
    for (uint32_t lane = 0; lane < one->batch.count; ++lane)
    {
        double a = batch_read(&one->batch, one->kernels, lane, FIELD_ANSWER);
        double b = batch_read(&other->batch, other->kernels, lane, FIELD_ANSWER);
        same = same && memcmp(&a, &b, sizeof a) == 0;
    }
    return same;
}

Test(closest_oracle, every_width_answers_the_same_bits)
{
    const Kernels *widths[BUILD_COUNT];
    Random random = random_seeded(203);
    uint32_t count = query_count(100000), width_count = builds_here(widths), wrong = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query query = query_drawn(&random);
        double radius = draw_radius(&random, &query);
        Vec3 point = vec3_of_vector(query.origin);
        Filled one, wide;
        filled_set(&one, &sidle_kernels_1, &query, NULL);
        double least = sidle_kernels_1.closest(&one.batch, point, radius);
        for (uint32_t width = 1; width < width_count; ++width)
        {
            filled_set(&wide, widths[width], &query, NULL);
            wrong += widths[width]->closest(&wide.batch, point, radius) != least;
            wrong += !same_answers(&one, &wide);
        }
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
}

/* Whether a lane of core_near contradicts the distance in double by more than float lanes err. */
static bool is_overstated(const Filled *filled, const Query *query, uint32_t lane, double radius, double core)
{
    Vec3 corners[3];
    double size = core + vec3_length(vec3_of_vector(query->origin));
    for (uint32_t i = 0; i < 3; ++i)
    {
        corners[i] = vec3_of_vector(query->triangles[filled->candidates[lane].triangle][i]);
        size = larger(size, vec3_length(corners[i]));
    }
    double error = FLOAT_ERROR_FACTOR * FLOAT_ROUNDOFF * size;
    double distance = larger(sidle_contact_of_core(corners, core, vec3_of_vector(query->origin)).t, 0);
    double bound2 = batch_read(&filled->batch, filled->kernels, lane, FIELD_ANSWER);
    return bound2 < (double)INFINITY ? sqrt(bound2) > distance + error : distance < radius - error;
}

Test(closest_oracle, a_bound_of_the_distance_from_a_core_is_no_larger_than_the_distance)
{
    Random random = random_seeded(205);
    uint32_t count = query_count(100000), wrong = 0, useful = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Query drawn = query_drawn(&random), query = query_in_float(&drawn);
        double radius = draw_radius(&random, &query), core = random_scale(&random, 1e-2, 100.0);
        Filled filled;
        filled_set(&filled, &sidle_kernels_4, &query, NULL);
        filled.kernels->core_near(&filled.batch, vec3_of_vector(query.origin), radius, core);
        for (uint32_t lane = 0; lane < query.count; ++lane)
        {
            double bound2 = batch_read(&filled.batch, filled.kernels, lane, FIELD_ANSWER);
            wrong += !filled.candidates[lane].exact && is_overstated(&filled, &query, lane, radius, core);
            useful += bound2 > 0 && bound2 < (double)INFINITY;
        }
    }
    cr_expect_eq(wrong, 0, "%u bounds are too large", wrong);
    cr_expect(useful > count / 10, "too few bounds to show anything");
}

Test(closest_oracle, a_nan_corner_is_infinitely_far)
{
    const Kernels *const widths[3] = {&sidle_kernels_1, &sidle_kernels_4, &sidle_kernels_1d};
    Random random = random_seeded(204);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 3000; ++i)
    {
        Query query = query_drawn(&random);
        Vector *corner = &query.triangles[0][random_below(&random, 3)];
        double *coordinates[3] = {&corner->x, &corner->y, &corner->z};
        *coordinates[random_below(&random, 3)] = (double)NAN;
        Filled filled;
        filled_set(&filled, widths[i % 3], &query, NULL);
        filled.kernels->closest(&filled.batch, vec3_of_vector(query.origin), 1e30);
        wrong += batch_read(&filled.batch, filled.kernels, 0, FIELD_ANSWER) != (double)INFINITY;
    }
    cr_expect_eq(wrong, 0, "%u are near", wrong);
}

/* ---- contacts ---- */

static void corners_of(const Query *query, Vec3 corners[3])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        corners[corner] = vec3_of_vector(query->triangles[0][corner]);
    }
}

static Vector vector_of(Vec3 v)
{
    return vector(v.x, v.y, v.z);
}

static bool is_unit(Vector v)
{
    return fabs(vector_length(v) - 1.0) < 1e-12;
}

/* Relative to the size, and to how far a face of this roundness can be trusted. */
static double tolerance(const Query *query)
{
    return 1e-9 * query_size(query, 0);
}

Test(closest_oracle, the_closest_contact_is_the_closest_point)
{
    Random random = random_seeded(205);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 100000; ++i)
    {
        Query query = query_drawn(&random);
        OracleClosest closest = oracle_closest(query.triangles[0], query.origin);
        Vec3 corners[3], center = vec3_of_vector(query.origin);
        corners_of(&query, corners);
        KernelContact contact = sidle_contact_of_closest(corners, center, center);
        Vector point = vector_of(contact.point), normal = vector_of(contact.normal);
        Vector expected = vector_unit(vector_sub(query.origin, point));
        double farthest = closest_farthest(&query, 0, closest.distance, 0x1p-53);
        bool good = contact.t >= closest.distance - tolerance(&query) &&
                    contact.t <= farthest + tolerance(&query) &&
                    oracle_closest(query.triangles[0], point).distance <= tolerance(&query);
        if (closest.distance > 1e-6)
        {
            good = good && is_unit(normal) && vector_distance(normal, expected) < 1e-9;
        }
        if (!good && wrong++ < 8)
        {
            printf("WRONG: %.17g for %.17g, point (%g, %g, %g):", contact.t, closest.distance, point.x,
                   point.y, point.z);
            query_print(&query, 0);
        }
    }
    cr_expect_eq(wrong, 0, "%u of 100000", wrong);
}

/* On a face the centre has no direction of its own: the normal is the face's, towards where it came from. */
Test(closest_oracle, a_centre_on_a_face_is_pushed_back_to_where_it_came_from)
{
    Random random = random_seeded(206);
    for (uint32_t i = 0; i < 2000; ++i)
    {
        Vector v[3], place = {0, 0, 0};
        for (int corner = 0; corner < 3; ++corner)
        {
            double size = random_scale(&random, 1.0, 10.0);
            v[corner] = vector_scale(random_direction(&random), size);
            place = vector_along(place, 1.0 / 3.0, v[corner]);
        }
        if (oracle_roundness(v) < 0.1)
        {
            continue;
        }
        Vector face = vector_unit(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0])));
        double side = random_chance(&random, 0.5) ? 1.0 : -1.0;
        Vector previous = vector_along(place, 0.7 * side, face);
        Vec3 corners[3] = {vec3_of_vector(v[0]), vec3_of_vector(v[1]), vec3_of_vector(v[2])};
        KernelContact contact =
            sidle_contact_of_closest(corners, vec3_of_vector(place), vec3_of_vector(previous));
        cr_expect(vector_distance(vector_of(contact.normal), vector_scale(face, side)) < 1e-9);
    }
}

/* What a hit in double claims: touching within 1e-9 at a point of the triangle, the normal from there to the
 * centre. */
static bool contact_is_right(const Query *query, const KernelContact *contact)
{
    double radius = query_radius(query);
    Vector center = vector_along(query->origin, contact->t, query->direction);
    Vector point = vector_of(contact->point), normal = vector_of(contact->normal);
    Vector away = vector_sub(center, point);
    bool begins_inside = contact->t == 0.0;
    bool touches = begins_inside || fabs(vector_length(away) - radius) <= tolerance(query);
    return touches && contact->t >= 0.0 && contact->t <= query->length && is_unit(normal) &&
           oracle_closest(query->triangles[0], point).distance <= tolerance(query) &&
           (vector_length(away) < 1e-6 || vector_distance(vector_unit(away), normal) < 1e-7);
}

/* The oracle: the least distance decides whether there is a contact, unless it is a matter of rounding or of
 * the rule that leaves grazes out. */
static bool contact_is_missed(const Query *query)
{
    const Vector *v = query->triangles[0];
    double radius = query_radius(query), begin = oracle_closest(v, query->origin).distance;
    OracleApproach nearest = oracle_approach(v, query->origin, query->direction, query->length);
    double depth = fmin(begin, radius) - nearest.distance;
    return depth > query_graze_depth(query) + tolerance(query);
}

Test(closest_oracle, the_swept_contact_touches_where_it_says)
{
    Random random = random_seeded(207);
    uint32_t wrong = 0, hits = 0;
    for (uint32_t i = 0; i < 100000; ++i)
    {
        Query query = query_drawn(&random);
        SweepQuery asked = query_for_kernels(&query);
        Vec3 corners[3];
        corners_of(&query, corners);
        KernelContact contact;
        bool hit = sidle_contact_of_sweep(corners, &asked, &contact);
        hits += hit;
        if ((hit ? !contact_is_right(&query, &contact) : contact_is_missed(&query)) && wrong++ < 8)
        {
            printf("WRONG: %s at %.17g, feature %d:", hit ? "hit" : "miss", contact.t, (int)contact.feature);
            query_print(&query, 0);
        }
    }
    cr_expect(hits > 20000, "only %u hits", hits);
    cr_expect_eq(wrong, 0, "%u of 100000", wrong);
}
