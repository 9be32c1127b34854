/* Casts of capsules against a judge in double that looks at every triangle. */
#include "support/casts_expected.h"

static const CastStyle capsules = {.least_radius = .02,
                                   .greatest_radius = .4,
                                   .aspect = 1.0001,
                                   .shortest = .01,
                                   .longest = 50,
                                   .longest_core = 5};
static const CastStyle oval_capsules = {.least_radius = .02,
                                        .greatest_radius = .3,
                                        .aspect = 4,
                                        .shortest = .01,
                                        .longest = 50,
                                        .longest_core = 3};
Test(casts, capsules_in_a_soup_agree_with_the_judge)
{
    Random random = random_seeded(31);
    judge_all("capsules in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &capsules, 32, 3000);
    judge_all("oval capsules in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &oval_capsules, 33,
              2000);
}

Test(casts, capsules_on_needles_segments_and_points_agree_with_the_judge)
{
    Random random = random_seeded(34);
    judge_all("capsules on needles", cast_scene_of(cast_needles(&random, 150)), &capsules, 35, 2000);
}

/* Of such casts those that are asked, by their numbers. Takes the scene. */
static void judge_found(CastScene scene, const CastStyle *style, uint64_t seed, const uint32_t *asked,
                        uint32_t count)
{
    Random random = random_seeded(seed);
    CastTally tally = {0};
    for (uint32_t i = 0, next = 0; next < count; ++i)
    {
        sidle_cast cast = cast_drawn(&random, &scene, style);
        if (i == asked[next])
        {
            sidle_cast_hit hit = cast_asked(&scene, &cast);
            cast_judged(&tally, &scene, &cast, &hit);
            ++next;
        }
    }
    cr_expect_eq(tally.wrong, 0, "%u of %u are wrong", (uint32_t)tally.wrong, count);
    cr_expect_eq(tally.hits, count);
    cast_scene_close(&scene);
}

/* The edge and a short core, or one nearly along it, span a side lower than THIN_HEIGHT: what is told lies
 * across all of it, not where one of its rims is met. */
Test(casts, what_the_side_of_a_low_prism_is_told_as_agrees_with_the_judge)
{
    static const uint32_t found[] = {119162, 303235, 375481, 462260, 552381,
                                     642418, 680964, 890716, 897478, 987497};
    Random random = random_seeded(34);
    judge_found(cast_scene_of(cast_needles(&random, 150)), &capsules, 35, found,
                sizeof found / sizeof *found);
}

/* A capsule whose core turns from an edge of the scene by a little, on its way to that edge. */
static sidle_cast cast_along_an_edge(Random *random, const CastScene *scene)
{
    sidle_cast cast = cast_drawn(random, scene, &capsules);
    const Vector *v = scene->triangles[random_below(random, (uint32_t)scene->count)].v, up = vector(0, 1, 0);
    Vector edge = vector_sub(v[1], v[0]), target = vector_along(v[0], random_unit(random), edge);
    Vector core = vector_along(vector_unit(edge), random_scale(random, 1e-9, 1), random_direction(random));
    Vector half = vector_unit(vector_add(vector_unit(core), up)), axis = vector_cross(up, half);
    cast.rotation = (sidle_quat){(float)axis.x, (float)axis.y, (float)axis.z, (float)half.y};
    double radius = (double)cast.shape.radii.x, aside = radius * random_between(random, 0, 1);
    Vector way =
        vector((double)cast.displacement.x, (double)cast.displacement.y, (double)cast.displacement.z);
    Vector across = vector_unit(vector_cross(way, random_direction(random)));
    double back = fmax(1.5 * radius, random_unit(random) * vector_length(way));
    Vector origin = vector_along(vector_along(target, aside, across), -back, vector_unit(way));
    cast.origin = (sidle_position){origin.x, origin.y, origin.z};
    return cast;
}

Test(casts, capsules_along_edges_agree_with_the_judge)
{
    Random random = random_seeded(34);
    CastScene scene = cast_scene_of(cast_needles(&random, 150));
    CastTally tally = {0};
    uint32_t count = query_count(3000);
    for (uint32_t i = 0; i < count && tally.wrong < 5; ++i)
    {
        sidle_cast cast = cast_along_an_edge(&random, &scene);
        sidle_cast_hit hit = cast_asked(&scene, &cast);
        cast_judged(&tally, &scene, &cast, &hit);
    }
    cast_tally_print(&tally, "capsules along edges");
    cr_expect_eq(tally.wrong, 0);
    cr_expect(tally.hits > count / 5);
    cast_scene_close(&scene);
}
