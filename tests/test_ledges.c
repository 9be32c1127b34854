/* Walking off ledges, over gaps, and standing at edges. Metres and seconds. */
#include "support/stride.h"
#include "support/terrain.h"

#include <criterion/criterion.h>

static MotionSetting walker(int shape, int rate)
{
    MotionSetting setting = motion_person(MOTION_WALK);
    setting.shape = stride_shapes[shape];
    setting.rate = rate;
    return setting;
}

/* One case: an agent that walks towards +x. */
typedef struct Walk
{
    MotionSetting setting;
    const char *shape;
    double speed, heading, depth; /* m/s; degrees off straight; m */
} Walk;

static Vector velocity_of(const Walk *walk)
{
    double angle = radians(walk->heading);
    return vector(walk->speed * cos(angle), 0, walk->speed * sin(angle));
}

/* Shapes, rates and speeds in turn; the rest at random. */
static Walk random_walk(int form)
{
    const double speeds[] = {0.05, 0.3, 1, 3, 6}, depths[] = {1, 1.5, 2, 3, 5};
    Random random = random_seeded(900 + (uint64_t)form);
    Walk walk = {.speed = speeds[form / 18 % 5], .shape = stride_shape_names[form % STRIDE_SHAPES]};
    walk.setting = walker(form % STRIDE_SHAPES, stride_rates[form / 3 % STRIDE_RATES]);
    walk.depth = depths[random_below(&random, 5)];
    walk.heading = random_chance(&random, 0.4) ? 0.0 : random_between(&random, -60, 60);
    walk.setting.turned = random_chance(&random, 0.4) ? 0.0 : random_between(&random, -180, 180);
    walk.setting.pieces = random_chance(&random, 0.5) ? SCENE_ONE_MESH : SCENE_QUAD_EACH;
    return walk;
}

#define WALK_FORMAT "%s, %g m/s, %.3g degrees off, ledge of %g m, turned %.3g, %d Hz"
#define WALK_VALUES(walk)                                                                                    \
    (walk)->shape, (walk)->speed, (walk)->heading, (walk)->depth, (walk)->setting.turned, (walk)->setting.rate

static Actor actor_on(const Walk *walk, Soup soup, double x)
{
    Actor actor = actor_of(&walk->setting, soup, vector(x, motion_rest(&walk->setting) + 0.01, 0));
    actor_land(&actor);
    return actor;
}

/* ---- off a ledge ---- */

typedef struct Fall
{
    double excess;   /* m/s: the most that the downward speed grows by in a tick beyond g dt */
    double fast;     /* m/s: the most that it is beyond g times the time since the rim */
    double lost;     /* m/s: the most that the downward speed falls back by in a tick before it lands */
    double early;    /* m: the largest rise or drop before the centre reaches the rim */
    double velocity; /* m/s: the largest difference between the body's downward velocity and its motion */
    bool lands;
} Fall;

/* The body reports the velocity at the end of the tick: in a fall, half of g dt more than the tick's mean. */
static double velocity_error(const Actor *actor, const Stride *stride)
{
    double rate = actor->setting.rate, mean = -stride->rise * rate;
    double reported = -(double)actor->agent.body.velocity.y;
    return fabs(reported - mean) - setting_gravity_step(&actor->setting) * rate;
}

static Fall fall_of(const Walk *walk)
{
    Soup soup = {0};
    terrain_ledge(&soup, walk->depth);
    Vector velocity = velocity_of(walk);
    Actor actor = actor_on(walk, soup, -0.1 - 3.0 * velocity.x / walk->setting.rate);
    Stride stride = {0};
    Fall fall = {0};
    int past = 0; /* ticks */
    double rest = motion_rest(&walk->setting), gravity = setting_gravity_step(&walk->setting);
    int ticks = actor_ticks(&actor, 1.2 / velocity.x + 3.0);
    for (int tick = 0; tick < ticks && !fall.lands; ++tick)
    {
        stride_next(&stride, &actor, velocity);
        double over_floor = stride.from.y - rest + walk->depth;
        fall.lands = over_floor < stride.fallen + gravity + 0.01; /* the tick may end on the floor */
        if (stride.to.x <= 0.0)
        {
            fall.early = fmax(fall.early, fabs(stride.rise));
            continue;
        }
        if (!fall.lands)
        {
            fall.lost = fmax(fall.lost, (stride.fallen + stride.rise) * walk->setting.rate);
            fall.velocity = fmax(fall.velocity, velocity_error(&actor, &stride));
        }
        ++past;
        fall.excess = fmax(fall.excess, (-stride.rise - stride.fallen - gravity) * walk->setting.rate);
        fall.fast = fmax(fall.fast, (-stride.rise - past * gravity) * walk->setting.rate);
    }
    actor_end(&actor);
    return fall;
}

static Tally ledges(double (*figure)(const Fall *), double limit)
{
    Tally outcome = {0};
    int forms = count_from("SIDLE_LEDGES", 360);
    for (int form = 0; form < forms; ++form)
    {
        Walk walk = random_walk(form);
        Fall fall = fall_of(&walk);
        tally(&outcome, figure(&fall), limit, WALK_FORMAT ": %.4g", WALK_VALUES(&walk), figure(&fall));
    }
    return outcome;
}

static double excess(const Fall *fall)
{
    return fall->excess;
}

static double fast(const Fall *fall)
{
    return fall->fast;
}

static double lost(const Fall *fall)
{
    return fall->lost;
}

static double early(const Fall *fall)
{
    return fall->early;
}

static double never_lands(const Fall *fall)
{
    return fall->lands ? 0.0 : 1.0;
}

static double velocity_off(const Fall *fall)
{
    return fall->velocity;
}

Test(ledges, the_downward_speed_off_a_ledge_grows_by_no_more_than_gravity_in_a_tick)
{
    Tally outcome = ledges(excess, 0.06);
    cr_expect(outcome.faults == 0, "speed gained too much in a tick, m/s: %d of %d; %s", outcome.faults,
              outcome.cases, outcome.text);
}

Test(ledges, an_agent_that_walks_off_a_ledge_falls_no_faster_than_from_the_rim)
{
    Tally outcome = ledges(fast, 0.1);
    cr_expect(outcome.faults == 0, "too fast, m/s: %d of %d; %s", outcome.faults, outcome.cases,
              outcome.text);
}

Test(ledges, the_downward_speed_off_a_ledge_never_falls_back_before_the_agent_lands)
{
    Tally outcome = ledges(lost, 0.05);
    cr_expect(outcome.faults == 0, "speed lost in a tick, m/s: %d of %d; %s", outcome.faults, outcome.cases,
              outcome.text);
}

Test(ledges, the_reported_velocity_off_a_ledge_is_that_of_the_motion)
{
    Tally outcome = ledges(velocity_off, 0.05);
    cr_expect(outcome.faults == 0, "velocity wrong by m/s: %d of %d; %s", outcome.faults, outcome.cases,
              outcome.text);
}

Test(ledges, an_agent_keeps_its_height_until_its_centre_reaches_the_rim)
{
    Tally outcome = ledges(early, 1e-3);
    cr_expect(outcome.faults == 0, "%d of %d; %s", outcome.faults, outcome.cases, outcome.text);
}

Test(ledges, an_agent_that_walks_off_a_ledge_lands_below)
{
    Tally outcome = ledges(never_lands, 0.0);
    cr_expect(outcome.faults == 0, "%d of %d; %s", outcome.faults, outcome.cases, outcome.text);
}

/* ---- over a gap ---- */

typedef struct Crossing
{
    double sunk, risen; /* m: the centre below and above where it began, until it is across */
    bool crosses;
} Crossing;

static void cross_for(Crossing *crossing, Actor *actor, double level, Vector velocity, double width,
                      int ticks)
{
    double beyond = width + setting_reach(&actor->setting);
    for (int tick = 0; tick < ticks && !crossing->crosses; ++tick)
    {
        actor_tick(actor, velocity);
        Vector place = actor_place(actor);
        crossing->sunk = fmax(crossing->sunk, level - place.y);
        crossing->risen = fmax(crossing->risen, place.y - level);
        crossing->crosses = place.x > beyond;
    }
}

/* With a pause, the agent stops for a second where its centre is above this share of the gap. */
static Crossing crossing_of(const Walk *walk, double width, double pause)
{
    Soup soup = {0};
    terrain_gap(&soup, width, walk->depth);
    Vector velocity = velocity_of(walk);
    Actor actor = actor_on(walk, soup, -0.5);
    double level = actor_place(&actor).y;
    Crossing crossing = {0};
    if (pause > 0.0)
    {
        int ticks = actor_ticks(&actor, (0.5 + pause * width) / velocity.x);
        cross_for(&crossing, &actor, level, velocity, width, ticks);
        cross_for(&crossing, &actor, level, vector(0, 0, 0), width, walk->setting.rate);
    }
    cross_for(&crossing, &actor, level, velocity, width, actor_ticks(&actor, 3.0 / velocity.x + 1.0));
    actor_end(&actor);
    return crossing;
}

static void gaps_are_crossed(double depth, bool pauses)
{
    const double widths[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.79}, speeds[] = {0.3, 1, 2, 3, 6};
    Tally moved = {0}, left = {0};
    for (int form = 0; form < count_from("SIDLE_GAPS", 480); ++form)
    {
        Walk walk = random_walk(form);
        Random random = random_seeded(7 + (uint64_t)form);
        double width = widths[form % 8], pause = pauses ? random_between(&random, 0.1, 0.9) : 0.0;
        walk.speed = speeds[form / 8 % 5];
        walk.depth = depth > 0.0 ? depth : walk.depth;
        Crossing crossing = crossing_of(&walk, width, pause);
        double off = fmax(crossing.sunk, crossing.risen);
        tally(&moved, off, 0.02, WALK_FORMAT ", gap of %g m, pause at %.2f: down %.3f m, up %.3f m",
              WALK_VALUES(&walk), width, pause, crossing.sunk, crossing.risen);
        tally(&left, crossing.crosses ? 0.0 : width, 0.0, WALK_FORMAT ", gap of %g m, pause at %.2f",
              WALK_VALUES(&walk), width, pause);
    }
    cr_expect(moved.faults == 0, "moves up or down: %d of %d; %s", moved.faults, moved.cases, moved.text);
    cr_expect(left.faults == 0, "does not cross: %d of %d; %s", left.faults, left.cases, left.text);
}

Test(ledges, a_deep_gap_narrower_than_the_foot_is_crossed_on_the_level)
{
    gaps_are_crossed(0.0, false);
}

Test(ledges, a_shallow_gap_narrower_than_the_foot_is_crossed_on_the_level)
{
    gaps_are_crossed(0.3, false);
}

Test(ledges, a_stop_above_a_deep_gap_changes_no_height)
{
    gaps_are_crossed(0.0, true);
}

Test(ledges, a_stop_above_a_shallow_gap_changes_no_height)
{
    gaps_are_crossed(0.3, true);
}

/* ---- without a wish ---- */

typedef struct Rest
{
    double creep; /* m, in two seconds */
    int lost;     /* ticks not grounded */
} Rest;

static Rest rest_of(Actor *actor)
{
    Vector from = actor_place(actor);
    Rest rest = {0};
    for (int tick = 0; tick < 2 * actor->setting.rate; ++tick)
    {
        actor_tick(actor, vector(0, 0, 0));
        rest.lost += !actor->grounded;
    }
    rest.creep = vector_distance(actor_place(actor), from);
    return rest;
}

static void tally_rest(Tally *outcome, Actor *actor, const char *shape, double x)
{
    Rest rest = rest_of(actor);
    tally(outcome, rest.lost > 0 ? 1.0 : rest.creep, 1e-5,
          "%s, centre %.3f m past the rim, turned %.3g, %d Hz: slides %.2g m, %d ticks not grounded", shape,
          x, actor->setting.turned, actor->setting.rate, rest.creep, rest.lost);
}

/* Past the rim by at most .39 m. An agent that falls has fallen to the floor below. */
Test(ledges, an_agent_that_comes_to_stand_at_an_edge_stays_there_without_a_wish)
{
    Tally outcome = {0};
    for (int form = 0; form < 360; ++form)
    {
        Walk walk = random_walk(form);
        Random random = random_seeded(70 + (uint64_t)form);
        double x = random_between(&random, -0.5, 0.39);
        Soup soup = {0};
        terrain_ledge(&soup, walk.depth);
        Actor actor = actor_on(&walk, soup, x);
        actor_tick(&actor, vector(0, 0, 0));
        tally_rest(&outcome, &actor, walk.shape, x);
        actor_end(&actor);
    }
    cr_expect(outcome.faults == 0, "%d of %d; %s", outcome.faults, outcome.cases, outcome.text);
}

Test(ledges, an_agent_that_stops_before_the_rim_stays_there)
{
    Tally outcome = {0};
    for (int form = 0; form < 360; ++form)
    {
        Walk walk = random_walk(form);
        Soup soup = {0};
        terrain_ledge(&soup, walk.depth);
        Vector velocity = velocity_of(&walk);
        double last = -1e-3 - velocity.x / walk.setting.rate;
        Actor actor = actor_on(&walk, soup, -0.1 - 3.0 * velocity.x / walk.setting.rate);
        while (actor_place(&actor).x < last)
        {
            actor_tick(&actor, velocity);
        }
        cr_expect(actor.grounded, WALK_FORMAT ": has left the floor", WALK_VALUES(&walk));
        tally_rest(&outcome, &actor, walk.shape, actor_place(&actor).x);
        actor_end(&actor);
    }
    cr_expect(outcome.faults == 0, "%d of %d; %s", outcome.faults, outcome.cases, outcome.text);
}

/* Ticks on which an agent, stopped with its centre past the rim, regains the ground that it had lost. */
static int regained(const Walk *walk, double stop)
{
    Soup soup = {0};
    terrain_ledge(&soup, walk->depth);
    Actor actor = actor_on(walk, soup, -0.1);
    double floor = motion_rest(&walk->setting) - walk->depth;
    int ticks = actor_ticks(&actor, 0.5 / velocity_of(walk).x), flickers = 0;
    while (ticks > 0 && actor_place(&actor).x < stop)
    {
        actor_tick(&actor, velocity_of(walk));
        --ticks;
    }
    bool lost = !actor.grounded;
    for (int tick = 0; tick < 3 * walk->setting.rate; ++tick)
    {
        actor_tick(&actor, vector(0, 0, 0));
        flickers += lost && actor.grounded && actor_place(&actor).y > floor + 0.05;
        lost = lost || !actor.grounded;
    }
    actor_end(&actor);
    return flickers;
}

Test(ledges, an_agent_that_stops_past_the_rim_either_keeps_the_ground_or_leaves_it_for_good)
{
    Tally outcome = {0};
    for (int form = 0; form < 360; ++form)
    {
        Walk walk = random_walk(form);
        Random random = random_seeded(90 + (uint64_t)form);
        double stop = random_between(&random, 0.01, 0.39);
        int flickers = regained(&walk, stop);
        tally(&outcome, flickers, 0, WALK_FORMAT ", stops at %.3f m: %d ticks", WALK_VALUES(&walk), stop,
              flickers);
    }
    cr_expect(outcome.faults == 0, "%d of %d; %s", outcome.faults, outcome.cases, outcome.text);
}
