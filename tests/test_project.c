/* The projection of a displacement on what contacts leave free depends on the set of contacts alone. */
#include "crowd/project.h"
#include "support/queries.h"
#include "support/random.h"

#include <criterion/criterion.h>

#define MOST_PLANES 8

typedef struct Cone
{
    Vec3 v, m[MOST_PLANES];
    uint32_t count;
} Cone;

static void add_plane(Cone *cone, double x, double y, double z)
{
    cone->m[cone->count++] = vec3_normalize(vec3(x, y, z));
}

static void swap_planes(Cone *cone, uint32_t i, uint32_t j)
{
    Vec3 kept = cone->m[i];
    cone->m[i] = cone->m[j];
    cone->m[j] = kept;
}

static void shuffle(Cone *cone, Random *random)
{
    for (uint32_t i = cone->count; i > 1; --i)
    {
        swap_planes(cone, i - 1, random_below(random, i));
    }
}

/* To the bit, but for the sign of a zero. */
static bool is_same(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* A floor and a ceiling leave a plane free that a second ceiling, 1e-7 off, takes away again except for what
 * rounding forgives. Of two walls in that plane each leads aside, both as far. */
Test(project, between_a_floor_and_a_ceiling_the_order_of_planes_changes_no_direction)
{
    Cone cone = {.v = vec3(0, 0, -1)};
    add_plane(&cone, 1, 1, 1);
    add_plane(&cone, -1, -1, -1);
    add_plane(&cone, -1, -1, -1 + 3e-7);
    add_plane(&cone, 1, 0, 0);
    add_plane(&cone, 0, 1, 0);
    Vec3 first = sidle_project(cone.v, cone.m, cone.count);
    cr_assert_float_eq(vec3_length2(first), .5, 1e-6, "%g: no longer two paths as long", vec3_length2(first));
    swap_planes(&cone, 3, 4);
    Vec3 second = sidle_project(cone.v, cone.m, cone.count);
    cr_expect(is_same(first, second), "(%g %g %g), then (%g %g %g)", first.x, first.y, first.z, second.x,
              second.y, second.z);
}

/* Planes that lie over one another, opposite or across, up to millionths, as levels have them. */
static Cone awkward_cone(Random *random)
{
    Cone cone = {.count = 0};
    Vector v = random_direction(random);
    cone.v = random_chance(random, .5) ? vec3(v.x, v.y, v.z) : vec3(0, 0, -1);
    uint32_t count = 2 + random_below(random, MOST_PLANES - 1);
    while (cone.count < count)
    {
        double x = (double)random_below(random, 3) - 1, y = (double)random_below(random, 3) - 1;
        double z = (double)random_below(random, 3) - 1;
        if (x != 0 || y != 0 || z != 0)
        {
            double little = random_chance(random, .3) ? random_scale(random, 1e-9, 1e-3) : 0;
            Vector off = random_direction(random);
            add_plane(&cone, x + little * off.x, y + little * off.y, z + little * off.z);
        }
    }
    return cone;
}

Test(project, the_order_of_the_planes_changes_no_bit)
{
    Random random = random_seeded(5);
    uint32_t count = query_count(100000), held = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Cone cone = awkward_cone(&random);
        Vec3 first = sidle_project(cone.v, cone.m, cone.count);
        held += vec3_length2(first) < 1 - 1e-6 && vec3_length2(first) > 0;
        for (int order = 0; order < 4; ++order)
        {
            shuffle(&cone, &random);
            Vec3 again = sidle_project(cone.v, cone.m, cone.count);
            cr_assert(is_same(first, again), "cone %u: (%g %g %g), then (%g %g %g)", i, first.x, first.y,
                      first.z, again.x, again.y, again.z);
        }
    }
    cr_expect(held > count / 10, "only %u of %u cones hold something back", held, count);
}
