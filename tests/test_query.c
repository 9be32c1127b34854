/* Casts against an oracle in double that looks at every triangle. */
#include "support/casts_expected.h"

static const sidle_pose as_it_is = {.position = {0, 0, 0}};

/* ---- worlds ---- */

static sidle_pose random_pose(Random *random, double far, double least_scale, double greatest_scale)
{
    Vector p = vector_scale(random_direction(random), far), axis = random_direction(random);
    sidle_pose pose = {.position = {p.x, p.y, p.z}};
    pose.rotation =
        (sidle_quat){(float)axis.x, (float)axis.y, (float)axis.z, (float)random_between(random, -1, 1)};
    float *scale[3] = {&pose.scale.x, &pose.scale.y, &pose.scale.z};
    for (int i = 0; i < 3; ++i)
    {
        *scale[i] =
            (float)(random_scale(random, least_scale, greatest_scale) * (random_chance(random, .5) ? 1 : -1));
    }
    return pose;
}

static const CastStyle balls = {
    .least_radius = .02, .greatest_radius = .6, .aspect = 1, .shortest = .01, .longest = 50};
static const CastStyle ellipsoids = {
    .least_radius = .02, .greatest_radius = .3, .aspect = 8, .shortest = .01, .longest = 50};
static const CastStyle rays = {.rays = true, .shortest = .01, .longest = 50};

/* ---- against the oracle ---- */

Test(casts, balls_in_a_soup_agree_with_the_oracle)
{
    Random random = random_seeded(1);
    check_casts("balls in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &balls, 2, 20000);
}

Test(casts, ellipsoids_in_a_soup_agree_with_the_oracle)
{
    Random random = random_seeded(3);
    check_casts("ellipsoids in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &ellipsoids, 4, 20000);
}

Test(casts, rays_in_a_soup_agree_with_the_oracle)
{
    Random random = random_seeded(5);
    check_casts("rays in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &rays, 6, 100000);
}

static uint32_t believed(const CastScene *scene, const sidle_cast *cast, const sidle_cast_hit *lies,
                         size_t count)
{
    CastTally tally = {0};
    uint32_t some = 0;
    for (size_t i = 0; i < count; ++i)
    {
        some += cast_checked(&tally, scene, cast, &lies[i]);
    }
    return some;
}

Test(casts, a_wrong_answer_is_reported)
{
    const CastStyle *const styles[2] = {&balls, &rays};
    Random random = random_seeded(6);
    CastScene scene = cast_scene_of(cast_soup(&random, 150, 10, .05));
    for (int i = 0; i < 2; ++i)
    {
        enum
        {
            LIES = 9
        };
        sidle_cast cast = {.displacement = {0, 0, 0}};
        sidle_cast_hit hit = {.hit = SIDLE_CAST_MISS}, lies[LIES];
        const sidle_cast_hit miss = {.hit = SIDLE_CAST_MISS, .t = 1};
        bool is_sure = false; /* a ray that passes an edge may as well miss */
        for (int tries = 0; tries < 1000 && !is_sure; ++tries)
        {
            cast = cast_drawn(&random, &scene, styles[i]);
            hit = cast_asked(&scene, &cast);
            is_sure =
                hit.hit == SIDLE_CAST_HIT && hit.t > .1 && hit.t < .9 && !believed(&scene, &cast, &miss, 1);
        }
        cr_expect_eq(believed(&scene, &cast, &hit, 1), 1, "the truth");
        for (int lie = 0; lie < LIES; ++lie)
        {
            lies[lie] = hit;
        }
        lies[0].t = NAN;
        lies[1].t += 1e-2;
        lies[2].t -= 1e-2;
        lies[3].point.y = NAN;
        lies[4].point.x += 1e-2;
        lies[5].normal.z = NAN;
        lies[6].normal = (sidle_vec3){-hit.normal.x, -hit.normal.y, -hit.normal.z};
        lies[7].triangle += 1;
        lies[8] = miss;
        cr_expect_eq(believed(&scene, &cast, lies, LIES), 0);
    }
    cast_scene_close(&scene);
}

Test(casts, balls_on_needles_segments_and_points_agree_with_the_oracle)
{
    Random random = random_seeded(7);
    check_casts("balls on needles", cast_scene_of(cast_needles(&random, 150)), &balls, 8, 20000);
}

Test(casts, balls_over_a_terrain_and_a_grid_agree_with_the_oracle)
{
    Soup terrain = {0}, grid = {0};
    soup_terrain(&terrain, 12, 1, .6, 9);
    soup_grid(&grid, 12, .5, 0);
    soup_round(&terrain);
    check_casts("balls over terrain", cast_scene_of(terrain), &balls, 10, 10000);
    check_casts("balls over a grid", cast_scene_of(grid), &balls, 11, 10000);
}

/* Many small meshes, turned, stretched, mirrored, far away. */
static CastScene crowded_scene(uint64_t seed, double far, double least_scale, double greatest_scale)
{
    Random random = random_seeded(seed);
    CastScene scene = cast_scene();
    sidle_pose middle = random_pose(&random, far, 1, 1);
    for (uint64_t i = 0; i < 30; ++i)
    {
        sidle_pose pose = random_pose(&random, 4, least_scale, greatest_scale);
        pose.position.x += middle.position.x;
        pose.position.y += middle.position.y;
        pose.position.z += middle.position.z;
        cast_scene_add(&scene, cast_soup(&random, 6, 2, .2), &pose, 1000 - i);
    }
    cast_scene_commit(&scene);
    return scene;
}

Test(casts, turned_stretched_and_mirrored_instances_agree_with_the_oracle)
{
    check_casts("balls among instances", crowded_scene(20, 0, .3, 3), &balls, 21, 20000);
    check_casts("ellipsoids among instances", crowded_scene(22, 0, .3, 3), &ellipsoids, 23, 20000);
    check_casts("rays among instances", crowded_scene(24, 0, .3, 3), &rays, 25, 50000);
}

/* Turned against each other, flat shapes and squeezed instances leave float few digits: double must take
 * over. */
Test(casts, flat_ellipsoids_among_squeezed_instances_agree_with_the_oracle)
{
    static const CastStyle flat = {
        .least_radius = 1e-3, .greatest_radius = .05, .aspect = 100, .shortest = .1, .longest = 1e3};
    check_casts("flat ellipsoids", crowded_scene(60, 0, .02, 20), &flat, 61, 10000);
    check_casts("balls among squeezed", crowded_scene(62, 0, .02, 20), &balls, 63, 10000);
    check_casts("rays among squeezed", crowded_scene(64, 0, .02, 20), &rays, 65, 20000);
}

Test(casts, far_from_the_origin_nothing_gets_worse)
{
    check_casts("balls far out", crowded_scene(26, 1e7, .5, 2), &balls, 27, 10000);
    check_casts("rays far out", crowded_scene(28, 1e7, .5, 2), &rays, 29, 20000);
}

static CastScene scaled_scene(uint64_t seed, double factor)
{
    Random random = random_seeded(seed);
    Soup soup = cast_soup(&random, 100, 8, .1);
    soup_stretch(&soup, vector(factor, factor, factor));
    return cast_scene_of(soup);
}

Test(casts, tiny_and_huge_worlds_agree_with_the_oracle)
{
    double tiny = 0x1p-4, huge = 0x1p14;
    CastStyle small = balls, large = balls, small_rays = rays, large_rays = rays;
    small.least_radius *= tiny;
    small.greatest_radius *= tiny;
    large.least_radius *= huge;
    large.greatest_radius *= huge;
    small_rays.shortest *= tiny;
    small_rays.longest *= tiny;
    large_rays.shortest *= huge;
    large_rays.longest *= huge;
    check_casts("tiny balls", scaled_scene(30, tiny), &small, 31, 5000);
    check_casts("huge balls", scaled_scene(32, huge), &large, 33, 5000);
    check_casts("tiny rays", scaled_scene(34, tiny), &small_rays, 35, 20000);
    check_casts("huge rays", scaled_scene(36, huge), &large_rays, 37, 20000);
}

/* What float cannot serve: small shapes, long paths, large triangles. */
Test(casts, very_long_casts_of_small_balls_agree_with_the_oracle)
{
    static const CastStyle long_casts = {
        .least_radius = 1e-3, .greatest_radius = .1, .aspect = 1, .shortest = 1e3, .longest = 1e6};
    static const CastStyle short_casts = {
        .least_radius = 1e-3, .greatest_radius = .1, .aspect = 4, .shortest = .1, .longest = 10};
    Random random = random_seeded(40);
    check_casts("long casts", cast_scene_of(cast_soup(&random, 100, 1000, 50)), &long_casts, 41, 5000);
    check_casts("small balls", cast_scene_of(cast_soup(&random, 100, 1000, 50)), &short_casts, 42, 5000);
}

/* ---- watertight ---- */

static void add_face(Soup *soup, Vector a, Vector b, Vector c, int depth)
{
    if (depth == 0)
    {
        soup_triangle(soup, a, b, c);
        return;
    }
    Vector ab = vector_unit(vector_add(a, b)), bc = vector_unit(vector_add(b, c)),
           ca = vector_unit(vector_add(c, a));
    add_face(soup, a, ab, ca, depth - 1);
    add_face(soup, ab, b, bc, depth - 1);
    add_face(soup, ca, bc, c, depth - 1);
    add_face(soup, ab, bc, ca, depth - 1);
}

static Soup sphere(int depth)
{
    static const Vector corner[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    Soup soup = {0};
    for (int i = 0; i < 8; ++i)
    {
        Vector x = corner[i & 1], y = corner[2 + (i >> 1 & 1)], z = corner[4 + (i >> 2 & 1)];
        bool turned = ((i & 1) + (i >> 1 & 1) + (i >> 2 & 1)) % 2 == 1;
        add_face(&soup, x, turned ? z : y, turned ? y : z, depth);
    }
    return soup;
}

/* A cube of squares of two triangles: its edges lie where the boxes of its tree end. */
static Soup cube(int cells)
{
    Soup soup = {0};
    for (int face = 0; face < 6; ++face)
    {
        int axis = face % 3, side = face < 3 ? 1 : -1;
        for (int cell = 0; cell < cells * cells; ++cell)
        {
            Vector v[4];
            for (int i = 0; i < 4; ++i)
            {
                int corner = side > 0 ? i : 3 - i; /* counter-clockwise from outside */
                double c[3];
                c[axis] = side;
                c[(axis + 1) % 3] = 2.0 * (cell % cells + (corner == 1 || corner == 2)) / cells - 1;
                c[(axis + 2) % 3] = 2.0 * (cell / cells + (corner >= 2)) / cells - 1;
                v[i] = vector(c[0], c[1], c[2]);
            }
            soup_quad(&soup, v[0], v[1], v[2], v[3]);
        }
    }
    return soup;
}

/* At corners, at middles of edges and at points of edges exactly, and anywhere. */
static Vector aim(Random *random, const CastScene *scene)
{
    const Vector *v = scene->triangles[random_below(random, (uint32_t)scene->count)].v;
    switch (random_below(random, 4))
    {
    case 0:
        return v[0];
    case 1:
        return vector_scale(vector_add(v[0], v[1]), .5);
    case 2:
        return vector_along(v[0], random_unit(random), vector_sub(v[1], v[0]));
    default:
        return random_direction(random);
    }
}

static uint32_t leaks(Random *random, const CastScene *scene, Vector middle, double inside, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector from = vector_along(middle, random_chance(random, .3) ? 0 : inside * random_unit(random),
                                   random_direction(random));
        Vector path = vector_scale(vector_sub(aim(random, scene), from), random_between(random, 2, 9));
        path = vector_length(path) < 4 ? vector_scale(vector_unit(path), 4) : path;
        sidle_cast cast = {.origin = {from.x, from.y, from.z},
                           .displacement = {(float)path.x, (float)path.y, (float)path.z}};
        found += cast_asked(scene, &cast).hit != SIDLE_CAST_HIT;
    }
    return found;
}

static uint32_t leaks_of(Random *random, Soup soup, const sidle_pose *pose, uint32_t count)
{
    CastScene scene = cast_scene();
    soup_round(&soup);
    cast_scene_add(&scene, soup, pose, 0);
    cast_scene_commit(&scene);
    uint32_t found = leaks(random, &scene, vector(0, 0, 0), .8, count);
    cast_scene_close(&scene);
    return found;
}

Test(casts, no_ray_leaves_a_closed_mesh)
{
    Random random = random_seeded(50);
    uint32_t rounds = 20, count = query_count(200000) / rounds / 4, leaked = 0;
    for (uint32_t round = 0; round < rounds; ++round)
    {
        /* turned as a mesh, as an instance, or not at all: exact zeros */
        Rotation turn = random_rotation(&random);
        sidle_pose pose = random_pose(&random, 0, 1, 1);
        Soup turned = sphere(4);
        soup_turn(&turned, &turn);
        leaked += leaks_of(&random, turned, &as_it_is, count);
        leaked += leaks_of(&random, sphere(4), &pose, count);
        leaked += leaks_of(&random, cube(9), &pose, count);
        leaked += leaks_of(&random, cube(8), &as_it_is, count);
    }
    cr_expect_eq(leaked, 0, "%u of %u leak", leaked, 4 * rounds * count);
}
