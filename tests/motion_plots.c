/* The plots of docs/motion.md: path and speed over time, sidle beside the published form. */
#include "motion_table.h"
#include "support/motion_plot.h"
#include "support/motion_scenes.h"

#include <stdio.h>
#include <stdlib.h>

#define SIDLE     "#0a7d4f"
#define PUBLISHED "#c0392b"
#define LEVEL     "#888"

static const MotionSubject subjects[2] = {MOTION_WALK, MOTION_PUBLISHED};
static const char *const names[2] = {"sidle", "published form"};
static const char *const colors[2] = {SIDLE, PUBLISHED};

/* Ten steps of .2 m on treads of .3 m, and a landing. */
static Soup ten_steps(PlotLine *outline)
{
    Soup soup = {0};
    soup_plate(&soup, -10, 0, -4, 4, 0);
    plot_point(outline, -1, 0);
    for (int i = 0; i < 10; ++i)
    {
        double x = 0.3 * i, end = i < 9 ? x + 0.3 : 20.0, low = 0.2 * i, high = low + 0.2;
        soup_quad(&soup, vector(x, low, -4), vector(x, low, 4), vector(x, high, 4), vector(x, high, -4));
        soup_plate(&soup, x, end, -4, 4, high);
        plot_point(outline, x, low);
        plot_point(outline, x, high);
    }
    plot_point(outline, 5, 2);
    return soup;
}

static bool plot_stairs(const char *path_file, const char *speed_file)
{
    Plot *path = calloc(2, sizeof *path), *speed = path + 1;
    *path = (Plot){.title = "Up stairs, seen from the side: where the foot is",
                   .across = "m",
                   .up = "m",
                   .same_scale = true};
    PlotLine *outline = plot_line(path, "stairs", LEVEL);
    *speed = (Plot){.title = "Up stairs: speed over the ground", .across = "s", .up = "m/s"};
    for (int subject = 0; subject < 2; ++subject)
    {
        outline->count = 0;
        MotionSetting setting = motion_person(subjects[subject]);
        Actor actor = actor_of(&setting, ten_steps(outline), vector(-1, motion_rest(&setting) + 0.01, 0));
        PlotLine *height = plot_line(path, names[subject], colors[subject]),
                 *pace = plot_line(speed, names[subject], colors[subject]);
        actor_land(&actor);
        Vector before = actor_place(&actor);
        for (int tick = 0; tick < 150 && actor_place(&actor).x < 5.0; ++tick)
        {
            actor_tick(&actor, vector(3, 0, 0));
            Vector place = actor_place(&actor);
            plot_point(height, place.x, place.y - motion_rest(&setting));
            if (tick % 3 == 2)
            {
                plot_point(pace, tick / 60.0, (place.x - before.x) * 20.0);
                before = place;
            }
        }
        actor_end(&actor);
    }
    bool good = plot_write(path, path_file) && plot_write(speed, speed_file);
    free(path);
    return good;
}

/* A scene as a height or a distance over time. */
typedef double PlotFigure(const Actor *actor, Vector before);

static bool plot_over_time(Plot plot_head, Soup (*scene)(void), Vector start, Vector velocity, double seconds,
                           double skipped, PlotFigure *figure, const char *file)
{
    Plot *plot = calloc(1, sizeof *plot);
    *plot = plot_head;
    for (int subject = 0; subject < 2; ++subject)
    {
        MotionSetting setting = motion_person(subjects[subject]);
        Actor actor = actor_of(&setting, scene(), start);
        PlotLine *line = plot_line(plot, names[subject], colors[subject]);
        actor_go(&actor, velocity, skipped);
        for (int tick = 0; tick < actor_ticks(&actor, seconds); ++tick)
        {
            Vector before = actor_place(&actor);
            actor_tick(&actor, velocity);
            plot_point(line, skipped + tick / 60.0, figure(&actor, before));
        }
        actor_end(&actor);
    }
    bool good = plot_write(plot, file);
    free(plot);
    return good;
}

static Soup slope(void)
{
    Soup soup = {0};
    soup_slope(&soup, 40, 10);
    return soup;
}

static double height_over_slope(const Actor *actor, Vector before)
{
    (void)before;
    return 1e3 * ((double)actor->setting.shape.radii.x * (actor_clearance(actor) - 1.0));
}

/* Walls that lean back by 20 degrees and meet at 80. */
static Soup corner(void)
{
    Soup soup = {0};
    soup_floor(&soup, 12, 0);
    for (int side = -1; side <= 1; side += 2)
    {
        double half = radians(40), lean = 6.0 * tan(radians(20));
        Vector end = vector(-12 * cos(half), 0, side * 12 * sin(half));
        Vector top = vector(lean * sin(half), 6, side * lean * cos(half)), foot = vector(0, 0, 0);
        Vector far_top = vector_add(end, top);
        soup_quad(&soup, side > 0 ? foot : end, side > 0 ? end : foot, side > 0 ? far_top : top,
                  side > 0 ? top : far_top);
    }
    return soup;
}

static double distance_of_tick(const Actor *actor, Vector before)
{
    return 1e3 * vector_distance(actor_place(actor), before);
}

static Soup floor_below(void)
{
    Soup soup = {0};
    soup_floor(&soup, 12, 0);
    return soup;
}

static double depth(const Actor *actor, Vector before)
{
    (void)before;
    return fmax(0.9 - actor_place(actor).y, 0.0);
}

bool motion_plots(const char *folder)
{
    char file[5][512];
    const char *const file_names[5] = {"stairs.svg", "stairs-speed.svg", "downhill.svg", "corner.svg",
                                       "embedded.svg"};
    for (int i = 0; i < 5; ++i)
    {
        snprintf(file[i], sizeof file[i], "%s/%s", folder, file_names[i]);
    }
    return plot_stairs(file[0], file[1]) &&
           plot_over_time(
               (Plot){.title = "Down a slope of 10 degrees: gap below the foot", .across = "s", .up = "mm"},
               slope, vector(8, 8 * tan(radians(10)) + 0.94, 0.1), vector(-3, 0, 0), 2, 0.5,
               height_over_slope, file[2]) &&
           plot_over_time((Plot){.title = "Pushed into a corner of leaning walls: path of each tick",
                                 .across = "s",
                                 .up = "mm"},
                          corner, vector(-4, 0.93, 0.02), vector(3, 0, 0.1), 3, 0, distance_of_tick,
                          file[3]) &&
           plot_over_time((Plot){.title = "Put .3 m deep into a floor: depth", .across = "s", .up = "m"},
                          floor_below, vector(0, 0.6, 0), vector(0, 0, 0), 0.5, 0, depth, file[4]);
}
