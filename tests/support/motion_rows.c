#include "support/motion_rows.h"

#include <stdio.h>
#include <string.h>

static void floor_ghosts(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_floor_ghosts(setting);
}

static void wall_ghosts(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_wall_ghosts(setting);
}

static void corners(const MotionSetting *setting, MotionFigures *figures)
{
    MotionRest rest = motion_corners(setting);
    figures->value[0] = rest.unsettled;
    figures->value[1] = rest.jitter_mm;
}

static void wedges(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_wedges(setting).jitter_mm;
}

static void grooves(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_groove(setting, 30);
    figures->value[1] = motion_groove(setting, 60);
}

/* The worst of 10, 20 ... 170 degrees. */
static void all_grooves(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = 2.0;
    for (int degrees = 10; degrees <= 170; degrees += 10)
    {
        figures->value[0] = fmin(figures->value[0], motion_groove(setting, degrees));
    }
}

static void drift(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_drift(setting, 10);
    figures->value[1] = motion_drift(setting, 30);
    figures->value[2] = motion_drift(setting, 45);
}

static void highest_riser(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_highest_riser(setting);
}

static void stairs(const MotionSetting *setting, MotionFigures *figures)
{
    MotionFlight flight = {.riser = 0.2, .tread = 0.3};
    figures->value[0] = motion_stairs(setting, flight).speed;
    flight.down = true;
    figures->value[1] = motion_stairs(setting, flight).airborne;
}

static void downhill(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_downhill_airborne(setting);
}

static void wall_rates(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_course_spread(setting, COURSE_WALL);
}

static void gaps(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_gaps_passed(setting, 0.001);
}

/* Ticks as 1e9 where it is never freed, so that a bound holds for that, too. */
static void embedded(const MotionSetting *setting, MotionFigures *figures)
{
    for (int trap = 0; trap < TRAP_COUNT; ++trap)
    {
        MotionFreed freed = motion_embedded(setting, (MotionTrap)trap);
        figures->value[trap] = freed.ticks < 0 ? 1e9 : freed.ticks;
        figures->value[3] = fmax(figures->value[3], freed.peak);
    }
}

static void tunnels(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_tunnels(setting);
}

static void low_ceiling(const MotionSetting *setting, MotionFigures *figures)
{
    MotionLow low = motion_low_ceiling(setting);
    figures->value[0] = low.comes_out;
    figures->value[1] = low.depth_mm;
}

static void slots(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_slots_stuck(setting);
}

static void oscillates(const MotionSetting *setting, MotionFigures *figures)
{
    figures->value[0] = motion_oscillates(setting, 1000);
}

static void rides(const MotionSetting *setting, MotionFigures *figures)
{
    MotionLift lift = motion_lift(setting);
    figures->value[0] = lift.lost;
    figures->value[1] = lift.launched;
    figures->value[2] = motion_spin_slip(setting);
}

const MotionRow motion_rows[] = {
    {.name = "flat floor of tiles, ghost ticks in a thousand (others: one mesh / a body a tile)",
     .measure = floor_ghosts,
     .formats = {"%.0f"},
     .jolt = "0 / 109",
     .box3d = "43 / 47",
     .bullet = "0 / 0",
     .irrlicht = "0 / -"},
    {.name = "along a wall of tiles, ghost ticks in a thousand",
     .measure = wall_ghosts,
     .formats = {"%.0f"},
     .jolt = "0 / 94",
     .box3d = "13 / 99",
     .bullet = "98 / 75",
     .irrlicht = "0 / -"},
    {.name = "60 random corners: how many never settle; worst jitter, mm a tick",
     .measure = corners,
     .formats = {"%.0f", "%.3g"},
     .jolt = "0; 0",
     .box3d = "33; 80",
     .bullet = "60; 531",
     .irrlicht = "35; 21"},
    {.name = "upright wedges of 30 to 120 degrees: jitter, mm a tick (others: 100 km away)",
     .measure = wedges,
     .formats = {"%.3g"},
     .jolt = "400",
     .box3d = "8",
     .bullet = "31",
     .irrlicht = "16"},
    {.name = "V-groove of 30 / 60 degrees, share of the displacement (others: a body a tile)",
     .measure = grooves,
     .formats = {"%.2f", "%.2f"},
     .least = {{0.999, 0.999}},
     .most = {{1.001, 1.001}},
     .jolt = ".01 / .24",
     .box3d = ".99 / 1",
     .bullet = ".73 / 1",
     .irrlicht = "1 / 1"},
    {.name = "V-grooves of 10 to 170 degrees, the least share of the displacement",
     .measure = all_grooves,
     .formats = {"%.2f"},
     .least = {{0.999}},
     .most = {{1.001}}},
    {.name = "idle on slopes of 10 / 30 / 45 degrees: drift in 10 s, m",
     .measure = drift,
     .formats = {"%.2f", "%.2f", "%.2f"},
     .jolt = ".28 / .82 / 1.16",
     .box3d = ".27 / .81 / 1.15",
     .bullet = "0 / 0 / 0",
     .irrlicht = "0 / .20 / .38"},
    {.name = "stairs, limit .40 (others .35 to .40): the highest riser climbed, m",
     .measure = highest_riser,
     .formats = {"%.2f"},
     .least = {{0.395}},
     .most = {{0.405}},
     .jolt = ".60",
     .box3d = ".35, by rate",
     .bullet = ".50",
     .irrlicht = ".60"},
    {.name = "stairs of .2 m: share of the flat speed up; airborne share down",
     .measure = stairs,
     .formats = {"%.2f", "%.2f"},
     .least = {{0.9, 0.0}},
     .most = {{1.01, 0.0}},
     .jolt = ".79-.83; 0",
     .box3d = ".65-.76; .76",
     .bullet = "1; 0",
     .irrlicht = ".84-.89; .71"},
    {.name = "down a slope of 10 degrees: ticks of 120 not grounded",
     .measure = downhill,
     .formats = {"%.0f"},
     .jolt = "0",
     .box3d = "99",
     .bullet = "0",
     .irrlicht = "100"},
    {.name = "push along a wall at 15 to 960 Hz: spread of the paths, %",
     .measure = wall_rates,
     .formats = {"%.2f"},
     .most = {{0.1}},
     .jolt = "0",
     .box3d = "2.2",
     .bullet = ".3",
     .irrlicht = ".01"},
    {.name = "gaps .1 % too narrow: passed, of 3",
     .measure = gaps,
     .formats = {"%.0f"},
     .jolt = "0",
     .box3d = "3",
     .bullet = "3",
     .irrlicht = "0"},
    {.name = ".3 m deep in a floor / wall / corner: ticks until free; the fastest of them, m/s",
     .measure = embedded,
     .own_test = "embedded",
     .formats = {"%.0f", "%.0f", "%.0f", "%.1f"},
     .most = {{60, 60, 60, 3.05}},
     .jolt = "1 / 1 / 3; 26",
     .box3d = "1 / 1 / 1; 25",
     .bullet = "1 / never / never; 22",
     .irrlicht = "never"},
    {.name = "falls at 200 m/s on a thin floor: through it, of 8",
     .measure = tunnels,
     .formats = {"%.0f"},
     .jolt = "0",
     .box3d = "0",
     .bullet = "5",
     .irrlicht = "0"},
    {.name = "under a ceiling that comes down: walks out again (1); worst depth, mm",
     .measure = low_ceiling,
     .formats = {"%.0f", "%.3g"},
     .least = {{1, 0}},
     .most = {{1, 0}},
     .jolt = "1; 0",
     .box3d = "1; 17",
     .bullet = "0; 163",
     .irrlicht = "0; 7"},
    {.name = "slots .1 to .8 m wide at .3 to 6 m/s: sticks in, of 40",
     .measure = slots,
     .own_test = "slots",
     .formats = {"%.0f"}},
    {.name = "pushed on 1,000 random levels: goes to and fro for ever",
     .measure = oscillates,
     .own_test = "oscillates",
     .formats = {"%.0f"}},
    {.name = "lift that reverses at 2 m/s: ticks of 600 off it; launched, m; slip on a turning platform, m",
     .measure = rides,
     .formats = {"%.0f", "%.2f", "%.2f"},
     .most = {{0, 0.02, 0.01}},
     .jolt = "90; .72; 0",
     .box3d = "200; -; 6",
     .bullet = "0; -; 6",
     .irrlicht = "falls through; 6",
     .own_test = "rides"},
};

const int motion_row_count = sizeof motion_rows / sizeof motion_rows[0];

const MotionVariant motion_variants[MOTION_VARIANTS] = {
    {"one mesh", SCENE_ONE_MESH, {0, 0, 0}},
    {"a body a tile", SCENE_QUAD_EACH, {0, 0, 0}},
    {"turned and scaled bodies", SCENE_QUAD_POSED, {0, 0, 0}},
    {"100 km away", SCENE_ONE_MESH, {1e5, 0, 1e5}},
};

MotionSetting motion_setting_of(MotionSubject subject, const MotionVariant *variant)
{
    MotionSetting setting = motion_person(subject);
    setting.pieces = variant->pieces;
    setting.place = variant->place;
    return setting;
}

void motion_cell(const MotionRow *row, const MotionFigures *figures, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < MOTION_FIGURES && row->formats[i] != NULL; ++i)
    {
        char figure[32];
        double value = figures->value[i];
        snprintf(figure, sizeof figure, row->formats[i], fabs(value) < 5e-4 ? 0.0 : value);
        int written = snprintf(text + length, size - length, "%s%s", i > 0 ? " / " : "",
                               value > 1e8 ? "never" : figure);
        length += written > 0 && (size_t)written < size - length ? (size_t)written : 0;
    }
}

const MotionRow *motion_row_of(const char *own_test)
{
    const MotionRow *found = NULL;
    for (int i = 0; i < motion_row_count; ++i)
    {
        const char *name = motion_rows[i].own_test;
        found = name != NULL && strcmp(name, own_test) == 0 ? &motion_rows[i] : found;
    }
    return found;
}

int motion_out_of_bounds(const MotionRow *row, const MotionFigures *figures)
{
    for (int i = 0; i < MOTION_FIGURES && row->formats[i] != NULL; ++i)
    {
        if (!(figures->value[i] >= row->least.value[i] && figures->value[i] <= row->most.value[i]))
        {
            return i;
        }
    }
    return -1;
}
