/* Casts of capsules against an oracle in double that looks at every triangle. */
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

Test(casts, capsules_in_a_soup_agree_with_the_oracle)
{
    Random random = random_seeded(31);
    check_casts("capsules in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &capsules, 32, 3000);
    check_casts("oval capsules in soup", cast_scene_of(cast_soup(&random, 150, 10, .05)), &oval_capsules, 33,
                2000);
}

Test(casts, capsules_on_needles_segments_and_points_agree_with_the_oracle)
{
    Random random = random_seeded(34);
    check_casts("capsules on needles", cast_scene_of(cast_needles(&random, 150)), &capsules, 35, 2000);
}

/* The edge and a short core, or one nearly along it, span a parallelogram that is hardly there: the contact lies
 * where the core is nearest, not at one of its ends. */
Test(casts, short_cores_nearly_along_an_edge_agree_with_the_oracle)
{
    /* Of a million casts at the needles above. */
    static const struct
    {
        Vector v[3];
        sidle_cast cast;
    } found[] = {
        {{{-0.222447172, 1.57029855, -7.61943865},
          {-1.99372447, 1.57278442, -8.24986553},
          {-0.980564058, 1.5713625, -7.88926506}},
         {.origin = {-0.81580436870527107, 1.6559445729772224, -7.8020756375861078},
          .rotation = {-0.559296131F, -0.554993391F, -0.615767956F, 0.838566124F},
          .displacement = {-0.0135905929F, -0.0492308438F, -0.00671256566F},
          .shape = {.radii = {0.0686380416F, 0.0686419532F, 0.0686380416F}, .half_height = 0.00093987101F}}},
        {{{-3.50068784, 8.46286392, -7.50888538},
          {-3.75432253, 8.47117138, -7.26766539},
          {-3.66127324, 8.46812344, -7.35616016}},
         {.origin = {-3.3822796593563829, 8.0353699442349544, -7.619814916597405},
          .rotation = {0.262990415F, -0.588884354F, 0.764232457F, -0.573970258F},
          .displacement = {-1.53281009F, 2.31120372F, 1.38538003F},
          .shape = {.radii = {0.0640306845F, 0.0640327334F, 0.0640306845F}, .half_height = 0.00119408884F}}},
        {{{2.2948699, 2.48987365, 0.75916481},
          {-3.34214926, 9.22703362, 5.52239752},
          {-0.769720793, 6.15256691, 3.34872055}},
         {.origin = {0.75569200016608773, 4.2869674933607813, 1.9997266970364229},
          .rotation = {0.776951909F, 0.322016329F, -0.540972471F, -0.0291488338F},
          .displacement = {0.027511768F, 0.0137526942F, 0.0272308197F},
          .shape = {.radii = {0.030191686F, 0.0301931836F, 0.030191686F}, .half_height = 0.0010089688F}}},
        {{{5.91551542, 7.72865534, 6.5105319},
          {5.94105577, 7.73409748, 6.42272806},
          {5.91551542, 7.72865534, 6.5105319}},
         {.origin = {5.9412411291213285, 7.6975834592179275, 6.477831664890692},
          .rotation = {-0.365516543F, 0.57170856F, -0.734538615F, 0.724368393F},
          .displacement = {-0.0326090194F, 0.0249451604F, 0.00236594351F},
          .shape = {.radii = {0.0316917226F, 0.03169211F, 0.0316917226F}, .half_height = 0.000765847333F}}},
        {{{-5.54432821, 6.46500254, 1.60352981},
          {-9.70176697, 3.03345013, -2.96517086},
          {-6.75291634, 5.46743298, 0.275385559}},
         {.origin = {-7.2264827308820951, 4.9482879484198312, 1.2937525079617163},
          .rotation = {0.688978732F, 0.724603355F, 0.0160698574F, 0.565832198F},
          .displacement = {0.531768203F, 0.566503048F, -0.964856565F},
          .shape = {.radii = {0.263435006F, 0.263448358F, 0.263435006F}, .half_height = 0.00695935497F}}},
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; ++i)
    {
        Soup soup = {0};
        soup_triangle(&soup, found[i].v[0], found[i].v[1], found[i].v[2]);
        soup_round(&soup);
        CastScene scene = cast_scene_of(soup);
        CastTally tally = {0};
        sidle_cast_hit hit = cast_asked(&scene, &found[i].cast);
        cr_expect(cast_checked(&tally, &scene, &found[i].cast, &hit));
        cr_expect_eq(hit.hit, SIDLE_CAST_HIT);
        cast_scene_close(&scene);
    }
}

/* A capsule whose core turns from an edge of the scene by a little, on its path to that edge. */
static sidle_cast cast_along_an_edge(Random *random, const CastScene *scene)
{
    sidle_cast cast = cast_drawn(random, scene, &capsules);
    const Vector *v = scene->triangles[random_below(random, (uint32_t)scene->count)].v, up = vector(0, 1, 0);
    Vector edge = vector_sub(v[1], v[0]), target = vector_along(v[0], random_unit(random), edge);
    Vector core = vector_along(vector_unit(edge), random_scale(random, 1e-9, 1), random_direction(random));
    Vector half = vector_unit(vector_add(vector_unit(core), up)), axis = vector_cross(up, half);
    cast.rotation = (sidle_quat){(float)axis.x, (float)axis.y, (float)axis.z, (float)half.y};
    double radius = (double)cast.shape.radii.x, aside = radius * random_between(random, 0, 1);
    Vector path =
        vector((double)cast.displacement.x, (double)cast.displacement.y, (double)cast.displacement.z);
    Vector across = vector_unit(vector_cross(path, random_direction(random)));
    double back = fmax(1.5 * radius, random_unit(random) * vector_length(path));
    Vector origin = vector_along(vector_along(target, aside, across), -back, vector_unit(path));
    cast.origin = (sidle_position){origin.x, origin.y, origin.z};
    return cast;
}

Test(casts, capsules_along_edges_agree_with_the_oracle)
{
    Random random = random_seeded(34);
    CastScene scene = cast_scene_of(cast_needles(&random, 150));
    CastTally tally = {0};
    uint32_t count = query_count(3000);
    for (uint32_t i = 0; i < count && tally.wrong < 5; ++i)
    {
        sidle_cast cast = cast_along_an_edge(&random, &scene);
        sidle_cast_hit hit = cast_asked(&scene, &cast);
        cast_checked(&tally, &scene, &cast, &hit);
    }
    cast_tally_print(&tally, "capsules along edges");
    cr_expect_eq(tally.wrong, 0);
    cr_expect(tally.hits > count / 5);
    cast_scene_close(&scene);
}
