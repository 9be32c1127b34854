/* The forms of a scene that the tests run: four tick rates, two shapes. */
#ifndef TESTS_AGENTS_FORMS_H
#define TESTS_AGENTS_FORMS_H

#include "support/crowd_scenes.h"

#include <criterion/criterion.h>

#define FORMS 8 /* four rates, two shapes */

static const int rates[4] = {30, 60, 120, 240};
static const sidle_shape shapes[2] = {{.radii = {.4f, .9f, .4f}},
                                      {.radii = {.4f, .4f, .4f}, .half_height = .5f}};

static inline CrowdSetting small(CrowdKind kind, int count, double seconds, double amount)
{
    CrowdSetting setting = crowd_setting(kind);
    setting.count = count;
    setting.seconds = seconds;
    setting.amount = amount;
    return setting;
}

static inline CrowdSetting form_of(CrowdSetting setting, int form)
{
    setting.rate = rates[form / 2];
    setting.shape = shapes[form % 2];
    return setting;
}

/* What no scene may show: overlaps, persons out of the level, persons stuck in it. */
static inline CrowdFigures sound(const CrowdSetting *setting)
{
    CrowdFigures figures = crowd_measure(setting);
    const char *name = crowd_name(setting->kind),
               *shape = setting->shape.half_height > 0 ? "capsule" : "ellipsoid";
    cr_expect_leq(figures.overlap, 0, "%s, %s, %d Hz: overlap %g %%", name, shape, setting->rate,
                  figures.overlap);
    cr_expect_eq(figures.out, 0, "%s, %s, %d Hz: %d out", name, shape, setting->rate, figures.out);
    cr_expect_eq(figures.stuck, 0, "%s, %s, %d Hz: %d stuck", name, shape, setting->rate, figures.stuck);
    return figures;
}

#endif
