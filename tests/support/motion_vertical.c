/* How much heights change in a tick, beside what the speed and the slope limit explain. */
#include "support/motion_scenes.h"
#include "support/stride.h"
#include "support/terrain.h"

#define SPEED   3.0 /* m/s */
#define WALKS   24
#define SECONDS 5

const char *const motion_ground_names[GROUND_COUNT] = {"ledges of 1 to 5 m", "gaps of .1 to .79 m", "crates",
                                                       "scans"};

static double height_of_centre(const Actor *actor)
{
    return actor_place(actor).y;
}

static double height_drawn(const Actor *actor)
{
    return actor_place(actor).y - (double)actor->agent.body.step_offset;
}

/* Each adds its columns to the table. */
const MotionHeight motion_heights[] = {
    {"centre", height_of_centre},
    {"drawn", height_drawn},
};
const int motion_height_count = sizeof motion_heights / sizeof motion_heights[0];

static Soup ground_soup(MotionGround ground, Random *random)
{
    Soup soup = {0};
    switch (ground)
    {
    case GROUND_LEDGES:
        terrain_ledge(&soup, random_between(random, 1, 5));
        break;
    case GROUND_GAPS:
        terrain_gap(&soup, random_between(random, 0.1, 0.79), random_between(random, 1, 5));
        break;
    case GROUND_CRATES:
        terrain_crates(&soup, random, 16, 80);
        break;
    default:
        terrain_scan(&soup, 120, random_between(random, 0.02, 0.06), random_bits(random));
        break;
    }
    return soup;
}

/* Over ledges and gaps up to 60 degrees off straight; in fields it turns every half second. */
static Vector next_velocity(MotionGround ground, Random *random)
{
    double most = ground == GROUND_LEDGES || ground == GROUND_GAPS ? 60.0 : 180.0;
    double angle = radians(random_between(random, -most, most));
    return vector(SPEED * cos(angle), 0, SPEED * sin(angle));
}

static void note_change(MotionVertical *figures, const Stride *stride, const MotionSetting *setting)
{
    double change = 1e3 * fabs(stride->rise);
    figures->ticks += 1;
    figures->most = fmax(figures->most, change);
    figures->excess_down = fmax(figures->excess_down, 1e3 * stride_excess_down(stride, setting));
    figures->excess_up = fmax(figures->excess_up, 1e3 * stride_excess_up(stride, setting));
}

/* The strides are those of the height that is asked for. */
static void walk_over(MotionVertical *figures, const MotionSetting *setting, MotionGround ground,
                      const MotionHeight *height, uint64_t seed)
{
    Random random = random_seeded(seed);
    Soup soup = ground_soup(ground, &random);
    Actor actor = actor_of(setting, soup, vector(-0.6, motion_rest(setting) + 0.1, 0));
    actor_land(&actor);
    Vector velocity = next_velocity(ground, &random);
    Stride stride = {0};
    for (int tick = 0; tick < SECONDS * setting->rate; ++tick)
    {
        bool turns = ground != GROUND_LEDGES && ground != GROUND_GAPS && tick % (setting->rate / 2) == 0;
        velocity = turns ? next_velocity(ground, &random) : velocity;
        double before = height->of(&actor);
        stride_next(&stride, &actor, velocity);
        stride.rise = height->of(&actor) - before;
        note_change(figures, &stride, setting);
    }
    actor_end(&actor);
}

MotionVertical motion_vertical(const MotionSetting *setting, MotionGround ground, const MotionHeight *height)
{
    MotionVertical figures = {0};
    for (int walk = 0; walk < WALKS; ++walk)
    {
        walk_over(&figures, setting, ground, height, 8000 + (uint64_t)walk);
    }
    return figures;
}
