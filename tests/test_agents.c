/* Agents that collide with one another, in the scenes of docs/crowd/figures.md: smaller ones at four tick rates and in two shapes. */
#include "agents_forms.h"

/* mm/s: a thousandth of a hair's width a second. On a lift the double coordinates of the crowd round. */
#define AT_REST 1e-6

static void come_to_rest(CrowdSetting setting)
{
    setting.until_rest = true;
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting one = form_of(setting, form);
        CrowdFigures figures = sound(&one);
        cr_expect_leq(figures.speed, AT_REST, "%s, shape %d, %d Hz: %g mm/s, %g mm/s to and fro",
                      crowd_name(one.kind), form % 2, one.rate, figures.speed, figures.vibration);
        cr_expect_eq(figures.airborne, 0, "%s, %d Hz: %d in the air", crowd_name(one.kind), one.rate,
                     figures.airborne);
    }
}

/* ---- crushes come to rest ---- */

Test(agents, a_crush_comes_to_rest)
{
    come_to_rest(small(CROWD_CRUSH, 80, 40, 0));
}

Test(agents, a_crush_into_a_corner_comes_to_rest)
{
    come_to_rest(small(CROWD_CORNER, 60, 40, 0));
}

Test(agents, a_crush_on_a_slope_comes_to_rest)
{
    come_to_rest(small(CROWD_SLOPE, 50, 40, 0));
}

Test(agents, a_queue_on_stairs_comes_to_rest)
{
    come_to_rest(small(CROWD_STAIRS, 24, 40, 0));
}

/* From a person to the nearest one before it, in whose path it stands. */
static double free_before(const CrowdScene *scene, uint32_t person)
{
    double nearest = INFINITY, width = 2 * (double)scene->setting.shape.radii.x;
    Vector here = crowd_place(scene, person);
    for (uint32_t i = 0; i < scene->count; ++i)
    {
        Vector away = vector_sub(crowd_place(scene, i), here);
        nearest = away.x > 0 && fabs(away.z) < width ? fmin(nearest, away.x) : nearest;
    }
    return nearest;
}

/* Centre to centre, persons that press are less than 1 m apart, on the stairs as before them. */
Test(agents, a_queue_closes_up_on_stairs)
{
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting setting = form_of(crowd_setting(CROWD_STAIRS), form);
        CrowdScene *scene = crowd_open(&setting);
        while (crowd_time(scene) < 15)
        {
            crowd_step(scene);
        }
        for (uint32_t i = 0; i < scene->count; ++i)
        {
            double most = scene->persons[i].is_hero ? (double)INFINITY : 1, free = free_before(scene, i);
            cr_expect_leq(free, most, "shape %d, %d Hz: %u has %g m before it", form % 2, setting.rate, i,
                          free);
        }
        crowd_close(scene);
    }
}

Test(agents, a_crowd_on_a_lift_rests_on_it)
{
    come_to_rest(small(CROWD_LIFT, 20, 40, 0));
    come_to_rest(small(CROWD_LIFT, 20, 40, 1));
}

Test(agents, masses_of_1_to_100_come_to_rest_in_a_corner)
{
    come_to_rest(small(CROWD_MASSES, 50, 40, 0));
}

/* Random starts. About one in fifteen shows the fault that a rule prevents, and others do once bits change, so there are several. */
typedef struct Start
{
    int rate;
    uint64_t seed;
} Start;

static void starts_come_to_rest(int agents, const Start *starts, int count)
{
    for (int i = 0; i < count; ++i)
    {
        CrowdSetting setting = small(CROWD_MASSES, agents, 40, 0);
        setting.rate = starts[i].rate;
        setting.seed = starts[i].seed;
        setting.until_rest = true;
        CrowdFigures figures = sound(&setting);
        cr_expect_leq(figures.speed, AT_REST, "%d Hz: %g mm/s", setting.rate, figures.speed);
    }
}

/* One agent of the jam closes a gap and is pushed back, again and again, if it may jitter. */
Test(agents, jams_in_which_one_would_jitter_come_to_rest)
{
    static const Start starts[5] = {{30, 9}, {60, 17}, {240, 19}, {120, 23}, {120, 7}};
    starts_come_to_rest(100, starts, 5);
}

Test(agents, jams_that_would_rock_come_to_rest)
{
    static const Start starts[5] = {{60, 2}, {240, 5}, {30, 14}, {120, 22}, {120, 89}};
    starts_come_to_rest(50, starts, 5);
}

Test(agents, sizes_of_1_to_4_come_to_rest)
{
    for (int corner = 0; corner < 2; ++corner)
    {
        for (int rate = 0; rate < 4; ++rate)
        {
            CrowdSetting setting = small(CROWD_RADII, 49, 60, corner);
            setting.until_rest = true;
            setting.rate = rates[rate];
            CrowdFigures figures = sound(&setting);
            cr_expect_leq(figures.speed, .28, "%d Hz: %g mm/s", setting.rate, figures.speed);
        }
    }
}

Test(agents, ellipsoids_and_capsules_of_all_heights_do_not_overlap)
{
    for (int rate = 0; rate < 4; ++rate)
    {
        CrowdSetting setting = small(CROWD_HEIGHTS, 64, 60, 0);
        setting.until_rest = true;
        setting.rate = rates[rate];
        CrowdFigures figures = sound(&setting);
        cr_expect_leq(figures.speed, .28, "%d Hz: %g mm/s", setting.rate, figures.speed);
    }
}

/* ---- ledges and falls ---- */

Test(agents, no_agent_is_pushed_off_a_ledge)
{
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting setting = form_of(small(CROWD_LEDGE, 60, 10, 0), form);
        sound(&setting);
    }
}

Test(agents, a_crowd_at_a_ledge_is_at_rest_after_40_seconds)
{
    come_to_rest(small(CROWD_LEDGE, 100, 40, 0));
    come_to_rest(small(CROWD_LEDGE, 150, 40, 0));
}

Test(agents, falls_onto_heads_do_not_overlap_and_slide_off)
{
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting setting = form_of(small(CROWD_HEADS, 56, 10, 0), form);
        CrowdFigures figures = sound(&setting);
        cr_expect_eq(figures.share, 1, "shape %d, %d Hz: %g are down", form % 2, setting.rate, figures.share);
    }
}

/* ---- one among many ---- */

Test(agents, one_at_20_metres_a_second_goes_through_no_other)
{
    for (int form = 0; form < FORMS; ++form)
    {
        for (int heavy = 0; heavy < 2; ++heavy)
        {
            CrowdSetting setting = form_of(small(CROWD_FAST, 81, 2, heavy ? 100 : 1), form);
            CrowdFigures figures = sound(&setting);
            cr_expect_leq(figures.fastest, heavy || setting.rate == 240 ? 3.01 : 1.95,
                          "mass %g, %d Hz: %g m/s in the crowd", setting.amount, setting.rate,
                          figures.fastest);
        }
    }
}

Test(agents, two_head_on_come_past_each_other_at_any_speed)
{
    const double speeds[3] = {1.4, 10, 60};
    for (int form = 0; form < FORMS; ++form)
    {
        for (int i = 0; i < 3; ++i)
        {
            CrowdSetting setting = form_of(small(CROWD_PASS, 2, i == 2 ? 1 : 4, speeds[i]), form);
            sound(&setting);
            CrowdScene *scene = crowd_open(&setting);
            for (int tick = 0; tick < setting.seconds * setting.rate; ++tick)
            {
                crowd_step(scene);
            }
            double apart = crowd_place(scene, 0).x - crowd_place(scene, 1).x;
            cr_expect_gt(apart, 1, "%g m/s, %d Hz: %g m", speeds[i], setting.rate, apart);
            crowd_close(scene);
        }
    }
}

Test(agents, a_player_of_infinite_mass_is_not_slowed_by_a_crowd)
{
    for (int form = 0; form < FORMS; ++form)
    {
        CrowdSetting setting = form_of(small(CROWD_GIANT, 100, 8, INFINITY), form);
        CrowdFigures figures = sound(&setting);
        double expected = -7 + 1.4 * 8;
        cr_expect(figures.hero_x > expected - .1 && figures.hero_x < expected + .01,
                  "%d Hz: %g instead of %g", setting.rate, figures.hero_x, expected);
    }
}

static double come_apart(CrowdSetting setting)
{
    const char *place = setting.amount > 0 ? "corner" : "open";
    CrowdFigures figures = crowd_measure(&setting);
    cr_expect(figures.apart >= 0 && figures.apart <= (setting.amount > 0 ? 9 : 2), "%s, %d Hz: %g s", place,
              setting.rate, figures.apart);
    /* A push of 3 m/s, and how fast they sink to the ground meanwhile. */
    cr_expect_leq(figures.fastest, setting.seed == 0 ? 3.01 : 3.04, "%s, %d Hz: %g m/s", place, setting.rate,
                  figures.fastest);
    cr_expect(figures.overlap_end <= 0 && figures.out == 0 && figures.stuck == 0,
              "%s, %d Hz: %g %%, %d out, %d stuck", place, setting.rate, figures.overlap_end, figures.out,
              figures.stuck);
    return figures.apart;
}

/* Their ids decide how they come apart: the time is the mean of some. */
Test(agents, agents_in_one_spot_come_apart_no_faster_than_a_push)
{
    for (int form = 0; form < FORMS; ++form)
    {
        for (int corner = 0; corner < 2; ++corner)
        {
            double sum = 0;
            for (uint64_t start = 0; start < 4; ++start)
            {
                CrowdSetting setting = form_of(small(CROWD_TELEPORT, 50, 10, corner), form);
                setting.seed = start;
                sum += come_apart(setting);
            }
            cr_expect_leq(sum / 4, corner ? 5.5 : 1.7, "%s, shape %d, %d Hz: %g s",
                          corner ? "corner" : "open", form % 2, rates[form / 2], sum / 4);
        }
    }
}

Test(agents, wandering_crowds_do_not_overlap)
{
    for (int form = 0; form < FORMS; ++form)
    {
        for (int dense = 0; dense < 2; ++dense)
        {
            CrowdSetting setting = form_of(small(CROWD_WANDER, 100, 4, dense ? 1.4 : 1), form);
            sound(&setting);
        }
    }
}

/* ---- equal bits ---- */

Test(agents, shuffled_scenes_end_in_equal_bits)
{
    const CrowdKind kinds[7] = {CROWD_CORNER, CROWD_TELEPORT, CROWD_RADII, CROWD_HEIGHTS,
                                CROWD_HEADS,  CROWD_LEDGE,    CROWD_MASSES};
    for (int i = 0; i < 7; ++i)
    {
        CrowdSetting setting = small(kinds[i], 50, 3, 0), shuffled = setting;
        shuffled.shuffled = true;
        cr_expect(crowd_measure(&setting).hash == crowd_measure(&shuffled).hash, "%s", crowd_name(kinds[i]));
    }
}
