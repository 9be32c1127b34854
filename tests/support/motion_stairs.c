/* Flights of stairs and kerbs. */
#include "support/motion_scenes.h"

#define WALKING 3.0  /* m/s */
#define RUN_UP  2.0  /* metres of floor before the first riser */
#define WIDTH   60.0 /* metres to either side: room for a slanting path */
#define LANDING 60.0

/* Risers at x = 0, tread, 2 tread ..., upwards towards +x, between a floor and a landing. */
static Soup stairs_soup(MotionFlight flight, int steps)
{
    Soup soup = {0};
    soup_plate(&soup, -LANDING, 0, -WIDTH, WIDTH, 0);
    for (int i = 0; i < steps; ++i)
    {
        double x = flight.tread * i, low = flight.riser * i, high = low + flight.riser;
        double end = i + 1 < steps ? x + flight.tread : x + LANDING;
        soup_quad(&soup, vector(x, low, -WIDTH), vector(x, low, WIDTH), vector(x, high, WIDTH),
                  vector(x, high, -WIDTH));
        soup_plate(&soup, x, end, -WIDTH, WIDTH, high);
    }
    return soup;
}

/* Enough for two seconds straight up at full speed, and the whole flight no higher than a house. */
static int steps_of(MotionFlight flight)
{
    int steps = (int)ceil(3.0 / flight.tread);
    return steps < 4 ? 4 : steps > 24 ? 24 : steps;
}

/* The speed counts between the first and the last edge, where the path is on the stairs. */
MotionStairs motion_stairs(const MotionSetting *setting, MotionFlight flight)
{
    int steps = steps_of(flight), sign = flight.down ? -1 : 1;
    double length = flight.tread * (steps - 1), rest = motion_rest(setting), angle = radians(flight.degrees);
    double r = (double)setting->shape.radii.x;
    Vector velocity = vector(sign * WALKING * cos(angle), 0, WALKING * sin(angle));
    Vector start = flight.down ? vector(length + RUN_UP + r, rest + 0.01 + flight.riser * steps, -0.4 * WIDTH)
                               : vector(-RUN_UP - r, rest + 0.01, -0.4 * WIDTH);
    Actor actor = actor_of(setting, stairs_soup(flight, steps), start);
    actor_land(&actor);
    double first = flight.down ? length : -r, last = flight.down ? -r : length, begin = -1.0;
    double seconds = 1.0 + 3.0 * (RUN_UP + 2.0 * r + length) / fabs(velocity.x);
    MotionStairs result = {0};
    int ticks = actor_ticks(&actor, seconds), airborne = 0, on_stairs = 0, entered = 0;
    Vector from = {0, 0, 0};
    for (int tick = 0; tick < ticks && !result.passed; ++tick)
    {
        actor_tick(&actor, velocity);
        Vector place = actor_place(&actor);
        if (sign * (place.x - first) < 0.0)
        {
            continue;
        }
        if (begin < 0.0)
        {
            begin = entered = tick;
            from = place;
        }
        ++on_stairs;
        airborne += !actor.grounded;
        result.passed = sign * (place.x - last) >= 0.0;
        if (result.passed && tick > entered)
        {
            Vector path = vector_sub(place, from);
            path.y = 0;
            result.speed = vector_length(path) * setting->rate / (WALKING * (tick - entered));
        }
    }
    /* What falls over the last edge has passed, but has not climbed: it must stand up there. */
    double level = flight.down ? flight.riser : flight.riser * (steps - 1);
    double height = actor_place(&actor).y - rest;
    result.passed =
        result.passed && (flight.down ? height < level + flight.riser : height > level - flight.riser);
    result.speed = result.passed ? result.speed : 0.0;
    result.airborne = on_stairs > 0 ? (double)airborne / on_stairs : 0.0;
    actor_end(&actor);
    return result;
}

double motion_highest_riser(const MotionSetting *setting)
{
    double highest = 0.0;
    for (int centimetres = 5; centimetres <= 80; ++centimetres)
    {
        /* A millimetre less: whether exactly the limit is climbed is a matter of how it rounds. */
        MotionFlight flight = {.riser = 0.01 * centimetres - 1e-3, .tread = 0.3};
        highest = motion_stairs(setting, flight).passed ? 0.01 * centimetres : highest;
    }
    return highest;
}

static bool climbs_kerb(const MotionSetting *setting, double height)
{
    double rest = motion_rest(setting), r = (double)setting->shape.radii.x;
    Soup soup = stairs_soup((MotionFlight){.riser = height, .tread = 1.0}, 1);
    Actor actor = actor_of(setting, soup, vector(-1.0 - r, rest + 0.01, 0));
    actor_land(&actor);
    actor_go(&actor, vector(WALKING, 0, 0), 2.0);
    Vector place = actor_place(&actor);
    actor_end(&actor);
    return place.x > r && place.y - rest > height - 0.01;
}

double motion_highest_kerb(const MotionSetting *setting)
{
    double low = 0.0, high = 1.0;
    while (high - low > 1e-4)
    {
        double middle = 0.5 * (low + high);
        bool climbs = climbs_kerb(setting, middle);
        low = climbs ? middle : low;
        high = climbs ? high : middle;
    }
    return low;
}
