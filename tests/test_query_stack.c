/* Casts run on whatever thread an engine has: they take no more of its stack than SIDLE_CAST_STACK. */
#include "sidle/place.h"
#include "support/casts.h"
#include "support/stacks.h"
#include "support/widths.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASTS 256

typedef struct Questions
{
    sidle_cast_batch_desc batch;
    sidle_cast casts[CASTS];
    sidle_cast_hit hits[CASTS];
} Questions;

static void *ask_at_once(void *argument)
{
    Questions *questions = argument;
    sidle_work work;
    if (sidle_cast_batch_begin(&questions->batch, 1, &work) != SIDLE_OK)
    {
        return NULL;
    }
    sidle_work_execute(&work, NULL);
    return sidle_cast_batch_end(&work) == SIDLE_OK ? argument : NULL;
}

static void *ask_each(void *argument)
{
    Questions *questions = argument;
    bool is_asked = true;
    for (uint32_t i = 0; i < CASTS && is_asked; ++i)
    {
        is_asked = sidle_cast_closest(questions->batch.snapshot, 0, &questions->casts[i],
                                      &questions->hits[i]) == SIDLE_OK;
    }
    return is_asked ? argument : NULL;
}

static void *ask_for_all(void *argument)
{
    Questions *questions = argument;
    bool is_asked = true;
    for (uint32_t i = 0; i < CASTS && is_asked; ++i)
    {
        uint32_t count;
        is_asked = sidle_cast_all(questions->batch.snapshot, 0, &questions->casts[i], questions->hits, CASTS,
                                  &count) == SIDLE_OK;
    }
    return is_asked ? argument : NULL;
}

/* Free places around the beginnings of the casts. */
static void *ask_for_places(void *argument)
{
    Questions *questions = argument;
    bool is_asked = true;
    for (uint32_t i = 0; i < CASTS && is_asked; ++i)
    {
        sidle_free_desc desc = {
            .size = sizeof desc,
            .place = {.center = questions->casts[i].origin, .shape = {{.4f, .4f, .4f}, .5f}},
            .radius = 2,
            .drop = i % 2 ? 4.f : 0};
        sidle_position center;
        uint32_t found;
        is_asked = sidle_place_find_free(questions->batch.snapshot, 0, &desc, &center, &found) == SIDLE_OK;
    }
    return is_asked ? argument : NULL;
}

static void expect_little_stack(const char *what, uint32_t lanes, void *(*run)(void *), Questions *questions)
{
    size_t used = stack_taken(run, questions);
    printf("%s, %u lanes: %zu bytes of stack\n", what, lanes, used);
    /* The least that it can be: a task holds its candidates there, and several casts if they are a batch. A ray has none. */
    size_t least = SIDLE_CAST_STACK / (run == ask_at_once ? 2 : strcmp(what, "rays") == 0 ? 8 : 4);
    cr_expect((run == ask_for_all || used > least) &&
                  used <= SIDLE_CAST_STACK + STACK_RED_ZONES(SIDLE_CAST_STACK),
              "%s take %zu bytes", what, used);
}

static void expect_of_every_width(const char *what, const CastScene *scene, const CastStyle *style,
                                  Questions *questions)
{
    Random random = random_seeded(7);
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        questions->casts[i] = cast_drawn(&random, scene, style);
    }
    questions->batch = (sidle_cast_batch_desc){.size = sizeof questions->batch,
                                               .snapshot = scene->snapshot,
                                               .casts = questions->casts,
                                               .count = CASTS,
                                               .hits = questions->hits};
    expect_little_stack(what, sidle_cast_lanes(0), ask_each, questions);
    expect_little_stack("all hits", sidle_cast_lanes(0), ask_for_all, questions);
    expect_little_stack("places", sidle_cast_lanes(0), ask_for_places, questions);
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    for (uint32_t w = 0; w < width_count; ++w)
    {
        questions->batch.lanes = widths[w]->lane_count;
        expect_little_stack(what, widths[w]->lane_count, ask_at_once, questions);
    }
}

/* The soup is more than the nearest caches hold, so that a task has several casts in flight; needles ask in double. */
Test(cast_stack, casts_of_every_shape_take_no_more_stack_than_the_header_says)
{
    static const struct
    {
        const char *what;
        CastStyle style;
    } shapes[] = {
        {"rays", {.rays = true, .shortest = .01, .longest = 50}},
        {"balls", {.least_radius = .02, .greatest_radius = .6, .aspect = 1, .shortest = .01, .longest = 50}},
        {"ellipsoids",
         {.least_radius = .02, .greatest_radius = .3, .aspect = 8, .shortest = .01, .longest = 50}},
        {"capsules",
         {.least_radius = .02,
          .greatest_radius = .4,
          .aspect = 1.0001,
          .shortest = .01,
          .longest = 50,
          .longest_core = 5}},
    };
    Random random = random_seeded(6);
    CastScene soup = cast_scene_of(cast_soup(&random, 20000, 40, .05));
    CastScene needles = cast_scene_of(cast_needles(&random, 150));
    Questions *questions = calloc(1, sizeof *questions);
    cr_assert(questions);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
    {
        expect_of_every_width(shapes[i].what, &soup, &shapes[i].style, questions);
        expect_of_every_width(shapes[i].what, &needles, &shapes[i].style, questions);
    }
    free(questions);
    cast_scene_close(&needles);
    cast_scene_close(&soup);
}
