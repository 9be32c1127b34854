/* Prints the tables of docs/motion.md: motion_table rows | rates | stairs | widths | vertical, or motion_table
 * plots FOLDER for its pictures. */
#include "motion_table.h"
#include "support/motion_rows.h"
#include "support/stride.h"

#include <stdio.h>
#include <string.h>

/* ---- rows ---- */

static void print_or_dash(const char *text)
{
    printf(" | %s", text != NULL ? text : "-");
}

/* In one mesh at the origin; then each other variant of the scene, or place far away, that gives another figure. */
static void print_row(const MotionRow *row)
{
    char first[128], others[MOTION_VARIANTS * 160] = "";
    size_t length = 0;
    for (int i = 0; i < MOTION_VARIANTS; ++i)
    {
        char cell[128];
        MotionSetting setting = motion_setting_of(MOTION_WALK, &motion_variants[i]);
        MotionFigures figures = {{0}};
        row->measure(&setting, &figures);
        motion_cell(row, &figures, i == 0 ? first : cell, sizeof cell);
        if (i > 0 && strcmp(cell, first) != 0)
        {
            int written =
                snprintf(others + length, sizeof others - length, "; %s: %s", motion_variants[i].name, cell);
            length += written > 0 ? (size_t)written : 0;
        }
    }
    printf("| %s | %s%s", row->name, first, others);
    const MotionSubject rest[2] = {MOTION_SLIDE, MOTION_PUBLISHED};
    for (int i = 0; i < 2; ++i)
    {
        char cell[128];
        MotionSetting setting = motion_person(rest[i]);
        MotionFigures figures = {{0}};
        row->measure(&setting, &figures);
        motion_cell(row, &figures, cell, sizeof cell);
        print_or_dash(cell);
    }
    print_or_dash(row->jolt);
    print_or_dash(row->box3d);
    print_or_dash(row->bullet);
    print_or_dash(row->irrlicht);
    printf(" |\n");
}

static void print_rows(void)
{
    printf("| scene | sidle, walk | sidle, slide | published form | Jolt | box3d | Bullet | Irrlicht |\n"
           "|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < motion_row_count; ++i)
    {
        print_row(&motion_rows[i]);
    }
}

/* ---- rates: every other one is printed, the spread is of all ---- */

static void print_course(const MotionSetting *setting, const char *name, MotionCourse course)
{
    printf("| %s, %s", motion_course_names[course], name);
    for (int i = 0; i < motion_rate_count; i += 2)
    {
        MotionSetting at_rate = *setting;
        at_rate.rate = motion_rates[i];
        MotionEnd end = motion_course(&at_rate, course);
        printf(" | %.3f", vector_length(end.place));
    }
    printf(" | %.2f |\n", motion_course_spread(setting, course));
}

static void print_rates(void)
{
    printf("| two seconds at 3 m/s: metres, seen from above but in the fall");
    for (int i = 0; i < motion_rate_count; i += 2)
    {
        printf(" | %d Hz", motion_rates[i]);
    }
    printf(" | spread, %% |\n|---|---");
    for (int i = 0; i < motion_rate_count; i += 2)
    {
        printf("|---");
    }
    printf("|\n");
    for (int course = 0; course < COURSE_LIFT; ++course)
    {
        MotionSetting walk = motion_person(MOTION_WALK), published = motion_person(MOTION_PUBLISHED);
        print_course(&walk, "sidle", (MotionCourse)course);
        print_course(&published, "published form", (MotionCourse)course);
    }
}

/* ---- stairs ---- */

static const double risers[] = {0.1, 0.2, 0.3, 0.35, 0.399, 0.401, 0.45};
static const double treads[] = {0.1, 0.2, 0.3, 0.41, 0.6, 1.0};
static const double angles[] = {0, 20, 45, 60, 80};

/* The lowest speed of all angles; "-" where none is climbed, "some" where not all are; * if one is airborne
 * down. */
static void print_flights(MotionSetting setting, double riser, double tread)
{
    double least = 2.0;
    int climbed = 0;
    bool airborne = false;
    for (int i = 0; i < 10; ++i)
    {
        setting.rate = i % 2 == 0 ? 30 : 240;
        MotionFlight flight = {riser, tread, angles[i / 2], false};
        MotionStairs up = motion_stairs(&setting, flight);
        climbed += up.passed;
        least = up.passed ? fmin(least, up.speed) : least;
        flight.down = true;
        airborne = airborne || motion_stairs(&setting, flight).airborne > 0.0;
    }
    if (climbed == 0)
    {
        printf(" | -%s", airborne ? " *" : "");
    }
    else
    {
        printf(" | %s%.2f%s", climbed < 10 ? "some " : "", least, airborne ? " *" : "");
    }
}

static void print_stairs_of(const char *name, sidle_shape shape)
{
    MotionSetting setting = motion_person(MOTION_WALK);
    setting.shape = shape;
    printf("| %s: riser", name);
    for (size_t i = 0; i < sizeof treads / sizeof treads[0]; ++i)
    {
        printf(" | tread %g", treads[i]);
    }
    printf(" |\n|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof risers / sizeof risers[0]; ++i)
    {
        printf("| %g", risers[i]);
        for (size_t j = 0; j < sizeof treads / sizeof treads[0]; ++j)
        {
            print_flights(setting, risers[i], treads[j]);
        }
        printf(" |\n");
    }
    printf("\n");
}

static void print_stairs(void)
{
    print_stairs_of("ellipsoid .4, .9, .4", (sidle_shape){.radii = {0.4f, 0.9f, 0.4f}});
    print_stairs_of("capsule .4, .5", (sidle_shape){.radii = {0.4f, 0.4f, 0.4f}, .half_height = 0.5f});
}

/* ---- gaps ---- */

static void print_widths(void)
{
    const double wider[] = {-0.001, 0.0, 0.005, 0.01, 0.015, 0.02, 0.03};
    printf("| gap wider than the body by");
    for (size_t i = 0; i < sizeof wider / sizeof wider[0]; ++i)
    {
        printf(" | %g %%", 100 * wider[i]);
    }
    printf(" |\n|---|---|---|---|---|---|---|---|\n");
    const MotionSubject subjects[2] = {MOTION_WALK, MOTION_PUBLISHED};
    for (int subject = 0; subject < 2; ++subject)
    {
        MotionSetting setting = motion_person(subjects[subject]);
        printf("| passed of 3, %s", subject == 0 ? "sidle" : "published form");
        for (size_t i = 0; i < sizeof wider / sizeof wider[0]; ++i)
        {
            printf(" | %d", motion_gaps_passed(&setting, -wider[i]));
        }
        printf(" |\n");
    }
}

/* ---- up and down ---- */

/* Without the ball, the last one, which moves as the capsule does. */
#define VERTICAL_SHAPES 2

static void print_vertical_head(void)
{
    printf("| scene | shape");
    for (int i = 0; i < motion_height_count; ++i)
    {
        const char *name = motion_heights[i].name;
        printf(" | %s: largest, mm | %s: excess down, mm | %s: excess up, mm", name, name, name);
    }
    printf(" |\n|---|---");
    for (int i = 0; i < 3 * motion_height_count; ++i)
    {
        printf("|---");
    }
    printf("|\n");
}

static void print_vertical(void)
{
    print_vertical_head();
    for (int form = 0; form < GROUND_COUNT * VERTICAL_SHAPES; ++form)
    {
        MotionGround ground = (MotionGround)(form / VERTICAL_SHAPES);
        MotionSetting setting = motion_person(MOTION_WALK);
        setting.shape = stride_shapes[form % VERTICAL_SHAPES];
        printf("| %s | %s", motion_ground_names[ground], stride_shape_names[form % VERTICAL_SHAPES]);
        for (int i = 0; i < motion_height_count; ++i)
        {
            MotionVertical v = motion_vertical(&setting, ground, &motion_heights[i]);
            printf(" | %.1f | %.1f | %.1f", v.most, v.excess_down, v.excess_up);
        }
        printf(" |\n");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "rows") == 0)
    {
        print_rows();
    }
    else if (strcmp(what, "rates") == 0)
    {
        print_rates();
    }
    else if (strcmp(what, "stairs") == 0)
    {
        print_stairs();
    }
    else if (strcmp(what, "widths") == 0)
    {
        print_widths();
    }
    else if (strcmp(what, "vertical") == 0)
    {
        print_vertical();
    }
    else if (strcmp(what, "plots") == 0 && argc == 3)
    {
        return motion_plots(argv[2]) ? 0 : 1;
    }
    else
    {
        fprintf(stderr, "motion_table rows | rates | stairs | widths | vertical | plots FOLDER\n");
        return 2;
    }
    return 0;
}
