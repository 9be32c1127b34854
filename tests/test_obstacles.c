/* Sheets and kerbs at any angle, and reasons for moves that end early. Metres and seconds. */
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

static Vector heading(double speed, double degrees)
{
    return vector(speed * cos(radians(degrees)), 0, speed * sin(radians(degrees)));
}

/* ---- sheets ---- */

/* How far past the sheet the agent is after the time that it has for 2 m. */
static double past_sheet(const MotionSetting *setting, double height, Vector velocity)
{
    Soup soup = {0};
    terrain_sheet(&soup, height);
    Actor actor = actor_of(setting, soup, vector(-1.0, motion_rest(setting) + 0.01, 0));
    actor_land(&actor);
    actor_go(&actor, velocity, 2.5 / velocity.x);
    double x = actor_place(&actor).x;
    actor_end(&actor);
    return x;
}

Test(obstacles, a_sheet_no_higher_than_step_up_is_stepped_over)
{
    const double heights[] = {0.1, 0.2, 0.3, 0.39}, speeds[] = {1, 3, 6}, degrees[] = {0, 25, 50, 70};
    for (int shape = 0; shape < STRIDE_SHAPES; ++shape)
    {
        Tally outcome = {0};
        for (int form = 0; form < 288; ++form)
        {
            MotionSetting setting = walker(shape, stride_rates[form / 48]);
            setting.turned = form % 2 == 0 ? 0.0 : 7.0 * form;
            double height = heights[form % 4], speed = speeds[form / 4 % 3], angle = degrees[form / 12 % 4];
            double past = past_sheet(&setting, height, heading(speed, angle));
            tally(&outcome, setting_reach(&setting) - past, 0,
                  "%g m high, %g m/s, %g degrees off straight, %d Hz: ends at %.3f m", height, speed, angle,
                  setting.rate, past);
        }
        cr_expect(outcome.faults == 0, "%s: %d of %d are stopped; %s", stride_shape_names[shape],
                  outcome.faults, outcome.cases, outcome.text);
    }
}

/* ---- kerbs ---- */

/* What the agent has risen by within a second of touching a kerb. */
static double risen_at_kerb(const MotionSetting *setting, double height, Vector velocity)
{
    Soup soup = {0};
    terrain_kerb(&soup, height);
    double x = -1.02 * setting_reach(setting) - 0.005;
    Actor actor = actor_of(setting, soup, vector(x, motion_rest(setting) + 0.01, 0));
    actor_land(&actor);
    double from = actor_place(&actor).y;
    actor_go(&actor, velocity, 1.0);
    double risen = actor_place(&actor).y - from;
    actor_end(&actor);
    return risen;
}

/* After a second at 3 m/s and 5 degrees, the centre is .14 m short of the kerb, and a round foot rests lower there than
 * on top: by .06 m at most. */
Test(obstacles, a_kerb_below_step_up_is_climbed_within_a_second_at_5_degrees)
{
    const double heights[] = {0.3, 0.32, 0.34, 0.36, 0.38};
    for (int shape = 0; shape < STRIDE_SHAPES; ++shape)
    {
        Tally outcome = {0};
        for (int form = 0; form < 60; ++form)
        {
            MotionSetting setting = walker(shape, stride_rates[form / 5 % STRIDE_RATES]);
            setting.turned = form % 2 == 0 ? 0.0 : 7.0 * form;
            double height = heights[form % 5], angle = form < 30 ? 85.0 : -85.0;
            double risen = risen_at_kerb(&setting, height, heading(3.0, angle));
            tally(&outcome, height - 0.08 - risen, 0,
                  "%g m high, %g degrees off straight, %d Hz: rises by %.3f m", height, angle, setting.rate,
                  risen);
        }
        cr_expect(outcome.faults == 0, "%s: %d of %d; %s", stride_shape_names[shape], outcome.faults,
                  outcome.cases, outcome.text);
    }
}

/* A floor that goes on at this height behind a face that rises at this angle from x = 0. */
static Soup sloping_kerb(double height, double degrees)
{
    double run = height / tan(radians(degrees)), far = 20;
    Soup soup = {0};
    soup_quad(&soup, vector(-far, 0, -far), vector(-far, 0, far), vector(0, 0, far), vector(0, 0, -far));
    soup_quad(&soup, vector(0, 0, -far), vector(0, 0, far), vector(run, height, far),
              vector(run, height, -far));
    soup_quad(&soup, vector(run, height, -far), vector(run, height, far), vector(far, height, far),
              vector(far, height, -far));
    return soup;
}

Test(obstacles, a_kerb_with_a_sloping_face_is_climbed_at_every_rate)
{
    const double angles[] = {52, 60, 70, 84}, heights[] = {0.15, 0.25, 0.39}, speeds[] = {1, 3};
    for (int shape = 0; shape < STRIDE_SHAPES; ++shape)
    {
        Tally outcome = {0};
        for (int form = 0; form < 288; ++form)
        {
            MotionSetting setting = walker(shape, stride_rates[form / 48]);
            setting.turned = form % 2 == 0 ? 0.0 : 7.0 * form;
            double angle = angles[form % 4], height = heights[form / 4 % 3], speed = speeds[form / 12 % 2];
            Actor actor = actor_of(&setting, sloping_kerb(height, angle),
                                   vector(-1.0, motion_rest(&setting) + 0.01, 0));
            actor_land(&actor);
            double from = actor_place(&actor).y;
            actor_go(&actor, heading(speed, form / 24 % 2 * 40.0), 4 / speed);
            double risen = actor_place(&actor).y - from;
            tally(&outcome, fabs(risen - height), 0.01,
                  "%g degrees, %g m high, %g m/s, %d Hz: rises by %.3f m", angle, height, speed, setting.rate,
                  risen);
            actor_end(&actor);
        }
        cr_expect(outcome.faults == 0, "%s: %d of %d; %s", stride_shape_names[shape], outcome.faults,
                  outcome.cases, outcome.text);
    }
}

/* An agent that stops halfway up slides down again, or has reached the top. */
Test(obstacles, an_agent_that_stops_on_the_face_of_a_kerb_comes_to_rest)
{
    const double angles[] = {52, 60, 70, 84};
    for (int shape = 0; shape < STRIDE_SHAPES; ++shape)
    {
        Tally rest = {0}, drop = {0};
        for (int form = 0; form < 240; ++form)
        {
            MotionSetting setting = walker(shape, stride_rates[form / 40]);
            setting.turned = form % 2 == 0 ? 0.0 : 7.0 * form;
            Actor actor = actor_of(&setting, sloping_kerb(0.39, angles[form % 4]),
                                   vector(-1.0, motion_rest(&setting) + 0.01, 0));
            actor_land(&actor);
            Stride stride = {0};
            double stop = 0.5 + form / 4 % 10 * 0.06, dropped = 0;
            for (int tick = 0; tick < (int)((stop + 1.5) * setting.rate); ++tick)
            {
                bool goes_on = tick < (int)(stop * setting.rate);
                stride_next(&stride, &actor, goes_on ? heading(1, 20) : vector(0, 0, 0));
                dropped = fmax(dropped, stride_excess_down(&stride, &setting));
            }
            bool is_at_rest = stride.stands && stride.done == 0 && stride.rise == 0;
            tally(&rest, is_at_rest ? 0 : 1, 0,
                  "%g degrees, stops after %g s, %d Hz: grounded %d, moves %g, rises %g", angles[form % 4],
                  stop, setting.rate, stride.stands, stride.done, stride.rise);
            tally(&drop, dropped, 0.02, "%g degrees, stops after %g s, %d Hz: %.3f m too far down in a tick",
                  angles[form % 4], stop, setting.rate, dropped);
            actor_end(&actor);
        }
        cr_expect(rest.faults == 0, "%s: %d of %d; %s", stride_shape_names[shape], rest.faults, rest.cases,
                  rest.text);
        cr_expect(drop.faults == 0, "%s: %d of %d; %s", stride_shape_names[shape], drop.faults, drop.cases,
                  drop.text);
    }
}

/* ---- reasons ---- */

typedef enum Field
{
    FIELD_KERBS,
    FIELD_CRATES,
    FIELD_SCAN,
    FIELD_PITS,
    FIELD_COUNT
} Field;

static const char *const field_names[FIELD_COUNT] = {"kerbs", "crates", "scan", "pits"};

static Soup field_soup(Field field, uint64_t seed)
{
    Random random = random_seeded(seed);
    Soup soup = {0};
    switch (field)
    {
    case FIELD_KERBS:
        terrain_kerb(&soup, random_between(&random, 0.05, 0.6));
        break;
    case FIELD_CRATES:
        terrain_crates(&soup, &random, 12, 40);
        break;
    case FIELD_SCAN:
        terrain_scan(&soup, 60, random_between(&random, 0.02, 0.06), seed);
        break;
    default:
        terrain_pits(&soup, &random, 8);
        break;
    }
    return soup;
}

/* Cosine of the steepest ground that the agent stands on or touches, of what it can stand on. */
static double least_rise(const Actor *actor)
{
    const Agent *agent = &actor->agent;
    double limit = cos(radians(actor->setting.slope));
    double least = fmax((double)agent->body.support_normal.y, (double)agent->body.ground_normal.y);
    for (uint32_t i = 0; i < agent->contact_count; ++i)
    {
        double rise = (double)agent->contacts[i].normal.y;
        least = rise >= limit ? fmin(least, rise) : least;
    }
    return least;
}

/* The least share of the path asked, seen from above, that a tick over this ground explains. A descent on a slope of a
 * degrees hits one of b degrees at an angle of a + b, and the part along it counts at cos b from above. */
static double share_due(double rise_before, double rise_after)
{
    double before = acos(fmin(rise_before, 1.0)), after = acos(fmin(rise_after, 1.0));
    return 0.95 * cos(before + after) * cos(fmax(before, after));
}

/* Ticks of a walk that came less than .95 of the path that the ground allows, and gave no reason. The heading changes
 * every half second. */
static int unexplained(const MotionSetting *setting, Field field, uint64_t seed, double *least)
{
    Random random = random_seeded(seed + 1);
    Actor actor = actor_of(setting, field_soup(field, seed), vector(-0.5, motion_rest(setting) + 0.1, 0));
    actor_land(&actor);
    Stride stride = {0};
    Vector velocity = {0, 0, 0};
    int faults = 0;
    for (int tick = 0; tick < 8 * setting->rate; ++tick)
    {
        if (tick % (setting->rate / 2) == 0)
        {
            velocity = heading(3.0, random_between(&random, -180, 180));
        }
        double before = least_rise(&actor);
        stride_next(&stride, &actor, velocity);
        double share = stride.done / stride.asked, due = share_due(before, least_rise(&actor));
        if (stride.stood && stride.stands && tick > 0 && share < due && actor.agent.reasons == 0)
        {
            ++faults;
            *least = fmin(*least, share);
        }
    }
    actor_end(&actor);
    return faults;
}

Test(obstacles, a_tick_that_comes_less_than_asked_gives_a_reason)
{
    const int rates[] = {30, 60, 240};
    int walks = count_from("SIDLE_FIELDS", 150);
    for (int form = 0; form < FIELD_COUNT * STRIDE_SHAPES; ++form)
    {
        Tally outcome = {0};
        Field field = (Field)(form / STRIDE_SHAPES);
        for (int walk = 0; walk < walks; ++walk)
        {
            MotionSetting setting = walker(form % STRIDE_SHAPES, rates[walk % 3]);
            setting.turned = walk % 2 == 0 ? 0.0 : 7.0 * walk;
            double least = 1.0;
            int faults = unexplained(&setting, field, 3000 + (uint64_t)walk, &least);
            tally(&outcome, faults, 0, "walk %d, %d Hz: %d ticks, the shortest at %.3f of the path", walk,
                  setting.rate, faults, least);
        }
        cr_expect(outcome.faults == 0, "%s, %s: %d of %d walks; %s", field_names[field],
                  stride_shape_names[form % STRIDE_SHAPES], outcome.faults, outcome.cases, outcome.text);
    }
}

/* ---- walls ---- */

/* A wall over a floor that leans back, with ribs of this depth every `apart`. */
static Soup wall_of_ribs(double lean, double depth, double apart)
{
    double top = 6, back = tan(radians(lean));
    Soup soup = {0};
    soup_floor(&soup, 20, 0);
    soup_quad(&soup, vector(0, 0, -9), vector(0, 0, 9), vector(back * top, top, 9),
              vector(back * top, top, -9));
    for (double y = apart; y < top; y += apart)
    {
        double front = back * y - depth;
        soup_plate(&soup, front, back * y, -9, 9, y);
        soup_quad(&soup, vector(front, y - 0.03, -9), vector(front, y - 0.03, 9), vector(front, y, 9),
                  vector(front, y, -9));
    }
    return soup;
}

Test(obstacles, a_wall_of_ribs_is_not_climbed)
{
    const double leans[] = {1, 2, 3, 5, 9}, aparts[] = {0.2, 0.31, 0.39};
    for (int shape = 0; shape < STRIDE_SHAPES; ++shape)
    {
        Tally outcome = {0};
        for (int form = 0; form < 90; ++form)
        {
            MotionSetting setting = walker(shape, stride_rates[form / 15]);
            double lean = leans[form % 5], apart = aparts[form / 5 % 3];
            Actor actor = actor_of(&setting, wall_of_ribs(lean, 0.03, apart),
                                   vector(-1, motion_rest(&setting) + 0.01, 0));
            actor_land(&actor);
            actor_go(&actor, heading(3, form % 2 * 20.0), 2);
            double risen = actor_place(&actor).y - motion_rest(&setting);
            tally(&outcome, risen, apart, "leans by %g degrees, ribs every %g m, %d Hz: rises by %.2f m",
                  lean, apart, setting.rate, risen);
            actor_end(&actor);
        }
        cr_expect(outcome.faults == 0, "%s: %d of %d are climbed; %s", stride_shape_names[shape],
                  outcome.faults, outcome.cases, outcome.text);
    }
}
