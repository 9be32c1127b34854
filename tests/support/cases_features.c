/* Cases 1 to 14: one feature at a time. */
#include "support/cases.h"
#include "support/defects.h"

static const double skin = 0.02;

static Soup ground(double half)
{
    Soup soup = {0};
    soup_floor(&soup, half, 0);
    return soup;
}

static Soup tip(void)
{
    Soup soup = {0};
    soup_triangle(&soup, vector(0, 0, 0), vector(1, -5, 0), vector(-1, -5, 0));
    return soup;
}

void case_face_head_on(Report *report)
{
    Scene scene = scene_of(ground(100), flying_ball());
    Agent agent = agent_at(7, 3, -20);
    scene_tick(&scene, &agent, vector(0, -5, 0));
    report_note(report, "rests at y = %.9g after %u contacts", agent.body.center.y, agent.contact_count);
    report_expect(report, fabs(agent.body.center.y - 1.0 - skin) < 1e-5, "not one skin above the floor");
    report_expect(report, agent.contact_count == 1, "not one contact");
    report_expect(report, agent.contacts[0].feature == SIDLE_FEATURE_FACE, "not a face");
    report_expect(report, agent.contacts[0].normal.y > 1.0f - 1e-6f, "the normal is not up");
    report_expect(report, (agent.reasons & SIDLE_REASON_WALL) != 0, "does not report what held it");
    scene_close(&scene);
}

void case_vertex_touching(Report *report)
{
    d01_touching(report, SUBJECT_SIDLE);
}

void case_hit_at_the_end(Report *report)
{
    d03_hit_at_the_end(report, SUBJECT_SIDLE);
}

void case_inside_moving_out(Report *report)
{
    d04_moving_out(report, SUBJECT_SIDLE);
}

/* Without a wish, tick by tick: the distance rises, or it is wide enough, or the agent reports that it is
 * stuck. */
static void expect_to_come_out(Report *report, Soup soup, Vector start, const char *where)
{
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_in(start);
    double distance = scene_clearance(&scene, &agent);
    bool stuck = false;
    for (int tick = 0; tick < 12; ++tick)
    {
        double before = distance;
        scene_tick(&scene, &agent, vector(0, 0, 0));
        distance = scene_clearance(&scene, &agent);
        stuck = (agent.body.flags & SIDLE_BODY_STUCK) != 0;
        bool fine = distance > before || distance >= 1.0 + 0.75 * skin - 1e-6 || stuck;
        report_expect(report, fine, "%s, tick %d: from %g to %g", where, tick, before, distance);
        report_expect(report, agent_is_finite(&agent), "%s: no numbers any more", where);
    }
    report_note(report, "%s: %.6g%s", where, distance, stuck ? " (stuck)" : "");
    report_expect(report, distance >= 1.0 || stuck, "%s: never freed, never reported", where);
    scene_close(&scene);
}

void case_embedded_deep(Report *report)
{
    const double depths[3] = {0.1, 0.6, 0.999};
    for (int index = 0; index < 3; ++index)
    {
        double height = 1.0 - depths[index];
        expect_to_come_out(report, ground(100), vector(3, height, 5), "in a floor");
        expect_to_come_out(report, tip(), vector(0, height, 0), "on a tip");
        Soup corner = ground(100);
        soup_wall(&corner, 100, 0);
        expect_to_come_out(report, corner, vector(-height, height, 0), "in a corner");
    }
}

void case_center_on_face(Report *report)
{
    expect_to_come_out(report, ground(100), vector(3, 0, 5), "on the face");
    expect_to_come_out(report, ground(100), vector(3, 1e-9, 5), "just above it");
    expect_to_come_out(report, ground(100), vector(0, 0, 0), "on a shared edge");
}

void case_center_on_vertex(Report *report)
{
    expect_to_come_out(report, tip(), vector(0, 0, 0), "on a tip");
    expect_to_come_out(report, ground(4), vector(4, 0, 4), "on a corner of a plate");
    Soup fan = {0};
    soup_fan(&fan, 6, 10, 4);
    expect_to_come_out(report, fan, vector(0, 0, 0), "on an apex");
}

void case_exit_through_back(Report *report)
{
    d06_contact_behind(report, SUBJECT_SIDLE);
}

void case_edge_in_slab(Report *report)
{
    d08_edge_in_slab(report, SUBJECT_SIDLE);
}

/* Flies and demands the whole path along the wish, no wall reported and no closer than the least distance at the
 * end. */
static void expect_free_flight(Report *report, Soup soup, Vector start, Vector wish, const char *what,
                               double value)
{
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_in(start);
    scene_tick(&scene, &agent, wish);
    double moved = vector_dot(vector_sub(agent_center(&agent), start), vector_unit(wish));
    double shortfall = vector_length(wish) - moved, distance = scene_clearance(&scene, &agent);
    report_expect(report, fabs(shortfall) < 1e-5, "%s %g: %g short", what, value, shortfall);
    report_expect(report, (agent.reasons & SIDLE_REASON_WALL) == 0, "%s %g: reports a wall", what, value);
    report_expect(report, distance >= case_least_distance, "%s %g: distance %.9g", what, value, distance);
    scene_close(&scene);
}

void case_parallel_to_edge(Report *report)
{
    const double radii[3] = {1.0, 1.01, 1.02};
    for (int index = 0; index < 3; ++index)
    {
        for (double clearance = 1e-6; clearance < 0.02; clearance *= 10.0)
        {
            Soup plate = {0};
            soup_triangle(&plate, vector(0, 0, -20), vector(0, 0, 20), vector(9, 0, 0));
            Vector start = vector(-radii[index] - clearance, 0, -5);
            expect_free_flight(report, plate, start, vector(0, 0, 8), "clearance",
                               radii[index] + clearance - 1.0);
        }
    }
}

void case_velocity_in_plane(Report *report)
{
    const double radii[3] = {1.0, 1.01, 1.02};
    for (int index = 0; index < 3; ++index)
    {
        for (int ulps = -2; ulps <= 2; ++ulps)
        {
            double height = radii[index] * (1.0 + ulps * 0x1p-24);
            expect_free_flight(report, ground(100), vector(2, height, 7), vector(3, 0, 1), "height", height);
            expect_free_flight(report, ground(100), vector(2, -height, 7), vector(3, 0, 1), "depth", height);
        }
    }
}

void case_graze_face(Report *report)
{
    for (double angle = 1e-1; angle > 0.5e-8; angle *= 0.1)
    {
        Scene scene = scene_of(ground(100), flying_ball());
        Agent agent = agent_at(-10, 1.0 + skin + 10.0 * sin(angle), 3);
        scene_ticks(&scene, &agent, vector(20.0 * cos(angle), -20.0 * sin(angle), 0), 2);
        double distance = scene_clearance(&scene, &agent), moved = agent.body.center.x + 10.0;
        report_expect(report, distance >= case_least_distance, "angle %g: distance %.9g", angle, distance);
        report_expect(report, fabs(moved - 40.0 * cos(angle)) < 1e-3, "angle %g: moved %g", angle, moved);
        scene_close(&scene);
    }
}

/* Over the top of a feature at the origin, at a height that almost or just touches. */
static void graze(Report *report, Soup (*feature)(void))
{
    const double radii[3] = {1.0, 1.01, 1.02};
    const double shares[5] = {-1e-7, -1e-8, 0.0, 1e-8, 1e-7};
    for (int index = 0; index < 15; ++index)
    {
        double height = radii[index / 5] * (1.0 + shares[index % 5]);
        Scene scene = scene_of(feature(), flying_ball());
        Agent agent = agent_at(-3, height, 0);
        Vector start = agent_center(&agent);
        scene_tick(&scene, &agent, vector(6, 0, 0));
        /* A ball that was turned aside did not take the straight path. */
        bool straight = agent.body.center.y == start.y;
        double distance =
            straight ? scene_clearance_since(&scene, &agent, start) : scene_clearance(&scene, &agent);
        report_expect(report, distance >= case_least_distance, "height %.9g: distance %.9g", height,
                      distance);
        report_expect(report, agent.body.center.x > 2.7, "height %.9g: only to %g", height,
                      agent.body.center.x);
        scene_close(&scene);
    }
}

static Soup upright_edge(void)
{
    Soup soup = {0};
    soup_triangle(&soup, vector(0, 0, -10), vector(0, 0, 10), vector(0, -9, 0));
    return soup;
}

static Soup upright_tip(void)
{
    Soup soup = {0};
    soup_triangle(&soup, vector(0, 0, 0), vector(0, -9, 5), vector(0, -9, -5));
    return soup;
}

void case_graze_edge(Report *report)
{
    graze(report, upright_edge);
}

void case_graze_vertex(Report *report)
{
    graze(report, upright_tip);
}
