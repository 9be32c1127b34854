/* Motion as docs/motion.md shows it: every row of its tables, with its bounds. */
#include "support/motion_rows.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void rows_hold(const MotionVariant *variant)
{
    MotionSetting setting = motion_setting_of(MOTION_WALK, variant);
    for (int i = 0; i < motion_row_count; ++i)
    {
        const MotionRow *row = &motion_rows[i];
        MotionFigures figures = {{0}};
        if (row->needs_rides)
        {
            continue;
        }
        row->measure(&setting, &figures);
        char cell[128];
        motion_cell(row, &figures, cell, sizeof cell);
        cr_expect_eq(motion_out_of_bounds(row, &figures), -1, "%s: %s: %s", variant->name, row->name, cell);
    }
}

Test(motion, every_row_holds_in_one_mesh)
{
    rows_hold(&motion_variants[0]);
}

Test(motion, every_row_holds_with_a_body_for_each_tile)
{
    rows_hold(&motion_variants[1]);
}

Test(motion, every_row_holds_with_turned_and_scaled_bodies)
{
    rows_hold(&motion_variants[2]);
}

Test(motion, every_row_holds_a_hundred_kilometres_away)
{
    rows_hold(&motion_variants[3]);
}

/* The scenes tell one mover from another: the published form fails them where it is known to. */
Test(motion, the_published_form_trembles_bounces_and_stays_embedded)
{
    MotionSetting setting = motion_person(MOTION_PUBLISHED);
    MotionRest rest = motion_corners(&setting);
    cr_expect(rest.unsettled > 5 && rest.jitter_mm > 10.0, "%d corners, %g mm", rest.unsettled,
              rest.jitter_mm);
    cr_expect_gt(motion_wedges(&setting).jitter_mm, 1.0);
    cr_expect_gt(motion_downhill_airborne(&setting), 60);
    cr_expect_gt(motion_stairs(&setting, (MotionFlight){.riser = 0.2, .tread = 0.3, .down = true}).airborne,
                 0.5);
    cr_expect_gt(motion_course_spread(&setting, COURSE_STAIRS_UP), 10.0);
    cr_expect_gt(motion_course_spread(&setting, COURSE_SLOPE_UP), 10.0);
    cr_expect_gt(motion_slots_stuck(&setting), 0);
    cr_expect_lt(motion_embedded(&setting, TRAP_FLOOR).ticks, 0);
    setting.place = vector(1e5, 0, 1e5);
    cr_expect_gt(motion_floor_ghosts(&setting), 100.0);
    cr_expect_gt(motion_gaps_passed(&setting, 0.001), 0);
}

/* ---- other shapes ---- */

static const sidle_shape shapes[] = {
    {.radii = {0.4f, 0.9f, 0.4f}},
    {.radii = {0.4f, 0.4f, 0.4f}},
    {.radii = {0.4f, 0.4f, 0.4f}, .half_height = 0.5f},
};

Test(motion, every_row_holds_for_a_ball_and_for_a_capsule)
{
    for (int form = 1; form < 3; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form];
        for (int i = 0; i < motion_row_count && motion_is_supported(&setting); ++i)
        {
            const MotionRow *row = &motion_rows[i];
            MotionFigures figures = {{0}};
            if (row->needs_rides)
            {
                continue;
            }
            row->measure(&setting, &figures);
            char cell[128];
            motion_cell(row, &figures, cell, sizeof cell);
            cr_expect_eq(motion_out_of_bounds(row, &figures), -1, "shape %d: %s: %s", form, row->name, cell);
        }
    }
}

/* ---- rates ---- */

Test(motion, where_two_seconds_lead_does_not_depend_on_the_rate)
{
    for (int form = 0; form < 3; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form];
        for (int course = 0; course < COURSE_COUNT && motion_is_supported(&setting); ++course)
        {
            bool stairs = course == COURSE_STAIRS_UP || course == COURSE_STAIRS_DOWN;
            double spread = motion_course_spread(&setting, (MotionCourse)course);
            cr_expect_leq(spread, stairs ? 1.0 : 0.1, "shape %d, %s: %g %%", form,
                          motion_course_names[course], spread);
        }
    }
}

/* ---- stairs ---- */

/* Treads of at least .3 m, which a radius of .4 m does not fit on: up at nine tenths of the speed, down on the ground. */
Test(motion, stairs_are_climbed_up_to_the_limit_at_the_speed_of_the_flat_and_descended_on_the_ground)
{
    const double risers[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.399, 0.401, 0.45};
    const double treads[] = {0.3, 0.41, 0.6, 1.0}, angles[] = {0, 20, 45, 60, 80};
    for (int form = 0; form < 1200; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form % 3];
        setting.rate = form / 3 % 2 == 0 ? 30 : 240;
        MotionFlight flight = {risers[form / 6 % 10], treads[form / 60 % 4], angles[form / 240], false};
        bool promised = flight.riser <= setting.step_up || flight.tread >= 0.4 * 1.02;
        if (!motion_is_supported(&setting) || !promised)
        {
            continue;
        }
        MotionStairs up = motion_stairs(&setting, flight);
        flight.down = true;
        MotionStairs down = motion_stairs(&setting, flight);
        bool climbs = flight.riser <= setting.step_up;
        cr_expect_eq(up.passed, climbs, "shape %d, %d Hz, riser %g, tread %g, %g degrees: %s", form % 3,
                     setting.rate, flight.riser, flight.tread, flight.degrees,
                     climbs ? "refused" : "climbed");
        cr_expect(!climbs || (up.speed >= 0.9 && up.speed < 1.01),
                  "shape %d, %d Hz, riser %g, tread %g, %g degrees: up at %g", form % 3, setting.rate,
                  flight.riser, flight.tread, flight.degrees, up.speed);
        cr_expect(!climbs || (down.passed && down.airborne == 0.0),
                  "shape %d, %d Hz, riser %g, tread %g, %g degrees: airborne %g down", form % 3, setting.rate,
                  flight.riser, flight.tread, flight.degrees, down.airborne);
    }
}

Test(motion, a_step_is_climbed_up_to_the_limit_to_a_millimetre)
{
    const double limits[3] = {0.1, 0.25, 0.4};
    for (int form = 0; form < 18; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form % 3];
        setting.rate = form / 3 % 2 == 0 ? 30 : 240;
        setting.step_up = limits[form / 6];
        if (motion_is_supported(&setting))
        {
            double highest = motion_highest_kerb(&setting);
            cr_expect_float_eq(highest, setting.step_up, 1.1e-3, "shape %d, %d Hz, limit %g: %g", form % 3,
                               setting.rate, setting.step_up, highest);
        }
    }
}

/* ---- moving ground ---- */

/* Off until moving ground carries its riders. */
#define RIDES_ARE_MISSING 1

Test(motion, riders_stay_on_lifts_and_turning_platforms, .disabled = RIDES_ARE_MISSING)
{
    for (int variant = 0; variant < MOTION_VARIANTS; variant += 3)
    {
        MotionSetting setting = motion_setting_of(MOTION_WALK, &motion_variants[variant]);
        for (int i = 0; i < motion_row_count; ++i)
        {
            MotionFigures figures = {{0}};
            if (motion_rows[i].needs_rides)
            {
                motion_rows[i].measure(&setting, &figures);
                char cell[128];
                motion_cell(&motion_rows[i], &figures, cell, sizeof cell);
                cr_expect_eq(motion_out_of_bounds(&motion_rows[i], &figures), -1, "%s: %s",
                             motion_rows[i].name, cell);
            }
        }
    }
}
