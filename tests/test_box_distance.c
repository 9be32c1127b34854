/* The distance between a box and a triangle. A distance is proven by its contact: the point lies on the triangle and as far from the
 * box, and a plane separates them by as much. SIDLE_QUERIES says how many. */
#include "query/box.h"

#include "support/exits.h"
#include "support/oracle.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

/* Errors, relative to the size: of the largest coordinate. Slivers have an uncertain face; more than RARE only beside them. */
#define PROVEN 1e-8
#define RARE   1e-12

/* By how far the box is beyond the triangle along n. */
static double gap_along(const Vec3 corners[3], Extents box, Vec3 n)
{
    double most = -INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        most = larger(most, vec3_dot(n, corners[i]));
    }
    return -vec3_dot(vec3_abs(n), box.half) - most;
}

static Vector vector_of(Vec3 v)
{
    return vector(v.x, v.y, v.z);
}

static double distance_to_box(Vec3 p, Vec3 half)
{
    Vec3 out = vec3_larger(vec3_sub(vec3_abs(p), half), vec3(0, 0, 0));
    return vec3_length(out);
}

static void draw(Random *random, Vec3 corners[3], Vec3 *half)
{
    Query query = query_drawn(random);
    double size = random_scale(random, 1e-3, 1e3), sides[3];
    for (int i = 0; i < 3; ++i)
    {
        sides[i] = random_chance(random, .2) ? 1 : random_scale(random, .1, 10);
    }
    *half = vec3_scale(vec3(sides[0], sides[1], sides[2]), size);
    for (int i = 0; i < 3; ++i)
    {
        Vector v = vector_sub(query.triangles[0][i], query.origin);
        corners[i] = vec3_scale(vec3(v.x, v.y, v.z), size * (random_chance(random, .01) ? 1 + 1e-12 : 1));
    }
}

static double error_of(const Vec3 corners[3], Vec3 half, const KernelContact *contact)
{
    Vector v[3] = {vector_of(corners[0]), vector_of(corners[1]), vector_of(corners[2])};
    double error = fabs(gap_along(corners, (Extents){half, 0}, contact->normal) - contact->t);
    error = larger(error, oracle_closest(v, vector_of(contact->point)).distance);
    /* Moved out of an overlap, the point touches the box. */
    Vec3 point = vec3_add_scaled(contact->point, contact->normal, lesser(contact->t, 0));
    error = larger(error, fabs(distance_to_box(point, half) - larger(contact->t, 0)));
    return error / pair_size(corners, (Extents){half, 0}) + fabs(vec3_length(contact->normal) - 1);
}

static void report(const char *what, const Vec3 corners[3], Vec3 half, const KernelContact *contact)
{
    printf("%s: half %a %a %a", what, half.x, half.y, half.z);
    for (int i = 0; i < 3; ++i)
    {
        printf(", corner %a %a %a", corners[i].x, corners[i].y, corners[i].z);
    }
    printf("; t %g, normal %g %g %g\n", contact->t, contact->normal.x, contact->normal.y, contact->normal.z);
}

Test(box_distance, each_distance_is_proven_by_its_contact)
{
    Random random = random_seeded(64);
    uint32_t count = query_count(100000), wrong = 0, apart = 0, rare = 0;
    double worst = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vec3 corners[3], half;
        draw(&random, corners, &half);
        KernelContact contact = sidle_contact_of_box(corners, half);
        double error = error_of(corners, half, &contact);
        apart += contact.t > 0;
        worst = larger(worst, error);
        rare += error > RARE;
        if (!(error <= PROVEN) && wrong++ < 8)
        {
            report("no proof", corners, half, &contact);
        }
    }
    printf("the largest error is %.2g of the size; %u are above %g\n", worst, rare, RARE);
    cr_expect(wrong == 0 && rare <= count / 1000, "%u and %u of %u", wrong, rare, count);
    cr_expect(apart > count / 5 && apart < count - count / 5, "%u of %u are apart", apart, count);
}

Test(box_distance, no_displacement_out_of_an_overlap_is_shorter)
{
    Random random = random_seeded(66);
    uint32_t count = query_count(100000) / 20, overlapping = 0, longer = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vec3 corners[3], half;
        draw(&random, corners, &half);
        KernelContact contact = sidle_contact_of_box(corners, half);
        if (contact.t < 0)
        {
            ++overlapping;
            if (-contact.t > shortest_exit(gap_along, corners, (Extents){half, 0}) +
                                 RARE * pair_size(corners, (Extents){half, 0}))
            {
                report("a longer exit", corners, half, &contact);
                ++longer;
            }
        }
    }
    cr_expect(overlapping > count / 5 && longer == 0, "%u of %u", longer, overlapping);
}
