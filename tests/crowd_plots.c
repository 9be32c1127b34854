/* The plots of docs/crowd.md and docs/crowd/figures.md: paths seen from above or from the side, a queue, and flow over the width of a
 * door. */
#include "crowd_table.h"
#include "support/crowd_scenes.h"
#include "support/motion_plot.h"
#include "support/steered.h"

#include <stdio.h>
#include <stdlib.h>

#define RIGHTWARDS "#0a7d4f"
#define LEFTWARDS  "#1f5fa8"
#define PUBLISHED  "#c0392b"
#define LEVEL      "#888"

#define TRAILS 25
#define SAMPLE .5 /* seconds between two points of a trail */

static Plot *new_plot(const char *title)
{
    Plot *plot = calloc(1, sizeof *plot);
    if (plot == NULL)
    {
        abort();
    }
    *plot = (Plot){.title = title, .across = "m", .up = "m", .same_scale = true};
    return plot;
}

static bool write_and_free(Plot *plot, const char *folder, const char *name)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s.svg", folder, name);
    bool good = plot_write(plot, file);
    free(plot);
    return good;
}

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
static bool plot_trails(const Trails *trails, const char *folder, const char *name)
{
    Plot *plot = new_plot(trails->title);
    PlotLine *lines[TRAILS];
    CrowdSetting setting = crowd_setting(trails->kind);
    setting.count = trails->count;
    CrowdScene *scene = crowd_open(&setting);
    uint32_t each = (scene->count + TRAILS - 1) / TRAILS, drawn = scene->count / each;
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
    return write_and_free(plot, folder, name);
}

/* ---- a queue on stairs ---- */

#define QUEUE_SECONDS 15

static void plot_circle(Plot *plot, double x, double y, double radius, const char *color)
{
    PlotLine *line = plot_line(plot, NULL, color);
    for (int i = 0; i <= 16; ++i)
    {
        double angle = 6.283185307179586 * i / 16;
        plot_point(line, x + radius * cos(angle), y + radius * sin(angle));
    }
}

static void draw_stairs(Plot *plot)
{
    PlotLine *line = plot_line(plot, NULL, LEVEL);
    plot_point(line, -12, 0);
    for (int i = 0; i < 30; ++i)
    {
        plot_point(line, .3 * i, fmin(.2 * i, 4.8));
        plot_point(line, .3 * i, fmin(.2 * (i + 1), 4.8));
    }
}

/* One half of the persons leaves a trail of its feet, seen from the side. In the end all stand in a queue, seen from above. */
static bool plot_stairs(const char *folder)
{
    CrowdSetting setting = crowd_setting(CROWD_STAIRS);
    CrowdScene *scene = crowd_open(&setting);
    Plot *side =
             new_plot("A queue climbs stairs until two persons block it: every second path, from the side"),
         *above =
             new_plot("The same queue after 15 seconds, from above. The two at the right block the stairs");
    PlotLine *lines[PLOT_LINES];
    draw_stairs(side);
    for (uint32_t i = 0; i < scene->count; i += 2)
    {
        lines[i / 2] = plot_line(side, NULL, scene->persons[i].is_hero ? PUBLISHED : RIGHTWARDS);
    }
    while (crowd_time(scene) < QUEUE_SECONDS)
    {
        for (uint32_t i = 0; i < scene->count && scene->tick % 6 == 0; i += 2)
        {
            Vector place = crowd_place(scene, i);
            if (place.x > -12)
            {
                plot_point(lines[i / 2], place.x, place.y - (double)setting.shape.radii.y);
            }
        }
        crowd_step(scene);
    }
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        Vector place = crowd_place(scene, i);
        plot_circle(above, place.x, place.z, (double)setting.shape.radii.x,
                    scene->persons[i].is_hero ? PUBLISHED : RIGHTWARDS);
    }
    for (int wall = -1; wall <= 1; wall += 2)
    {
        PlotLine *line = plot_line(above, NULL, LEVEL);
        plot_point(line, -20, wall);
        plot_point(line, 9, wall);
    }
    crowd_close(scene);
    bool good = write_and_free(side, folder, "stairs");
    return write_and_free(above, folder, "queue") && good;
}

/* ---- steered ---- */

static bool plot_steered(Steered *steered, double seconds, const char *title, const char *folder,
                         const char *name)
{
    Plot *plot = new_plot(title);
    PlotLine *lines[TRAILS];
    uint32_t each = (steered->count + TRAILS - 1) / TRAILS | 1; /* odd: of both streams */
    uint32_t drawn = steered->count / each;
    for (uint32_t i = 0; i < drawn; ++i)
    {
        bool is_right = steered->goals[i * each].x > steered_place(steered, i * each).x;
        lines[i] = plot_line(plot, NULL, is_right ? RIGHTWARDS : LEFTWARDS);
    }
    for (int tick = 0; tick < seconds * steered->form.rate; ++tick)
    {
        for (uint32_t i = 0; i < drawn && tick % (steered->form.rate / 2) == 0; ++i)
        {
            Vector place = steered_place(steered, i * each);
            plot_point(lines[i], place.x, place.z);
        }
        steered_step(steered);
    }
    steered_close(steered);
    return write_and_free(plot, folder, name);
}

/* ---- flow ---- */

static bool plot_flow(const char *folder)
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
    return write_and_free(plot, folder, "flow");
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
    for (int i = 0; i < 3 && good; ++i)
    {
        good = plot_trails(&trails[i], folder, names[i]);
    }
    return good && plot_stairs(folder) &&
           plot_steered(steered_streams(120, (SteeredForm){0}), 25,
                        "Two streams of 60 persons that are steered: every fifth path", folder,
                        "steered-streams") &&
           plot_steered(steered_circle(200, (SteeredForm){0}), 50,
                        "A circle of 200 persons that are steered: every ninth path", folder,
                        "steered-circle") &&
           plot_flow(folder);
}
