/* Very obtuse triangles: agents and casts hit them where they are, and double lanes serve the large ones. */
#include "support/width_here.h"

#include "support/blobs.h"
#include "support/casts.h"
#include "support/queries.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <stdlib.h>

Test(slivers, a_mesh_counts_them)
{
    Soup soup = {0};
    soup_slivers(&soup, 40, 30, .1);
    soup_terrain(&soup, 10, 3, .5, 7);
    sidle_mesh *mesh = mesh_of(soup);
    sidle_mesh_info info = {.size = sizeof info};
    cr_assert_eq(sidle_mesh_get_info(mesh, &info), SIDLE_OK);
    cr_expect_eq(info.sliver_count, 40);
    cr_expect_eq(info.degenerate_count, 0);
    sidle_mesh_release(mesh);
}

/* A ball that has fallen onto sliver 0 of soup_slivers(.., 30, .25), near its apex. */
static Agent fallen(Soup soup, double x, double z)
{
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_at(x, 3, z);
    scene_ticks(&scene, &agent, vector(0, -1, 0), 4);
    scene_close(&scene);
    return agent;
}

Test(slivers, a_ball_beside_the_apex_has_one_answer_whatever_the_tree)
{
    for (int step = -2; step <= 2; ++step)
    {
        double x = 1.5 + step * 1e-7, z = 0;
        Soup alone = {0}, among = {0};
        soup_slivers(&alone, 1, 30, .25);
        soup_append(&among, &alone);
        soup_plate(&among, -40, 40, -90, -80, 0);
        for (int i = 0; i < 60; ++i)
        {
            soup_plate(&among, i - 31, i - 29.5, -70, -20, 0);
        }
        Agent one = fallen(alone, x, z), other = fallen(among, x, z);
        cr_expect(agent_same_bits(&one, &other), "step %d", step);
        cr_expect(one.contact_count == 1 && other.contact_count == 1);
        cr_expect(memcmp(&one.contacts[0].point, &other.contacts[0].point, sizeof(sidle_position)) == 0 &&
                  one.contacts[0].feature == other.contacts[0].feature && one.contacts[0].triangle == 0);
        cr_expect(fabs(one.body.center.y - 1.02) < 1e-4);
    }
}

/* A closed box: each of its sides is a sliver over one edge and three triangles that fill up the rest. */
static Soup box_of_slivers(double depth)
{
    Soup soup = {0};
    for (int face = 0; face < 6; ++face)
    {
        int axis = face % 3, side = face < 3 ? 1 : -1;
        Vector v[5];
        for (int i = 0; i < 5; ++i)
        {
            int corner = side > 0 ? i : 3 - i;
            double c[3], u = i == 4 ? .17 : corner == 1 || corner == 2 ? 1 : -1;
            c[axis] = side;
            c[(axis + 1) % 3] = u;
            c[(axis + 2) % 3] = i == 4 ? -1 + depth : corner >= 2 ? 1 : -1;
            v[i] = vector(c[0], c[1], c[2]);
        }
        int first = side > 0 ? 0 : 2; /* the edge under the apex */
        for (int i = 0; i < 4; ++i)
        {
            soup_triangle(&soup, v[(first + i) % 4], v[(first + i + 1) % 4], v[4]);
        }
    }
    return soup;
}

static uint32_t leaks_of(Random *random, uint32_t rays)
{
    uint32_t leaks = 0;
    Rotation turn = random_rotation(random);
    Soup soup = box_of_slivers(random_scale(random, .002, .01));
    soup_turn(&soup, &turn);
    soup_shift(&soup, vector_scale(random_direction(random), 3));
    soup_round(&soup);
    CastScene scene = cast_scene();
    cast_scene_add(&scene, soup, &(sidle_pose){.rotation = {0, 0, 0, 1}}, 0);
    cast_scene_commit(&scene);
    Vector middle = vector(0, 0, 0);
    for (size_t i = 0; i < scene.count; ++i)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            middle = vector_along(middle, 1.0 / (3.0 * (double)scene.count), scene.triangles[i].v[corner]);
        }
    }
    for (uint32_t i = 0; i < rays; ++i)
    {
        const Vector *v = scene.triangles[random_below(random, (uint32_t)scene.count)].v;
        Vector from = vector_along(middle, .5 * random_unit(random), random_direction(random));
        Vector at = vector_along(v[0], random_between(random, .4, .7), vector_sub(v[1], v[0]));
        Vector path = vector_scale(vector_sub(at, from), 3);
        sidle_cast cast = {.origin = {from.x, from.y, from.z},
                           .displacement = {(float)path.x, (float)path.y, (float)path.z}};
        sidle_cast_hit hit;
        demand(sidle_cast_closest(scene.snapshot, 0, &cast, &hit), "sidle_cast_closest");
        leaks += hit.hit != SIDLE_CAST_HIT;
    }
    cast_scene_close(&scene);
    return leaks;
}

Test(slivers, no_ray_leaves_a_closed_mesh_of_slivers)
{
    Random random = random_seeded(93);
    uint32_t rays = query_count(400000) / 200, leaks = 0;
    for (int round = 0; round < 200; ++round)
    {
        leaks += leaks_of(&random, rays);
    }
    cr_expect_eq(leaks, 0, "%u of %u", leaks, 200 * rays);
}

typedef struct Served
{
    uint32_t lanes, exact;
} Served;

static Candidates candidates_made(uint32_t capacity, void **memory)
{
    Candidates candidates;
    *memory = aligned_alloc(64, (sidle_candidates_bytes(&kernels_here, capacity) + 63) / 64 * 64);
    cr_assert_not_null(*memory);
    sidle_candidates_place(&candidates, &kernels_here, capacity, *memory);
    return candidates;
}

/* All triangles of a scene around a ball of radius 1 above the origin. */
static Served served(const Scene *scene)
{
    enum
    {
        CAPACITY = 4096
    };
    void *memory;
    Candidates c = candidates_made(CAPACITY, &memory);
    const Bounds all = {{-1e6f, -1e6f, -1e6f}, {1e6f, 1e6f, 1e6f}};
    const Placed *placed = snapshot_placed(scene->snapshot, 0);
    Frame frame = frame_make(vec3(0, 1.02, 0), (sidle_quat){0, 0, 0, 1}, vec3(1, 1, 1));
    View view = view_of(placed, &frame, 1);
    PackTransform transform = view_transform(&view, placed, 0);
    PackRules rules = {.reach_length = 1, .slack = .02f / 8, .condition = 1};
    uint32_t count = kernels_here.collect(placed->mesh->nodes, 0, &all, c.leaves, CAPACITY);
    cr_assert(kernels_here.append(placed->mesh->packets, c.leaves, count, &transform, &all, &c.wide, c.list));
    candidates_setup(&c, scene->snapshot, &frame, &rules, 1);
    Served out = {c.wide.count, c.exact.count};
    free(memory);
    return out;
}

Test(slivers, double_lanes_serve_the_large_ones)
{
    Soup soup = {0};
    soup_slivers(&soup, 60, 600, 600 / 512.);
    Scene scene = scene_of(soup, flying_ball());
    Served of = served(&scene);
    cr_expect_eq(of.lanes, 60 * 3);
    cr_expect_geq(of.exact, 60);
    scene_close(&scene);
}

Test(slivers, casts_hit_them_where_they_are)
{
    Soup slivers = {0};
    Random random = random_seeded(94);
    soup_slivers(&slivers, 12, 30, .1);
    Rotation turn = random_rotation(&random);
    soup_turn(&slivers, &turn);
    soup_round(&slivers);
    CastScene scene = cast_scene();
    cast_scene_add(&scene, slivers, &(sidle_pose){.scale = {1, 1, 1}}, 0);
    cast_scene_commit(&scene);
    static const CastStyle styles[3] = {
        {.least_radius = .01, .greatest_radius = 1, .aspect = 1, .shortest = .01, .longest = 30},
        {.least_radius = .02, .greatest_radius = .3, .aspect = 8, .shortest = .01, .longest = 30},
        {.rays = true, .shortest = .01, .longest = 50}};
    CastTally tally = {0};
    uint32_t count = query_count(30000);
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_cast cast = cast_drawn(&random, &scene, &styles[i % 3]);
        sidle_cast_hit hit;
        demand(sidle_cast_closest(scene.snapshot, 0, &cast, &hit), "sidle_cast_closest");
        cast_checked(&tally, &scene, &cast, &hit);
    }
    cast_tally_print(&tally, "casts at slivers");
    cr_expect_eq(tally.wrong, 0);
    cr_expect_gt(tally.hits, count / 10);
    cast_scene_close(&scene);
}
