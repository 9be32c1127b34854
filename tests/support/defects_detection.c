/* D1 to D10: what the published sweep does not see, or sees where nothing is. */
#include "support/defects.h"

/* A tip at the origin over a body that hangs below it, facing along -z. */
static Soup blade(void)
{
    Soup soup = {0};
    soup_triangle(&soup, vector(0, 0, 0), vector(1, -5, 0), vector(-1, -5, 0));
    return soup;
}

static Soup ground(void)
{
    Soup soup = {0};
    soup_floor(&soup, 100, 0);
    return soup;
}

static Trial ball_at(Subject subject, Soup soup, double x, double y, double z)
{
    return trial_of(subject, soup, flying_ball(), vector(x, y, z));
}

/* Outside everything, to well within the error law of NUMERICS 2.6. */
static void expect_outside(Report *report, const Trial *trial)
{
    Vector center = trial_center(trial);
    double clearance = trial_clearance(trial);
    report_note(report, "ends at (%g, %g, %g), distance %g", center.x, center.y, center.z, clearance);
    report_expect(report, clearance >= 1.0 - 1e-6, "closer than its radius");
}

void d01_touching(Report *report, Subject subject)
{
    Trial trial = ball_at(subject, blade(), 0, 1, 0);
    trial_push(&trial, vector(0, -0.5, 0));
    expect_outside(report, &trial);
    report_expect(report, trial_center(&trial).y > 0.99, "sank");
    trial_end(&trial);
}

void d02_a_hair_inside(Report *report, Subject subject)
{
    Trial trial = ball_at(subject, blade(), 0, 0.99999, 0);
    trial_push(&trial, vector(0, -3, 0));
    Vector center = trial_center(&trial);
    report_note(report, "ends at y = %g", center.y);
    report_expect(report, center.y > 0.99, "the ball has passed");
    trial_end(&trial);
}

void d03_hit_at_the_end(Report *report, Subject subject)
{
    Trial trial = ball_at(subject, blade(), 0, 3, 0);
    trial_push(&trial, vector(0, -2, 0));
    report_note(report, "y = %g", trial_center(&trial).y);
    trial_push(&trial, vector(0, -0.25, 0));
    expect_outside(report, &trial);
    trial_end(&trial);
}

void d04_moving_out(Report *report, Subject subject)
{
    Trial trial = ball_at(subject, blade(), 0, 0.5, 0);
    trial_push(&trial, vector(0, 1, 0));
    double y = trial_center(&trial).y;
    report_note(report, "ends at y = %g", y);
    report_expect(report, y >= 1.5 - 1e-6, "held back");
    trial_end(&trial);
}

void d05_embedded(Report *report, Subject subject)
{
    Trial trial = ball_at(subject, ground(), 0, 0.4, 0);
    trial_pushes(&trial, vector(0, -0.1, 0), 100);
    expect_outside(report, &trial);
    report_expect(report, trial_center(&trial).y > 0.0, "came out on the wrong side");
    trial_end(&trial);
}

void d06_contact_behind(Report *report, Subject subject)
{
    Trial trial = ball_at(subject, ground(), 0, -0.9, 0);
    trial_push(&trial, vector(0.3, -1, 0));
    Vector center = trial_center(&trial);
    report_note(report, "ends at (%g, %g)", center.x, center.y);
    report_expect(report, center.y <= -1.9 + 1e-6, "did not move down as asked");
    report_expect(report, fabs(center.x - 0.3) < 1e-6, "did not move sideways as asked");
    trial_end(&trial);
}

void d07_winding(Report *report, Subject subject)
{
    Soup floor = ground();
    soup_flip(&floor);
    Trial trial = ball_at(subject, floor, 0, 2, 0);
    trial_push(&trial, vector(0, -3, 0));
    expect_outside(report, &trial);
    report_expect(report, trial_center(&trial).y > 0.0, "fell through");
    trial_end(&trial);
}

void d08_edge_in_slab(Report *report, Subject subject)
{
    Soup plate = {0};
    soup_triangle(&plate, vector(0, 0, -10), vector(0, 0, 10), vector(20, 0, 0));
    Trial trial = ball_at(subject, plate, -1.5, 0.5, 0);
    Vector wish = vector(2, 0.01, 0);
    double expected = trial_expected_touch(&trial, wish);
    double touch = trial_first_touch(&trial, wish);
    report_note(report, "first touch after %g, should be %g", touch, expected);
    report_expect(report, fabs(touch - expected) < 1e-4, "the edge is missed");
    trial_end(&trial);
}

void d09_fence(Report *report, Subject subject)
{
    const int runs = 2000;
    Random random = random_seeded(9);
    int passed = 0;
    for (int run = 0; run < runs; ++run)
    {
        Soup fence = {0};
        soup_quad(&fence, vector(0, -20, 0), vector(0, 20, 0), vector(-40, 20, 0), vector(-40, -20, 0));
        Rotation pose = random_rotation(&random);
        soup_turn(&fence, &pose);
        soup_round(&fence);
        Vector inwards = vector_rotated(&pose, vector(-1, 0, 0));
        Vector start = vector_rotated(&pose, vector(3, random_between(&random, -5, 5), 0));
        Trial trial = trial_of(subject, fence, flying_ball(), vector_as_float(start));
        trial_push(&trial, vector_scale(inwards, 4.0));
        passed += trial_clearance(&trial) < 1.0 - 1e-4;
        trial_end(&trial);
    }
    report_note(report, "%d of %d balls flew into the fence (%.1f %%)", passed, runs, 100.0 * passed / runs);
    report_expect(report, passed == 0, "a fence was not seen");
}

void d10_zero_area(Report *report, Subject subject)
{
    Soup wire = {0};
    soup_triangle(&wire, vector(0, 0, 0), vector(1, 0, 0), vector(2, 0, 0));
    Trial trial = ball_at(subject, wire, 1, 3, 0);
    trial_push(&trial, vector(0, -4, 0));
    expect_outside(report, &trial);
    report_expect(report, trial_center(&trial).y > 0.0, "passed the segment");
    trial_end(&trial);
}
