/* Motion as docs/motion.md shows it: every row of its tables, with its bounds. */
#include "support/motion_rows.h"

#include <criterion/criterion.h>

static const sidle_shape shapes[] = {
    {.radii = {0.4f, 0.9f, 0.4f}},
    {.radii = {0.4f, 0.4f, 0.4f}},
    {.radii = {0.4f, 0.4f, 0.4f}, .half_height = 0.5f},
};

#define SHAPES 3

static void row_holds(const MotionRow *row, const MotionSetting *setting, const char *where)
{
    MotionFigures figures = {{0}};
    char cell[128];
    row->measure(setting, &figures);
    motion_cell(row, &figures, cell, sizeof cell);
    cr_expect_eq(motion_out_of_bounds(row, &figures), -1, "%s: %s: %s", where, row->name, cell);
}

static void rows_hold(const MotionSetting *setting, const char *where)
{
    for (int i = 0; i < motion_row_count; ++i)
    {
        if (motion_rows[i].own_test == NULL)
        {
            row_holds(&motion_rows[i], setting, where);
        }
    }
}

/* For every shape in one mesh, and for a person in this many variants of it. */
static void own_row_holds(const char *name, int variants)
{
    const MotionRow *row = motion_row_of(name);
    cr_assert_not_null(row, "no row %s", name);
    for (int form = 0; form < SHAPES + variants - 1; ++form)
    {
        const MotionVariant *variant = &motion_variants[form < SHAPES ? 0 : form - SHAPES + 1];
        MotionSetting setting = motion_setting_of(MOTION_WALK, variant);
        setting.shape = shapes[form < SHAPES ? form : 0];
        row_holds(row, &setting, variant->name);
    }
}

static void rows_hold_in(int variant)
{
    MotionSetting setting = motion_setting_of(MOTION_WALK, &motion_variants[variant]);
    rows_hold(&setting, motion_variants[variant].name);
}

Test(motion, every_row_holds_in_one_mesh)
{
    rows_hold_in(0);
}

Test(motion, every_row_holds_with_a_body_for_each_tile)
{
    rows_hold_in(1);
}

Test(motion, every_row_holds_with_turned_and_scaled_bodies)
{
    rows_hold_in(2);
}

Test(motion, every_row_holds_a_hundred_kilometres_away)
{
    rows_hold_in(3);
}

Test(motion, every_row_holds_for_a_ball_and_for_a_capsule)
{
    const char *const names[SHAPES] = {"person", "ball", "capsule"};
    for (int form = 1; form < SHAPES; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form];
        rows_hold(&setting, names[form]);
    }
}

Test(motion, an_embedded_agent_is_pushed_out_no_faster_than_a_runner)
{
    own_row_holds("embedded", MOTION_VARIANTS);
}

Test(motion, no_agent_sticks_in_a_slot)
{
    own_row_holds("slots", MOTION_VARIANTS);
}

Test(motion, no_agent_oscillates_for_ever)
{
    own_row_holds("oscillates", 1);
}

Test(motion, riders_stay_on_lifts_and_turning_platforms)
{
    own_row_holds("rides", MOTION_VARIANTS);
}

/* The scenes distinguish subjects: the published form fails where it is known to. */
Test(motion, the_published_form_jitters_bounces_and_stays_embedded)
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
    cr_expect_gt(motion_oscillates(&setting, 100), 0);
    cr_expect_lt(motion_embedded(&setting, TRAP_FLOOR).ticks, 0);
    setting.place = vector(1e5, 0, 1e5);
    cr_expect_gt(motion_floor_ghosts(&setting), 100.0);
    cr_expect_gt(motion_gaps_passed(&setting, 0.001), 0);
}

/* ---- rates ---- */

static void course_is_the_same_at_any_rate(MotionCourse course, double most)
{
    for (int form = 0; form < SHAPES; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form];
        double spread = motion_course_spread(&setting, course);
        cr_expect_leq(spread, most, "shape %d, %s: %g %%", form, motion_course_names[course], spread);
    }
}

Test(motion, the_place_after_two_seconds_does_not_depend_on_the_rate)
{
    course_is_the_same_at_any_rate(COURSE_WALL, 0.1);
    course_is_the_same_at_any_rate(COURSE_SLOPE_UP, 0.1);
    course_is_the_same_at_any_rate(COURSE_SLOPE_DOWN, 0.1);
    course_is_the_same_at_any_rate(COURSE_AIR, 0.1);
    course_is_the_same_at_any_rate(COURSE_LIFT, 0.1);
    course_is_the_same_at_any_rate(COURSE_STAIRS_DOWN, 1.0);
}

Test(motion, the_place_after_two_seconds_up_stairs_does_not_depend_on_the_rate)
{
    course_is_the_same_at_any_rate(COURSE_STAIRS_UP, 1.0);
}

/* ---- stairs ---- */

static void flight_holds(const MotionSetting *setting, MotionFlight flight, int form)
{
    bool climbs = flight.riser <= setting->step_up, promised = climbs || flight.tread >= 0.4 * 1.02;
    if (!promised)
    {
        return;
    }
    MotionStairs up = motion_stairs(setting, flight);
    cr_expect_eq(up.passed, climbs, "shape %d, %d Hz, riser %g, tread %g, %g degrees: %s", form,
                 setting->rate, flight.riser, flight.tread, flight.degrees, climbs ? "refused" : "climbed");
    cr_expect(!up.passed || (up.speed >= 0.9 && up.speed < 1.01),
              "shape %d, %d Hz, riser %g, tread %g, %g degrees: up at %g", form, setting->rate, flight.riser,
              flight.tread, flight.degrees, up.speed);
    flight.down = true;
    MotionStairs down = motion_stairs(setting, flight);
    cr_expect(!climbs || (down.passed && down.airborne == 0.0),
              "shape %d, %d Hz, riser %g, tread %g, %g degrees: airborne %g down", form, setting->rate,
              flight.riser, flight.tread, flight.degrees, down.airborne);
}

static void flights_hold(const double *risers, int riser_count)
{
    const double treads[] = {0.3, 0.41, 0.6, 1.0}, angles[] = {0, 20, 45, 60, 80};
    for (int form = 0; form < 2 * SHAPES * 20; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form % SHAPES];
        setting.rate = form / SHAPES % 2 == 0 ? 30 : 240;
        for (int i = 0; i < riser_count; ++i)
        {
            MotionFlight flight = {risers[i], treads[form / (2 * SHAPES) % 4], angles[form / (8 * SHAPES)],
                                   false};
            flight_holds(&setting, flight, form % SHAPES);
        }
    }
}

Test(motion, stairs_are_climbed_at_the_speed_of_the_flat_and_descended_on_the_ground)
{
    const double risers[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.401, 0.45};
    flights_hold(risers, sizeof risers / sizeof risers[0]);
}

Test(motion, stairs_a_millimetre_below_the_limit_are_climbed_from_any_side_at_any_rate)
{
    const double risers[] = {0.399};
    flights_hold(risers, 1);
}

static void kerb_limit_holds(double limit)
{
    for (int form = 0; form < 2 * SHAPES; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = shapes[form % SHAPES];
        setting.rate = form / SHAPES == 0 ? 30 : 240;
        setting.step_up = limit;
        double highest = motion_highest_kerb(&setting);
        cr_expect_float_eq(highest, limit, 1.1e-3, "shape %d, %d Hz, limit %g: %g", form % SHAPES,
                           setting.rate, limit, highest);
    }
}

Test(motion, a_step_is_climbed_up_to_the_limit_to_a_millimetre)
{
    kerb_limit_holds(0.25);
    kerb_limit_holds(0.4);
}

/* A round foot touches so low a kerb under a normal as flat as ground. */
Test(motion, a_low_step_limit_holds_for_a_round_foot)
{
    kerb_limit_holds(0.1);
}
