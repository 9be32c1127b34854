/* The plots of docs/crowd/figures.md: paths seen from above, and flow over the width of a door. */
#include "crowd_table.h"
#include "support/crowd_scenes.h"
#include "support/motion_plot.h"

#include <stdio.h>
#include <stdlib.h>

#define RIGHTWARDS "#0a7d4f"
#define LEFTWARDS  "#1f5fa8"
#define PUBLISHED  "#c0392b"
#define LEVEL      "#888"

#define TRAILS 25
#define SAMPLE .5 /* seconds between two points of a trail */

/* ---- trails ---- */

typedef struct Trails
{
    CrowdKind kind;
    int count;
    double seconds;
    const char *title;
} Trails;

static void draw_walls(Plot *plot, const CrowdScene *scene)
{
    const double half = scene->setting.amount / 2, high = scene->high.z;
    if (scene->setting.kind == CROWD_DOOR)
    {
        for (int side = -1; side <= 1; side += 2)
        {
            PlotLine *jamb = plot_line(plot, NULL, LEVEL);
            plot_point(jamb, .3, side * 4);
            plot_point(jamb, .3, side * half);
            plot_point(jamb, 0, side * half);
            plot_point(jamb, 0, side * 4);
        }
    }
    for (int side = -1; side <= 1 && scene->setting.kind == CROWD_CORRIDOR; side += 2)
    {
        PlotLine *wall = plot_line(plot, NULL, LEVEL);
        plot_point(wall, scene->low.x, side * high);
        plot_point(wall, scene->high.x, side * high);
    }
}

/* Every so many persons get a line. */
static bool plot_trails(const Trails *trails, const char *file)
{
    Plot *plot = calloc(1, sizeof *plot);
    PlotLine *lines[TRAILS];
    CrowdSetting setting = crowd_setting(trails->kind);
    setting.count = trails->count;
    CrowdScene *scene = crowd_open(&setting);
    uint32_t each = (scene->count + TRAILS - 1) / TRAILS, drawn = scene->count / each;
    *plot = (Plot){.title = trails->title, .across = "m", .up = "m", .same_scale = true};
    draw_walls(plot, scene);
    for (uint32_t i = 0; i < drawn; ++i)
    {
        lines[i] = plot_line(plot, NULL, scene->persons[i * each].side > 0 ? LEFTWARDS : RIGHTWARDS);
    }
    int period = (int)(SAMPLE * setting.rate);
    while (crowd_time(scene) < trails->seconds)
    {
        for (uint32_t i = 0; i < drawn && scene->tick % period == 0; ++i)
        {
            Vector place = crowd_place(scene, i * each);
            if (!scene->persons[i * each].is_gone)
            {
                plot_point(lines[i], place.x, place.z);
            }
        }
        crowd_step(scene);
    }
    crowd_close(scene);
    bool good = plot_write(plot, file);
    free(plot);
    return good;
}

/* ---- flow ---- */

static bool plot_flow(const char *file)
{
    const double radii[2] = {.25, .4};
    const char *const names[2] = {"radius .25 m", "radius .4 m"}, *const colors[2] = {LEFTWARDS, RIGHTWARDS};
    Plot *plot = calloc(1, sizeof *plot);
    *plot = (Plot){.title = "Flow over the width of a door", .across = "m", .up = "persons a second"};
    for (int k = 0; k < 2; ++k)
    {
        PlotLine *line = plot_line(plot, names[k], colors[k]);
        for (int i = 0; i <= 10; ++i)
        {
            double width = .9 + .2 * i;
            plot_point(line, width, crowd_door_flow(width, radii[k]));
        }
    }
    const double published[2] = {1.3, 2};
    for (int k = 0; k < 2; ++k)
    {
        PlotLine *line = plot_line(plot, k == 0 ? "people, 1.3 and 2 a metre" : NULL, PUBLISHED);
        plot_point(line, .9, .9 * published[k]);
        plot_point(line, 2.9, 2.9 * published[k]);
    }
    bool good = plot_write(plot, file);
    free(plot);
    return good;
}

bool crowd_plots(const char *folder)
{
    const Trails trails[3] = {
        {CROWD_DOOR, 80, 30, "Paths of 80 persons through a door of 1.2 m in half a minute"},
        {CROWD_CIRCLE, 200, 60, "Every eighth path of 200 persons across a circle"},
        {CROWD_CORRIDOR, 60, 25, "Two streams of 30 persons that keep to the right"},
    };
    const char *const names[3] = {"door", "circle", "corridor"};
    bool good = true;
    char file[512];
    for (int i = 0; i < 3 && good; ++i)
    {
        snprintf(file, sizeof file, "%s/%s.svg", folder, names[i]);
        good = plot_trails(&trails[i], file);
    }
    snprintf(file, sizeof file, "%s/flow.svg", folder);
    return good && plot_flow(file);
}
