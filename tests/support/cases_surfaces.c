/* Cases 26, 28 and 51: whole surfaces of triangles, and too little room between them. */
#include "support/cases.h"
#include "support/scene.h"

static const double skin = 0.02;

/* Ticks in which a push along the grid and onto it did not move as far along it as asked. */
static int ghosts_on_grid(const Scene *scene, double degrees, double step, int ticks)
{
    Vector along = vector(cos(radians(degrees)), 0, sin(radians(degrees)));
    Agent agent = agent_in(vector_along(vector(0.013, 1.0 + skin, 0.007), -0.5 * step * ticks, along));
    Vector wish = vector_along(vector(0, -0.5 * step, 0), step, along);
    int ghosts = 0;
    for (int tick = 0; tick < ticks; ++tick)
    {
        Vector before = agent_center(&agent);
        scene_tick(scene, &agent, wish);
        double moved = vector_dot(vector_sub(agent_center(&agent), before), along);
        /* A push that ends between the swept shell and the resting one stays there. */
        double height = agent.body.center.y - 1.0;
        bool lifted = height > skin + 1e-5, sunk = height < 0.5 * skin - 1e-5;
        ghosts += fabs(moved - step) > 1e-5 || lifted || sunk;
    }
    return ghosts;
}

static void cross_grid(Report *report, double size, ScenePieces pieces)
{
    int cells = size < 0.1 ? 160 : size < 0.5 ? 60 : 16;
    double step = size < 0.1 ? 0.011 : fmin(0.11 * size, 0.1);
    Soup grid = {0};
    soup_grid(&grid, cells, size, 0);
    SceneOptions options = flying_ball();
    options.pieces = pieces;
    options.max_candidates = 65536; /* the smallest cells put thousands of triangles into reach */
    Scene scene = scene_of(grid, options);
    int ghosts = 0, ticks = size < 0.1 ? 10 : 60;
    for (int degrees = 0; degrees < 360; degrees += 15)
    {
        ghosts += ghosts_on_grid(&scene, degrees, step, ticks);
    }
    report_note(report, "cells of %g%s: %d ghosts", size, pieces == SCENE_ONE_MESH ? "" : ", split", ghosts);
    report_expect(report, ghosts == 0, "hit something on a flat grid");
    scene_close(&scene);
}

void case_flat_grid(Report *report)
{
    const double sizes[6] = {0.05, 0.2, 0.5, 1.0, 2.0, 5.0};
    for (int index = 0; index < 6; ++index)
    {
        cross_grid(report, sizes[index], SCENE_ONE_MESH);
        if (sizes[index] >= 0.5)
        {
            cross_grid(report, sizes[index], SCENE_QUAD_EACH);
        }
    }
}

/* Falls on the middle of a patch of cells x cells specks; the patch is smaller than a skin. With more specks than
 * an agent looks at it is stopped short of them. */
static void fall_on_specks(Report *report, int cells, uint32_t max_candidates)
{
    bool sees_all = 2 * cells * cells <= (int)(max_candidates ? max_candidates : 4096);
    Soup patch = {0};
    soup_grid(&patch, cells, 1e-4, 0);
    SceneOptions options = flying_ball();
    options.max_candidates = max_candidates;
    Scene scene = scene_of(patch, options);
    Random random = random_seeded(28);
    for (int shot = 0; shot < 40; ++shot)
    {
        Vector aim = random_in_box(&random, vector(-1e-3, 0, -1e-3), vector(1e-3, 0, 1e-3));
        Vector from = random_in_box(&random, vector(-2, 1.5, -2), vector(2, 3, 2));
        Agent agent = agent_in(from);
        double least = INFINITY;
        for (int tick = 0; tick < 4; ++tick)
        {
            scene_tick(&scene, &agent, vector_scale(vector_sub(aim, from), 0.4));
            least = fmin(least, scene_clearance(&scene, &agent));
        }
        report_expect(report, least >= case_least_distance, "%d specks, shot %d: distance %g",
                      2 * cells * cells, shot, least);
        report_expect(report, !sees_all || least <= 1.0 + 2.0 * skin, "%d specks, shot %d: only %g near",
                      2 * cells * cells, shot, least);
    }
    scene_close(&scene);
}

void case_tiny_triangles(Report *report)
{
    fall_on_specks(report, 20, 0);
    fall_on_specks(report, 60, 65536);
    /* More than an agent looks at: stopped short of them, and never through. */
    fall_on_specks(report, 60, 0);
}

void case_crush(Report *report)
{
    const double shares[6] = {0.1, 0.4, 0.8, 1.2, 1.6, 1.9};
    const double asides[3] = {0.0, 0.2, -0.45};
    for (int index = 0; index < 18; ++index)
    {
        double gap = shares[index / 3], aside = asides[index % 3] * gap;
        Soup walls = {0}, other = {0};
        soup_wall(&walls, 20, 0.5 * gap);
        soup_wall(&other, 20, -0.5 * gap);
        soup_flip(&other);
        soup_append(&walls, &other);
        soup_free(&other);
        Scene scene = scene_of(walls, flying_ball());
        Agent agent = agent_at(aside, 1, 2);
        for (int tick = 0; tick < 10; ++tick)
        {
            scene_tick(&scene, &agent, vector(tick % 2 == 0 ? 0.3 : -0.3, 0.05, 0.1));
            report_expect(report, fabs(agent.body.center.x) < 0.5 * gap, "gap %g, tick %d: outside at %g",
                          gap, tick, agent.body.center.x);
            report_expect(report, (agent.body.flags & SIDLE_BODY_STUCK) != 0,
                          "gap %g, tick %d: not reported stuck", gap, tick);
            report_expect(report, agent_is_finite(&agent), "gap %g: no numbers any more", gap);
        }
        scene_close(&scene);
    }
}
