/* Cases 38 to 47 and 50: what pushing against several things at once leads to, and what walking does at its
 * limits. */
#include "support/cases.h"
#include "support/defects.h"
#include "support/motion_scenes.h"

/* ---- rest ---- */

/* So many pushes to get there, and a hundred that move nothing by a bit. */
static void expect_rest(Report *report, Soup soup, Vector start, Vector push, int ticks, double value)
{
    Scene scene = scene_of(soup, flying_ball());
    Agent agent = agent_in(start);
    scene_ticks(&scene, &agent, push, ticks);
    Agent before = agent;
    for (int tick = 0; tick < 100; ++tick)
    {
        scene_tick(&scene, &agent, push);
        double moved = vector_distance(agent_center(&agent), agent_center(&before));
        if (!report_expect(report, agent_same_bits(&agent, &before), "%g, tick %d: moves by %g", value, tick,
                           moved))
        {
            break;
        }
    }
    double gap = scene_clearance(&scene, &agent) - 1.0;
    report_expect(report, gap > 0.0099 && gap < 0.03, "%g: rests %g from the walls", value, gap);
    scene_close(&scene);
}

void case_wedge(Report *report)
{
    const double degrees[4] = {1, 2, 5, 10};
    for (int index = 0; index < 4; ++index)
    {
        double depth = 1.02 / sin(radians(0.5 * degrees[index]));
        for (int aside = -1; aside <= 1; ++aside)
        {
            Soup wedge = {0};
            soup_wedge(&wedge, degrees[index], 20, 1.5 * depth);
            expect_rest(report, wedge, vector(-1.2 * depth, 0, 0.001 * aside),
                        vector(0.02 * depth, 0, 0.01 * aside), 60, degrees[index]);
        }
    }
}

void case_wide_corner(Report *report)
{
    for (int degrees = 91; degrees <= 179; degrees += 4)
    {
        for (int aside = -1; aside <= 1; ++aside)
        {
            Soup wedge = {0};
            soup_wedge(&wedge, degrees, 20, 60);
            /* The push stays within the cone of the two normals: what leaves it slides along a wall for ever.
             */
            double most = 0.2 * tan(radians(0.5 * (180 - degrees)));
            Vector push = vector(0.2, 0, 0.5 * most * aside);
            expect_rest(report, wedge, vector(-4, 0, 0.002 * aside), push, 1000, degrees);
        }
    }
}

/* Three walls through the origin along these edges, pushed into against all three normals. */
static void expect_rest_in_corner(Report *report, const Vector edges[3], double value)
{
    Soup soup = {0};
    Vector inside = vector(0, 0, 0), into = vector(0, 0, 0);
    double volume = vector_dot(edges[0], vector_cross(edges[1], edges[2]));
    for (int i = 0; i < 3; ++i)
    {
        Vector a = vector_scale(edges[i], 200), b = vector_scale(edges[(i + 1) % 3], 200);
        soup_quad(&soup, vector(0, 0, 0), a, vector_add(a, b), b);
        Vector normal = vector_scale(vector_unit(vector_cross(a, b)), volume < 0.0 ? -1.0 : 1.0);
        inside = vector_add(inside, edges[i]);
        into = vector_along(into, -0.15, normal);
    }
    double near = INFINITY; /* of the middle line from the walls, a length along it */
    for (int i = 0; i < 3; ++i)
    {
        Vector normal = vector_unit(vector_cross(edges[i], edges[(i + 1) % 3]));
        near = fmin(near, fabs(vector_dot(inside, normal)));
    }
    expect_rest(report, soup, vector_scale(inside, 1.5 / near), into, 2000, value);
}

void case_corner3(Report *report)
{
    const Vector box[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Vector skew[3] = {{1, 0.1, -0.3}, {-0.4, 1, 0.2}, {0.3, -0.5, 1}};
    expect_rest_in_corner(report, box, 0);
    expect_rest_in_corner(report, skew, 1);
    for (double flat = 0.3; flat > 0.02; flat *= 0.5) /* ever nearer to one plane */
    {
        const Vector edges[3] = {{1, flat, 0}, {-0.5, flat, 0.8}, {-0.5, flat, -0.8}};
        expect_rest_in_corner(report, edges, flat);
    }
}

/* ---- progress ---- */

void case_v_groove(Report *report)
{
    for (int degrees = 10; degrees <= 170; degrees += 5)
    {
        Soup groove = {0};
        soup_groove(&groove, degrees, 50, 50);
        Scene scene = scene_of(groove, flying_ball());
        Agent agent = agent_at(0.01, 1.03 / sin(radians(0.5 * degrees)) + 0.2, -5);
        scene_ticks(&scene, &agent, vector(0, -0.1, 0),
                    60); /* to the bottom, between the shells of both sides */
        scene_ticks(&scene, &agent, vector(0, -0.1, 0.1), 20);
        for (int tick = 0; tick < 60; ++tick)
        {
            Vector before = agent_center(&agent);
            scene_tick(&scene, &agent, vector(0, -0.1, 0.1));
            Vector moved = vector_sub(agent_center(&agent), before);
            report_expect(report, fabs(moved.z - 0.1) < 1e-6 && fabs(moved.x) < 1e-5 && fabs(moved.y) < 1e-4,
                          "%d degrees, tick %d: moves by (%g, %g, %g)", degrees, tick, moved.x, moved.y,
                          moved.z);
        }
        scene_close(&scene);
    }
}

void case_curved_tube(Report *report)
{
    for (int facets = 32; facets <= 1024; facets *= 2)
    {
        const double radius = 20, push = 2;
        Soup ring = {0};
        soup_ring(&ring, facets, radius, 10);
        double inner = radius * cos(radians(180.0 / facets)) - 1.021;
        Scene scene = scene_of(ring, flying_ball());
        Agent agent = agent_at(inner, 0, 0);
        double arc = 0, least = INFINITY;
        for (int tick = 0; tick < 50; ++tick)
        {
            Vector before = agent_center(&agent);
            double angle = atan2(before.z, before.x);
            scene_tick(&scene, &agent, vector(-push * sin(angle), 0, push * cos(angle)));
            Vector after = agent_center(&agent);
            double turned = remainder(atan2(after.z, after.x) - angle, radians(360)) * inner;
            arc += turned;
            least = fmin(least, turned);
            report_expect(report, (agent.reasons & SIDLE_REASON_TRUNCATED) == 0 || turned > 0.98 * push,
                          "%d facets, tick %d: cut short at %g", facets, tick, turned);
        }
        report_note(report, "%d facets: %.4f of %g, least %.3f", facets, arc, 50 * push, least);
        report_expect(report, arc >= 0.99 * 50 * push, "%d facets: falls behind", facets);
        scene_close(&scene);
    }
}

/* ---- walking at its limits ---- */

void case_hz_sweep(Report *report)
{
    for (int mode = MOTION_WALK; mode <= MOTION_SLIDE; ++mode)
    {
        MotionSetting setting = motion_person((MotionSubject)mode);
        double spread = motion_course_spread(&setting, COURSE_WALL);
        report_note(report, "mode %d: %.3g %%", mode, spread);
        report_expect(report, spread <= 0.1, "depends on the rate");
    }
}

void case_slope_idle(Report *report)
{
    const double limits[3] = {20, 45, 60};
    for (int form = 0; form < 6; ++form)
    {
        MotionSetting setting = motion_person(form < 3 ? MOTION_WALK : MOTION_SLIDE);
        setting.slope = limits[form % 3];
        double at = motion_drift(&setting, setting.slope); /* the tolerance is .1 degrees */
        double above = motion_drift(&setting, setting.slope + 0.2);
        report_note(report, "limit %g: %g on it, %g above", setting.slope, at, above);
        report_expect(report, at == 0.0, "limit %g, mode %d: slides on it", setting.slope, form / 3);
        report_expect(report, above > 1.0, "limit %g, mode %d: stays above it", setting.slope, form / 3);
    }
}

static void expect_stairs(Report *report, const MotionSetting *setting, MotionFlight flight, bool climbs)
{
    MotionStairs stairs = motion_stairs(setting, flight);
    report_expect(report, stairs.passed == climbs, "riser %g, tread %g, %g degrees, %d Hz, ry %g: %s",
                  flight.riser, flight.tread, flight.degrees, setting->rate, (double)setting->shape.radii.y,
                  climbs ? "refused" : "climbed");
}

void case_stairs(Report *report)
{
    const double treads[6] = {0.1, 0.3, 0.5, 1.03, 1.5, 3.0}, angles[3] = {0, 30, 60}; /* treads in radii */
    for (int form = 0; form < 72; ++form)
    {
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape.radii.y = form % 2 == 0 ? 0.9f : 0.4f;
        setting.rate = form / 2 % 2 == 0 ? 30 : 240;
        setting.step_up = 0.3;
        MotionFlight flight = {.tread = 0.4 * treads[form / 4 % 6], .degrees = angles[form / 24]};
        flight.riser = setting.step_up + 1e-3;
        bool promised = flight.tread >= 0.4 * 1.02;
        if (promised) /* on narrower treads what carries is an edge, and the table in docs/motion.md holds */
        {
            expect_stairs(report, &setting, flight, false);
            flight.riser = setting.step_up - 1e-3;
            expect_stairs(report, &setting, flight, true);
        }
        flight.riser = fmin(0.1, flight.tread); /* steeper flights than 45 degrees are ladders */
        expect_stairs(report, &setting, flight, true);
        flight.down = true;
        MotionStairs down = motion_stairs(&setting, flight);
        report_expect(report, down.passed && down.airborne == 0.0, "tread %g, %g degrees: airborne %.2f down",
                      flight.tread, flight.degrees, down.airborne);
    }
}

/* A step of .3 m under ceilings that leave less room above it than the body's height, and more. */
void case_step_low_ceiling(Report *report)
{
    for (int form = 0; form < 8; ++form)
    {
        MotionSetting setting = motion_person(form % 2 == 0 ? MOTION_WALK : MOTION_SLIDE);
        double tall = 2.0 * motion_rest(&setting),
               room = tall + 0.3 + (form < 6 ? -0.05 - 0.1 * (form / 2) : 0.1);
        Soup soup = {0};
        soup_plate(&soup, -10, 0, -10, 10, 0);
        soup_quad(&soup, vector(0, 0, -10), vector(0, 0, 10), vector(0, 0.3, 10), vector(0, 0.3, -10));
        soup_plate(&soup, 0, 10, -10, 10, 0.3);
        soup_quad(&soup, vector(-10, room, -10), vector(10, room, -10), vector(10, room, 10),
                  vector(-10, room, 10));
        Actor actor = actor_of(&setting, soup, vector(-1, motion_rest(&setting), 0));
        double least = INFINITY;
        for (int tick = 0; tick < 120; ++tick)
        {
            actor_tick(&actor, vector(3, 0, 0.2));
            least = fmin(least, actor_clearance(&actor));
        }
        double x = actor_place(&actor).x;
        report_expect(report, least >= 1.0, "room %g: embedded, %g", room - tall, least);
        report_expect(report, form < 6 ? x < 0.0 : x > 1.0 || setting.subject == MOTION_SLIDE,
                      "room %g: at x = %g", room - tall, x);
        actor_end(&actor);
    }
}

/* Moves over the edge of a ledge by a millimetre a tick: it stands, then falls, once; and where it is left
 * alone it either stands still or falls. */
void case_ledge_perch(Report *report)
{
    MotionSetting setting = motion_person(MOTION_WALK);
    int flips = 0, ticks = 0;
    double at = 0;
    Soup soup = {0};
    soup_plate(&soup, -10, 0, -10, 10, 0);
    Actor actor = actor_of(&setting, soup, vector(-0.1, motion_rest(&setting) + 0.01, 0));
    actor_land(&actor);
    for (; ticks < 1000 && actor_place(&actor).y > -2.0; ++ticks)
    {
        bool stood = actor.grounded;
        Actor left_alone = actor;
        actor_tick(&actor, vector(0.06, 0, 0));
        flips += stood != actor.grounded;
        at = stood ? actor_place(&actor).x : at;
        for (int idle = 0; stood && ticks % 10 == 0 && idle < 60; ++idle)
        {
            actor_tick(&left_alone, vector(0, 0, 0));
            report_expect(report, agent_same_bits(&left_alone.agent, &actor.agent) || left_alone.grounded,
                          "flickers at %g", at);
        }
    }
    report_note(report, "stands until its centre is %.3f m beyond the edge", at);
    report_expect(report, flips == 1, "%d flips", flips);
    report_expect(report, at > 0.3 && at < 0.41, "flips at %g", at);
    actor_end(&actor);
}

void case_distance_equals_skin(Report *report)
{
    d21_gap_exactly(report, SUBJECT_SIDLE);
}
