/* Prints the tables of docs/crowd/figures.md: crowd_table scenes | doors | rates, or crowd_table plots FOLDER for its pictures.
 * crowd_table one SCENE [NAME=NUMBER...] prints the figures of one run; names are rate, count, seconds, amount, seed, radius,
 * height (of the ellipsoid) and core (half height of a capsule's core). crowd_table scenes takes them, too.
 * crowd_table forms [SCENE...] prints the worst that all scenes, or these, come to at four rates as ellipsoids and capsules. */
#include "crowd_table.h"
#include "support/crowd_scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenes ---- */

typedef struct Row
{
    const char *name;
    CrowdKind kind;
    double amount;
    const char *format; /* of a figure of its own, or NULL */
    double (*figure)(const CrowdFigures *figures);
    double bar;    /* of that figure: what the library is held to */
    bool is_least; /* the bar is the least figure, not the most */
    int count;     /* of persons; 0: the scene's own */
} Row;

static double fastest(const CrowdFigures *figures)
{
    return figures->fastest;
}

static double arrival(const CrowdFigures *figures)
{
    return figures->arrival;
}

static double apart(const CrowdFigures *figures)
{
    return figures->apart;
}

static double hero_path(const CrowdFigures *figures)
{
    return figures->hero_x + 7;
}

static double flow(const CrowdFigures *figures)
{
    return figures->flow;
}

static double down(const CrowdFigures *figures)
{
    return 100 * figures->share;
}

static const Row rows[] = {
    {"crush of 2,000", CROWD_CRUSH, .count = 2000},
    {"crush of 1,000", CROWD_CRUSH, .amount = 0},
    {"crush of 600 into a corner", CROWD_CORNER, .amount = 0},
    {"crush on a slope of 30 degrees", CROWD_SLOPE, .amount = 0},
    {"queue on stairs", CROWD_STAIRS, .amount = 0},
    {"lift, up and down by 4 m", CROWD_LIFT, .amount = 0},
    {"lift that also moves sideways", CROWD_LIFT, .amount = 1},
    {"masses 1:100 into a corner", CROWD_MASSES, .amount = 0},
    {"radii .2 to .8 m", CROWD_RADII, .amount = 0},
    {"radii .2 to .8 m into a corner", CROWD_RADII, .amount = 1},
    {"ellipsoids and capsules of all heights", CROWD_HEIGHTS, .amount = 0},
    {"100 push 50 towards a ledge", CROWD_LEDGE, .amount = 0},
    {"20 fall onto heads", CROWD_HEADS, 0, "%.0f %% are down", down, .bar = 100, .is_least = true},
    {"door of 1.0 m", CROWD_DOOR, 1, "%.2f persons a second", flow, .bar = 1.05, .is_least = true},
    {"door of 1.2 m", CROWD_DOOR, 1.2, "%.2f persons a second", flow, .bar = 1.68, .is_least = true},
    {"two streams, 4 m, that keep to the right", CROWD_CORRIDOR, .2, "90 %% through after %.0f s", arrival,
     .bar = 23},
    {"circle of 200 that turns right", CROWD_CIRCLE, .5, "90 %% across after %.0f s", arrival, .bar = 48},
    {"20 m/s into a crowd", CROWD_FAST, 1, "%.1f m/s at most in the crowd", fastest, .bar = 1.9},
    {"20 m/s into a crowd, mass 100", CROWD_FAST, 100, "%.1f m/s at most in the crowd", fastest, .bar = 3},
    {"50 in one spot", CROWD_TELEPORT, 0, "apart after %.1f s", apart, .bar = 1.7},
    {"50 in one spot, in a corner", CROWD_TELEPORT, 1, "apart after %.1f s", apart, .bar = 5.5},
    {"wandering, 1.0 a square metre", CROWD_WANDER, .amount = 1},
    {"wandering, 1.4 a square metre", CROWD_WANDER, .amount = 1.4},
    {"mass 100 through a crowd", CROWD_GIANT, 100, "%.1f of 14 m", .figure = hero_path},
    {"infinite mass through a crowd", CROWD_GIANT, INFINITY, "%.1f of 14 m", hero_path, .bar = 14,
     .is_least = true},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

/* NAME=NUMBER; returns the number of a name, or what it was. */
static double number_of(const char *option, const char *name, double was)
{
    size_t length = strlen(name);
    return strncmp(option, name, length) == 0 && option[length] == '=' ? atof(option + length + 1) : was;
}

static void take(CrowdSetting *setting, const char *option)
{
    setting->rate = (int)number_of(option, "rate", setting->rate);
    setting->count = (int)number_of(option, "count", setting->count);
    setting->seconds = number_of(option, "seconds", setting->seconds);
    setting->amount = number_of(option, "amount", setting->amount);
    setting->seed = (uint64_t)number_of(option, "seed", (double)setting->seed);
    setting->shape.radii.x = (float)number_of(option, "radius", (double)setting->shape.radii.x);
    setting->shape.radii.z = (float)number_of(option, "radius", (double)setting->shape.radii.z);
    setting->shape.half_height = (float)number_of(option, "core", (double)setting->shape.half_height);
    setting->shape.radii.y = (float)number_of(option, "height", (double)setting->shape.radii.y);
}

static bool comes_to_rest(CrowdKind kind)
{
    return kind != CROWD_DOOR && kind != CROWD_CORRIDOR && kind != CROWD_CIRCLE && kind != CROWD_FAST &&
           kind != CROWD_WANDER && kind != CROWD_GIANT;
}

static CrowdSetting setting_of(const Row *row)
{
    CrowdSetting setting = crowd_setting(row->kind);
    setting.amount = row->amount;
    setting.count = row->count ? row->count : setting.count;
    setting.until_rest = comes_to_rest(row->kind);
    return setting;
}

/* The overlap counts at the end if the scene begins with one. */
static void print_figures(const Row *row, int count, const CrowdFigures *figures)
{
    printf("| %s | %d | %.0f", row->name, count,
           row->kind == CROWD_TELEPORT ? figures->overlap_end : figures->overlap);
    if (!comes_to_rest(row->kind))
    {
        printf(" | -");
    }
    else if (figures->rest >= 0)
    {
        printf(" | after %.0f s", figures->rest);
    }
    else
    {
        printf(" | %.2g mm/s", figures->speed);
    }
    printf(" | %d | ", figures->out + figures->stuck);
    printf(row->format ? row->format : "-", row->format ? row->figure(figures) : 0);
    printf(" |");
}

static void print_scenes(int count, char **options)
{
    printf("| scene | persons | overlap, %% of the radius | at rest | out of the level or stuck | and |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < ROW_COUNT; ++i)
    {
        CrowdSetting setting = setting_of(&rows[i]);
        for (int k = 0; k < count; ++k)
        {
            take(&setting, options[k]);
        }
        CrowdFigures figures = crowd_measure(&setting);
        print_figures(&rows[i], setting.count, &figures);
        printf("\n");
        fflush(stdout);
    }
}

/* ---- the worst of all forms ---- */

static const int rates[] = {30, 60, 120, 240};

#define RATE_COUNT (sizeof rates / sizeof *rates)

/* Whether time `a` is worse than `b`; negative: never. */
static bool is_later(double a, double b)
{
    return b >= 0 && (a < 0 || a > b);
}

static bool is_worse(const Row *row, double a, double b)
{
    bool is_time = row->figure == arrival || row->figure == apart;
    return is_time ? is_later(a, b) : row->is_least || row->figure == hero_path ? a < b : a > b;
}

/* Keeps the worst of each column; `own` holds the scene's own figure. */
static void take_worst(const Row *row, const CrowdFigures *figures, CrowdFigures *worst, CrowdFigures *own)
{
    worst->overlap = worse(worst->overlap, figures->overlap);
    worst->overlap_end = worse(worst->overlap_end, figures->overlap_end);
    worst->rest = is_later(figures->rest, worst->rest) ? figures->rest : worst->rest;
    worst->speed = worse(worst->speed, figures->rest < 0 ? figures->speed : 0);
    worst->out = figures->out > worst->out ? figures->out : worst->out;
    worst->stuck = figures->stuck > worst->stuck ? figures->stuck : worst->stuck;
    if (row->figure && is_worse(row, row->figure(figures), row->figure(own)))
    {
        *own = *figures;
    }
}

static void print_forms_of(const Row *row)
{
    CrowdSetting setting = setting_of(row);
    CrowdFigures worst = {.rest = 0}, own = worst;
    for (size_t form = 0; form < 2 * RATE_COUNT; ++form)
    {
        setting.rate = rates[form % RATE_COUNT];
        setting.shape = form < RATE_COUNT ? (sidle_shape){.radii = {.4f, .9f, .4f}}
                                          : (sidle_shape){.radii = {.4f, .4f, .4f}, .half_height = .5f};
        CrowdFigures figures = crowd_measure(&setting);
        own = form == 0 ? figures : own;
        take_worst(row, &figures, &worst, &own);
    }
    own.overlap = worst.overlap;
    own.overlap_end = worst.overlap_end;
    own.rest = worst.rest;
    own.speed = worst.speed;
    own.out = worst.out;
    own.stuck = worst.stuck;
    print_figures(row, setting.count, &own);
    printf(row->bar > 0 ? " %s %g |\n" : " - |\n", row->is_least ? "at least" : "at most", row->bar);
    fflush(stdout);
}

static bool is_asked(const Row *row, int count, char **names)
{
    bool is_named = count == 0;
    for (int i = 0; i < count; ++i)
    {
        is_named = is_named || strcmp(names[i], crowd_name(row->kind)) == 0;
    }
    return is_named;
}

static void print_forms(int count, char **names)
{
    printf(
        "Worst of 30, 60, 120 and 240 Hz, ellipsoids and capsules. Bars of the first columns: 0, at rest, "
        "0.\n\n"
        "| scene | persons | overlap, %% of the radius | at rest | out of the level or stuck | and | bar |\n"
        "|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < ROW_COUNT; ++i)
    {
        if (is_asked(&rows[i], count, names))
        {
            print_forms_of(&rows[i]);
        }
    }
}

/* ---- doors ---- */

double crowd_door_flow(double width, double radius)
{
    CrowdSetting setting = crowd_setting(CROWD_DOOR);
    setting.amount = width;
    setting.shape.radii.x = setting.shape.radii.z = (float)radius;
    return crowd_measure(&setting).flow;
}

static void print_doors(void)
{
    const double widths[] = {.9, 1, 1.2, 1.5, 2, 2.5, 3}, radii[2] = {.4, .25};
    printf("| width of the door, m");
    for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    {
        printf(" | %.1f", widths[i]);
    }
    printf(" |\n|---|---|---|---|---|---|---|---|\n");
    for (int k = 0; k < 2; ++k)
    {
        printf("| persons a metre and second, radius %g m", radii[k]);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
        {
            printf(" | %.2f", crowd_door_flow(widths[i], radii[k]) / widths[i]);
        }
        printf(" |\n");
    }
    printf("| published, people | 1.3 - 2 | 1.3 - 2 | 1.3 - 2 | 1.3 - 2 | 1.3 - 2 | 1.3 - 2 | 1.3 - 2 |\n");
}

/* ---- rates ---- */

static void print_rate_row(const char *name, CrowdKind kind, double amount, int count,
                           double (*figure)(const CrowdFigures *figures))
{
    printf("| %s", name);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i)
    {
        CrowdSetting setting = crowd_setting(kind);
        setting.amount = amount;
        setting.count = count;
        setting.rate = rates[i];
        CrowdFigures figures = crowd_measure(&setting);
        printf(" | %.2f", figure(&figures));
    }
    printf(" |\n");
}

static void print_rates(void)
{
    printf("| | 30 Hz | 60 Hz | 120 Hz | 240 Hz |\n|---|---|---|---|---|\n");
    print_rate_row("door of 1.2 m, persons a second", CROWD_DOOR, 1.2, 100, flow);
    print_rate_row("60 persons in two streams: 90 % through, s", CROWD_CORRIDOR, .2, 60, arrival);
    print_rate_row("20 m/s into a crowd: the fastest in it, m/s", CROWD_FAST, 1, 196, fastest);
    print_rate_row("50 in one spot: apart, s", CROWD_TELEPORT, 0, 50, apart);
    print_rate_row("infinite mass through a crowd: of 14 m", CROWD_GIANT, INFINITY, 120, hero_path);
}

/* ---- one run ---- */

static bool print_one(int count, char **arguments)
{
    for (int kind = 0; kind < CROWD_KINDS; ++kind)
    {
        CrowdSetting setting = crowd_setting((CrowdKind)kind);
        bool is_known = strcmp(arguments[0], crowd_name(setting.kind)) == 0;
        for (int i = 1; i < count; ++i)
        {
            take(&setting, arguments[i]);
        }
        if (is_known)
        {
            CrowdFigures f = crowd_measure(&setting);
            printf("overlap %g %%, in the last second %g %%; speed %g mm/s, to and fro %g; at rest after %g "
                   "s; fastest %g "
                   "m/s\napart after %g s; 90 %% after %g s; %g persons a second; %g %% have arrived; hero "
                   "at %g m; out %d, "
                   "stuck %d, in the air %d; hash %016llx\n",
                   f.overlap, f.overlap_end, f.speed, f.vibration, f.rest, f.fastest, f.apart, f.arrival,
                   f.flow, 100 * f.share, f.hero_x, f.out, f.stuck, f.airborne, (unsigned long long)f.hash);
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "scenes") == 0)
    {
        print_scenes(argc - 2, argv + 2);
    }
    else if (strcmp(what, "forms") == 0)
    {
        print_forms(argc - 2, argv + 2);
    }
    else if (strcmp(what, "doors") == 0)
    {
        print_doors();
    }
    else if (strcmp(what, "rates") == 0)
    {
        print_rates();
    }
    else if (strcmp(what, "plots") == 0 && argc == 3)
    {
        return crowd_plots(argv[2]) ? 0 : 1;
    }
    else if (strcmp(what, "one") != 0 || argc < 3 || !print_one(argc - 2, argv + 2))
    {
        fprintf(stderr, "crowd_table scenes [NAME=NUMBER...] | forms [SCENE...] | doors | rates | plots "
                        "FOLDER | one SCENE [NAME=NUMBER...]\nSCENE:");
        for (int i = 0; i < CROWD_KINDS; ++i)
        {
            fprintf(stderr, " %s", crowd_name((CrowdKind)i));
        }
        fprintf(stderr, "\n");
        return 2;
    }
    return 0;
}
