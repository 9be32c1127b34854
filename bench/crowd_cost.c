/* What a tick costs with agents that collide, as lines of "what, figure, bar":
 *
 *     crowd_cost [--quick] [tick] [size] [density] [workers] [instances] [capsule] [dispatch] [rest]
 *
 * A bar is the figure that the library is held to. Times are processor time of one thread. Those of the workers and of the
 * dispatch are wall time: on a machine that others use, "chrt -f 1 crowd_cost workers". What is compared runs in turn, tick
 * by tick, and of each tick the least time of several runs counts. --quick: fewer ticks, for a first look. Agents
 * are ellipsoids of .4 .9 .4 m that wander at 1.4 to 3 m/s, 60 ticks a second, in streets, squares and parks; those
 * of the sections instances and capsule all over the level, without colliding. */
#include "crowd/crates.h"
#include "crowd/dispatch.h"
#include "crowd/measure.h"
#include "crowd/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CITY      "gen:city"
#define BIG_CITY  "gen:city:16" /* has room for 100,000 agents at 1 a square metre */
#define TERRAIN   "gen:terrain:256"
#define ON_GROUND .6 /* metres: roads, pavements and steps, no roofs */

typedef struct Options
{
    bool is_quick;
} Options;

static MeasureDesc effort(const Options *options, uint32_t ticks, uint32_t runs)
{
    return (MeasureDesc){.clock = walkers_cpu_seconds,
                         .ticks = options->is_quick ? ticks / 3 : ticks,
                         .runs = options->is_quick ? 2 : runs};
}

/* ---- Lines. ---- */

static void print_plain(const char *what, double figure)
{
    printf("%-52s, %10.4g, -\n", what, figure);
    fflush(stdout);
}

static void print_limit(const char *what, double figure, double most)
{
    printf("%-52s, %10.4g, at most %g: %s\n", what, figure, most, figure <= most ? "good" : "MISSED");
    fflush(stdout);
}

static void print_least(const char *what, double figure, double least)
{
    printf("%-52s, %10.4g, at least %g: %s\n", what, figure, least, figure >= least ? "good" : "MISSED");
    fflush(stdout);
}

/* How far the agents came, and how often they were in one another's path. */
static void print_work(const char *what, const Walkers *walkers)
{
    char line[96];
    double moves = (double)walkers->moved;
    snprintf(line, sizeof line, "%s: path [m/s]", what);
    print_plain(line, walkers->path / moves * WALKERS_HZ);
    snprintf(line, sizeof line, "%s: moves shortened by agents", what);
    print_plain(line, (double)walkers->by_agents / moves);
    snprintf(line, sizeof line, "%s: moves shortened by the level", what);
    print_plain(line, (double)walkers->by_levels / moves);
}

/* ---- Scenes. ---- */

static Row *open_at(Patch *patch, uint32_t count, double density, uint32_t tick_flags)
{
    if (!patch_fill(patch, count, density, ON_GROUND))
    {
        exit(1);
    }
    return row_open(patch, tick_flags);
}

static void open_or_exit(Patch *patch, const char *level)
{
    if (!patch_open(patch, level))
    {
        exit(1);
    }
}

/* ---- Sections. ---- */

/* 10,000 agents at 1 a square metre. */
static void section_tick(const Options *options)
{
    const MeasureDesc desc = effort(options, 240, 4);
    Patch patch;
    open_or_exit(&patch, CITY);
    Row *rows[2] = {open_at(&patch, 10000, 1, 0), open_at(&patch, 10000, 1, SIDLE_TICK_AGENTS_COLLIDE)};
    measure(rows, 2, desc);
    double off = row_percentile(rows[0], desc, .5), on = row_percentile(rows[1], desc, .5);
    print_plain("tick off: p50 [ms]", 1e3 * off);
    print_plain("tick off: p99 [ms]", 1e3 * row_percentile(rows[0], desc, .99));
    print_plain("tick on: p50 [ms]", 1e3 * on);
    print_plain("tick on: p99 [ms]", 1e3 * row_percentile(rows[1], desc, .99));
    print_work("tick off", &rows[0]->walkers);
    print_work("tick on", &rows[1]->walkers);
    print_plain("tick off: bytes an agent", (double)rows[0]->walkers.bytes / 10000);
    print_plain("tick on: bytes an agent", (double)rows[1]->walkers.bytes / 10000);
    print_limit("tick: p50 on / p50 off", on / off, 2);
    print_limit("tick on: p99 / p50", row_percentile(rows[1], desc, .99) / on, 1.5);
    rows_close(rows, 2);
    patch_close(&patch);
}

/* 100,000 agents against 10,000 on one level. */
static void section_size(const Options *options)
{
    const MeasureDesc desc = effort(options, 60, 3);
    Patch patch;
    open_or_exit(&patch, BIG_CITY);
    Row *rows[4] = {open_at(&patch, 10000, 1, 0), open_at(&patch, 10000, 1, SIDLE_TICK_AGENTS_COLLIDE),
                    open_at(&patch, 100000, 1, 0), open_at(&patch, 100000, 1, SIDLE_TICK_AGENTS_COLLIDE)};
    measure(rows, 4, desc);
    print_plain("size off 10000 agents: time [ns a move]", row_move(rows[0], desc));
    print_plain("size on 10000 agents: time [ns a move]", row_move(rows[1], desc));
    print_plain("size off 100000 agents: time [ns a move]", row_move(rows[2], desc));
    print_plain("size on 100000 agents: time [ns a move]", row_move(rows[3], desc));
    print_work("size on 100000 agents", &rows[3]->walkers);
    print_limit("size off: tick of 100000 / tick of 10000", rows[2]->sum / rows[0]->sum, 12);
    print_limit("size on: tick of 100000 / tick of 10000", rows[3]->sum / rows[1]->sum, 12);
    rows_close(rows, 4);
    patch_close(&patch);
}

/* 10,000 agents at densities from a street to a crush. */
static void section_density(const Options *options)
{
    static const double densities[5] = {.1, .25, .5, 1, 1.5};
    const MeasureDesc desc = effort(options, 90, 3);
    Patch patch;
    Row *rows[10];
    char line[96];
    open_or_exit(&patch, BIG_CITY);
    for (int i = 0; i < 10; ++i)
    {
        rows[i] = open_at(&patch, 10000, densities[i / 2], i % 2 ? SIDLE_TICK_AGENTS_COLLIDE : 0);
    }
    measure(rows, 10, desc);
    for (int i = 0; i < 10; ++i)
    {
        snprintf(line, sizeof line, "density %s %g/m2", i % 2 ? "on" : "off", densities[i / 2]);
        print_work(line, &rows[i]->walkers);
        strcat(line, ": time [ns a move]");
        print_plain(line, row_move(rows[i], desc));
    }
    print_limit("density on: 1.5/m2 / .1/m2", rows[9]->sum / rows[1]->sum, 3);
    rows_close(rows, 10);
    patch_close(&patch);
}

/* Two workers against two processes. */
static void section_workers(const Options *options)
{
    const MeasureDesc desc = effort(options, 60, 12);
    Patch patch;
    open_or_exit(&patch, CITY);
    if (!patch_fill(&patch, 10000, 1, ON_GROUND))
    {
        exit(1);
    }
    for (int on = 0; on < 2; ++on)
    {
        WorkersFigures figures;
        char line[96];
        const char *name = on ? "on" : "off";
        if (!workers_measure(&patch, on ? SIDLE_TICK_AGENTS_COLLIDE : 0, desc, &figures))
        {
            exit(1);
        }
        snprintf(line, sizeof line, "workers %s: one thread [moves/s]", name);
        print_plain(line, figures.alone);
        snprintf(line, sizeof line, "workers %s: two processes [moves/s]", name);
        print_plain(line, figures.processes);
        snprintf(line, sizeof line, "workers %s: two workers [moves/s]", name);
        print_plain(line, figures.pool);
        snprintf(line, sizeof line, "workers %s: processor time of two / of one", name);
        print_plain(line, figures.pool_processor);
        snprintf(line, sizeof line, "workers %s: two workers / two processes", name);
        print_least(line, figures.pool / figures.processes, .95);
    }
    patch_close(&patch);
}

static Row *open_on(const Patch *patch, sidle_snapshot *snapshot)
{
    Patch other = *patch;
    other.snapshot = snapshot;
    return row_open(&other, 0);
}

/* Two rows of one level, and the time of the second over that of the first. Closes them. */
static void print_ratio(const char *level, Row *const rows[2], const char *const names[2], MeasureDesc desc)
{
    char line[96];
    measure(rows, 2, desc);
    for (int i = 0; i < 2; ++i)
    {
        snprintf(line, sizeof line, "%s %s", level, names[i]);
        print_work(line, &rows[i]->walkers);
        strcat(line, ": time [ns a move]");
        print_plain(line, row_move(rows[i], desc));
    }
    snprintf(line, sizeof line, "%s: %s / %s", level, names[1], names[0]);
    print_limit(line, rows[1]->sum / rows[0]->sum, 1.5);
    rows_close(rows, 2);
}

/* Among 10,000 crates: an instance each, against one instance of the same triangles. */
static void section_instances(const Options *options)
{
    static const char *const levels[2] = {BIG_CITY, TERRAIN};
    static const char *const names[2] = {"1 instance", "10001 instances"};
    const MeasureDesc desc = effort(options, 90, 4);
    for (int level = 0; level < 2; ++level)
    {
        Patch patch;
        Crates crates;
        open_or_exit(&patch, levels[level]);
        if (!crates_place(&crates, &patch, 10000, 10000))
        {
            exit(1);
        }
        Row *rows[2] = {open_on(&patch, crates.merged), open_on(&patch, crates.apart)};
        print_ratio(levels[level], rows, names, desc);
        crates_remove(&crates);
        patch_close(&patch);
    }
}

/* Capsules as wide and as high as the ellipsoids. */
static void section_capsule(const Options *options)
{
    static const char *const levels[3] = {CITY, TERRAIN, "gen:dungeon"};
    static const char *const names[2] = {"ellipsoids", "capsules"};
    const sidle_shape capsule = {.radii = {PATCH_RADIUS, PATCH_RADIUS, PATCH_RADIUS},
                                 .half_height = PATCH_HEIGHT - PATCH_RADIUS};
    const MeasureDesc desc = effort(options, 90, 4);
    for (int level = 0; level < 3; ++level)
    {
        Patch patch;
        open_or_exit(&patch, levels[level]);
        if (!patch_spread(&patch, 10000, INFINITY))
        {
            exit(1);
        }
        Row *rows[2] = {row_open(&patch, 0), NULL};
        patch.shape = capsule;
        rows[1] = row_open(&patch, 0);
        print_ratio(levels[level], rows, names, desc);
        patch_close(&patch);
    }
}

/* 64 agents in an empty world: what the built-in pool adds to a tick. */
static void section_dispatch(const Options *options)
{
    for (int on = 0; on < 2; ++on)
    {
        char line[96];
        DispatchFigures figures =
            dispatch_measure(WORKERS, on ? SIDLE_TICK_AGENTS_COLLIDE : 0, options->is_quick ? 500 : 5000);
        snprintf(line, sizeof line, "dispatch %s: without jobs [us]", on ? "on" : "off");
        print_plain(line, figures.alone);
        snprintf(line, sizeof line, "dispatch %s: added by %d workers [us]", on ? "on" : "off", WORKERS);
        print_limit(line, figures.added, 5);
    }
}

/* 10,000 agents at 1 a square metre that stand, or walk, in a level that does not change. */
static void section_rest(const Options *options)
{
    static const char *const names[4] = {"off walk", "on walk", "off stand", "on stand"};
    const MeasureDesc desc = effort(options, 120, 4);
    Patch patch;
    Row *rows[4];
    char line[96];
    open_or_exit(&patch, CITY);
    for (int i = 0; i < 4; ++i)
    {
        rows[i] = open_at(&patch, 10000, 1, i % 2 ? SIDLE_TICK_AGENTS_COLLIDE : 0);
        if (i >= 2)
        {
            walkers_stand(&rows[i]->walkers);
        }
    }
    measure(rows, 4, desc);
    for (int i = 0; i < 4; ++i)
    {
        snprintf(line, sizeof line, "rest %s: path [m/s]", names[i]);
        print_plain(line, rows[i]->walkers.path / (double)rows[i]->walkers.moved * WALKERS_HZ);
        snprintf(line, sizeof line, "rest %s: time [ns an agent]", names[i]);
        print_plain(line, row_move(rows[i], desc));
    }
    print_plain("rest off: stand / walk", rows[2]->sum / rows[0]->sum);
    print_plain("rest on: stand / walk", rows[3]->sum / rows[1]->sum);
    rows_close(rows, 4);
    patch_close(&patch);
}

typedef struct Section
{
    const char *name;
    void (*run)(const Options *options);
} Section;

static const Section sections[] = {{"tick", section_tick},           {"size", section_size},
                                   {"density", section_density},     {"workers", section_workers},
                                   {"instances", section_instances}, {"capsule", section_capsule},
                                   {"dispatch", section_dispatch},   {"rest", section_rest}};

#define SECTION_COUNT (sizeof sections / sizeof *sections)

static const Section *find_section(const char *name)
{
    for (size_t i = 0; i < SECTION_COUNT; ++i)
    {
        if (strcmp(sections[i].name, name) == 0)
        {
            return &sections[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    Options options = {.is_quick = argc > 1 && strcmp(argv[1], "--quick") == 0};
    int first = options.is_quick ? 2 : 1;
    for (int i = first; i < argc; ++i)
    {
        if (!find_section(argv[i]))
        {
            fprintf(stderr,
                    "usage: crowd_cost [--quick] [tick] [size] [density] [workers] [instances] [capsule] "
                    "[dispatch] [rest]\n");
            return 2;
        }
    }
    for (size_t i = 0; i < SECTION_COUNT && first == argc; ++i)
    {
        sections[i].run(&options);
    }
    for (int i = first; i < argc; ++i)
    {
        find_section(argv[i])->run(&options);
    }
    return 0;
}
