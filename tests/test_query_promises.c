/* What query.h promises besides bits: hits, misses, overlaps, filters, ties, motion, and an answer to bad
 * input. */
#include "sidle/sidle.h"
#include "support/casts.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <float.h>
#include <string.h>

static const sidle_pose as_it_is = {.position = {0, 0, 0}};

static sidle_cast_hit ask(const CastScene *scene, const sidle_cast *cast)
{
    sidle_cast_hit hit;
    memset(&hit, 0xAA, sizeof hit);
    demand(sidle_cast_closest(scene->snapshot, 0, cast, &hit), "sidle_cast_closest");
    return hit;
}

/* ---- answers ---- */

static CastScene floor_scene(sidle_instance *instance)
{
    Soup soup = {0};
    CastScene scene = cast_scene();
    soup_floor(&soup, 50, 0);
    *instance = cast_scene_add(&scene, soup, &as_it_is, 5);
    cast_scene_commit(&scene);
    return scene;
}

static sidle_cast falling_ball(double height, double path)
{
    return (sidle_cast){
        .origin = {1, height, 2}, .displacement = {0, (float)-path, 0}, .shape = {.radii = {.5f, .5f, .5f}}};
}

Test(cast_promises, a_ball_that_falls_onto_a_floor_fills_every_field)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    sidle_cast cast = falling_ball(3, 5);
    sidle_cast_hit hit = ask(&scene, &cast);
    cr_expect_eq(hit.hit, SIDLE_CAST_HIT);
    cr_expect_float_eq(hit.t, .5, 1e-15);
    cr_expect(hit.point.x == 1 && fabs(hit.point.y) < 1e-15 && hit.point.z == 2);
    cr_expect(hit.normal.x == 0 && hit.normal.y == 1 && hit.normal.z == 0);
    cr_expect(hit.instance.index == instance.index && hit.instance.generation == instance.generation);
    cr_expect(hit.instance_key == 5 && hit.feature == SIDLE_FEATURE_FACE && hit.surface == 0);
    cast_scene_close(&scene);
}

Test(cast_promises, touching_at_the_very_end_counts_and_falling_short_does_not)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    sidle_cast touches = falling_ball(3, 2.5), short_of = falling_ball(3, 2.4999);
    sidle_cast ray = {.origin = {1, 3, 2}, .displacement = {0, -3, 0}};
    cr_expect_eq(ask(&scene, &touches).hit, SIDLE_CAST_HIT);
    cr_expect_eq(ask(&scene, &short_of).hit, SIDLE_CAST_MISS);
    cr_expect(ask(&scene, &ray).hit == SIDLE_CAST_HIT && ask(&scene, &ray).t == 1);
    ray.displacement.y = -2.999f;
    cr_expect_eq(ask(&scene, &ray).hit, SIDLE_CAST_MISS);
    cast_scene_close(&scene);
}

Test(cast_promises, a_start_in_an_overlap_reports_the_deepest_contact_in_any_direction)
{
    Soup soup = {0};
    CastScene scene = cast_scene();
    soup_floor(&soup, 50, 0);
    soup_wall(&soup, 50, 1.3);
    cast_scene_add(&scene, soup, &as_it_is, 5);
    cast_scene_commit(&scene);
    const float paths[3] = {-5, 0, 5};
    for (int i = 0; i < 3; ++i)
    {
        sidle_cast cast = falling_ball(.4, 0);
        cast.displacement.y = paths[i];
        sidle_cast_hit hit = ask(&scene, &cast);
        cr_expect_eq(hit.hit, SIDLE_CAST_OVERLAP);
        cr_expect(hit.t == 0 && hit.triangle >= 2, "the wall is .3 away, the floor .4");
        cr_expect(fabs(hit.point.x - 1.3) < 1e-6 && hit.normal.x < -.999999f);
    }
    sidle_cast inside =
        falling_ball(0, 1); /* the centre on the floor: reported from the side it comes from */
    inside.origin.x = -9;
    cr_expect(ask(&scene, &inside).hit == SIDLE_CAST_OVERLAP && ask(&scene, &inside).normal.y == 1);
    cast_scene_close(&scene);
}

Test(cast_promises, misses_are_all_zero)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    sidle_cast cast = falling_ball(3, -5);
    sidle_cast_hit hit = ask(&scene, &cast);
    static const sidle_cast_hit none;
    cr_expect_eq(memcmp(&hit, &none, sizeof hit), 0);
    sidle_cast resting = falling_ball(3, 0), ray = {.origin = {0, 0, 0}};
    cr_expect_eq(ask(&scene, &resting).hit, SIDLE_CAST_MISS);
    cr_expect_eq(ask(&scene, &ray).hit, SIDLE_CAST_MISS, "a ray without a displacement hits nothing");
    cast_scene_close(&scene);
}

Test(cast_promises, layers_and_the_ignored_instance_are_skipped)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    for (int kind = 0; kind < 2; ++kind)
    {
        sidle_cast cast = falling_ball(3, 5);
        cast.shape.radii = kind ? (sidle_vec3){0, 0, 0} : cast.shape.radii;
        cast.collides_with = 2;
        cr_expect_eq(ask(&scene, &cast).hit, SIDLE_CAST_MISS);
        cast.collides_with = 3;
        cr_expect_eq(ask(&scene, &cast).hit, SIDLE_CAST_HIT);
        cast.ignore = instance;
        cr_expect_eq(ask(&scene, &cast).hit, SIDLE_CAST_MISS);
    }
    cast_scene_close(&scene);
}

Test(cast_promises, one_sided_casts_pass_through_backs)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    for (int kind = 0; kind < 2; ++kind)
    {
        sidle_cast above = falling_ball(3, 5), below = falling_ball(-3, -5);
        above.flags = below.flags = SIDLE_CAST_ONE_SIDED;
        above.shape.radii = below.shape.radii = kind ? (sidle_vec3){0, 0, 0} : above.shape.radii;
        cr_expect_eq(ask(&scene, &above).hit, SIDLE_CAST_HIT);
        cr_expect_eq(ask(&scene, &below).hit, SIDLE_CAST_MISS);
        below.flags = 0;
        cr_expect(ask(&scene, &below).hit == SIDLE_CAST_HIT && ask(&scene, &below).normal.y == -1);
    }
    cast_scene_close(&scene);
}

/* Slope 2e-5: agents may ignore that much of a graze, a cast does not. */
Test(cast_promises, a_ball_that_sinks_in_very_slowly_hits)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    for (int z = -9; z < 9; ++z)
    {
        sidle_cast cast = {
            .origin = {-40, 1.0005, z}, .displacement = {80, -.0016f, 0}, .shape = {.radii = {1, 1, 1}}};
        sidle_cast_hit hit = ask(&scene, &cast);
        cr_expect(hit.hit == SIDLE_CAST_HIT && fabs(hit.t - .0005 / .0016) < 1e-3, "%u at %g", hit.hit,
                  hit.t);
    }
    cast_scene_close(&scene);
}

Test(cast_promises, a_ray_within_a_plane_hits_a_wall_behind_it_and_not_the_plane)
{
    Soup soup = {0};
    CastScene scene = cast_scene();
    soup_floor(&soup, 4, 0);
    soup_wall(&soup, 9, 6);
    cast_scene_add(&scene, soup, &as_it_is, 5);
    cast_scene_commit(&scene);
    for (int from = -7; from < 6; ++from)
    {
        sidle_cast cast = {.origin = {from, 0, .3}, .displacement = {20, 0, 0}};
        sidle_cast_hit hit = ask(&scene, &cast);
        cr_expect(hit.hit == SIDLE_CAST_HIT && hit.triangle >= 2 && hit.point.x == 6, "from %d: %u at %g",
                  from, hit.hit, hit.t);
    }
    cast_scene_close(&scene);
}

Test(cast_promises, equal_times_go_to_the_lower_key_then_the_lower_triangle)
{
    CastScene scene = cast_scene();
    static const uint64_t keys[3] = {9, 4, 6};
    for (int i = 0; i < 3; ++i)
    {
        Soup soup = {0};
        soup_floor(&soup, 50, 0);
        soup_floor(&soup, 50, 0);
        cast_scene_add(&scene, soup, &as_it_is, keys[i]);
    }
    cast_scene_commit(&scene);
    for (int kind = 0; kind < 3; ++kind)
    {
        sidle_cast cast = falling_ball(kind == 2 ? .4 : 3, 5);
        cast.shape.radii = kind == 1 ? (sidle_vec3){0, 0, 0} : cast.shape.radii;
        sidle_cast_hit hit = ask(&scene, &cast);
        cr_expect(hit.instance_key == 4 && hit.triangle < 2, "key %llu, triangle %u",
                  (unsigned long long)hit.instance_key, hit.triangle);
    }
    cast_scene_close(&scene);
}

Test(cast_promises, motion_time_says_where_moving_instances_stand)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    sidle_pose low = as_it_is, high = as_it_is;
    high.position.y = 2;
    demand(sidle_world_move(scene.world, instance, &low, &high), "sidle_world_move");
    cast_scene_commit(&scene);
    static const struct
    {
        float time;
        double height;
    } cases[] = {{0, 2}, {1, 2}, {.5f, 1}, {.25f, .5}, {1e-30f, 0}};
    for (int i = 0; i < 5; ++i)
    {
        sidle_cast cast = falling_ball(9, 10);
        sidle_cast_hit hit;
        demand(sidle_cast_closest(scene.snapshot, cases[i].time, &cast, &hit), "sidle_cast_closest");
        cr_expect(hit.hit == SIDLE_CAST_HIT && fabs(hit.point.y - cases[i].height) < 1e-9, "at %g: %g",
                  (double)cases[i].time, hit.point.y);
    }
    cast_scene_close(&scene);
}

/* ---- bad input ---- */

/* Refused alone with this status and nothing written; in a batch marked, and the others answered. */
static void expect_refused(const CastScene *scene, sidle_cast bad, sidle_status expected, const char *what)
{
    sidle_cast_hit hit, untouched, invalid = {.hit = SIDLE_CAST_INVALID};
    memset(&untouched, 0x55, sizeof untouched);
    hit = untouched;
    sidle_status status = sidle_cast_closest(scene->snapshot, 0, &bad, &hit);
    cr_expect_eq(status, expected, "%s: %s", what, sidle_status_text(status));
    cr_expect_eq(memcmp(&hit, &untouched, sizeof hit), 0, "%s: wrote", what);
    sidle_cast casts[3] = {falling_ball(3, 5), bad, falling_ball(4, 5)};
    sidle_cast_hit hits[3];
    sidle_cast_batch_desc batch = {
        .size = sizeof batch, .snapshot = scene->snapshot, .casts = casts, .count = 3, .hits = hits};
    cr_expect_eq(sidle_cast_batch(&batch), SIDLE_OK);
    cr_expect(hits[0].hit == SIDLE_CAST_HIT && hits[2].hit == SIDLE_CAST_HIT, "%s: the others", what);
    cr_expect_eq(memcmp(&hits[1], &invalid, sizeof invalid), 0, "%s: not marked", what);
}

Test(cast_promises, a_nan_or_an_infinity_in_any_number_is_refused)
{
    static const size_t singles[] = {
        offsetof(sidle_cast, rotation.x),       offsetof(sidle_cast, rotation.y),
        offsetof(sidle_cast, rotation.z),       offsetof(sidle_cast, rotation.w),
        offsetof(sidle_cast, displacement.x),   offsetof(sidle_cast, displacement.y),
        offsetof(sidle_cast, displacement.z),   offsetof(sidle_cast, shape.radii.x),
        offsetof(sidle_cast, shape.radii.y),    offsetof(sidle_cast, shape.radii.z),
        offsetof(sidle_cast, shape.half_height)};
    static const size_t doubles[] = {offsetof(sidle_cast, origin.x), offsetof(sidle_cast, origin.y),
                                     offsetof(sidle_cast, origin.z)};
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    for (int kind = 0; kind < 3; ++kind)
    {
        const double bad = kind == 0 ? (double)NAN : kind == 1 ? (double)INFINITY : -(double)INFINITY;
        const float bad_single = (float)bad;
        for (size_t i = 0; i < sizeof singles / sizeof *singles; ++i)
        {
            sidle_cast cast = falling_ball(3, 5);
            memcpy((char *)&cast + singles[i], &bad_single, sizeof bad_single);
            expect_refused(&scene, cast, SIDLE_ERROR_NOT_FINITE, "not finite");
        }
        for (size_t i = 0; i < 3; ++i)
        {
            sidle_cast cast = falling_ball(3, 5);
            memcpy((char *)&cast + doubles[i], &bad, sizeof bad);
            expect_refused(&scene, cast, SIDLE_ERROR_NOT_FINITE, "not finite");
        }
    }
    cast_scene_close(&scene);
}

Test(cast_promises, shapes_flags_and_places_beyond_their_limits_are_refused)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    static const struct
    {
        sidle_vec3 radii;
        sidle_status status;
    } shapes[] = {{{1, 1, 0}, SIDLE_ERROR_ARGUMENT},       {{0, 0, 1}, SIDLE_ERROR_ARGUMENT},
                  {{-1, 1, 1}, SIDLE_ERROR_ARGUMENT},      {{9e-4f, 9e-4f, 9e-4f}, SIDLE_ERROR_LIMIT},
                  {{1, NAN, 1}, SIDLE_ERROR_NOT_FINITE},   {{1, 1, INFINITY}, SIDLE_ERROR_NOT_FINITE},
                  {{2e4f, 1e4f, 1e4f}, SIDLE_ERROR_LIMIT}, {{1, 101, 1}, SIDLE_ERROR_LIMIT}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
    {
        sidle_cast cast = falling_ball(3, 5);
        cast.shape.radii = shapes[i].radii;
        expect_refused(&scene, cast, shapes[i].status, "shape");
    }
    sidle_cast capsule = falling_ball(3, 5), sunk = capsule, flagged = capsule, far = capsule, fast = capsule;
    capsule.shape.half_height = 1.01e4f;
    expect_refused(&scene, capsule, SIDLE_ERROR_LIMIT, "long capsule");
    capsule.shape = (sidle_shape){{.1f, .1f, .1f}, 10.1f};
    expect_refused(&scene, capsule, SIDLE_ERROR_LIMIT, "thin capsule");
    capsule.shape = (sidle_shape){{0, 0, 0}, .5f};
    expect_refused(&scene, capsule, SIDLE_ERROR_ARGUMENT, "capsule without a radius");
    sunk.shape.half_height = -.5f;
    expect_refused(&scene, sunk, SIDLE_ERROR_ARGUMENT, "half_height");
    flagged.flags = 4;
    expect_refused(&scene, flagged, SIDLE_ERROR_ARGUMENT, "flags");
    far.origin.z = 1.001 * SIDLE_MAX_COORDINATE;
    expect_refused(&scene, far, SIDLE_ERROR_LIMIT, "origin");
    fast.displacement.x = FLT_MAX;
    expect_refused(&scene, fast, SIDLE_ERROR_LIMIT, "displacement");
    cast_scene_close(&scene);
}

Test(cast_promises, invalid_calls_are_refused)
{
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    sidle_cast cast = falling_ball(3, 5);
    sidle_cast_hit hit;
    sidle_work work;
    cr_expect_eq(sidle_cast_closest(NULL, 0, &cast, &hit), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_closest(scene.snapshot, 0, NULL, &hit), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_closest(scene.snapshot, 0, &cast, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_closest(scene.snapshot, -.1f, &cast, &hit), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_closest(scene.snapshot, NAN, &cast, &hit), SIDLE_ERROR_ARGUMENT);
    const sidle_cast_batch_desc good = {
        .size = sizeof good, .snapshot = scene.snapshot, .casts = &cast, .count = 1, .hits = &hit};
    sidle_cast_batch_desc bad[10];
    for (int i = 0; i < 10; ++i)
    {
        bad[i] = good;
    }
    sidle_jobs jobs = {.size = sizeof jobs};
    bad[0].size = 8;
    bad[1].snapshot = NULL;
    bad[2].casts = NULL;
    bad[3].hits = NULL;
    bad[4].motion_time = 1.5f;
    bad[5].cast_stride = sizeof cast - 8;
    bad[6].hit_stride = sizeof hit + 1;
    bad[7].jobs = &jobs;
    bad[8].lanes = 3;
    bad[9].count = SIDLE_MAX_CASTS + 1;
    for (int i = 0; i < 10; ++i)
    {
        sidle_status expected = i == 8   ? SIDLE_ERROR_UNSUPPORTED
                                : i == 9 ? SIDLE_ERROR_LIMIT
                                         : SIDLE_ERROR_ARGUMENT;
        cr_expect_eq(sidle_cast_batch(&bad[i]), expected, "%d", i);
    }
    cr_expect_eq(sidle_cast_batch(NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_batch_begin(&good, 0, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_batch_begin(&good, SIDLE_MAX_WORKERS + 1, &work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_batch_begin(&good, 1, NULL), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_cast_batch_end(NULL), SIDLE_ERROR_ARGUMENT);
    sidle_cast_batch_desc none = {.size = sizeof none, .snapshot = scene.snapshot};
    cr_expect_eq(sidle_cast_batch(&none), SIDLE_OK);
    cast_scene_close(&scene);
}

Test(cast_promises, worlds_without_anything_to_hit_answer_misses)
{
    CastScene scene = cast_scene();
    sidle_cast cast = falling_ball(3, 5);
    demand(sidle_world_snapshot(scene.world, &scene.snapshot), "sidle_world_snapshot");
    cr_expect_eq(ask(&scene, &cast).hit, SIDLE_CAST_MISS);
    sidle_mesh_desc empty = {.size = sizeof empty};
    sidle_instance_desc placed = {.size = sizeof placed};
    sidle_instance instance;
    demand(sidle_mesh_create(&empty, NULL, NULL, &placed.mesh), "sidle_mesh_create");
    demand(sidle_world_add(scene.world, &placed, &instance), "sidle_world_add");
    sidle_mesh_release(placed.mesh);
    cast_scene_commit(&scene);
    cr_expect_eq(ask(&scene, &cast).hit, SIDLE_CAST_MISS);
    cast_scene_close(&scene);
}

/* The largest numbers that are allowed, and the smallest, and both at once: no NaN, no crash, and the floor
 * holds. */
Test(cast_promises, extreme_casts_have_sensible_answers)
{
    static const double heights[] = {1e-3, 1, 1e6, 1e9};
    static const float radii[] = {1e-3f, 1e-2f, 1, 1e3f, 1e4f},
                       paths[] = {1e-38f, 1e-20f, 1e-6f, 1, 1e6f, 1e9f};
    sidle_instance instance;
    CastScene scene = floor_scene(&instance);
    for (int i = 0; i < 4 * 5 * 6; ++i)
    {
        double height = heights[i % 4];
        float r = radii[i / 4 % 5], path = paths[i / 20];
        for (int kind = 0; kind < 2; ++kind)
        {
            double radius = kind ? 0 : (double)r;
            sidle_cast cast = {.origin = {.25, height, .5}, .displacement = {0, -path, 0}};
            cast.shape.radii = kind ? (sidle_vec3){0, 0, 0} : (sidle_vec3){r, r, r};
            sidle_cast_hit hit = ask(&scene, &cast);
            uint32_t expected =
                height < radius ? SIDLE_CAST_OVERLAP : (double)path >= (height - radius) * 1.000001;
            bool is_close = fabs(height - radius - (double)path) <= 1e-6 * height;
            cr_expect(hit.hit == expected || is_close, "height %g, radius %g, path %g: %u", height, radius,
                      (double)path, hit.hit);
            cr_expect(hit.t >= 0 && hit.t <= 1 && isfinite(hit.point.x + hit.point.y + hit.point.z));
        }
    }
    cast_scene_close(&scene);
}
