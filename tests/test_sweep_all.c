/* All triangles that a shape touches on its path, beside a closest cast against each triangle alone: instances have layers and
 * triangles have surfaces, so that a cast can see one of them. */
#include "support/casts.h"
#include "support/queries.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TRIANGLES = 31, /* of a mesh: with bit 31 of ignored_surfaces, all but one can be ignored */
    PLACES = 6,
    CASTS = 2500
};

typedef struct Stage
{
    CastScene scene; /* the triangles as the first instance holds them, for cast_drawn */
    sidle_mesh *mesh;
} Stage;

/* Once as it is, then turned, mirrored, stretched, moving, and once more as it is. */
static const sidle_pose poses[PLACES] = {
    {.rotation = {0, 0, 0, 1}},
    {.position = {.5, -.25, 1}, .rotation = {.1f, .7f, -.3f, .4f}},
    {.position = {-1, 0, .5}, .rotation = {0, 0, 0, 1}, .scale = {-1, 1, 1}},
    {.position = {0, 1, 0}, .rotation = {.3f, 0, .1f, 1}, .scale = {2, .5f, 1}},
    {.position = {0, 0, -1}, .rotation = {0, .2f, 0, 1}},
    {.rotation = {0, 0, 0, 1}}};

static void add(Stage *stage, int place)
{
    sidle_instance id;
    sidle_instance_desc desc = {.size = sizeof desc,
                                .mesh = stage->mesh,
                                .pose = poses[place],
                                .key = (uint64_t)(PLACES - place),
                                .member_of = 1u << place};
    demand(sidle_world_add(stage->scene.world, &desc, &id), "sidle_world_add");
    if (place == 4)
    {
        sidle_pose to = desc.pose;
        to.position.x += 1;
        demand(sidle_world_move(stage->scene.world, id, NULL, &to), "sidle_world_move");
    }
}

static Stage stage_of(int places)
{
    static uint16_t surfaces[TRIANGLES];
    static CastTriangle triangles[TRIANGLES];
    Stage stage = {.scene = {.triangles = triangles, .count = TRIANGLES}};
    Random random = random_seeded(21);
    Soup soup = {0};
    soup_scatter(&soup, &random, TRIANGLES - 4, 3);
    soup_triangle(&soup, vector(0, 0, 0), vector(2, 0, 0),
                  vector(1, 1e-6, 0)); /* a sliver, a segment, a point */
    soup_triangle(&soup, vector(-1, 1, 0), vector(1, 1, .5), vector(0, 1, .25));
    soup_triangle(&soup, vector(1, -1, 1), vector(1, -1, 1), vector(1, -1, 1));
    soup_triangle(&soup, vector(-900, -2, -900), vector(900, -2, -900), vector(0, -2, 900));
    for (int t = 0; t < TRIANGLES; ++t)
    {
        surfaces[t] = (uint16_t)t;
        for (int i = 0; i < 3; ++i)
        {
            triangles[t].v[i] = soup.triangles[t].v[i];
        }
    }
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &soup.triangles[0].v[0].x,
                            .vertex_count = 3 * TRIANGLES,
                            .triangle_count = TRIANGLES,
                            .surfaces = surfaces};
    demand(sidle_mesh_create(&desc, NULL, NULL, &stage.mesh), "sidle_mesh_create");
    demand(sidle_world_create(NULL, NULL, &stage.scene.world), "sidle_world_create");
    for (int place = 0; place < places; ++place)
    {
        add(&stage, place);
    }
    demand(sidle_world_commit(stage.scene.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(stage.scene.world, &stage.scene.snapshot), "sidle_world_snapshot");
    soup_free(&soup);
    return stage;
}

static void stage_free(Stage *stage)
{
    sidle_snapshot_release(stage->scene.snapshot);
    sidle_world_destroy(stage->scene.world);
    sidle_mesh_release(stage->mesh);
}

static bool comes_before(const sidle_cast_hit *a, const sidle_cast_hit *b)
{
    return a->t != b->t                         ? a->t < b->t
           : a->instance_key != b->instance_key ? a->instance_key < b->instance_key
                                                : a->triangle < b->triangle;
}

/* The list by one closest cast for each triangle. */
static uint32_t list_by_hand(const sidle_snapshot *snapshot, float time, int places, const sidle_cast *given,
                             sidle_cast_hit *list)
{
    uint32_t count = 0;
    sidle_cast_hit first;
    demand(sidle_cast_closest(snapshot, time, given, &first), "sidle_cast_closest");
    for (int n = 0; n < places * TRIANGLES; ++n)
    {
        sidle_cast cast = *given;
        sidle_cast_hit hit;
        cast.collides_with = 1u << n / TRIANGLES;
        cast.ignored_surfaces = ~(1u << n % TRIANGLES);
        demand(sidle_cast_closest(snapshot, time, &cast, &hit), "sidle_cast_closest");
        if (!hit.hit)
        {
            continue;
        }
        uint32_t at = count++;
        bool is_first = hit.instance_key == first.instance_key && hit.triangle == first.triangle;
        for (; at > 0 && (is_first || (comes_before(&hit, &list[at - 1]) &&
                                       (list[at - 1].instance_key != first.instance_key ||
                                        list[at - 1].triangle != first.triangle)));
             --at)
        {
            list[at] = list[at - 1];
        }
        list[at] = hit;
    }
    cr_expect_eq(count > 0, first.hit != SIDLE_CAST_MISS);
    cr_expect(count == 0 || memcmp(&first, &list[0], sizeof first) == 0, "the closest is no entry");
    return count;
}

static void check(const sidle_snapshot *snapshot, float time, int places, const sidle_cast *cast)
{
    static sidle_cast_hit expected[PLACES * TRIANGLES], list[PLACES * TRIANGLES];
    const uint32_t capacity = PLACES * TRIANGLES;
    uint32_t count = 0, wanted = list_by_hand(snapshot, time, places, cast, expected);
    demand(sidle_cast_all(snapshot, time, cast, list, capacity, &count), "sidle_cast_all");
    cr_expect(count == wanted, "%u hits instead of %u", count, wanted);
    for (uint32_t i = 0; i < count && i < wanted; ++i)
    {
        cr_expect(memcmp(&list[i], &expected[i], sizeof *list) == 0, "entry %u of %u: t %g instead of %g", i,
                  count, list[i].t, expected[i].t);
        cr_expect(i < 2 || list[i - 1].t <= list[i].t);
    }
    memset(list, 0, sizeof list);
    demand(sidle_cast_all(snapshot, time, cast, list, 2, &count), "sidle_cast_all");
    cr_expect_eq(count, wanted);
    cr_expect_eq(memcmp(list, expected, (wanted < 2 ? wanted : 2) * sizeof *list), 0);
    cr_expect_eq(list[2].hit, 0);
}

static const CastStyle styles[] = {
    {.least_radius = .05, .greatest_radius = 2, .aspect = 1, .shortest = .01, .longest = 40},
    {.least_radius = .05, .greatest_radius = 1, .aspect = 6, .shortest = .01, .longest = 40},
    {.least_radius = .05,
     .greatest_radius = .7,
     .aspect = 1.0001,
     .shortest = .01,
     .longest = 40,
     .longest_core = 4},
};

static void check_all(int places)
{
    const int casts = (int)query_count(2 * CASTS) / 2;
    Stage stage = stage_of(places);
    Random random = random_seeded(22);
    for (int i = 0; i < casts; ++i)
    {
        sidle_cast cast = cast_drawn(&random, &stage.scene, &styles[i % 3]);
        float times[3] = {0, .5f, SIDLE_MOTION_BEGIN};
        cast.flags = i % 5 == 0 ? SIDLE_CAST_ONE_SIDED : 0;
        if (i % 11 == 0)
        {
            cast.displacement = (sidle_vec3){0, 0, 0};
        }
        check(stage.scene.snapshot, times[i % 7 % 3], places, &cast);
    }
    stage_free(&stage);
}

Test(sweep_all, a_list_holds_each_triangle_as_a_cast_against_it_alone)
{
    check_all(1);
    check_all(PLACES);
}

Test(sweep_all, a_list_obeys_the_filters_of_the_cast)
{
    Stage stage = stage_of(PLACES);
    sidle_cast cast = {.origin = {-9, 0, 0}, .displacement = {18, 0, 0}, .shape = {{1, 1, 1}, 0}};
    static sidle_cast_hit list[PLACES * TRIANGLES];
    uint32_t all, some;
    demand(sidle_cast_all(stage.scene.snapshot, 0, &cast, list, PLACES * TRIANGLES, &all), "all");
    cast.ignore = list[0].instance;
    cast.collides_with = 7;
    cast.ignored_surfaces = 0xff;
    cast.flags = SIDLE_CAST_ANY;
    demand(sidle_cast_all(stage.scene.snapshot, 0, &cast, list, PLACES * TRIANGLES, &some), "some");
    cr_expect(some > 0 && some < all);
    for (uint32_t i = 0; i < some; ++i)
    {
        cr_expect(list[i].surface > 7 && list[i].instance_key > 3 &&
                  list[i].instance.index != cast.ignore.index);
    }
    cast.shape.radii.x = NAN;
    cr_expect_neq(sidle_cast_all(stage.scene.snapshot, 0, &cast, list, 1, &some), SIDLE_OK);
    stage_free(&stage);
}
