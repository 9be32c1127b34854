/* Which triangles of a place count, which places are refused, and triggers. */
#include "sidle/place.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>

Test(place_calls, layers_and_an_ignored_instance_are_skipped)
{
    Soup soup = {0};
    soup_floor(&soup, 5, 0);
    Scene scene = scene_of(soup, flying_ball());
    sidle_place place = {.shape.radii = {1, 1, 1}};
    uint32_t count;
    demand(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 0, &count), "all");
    cr_expect_eq(count, scene.soup.count);
    place.collides_with = 2;
    demand(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 0, &count), "another layer");
    cr_expect_eq(count, 0);
    place.collides_with = 0;
    place.ignore = scene.instances[0];
    demand(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 0, &count), "ignored");
    cr_expect_eq(count, 0);
    scene_close(&scene);
}

Test(place_calls, far_from_the_origin_the_answers_are_the_same)
{
    for (int i = 0; i < 2; ++i)
    {
        Soup soup = {0};
        soup_floor(&soup, 5, 0);
        SceneOptions options = flying_ball();
        double far = i * 0x1p26;
        options.place = vector(far, 0, -far);
        Scene scene = scene_of(soup, options);
        sidle_place place = {.center = {far + .25, 1.5, .5 - far}, .shape.radii = {1, 1, 1}};
        sidle_closest found;
        demand(sidle_place_closest(scene.snapshot, 0, &place, 4, &found), "sidle_place_closest");
        cr_expect(found.found && found.distance == .5 && found.point.x == far + .25 &&
                  found.point.z == .5 - far);
        scene_close(&scene);
    }
}

static sidle_status closest(const Scene *scene, const sidle_place *place, float most)
{
    sidle_closest found;
    return sidle_place_closest(scene->snapshot, 0, place, most, &found);
}

Test(place_calls, invalid_places_are_refused)
{
    Soup soup = {0};
    soup_floor(&soup, 5, 0);
    Scene scene = scene_of(soup, flying_ball());
    const sidle_place good = {.shape.radii = {1, 1, 1}};
    sidle_place place = good;
    uint32_t count;
    place.center.y = NAN;
    cr_expect_eq(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 0, &count), SIDLE_ERROR_NOT_FINITE);
    cr_expect_eq(closest(&scene, &place, 1), SIDLE_ERROR_NOT_FINITE);
    place = good;
    place.flags = 2;
    cr_expect_eq(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 0, &count), SIDLE_ERROR_ARGUMENT);
    place.flags = SIDLE_PLACE_BOX;
    place.shape.half_height = 1;
    cr_expect_eq(sidle_place_overlaps(scene.snapshot, 0, &place, NULL, 0, &count), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(closest(&scene, &good, NAN), SIDLE_ERROR_NOT_FINITE);
    cr_expect_eq(closest(&scene, &good, -1), SIDLE_ERROR_LIMIT);
    place = good;
    place.center.x = 2 * SIDLE_MAX_COORDINATE;
    cr_expect_eq(closest(&scene, &place, 1), SIDLE_ERROR_LIMIT);
    cr_expect_eq(sidle_place_overlaps(scene.snapshot, 2, &good, NULL, 0, &count), SIDLE_ERROR_ARGUMENT);
    scene_close(&scene);
}

/* ---- triggers ---- */

Test(place_calls, lists_of_two_moments_show_what_entered_stayed_and_left)
{
    const sidle_overlap before[4] = {{1, {0}, 3, 0}, {1, {0}, 5, 0}, {2, {0}, 0, 0}, {7, {0}, 1, 0}};
    const sidle_overlap now[3] = {{1, {0}, 5, 0}, {3, {0}, 2, 0}, {7, {0}, 2, 0}};
    sidle_overlap_event events[7];
    cr_assert_eq(sidle_overlaps_diff(before, 4, now, 3, 0, events), 4);
    const uint32_t kinds[4] = {SIDLE_OVERLAP_STAYED, SIDLE_OVERLAP_LEFT, SIDLE_OVERLAP_ENTERED,
                               SIDLE_OVERLAP_STAYED};
    for (int i = 0; i < 4; ++i)
    {
        cr_expect_eq(events[i].kind, kinds[i], "%d", i);
    }
    cr_expect(events[0].overlap.triangle == 5 && events[1].overlap.instance_key == 2);
    cr_assert_eq(sidle_overlaps_diff(before, 4, now, 3, 1, events), 6);
    cr_expect(events[0].kind == SIDLE_OVERLAP_LEFT && events[1].kind == SIDLE_OVERLAP_STAYED);
    cr_expect_eq(sidle_overlaps_diff(NULL, 0, NULL, 0, 0, events), 0);
}
