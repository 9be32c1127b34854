/* The distance between an ellipsoid, or a capsule with elliptic ends, and a triangle. A distance is proven by its contact: the point lies
 * on the triangle and as far from the shape, and the whole triangle is beyond a plane as far from it. All in long double. SIDLE_QUERIES says how many. */
#include "query/ellipsoid.h"

#include "support/exits.h"
#include "support/oracle_core.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>

/* Errors, relative to the size: of the largest coordinate and radius. More than RARE only at slivers, whose normal is that uncertain, and
 * where a corner and an edge are equally near. */
#define PROVEN 1e-8
#define RARE   1e-12

/* By how far the triangle is beyond the shape along n. */
static double gap_along(const Vec3 corners[3], Extents shape, Vec3 n)
{
    Vec3 radii = shape.half;
    long double core = (long double)shape.core * fabsl((long double)n.y);
    long double x = (long double)n.x, y = (long double)n.y, z = (long double)n.z, least = INFINITY;
    for (int i = 0; i < 3; ++i)
    {
        Vec3 v = corners[i];
        least = fminl(least, x * (long double)v.x + y * (long double)v.y + z * (long double)v.z);
    }
    x *= (long double)radii.x;
    y *= (long double)radii.y;
    z *= (long double)radii.z;
    return (double)(least - sqrtl(x * x + y * y + z * z) - core);
}

static double level_of(Extents shape, Vec3 p)
{
    Vec3 radii = shape.half;
    p.y -= larger(lesser(p.y, shape.core), -shape.core);
    long double x = (long double)p.x / (long double)radii.x, y = (long double)p.y / (long double)radii.y,
                z = (long double)p.z / (long double)radii.z;
    return (double)sqrtl(x * x + y * y + z * z);
}

/* A triangle as the kernels' queries draw them, and a shape of any aspect. */
static void draw(Random *random, Vec3 corners[3], Extents *shape)
{
    Query query = query_drawn(random);
    double size = random_scale(random, 1e-3, 1e3), axes[3];
    for (int i = 0; i < 3; ++i)
    {
        axes[i] = random_chance(random, .2) ? 1 : random_scale(random, .1, 10);
    }
    shape->half = vec3_scale(vec3(axes[0], axes[1], axes[2]), size);
    shape->core = random_chance(random, .5) ? 0 : size * random_scale(random, .1, 10);
    for (int i = 0; i < 3; ++i)
    {
        corners[i] = vec3_of_vector(vector_sub(query.triangles[0][i], query.origin));
        corners[i] = vec3_scale(
            random_chance(random, .3) ? vec3_mul(corners[i], vec3(1, axes[1], axes[2])) : corners[i], size);
    }
}

static bool overlaps(const Vec3 corners[3], Extents shape)
{
    Vector v[3], core = {0, shape.core / shape.half.y, 0};
    Vec3 radii = shape.half;
    for (int i = 0; i < 3; ++i)
    {
        v[i] = vector(corners[i].x / radii.x, corners[i].y / radii.y, corners[i].z / radii.z);
    }
    return oracle_core(v, core, vector(0, 0, 0)).distance < 1;
}

static void report(const char *what, const Vec3 corners[3], Extents shape, const KernelContact *contact)
{
    printf("WRONG: %s, distance %a, radii %a %a %a, core %a", what, contact->t, shape.half.x, shape.half.y,
           shape.half.z, shape.core);
    for (int i = 0; i < 3; ++i)
    {
        printf(", %a %a %a", corners[i].x, corners[i].y, corners[i].z);
    }
    printf("\n");
}

/* The largest error of a claim, relative to the size. */
static double error_of(const Vec3 corners[3], Extents shape, const KernelContact *contact, bool overlap)
{
    double size = pair_size(corners, shape);
    double error = fabs(vec3_length(contact->normal) - 1) * size;
    error = larger(error, contact->t - gap_along(corners, shape, vec3_scale(contact->normal, -1)));
    if (!overlap)
    {
        Vector v[3], p = {contact->point.x, contact->point.y, contact->point.z};
        for (int i = 0; i < 3; ++i)
        {
            v[i] = vector(corners[i].x, corners[i].y, corners[i].z);
        }
        Vec3 on = vec3_add_scaled(contact->point, contact->normal, contact->t);
        double beyond = (level_of(shape, on) - 1) * vec3_max_component(shape.half);
        error = larger(error, larger(oracle_closest(v, p).distance, beyond));
    }
    return error / size;
}

Test(ellipsoid_distance, each_distance_is_proven_by_its_contact)
{
    Random random = random_seeded(61);
    uint32_t count = query_count(100000), wrong = 0, apart = 0, rare = 0;
    double worst = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vec3 corners[3];
        Extents shape;
        draw(&random, corners, &shape);
        bool overlap = overlaps(corners, shape);
        KernelContact contact = sidle_contact_of_ellipsoid(corners, shape.half, shape.core,
                                                           overlap ? ELLIPSOID_OVERLAPS : ELLIPSOID_APART);
        double error = error_of(corners, shape, &contact, overlap);
        apart += !overlap;
        worst = larger(worst, error);
        rare += error > RARE;
        if (!(error <= PROVEN) && wrong++ < 8)
        {
            report("no proof", corners, shape, &contact);
        }
    }
    printf("the largest error is %.2g of the size; %u are above %g\n", worst, rare, RARE);
    cr_expect(wrong == 0 && rare <= count / 10000, "%u and %u of %u", wrong, rare, count);
    cr_expect(apart > count / 5 && apart < count - count / 5, "%u of %u are apart", apart, count);
}

Test(ellipsoid_distance, no_displacement_out_of_an_overlap_is_shorter)
{
    Random random = random_seeded(63);
    uint32_t count = query_count(100000) / 20, overlapping = 0, longer = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vec3 corners[3];
        Extents shape;
        draw(&random, corners, &shape);
        if (!overlaps(corners, shape))
        {
            continue;
        }
        KernelContact contact =
            sidle_contact_of_ellipsoid(corners, shape.half, shape.core, ELLIPSOID_OVERLAPS);
        ++overlapping;
        if (-contact.t > shortest_exit(gap_along, corners, shape) + RARE * pair_size(corners, shape))
        {
            report("a longer exit", corners, shape, &contact);
            ++longer;
        }
    }
    cr_expect(overlapping > count / 5 && longer == 0, "%u of %u", longer, overlapping);
}
