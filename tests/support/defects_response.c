/* D27 to D31: what the published response loses, shakes or adds. */
#include "support/defects.h"

/* Arc walked along the inside of a ring wall by one push along its tangent, and whether a shortfall was reported.
 */
static double arc_in_ring(Subject subject, int facets, double radius, double push, bool *reported)
{
    Soup ring = {0};
    soup_ring(&ring, facets, radius, 10);
    double inner = radius * cos(radians(180.0 / facets)) - 1.0;
    Trial trial = trial_of(subject, ring, flying_ball(), vector(inner - 0.021, 0, 0));
    trial_push(&trial, vector(0, 0, push));
    Vector center = trial_center(&trial);
    *reported = trial_reports_truncation(&trial);
    trial_end(&trial);
    return atan2(center.z, center.x) * inner;
}

/* A push along v0 that is always projected from v0 advances by dT |v0| cos(angle): the Gudermannian. */
static double ideal_arc(double radius, double push)
{
    double inner = radius - 1.0;
    return 2.0 * atan(tanh(0.5 * push / inner)) * inner;
}

void d27_curved_tube(Report *report, Subject subject)
{
    const int facets[4] = {128, 256, 512, 1024};
    for (int index = 0; index < 4; ++index)
    {
        bool reported = false;
        double arc = arc_in_ring(subject, facets[index], 10, 5, &reported);
        report_note(report, "%d facets: %.2f of 5%s", facets[index], arc, reported ? " (reported)" : "");
        report_expect(report, arc >= 0.98 * ideal_arc(10, 5) || reported, "loses motion silently");
        arc = arc_in_ring(subject, facets[index], 20, 2, &reported);
        report_note(report, "%.3f of 2%s", arc, reported ? " (reported)" : "");
        report_expect(report, arc >= 0.99 * 2, "falls behind at two radii a tick");
    }
}

void d28_groove(Report *report, Subject subject)
{
    for (int degrees = 30; degrees <= 70; degrees += 10)
    {
        Soup groove = {0};
        soup_groove(&groove, degrees, 50, 50);
        Trial trial =
            trial_of(subject, groove, flying_ball(), vector(0, 1.03 / sin(radians(0.5 * degrees)), 0));
        trial_pushes(&trial, vector(0, -0.1, 0), 5);
        double begin = trial_center(&trial).z;
        trial_pushes(&trial, vector(0, -0.1, 0.1), 20);
        double progress = trial_center(&trial).z - begin;
        report_note(report, "%d degrees: %.3f of 2", degrees, progress);
        report_expect(report, progress >= 0.99 * 2.0, "no progress");
        trial_end(&trial);
    }
}

/* How much the position still varies from the 40th tick on. */
static double jitter(Subject subject, Soup soup, Vector start, Vector push)
{
    Trial trial = trial_of(subject, soup, flying_ball(), start);
    trial_pushes(&trial, push, 40);
    Vector low = trial_center(&trial), high = low;
    for (int tick = 0; tick < 40; ++tick)
    {
        trial_push(&trial, push);
        Vector center = trial_center(&trial);
        low = vector(fmin(low.x, center.x), fmin(low.y, center.y), fmin(low.z, center.z));
        high = vector(fmax(high.x, center.x), fmax(high.y, center.y), fmax(high.z, center.z));
    }
    trial_end(&trial);
    return vector_distance(low, high);
}

void d29_wide_corner(Report *report, Subject subject)
{
    const double degrees[2] = {100, 120};
    for (int index = 0; index < 2; ++index)
    {
        Soup wedge = {0};
        soup_wedge(&wedge, degrees[index], 50, 50);
        double range = jitter(subject, wedge, vector(-4, 0, 0.2), vector(0.2, 0, 0.02));
        report_note(report, "wedge %g: moves by %.3g", degrees[index], range);
        report_expect(report, range == 0.0, "does not rest");
    }
    Soup groove = {0};
    soup_groove(&groove, 130, 50, 50);
    double range = jitter(subject, groove, vector(0.2, 3, 0), vector(0.02, -0.2, 0));
    report_note(report, "groove 130: moves by %.3g", range);
    report_expect(report, range == 0.0, "does not rest");
}

void d30_creep(Report *report, Subject subject)
{
    const double slopes[4] = {3, 5, 10, 15};
    for (int index = 0; index < 4; ++index)
    {
        Soup slope = {0};
        soup_slope(&slope, 50, slopes[index]);
        SceneOptions options = sliding_ball();
        options.gravity = (sidle_vec3){0, -360, 0}; /* .1 in the square of a tick */
        Trial trial = trial_of(subject, slope, options, vector(0, 1.03 / cos(radians(slopes[index])), 0));
        trial_pushes(&trial, vector(0, 0, 0), 5);
        Vector begin = trial_center(&trial);
        trial_pushes(&trial, vector(0, 0, 0), 60);
        double drift = vector_distance(begin, trial_center(&trial));
        report_note(report, "%g degrees: drifts %.3g", slopes[index], drift);
        report_expect(report, drift == 0.0, "slides");
        trial_end(&trial);
    }
}

void d31_longer_path(Report *report, Subject subject)
{
    Vector radii = vector(0.4, 0.9, 0.4);
    Soup slope = {0};
    soup_slope(&slope, 50, 45);
    soup_stretch(&slope, radii); /* 45 degrees where the body is a ball */
    Vector start = vector_times(radii, vector_scale(vector(-1, 1, 0), 1.021 * sqrt(0.5)));
    Trial trial = trial_of(subject, slope, flying_ellipsoid(radii.x, radii.y, radii.z), start);
    trial_push(&trial, vector(1, 0, 0));
    double moved = vector_distance(start, trial_center(&trial));
    report_note(report, "moves %.3f of 1", moved);
    report_expect(report, moved <= 1.0 + 1e-6, "moves farther than asked");
    report_expect(report, moved >= 0.1, "does not slide");
    trial_end(&trial);
}
