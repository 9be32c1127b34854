/* Cases 20 to 22, 27, 29 to 32, 37 and 53: shapes and numbers at their limits. */
#include "support/cases.h"
#include "support/denormals.h"
#include "support/shots.h"

static const double skin = 0.02;

void case_needle(Report *report)
{
    const double lengths[5] = {100, 100, 1000, 1000, 1000}, widths[5] = {1, 0.1, 0.1, 0.01, 0.001};
    Random random = random_seeded(20);
    for (int index = 0; index < 5; ++index)
    {
        int wrong = 0;
        for (int shot = 0; shot < 200; ++shot)
        {
            wrong += needle_shot(&random, SUBJECT_SIDLE, lengths[index], widths[index]) != SHOT_AGREES;
        }
        report_note(report, "%g x %g: %d wrong", lengths[index], widths[index], wrong);
        report_expect(report, wrong == 0, "a needle is not where it is");
    }
}

void case_sliver(Report *report)
{
    Random random = random_seeded(21);
    for (int power = 1; power <= 16; ++power)
    {
        int wrong = 0;
        for (int shot = 0; shot < 100; ++shot)
        {
            wrong += sliver_shot(&random, SUBJECT_SIDLE, ldexp(1.0, -power)) != SHOT_AGREES;
        }
        report_expect(report, wrong == 0, "kappa 2^-%d: %d of 100 wrong", power, wrong);
    }
}

void case_long_ridge(Report *report)
{
    Random random = random_seeded(27);
    for (double length = 10; length < 2e5; length *= 10.0)
    {
        int wrong = 0;
        for (int shot = 0; shot < 200; ++shot)
        {
            wrong += ridge_shot(&random, SUBJECT_SIDLE, length) != SHOT_AGREES;
        }
        report_note(report, "length %g: %d wrong", length, wrong);
        report_expect(report, wrong == 0, "a ridge is not where it is");
    }
}

/* Falls straight onto the shape's point at x. */
static void fall_on_thread(Report *report, const Vector corners[3], double x, int form)
{
    Soup soup = {0};
    soup_triangle(&soup, corners[0], corners[1], corners[2]);
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_at(x, 3, 0);
    scene_tick(&scene, &agent, vector(0, -4, 0));
    report_expect(report, fabs(agent.body.center.y - 1.0 - skin) < 1e-4, "form %d at %g: ends at y = %g",
                  form, x, agent.body.center.y);
    const sidle_contact *contact = &agent.contacts[0];
    report_expect(report, agent.contact_count == 1 && contact->feature != SIDLE_FEATURE_FACE,
                  "form %d at %g: %u contacts, the first with feature %d", form, x, agent.contact_count,
                  (int)contact->feature);
    report_expect(report, contact->normal.y > 1.0f - 1e-6f && fabs(contact->point.x - x) < 1e-6,
                  "form %d at %g: normal.y %g at x %g", form, x, (double)contact->normal.y, contact->point.x);
    scene_close(&scene);
}

void case_zero_area(Report *report)
{
    const Vector a = {0, 0, 0}, b = {1, 0, 0}, c = {2, 0, 0};
    const Vector segments[5][3] = {{a, b, c}, {a, c, b}, {c, a, b}, {a, a, c}, {a, c, c}};
    const Vector point[3] = {b, b, b};
    for (int form = 0; form < 5; ++form)
    {
        for (double x = 0.0; x <= 2.0; x += 0.5)
        {
            fall_on_thread(report, segments[form], x, form);
        }
    }
    fall_on_thread(report, point, 1, 5);
}

/* What a walk over terrain comes to, seen from where the terrain stands. */
static Vector walk_at(Vector place, bool baked)
{
    Soup terrain = {0};
    soup_terrain(&terrain, 12, 2, 0.7, 29);
    soup_stretch(&terrain, vector(64, 64, 64));
    soup_round(&terrain);
    for (size_t index = 0; index < 3 * terrain.count; ++index)
    {
        Vector *corner = &terrain.triangles[index / 3].v[index % 3];
        *corner = vector_scale(vector(floor(corner->x), floor(corner->y), floor(corner->z)), 1.0 / 64);
    }
    SceneOptions options = flying_ball();
    if (baked)
    {
        soup_shift(&terrain, place);
    }
    else
    {
        options.place = place;
    }
    Scene scene = scene_of(terrain, options);
    Agent agent = agent_in(vector_add(place, vector(-7, 3, -6)));
    for (int tick = 0; tick < 100; ++tick)
    {
        scene_tick(&scene, &agent, vector(0.125, 0, 0.0625));
        scene_tick(&scene, &agent, vector(0, -0.125, 0));
    }
    double distance = scene_clearance(&scene, &agent);
    scene_close(&scene);
    return distance >= case_least_distance ? vector_sub(agent_center(&agent), place) : vector(NAN, NAN, NAN);
}

void case_far_coordinates(Report *report)
{
    const double places[3] = {1e5, 1e6, 1e7};
    Vector here = walk_at(vector(0, 0, 0), false);
    for (int index = 0; index < 6; ++index)
    {
        double far = places[index / 2];
        Vector there = walk_at(vector(far, -far, far), index % 2 == 1);
        double apart = vector_distance(here, there);
        report_note(report, "%g, %s: off by %.2g", far, index % 2 == 1 ? "baked" : "placed", apart);
        /* An ulp of 1e7 a tick, and what a slide over terrain makes of it. */
        report_expect(report, apart < 1e-4, "walks elsewhere than at the origin");
    }
}

void case_zero_wish(Report *report)
{
    const double heights[4] = {1.0 + 0.02, 1.0 + 0.016, 1.5, 40.0};
    for (int index = 0; index < 8; ++index)
    {
        Soup floor = {0};
        soup_floor(&floor, 100, 0);
        Scene scene = scene_of(floor, flying_ball());
        Agent agent = agent_at(3, heights[index / 2], -5);
        Agent before = agent;
        double zero = index % 2 == 0 ? 0.0 : -0.0;
        scene_ticks(&scene, &agent, vector(zero, zero, zero), 10);
        report_expect(report, vector_same_bits(agent_center(&agent), agent_center(&before)),
                      "height %g: moved to %.17g", heights[index / 2], agent.body.center.y);
        report_expect(report, agent.body.velocity.x == 0.0f && agent.body.velocity.y == 0.0f,
                      "height %g: a velocity", heights[index / 2]);
        scene_close(&scene);
    }
}

static Agent tiny_walk(double size, bool flush)
{
    Soup terrain = {0};
    soup_terrain(&terrain, 6, 2, 0.7, 31);
    SceneOptions options = flying_ball();
    options.flush_denormals = flush;
    Scene scene = scene_of(terrain, options);
    Agent agent = agent_at(0, 1.4, 0);
    scene_ticks(&scene, &agent, vector(0.1, -0.2, 0.03), 12);
    scene_ticks(&scene, &agent, vector(size, -size, size), 4);
    scene_ticks(&scene, &agent, vector(0.1, -size, 0.03), 12);
    scene_close(&scene);
    return agent;
}

void case_tiny_wish(Report *report)
{
    const double sizes[5] = {1e-20, 1e-30, 1e-38, 1e-40, 0x1p-149};
    for (int index = 0; index < 5; ++index)
    {
        Agent with = tiny_walk(sizes[index], false), without = tiny_walk(sizes[index], true);
        report_expect(report, agent_is_finite(&with), "%g: no numbers any more", sizes[index]);
        report_expect(report, agent_same_bits(&with, &without), "%g: depends on the denormal mode",
                      sizes[index]);
    }
    if (flush_denormals(true))
    {
        Scene scene = scene_of((Soup){0}, flying_ball());
        Agent agent = agent_at(0, 0, 0);
        scene_tick(&scene, &agent, vector(1, 0, 0));
        report_expect(report, denormals_are_flushed(), "the caller's denormal mode is gone");
        scene_close(&scene);
    }
    flush_denormals(false);
}

/* At the limit of SIDLE_MAX_PATH radii of 1. */
static void fall_far(Report *report, double height)
{
    Soup floor = {0};
    soup_floor(&floor, 50, 0);
    Scene scene = scene_of(floor, flying_ball());
    Agent agent = agent_at(1, height, 2);
    for (int tick = 0; tick < 8; ++tick)
    {
        scene_tick(&scene, &agent, vector(0, -SIDLE_MAX_PATH, 0));
        report_expect(report, agent.contact_count > 0, "from %g: not blocked", height);
        report_expect(report, agent.body.center.y >= 1.0, "from %g: through, at %g", height,
                      agent.body.center.y);
    }
    report_note(report, "from %g to %g", height, agent.body.center.y);
    Vector before = agent_center(&agent);
    scene_tick(&scene, &agent, vector(0, 1.0001 * SIDLE_MAX_PATH, 0));
    bool refused = agent.reasons == SIDLE_REASON_INVALID && (agent.body.flags & SIDLE_BODY_INVALID) != 0;
    report_expect(report, refused, "beyond the limit: not refused");
    report_expect(report, vector_same_bits(before, agent_center(&agent)), "beyond the limit: moved");
    scene_close(&scene);
}

void case_huge_wish(Report *report)
{
    const double heights[3] = {3, 1000, 9e3};
    for (int index = 0; index < 3; ++index)
    {
        fall_far(report, heights[index]);
    }
}

static void walk_an_ellipsoid(Report *report, Vector radii)
{
    Soup terrain = {0};
    soup_terrain(&terrain, 16, 1, 0.5, 37);
    Scene scene = scene_of(terrain, flying_ellipsoid(radii.x, radii.y, radii.z));
    Random random = random_seeded(37);
    for (int walk = 0; walk < 12; ++walk)
    {
        Agent agent = agent_at(0, 2.5, 0);
        for (int tick = 0; tick < 40; ++tick)
        {
            Vector before = agent_center(&agent);
            Vector wish =
                vector_as_float(random_in_box(&random, vector(-0.2, -0.3, -0.2), vector(0.2, 0.1, 0.2)));
            scene_tick(&scene, &agent, wish);
            double moved = vector_distance(before, agent_center(&agent)), asked = vector_length(wish);
            /* Being pushed out of an overlap is not part of the path. */
            bool pushed = (agent.reasons & SIDLE_REASON_OVERLAP) != 0;
            report_expect(report, pushed || moved <= asked * (1.0 + 1e-6) + 1e-9,
                          "radii (%g, %g, %g): %g of %g", radii.x, radii.y, radii.z, moved, asked);
            double distance = scene_clearance(&scene, &agent);
            bool stuck = (agent.body.flags & SIDLE_BODY_STUCK) != 0;
            report_expect(report, distance >= 1.0 || stuck, "radii (%g, %g, %g): distance %g", radii.x,
                          radii.y, radii.z, distance);
        }
    }
    scene_close(&scene);
}

void case_ellipsoid_permutations(Report *report)
{
    walk_an_ellipsoid(report, vector(1, 0.01, 1));
    walk_an_ellipsoid(report, vector(0.01, 1, 1));
    walk_an_ellipsoid(report, vector(1, 1, 0.01));
    walk_an_ellipsoid(report, vector(1, 0.01, 0.01));
    walk_an_ellipsoid(report, vector(0.01, 0.01, 1));
    walk_an_ellipsoid(report, vector(0.4, 0.9, 0.4));
}

/* Falls at a slope of 5e-5 towards a floor that it reaches halfway, in so many moves, and on. */
static void graze_floor(Report *report, double path, int moves)
{
    const double slope = 5e-5;
    Soup floor = {0};
    soup_floor(&floor, 4 * path, 0);
    Scene scene = scene_of(floor, flying_ball());
    Agent agent = agent_at(-path, 1.0 + skin + 0.5 * slope * path, 1);
    for (int move = 0; move < 3 * moves; ++move)
    {
        scene_tick(&scene, &agent, vector(path / moves, -slope * path / moves, 0));
        report_expect(report, agent.body.center.y >= case_least_distance, "path %g in %d: sinks to %.9g",
                      path, moves, agent.body.center.y);
    }
    double x = agent.body.center.x;
    report_expect(report, x > path, "path %g in %d: held at %g", path, moves, x);
    scene_close(&scene);
}

void case_long_graze(Report *report)
{
    for (double path = 1e6; path > 300; path /= sqrt(10.0))
    {
        int least = (int)ceil(path / SIDLE_MAX_PATH);
        graze_floor(report, path, least);
        graze_floor(report, path, 4 * least);
    }
}
