/* Cases 15 to 19 and 23 to 25: where triangles meet, overlap or leave room. */
#include "support/cases.h"
#include "support/scene.h"

static const double skin = 0.02;

void case_shared_edge(Report *report)
{
    const ScenePieces pieces[2] = {SCENE_ONE_MESH, SCENE_TRIANGLE_EACH};
    for (int index = 0; index < 2; ++index)
    {
        Soup floor = {0};
        soup_floor(&floor, 10, 0);
        SceneOptions options = flying_ball();
        options.pieces = pieces[index];
        Scene scene = scene_of(floor, options);
        Agent agent = agent_at(2, 3, 2);
        for (int tick = 0; tick < 10; ++tick)
        {
            scene_tick(&scene, &agent, vector(0, -3, 0));
            report_expect(report, agent.contact_count == 1, "form %d, tick %d: %u contacts", index, tick,
                          agent.contact_count);
            report_expect(report, agent.contacts[0].triangle == 0 && agent.contacts[0].instance_key == 0,
                          "form %d, tick %d: triangle %u of instance %u", index, tick,
                          agent.contacts[0].triangle, (unsigned)agent.contacts[0].instance_key);
        }
        scene_close(&scene);
    }
}

/* The greatest signed distance to a face's plane: positive outside of a convex mantle. */
static double height_over_mantle(const Soup *soup, Vector point)
{
    double most = -INFINITY;
    for (size_t index = 0; index < soup->count; ++index)
    {
        const Vector *v = soup->triangles[index].v;
        Vector normal = vector_unit(vector_cross(vector_sub(v[1], v[0]), vector_sub(v[2], v[0])));
        most = fmax(most, vector_dot(normal, vector_sub(point, v[0])));
    }
    return most;
}

static void shoot_at_apex(Report *report, int valence, double depth, uint64_t seed)
{
    Soup fan = {0};
    soup_fan(&fan, valence, 30, depth);
    Scene scene = scene_of(fan, flying_ball());
    Random random = random_seeded(seed);
    for (int shot = 0; shot < 40; ++shot)
    {
        Vector aim = random_in_box(&random, vector(-0.01, 0, -0.01), vector(0.01, 0, 0.01));
        Vector from = random_in_box(&random, vector(-3, 2, -3), vector(3, 5, 3));
        Agent agent = agent_in(from);
        Vector wish = vector_scale(vector_sub(shot % 2 == 0 ? aim : vector(0, 0, 0), from), 2.0);
        scene_ticks(&scene, &agent, wish, 2);
        double height = height_over_mantle(&scene.soup, agent_center(&agent));
        double distance = scene_clearance(&scene, &agent);
        report_expect(report, height > 0.0, "valence %d, shot %d: leaks", valence, shot);
        report_expect(report, distance >= case_least_distance, "valence %d, shot %d: distance %g", valence,
                      shot, distance);
    }
    scene_close(&scene);
}

void case_fan_vertex(Report *report)
{
    for (int valence = 3; valence <= 64; ++valence)
    {
        shoot_at_apex(report, valence, 10, (uint64_t)valence);
        shoot_at_apex(report, valence, 0.01, (uint64_t)valence);
    }
}

void case_t_junction(Report *report)
{
    const double gaps[6] = {0.0, 1e-4, 1e-3, 1e-2, 0.1, 0.5};
    for (int index = 0; index < 6; ++index)
    {
        double gap = gaps[index];
        Soup plates = {0};
        soup_plate(&plates, -20, 0, -20, 20, 0);
        soup_plate(&plates, gap, 20, -20, 0, 0);
        soup_plate(&plates, gap, 20, 0, 20, 0);
        Scene scene = scene_of(plates, flying_ball());
        Agent agent = agent_at(0.5 * gap, 3, 0);
        scene_ticks(&scene, &agent, vector(0, -3, 0), 3);
        /* Somewhere between the swept shell and the resting one, and below them by the sagitta at most. */
        double y = agent.body.center.y, sagitta = gap * gap / 8.0;
        report_expect(report, y >= 1.0 + 0.5 * skin - sagitta - 1e-6, "gap %g: sinks to %g", gap, y);
        report_expect(report, y <= 1.0 + skin + 1e-5, "gap %g: floats at %g", gap, y);
        scene_close(&scene);
    }
}

void case_gap(Report *report)
{
    const ScenePieces pieces[2] = {SCENE_ONE_MESH, SCENE_QUAD_EACH};
    for (int index = 0; index < 4; ++index)
    {
        double half = 1.0 - 1e-3;
        Soup plates = {0};
        soup_plate(&plates, -20, -half, -20, 20, 0);
        soup_plate(&plates, half, 20, -20, 20, 0);
        SceneOptions options = flying_ball();
        options.pieces = pieces[index / 2];
        Scene scene = scene_of(plates, options);
        Agent agent = agent_at(index % 2 == 0 ? 0.0 : 0.3, 2, 0);
        scene_ticks(&scene, &agent, vector(0, -0.2, 0), 60);
        Agent before = agent;
        report_note(report, "form %d: y = %g", index, agent.body.center.y);
        report_expect(report, agent.body.center.y > 0.0, "form %d: fell through", index);
        for (int tick = 0; tick < 60; ++tick)
        {
            scene_tick(&scene, &agent, vector(0, -0.2, 0));
            report_expect(report, agent_same_bits(&agent, &before), "form %d, tick %d: moves", index, tick);
        }
        scene_close(&scene);
    }
}

void case_tunnel(Report *report)
{
    const double shares[10] = {-1e-2, -1e-3, -1e-4, -1e-5, -1e-6, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2};
    for (int index = 0; index < 20; ++index)
    {
        Soup tunnel = {0};
        double width = (1.0 + skin) * (1.0 + shares[index / 2]);
        soup_tunnel(&tunnel, width, 10);
        Scene scene = scene_of(tunnel, flying_ball());
        double aside = index % 2 == 0 ? 0.0 : 0.008;
        Agent agent = agent_at(-14, aside, -aside);
        double least = INFINITY;
        for (int tick = 0; tick < 30; ++tick)
        {
            scene_tick(&scene, &agent, vector(1, 0, 0));
            least = fmin(least, scene_clearance(&scene, &agent));
        }
        double end = agent.body.center.x;
        report_expect(report, least >= 1.0, "width %+g: distance %.9g", shares[index / 2], least);
        report_expect(report, end > 11.0 || end < -10.0, "width %+g: ends inside at %g", shares[index / 2],
                      end);
        bool fits = width >= 1.0 + skin + (double)scene.options.profile.shape.half_height;
        report_expect(report, !fits || end > 11.0, "width %+g: stops at %g", shares[index / 2], end);
        scene_close(&scene);
    }
}

void case_duplicates(Report *report)
{
    Agent ends[2];
    for (int form = 0; form < 2; ++form)
    {
        Soup once = {0};
        soup_terrain(&once, 6, 2, 0.8, 23);
        Soup soup = {0};
        for (int copy = 0; copy < (form == 0 ? 1 : 64); ++copy)
        {
            soup_append(&soup, &once);
        }
        soup_free(&once);
        SceneOptions options = flying_ball();
        options.max_candidates = 65536;
        Scene scene = scene_of(soup, options);
        ends[form] = agent_at(-3, 3, -2);
        scene_ticks(&scene, &ends[form], vector(0.05, -0.05, 0.04), 80);
        scene_close(&scene);
    }
    Vector one = agent_center(&ends[0]), many = agent_center(&ends[1]);
    report_note(report, "%.17g %.17g %.17g against %.17g %.17g %.17g", one.x, one.y, one.z, many.x, many.y,
                many.z);
    report_expect(report, agent_same_bits(&ends[0], &ends[1]), "copies change the path");
}

void case_coplanar_overlap(Report *report)
{
    Soup floor = {0};
    soup_floor(&floor, 20, 0);
    Random random = random_seeded(24);
    for (int extra = 0; extra < 60; ++extra)
    {
        Vector a = random_in_box(&random, vector(-6, 0, -6), vector(6, 0, 6));
        Vector b = random_in_box(&random, vector(-6, 0, -6), vector(6, 0, 6));
        soup_triangle(&floor, a, b, random_in_box(&random, vector(-6, 0, -6), vector(6, 0, 6)));
    }
    Scene scene = scene_of(floor, flying_ball());
    Agent agent = agent_at(-4, 1.03, -3);
    for (int tick = 0; tick < 80; ++tick)
    {
        Vector before = agent_center(&agent);
        scene_tick(&scene, &agent, vector(0.1, -0.02, 0.07));
        Vector step = vector_sub(agent_center(&agent), before);
        report_expect(report, fabs(step.x - 0.1) < 1e-6 && fabs(step.z - 0.07) < 1e-6,
                      "tick %d: moves (%g, %g)", tick, step.x, step.z);
        for (uint32_t index = 0; index < agent.contact_count; ++index)
        {
            report_expect(report, agent.contacts[index].normal.y > 1.0f - 1e-5f, "tick %d: normal.y = %.9g",
                          tick, (double)agent.contacts[index].normal.y);
        }
    }
    scene_close(&scene);
}

void case_opposite_windings(Report *report)
{
    for (int side = -1; side <= 1; side += 2)
    {
        Soup both = {0}, other = {0};
        soup_floor(&both, 20, 0);
        soup_floor(&other, 20, 0);
        soup_flip(&other);
        soup_append(&both, &other);
        soup_free(&other);
        Scene scene = scene_of(both, flying_ball());
        Agent agent = agent_at(-4, 3.0 * side, 1);
        scene_tick(&scene, &agent, vector(0, -5.0 * side, 0));
        scene_ticks(&scene, &agent, vector(0.2, -0.1 * side, 0), 20);
        report_note(report, "ends at (%g, %g)", agent.body.center.x, agent.body.center.y);
        report_expect(report, fabs(agent.body.center.y - (1.0 + skin) * side) < 1e-5, "does not rest on it");
        report_expect(report, fabs(agent.body.center.x) < 1e-5, "does not slide as asked");
        scene_close(&scene);
    }
}
