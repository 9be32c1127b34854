/* One-sided instances, and groups of instances that a request ignores. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

enum
{
    TRIANGLES = 500,
    QUERIES = 2400,
    AGENTS = 120,
    TICKS = 40,
    INSTANCES = 3
};

/* Of each instance. */
typedef struct Setup
{
    uint32_t count; /* the first instances alone are there */
    uint32_t flags[INSTANCES], groups[INSTANCES];
} Setup;

typedef struct World
{
    sidle_world *world;
    sidle_snapshot *snapshot;
    sidle_instance ids[INSTANCES];
} World;

/* The same soup three times: as it is; turned and mirrored; stretched, and in motion. */
static World world_of(const Setup *setup)
{
    World w;
    Random random = random_seeded(4);
    Soup soup = {0};
    soup_scatter(&soup, &random, TRIANGLES, 5);
    sidle_mesh *mesh = soup_mesh(soup);
    demand(sidle_world_create(NULL, NULL, &w.world), "sidle_world_create");
    const sidle_pose poses[INSTANCES] = {
        {.position = {0, 0, 0}},
        {.position = {1, .5, -1}, .rotation = {0, .6f, 0, .8f}, .scale = {-1, 1, 1}},
        {.position = {-1, 0, 1}, .scale = {1, 1.5f, .7f}}};
    for (uint32_t i = 0; i < setup->count; ++i)
    {
        sidle_instance_desc desc = {.size = sizeof desc,
                                    .mesh = mesh,
                                    .pose = poses[i],
                                    .key = 10 + i,
                                    .flags = setup->flags[i],
                                    .group = setup->groups[i]};
        demand(sidle_world_add(w.world, &desc, &w.ids[i]), "sidle_world_add");
    }
    if (setup->count == INSTANCES)
    {
        sidle_pose to = poses[2];
        to.position.y += .1;
        demand(sidle_world_move(w.world, w.ids[2], &poses[2], &to), "sidle_world_move");
    }
    demand(sidle_world_commit(w.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(w.world, &w.snapshot), "sidle_world_snapshot");
    sidle_mesh_release(mesh);
    return w;
}

static void world_free(World *w)
{
    sidle_snapshot_release(w->snapshot);
    sidle_world_destroy(w->world);
}

static const sidle_shape shapes[] = {
    {{0, 0, 0}, 0}, {{.4f, .4f, .4f}, 0}, {{.3f, .7f, .4f}, 0}, {{.3f, .3f, .3f}, .4f}};

static float between(Random *random, double size)
{
    return (float)random_between(random, -size, size);
}

static sidle_cast cast_of(Random *random, uint32_t i, uint32_t flags, uint32_t ignored_group)
{
    double length = i % 3 ? 1 : 8;
    return (sidle_cast){
        .origin = {(double)between(random, 5), (double)between(random, 5), (double)between(random, 5)},
        .displacement = {between(random, length), between(random, length), between(random, length)},
        .shape = shapes[i % 4],
        .flags = flags,
        .ignored_group = ignored_group};
}

/* Both answers to the same casts; how many differ. */
static uint32_t casts_that_differ(const World *a, uint32_t a_flags, uint32_t a_group, const World *b,
                                  uint32_t b_flags, uint32_t b_group)
{
    Random one = random_seeded(8), two = random_seeded(8);
    uint32_t differ = 0;
    for (uint32_t i = 0; i < QUERIES; ++i)
    {
        sidle_cast_hit x, y;
        sidle_cast of_a = cast_of(&one, i, a_flags, a_group), of_b = cast_of(&two, i, b_flags, b_group);
        demand(sidle_cast_closest(a->snapshot, .5f, &of_a, &x), "sidle_cast_closest");
        demand(sidle_cast_closest(b->snapshot, .5f, &of_b, &y), "sidle_cast_closest");
        differ += x.hit != y.hit || x.t != y.t || x.triangle != y.triangle ||
                  x.instance_key != y.instance_key || x.normal.x != y.normal.x || x.feature != y.feature;
    }
    return differ;
}

static const Setup all_plain = {.count = INSTANCES};
static const Setup all_one_sided = {
    .count = INSTANCES,
    .flags = {SIDLE_INSTANCE_ONE_SIDED, SIDLE_INSTANCE_ONE_SIDED, SIDLE_INSTANCE_ONE_SIDED}};

Test(filters, casts_pass_the_backs_of_one_sided_instances)
{
    World plain = world_of(&all_plain), one_sided = world_of(&all_one_sided);
    cr_expect_eq(casts_that_differ(&plain, SIDLE_CAST_ONE_SIDED, 0, &one_sided, 0, 0), 0);
    cr_expect_gt(casts_that_differ(&plain, 0, 0, &one_sided, 0, 0), QUERIES / 20);
    world_free(&plain);
    world_free(&one_sided);
}

/* A wall at x = 0 whose front looks along -x, cast at from x = -2 and from 2. `scale`: of its instance. */
static void expect_front_of(sidle_vec3 scale, uint32_t instance_flags, uint32_t cast_flags)
{
    World w;
    Soup wall = {0};
    soup_wall(&wall, 5, 0);
    sidle_mesh *mesh = soup_mesh(wall);
    sidle_instance_desc desc = {
        .size = sizeof desc, .mesh = mesh, .pose.scale = scale, .flags = instance_flags};
    demand(sidle_world_create(NULL, NULL, &w.world), "sidle_world_create");
    demand(sidle_world_add(w.world, &desc, &w.ids[0]), "sidle_world_add");
    demand(sidle_world_commit(w.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(w.world, &w.snapshot), "sidle_world_snapshot");
    for (int i = 0; i < 8; ++i)
    {
        float side = i < 4 ? -1 : 1;
        bool is_front = side * scale.x < 0;
        sidle_cast cast = {.origin = {2 * (double)side, .3, .2},
                           .displacement = {-4 * side, 0, 0},
                           .shape = shapes[i % 4],
                           .flags = cast_flags};
        sidle_cast_hit hit;
        uint32_t count;
        demand(sidle_cast_closest(w.snapshot, 0, &cast, &hit), "sidle_cast_closest");
        demand(sidle_cast_all(w.snapshot, 0, &cast, NULL, 0, &count), "sidle_cast_all");
        cr_expect((hit.hit == SIDLE_CAST_HIT) == is_front && (count > 0) == is_front,
                  "scale %g %g %g: shape %d from %g", (double)scale.x, (double)scale.y, (double)scale.z,
                  i % 4, (double)side);
    }
    world_free(&w);
    sidle_mesh_release(mesh);
}

Test(filters, mirrored_walls_keep_their_front_for_rays_and_shapes)
{
    const sidle_vec3 scales[] = {{1, 1, 1},   {1, -1, 1},  {1, 1, -2},  {-1, 1, 1},
                                 {2, -1, -1}, {-1, -1, 1}, {-1, -1, -1}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i)
    {
        expect_front_of(scales[i], 0, SIDLE_CAST_ONE_SIDED);
        expect_front_of(scales[i], SIDLE_INSTANCE_ONE_SIDED, 0);
    }
}

/* A ray hits the nearer of what it hits in each instance alone. */
Test(filters, one_sided_instances_leave_others_as_they_are)
{
    World mixed = world_of(&(Setup){.count = 2, .flags = {SIDLE_INSTANCE_ONE_SIDED, 0}, .groups = {1, 2}});
    Random random = random_seeded(2);
    uint32_t hits[2] = {0, 0};
    for (uint32_t i = 0; i < QUERIES; i += 4)
    {
        sidle_cast ray = cast_of(&random, 0, 0, 0);
        sidle_cast_hit both, each[2], listed[1];
        uint32_t count;
        demand(sidle_cast_closest(mixed.snapshot, 0, &ray, &both), "sidle_cast_closest");
        demand(sidle_cast_all(mixed.snapshot, 0, &ray, listed, 1, &count), "sidle_cast_all");
        ray.ignored_group = 2;
        ray.flags = SIDLE_CAST_ONE_SIDED;
        demand(sidle_cast_closest(mixed.snapshot, 0, &ray, &each[0]), "sidle_cast_closest");
        ray.ignored_group = 1;
        ray.flags = 0;
        demand(sidle_cast_closest(mixed.snapshot, 0, &ray, &each[1]), "sidle_cast_closest");
        int nearer = each[0].hit && (!each[1].hit || each[0].t <= each[1].t) ? 0 : 1;
        cr_expect(both.hit == each[nearer].hit && both.t == each[nearer].t &&
                  both.instance_key == each[nearer].instance_key);
        cr_expect(!both.hit == !count && (!count || listed[0].triangle == both.triangle));
        hits[nearer] += both.hit == SIDLE_CAST_HIT;
    }
    cr_expect(hits[0] > 30 && hits[1] > 30, "%u and %u hits", hits[0], hits[1]);
    world_free(&mixed);
}

/* ---- moves ---- */

static void walk(const World *w, uint32_t profile_flags, uint32_t ignored_group, uint32_t lanes,
                 sidle_result *results)
{
    const sidle_profile profiles[2] = {
        {.size = sizeof *profiles, .shape.radii = {.2f, .5f, .2f}, .flags = profile_flags},
        {.size = sizeof *profiles, .shape = {{.2f, .2f, .2f}, .3f}, .flags = profile_flags}};
    const sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = profiles, .profile_count = 2, .lanes = lanes};
    static sidle_move moves[AGENTS];
    sidle_crowd *crowd;
    Random random = random_seeded(9);
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    memset(moves, 0, sizeof moves);
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        moves[i].profile = i % 2;
        moves[i].ignored_group = ignored_group;
        moves[i].body.center = (sidle_position){(double)between(&random, 4), (double)between(&random, 4),
                                                (double)between(&random, 4)};
    }
    for (uint32_t number = 0; number < TICKS; ++number)
    {
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].displacement = (sidle_vec3){between(&random, .05), 0, between(&random, .05)};
        }
        sidle_tick_desc tick = {.size = sizeof tick,
                                .snapshot = w->snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .count = AGENTS,
                                .results = results};
        demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].body = results[i].body;
        }
    }
    sidle_crowd_destroy(crowd);
}

static uint32_t agents_that_differ(const sidle_result *a, const sidle_result *b)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        const sidle_body *x = &a[i].body, *y = &b[i].body;
        differ += x->center.x != y->center.x || x->center.y != y->center.y || x->center.z != y->center.z ||
                  x->ground_triangle != y->ground_triangle || x->ground_key != y->ground_key;
    }
    return differ;
}

static const uint32_t widths[] = {1, 4, 8, 16};

Test(filters, agents_pass_the_backs_of_one_sided_instances)
{
    static sidle_result by_profile[AGENTS], by_instance[AGENTS], neither[AGENTS];
    Setup two_plain = all_plain, two_one_sided = all_one_sided;
    two_plain.count = two_one_sided.count = 2;
    World plain = world_of(&two_plain), one_sided = world_of(&two_one_sided);
    for (int i = 0; i < 4; ++i)
    {
        if (sidle_cast_lanes(widths[i]) != widths[i])
        {
            continue;
        }
        walk(&plain, SIDLE_PROFILE_ONE_SIDED, 0, widths[i], by_profile);
        walk(&one_sided, 0, 0, widths[i], by_instance);
        walk(&plain, 0, 0, widths[i], neither);
        cr_expect_eq(agents_that_differ(by_profile, by_instance), 0, "%u lanes", widths[i]);
        cr_expect_gt(agents_that_differ(neither, by_instance), AGENTS / 10);
    }
    world_free(&plain);
    world_free(&one_sided);
}

/* ---- groups ---- */

Test(filters, requests_pass_through_the_group_that_they_ignore)
{
    static sidle_result ignoring[AGENTS], without[AGENTS], all[AGENTS];
    World grouped = world_of(&(Setup){.count = INSTANCES, .groups = {0, 7, 7}});
    World alone = world_of(&(Setup){.count = 1});
    cr_expect_eq(casts_that_differ(&grouped, 0, 7, &alone, 0, 0), 0);
    cr_expect_eq(casts_that_differ(&grouped, 0, 6, &grouped, 0, 0), 0);
    cr_expect_gt(casts_that_differ(&grouped, 0, 0, &alone, 0, 0), QUERIES / 10);
    World at_rest = world_of(&(Setup){.count = 2, .groups = {0, 7}});
    walk(&at_rest, 0, 7, 0, ignoring);
    walk(&alone, 0, 0, 0, without);
    walk(&at_rest, 0, 0, 0, all);
    cr_expect_eq(agents_that_differ(ignoring, without), 0);
    cr_expect_gt(agents_that_differ(all, without), AGENTS / 10);
    for (uint32_t i = 0; i < 200; ++i)
    {
        Random random = random_seeded(i);
        sidle_place place = {
            .center = {(double)between(&random, 4), (double)between(&random, 4), (double)between(&random, 4)},
            .shape.radii = {1, 1, 1}};
        uint32_t kept, expected;
        demand(sidle_place_overlaps(alone.snapshot, 0, &place, NULL, 0, &expected), "sidle_place_overlaps");
        place.ignored_group = 7;
        demand(sidle_place_overlaps(grouped.snapshot, 0, &place, NULL, 0, &kept), "sidle_place_overlaps");
        cr_expect_eq(kept, expected);
    }
    world_free(&grouped);
    world_free(&at_rest);
    world_free(&alone);
}

Test(filters, are_read_back_and_checked)
{
    World w = world_of(&(Setup){.count = 1, .flags = {SIDLE_INSTANCE_ONE_SIDED}, .groups = {12}});
    sidle_instance_desc desc;
    sidle_instance id;
    demand(sidle_world_get(w.world, w.ids[0], &desc), "sidle_world_get");
    cr_expect(desc.flags == SIDLE_INSTANCE_ONE_SIDED && desc.group == 12);
    desc.group = UINT32_MAX;
    cr_expect_eq(sidle_world_add(w.world, &desc, &id), SIDLE_ERROR_ARGUMENT);
    world_free(&w);
}
