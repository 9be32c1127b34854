/* Places in batches are answered as single calls answer them, under any scheduler. */
#include "support/casts.h"
#include "support/scene.h"
#include "support/schedulers.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

enum
{
    PLACES = 333
};

/* As entries of an engine's own structures. */
typedef struct Entry
{
    sidle_place place;
    uint32_t spare[3];
    sidle_closest closest;
} Entry;

static void places_drawn(Random *random, Entry *entries)
{
    static const sidle_shape shapes[] = {{{.5f, .5f, .5f}, 0},
                                         {{.3f, .8f, .4f}, 0},
                                         {{.3f, .3f, .3f}, .5f},
                                         {{0, 0, 0}, 0},
                                         {{.3f, .4f, .3f}, .5f}};
    for (int i = 0; i < PLACES; ++i)
    {
        Vector at = random_in_box(random, vector(-5, -5, -5), vector(5, 5, 5));
        entries[i].place = (sidle_place){.center = {at.x, at.y, at.z}, .shape = shapes[i % 5]};
        entries[i].place.center.x = i == 7 ? (double)NAN : at.x;
    }
}

static sidle_place_batch_desc desc_of(const sidle_snapshot *snapshot, Entry *entries, float max_distance)
{
    return (sidle_place_batch_desc){.size = sizeof(sidle_place_batch_desc),
                                    .snapshot = snapshot,
                                    .max_distance = max_distance,
                                    .places = &entries[0].place,
                                    .place_stride = sizeof(Entry),
                                    .closest = &entries[0].closest,
                                    .closest_stride = sizeof(Entry),
                                    .count = PLACES};
}

static uint32_t compare(const sidle_snapshot *snapshot, Entry *entries, float max_distance)
{
    uint32_t found = 0;
    for (int i = 0; i < PLACES; ++i)
    {
        sidle_closest expected = {.found = 0};
        sidle_status status =
            max_distance < 0 ? sidle_place_overlaps(snapshot, 0, &entries[i].place, NULL, 1, &expected.found)
                             : sidle_place_closest(snapshot, 0, &entries[i].place, max_distance, &expected);
        expected.found = status == SIDLE_OK ? expected.found : SIDLE_CAST_INVALID;
        answers_keep_fields(NULL, 0, &expected);
        answers_keep_fields(NULL, 0, &entries[i].closest);
        cr_expect_eq(memcmp(&entries[i].closest, &expected, sizeof expected), 0, "place %d", i);
        cr_expect(i != 7 || expected.found == SIDLE_CAST_INVALID);
        found += expected.found == 1;
    }
    return found;
}

Test(place_batch, answers_are_those_of_single_calls)
{
    static Entry entries[PLACES];
    Random random = random_seeded(51);
    CastScene scene = cast_scene_of(cast_soup(&random, 200, 5, .1));
    places_drawn(&random, entries);
    for (int n = 0; n < 6; ++n)
    {
        Scheduler scheduler;
        float max_distance = n % 2 ? -1 : 1.5f;
        scheduler_set(&scheduler, (SchedulerOrder)(n / 2), 3);
        sidle_place_batch_desc desc = desc_of(scene.snapshot, entries, max_distance);
        desc.jobs = n < 2 ? NULL : &scheduler.jobs;
        for (int i = 0; i < PLACES; ++i)
        {
            memset(&entries[i].closest, 0xaa, sizeof entries[i].closest);
        }
        demand(sidle_place_batch(&desc), "sidle_place_batch");
        uint32_t found = compare(scene.snapshot, entries, max_distance);
        cr_expect(found > PLACES / 10 && found < PLACES, "%u found", found);
    }
    cast_scene_close(&scene);
}

Test(place_batch, a_batch_that_is_not_run_or_refused_says_so)
{
    static Entry entries[PLACES];
    Random random = random_seeded(52);
    CastScene scene = cast_scene_of(cast_soup(&random, 20, 5, .1));
    sidle_work work;
    places_drawn(&random, entries);
    sidle_place_batch_desc desc = desc_of(scene.snapshot, entries, 1);
    demand(sidle_place_batch_begin(&desc, 2, &work), "sidle_place_batch_begin");
    cr_expect_gt(sidle_work_task_count(&work, 0), 1);
    sidle_work_run(&work, 0, 0, 1);
    cr_expect_eq(sidle_place_batch_end(&work), SIDLE_ERROR_INCOMPLETE);
    cr_expect_eq(sidle_place_batch_end(&work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(sidle_place_batch_begin(&desc, 0, &work), SIDLE_ERROR_ARGUMENT);
    desc.max_distance = NAN;
    cr_expect_eq(sidle_place_batch(&desc), SIDLE_ERROR_NOT_FINITE);
    desc.max_distance = 2e9f;
    cr_expect_eq(sidle_place_batch(&desc), SIDLE_ERROR_LIMIT);
    desc.max_distance = 1;
    desc.closest = (sidle_closest *)(void *)entries;
    cr_expect_eq(sidle_place_batch(&desc), SIDLE_ERROR_ARGUMENT);
    desc.count = 0;
    demand(sidle_place_batch(&desc), "an empty batch");
    desc.snapshot = NULL;
    cr_expect_eq(sidle_place_batch(&desc), SIDLE_ERROR_ARGUMENT);
    cast_scene_close(&scene);
}
