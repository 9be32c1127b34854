/* Gaps, overlaps, thin floors and low ceilings. */
#include "support/motion_scenes.h"

#define WALKING 3.0 /* m/s */

/* ---- gaps ---- */

/* An upright box, from the floor to this height. */
static void add_post(Soup *soup, double x0, double x1, double z0, double z1, double low, double high)
{
    soup_quad(soup, vector(x0, low, z0), vector(x0, low, z1), vector(x0, high, z1), vector(x0, high, z0));
    soup_quad(soup, vector(x1, low, z1), vector(x1, low, z0), vector(x1, high, z0), vector(x1, high, z1));
    soup_quad(soup, vector(x0, low, z1), vector(x1, low, z1), vector(x1, high, z1), vector(x0, high, z1));
    soup_quad(soup, vector(x1, low, z0), vector(x0, low, z0), vector(x0, high, z0), vector(x1, high, z0));
    soup_quad(soup, vector(x0, low, z0), vector(x1, low, z0), vector(x1, low, z1), vector(x0, low, z1));
}

/* 0: a corridor, 1: two posts, 2: under a lintel. */
static Soup gap_soup(const MotionSetting *setting, int form, double too_narrow)
{
    Soup soup = {0};
    double half = (double)setting->shape.radii.x * (1.0 - too_narrow), x1 = form == 0 ? 3.0 : 0.2;
    double tall = 2.0 * ((double)setting->shape.radii.y + (double)setting->shape.half_height);
    soup_floor(&soup, 20, 0);
    if (form < 2)
    {
        add_post(&soup, 0, x1, half, form == 0 ? 8.0 : half + 0.2, 0, 3);
        add_post(&soup, 0, x1, form == 0 ? -8.0 : -half - 0.2, -half, 0, 3);
    }
    else
    {
        add_post(&soup, 0, 0.2, -8, 8, tall * (1.0 - too_narrow), 4);
    }
    return soup;
}

int motion_gaps_passed(const MotionSetting *setting, double too_narrow)
{
    int passed = 0;
    for (int form = 0; form < 3; ++form)
    {
        Actor actor = actor_of(setting, gap_soup(setting, form, too_narrow),
                               vector(-1.5, motion_rest(setting) + 0.01, 0));
        actor_land(&actor);
        actor_go(&actor, vector(WALKING, 0, 0), 4.0);
        passed += actor_place(&actor).x > 1.0;
        actor_end(&actor);
    }
    return passed;
}

/* ---- overlaps ---- */

MotionFreed motion_embedded(const MotionSetting *setting, MotionTrap trap)
{
    const double depth = 0.3;
    double r = (double)setting->shape.radii.x, tall = motion_rest(setting);
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    Vector start = vector(0, tall, 0);
    if (trap != TRAP_WALL)
    {
        start.y = (double)setting->shape.radii.y + (double)setting->shape.half_height - depth;
    }
    if (trap != TRAP_FLOOR)
    {
        soup_wall(&soup, 20, 0);
        start.x = depth - r;
    }
    if (trap == TRAP_CORNER)
    {
        soup_quad(&soup, vector(-20, -20, 0), vector(20, -20, 0), vector(20, 20, 0), vector(-20, 20, 0));
        start.z = r - depth;
    }
    Actor actor = actor_of(setting, soup, start);
    MotionFreed freed = {.ticks = -1};
    for (int tick = 1; tick <= actor_ticks(&actor, 5.0) && freed.ticks < 0; ++tick)
    {
        Vector before = actor_place(&actor);
        actor_tick(&actor, vector(0, 0, 0));
        freed.peak = fmax(freed.peak, vector_distance(actor_place(&actor), before) * setting->rate);
        freed.ticks = actor_clearance(&actor) >= 1.0 - 1e-4 ? tick : -1;
    }
    actor_end(&actor);
    return freed;
}

/* ---- a thin floor ---- */

int motion_tunnels(const MotionSetting *setting)
{
    int tunnels = 0;
    for (int number = 0; number < 8; ++number)
    {
        Soup soup = {0};
        soup_grid(&soup, 4, 2.0, 0);
        double x = 0.37 * number - 1.3, z = number % 2 == 0 ? 0.0 : 0.41 * number - 1.4;
        Actor actor = actor_of(setting, soup, vector(x, 20.0 + 0.43 * number, z));
        actor_fall(&actor, 200.0);
        actor_go(&actor, vector(0, 0, 0), 2.0);
        tunnels += actor_place(&actor).y < 0.0;
        actor_end(&actor);
    }
    return tunnels;
}

/* ---- a low ceiling ---- */

/* Comes down from 4 m at x = 0 to the floor at x = 6. */
MotionLow motion_low_ceiling(const MotionSetting *setting)
{
    Soup soup = {0};
    soup_floor(&soup, 12, 0);
    soup_quad(&soup, vector(0, 4, -12), vector(6, 0, -12), vector(6, 0, 12), vector(0, 4, 12));
    Actor actor = actor_of(setting, soup, vector(-2, motion_rest(setting) + 0.01, 0.3));
    MotionLow low = {0};
    actor_land(&actor);
    for (int tick = actor_ticks(&actor, 4.0); tick > 0; --tick)
    {
        actor_tick(&actor, vector(WALKING, 0, 0.1));
        double depth = (1.0 - actor_clearance(&actor)) * (double)setting->shape.radii.x;
        low.depth_mm = fmax(low.depth_mm, 1e3 * depth);
    }
    actor_go(&actor, vector(-WALKING, 0, 0), 4.0);
    low.comes_out = actor_place(&actor).x < 0.0;
    low.depth_mm = low.depth_mm < 0.01 ? 0.0 : low.depth_mm;
    actor_end(&actor);
    return low;
}

/* ---- slots ---- */

static Soup slot_soup(double width)
{
    const double depth = -0.8;
    Soup soup = {0};
    soup_plate(&soup, -10, 0, -10, 10, 0);
    soup_plate(&soup, width, 10, -10, 10, 0);
    soup_plate(&soup, 0, width, -10, 10, depth);
    soup_quad(&soup, vector(0, depth, 10), vector(0, depth, -10), vector(0, 0, -10), vector(0, 0, 10));
    soup_quad(&soup, vector(width, depth, -10), vector(width, depth, 10), vector(width, 0, 10),
              vector(width, 0, -10));
    return soup;
}

bool motion_crosses_slot(const MotionSetting *setting, double width, double speed)
{
    Actor actor = actor_of(setting, slot_soup(width), vector(-1, motion_rest(setting) + 0.01, 0));
    actor_land(&actor);
    for (int tick = actor_ticks(&actor, 6.0 / speed); tick > 0 && actor_place(&actor).x < 1.5; --tick)
    {
        actor_tick(&actor, vector(speed, 0, 0));
    }
    bool crosses = actor_place(&actor).x >= 1.5;
    actor_end(&actor);
    return crosses;
}

int motion_slots_stuck(const MotionSetting *setting)
{
    const double speeds[5] = {0.3, 1.0, 2.0, 3.0, 6.0};
    int stuck = 0;
    for (int form = 0; form < 40; ++form)
    {
        stuck += !motion_crosses_slot(setting, 0.1 * (1 + form / 5), speeds[form % 5]);
    }
    return stuck;
}
