/* D11 to D19: what rounding does to the published formulas. */
#include "support/defects.h"
#include "support/shots.h"

void d11_far_vertex(Report *report, Subject subject)
{
    const double distances[3] = {100.0, 1e3, 5e3};
    for (int index = 0; index < 3; ++index)
    {
        double far = distances[index];
        Soup soup = {0};
        soup_triangle(&soup, vector(far, 0.9, 0), vector(far + 8, 9, 0), vector(far + 2, 9, 0));
        soup_round(&soup);
        Trial trial = trial_of(subject, soup, flying_ball(), vector(0, 0, 0));
        Vector wish = vector(2 * far, 0, 0);
        double expected = trial_expected_touch(&trial, wish), touch = -1.0, before = 0.0;
        for (int tick = 0; tick < 256 && touch < 0.0; ++tick) /* a very long wish may take several ticks */
        {
            before = trial_center(&trial).x;
            touch = trial_first_touch(&trial, wish);
        }
        double error = fabs(before + touch - expected);
        report_note(report, "at %g: off by %.2g", far, error);
        report_expect(report, touch >= 0.0 && error < 1e-3, "the vertex is hit in the wrong place");
        trial_end(&trial);
    }
}

void d12_long_ridge(Report *report, Subject subject)
{
    const double lengths[3] = {1e3, 1e4, 1e5};
    const int runs = 2000;
    for (int index = 0; index < 3; ++index)
    {
        Random random = random_seeded(12 + (uint64_t)index);
        int wrong = 0;
        for (int run = 0; run < runs; ++run)
        {
            wrong += ridge_shot(&random, subject, lengths[index]) != SHOT_AGREES;
        }
        report_note(report, "length %g: %d of %d wrong", lengths[index], wrong, runs);
        report_expect(report, wrong == 0, "a ridge is hit in the wrong place");
    }
}

/* A flight beside a long edge, in the plane of its plate; true if something stops it that is not there. */
static bool parallel_flight_is_stopped(Random *random, Subject subject)
{
    Soup plate = {0};
    double half = random_scale(random, 100, 1000);
    double clearance = random_scale(random, 2e-5, 1e-2);
    double path = random_scale(random, 20, 100);
    soup_triangle(&plate, vector(0, 0, -half), vector(0, 0, half), vector(9, 0, 0));
    Rotation pose = random_rotation(random);
    soup_turn(&plate, &pose);
    soup_round(&plate);
    Vector start = vector_as_float(vector_rotated(&pose, vector(-1.0 - clearance, 0, -0.5 * half)));
    Vector wish = vector_as_float(vector_rotated(&pose, vector(0, 0, path)));
    /* Rounding the input may have taken the clearance away. */
    double nearest = soup_approach(&plate, start, vector_add(start, wish), vector(1, 1, 1));
    Trial trial = trial_of(subject, plate, flying_ball(), start);
    bool hindered = trial_is_hindered(&trial, wish);
    trial_end(&trial);
    return nearest > 1.0 + 1e-5 && hindered;
}

void d13_parallel_edge(Report *report, Subject subject)
{
    const int runs = 2000;
    Random random = random_seeded(13);
    int ghosts = 0;
    for (int run = 0; run < runs; ++run)
    {
        ghosts += parallel_flight_is_stopped(&random, subject);
    }
    report_note(report, "%d ghost hits in %d parallel flights", ghosts, runs);
    report_expect(report, ghosts == 0, "stopped by an edge beside the path");
}

void d14_needle(Report *report, Subject subject)
{
    const int runs = 2000;
    Random random = random_seeded(14);
    int missed = 0, ghosts = 0;
    for (int run = 0; run < runs; ++run)
    {
        ShotVerdict verdict = needle_shot(&random, subject, 1000, 1);
        missed += verdict == SHOT_IS_LATE;
        ghosts += verdict == SHOT_IS_A_GHOST;
    }
    report_note(report, "of %d: %d hit late or never, %d hit where nothing is", runs, missed, ghosts);
    report_expect(report, missed == 0 && ghosts == 0, "a needle is not where it is");
}

/* Ground at 1e4 under a ball that falls obliquely. */
static Soup distant_ground(Random *random)
{
    Soup soup = {0};
    soup_terrain(&soup, 4, 2.5, 0.7, random_bits(random));
    soup_shift(&soup, vector(1e4, 0, 1e4));
    soup_round(&soup);
    return soup;
}

static Vector oblique(Random *random)
{
    return random_in_box(random, vector(-2, -4, -2), vector(2, -4, 2));
}

void d17_mixed_precision(Report *report, Subject subject)
{
    const int runs = 500;
    Random random = random_seeded(17);
    double worst = 0.0;
    int differing = 0;
    for (int run = 0; run < runs; ++run)
    {
        Trial trial = trial_of(subject, distant_ground(&random), flying_ball(), vector(1e4, 3, 1e4));
        Vector wish = vector_as_float(oblique(&random));
        double one = trial_first_touch(&trial, wish), other;
        if (subject == SUBJECT_PUBLISHED)
        {
            FauerbyHit hit =
                fauerby_sweep_wide(trial.triangles, trial.soup.count, (FauerbyVector){1e4f, 3, 1e4f},
                                   (FauerbyVector){(float)wish.x, (float)wish.y, (float)wish.z});
            other = hit.found ? hit.distance : -1.0;
        }
        else
        {
            SceneOptions narrow = flying_ball();
            narrow.lanes = 1;
            Trial scalar = trial_of(subject, soup_copy(&trial.soup), narrow, vector(1e4, 3, 1e4));
            other = trial_first_touch(&scalar, wish);
            trial_end(&scalar);
        }
        differing += one != other;
        worst = worse(worst, fabs(one - other));
        trial_end(&trial);
    }
    report_note(report, "%d of %d answers differ, by up to %.2g", differing, runs, worst);
    report_expect(report, differing == 0, "the answer depends on how it is compiled");
}

/* Coordinates in steps of 1/64, which a float still holds at 1e5: the input is exact for both subjects. */
static Soup exact_terrain(double offset)
{
    Soup soup = {0};
    soup_terrain(&soup, 24, 2, 1.4, 18);
    soup_stretch(&soup, vector(64, 64, 64));
    for (size_t index = 0; index < soup.count; ++index)
    {
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector *place = &soup.triangles[index].v[corner];
            *place = vector(floor(place->x), floor(place->y), floor(place->z));
        }
    }
    soup_stretch(&soup, vector(1.0 / 64, 1.0 / 64, 1.0 / 64));
    soup_shift(&soup, vector(offset, 0, offset));
    return soup;
}

void d18_large_coordinates(Report *report, Subject subject)
{
    const double offsets[2] = {2e4, 1e5};
    for (int place = 0; place < 2; ++place)
    {
        Random random = random_seeded(18);
        int inside = 0;
        const int runs = 60;
        Soup terrain = exact_terrain(offsets[place]);
        for (int run = 0; run < runs; ++run)
        {
            double angle = random_between(&random, 0.0, 6.28);
            Trial trial = trial_of(subject, soup_copy(&terrain), flying_ball(),
                                   vector(offsets[place], 3, offsets[place]));
            for (int tick = 0; tick < 120; ++tick)
            {
                trial_push(&trial, vector(0.18 * cos(angle), 0, 0.18 * sin(angle)));
                trial_push(&trial, vector(0, -0.1, 0));
            }
            inside += trial_clearance(&trial) < 0.95;
            trial_end(&trial);
        }
        soup_free(&terrain);
        report_note(report, "at %g: %d of %d runs end inside the ground", offsets[place], inside, runs);
        report_expect(report, inside == 0, "the ground does not carry");
    }
}

/* Straight into the line where two walls meet: both are hit at once. */
void d19_ties(Report *report, Subject subject)
{
    Random random = random_seeded(19);
    Vector first = {0};
    double spread = 0.0;
    for (int order = 0; order < 16; ++order)
    {
        Soup corner = {0};
        soup_wedge(&corner, 100, 10, 20);
        soup_shuffle(&corner, &random);
        Trial trial = trial_of(subject, corner, flying_ball(), vector(-6, 0, 0));
        trial_pushes(&trial, vector(1.5, 0.1, 0), 5);
        first = order == 0 ? trial_center(&trial) : first;
        spread = fmax(spread, vector_distance(first, trial_center(&trial)));
        trial_end(&trial);
    }
    report_note(report, "results lie up to %.3g apart", spread);
    report_expect(report, spread < 1e-4, "the first triangle wins");
}
