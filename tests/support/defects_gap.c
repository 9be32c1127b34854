/* D21 to D26: what the published padding does. */
#include "support/defects.h"

/* The row's input and its neighbours: which of them hits the padding to the last bit depends on how the
 * lengths round. */
void d21_gap_exactly(Report *report, Subject subject)
{
    const int neighbours = 64;
    int lost = 0;
    float sideways = 0.0697611719f;
    for (int step = 0; step < neighbours; ++step)
    {
        Soup floor = {0};
        soup_floor(&floor, 100, 0);
        Trial trial = trial_of(subject, floor, flying_ball(), vector(0, (double)1.00414443f, 30));
        trial_push(&trial, vector((double)sideways, (double)-0.103364766f, 0));
        trial_push(&trial, vector(0.1, 0, 0));
        lost += !vector_is_finite(trial_center(&trial));
        trial_end(&trial);
        sideways = nextafterf(sideways, 0.0f);
    }
    report_note(report, "%d of %d neighbours end as NaN", lost, neighbours);
    report_expect(report, lost == 0, "no numbers any more");
}

/* The gap that is left after coming down to a floor in the given direction. */
static double gap_after(Subject subject, double start_height, Vector wish)
{
    Soup floor = {0};
    soup_floor(&floor, 400, 0);
    Trial trial = trial_of(subject, floor, flying_ball(), vector(-100, start_height, 0));
    trial_push(&trial, wish);
    double gap = trial_clearance(&trial) - 1.0;
    trial_end(&trial);
    return gap;
}

void d23_gap_along_velocity(Report *report, Subject subject)
{
    const double slopes[4] = {2e-3, 2e-4, 2e-5, 2e-6};
    double straight = gap_after(subject, 3, vector(0, -3, 0));
    report_note(report, "straight down %.4g", straight);
    for (int index = 0; index < 4; ++index)
    {
        double gap = gap_after(subject, 1.0 + 50 * slopes[index], vector(100, -100 * slopes[index], 0));
        report_note(report, "slope %g: %.4g", slopes[index], gap);
        report_expect(report, gap > 0.4 * straight, "the gap shrinks");
    }
}

void d24_tilted_plane(Report *report, Subject subject)
{
    Soup wall = {0};
    soup_wall(&wall, 100, 0);
    Trial trial = trial_of(subject, wall, flying_ball(), vector(-1.5, 0, -20));
    double least = INFINITY, most = 0.0;
    for (int tick = 0; tick < 240; ++tick)
    {
        trial_push(&trial, vector(0.031, 0, 0.053));
        double clearance = trial_clearance(&trial);
        least = tick >= 60 ? fmin(least, clearance) : least;
        most = tick >= 60 ? fmax(most, clearance) : most;
    }
    report_note(report, "distance between %.8g and %.8g", least, most);
    report_expect(report, most - least < 1e-5, "bobs");
    trial_end(&trial);
}

/* Gap to a wall as a share of the radius .4 m, in a world of the given units. */
static double gap_in_units(Subject subject, double units_per_metre)
{
    double radius = 0.4 * units_per_metre;
    Soup wall = {0};
    soup_wall(&wall, 20 * units_per_metre, 0);
    Trial trial = trial_of(subject, wall, flying_ellipsoid(radius, radius, radius),
                           vector(-1.0 * units_per_metre, 0, 0));
    trial.units_per_metre = (float)units_per_metre;
    trial_push(&trial, vector(1.0 * units_per_metre, 0, 0));
    double gap = trial_clearance(&trial) - 1.0;
    trial_end(&trial);
    return gap;
}

void d25_units(Report *report, Subject subject)
{
    double metres = gap_in_units(subject, 1.0), centimetres = gap_in_units(subject, 100.0);
    report_note(report, "%.3g of the radius in metres, %.3g in centimetres", metres, centimetres);
    report_expect(report, fabs(metres - centimetres) < 0.01 * fmax(metres, centimetres), "different gaps");
}

void d26_frame_rate(Report *report, Subject subject)
{
    const int rates[3] = {60, 240, 960};
    double least = INFINITY, most = 0.0;
    for (int index = 0; index < 3; ++index)
    {
        Soup wall = {0};
        soup_wall(&wall, 100, 0);
        SceneOptions options = flying_ball();
        options.dt = 1.0f / (float)rates[index];
        Trial trial = trial_of(subject, wall, options, vector(-1.021, 0, 0));
        double step = 1.2 * sqrt(0.5) / rates[index];
        trial_pushes(&trial, vector(step, 0, step), rates[index]);
        double slid = trial_center(&trial).z;
        report_note(report, "%d Hz: slides %.3f", rates[index], slid);
        least = fmin(least, slid);
        most = fmax(most, slid);
        trial_end(&trial);
    }
    report_expect(report, most - least < 0.01 * most, "depends on the frame rate");
    report_expect(report, fabs(most - 1.2 * sqrt(0.5)) < 0.01, "does not slide as asked");
}
