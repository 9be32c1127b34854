/* Floors, walls, corners, grooves and slopes. */
#include "support/motion_scenes.h"

#define WALKING 3.0 /* m/s */

/* ---- ghosts ---- */

/* Whether a tick from here went otherwise than along the plane as asked. */
static bool is_ghost(const Actor *actor, Vector before, Vector expected)
{
    Vector moved = vector_sub(actor_place(actor), before);
    double asked = vector_length(expected);
    Vector off = vector_sub(moved, expected);
    double lift = off.y;
    off.y = 0;
    return vector_length(off) > 0.01 * asked || lift > 1e-3;
}

/* Ticks that went otherwise than expected, which is a velocity. */
static int count_ghosts(Actor *actor, Vector velocity, Vector expected, int ticks)
{
    int ghosts = 0;
    Vector step = vector_scale(expected, (double)actor->scene.options.dt);
    for (int tick = 0; tick < ticks; ++tick)
    {
        Vector before = actor_place(actor);
        actor_tick(actor, velocity);
        ghosts += is_ghost(actor, before, step);
    }
    return ghosts;
}

double motion_floor_ghosts(const MotionSetting *setting)
{
    const double sizes[2] = {0.35, 1.0};
    int ghosts = 0, ticks = 0;
    for (int form = 0; form < 24; ++form)
    {
        Soup grid = {0};
        soup_grid(&grid, (int)(16.0 / sizes[form % 2]), sizes[form % 2], 0);
        double heading = radians(7.0 + 30.0 * (form / 2));
        Vector path = vector(cos(heading), 0, sin(heading));
        Vector start = vector_along(vector(0.013, motion_rest(setting) + 0.01, 0.007), -3.0, path);
        Actor actor = actor_of(setting, grid, start);
        actor_land(&actor);
        Vector velocity = vector_scale(path, WALKING);
        ghosts += count_ghosts(&actor, velocity, velocity, 120);
        ticks += 120;
        actor_end(&actor);
    }
    return 1000.0 * ghosts / ticks;
}

/* A floor and an upright wall at x = 0 of square tiles, facing -x. */
static Soup tiled_wall(double size)
{
    Soup soup = {0};
    soup_plate(&soup, -10, 0, -10, 10, 0);
    int columns = (int)(16.0 / size), rows = (int)ceil(2.5 / size);
    for (int i = 0; i < columns * rows; ++i)
    {
        double z = -8.0 + size * (i % columns), y = size * (i / columns);
        soup_quad(&soup, vector(0, y, z), vector(0, y, z + size), vector(0, y + size, z + size),
                  vector(0, y + size, z));
    }
    return soup;
}

double motion_wall_ghosts(const MotionSetting *setting)
{
    const double sizes[2] = {0.35, 1.0};
    int ghosts = 0, ticks = 0;
    for (int form = 0; form < 12; ++form)
    {
        double angle = radians(10.0 + 12.0 * (form / 2));
        Vector velocity = vector(WALKING * sin(angle), 0, WALKING * cos(angle));
        Actor actor =
            actor_of(setting, tiled_wall(sizes[form % 2]), vector(-0.45, motion_rest(setting) + 0.01, -5));
        actor_land(&actor);
        actor_go(&actor, velocity, 0.5);
        ghosts += count_ghosts(&actor, velocity, vector(0, 0, velocity.z), 90);
        ticks += 90;
        actor_end(&actor);
    }
    return 1000.0 * ghosts / ticks;
}

/* ---- rest ---- */

/* Five seconds to settle, and two in which nothing should move. */
static void push_to_rest(Actor *actor, Vector velocity, MotionRest *rest)
{
    double worst = 0.0;
    actor_go(actor, velocity, 5.0);
    for (int tick = actor_ticks(actor, 2.0); tick > 0; --tick)
    {
        Vector before = actor_place(actor);
        actor_tick(actor, velocity);
        worst = worse(worst, 1e3 * vector_distance(actor_place(actor), before));
    }
    rest->unsettled += worst > 0.01;
    rest->jitter_mm = fmax(rest->jitter_mm, worst);
}

/* A floor, and two walls that lean by up to 25 degrees, meet on it at the origin and open towards -x. No wall
 * is square to the path, along which it would take long to get to the corner. */
static Soup drawn_corner(Random *random)
{
    Soup soup = {0};
    soup_floor(&soup, 12, 0);
    double half = radians(random_between(random, 20.0, 65.0));
    for (int side = -1; side <= 1; side += 2)
    {
        double lean = 6.0 * tan(radians(random_between(random, -25.0, 25.0)));
        Vector along = vector(-cos(half), 0, side * sin(half));
        Vector out = vector_scale(vector(-sin(half), 0, -side * cos(half)), lean);
        Vector end = vector_scale(along, 12.0), top = vector_add(out, vector(0, 6, 0));
        Vector foot = vector(0, 0, 0), far_top = vector_add(end, top);
        if (side > 0)
        {
            soup_quad(&soup, foot, end, far_top, top);
        }
        else
        {
            soup_quad(&soup, end, foot, top, far_top);
        }
    }
    return soup;
}

MotionRest motion_corners(const MotionSetting *setting)
{
    Random random = random_seeded(60);
    MotionRest rest = {0};
    for (int number = 0; number < 60; ++number)
    {
        Soup soup = drawn_corner(&random);
        double heading = radians(random_between(&random, -12.0, 12.0)),
               turn = random_between(&random, 0, 6.3);
        Rotation rotation = rotation_about_y(turn);
        soup_turn(&soup, &rotation);
        Vector start = vector_rotated(&rotation, vector(-4, motion_rest(setting) + 0.05, 0));
        Vector velocity = vector(WALKING * cos(heading), 0, WALKING * sin(heading));
        Actor actor = actor_of(setting, soup, start);
        push_to_rest(&actor, vector_rotated(&rotation, velocity), &rest);
        actor_end(&actor);
    }
    return rest;
}

MotionRest motion_wedges(const MotionSetting *setting)
{
    MotionRest rest = {0};
    for (int degrees = 30; degrees <= 120; degrees += 30)
    {
        Soup soup = {0};
        soup_wedge(&soup, degrees, 5, 12);
        soup_plate(&soup, -14, 2, -14, 14, 0);
        Actor actor = actor_of(setting, soup, vector(-3, motion_rest(setting) + 0.05, 0.01));
        push_to_rest(&actor, vector(WALKING, 0, 0.02), &rest);
        actor_end(&actor);
    }
    return rest;
}

/* ---- grooves and slopes ---- */

double motion_groove(const MotionSetting *setting, double degrees)
{
    Soup soup = {0};
    int pieces = 24;
    double side = 6.0, x = side * sin(radians(0.5 * degrees)), y = side * cos(radians(0.5 * degrees));
    for (int i = 0; i < pieces; ++i)
    {
        double z0 = -8.0 + i, z1 = z0 + 1.0;
        soup_quad(&soup, vector(-x, y, z0), vector(-x, y, z1), vector(0, 0, z1), vector(0, 0, z0));
        soup_quad(&soup, vector(0, 0, z0), vector(0, 0, z1), vector(x, y, z1), vector(x, y, z0));
    }
    double r = (double)setting->shape.radii.x, above = r / sin(radians(0.5 * degrees));
    double tall = (double)setting->shape.radii.y + (double)setting->shape.half_height;
    Actor actor = actor_of(setting, soup, vector(0.02, 1.3 * fmax(above, tall) + 0.3, -5));
    actor_go(&actor, vector(0, 0, WALKING), 2.0);
    double before = actor_place(&actor).z;
    actor_go(&actor, vector(0, 0, WALKING), 2.0);
    double progress = (actor_place(&actor).z - before) / (2.0 * WALKING);
    actor_end(&actor);
    return progress;
}

/* A slope through the origin, and an agent a little above it. */
static Actor actor_on_slope(const MotionSetting *setting, double degrees, double x)
{
    Soup slope = {0};
    soup_slope(&slope, 40, degrees);
    double rest = motion_rest(setting) / cos(radians(degrees)); /* more than an ellipsoid needs */
    return actor_of(setting, slope, vector(x, x * tan(radians(degrees)) + rest, 0.1));
}

double motion_drift(const MotionSetting *setting, double degrees)
{
    Actor actor = actor_on_slope(setting, degrees, 0.3);
    actor_land(&actor);
    actor_go(&actor, vector(0, 0, 0), 0.5);
    Vector before = actor_place(&actor);
    actor_go(&actor, vector(0, 0, 0), 10.0);
    double drift = vector_distance(actor_place(&actor), before);
    actor_end(&actor);
    return drift;
}

int motion_downhill_airborne(const MotionSetting *setting)
{
    Actor actor = actor_on_slope(setting, 10, 8);
    actor_land(&actor);
    int airborne = 0;
    for (int tick = 0; tick < 120; ++tick)
    {
        actor_tick(&actor, vector(-WALKING, 0, 0));
        airborne += !actor.grounded;
    }
    actor_end(&actor);
    return airborne;
}
