/* Throughput over triangles, agents, density and workers: tables in Markdown on standard output, and plots.
 *
 *     throughput FOLDER [--quick]
 *
 * writes FOLDER/triangles.svg, agents.svg, density.svg and workers.svg. Times are processor time of one thread, and
 * those of the workers wall time. A million agents take 11 GB of memory. --quick: once each, and 100,000 agents at
 * most. bench/throughput.sh makes a page of it. */
#include "crowd/measure.h"
#include "crowd/workers.h"
#include "support/motion_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OFF_COLOR "#1f5fa8"
#define ON_COLOR  "#0a7d4f"
#define OTHERS    "#c0392b"

#define HILLS "gen:terrain:1100" /* has room for a million agents at 1 a square metre */
#define CITY  "gen:city:16"      /* has room for 10,000 agents at .1 a square metre */

#define ANY_HEIGHT 1e9
#define ON_GROUND  .6 /* metres: roads, pavements and steps of a city, no roofs */

typedef struct Output
{
    const char *folder;
    bool is_quick;
} Output;

static void need(bool good)
{
    if (!good)
    {
        exit(1);
    }
}

static MeasureDesc effort(const Output *output, uint32_t ticks, uint32_t runs)
{
    return (MeasureDesc){.clock = walkers_cpu_seconds, .ticks = ticks, .runs = output->is_quick ? 1 : runs};
}

static Plot *new_plot(const char *title, const char *across)
{
    Plot *plot = calloc(1, sizeof *plot);
    need(plot != NULL);
    *plot = (Plot){.title = title, .across = across, .up = "million moves a second", .is_from_zero = true};
    return plot;
}

static void write_plot(const Output *output, Plot *plot, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.svg", output->folder, name);
    if (!plot_write(plot, path))
    {
        fprintf(stderr, "%s cannot be written\n", path);
        exit(1);
    }
    free(plot);
}

/* Millions of moves a second of one core. */
static double rate_of(const Row *row, MeasureDesc desc)
{
    return 1e3 / row_move(row, desc);
}

/* ---- Triangles. ---- */

static void over_triangles(const Output *output)
{
    static const uint32_t cells[] = {22, 70, 222, 400, 706, 1000};
    const MeasureDesc desc = effort(output, 60, 4);
    Plot *plot = new_plot("Speed of one core over triangles", "triangles");
    PlotLine *line = plot_line(plot, NULL, OFF_COLOR);
    plot->is_logarithmic = true;
    printf(
        "## Triangles\n\n2,000 agents all over hills, `gen:terrain:SIZE`, that pass through one another.\n\n"
        "![Moves a second over triangles](throughput/triangles.svg)\n\n"
        "| level | triangles | ns a move | moves a second | bytes a triangle |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i)
    {
        char level[32];
        Patch patch;
        sidle_mesh_info info = {.size = sizeof info};
        snprintf(level, sizeof level, "gen:terrain:%u", (unsigned)cells[i]);
        need(patch_open(&patch, level) && patch_spread(&patch, 2000, ANY_HEIGHT));
        sidle_mesh_get_info(patch.mesh, &info);
        Row *row = row_open(&patch, 0);
        measure(&row, 1, desc);
        plot_point(line, info.triangle_count, rate_of(row, desc));
        printf("| `%s` | %u | %.0f | %.0f | %.1f |\n", level, (unsigned)info.triangle_count,
               row_move(row, desc), 1e6 * rate_of(row, desc), (double)info.bytes / info.triangle_count);
        fflush(stdout);
        rows_close(&row, 1);
        patch_close(&patch);
    }
    write_plot(output, plot, "triangles");
}

/* ---- Agents. ---- */

typedef struct Pair
{
    double off, on;             /* nanoseconds a move */
    double bytes_off, bytes_on; /* of an agent */
    double path_on;             /* [m/s] */
} Pair;

static Pair measure_pair(const Patch *patch, MeasureDesc desc)
{
    Row *rows[2] = {row_open(patch, 0), row_open(patch, SIDLE_TICK_AGENTS_COLLIDE)};
    measure(rows, 2, desc);
    const Walkers *on = &rows[1]->walkers;
    Pair pair = {.off = row_move(rows[0], desc),
                 .on = row_move(rows[1], desc),
                 .bytes_off = (double)rows[0]->walkers.bytes / patch->count,
                 .bytes_on = (double)on->bytes / patch->count,
                 .path_on = on->path / (double)on->moved * WALKERS_HZ};
    rows_close(rows, 2);
    return pair;
}

/* Ticks of a run, so that no number of agents takes long. */
static uint32_t ticks_for(uint32_t count)
{
    uint32_t ticks = 1200000 / count;
    return ticks > 120 ? 120 : ticks < 4 ? 4 : ticks;
}

static void over_agents(const Output *output)
{
    static const uint32_t counts[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    Patch patch;
    Plot *plot = new_plot("Speed of one core over agents, 1 a square metre", "agents");
    PlotLine *off = plot_line(plot, "pass through one another", OFF_COLOR);
    PlotLine *on = plot_line(plot, "collide", ON_COLOR);
    plot->is_logarithmic = true;
    printf(
        "\n## Agents\n\n1 agent a square metre in the middle of `%s`. Bytes are the memory of the crowd for "
        "an "
        "agent, without the engine's own arrays.\n\n![Moves a second over agents](throughput/agents.svg)\n\n"
        "| agents | pass through, ns a move | collide, ns a move | pass through, bytes | collide, bytes |\n"
        "|---|---|---|---|---|\n",
        HILLS);
    need(patch_open(&patch, HILLS));
    for (size_t i = 0; i < sizeof counts / sizeof *counts && !(output->is_quick && counts[i] > 100000); ++i)
    {
        need(patch_fill(&patch, counts[i], 1, ANY_HEIGHT));
        Pair pair = measure_pair(&patch, effort(output, ticks_for(counts[i]), counts[i] > 100000 ? 1 : 3));
        plot_point(off, counts[i], 1e3 / pair.off);
        plot_point(on, counts[i], 1e3 / pair.on);
        printf("| %u | %.0f | %.0f | %.0f | %.0f |\n", (unsigned)counts[i], pair.off, pair.on, pair.bytes_off,
               pair.bytes_on);
        fflush(stdout);
    }
    patch_close(&patch);
    write_plot(output, plot, "agents");
}

/* ---- Density. ---- */

static void over_density(const Output *output)
{
    static const double densities[5] = {.1, .25, .5, 1, 1.5};
    const MeasureDesc desc = effort(output, 60, 3);
    Patch patch;
    Row *rows[10];
    Plot *plot = new_plot("Speed of one core over density, 10,000 agents", "agents a square metre");
    PlotLine *lines[2] = {plot_line(plot, "pass through one another", OFF_COLOR),
                          plot_line(plot, "collide", ON_COLOR)};
    need(patch_open(&patch, CITY));
    for (int i = 0; i < 10; ++i)
    {
        need(patch_fill(&patch, 10000, densities[i / 2], ON_GROUND));
        rows[i] = row_open(&patch, i % 2 ? SIDLE_TICK_AGENTS_COLLIDE : 0);
    }
    measure(rows, 10, desc);
    printf("\n## Density\n\n10,000 agents in streets, parks and squares of `%s`.\n\n"
           "![Moves a second over density](throughput/density.svg)\n\n"
           "| agents a square metre | pass through, ns a move | collide, ns a move | collide, path in m/s "
           "| collide, moves that an agent shortened |\n|---|---|---|---|---|\n",
           CITY);
    for (int i = 0; i < 10; i += 2)
    {
        const Walkers *on = &rows[i + 1]->walkers;
        double moved = (double)on->moved;
        plot_point(lines[0], densities[i / 2], rate_of(rows[i], desc));
        plot_point(lines[1], densities[i / 2], rate_of(rows[i + 1], desc));
        printf("| %g | %.0f | %.0f | %.2f | %.0f %% |\n", densities[i / 2], row_move(rows[i], desc),
               row_move(rows[i + 1], desc), on->path / moved * WALKERS_HZ,
               100 * (double)on->by_agents / moved);
    }
    fflush(stdout);
    rows_close(rows, 10);
    patch_close(&patch);
    write_plot(output, plot, "density");
}

/* ---- Workers. ---- */

static void over_workers(const Output *output)
{
    const char *const names[2] = {"pass through one another", "collide"};
    const char *const colors[2] = {OFF_COLOR, ON_COLOR};
    Patch patch;
    Plot *plot = new_plot("Speed over workers, 10,000 agents", "workers");
    PlotLine *processes = NULL;
    need(patch_open(&patch, "gen:city") && patch_fill(&patch, 10000, 1, ON_GROUND));
    printf("\n## Workers\n\n10,000 agents at 1 a square metre in `gen:city`. The bar for two workers are two "
           "processes "
           "of one thread each, which share nothing but the machine. Thousands of moves a second, by the "
           "wall clock.\n\n"
           "![Moves a second over workers](throughput/workers.svg)\n\n"
           "| agents | 1 worker | 2 workers | 2 processes | workers / processes |\n|---|---|---|---|---|\n");
    for (int on = 0; on < 2; ++on)
    {
        WorkersFigures figures;
        need(workers_measure(&patch, on ? SIDLE_TICK_AGENTS_COLLIDE : 0, effort(output, 60, 10), &figures));
        PlotLine *line = plot_line(plot, names[on], colors[on]);
        plot_point(line, 1, figures.alone / 1e6);
        plot_point(line, 2, figures.pool / 1e6);
        processes = plot_line(plot, on ? NULL : "independent processes", OTHERS);
        plot_point(processes, 1, figures.alone / 1e6);
        plot_point(processes, 2, figures.processes / 1e6);
        printf("| %s | %.0f | %.0f | %.0f | %.2f |\n", names[on], figures.alone / 1e3, figures.pool / 1e3,
               figures.processes / 1e3, figures.pool / figures.processes);
        fflush(stdout);
    }
    patch_close(&patch);
    write_plot(output, plot, "workers");
}

int main(int argc, char **argv)
{
    Output output = {.folder = argc > 1 ? argv[1] : NULL,
                     .is_quick = argc > 2 && strcmp(argv[2], "--quick") == 0};
    if (!output.folder || argc > 2 + output.is_quick)
    {
        fprintf(stderr, "usage: throughput FOLDER [--quick]\n");
        return 2;
    }
    over_triangles(&output);
    over_agents(&output);
    over_density(&output);
    over_workers(&output);
    return 0;
}
