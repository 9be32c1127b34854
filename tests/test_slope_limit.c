/* Slopes at, and just above, the slope limit. */
#include "support/stride.h"
#include "support/terrain.h"

#include <criterion/criterion.h>

static MotionSetting person(int shape, int rate, double limit)
{
    MotionSetting setting = motion_person(MOTION_WALK);
    setting.shape = stride_shapes[shape];
    setting.rate = rate;
    setting.slope = limit;
    return setting;
}

/* ---- above the limit ---- */

/* What of the mesh the agent's centre is above. */
typedef enum Over
{
    OVER_LINE_DOWN, /* a line that runs down the slope */
    OVER_LINE_ACROSS,
    OVER_VERTEX,
    OVER_DIAGONAL,
    OVER_ANYTHING,
    OVER_COUNT
} Over;

static const char *const over_names[OVER_COUNT] = {"line down", "line across", "vertex", "diagonal",
                                                   "anything"};

/* A point of the slope, below which the agent's centre comes to lie. */
static Vector point_over(Over over, const TerrainSlope *slope, Random *random)
{
    double a = random_unit(random), b = random_unit(random);
    const double along[OVER_COUNT] = {a, 0, 0, a, a}, across[OVER_COUNT] = {0, b, 0, a, b};
    double x = slope->tile * along[over] * cos(radians(slope->degrees));
    return vector(x, x * tan(radians(slope->degrees)), slope->tile * across[over]);
}

/* The vertical distance from a plane of this slope to the centre of a shape that rests on it. */
static double rest_over(const MotionSetting *setting, double degrees)
{
    double r = (double)setting->shape.radii.x * sin(radians(degrees));
    double h = (double)setting->shape.radii.y * cos(radians(degrees));
    return 1.02 * hypot(r, h) / cos(radians(degrees)) + (double)setting->shape.half_height;
}

typedef struct Stay
{
    int grounded;  /* ticks */
    double fallen; /* m */
} Stay;

/* A second on the slope, from a little above it, walking up it or not. */
static Stay stay_on(const MotionSetting *setting, Soup soup, Vector point, double degrees, Vector velocity)
{
    Vector start = vector_add(point, vector(0, rest_over(setting, degrees) + 0.02, 0));
    Actor actor = actor_of(setting, soup, start);
    Stay stay = {0};
    for (int tick = 0; tick < setting->rate; ++tick)
    {
        actor_tick(&actor, velocity);
        stay.grounded += actor.grounded;
    }
    stay.fallen = start.y - actor_place(&actor).y;
    actor_end(&actor);
    return stay;
}

/* Draws a slope above the limit, in one of all its forms. */
static TerrainSlope steep_slope(Random *random, double limit, int form)
{
    const double above[] = {0.5, 1, 2, 5, 10, 20}, tiles[] = {0.25, 0.7, 1.3, 5.0};
    TerrainSlope slope = {.degrees = limit + above[form % 6], .tile = tiles[random_below(random, 4)]};
    slope.cells = 2 * (int)ceil(5.5 / slope.tile);
    slope.split_other = random_chance(random, 0.5);
    return slope;
}

/* In half of the cases the mesh itself is turned, in half the instance. Multiples of 15 degrees. */
static void turn_some(MotionSetting *setting, Soup *soup, Vector *point, Vector *velocity, Random *random)
{
    double degrees = 15.0 * random_below(random, 24);
    if (random_chance(random, 0.5))
    {
        setting->turned = degrees;
        return;
    }
    Rotation rotation = rotation_about_y(radians(degrees));
    soup_turn(soup, &rotation);
    *point = vector_rotated(&rotation, *point);
    *velocity = vector_rotated(&rotation, *velocity);
}

static void stand_above_limit(Tally *carried, Tally *kept, Over over, int form)
{
    Random random = random_seeded(5000 + (uint64_t)form);
    const double limits[] = {50, 50, 52, 54, 45, 30};
    const ScenePieces pieces[] = {SCENE_ONE_MESH, SCENE_QUAD_EACH, SCENE_TRIANGLE_EACH};
    double limit = limits[random_below(&random, 6)];
    int shape = form / 6 % STRIDE_SHAPES;
    MotionSetting setting = person(shape, stride_rates[random_below(&random, STRIDE_RATES)], limit);
    TerrainSlope slope = steep_slope(&random, limit, form);
    Soup soup = {0};
    terrain_slope(&soup, slope);
    Vector point = point_over(over, &slope, &random), velocity = {0, 0, 0};
    velocity.x = random_chance(&random, 0.5) ? 3.0 : 0.0;
    velocity.z = random_chance(&random, 0.25) ? 2.0 : 0.0;
    setting.pieces = slope.cells > 20 ? SCENE_ONE_MESH : pieces[random_below(&random, 3)];
    turn_some(&setting, &soup, &point, &velocity, &random);
    Stay stay = stay_on(&setting, soup, point, slope.degrees, velocity);
    const char *name = stride_shape_names[shape];
    tally(carried, stay.grounded, 0, "form %d: %s, %g degrees, limit %g, tiles of %g m, %d Hz: %d ticks",
          form, name, slope.degrees, limit, slope.tile, setting.rate, stay.grounded);
    if (velocity.x == 0.0) /* steering in the air holds an agent up on a slope of 30 degrees */
    {
        tally(kept, -stay.fallen, -0.5,
              "form %d: %s, %g degrees, limit %g, tiles of %g m, %d Hz: fell %.3f m", form, name,
              slope.degrees, limit, slope.tile, setting.rate, stay.fallen);
    }
}

static void none_stands_over(Over over)
{
    Tally carried = {0}, kept = {0};
    int forms = count_from("SIDLE_SLOPES", 240);
    for (int form = 0; form < forms; ++form)
    {
        stand_above_limit(&carried, &kept, over, form);
    }
    cr_expect(carried.faults == 0, "over %s: grounded in %d of %d; %s", over_names[over], carried.faults,
              carried.cases, carried.text);
    cr_expect(kept.faults == 0, "over %s: stay up there: %d of %d; %s", over_names[over], kept.faults,
              kept.cases, kept.text);
}

Test(slope_limit, a_tiled_slope_above_the_limit_carries_no_agent_over_a_line_that_runs_down)
{
    none_stands_over(OVER_LINE_DOWN);
}

Test(slope_limit, a_tiled_slope_above_the_limit_carries_no_agent_over_a_line_across)
{
    none_stands_over(OVER_LINE_ACROSS);
}

Test(slope_limit, a_tiled_slope_above_the_limit_carries_no_agent_over_a_vertex)
{
    none_stands_over(OVER_VERTEX);
}

Test(slope_limit, a_tiled_slope_above_the_limit_carries_no_agent_over_a_diagonal)
{
    none_stands_over(OVER_DIAGONAL);
}

Test(slope_limit, a_tiled_slope_above_the_limit_carries_no_agent_anywhere)
{
    none_stands_over(OVER_ANYTHING);
}

/* Two slopes that fall in the same direction, the lower one steeper by `bend` degrees, meet in the line x = 0. */
static Soup bent_slope(double degrees, double bend)
{
    Soup soup = {0};
    double high = radians(degrees), low = radians(degrees + bend);
    Vector up = vector(12 * cos(high), 12 * sin(high), 0), down = vector(-12 * cos(low), -12 * sin(low), 0);
    Vector side = vector(0, 0, 10);
    soup_quad(&soup, vector_scale(side, -1), side, vector_add(up, side), vector_sub(up, side));
    soup_quad(&soup, vector_sub(down, side), vector_add(down, side), side, vector_scale(side, -1));
    return soup;
}

Test(slope_limit, two_steep_slopes_that_meet_convexly_carry_no_agent)
{
    Tally carried = {0};
    for (int form = 0; form < 270; ++form)
    {
        Random random = random_seeded(600 + (uint64_t)form);
        const double bends[] = {0.1, 1, 5, 10, 20};
        double degrees = 50.5 + 1.5 * random_below(&random, 4), bend = bends[form % 5];
        MotionSetting setting = person(form / 5 % STRIDE_SHAPES, stride_rates[form / 15 % 6], 50);
        setting.pieces = form % 2 == 0 ? SCENE_ONE_MESH : SCENE_QUAD_EACH;
        setting.turned = 15.0 * (form % 24);
        Vector point =
            vector(random_between(&random, -0.4, 0.4), 0, form % 4 == 0 ? 0 : random_unit(&random));
        point.y = point.x * tan(radians(degrees));
        Stay stay = stay_on(&setting, bent_slope(degrees, bend), point, degrees, vector(form % 3, 0, 0));
        tally(&carried, stay.grounded, 0, "form %d: %s, %g degrees, then %g, %d Hz: %d ticks", form,
              stride_shape_names[form / 5 % STRIDE_SHAPES], degrees, degrees + bend, setting.rate,
              stay.grounded);
    }
    cr_expect(carried.faults == 0, "%d of %d; %s", carried.faults, carried.cases, carried.text);
}

/* ---- grooves ---- */

/* Ticks of the third second in a groove in which the agent is grounded. Its crease rises at this angle. */
static int ticks_carried(const MotionSetting *setting, double opening, double crease)
{
    Soup soup = {0};
    soup_groove(&soup, opening, 20, 4);
    double c = cos(radians(crease)), s = sin(radians(crease));
    Rotation tilted = {{vector(1, 0, 0), vector(0, c, s), vector(0, -s, c)}};
    soup_turn(&soup, &tilted);
    Actor actor = actor_of(setting, soup, vector(0.05, 2.2, 0));
    actor_go(&actor, vector(0, 0, 0), 2.0);
    int carried = 0;
    for (int tick = 0; tick < setting->rate; ++tick)
    {
        actor_tick(&actor, vector(0, 0, 0));
        carried += actor.grounded;
    }
    actor_end(&actor);
    return carried;
}

Test(slope_limit, a_groove_between_two_steep_faces_carries_up_to_the_slope_of_its_crease)
{
    const double openings[] = {30, 45, 60, 70}, creases[] = {0, 20, 40};
    Tally dropped = {0};
    for (int form = 0; form < 72; ++form)
    {
        MotionSetting setting = person(form % STRIDE_SHAPES, form / 36 == 0 ? 60 : 240, 50);
        setting.pieces = form % 2 == 0 ? SCENE_ONE_MESH : SCENE_QUAD_EACH;
        setting.turned = 15.0 * (form % 24);
        double opening = openings[form / 3 % 4], crease = creases[form / 12 % 3];
        int carried = ticks_carried(&setting, opening, crease);
        tally(&dropped, setting.rate - carried, 0,
              "%s, opening %g degrees, crease at %g, %d Hz: grounded in %d ticks",
              stride_shape_names[form % STRIDE_SHAPES], opening, crease, setting.rate, carried);
    }
    cr_expect(dropped.faults == 0, "%d of %d; %s", dropped.faults, dropped.cases, dropped.text);
}

Test(slope_limit, a_groove_whose_crease_is_too_steep_carries_no_agent)
{
    Tally held = {0};
    for (int form = 0; form < 9; ++form)
    {
        MotionSetting setting = person(form % STRIDE_SHAPES, 60, 50);
        double opening = 40 + 15 * (form / 3);
        int carried = ticks_carried(&setting, opening, 60);
        tally(&held, carried, 0, "%s, opening %g degrees: grounded in %d ticks",
              stride_shape_names[form % STRIDE_SHAPES], opening, carried);
    }
    cr_expect(held.faults == 0, "%d of %d; %s", held.faults, held.cases, held.text);
}

/* ---- at the limit ---- */

typedef enum Ramp
{
    RAMP_PLAIN,    /* two triangles, turned in the mesh */
    RAMP_TILED,    /* tiles of .7 m, turned in the mesh */
    RAMP_INSTANCE, /* tiles of .7 m, turned by the instance */
    RAMP_COUNT
} Ramp;

static const char *const ramp_names[RAMP_COUNT] = {"plain", "tiled", "turned by its instance"};

/* An agent 1 m up the ramp, or before it. */
static Actor actor_at_ramp(MotionSetting setting, Ramp ramp, double degrees, double yaw, double x)
{
    TerrainSlope slope = {.degrees = degrees, .tile = ramp == RAMP_PLAIN ? 24.0 : 0.7};
    slope.cells = ramp == RAMP_PLAIN ? 2 : 32;
    Soup soup = {0};
    terrain_ramp(&soup, slope);
    Rotation rotation = rotation_about_y(radians(yaw));
    setting.turned = ramp == RAMP_INSTANCE ? yaw : 0.0;
    Vector start = vector(x, fmax(x, 0) * tan(radians(degrees)), 0.13);
    start.y += x > 0.0 ? rest_over(&setting, degrees) + 0.01 : motion_rest(&setting) + 0.01;
    if (ramp != RAMP_INSTANCE)
    {
        soup_turn(&soup, &rotation);
        start = vector_rotated(&rotation, start);
    }
    return actor_of(&setting, soup, start);
}

static Vector up_ramp(Ramp ramp, double yaw, double speed)
{
    Rotation rotation = rotation_about_y(radians(yaw));
    return ramp == RAMP_INSTANCE ? vector(speed, 0, 0) : vector_rotated(&rotation, vector(speed, 0, 0));
}

static const double limits[] = {45, 30, 50, 60}; /* 45 degrees: the library's default */

static void each_ramp(void (*check)(Tally *, Ramp, double limit, double yaw, int shape), const char *what)
{
    for (int form = 0; form < 4 * RAMP_COUNT; ++form)
    {
        Tally outcome = {0};
        for (int yaw = 0; yaw < 24; ++yaw)
        {
            check(&outcome, (Ramp)(form % RAMP_COUNT), limits[form / RAMP_COUNT], 15.0 * yaw,
                  yaw % STRIDE_SHAPES);
            check(&outcome, (Ramp)(form % RAMP_COUNT), limits[form / RAMP_COUNT], 15.0 * yaw,
                  (yaw + 1) % STRIDE_SHAPES);
        }
        cr_expect(outcome.faults == 0, "limit %g, %s: %s: %d of %d; %s", limits[form / RAMP_COUNT],
                  ramp_names[form % RAMP_COUNT], what, outcome.faults, outcome.cases, outcome.text);
    }
}

static void walk_up(Tally *outcome, Ramp ramp, double limit, double yaw, int shape)
{
    MotionSetting setting = person(shape, 60, limit);
    Actor actor = actor_at_ramp(setting, ramp, limit, yaw, -1.0);
    actor_land(&actor);
    double from = actor_place(&actor).y;
    actor_go(&actor, up_ramp(ramp, yaw, 3.0), 2.0);
    double risen = actor_place(&actor).y - from, due = 0.95 * (6.0 - 1.5) * sin(radians(limit));
    tally(outcome, due - risen, 0, "%s, yaw %g: risen by %.3f m, not by %.3f", stride_shape_names[shape], yaw,
          risen, due);
    actor_end(&actor);
}

Test(slope_limit, a_ramp_of_exactly_the_limit_is_walked_up)
{
    each_ramp(walk_up, "not climbed");
}

static void idle(Tally *outcome, Ramp ramp, double limit, double yaw, int shape)
{
    MotionSetting setting = person(shape, 60, limit);
    Actor actor = actor_at_ramp(setting, ramp, limit, yaw, 2.0);
    actor_go(&actor, vector(0, 0, 0), 0.5);
    Vector from = actor_place(&actor);
    int airborne = 0;
    for (int tick = 0; tick < 300; ++tick)
    {
        actor_tick(&actor, vector(0, 0, 0));
        airborne += !actor.grounded;
    }
    double drift = vector_distance(actor_place(&actor), from);
    tally(outcome, airborne > 0 ? 1.0 : drift, 1e-4, "%s, yaw %g: drift %g m, %d ticks not grounded",
          stride_shape_names[shape], yaw, drift, airborne);
    actor_end(&actor);
}

Test(slope_limit, an_agent_without_a_wish_stands_still_on_a_ramp_of_exactly_the_limit)
{
    each_ramp(idle, "not stood on");
}

static void refuse(Tally *outcome, Ramp ramp, double limit, double yaw, int shape)
{
    MotionSetting setting = person(shape, 60, limit);
    Actor actor = actor_at_ramp(setting, ramp, limit + 0.5, yaw, -1.0);
    actor_land(&actor);
    double from = actor_place(&actor).y, highest = 0.0;
    for (int tick = 0; tick < 180; ++tick)
    {
        actor_tick(&actor, up_ramp(ramp, yaw, 3.0));
        highest = fmax(highest, actor_place(&actor).y - from);
    }
    tally(outcome, highest, setting.step_up, "%s, yaw %g: risen by %.3f m", stride_shape_names[shape], yaw,
          highest);
    actor_end(&actor);
}

Test(slope_limit, a_ramp_of_half_a_degree_more_than_the_limit_is_refused)
{
    each_ramp(refuse, "climbed");
}
