/* Free places near others: they are free by every triangle, and hardly farther than an exhaustive search finds them.
 * SIDLE_PLACES says how many are compared. */
#include "support/free_grid.h"
#include "support/scene.h"
#include "tools/level.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDE 1.02 /* a shape with its clearance */

static sidle_position position_of(Vector v)
{
    return (sidle_position){v.x, v.y, v.z};
}

static Vector vector_of(sidle_position p)
{
    return vector(p.x, p.y, p.z);
}

static bool find(const Scene *scene, const sidle_shape *shape, Vector center, double radius, Vector *out)
{
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = {.center = position_of(center), .shape = *shape},
                            .radius = (float)radius};
    sidle_position found;
    uint32_t any;
    demand(sidle_place_find_free(scene->snapshot, 0, &desc, &found, &any), "sidle_place_find_free");
    *out = vector_of(found);
    return any;
}

/* Walls, a floor, a shelf, a post: a room with furniture. */
static Soup room(void)
{
    Soup soup = {0};
    soup_plate(&soup, -3, 3, -3, 3, 0);
    soup_plate(&soup, -3, 3, -3, 3, 3);
    soup_plate(&soup, -1, 1, -1, 1, 1.2);
    for (int side = 0; side < 4; ++side)
    {
        double c = side % 2 ? 0 : side - 1, s = side % 2 ? side - 2 : 0;
        Vector a = vector(3 * c - 3 * s, 0, 3 * s + 3 * c), b = vector(3 * c + 3 * s, 0, 3 * s - 3 * c);
        soup_quad(&soup, a, b, vector_add(b, vector(0, 3, 0)), vector_add(a, vector(0, 3, 0)));
        Vector p = vector_scale(vector_add(vector_scale(a, .5), b), .1),
               q = vector_scale(vector_add(vector_scale(b, .5), a), .1);
        soup_quad(&soup, p, q, vector_add(q, vector(0, 1.2, 0)), vector_add(p, vector(0, 1.2, 0)));
    }
    return soup;
}

typedef struct Compared
{
    double worst, sum;
    uint32_t count, places;
} Compared;

static uint32_t place_count(uint32_t otherwise)
{
    const char *given = getenv("SIDLE_PLACES");
    return given ? (uint32_t)atoi(given) : otherwise;
}

/* Adds one place, with every second shape. */
static void compare(const Scene *scene, const FreeGrid *grid, Vector center, Compared *compared)
{
    static const sidle_shape shapes[2] = {{{.4f, .4f, .4f}, 0}, {{.3f, .3f, .3f}, .5f}};
    const sidle_shape *shape = &shapes[compared->places++ % 2];
    double radius = grid->radius + .1;
    Soup near = soup_near(&scene->soup, center, radius + 1);
    Vector out;
    double nearest = free_grid_nearest(grid, &near, shape, WIDE, center), wide = INFINITY;
    bool found = find(scene, shape, center, radius, &out);
    if (found)
    {
        wide = free_room(&near, shape, out);
    }
    soup_free(&near);
    cr_expect(found || nearest == INFINITY, "%g %g %g: none found, %g away by the grid", center.x, center.y,
              center.z, nearest);
    if (!found)
    {
        return;
    }
    cr_expect(wide >= 1.019, "%g %g %g: is not free", center.x, center.y, center.z);
    if (nearest < INFINITY)
    {
        double ratio = vector_distance(center, out) / fmax(nearest, 2 * grid->step);
        cr_expect(ratio < 1.1, "%g %g %g: %g times as far as %g", center.x, center.y, center.z, ratio,
                  nearest);
        compared->worst = fmax(compared->worst, ratio);
        compared->sum += ratio;
        ++compared->count;
    }
}

static void print_compared(const Compared *compared, const char *where)
{
    printf(
        "find_free: %u places in %s, %u free within reach, at most %.3f times as far as the nearest of the "
        "grid, %.3f on average\n",
        compared->places, where, compared->count, compared->worst, compared->sum / compared->count);
    cr_expect(compared->count > compared->places / 2);
}

Test(find_free, places_are_free_and_hardly_farther_than_the_nearest)
{
    Scene scene = scene_of(room(), flying_ball());
    FreeGrid grid = free_grid_of(1.2, .08);
    Random random = random_seeded(41);
    Compared compared = {0};
    while (compared.places < place_count(1000))
    {
        compare(&scene, &grid, random_in_box(&random, vector(-3.2, -.2, -3.2), vector(3.2, 3.2, 3.2)),
                &compared);
    }
    print_compared(&compared, "a furnished room");
    free_grid_free(&grid);
    scene_close(&scene);
}

static Soup city(void)
{
    Level level;
    char message[256];
    cr_assert(level_load("gen:city", NULL, &level, message, sizeof message), "%s", message);
    Soup soup = {0};
    for (uint32_t i = 0; i < level.triangle_count; ++i)
    {
        Vector v[3];
        for (int k = 0; k < 3; ++k)
        {
            const double *at = &level.vertices[3 * (size_t)level.indices[3 * (size_t)i + (size_t)k]];
            v[k] = vector(at[0], at[1], at[2]);
        }
        soup_triangle(&soup, v[0], v[1], v[2]);
    }
    level_free(&level);
    return soup;
}

/* Near the surface of a triangle: one of all, so mostly furniture, or one that is drawn by size, so walls and floors. */
static Vector near_a_triangle(const Soup *soup, Random *random, bool by_size)
{
    const Vector *v;
    double area;
    do
    {
        v = soup->triangles[random_below(random, (uint32_t)soup->count)].v;
        area = vector_length(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0]))) / 2;
    }
    while (by_size && area < random_unit(random) * 20);
    double s = sqrt(random_unit(random)), t = random_unit(random);
    Vector on = vector_add(vector_scale(v[0], 1 - s),
                           vector_add(vector_scale(v[1], s * (1 - t)), vector_scale(v[2], s * t)));
    return vector_add(on, vector_scale(random_direction(random), random_between(random, 0, .8)));
}

Test(find_free, places_in_a_city_are_free_and_hardly_farther_than_the_nearest)
{
    Scene scene = scene_of(city(), flying_ball());
    FreeGrid grid = free_grid_of(1.2, .05);
    Random random = random_seeded(43);
    Compared compared = {0};
    while (compared.places < place_count(1000))
    {
        compare(&scene, &grid, near_a_triangle(&scene.soup, &random, compared.places % 4 < 2), &compared);
    }
    print_compared(&compared, "a city");
    free_grid_free(&grid);
    scene_close(&scene);
}

/* On ground beside walls and furniture the clearance holds on all sides, too. */
Test(find_free, places_on_ground_in_a_city_are_free)
{
    Scene scene = scene_of(city(), flying_ball());
    Random random = random_seeded(44);
    uint32_t count = 0, places = place_count(1000);
    for (uint32_t i = 0; i < places; ++i)
    {
        Vector center = near_a_triangle(&scene.soup, &random, i % 2);
        sidle_free_desc desc = {.size = sizeof desc,
                                .place = {.center = position_of(center), .shape = {{.3f, .3f, .3f}, .5f}},
                                .radius = 2,
                                .drop = 2};
        sidle_position out;
        uint32_t found;
        demand(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), "sidle_place_find_free");
        Soup near = soup_near(&scene.soup, vector_of(out), 1);
        double wide = free_room(&near, &desc.place.shape, vector_of(out));
        soup_free(&near);
        cr_expect(!found || (wide >= 1.019 && wide < 1.021), "%g %g %g: %g wide", center.x, center.y,
                  center.z, wide);
        count += found;
    }
    cr_expect(count > places / 2, "%u of %u", count, places);
    scene_close(&scene);
}

Test(find_free, a_free_place_is_its_own_answer)
{
    Scene scene = scene_of(room(), flying_ball());
    const sidle_shape shape = {{.4f, .4f, .4f}, 0};
    Vector center = vector(2, 1.5, 1), out;
    cr_expect(find(&scene, &shape, center, 0, &out) && vector_same_bits(out, center));
    scene_close(&scene);
}

/* The clearance alone is missing. */
Test(find_free, a_place_that_hardly_touches_is_left_by_as_little)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 9, -9, 9, 0);
    Scene scene = scene_of(soup, flying_ball());
    const sidle_shape shape = {{.4f, .4f, .4f}, 0};
    for (double depth = 1e-6; depth < .1; depth *= 10) /* above the rounding of the radius */
    {
        Vector center = vector(0, .408 - depth, 0), out;
        cr_expect(find(&scene, &shape, center, .2, &out) && out.y > center.y &&
                      out.y < center.y + depth + 1e-5,
                  "%g deep: up by %g", depth, out.y - center.y);
    }
    scene_close(&scene);
}

Test(find_free, nothing_is_found_where_nothing_fits)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 9, -9, 9, 0);
    soup_plate(&soup, -9, 9, -9, 9, .5);
    Scene scene = scene_of(soup, flying_ball());
    const sidle_shape shape = {{.4f, .4f, .4f}, 0};
    Vector out;
    cr_expect_not(find(&scene, &shape, vector(0, .25, 0), .5, &out), "between two plates");
    cr_expect(find(&scene, &shape, vector(0, .25, 0), 2, &out) && fabs(out.y - .25) > .6,
              "above them or below");
    scene_close(&scene);
}

Test(find_free, on_ground_a_shape_stands_on_walkable_ground)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 0, -9, 9, 0);
    soup_quad(&soup, vector(0, 0, 9), vector(5, 10, 9), vector(5, 10, -9), vector(0, 0, -9)); /* 63 degrees */
    Scene scene = scene_of(soup, flying_ball());
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = {.center = {-2, .1, 0}, .shape = {{.4f, .4f, .4f}, .5f}},
                            .radius = 3,
                            .drop = 2};
    sidle_position out;
    uint32_t found;
    demand(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), "in the floor");
    double height = .9 + .4 * .02;
    cr_expect(found && fabs(out.y - height) < 1e-3 && fabs(out.x + 2) < 1e-6, "%g %g", out.x, out.y);
    desc.place.center = (sidle_position){3, 7, 0}; /* in the air above the slope */
    demand(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), "above a slope");
    cr_expect_not(found, "the slope is too steep");
    desc.max_slope_cos = .3f;
    demand(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), "above a slope");
    cr_expect(found && free_room(&scene.soup, &desc.place.shape, vector_of(out)) > 1.015);
    scene_close(&scene);
}

/* A cast passes the back of the ceiling, and ends where the ceiling is within the shape. */
Test(find_free, on_ground_a_shape_is_in_no_face_that_it_has_passed)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 9, -9, 9, .5);
    soup_quad(&soup, vector(-9, 1, -9), vector(9, 1, -9), vector(9, 1, 9), vector(-9, 1, 9)); /* faces down */
    SceneOptions options = flying_ball();
    options.instance_flags = SIDLE_INSTANCE_ONE_SIDED;
    Scene scene = scene_of(soup, options);
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = {.center = {0, 2, 0}, .shape = {{.4f, .4f, .4f}, 0}},
                            .radius = 1,
                            .drop = 3};
    sidle_position out;
    uint32_t found;
    demand(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), "sidle_place_find_free");
    cr_expect_not(found, "%g %g %g", out.x, out.y, out.z);
    scene_close(&scene);
}

Test(find_free, on_ground_a_place_beside_nothing_is_found)
{
    Soup soup = {0};
    soup_plate(&soup, 0, 9, -9, 9, 0);
    Scene scene = scene_of(soup, flying_ball());
    sidle_free_desc desc = {.size = sizeof desc,
                            .place = {.center = {-1, 1, 0}, .shape = {{.3f, .3f, .3f}, .3f}},
                            .radius = 4,
                            .drop = 2};
    sidle_position out;
    uint32_t found;
    demand(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), "sidle_place_find_free");
    cr_expect(found && out.x > -.3 && out.x < 1 && fabs(out.y - .606) < 1e-2, "%g %g %g", out.x, out.y,
              out.z);
    scene_close(&scene);
}

Test(find_free, a_call_that_is_refused_changes_nothing)
{
    Scene scene = scene_of(room(), flying_ball());
    sidle_free_desc desc = {.size = sizeof desc, .place.shape = {{.4f, .4f, .4f}, 0}, .radius = NAN};
    sidle_place bad = {.center = {NAN, 0, 0}, .shape = {{.4f, .4f, .4f}, 0}};
    sidle_cast cast = {.origin = {NAN, 0, 0}};
    sidle_position out = {7, 7, 7};
    sidle_closest closest = {.found = 77};
    sidle_inside inside = {.found = 77};
    uint32_t found = 77;
    cr_expect_neq(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), SIDLE_OK);
    cr_expect_neq(sidle_place_overlaps(scene.snapshot, 0, &bad, NULL, 0, &found), SIDLE_OK);
    cr_expect_neq(sidle_cast_all(scene.snapshot, 0, &cast, NULL, 0, &found), SIDLE_OK);
    cr_expect_neq(sidle_place_closest(scene.snapshot, 0, &bad, 1, &closest), SIDLE_OK);
    cr_expect_neq(sidle_place_inside(scene.snapshot, 0, &bad, &inside), SIDLE_OK);
    cr_expect(out.x == 7 && found == 77 && closest.found == 77 && inside.found == 77);
    scene_close(&scene);
}

/* Crouching: taller by .8 m with the same foot, under a slab and beside it. */
Test(find_free, a_person_stands_up_where_there_is_room)
{
    Soup soup = {0};
    soup_plate(&soup, -9, 9, -9, 9, 0);
    soup_plate(&soup, 0, 9, -9, 9, 1.2);
    Scene scene = scene_of(soup, flying_ball());
    for (uint32_t i = 0; i < 2; ++i)
    {
        sidle_place standing = {.center = {i ? 4 : -4, .91, 0}, .shape = {{.4f, .4f, .4f}, .5f}};
        uint32_t count;
        demand(sidle_place_overlaps(scene.snapshot, 0, &standing, NULL, 1, &count), "sidle_place_overlaps");
        cr_expect_eq(count, i, "stands up %s", i ? "under a slab" : "beside it");
    }
    scene_close(&scene);
}

Test(find_free, invalid_requests_are_refused)
{
    Scene scene = scene_of(room(), flying_ball());
    const sidle_free_desc good = {.size = sizeof good, .place.shape = {{.4f, .4f, .4f}, 0}, .radius = 1};
    sidle_free_desc desc = good;
    sidle_position out;
    uint32_t found;
    desc.size = 8;
    cr_expect_eq(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), SIDLE_ERROR_ARGUMENT);
    desc = good;
    desc.place.flags = SIDLE_PLACE_BOX;
    cr_expect_eq(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), SIDLE_ERROR_UNSUPPORTED);
    desc = good;
    desc.radius = NAN;
    cr_expect_eq(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), SIDLE_ERROR_NOT_FINITE);
    desc = good;
    desc.drop = -1;
    cr_expect_eq(sidle_place_find_free(scene.snapshot, 0, &desc, &out, &found), SIDLE_ERROR_LIMIT);
    scene_close(&scene);
}
