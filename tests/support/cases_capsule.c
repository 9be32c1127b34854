/* Case 52: a capsule whose core begins on both sides of a floor, where eight triangles without an inside
 * would hold it for ever. */
#include "support/cases.h"
#include "support/oracle_core.h"
#include "support/scene.h"

#include <math.h>

#define TICKS 240

static SceneOptions capsule(uint32_t mode)
{
    SceneOptions options = mode == SIDLE_WALK ? walking_ball() : flying_ball();
    options.profile.shape = (sidle_shape){.radii = {0.4f, 0.4f, 0.4f}, .half_height = 0.5f};
    return options;
}

static bool is_crossed(const Scene *scene, const Agent *agent)
{
    for (size_t i = 0; i < scene->soup.count; ++i)
    {
        if (oracle_core_crosses(scene->soup.triangles[i].v, vector(0, 0.5, 0), agent_center(agent)))
        {
            return true;
        }
    }
    return false;
}

/* Out on the side of its centre, and until then it says STUCK. */
static void expect_out(Report *report, Soup soup, uint32_t mode, double height, Vector wish)
{
    Scene scene = scene_of(soup, capsule(mode));
    Agent agent = agent_at(0.1, height, 0.2);
    int ticks = 0;
    bool is_free = false;
    while (!is_free && ticks < TICKS)
    {
        bool was_crossed = is_crossed(&scene, &agent);
        Vector before = agent_center(&agent);
        scene_tick(&scene, &agent, wish);
        ++ticks;
        bool crossed = is_crossed(&scene, &agent);
        is_free = scene_clearance(&scene, &agent) >= 1.0;
        report_expect(report, is_free || (agent.reasons & SIDLE_REASON_STUCK),
                      "from %g: neither free nor stuck after %d ticks", height, ticks);
        report_expect(report, was_crossed || !crossed, "from %g: crossed anew in tick %d", height, ticks);
        report_expect(report, before.y * agent_center(&agent).y > 0.0 || before.y == 0.0,
                      "from %g: the centre passes through in tick %d", height, ticks);
    }
    report_expect(report, is_free, "from %g: not free after %d ticks", height, TICKS);
    scene_close(&scene);
}

static void expect_never_through(Report *report, double gap)
{
    Soup storeys = {0};
    soup_floor(&storeys, 10, 0);
    for (size_t i = 0, count = storeys.count; i < count; ++i)
    {
        Vector *v = storeys.triangles[i].v, up = vector(0, gap, 0);
        soup_triangle(&storeys, vector_add(v[0], up), vector_add(v[2], up), vector_add(v[1], up));
    }
    Scene scene = scene_of(storeys, capsule(SIDLE_FLY));
    Agent agent = agent_at(0, 0.6 * gap, 0);
    for (int tick = 0; tick < TICKS; ++tick)
    {
        scene_tick(&scene, &agent, vector(0.02, tick < TICKS / 2 ? 0.1 : -0.1, 0));
        double y = agent_center(&agent).y;
        report_expect(report, y > 0.0 && y < gap, "gap %g: out of it in tick %d", gap, tick);
        report_expect(report, (agent.reasons & SIDLE_REASON_STUCK) != 0, "gap %g: not reported in tick %d",
                      gap, tick);
    }
    scene_close(&scene);
}

static Soup one_floor(int cells)
{
    Soup floor = {0};
    if (cells == 0)
    {
        soup_floor(&floor, 10, 0);
    }
    else
    {
        soup_grid(&floor, cells, 6.0 / cells, 0);
    }
    return floor;
}

void case_capsule(Report *report)
{
    const double heights[] = {0.01, 0.2, 0.45, 0.49999, 0.5, 0.6, 0.83, 0.0};
    for (int i = 0; i < 8; ++i)
    {
        for (int kind = 0; kind < 4; ++kind)
        {
            int cells = kind < 2 ? 0 : kind == 2 ? 6 : 16;
            uint32_t mode = kind == 1 ? SIDLE_WALK : SIDLE_FLY;
            expect_out(report, one_floor(cells), mode, heights[i], vector(0.03, 0, 0));
            expect_out(report, one_floor(cells), SIDLE_FLY, -heights[i], vector(0.03, 0, 0.01));
        }
    }
    expect_never_through(report, 1.2);
    expect_never_through(report, 0.7);
}
