/* One shape against many, at every width: docs/intersect/batch.md. */
#include "intersect/support/batch.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must not matter ---- */

typedef Answers ask_fn(const Many *many, const Ask *ask);

static void expect_same_at_every_width(ask_fn *answer, Ask (*draw)(Random *), bool boxes, uint64_t seed)
{
    uint32_t lanes[MAX_WIDTHS], width_count = batch_widths(lanes);
    Random random = random_seeded(seed);
    for (uint32_t i = 0; i < query_count(20000) / 20; ++i)
    {
        Many many = many_create(i % 70 == 69 ? 600 : i % 70);
        bool bad = random_chance(&random, .5);
        boxes ? many_draw_boxes(&random, bad, &many) : many_draw_triangles(&random, bad, &many);
        Ask ask = draw(&random);
        ask.lanes = 1;
        Answers one = answer(&many, &ask);
        for (uint32_t width = 1; width < width_count; ++width)
        {
            ask.lanes = lanes[width];
            Answers wide = answer(&many, &ask);
            cr_expect(answers_equal(&one, &wide), "%u of %u lanes", many.count, ask.lanes);
            answers_destroy(&wide);
        }
        uint32_t total = 0;
        for (uint32_t k = 0; k < 32 * words_of(many.count); ++k)
        {
            total += is_hit(&one, k);
            cr_expect(k < many.count || !is_hit(&one, k), "a bit behind the last");
        }
        cr_expect_eq(total, one.nearest.hit_count);
        answers_destroy(&one);
        many_destroy(&many);
    }
}

Test(batch, rays_get_the_same_bits_at_every_width)
{
    expect_same_at_every_width(ask_ray, draw_ray, false, 520);
}

Test(batch, spheres_get_the_same_bits_at_every_width)
{
    expect_same_at_every_width(ask_sphere, draw_sphere, false, 521);
}

Test(batch, boxes_get_the_same_bits_at_every_width)
{
    expect_same_at_every_width(ask_box, draw_box, true, 522);
}

/* The numbers of a triangle side by side and others between, as meshes come. */
Test(batch, interleaved_arrays_are_as_good_as_separate_ones)
{
    uint32_t lanes[MAX_WIDTHS], width_count = batch_widths(lanes);
    Random random = random_seeded(523);
    for (uint32_t i = 0; i < 200; ++i)
    {
        Many many = many_create(i % 70);
        many_draw_triangles(&random, i % 2, &many);
        float *mixed = malloc((many.count * 11 + 1) * sizeof *mixed);
        cr_assert(mixed);
        for (uint32_t k = 0; k < 9 * many.count; ++k)
        {
            mixed[1 + k / 9 * 11 + k % 9] = *many_number(&many, k / 9, k % 9);
        }
        Ask ask = draw_sphere(&random);
        Answers apart = ask_sphere(&many, &ask), together = answers_create(many.count);
        sidle_sphere_triangles_desc desc = {.size = sizeof desc,
                                            .center = ask.origin,
                                            .radius = ask.number,
                                            .hits = together.hits,
                                            .distances = together.numbers};
        desc.triangles = (sidle_triangle_arrays){.stride = 11 * sizeof *mixed, .count = many.count};
        for (int k = 0; k < 9; ++k)
        {
            desc.triangles.corners[k / 3][k % 3] = mixed + 1 + k;
        }
        desc.lanes = lanes[i % width_count];
        cr_assert_eq(sidle_batch_sphere_triangles(&desc, &together.nearest), SIDLE_OK);
        cr_expect(answers_equal(&apart, &together));
        answers_destroy(&apart);
        answers_destroy(&together);
        many_destroy(&many);
        free(mixed);
    }
}

Test(batch, arrays_may_begin_anywhere)
{
    uint32_t lanes[MAX_WIDTHS], width_count = batch_widths(lanes);
    Random random = random_seeded(524);
    Many many = many_create(100);
    many_draw_triangles(&random, false, &many);
    for (uint32_t begin = 0; begin < 40; ++begin)
    {
        Many rest = many_create(100 - begin), cut = many;
        for (uint32_t k = 0; k < 9; ++k)
        {
            memcpy(rest.blocks[k], many.blocks[k] + begin, rest.count * sizeof(float));
            cut.blocks[k] += begin;
        }
        cut.count = rest.count;
        Ask ask = draw_ray(&random);
        ask.lanes = lanes[begin % width_count];
        Answers a = ask_ray(&rest, &ask), b = ask_ray(&cut, &ask);
        cr_expect(answers_equal(&a, &b));
        answers_destroy(&a);
        answers_destroy(&b);
        many_destroy(&rest);
    }
    many_destroy(&many);
}

static sidle_vec3 vec_scaled(sidle_vec3 v, float scale)
{
    return (sidle_vec3){v.x * scale, v.y * scale, v.z * scale};
}

static void expect_sphere_scales(const Many *many, const Many *scaled, Ask sphere, float scale)
{
    Answers before = ask_sphere(many, &sphere);
    sphere.origin = vec_scaled(sphere.origin, scale);
    sphere.number *= scale;
    Answers after = ask_sphere(scaled, &sphere);
    cr_expect_eq(memcmp(before.hits, after.hits, words_of(many->count) * sizeof *before.hits), 0);
    for (uint32_t k = 0; k < many->count; ++k)
    {
        cr_assert_eq(before.numbers[k] * scale, after.numbers[k]);
    }
    answers_destroy(&before);
    answers_destroy(&after);
}

Test(batch, no_power_of_two_changes_a_verdict)
{
    Random random = random_seeded(525);
    for (uint32_t i = 0; i < query_count(20000) / 20; ++i)
    {
        Many many = many_create(33), scaled = many_create(33);
        many_draw_triangles(&random, false, &many);
        float scale = ldexpf(1, (int)random_below(&random, 17) - 8);
        for (uint32_t k = 0; k < 9 * 33; ++k)
        {
            *many_number(&scaled, k / 9, k % 9) = *many_number(&many, k / 9, k % 9) * scale;
        }
        Ask ray = draw_ray(&random), sphere = draw_sphere(&random), other = ray;
        Answers a = ask_ray(&many, &ray);
        other.origin = vec_scaled(ray.origin, scale);
        other.direction = vec_scaled(ray.direction, scale);
        Answers b = ask_ray(&scaled, &other);
        cr_expect(answers_equal(&a, &b), "times do not change");
        expect_sphere_scales(&many, &scaled, sphere, scale);
        answers_destroy(&a);
        answers_destroy(&b);
        many_destroy(&many);
        many_destroy(&scaled);
    }
}

/* Whether float or double answers must not be a matter of scale either, as long as float can hold the scene:
 * large, or with triangles that are small for where they are. */
Test(batch, no_power_of_two_changes_a_distance_from_one_end_of_the_range_to_the_other)
{
    Random random = random_seeded(533);
    for (uint32_t i = 0; i < query_count(20000) / 20; ++i)
    {
        Many many = many_create(33), scaled = many_create(33);
        bool tiny = i % 2 == 1;
        float scale = ldexpf(1, (int)random_below(&random, 97) - 48);
        for (uint32_t k = 0; k < 9 * 33; ++k)
        {
            double number = random_between(&random, -1, 1);
            float at = (float)(tiny ? 1 + .0000005 * number : number);
            *many_number(&many, k / 9, k % 9) = at;
            *many_number(&scaled, k / 9, k % 9) = at * scale;
        }
        Ask sphere = draw_sphere(&random);
        sphere.origin = tiny ? (sidle_vec3){1, 1, 1} : sphere.origin;
        expect_sphere_scales(&many, &scaled, sphere, scale);
        many_destroy(&many);
        many_destroy(&scaled);
    }
}

/* ---- what may go wrong ---- */

static bool has_bad_number(const Many *many, uint32_t i, uint32_t field_count)
{
    bool bad = false;
    for (uint32_t field = 0; field < field_count; ++field)
    {
        bad = bad || !isfinite(*many_number(many, i, field));
    }
    return bad;
}

Test(batch, not_a_number_is_never_hit)
{
    Random random = random_seeded(529);
    uint32_t lanes[MAX_WIDTHS], width_count = batch_widths(lanes);
    for (uint32_t i = 0; i < 2000; ++i)
    {
        Many many = many_create(33);
        many_draw_triangles(&random, true, &many);
        Ask ray = draw_ray(&random), sphere = draw_sphere(&random);
        ray.lanes = sphere.lanes = lanes[i % width_count];
        sphere.number = i % 3 ? sphere.number : 1e30f;
        Answers pierced = ask_ray(&many, &ray), touched = ask_sphere(&many, &sphere);
        for (uint32_t k = 0; k < 33; ++k)
        {
            bool bad = has_bad_number(&many, k, 9);
            cr_expect(!(bad && is_hit(&pierced, k)) && !(bad && is_hit(&touched, k)));
            cr_expect(!bad || (pierced.numbers[k] == INFINITY && touched.numbers[k] == INFINITY));
            cr_expect(!isnan(pierced.numbers[k]) && !isnan(touched.numbers[k]));
        }
        answers_destroy(&pierced);
        answers_destroy(&touched);
        many_destroy(&many);
    }
}

Test(batch, a_shape_that_is_none_hits_nothing)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    Random random = random_seeded(530);
    Many many = many_create(40), boxes = many_create(40);
    many_draw_triangles(&random, false, &many);
    many_draw_boxes(&random, false, &boxes);
    for (uint32_t i = 0; i < 3 * 6; ++i)
    {
        float numbers[6] = {0, 0, 0, 1, 1, 1};
        numbers[i / 3] = bad[i % 3];
        Ask ask = {.origin = {numbers[0], numbers[1], numbers[2]},
                   .direction = {numbers[3], numbers[4], numbers[5]}};
        Answers answers = ask_ray(&many, &ask);
        cr_expect_eq(answers.nearest.hit_count, 0);
        cr_expect_eq(answers.nearest.index, SIDLE_BATCH_NONE);
        answers_destroy(&answers);
        ask.number = i < 9 ? 100 : bad[i % 3];
        answers = ask_sphere(&many, &ask);
        cr_expect_eq(answers.nearest.hit_count, 0);
        cr_expect_eq(answers.nearest.index, SIDLE_BATCH_NONE);
        answers_destroy(&answers);
        if (i % 3 == 0)
        {
            answers = ask_box(&boxes, &ask);
            cr_expect_eq(answers.nearest.hit_count, 0);
            answers_destroy(&answers);
        }
    }
    Ask still = {.number = 0}, negative = {.number = -1},
        empty = {.origin = {1, -9, -9}, .direction = {-1, 9, 9}};
    Answers ray = ask_ray(&many, &still), sphere = ask_sphere(&many, &negative),
            box = ask_box(&boxes, &empty);
    cr_expect_eq(ray.nearest.hit_count + sphere.nearest.hit_count + box.nearest.hit_count, 0);
    cr_expect(sphere.nearest.value < INFINITY, "distances are still written");
    answers_destroy(&ray);
    answers_destroy(&sphere);
    answers_destroy(&box);
    many_destroy(&many);
    many_destroy(&boxes);
}

Test(batch, wrong_descs_are_refused_and_nothing_is_written)
{
    sidle_batch_nearest nearest = {1, 2, 3};
    sidle_ray_triangles_desc ray = {.size = sizeof ray, .direction = {0, 0, 1}};
    sidle_sphere_triangles_desc sphere = {.size = sizeof sphere};
    sidle_box_boxes_desc box = {.size = sizeof box};
    uint32_t hit_count = 7;
    cr_expect_eq(sidle_batch_ray_triangles(NULL, &nearest), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_batch_sphere_triangles(NULL, &nearest), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_batch_box_boxes(NULL, &hit_count), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_batch_ray_triangles(&ray, NULL), SIDLE_ERROR_ARGUMENT, "nothing to answer to");
    ray.triangles.count = sphere.triangles.count = box.boxes.count = 1;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_ERROR_ARGUMENT, "no arrays");
    cr_expect_eq(sidle_batch_sphere_triangles(&sphere, &nearest), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_batch_box_boxes(&box, &hit_count), SIDLE_ERROR_ARGUMENT);
    ray.triangles.count = 0;
    ray.triangles.stride = 6;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_ERROR_ARGUMENT);
    ray.triangles.stride = 0;
    ray.limit = -1;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_ERROR_ARGUMENT);
    ray.limit = NAN;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_ERROR_ARGUMENT);
    ray.limit = 0;
    ray.lanes = 3;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_ERROR_UNSUPPORTED);
    cr_expect_eq(sidle_batch_lanes(3), 0);
    ray.lanes = 0;
    ray.size -= 8;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_ERROR_ARGUMENT);
    cr_expect(nearest.value == 1 && nearest.index == 2 && nearest.hit_count == 3 && hit_count == 7);
    ray.size += 8;
    cr_expect_eq(sidle_batch_ray_triangles(&ray, &nearest), SIDLE_OK, "none at all is no error");
    cr_expect(nearest.value == INFINITY && nearest.index == SIDLE_BATCH_NONE && nearest.hit_count == 0);
}

/* ---- named cases ---- */

/* Two triangles, of -1 to 1 at z = 2. */
static Many one_square(void)
{
    const float numbers[2][9] = {{-1, -1, 2, 1, -1, 2, 1, 1, 2}, {-1, -1, 2, 1, 1, 2, -1, 1, 2}};
    Many many = many_create(2);
    for (uint32_t k = 0; k < 18; ++k)
    {
        *many_number(&many, k / 9, k % 9) = numbers[k / 9][k % 9];
    }
    return many;
}

Test(batch, a_ray_passes_no_shared_edge_and_touches_at_its_ends)
{
    Many many = one_square();
    const Ask through = {.origin = {.3f, .3f, 0}, .direction = {0, 0, 1}};
    const Ask both = {.origin = {.5f, .5f, 0}, .direction = {0, 0, 1}};
    const Ask begins = {.origin = {.5f, .25f, 2}, .direction = {0, 0, 1}};
    const Ask ends = {.origin = {.5f, .25f, 0}, .direction = {0, 0, .5f}, .number = 4};
    const Ask before = {.origin = {.5f, .25f, 0}, .direction = {0, 0, .5f}, .number = 3.9999998f};
    const Ask behind = {.origin = {.5f, .25f, 3}, .direction = {0, 0, 1}};
    const struct
    {
        Ask ask;
        bool hit;
        float time;
    } cases[] = {{through, true, 2}, {both, true, 2},    {begins, true, 0},
                 {ends, true, 4},    {before, false, 0}, {behind, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        Answers answers = ask_ray(&many, &cases[i].ask);
        cr_expect_eq(answers.nearest.hit_count > 0, cases[i].hit, "case %zu", i);
        cr_expect(!cases[i].hit || answers.nearest.value == cases[i].time);
        cr_expect(answers.nearest.hit_count < 2 || answers.nearest.index == 0, "both at once: the first");
        answers_destroy(&answers);
    }
    Random random = random_seeded(531);
    for (int i = 0; i < 20000; ++i) /* along the diagonal and from anywhere: never between the two */
    {
        double at = random_between(&random, -.999, .999);
        Ask ask = {.origin = vec_near(&random, 1.9, false)};
        ask.direction = (sidle_vec3){(float)at - ask.origin.x, (float)at - ask.origin.y, 2 - ask.origin.z};
        Answers answers = ask_ray(&many, &ask);
        cr_expect_geq(answers.nearest.hit_count, 1);
        answers_destroy(&answers);
    }
    many_destroy(&many);
}

Test(batch, a_sphere_touches_at_exactly_its_radius)
{
    Many many = one_square();
    const float above = nextafterf(2, 0);
    const struct
    {
        Ask ask;
        uint32_t hit_count;
    } cases[] = {{{.origin = {.5f, 0, 0}, .number = 2}, 1},
                 {{.origin = {.5f, 0, 0}, .number = above}, 0},
                 {{.origin = {0, 0, 4}, .number = 2}, 2},
                 {{.origin = {4, 5, 2}, .number = 5}, 1 + 1}, /* the corner (1, 1) that both have */
                 {{.origin = {.5f, 0, 2}, .number = 0}, 1},
                 {{.origin = {.5f, .5f, 2}, .number = 0}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    {
        Answers answers = ask_sphere(&many, &cases[i].ask);
        cr_expect_eq(answers.nearest.hit_count, cases[i].hit_count, "case %zu", i);
        answers_destroy(&answers);
    }
    many_destroy(&many);
}

/* A direction of 1e-30 and a distance of 1e12 make a time that float has no number for. */
Test(batch, a_hit_beyond_the_range_of_float_times_is_a_miss)
{
    Many many = one_square();
    for (uint32_t i = 0; i < 2 * 9; ++i)
    {
        *many_number(&many, i / 9, i % 9) *= 1e12f;
    }
    Ask ask = {.direction = {1e-32f, 2e-32f, 1e-30f}};
    for (int i = 0; i < 2; ++i)
    {
        ask.number = i ? INFINITY : 0;
        Answers late = ask_ray(&many, &ask);
        cr_expect(!is_hit(&late, 0) && !is_hit(&late, 1));
        cr_expect(late.numbers[0] == INFINITY && late.numbers[1] == INFINITY);
        cr_expect(late.nearest.hit_count == 0 && late.nearest.index == SIDLE_BATCH_NONE);
        answers_destroy(&late);
    }
    ask.direction = (sidle_vec3){1e-22f, 2e-22f, 1e-20f};
    Answers seen = ask_ray(&many, &ask);
    cr_expect(is_hit(&seen, 1) && seen.nearest.value < INFINITY);
    answers_destroy(&seen);
    many_destroy(&many);
}
