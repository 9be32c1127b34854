/* Capsules as agents. */
#include "support/cases.h"
#include "support/oracle_core.h"
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#define RADIUS 0.4
#define HALF   0.5
#define REST   (RADIUS * 1.02 + HALF)

static SceneOptions capsule(uint32_t mode)
{
    SceneOptions options = mode == SIDLE_FLY    ? flying_ball()
                           : mode == SIDLE_WALK ? walking_ball()
                                                : sliding_ball();
    options.profile.shape = (sidle_shape){.radii = {0.4f, 0.4f, 0.4f}, .half_height = 0.5f};
    return options;
}

/* Checks of a ball's named cases that do not ask how high it stands; and all of them with a core so short
 * that it changes nothing but the code path. */
static void cases_hold(double core, const int *numbers, size_t count)
{
    scene_use_core(core);
    for (size_t i = 0; i < count; ++i)
    {
        const Case *named = case_numbered(numbers[i]);
        Report report = {0};
        named->check(&report);
        cr_expect(report_holds(&report), "%d %s, core %g: %s", named->number, named->name, core, report.text);
    }
    scene_use_core(0);
}

Test(capsule, named_cases_hold_with_a_tiny_core)
{
    const int numbers[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                           20, 21, 22, 23, 24, 25, 26, 27, 29, 30, 31, 32, 33, 34, 35, 36, 51, 53};
    cases_hold(1e-6, numbers, sizeof numbers / sizeof *numbers);
}

Test(capsule, named_cases_that_ask_for_no_height_hold_with_a_core)
{
    const int numbers[] = {2,  3,  4,  5,  6,  7,  8,  10, 15, 16, 18, 19,
                           23, 28, 29, 31, 32, 33, 34, 35, 36, 37, 51, 53};
    cases_hold(0.3, numbers, sizeof numbers / sizeof *numbers);
}

Test(capsule, it_rests_one_skin_above_the_floor_it_falls_on)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    Scene scene = scene_of(floor, capsule(SIDLE_WALK));
    Agent agent = agent_at(0.3, 2, 0.2);
    scene_ticks(&scene, &agent, vector(0, 0, 0), 90);
    cr_expect_float_eq(agent_center(&agent).y, REST, 1e-5, "at %.9g", agent_center(&agent).y);
    cr_expect(agent.body.flags & SIDLE_BODY_GROUNDED);
    Agent before = agent;
    scene_ticks(&scene, &agent, vector(0, 0, 0), 10);
    cr_expect(agent_same_bits(&agent, &before), "jitters");
    scene_close(&scene);
}

/* A pair of directions: along the surface, and into it. */
static void slide_without_ghosts(Soup soup, Vector start, Vector into, double turn, bool upright_surface)
{
    Scene scene = scene_of(soup, capsule(SIDLE_FLY));
    Agent agent = agent_in(start);
    Vector along = upright_surface ? vector(0, 0.3 * sin(turn), cos(turn)) : vector(cos(turn), 0, sin(turn));
    Vector step = vector_scale(along, 0.04);
    for (int tick = 0; tick < 40; ++tick)
    {
        Vector before = agent_center(&agent);
        scene_tick(&scene, &agent, vector_add(step, into));
        double moved = vector_dot(vector_sub(agent_center(&agent), before), vector_unit(step));
        cr_assert_float_eq(moved, vector_length(step), 1e-5, "moves %.9g in tick %d, turn %g", moved, tick,
                           turn);
    }
    cr_assert(scene_clearance(&scene, &agent) >= 1.01 - 1e-5);
    scene_close(&scene);
}

Test(capsule, a_flat_grid_has_no_ghost_hits)
{
    const double cells[] = {0.05, 0.2, 0.5, 1, 5};
    for (int i = 0; i < 5; ++i)
    {
        for (int angle = 0; angle < 12; ++angle)
        {
            Soup grid = {0};
            soup_grid(&grid, i == 0 ? 80 : (int)fmin(12.0 / cells[i], 30), cells[i], 0);
            Vector start = vector(0.01, REST, 0.02);
            slide_without_ghosts(grid, start, vector(0, -0.02, 0), angle * 0.5236 + 0.01, false);
        }
    }
}

Test(capsule, a_wall_of_tiles_has_no_ghost_hits)
{
    const double cells[] = {0.1, 0.3, 1, 4};
    for (int i = 0; i < 4; ++i)
    {
        for (int angle = 0; angle < 8; ++angle)
        {
            Soup grid = {0}, wall = {0};
            soup_grid(&grid, (int)(8.0 / cells[i]), cells[i], 0);
            for (size_t t = 0; t < grid.count; ++t) /* stands at x = 0, its front towards +x or -x */
            {
                const Vector *v = grid.triangles[t].v;
                soup_triangle(&wall, vector(0, v[0].x, v[0].z), vector(0, v[1].x, v[1].z),
                              vector(0, v[2].x, v[2].z));
            }
            soup_free(&grid);
            slide_without_ghosts(wall, vector(RADIUS * 1.02, 0.03, 0.02), vector(-0.02, 0, 0),
                                 angle * 0.785 + 0.02, true);
        }
    }
}

static double height_behind_step(double rise)
{
    Soup stairs = {0};
    soup_quad(&stairs, vector(-5, 0, -5), vector(-5, 0, 5), vector(1, 0, 5), vector(1, 0, -5));
    soup_quad(&stairs, vector(1, 0, -5), vector(1, 0, 5), vector(1, rise, 5), vector(1, rise, -5));
    soup_quad(&stairs, vector(1, rise, -5), vector(1, rise, 5), vector(9, rise, 5), vector(9, rise, -5));
    SceneOptions options = capsule(SIDLE_WALK);
    options.profile.step_up = 0.35f;
    Scene scene = scene_of(stairs, options);
    Agent agent = agent_at(-1, REST, 0);
    scene_ticks(&scene, &agent, vector(0.04, 0, 0), 120);
    double height = agent_center(&agent).y - REST;
    scene_close(&scene);
    return height;
}

Test(capsule, it_climbs_steps_up_to_its_limit_and_no_higher)
{
    cr_expect_float_eq(height_behind_step(0.2), 0.2, 1e-4);
    cr_expect_float_eq(height_behind_step(0.34), 0.34, 1e-4);
    cr_expect_float_eq(height_behind_step(0.37), 0.0, 1e-4);
    cr_expect_float_eq(height_behind_step(0.6), 0.0, 1e-4); /* where its side is upright */
}

Test(capsule, a_ceiling_stops_its_head)
{
    Soup room = {0};
    soup_floor(&room, 10, 0);
    soup_quad(&room, vector(-5, 3, -5), vector(5, 3, -5), vector(5, 3, 5), vector(-5, 3, 5));
    Scene scene = scene_of(room, capsule(SIDLE_FLY));
    Agent agent = agent_at(0.1, 1.2, 0.3);
    scene_ticks(&scene, &agent, vector(0, 0.05, 0), 40);
    cr_expect_float_eq(agent_center(&agent).y, 3 - REST, 1e-5);
    cr_expect(agent.reasons & SIDLE_REASON_CEILING);
    scene_close(&scene);
}

Test(capsule, a_one_sided_floor_carries_from_above_and_lets_through_from_below)
{
    Soup floor = {0};
    soup_floor(&floor, 10, 0);
    SceneOptions options = capsule(SIDLE_FLY);
    options.profile.flags = SIDLE_PROFILE_ONE_SIDED;
    Scene scene = scene_of(floor, options);
    Agent above = agent_at(0, 1.5, 0), below = agent_at(0, -1.5, 0);
    scene_ticks(&scene, &above, vector(0, -0.05, 0), 60);
    scene_ticks(&scene, &below, vector(0, -0.05, 0), 60);
    cr_expect_float_eq(agent_center(&above).y, REST, 1e-5);
    cr_expect_float_eq(agent_center(&below).y, -4.5, 1e-5);
    below = agent_at(0, -1.5, 0);
    scene_ticks(&scene, &below, vector(0, 0.11, 0), 1);
    cr_expect_float_eq(agent_center(&below).y, -1.39, 1e-5);
    scene_close(&scene);
}

/* A slat lower than .014 radii has no front: an agent from either side is held. */
Test(capsule, a_one_sided_capsule_is_held_by_both_sides_of_a_needle)
{
    Soup slat = {0};
    soup_triangle(&slat, vector(0, 0, -4), vector(0, 0, 4), vector(0, 0.005, 0));
    SceneOptions options = capsule(SIDLE_FLY);
    options.profile.flags = SIDLE_PROFILE_ONE_SIDED;
    Scene scene = scene_of(slat, options);
    for (int side = -1; side <= 1; side += 2)
    {
        Agent agent = agent_at(2 * side, 0, 0);
        scene_ticks(&scene, &agent, vector(-0.05 * side, 0, 0), 60);
        double away = agent_center(&agent).x * side;
        cr_expect(away > 0.4 && away < 0.41, "from %d: %g", side, away);
    }
    scene_close(&scene);
}

/* Float does not serve triangles of this size: all is answered in double lanes. */
Test(capsule, triangles_of_a_hundred_kilometres_carry_and_stop_it)
{
    Soup corner = {0};
    soup_floor(&corner, 1e5, 0);
    soup_quad(&corner, vector(3, -1e5, 1e5), vector(3, 1e5, 1e5), vector(3, 1e5, -1e5),
              vector(3, -1e5, -1e5));
    Scene scene = scene_of(corner, capsule(SIDLE_WALK));
    Agent agent = agent_at(0, 1.5, 0);
    scene_ticks(&scene, &agent, vector(0.05, 0, 0.01), 120);
    cr_expect_float_eq(agent_center(&agent).y, REST, 1e-4, "%.9g", agent_center(&agent).y);
    cr_expect_float_eq(agent_center(&agent).x, 3 - RADIUS * 1.02, 1e-4, "%.9g", agent_center(&agent).x);
    cr_expect(agent_center(&agent).z > 0.9);
    scene_close(&scene);
}

/* ---- any rotation ---- */

static sidle_quat random_quat(Random *random)
{
    Vector axis = random_direction(random);
    double angle = random_between(random, 0, 3.1), s = sin(angle / 2);
    return (sidle_quat){(float)(axis.x * s), (float)(axis.y * s), (float)(axis.z * s), (float)cos(angle / 2)};
}

static Vector core_of(sidle_quat q, double half)
{
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double n = x * x + y * y + z * z + w * w;
    return vector_scale(vector(2 * (x * y - w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z + w * x) / n),
                        half);
}

static double core_clearance(const Soup *soup, Vector core, Vector center)
{
    double least = INFINITY;
    for (size_t i = 0; i < soup->count; ++i)
    {
        least = fmin(least, oracle_core(soup->triangles[i].v, core, center).distance);
    }
    return least / RADIUS;
}

static Soup random_soup(Random *random)
{
    Soup soup = {0};
    uint32_t count = 4 + random_below(random, 24);
    for (uint32_t i = 0; i < count; ++i)
    {
        Vector v[3], middle = random_in_box(random, vector(-3, -3, -3), vector(3, 3, 3));
        double size = random_scale(random, 0.1, 3.0);
        for (int corner = 0; corner < 3; ++corner)
        {
            v[corner] = vector_as_float(vector_along(middle, size, random_direction(random)));
        }
        soup_triangle(&soup, v[0], v[1], v[2]);
        if (random_chance(random, 0.5)) /* a neighbour over an edge */
        {
            soup_triangle(&soup, v[1], v[0],
                          vector_as_float(vector_along(v[2], size, random_direction(random))));
        }
    }
    return soup;
}

static void expect_contacts_on_triangles(const Scene *scene, const Agent *agent)
{
    for (uint32_t i = 0; i < agent->contact_count; ++i)
    {
        const sidle_contact *contact = &agent->contacts[i];
        Vector point = vector(contact->point.x, contact->point.y, contact->point.z);
        const Vector *v = scene->soup.triangles[contact->triangle].v;
        double off = oracle_closest(v, point).distance;
        cr_assert(off < 1e-5, "a contact is %g off its triangle", off);
    }
}

/* In any rotation, anywhere in a soup. */
typedef struct Lost
{
    Scene scene;
    Vector core;
    Agent agent;
} Lost;

static Lost lost_in_a_soup(Random *random)
{
    Soup soup = random_soup(random);
    sidle_quat rotation = random_quat(random);
    Lost lost = {.scene = scene_of(soup, capsule(SIDLE_FLY)),
                 .core = core_of(rotation, HALF),
                 .agent = agent_in(random_in_box(random, vector(-3, -3, -3), vector(3, 3, 3)))};
    lost.agent.rotation = rotation;
    return lost;
}

static double clearance_of(const Lost *lost)
{
    return core_clearance(&lost->scene.soup, lost->core, agent_center(&lost->agent));
}

Test(capsule, it_wanders_without_overlap_in_any_rotation)
{
    Random random = random_seeded(401);
    uint32_t hindered = 0, stuck = 0;
    for (int round = 0; round < 400; ++round)
    {
        Lost lost = lost_in_a_soup(&random);
        bool is_free = clearance_of(&lost) > 1.03;
        for (int tick = 0; is_free && tick < 40; ++tick)
        {
            Vector wish = vector_scale(random_direction(&random), random_scale(&random, 0.01, 1.0));
            scene_tick(&lost.scene, &lost.agent, wish);
            double clearance = clearance_of(&lost);
            cr_assert(clearance > 1.01 - 1e-5, "round %d, tick %d: clearance %.9g", round, tick, clearance);
            expect_contacts_on_triangles(&lost.scene, &lost.agent);
            hindered += (lost.agent.reasons & SIDLE_REASON_WALL) != 0;
            stuck += (lost.agent.reasons & (SIDLE_REASON_STUCK | SIDLE_REASON_OVERLAP)) != 0;
        }
        scene_close(&lost.scene);
    }
    cr_expect(hindered > 200, "too tame to show anything: %u", hindered);
    cr_expect_eq(stuck, 0, "%u overlaps of agents that began free", stuck);
}

Test(capsule, from_any_start_it_is_freed_or_reports_stuck)
{
    Random random = random_seeded(402);
    uint32_t embedded = 0, freed = 0;
    for (int round = 0; round < 200; ++round)
    {
        Lost lost = lost_in_a_soup(&random);
        bool is_free = clearance_of(&lost) >= 1.01;
        embedded += !is_free;
        for (int tick = 0; !is_free && tick < 60; ++tick)
        {
            scene_tick(&lost.scene, &lost.agent, vector(0, 0, 0));
            double clearance = clearance_of(&lost);
            bool reports_stuck = (lost.agent.reasons & SIDLE_REASON_STUCK) != 0;
            cr_assert(reports_stuck || clearance > 1.0 - 1e-5,
                      "round %d, tick %d: clearance %.9g without a report", round, tick, clearance);
            is_free = !reports_stuck;
            freed += is_free;
        }
        scene_close(&lost.scene);
    }
    cr_expect(embedded > 30 && freed > embedded / 2, "%u of %u came out", freed, embedded);
}

/* The sweeps of one tick; the agent stays where it is. */
static uint64_t sweeps_of(const Scene *scene, const Agent *agent, sidle_vec3 displacement)
{
    sidle_stats stats = {.size = sizeof stats};
    sidle_move move = {.body = agent->body, .displacement = displacement};
    sidle_result result;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = scene->snapshot,
                            .dt = 1 / 60.f,
                            .moves = &move,
                            .results = &result,
                            .count = 1,
                            .stats = &stats};
    demand(sidle_crowd_tick(scene->crowd, &tick), "sidle_crowd_tick");
    return stats.sweeps;
}

/* Each of its sweeps would take as long as a hundred moves. */
Test(capsule, it_stays_while_hundreds_of_triangles_overlap_it)
{
    Soup grid = {0};
    soup_grid(&grid, 44, .03, 0);
    SceneOptions options = capsule(SIDLE_FLY);
    options.profile.recovery_speed = .6f; /* 4 mm a tick */
    Scene scene = scene_of(grid, options);
    double depth = .12, low = .9;
    Agent agent = agent_at(0, low - depth, 0);
    cr_expect_eq(sweeps_of(&scene, &agent, (sidle_vec3){.02f, 0, 0}), 0);
    for (int tick = 0; tick < 40; ++tick)
    {
        scene_tick(&scene, &agent, vector(.02, 0, 0));
    }
    cr_expect_gt(agent_center(&agent).y, low, "is not pushed out");
    cr_expect_gt(agent_center(&agent).x, .1, "is free, but comes only to %g", agent_center(&agent).x);
    scene_close(&scene);
}

/* Too near to each other to be clear of both: no path out of one may lead into the other, by which no
 * sweep is held once it crosses the core. */
Test(capsule, jammed_between_two_slopes_it_is_pushed_through_neither)
{
    Random random = random_seeded(403);
    for (int round = 0; round < 400; ++round)
    {
        double x = random_between(&random, -0.1, 0.1), z = random_between(&random, -0.1, 0.1); /* slopes */
        double half = random_between(&random, 0.3, 1.3),
               below = 0.02 * half + random_between(&random, 0.01, 0.09);
        double above = random_between(&random, 0.9, 1.0 - below), roof = 2 * half + below + above;
        Soup jam = {0};
        soup_triangle(&jam, vector(-9, -9 * (x + z), -9), vector(0, 9 * z, 9), vector(9, 9 * (x - z), -9));
        soup_triangle(&jam, vector(-9, roof - 9 * (x + z), -9), vector(9, roof + 9 * (x - z), -9),
                      vector(0, roof + 9 * z, 9));
        SceneOptions options = round % 2 ? walking_ball() : flying_ball();
        options.profile.shape = (sidle_shape){.radii = {1, 1, 1}, .half_height = (float)half};
        Scene scene = scene_of(jam, options);
        Agent agent = agent_at(0, half + below, 0);
        for (int tick = 0; tick < 3; ++tick)
        {
            scene_tick(&scene, &agent, vector(0, 0, 0));
            Vector at = agent_center(&agent);
            double low = at.y - half - (x * at.x + z * at.z), high = roof - 2 * half - low;
            cr_assert(low > 0 && high > 0, "round %d, tick %d: %g above one, %g below the other", round, tick,
                      low, high);
            cr_assert(agent.reasons & SIDLE_REASON_STUCK, "round %d, tick %d: without a report", round, tick);
        }
        scene_close(&scene);
    }
}
