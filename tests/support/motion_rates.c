/* The same two seconds at any number of ticks a second. */
#include "support/motion_scenes.h"

#define WALKING 3.0 /* m/s */

const int motion_rates[] = {15, 30, 60, 120, 240, 480, 960};
const int motion_rate_count = sizeof motion_rates / sizeof motion_rates[0];
const char *const motion_course_names[COURSE_COUNT] = {
    [COURSE_WALL] = "along a wall, pushed at 45 degrees",
    [COURSE_STAIRS_UP] = "up stairs, risers .2 m, treads .3 m",
    [COURSE_STAIRS_DOWN] = "down the same stairs",
    [COURSE_SLOPE_UP] = "up a slope of 25 degrees",
    [COURSE_SLOPE_DOWN] = "down the same slope",
    [COURSE_AIR] = "in a fall, from rest, all of it",
    [COURSE_LIFT] = "on a lift at 2 m/s",
};

static Soup wall_soup(void)
{
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    soup_wall(&soup, 20, 0);
    return soup;
}

static Soup slope_soup(void)
{
    Soup soup = {0};
    soup_slope(&soup, 30, 25);
    return soup;
}

static Soup stairs_soup(void)
{
    Soup soup = {0};
    for (int i = -40; i < 40; ++i)
    {
        double x = 0.3 * i, low = 0.2 * i, high = low + 0.2;
        soup_quad(&soup, vector(x, low, -4), vector(x, low, 4), vector(x, high, 4), vector(x, high, -4));
        soup_plate(&soup, x, x + 0.3, -4, 4, high);
    }
    return soup;
}

static MotionEnd two_seconds(const MotionSetting *setting, Soup soup, Vector start, Vector velocity)
{
    Actor actor = actor_of(setting, soup, start);
    actor_land(&actor);
    Vector landed = actor_place(&actor);
    actor_go(&actor, velocity, 2.0);
    Vector place = actor_place(&actor);
    /* Landing is not the course: where it ends differs by a tick's fall. */
    MotionEnd end = {.place = vector_sub(place, landed), .path = 2.0 * vector_length(velocity)};
    end.place.y = 0;
    actor_end(&actor);
    return end;
}

/* Nothing is hit: only the turn of the velocity into the requested one counts. */
static MotionEnd fall_end(const MotionSetting *setting)
{
    Soup soup = {0};
    soup_floor(&soup, 20, -40);
    Actor actor = actor_of(setting, soup, vector(0, 0, 0));
    actor_go(&actor, vector(WALKING, 0, 0), 2.0);
    MotionEnd end = {.place = actor_place(&actor), .path = 2.0 * WALKING};
    actor_end(&actor);
    return end;
}

/* The height of the rider over the lift, at the top of its path. */
static MotionEnd lift_end(const MotionSetting *setting)
{
    MotionLift lift = motion_lift(setting);
    return (MotionEnd){.place = {0, lift.launched, 0}, .path = 2.0};
}

MotionEnd motion_course(const MotionSetting *setting, MotionCourse course)
{
    double rest = motion_rest(setting), r = (double)setting->shape.radii.x;
    double diagonal = WALKING * sqrt(0.5), high = 2.0 * rest;
    switch (course)
    {
    case COURSE_WALL:
        return two_seconds(setting, wall_soup(), vector(-1.02 * r, rest + 1e-4, -5),
                           vector(diagonal, 0, diagonal));
    case COURSE_STAIRS_UP:
        return two_seconds(setting, stairs_soup(), vector(-2.85, high - 1.8, 0), vector(WALKING, 0, 0));
    case COURSE_STAIRS_DOWN:
        return two_seconds(setting, stairs_soup(), vector(3.15, high + 2.2, 0), vector(-WALKING, 0, 0));
    case COURSE_SLOPE_UP:
        return two_seconds(setting, slope_soup(), vector(0, high, 0), vector(WALKING, 0, 0));
    case COURSE_SLOPE_DOWN:
        return two_seconds(setting, slope_soup(), vector(0, high, 0), vector(-WALKING, 0, 0));
    case COURSE_AIR:
        return fall_end(setting);
    default:
        return lift_end(setting);
    }
}

double motion_course_spread(const MotionSetting *setting, MotionCourse course)
{
    MotionEnd ends[16];
    double spread = 0.0;
    for (int i = 0; i < motion_rate_count; ++i)
    {
        MotionSetting at_rate = *setting;
        at_rate.rate = motion_rates[i];
        ends[i] = motion_course(&at_rate, course);
        for (int j = 0; j < i; ++j)
        {
            spread = fmax(spread, vector_distance(ends[i].place, ends[j].place));
        }
    }
    return 100.0 * spread / ends[0].path;
}
