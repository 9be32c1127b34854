/* Which agents collide, which of two yields by mass and comfort, and the reports about it. */
#include "support/crowd_scenes.h"
#include "support/few.h"

#include <criterion/criterion.h>

#include <string.h>

/* Whether the first comes through the second, or not even close. */
static bool passes(Few *few)
{
    double before = x_of(few, 1);
    walk_first(few, 2);
    bool is_free = fabs(x_of(few, 0) - 2.8) < 1e-3 && fabs(x_of(few, 1) - before) < 1e-9;
    bool is_held = x_of(few, 1) - x_of(few, 0) >= .8;
    cr_expect(is_free != is_held, "%g and %g", x_of(few, 0), x_of(few, 1));
    return is_free;
}

Test(agents_rules, agents_of_one_group_pass_and_of_two_do_not)
{
    const uint32_t groups[4][2] = {{0, 0}, {5, 5}, {5, 6}, {0, 5}};
    for (int i = 0; i < 4; ++i)
    {
        Few few = few_of(2, 1.2);
        few.moves[0].group = groups[i][0];
        few.moves[1].group = groups[i][1];
        cr_expect_eq(passes(&few), i == 1, "groups %u and %u", groups[i][0], groups[i][1]);
        scene_close(&few.scene);
    }
}

Test(agents_rules, each_of_two_has_to_collide_with_a_layer_of_the_other)
{
    const struct
    {
        uint32_t member[2], with[2];
        bool passes;
    } cases[6] = {{{0, 0}, {0, 0}, false}, {{1, 2}, {2, 1}, false}, {{1, 2}, {2, 2}, true},
                  {{1, 2}, {1, 1}, true},  {{1, 2}, {0, 4}, true},  {{6, 0}, {8, 4}, false}};
    for (int i = 0; i < 6; ++i)
    {
        Few few = few_of(2, 1.2);
        for (int k = 0; k < 2; ++k)
        {
            few.moves[k].member_of = cases[i].member[k];
            few.moves[k].collides_with_agents = cases[i].with[k];
        }
        cr_expect_eq(passes(&few), cases[i].passes, "case %d", i);
        scene_close(&few.scene);
    }
}

Test(agents_rules, an_agent_without_agents_passes_whichever_of_the_two_it_is)
{
    for (int i = 0; i < 2; ++i)
    {
        Few few = few_of(2, 1.2);
        few.moves[i].flags = SIDLE_MOVE_NO_AGENTS;
        cr_expect(passes(&few));
        scene_close(&few.scene);
    }
}

Test(agents_rules, without_the_flag_agents_of_a_tick_pass)
{
    Few few = few_of(2, 1.2);
    few.flags = 0;
    cr_expect(passes(&few));
    scene_close(&few.scene);
}

/* ---- mass ---- */

/* How far the first has pushed the second in two seconds. */
static double pushed_by(float mass, float other)
{
    Few few = few_of(2, 1.2);
    few.moves[0].mass = mass;
    few.moves[1].mass = other;
    walk_first(&few, 2);
    double pushed = x_of(&few, 1) - 1.2;
    cr_expect(x_of(&few, 1) - x_of(&few, 0) >= .8);
    scene_close(&few.scene);
    return pushed;
}

Test(agents_rules, a_heavier_agent_pushes_farther)
{
    double light = pushed_by(.1f, 1), equal = pushed_by(1, 1), heavy = pushed_by(100, 1);
    cr_expect(light < equal && equal < heavy, "%g, %g, %g", light, equal, heavy);
    cr_expect(pushed_by(0, 1) == equal && pushed_by(1, 0) == equal, "0 is a mass of 1");
    cr_expect_eq(pushed_by(50, 50), pushed_by(2, 2), "the ratio counts");
}

Test(agents_rules, infinite_mass_is_not_moved_and_pushes_at_full_speed)
{
    cr_expect_eq(pushed_by(1, INFINITY), 0);
    double pushed = pushed_by(INFINITY, 1);
    cr_expect(pushed > 2.4 && pushed < 2.48, "%g", pushed);
}

Test(agents_rules, an_invalid_mass_is_refused_and_is_nothing_to_the_others)
{
    const float masses[3] = {-1, NAN, -INFINITY};
    for (int i = 0; i < 3; ++i)
    {
        Few few = few_of(2, 1.2);
        few.moves[1].mass = masses[i];
        sidle_body before = few.moves[1].body;
        walk_first(&few, 2);
        cr_expect(few.results[1].reasons == SIDLE_REASON_INVALID);
        cr_expect(few.results[1].body.flags & SIDLE_BODY_INVALID);
        cr_expect(memcmp(&before.center, &few.results[1].body.center, sizeof before.center) == 0);
        cr_expect_float_eq(x_of(&few, 0), 2.8, 1e-3);
        scene_close(&few.scene);
    }
}

/* ---- comfort ---- */

Test(agents_rules, neighbours_keep_the_gap_that_their_profile_asks_for)
{
    const float comforts[4] = {.5f, .25f, 0, -1};
    const double least[4] = {.5, .25, .15, 0};
    for (int i = 0; i < 4; ++i)
    {
        Few few = few_of(2, .84);
        sidle_profile profile = few.scene.options.profile;
        profile.comfort = comforts[i];
        sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
        sidle_crowd_destroy(few.scene.crowd);
        demand(sidle_crowd_create(&desc, NULL, &few.scene.crowd), "sidle_crowd_create");
        for (int tick = 0; tick < 120; ++tick)
        {
            tick_few(&few);
        }
        double gap = (x_of(&few, 1) - x_of(&few, 0) - .8) / .4;
        cr_expect(gap > least[i] - .01 && gap < fmax(least[i], .1) + .01, "comfort %g keeps %g radii",
                  (double)comforts[i], gap);
        scene_close(&few.scene);
    }
}

/* ---- reports ---- */

static const sidle_contact *agent_contact(const Few *few, uint32_t agent)
{
    const sidle_result *result = &few->results[agent];
    for (uint32_t i = 0; i < result->contact_count; ++i)
    {
        const sidle_contact *contact = &few->contacts[result->contact_first + i];
        if (contact->feature == SIDLE_FEATURE_AGENT)
        {
            return contact;
        }
    }
    return NULL;
}

Test(agents_rules, contacts_name_the_other_agent_and_point_away_from_it)
{
    Few few = few_of(2, 1.2);
    few.moves[1].mass = INFINITY;
    tick_few(&few);
    cr_expect_null(agent_contact(&few, 0), "too far apart for a contact");
    walk_first(&few, 1);
    for (uint32_t i = 0; i < 2; ++i)
    {
        const sidle_contact *contact = agent_contact(&few, i);
        cr_assert_not_null(contact, "agent %u", i);
        cr_expect(contact->agent == 10 + i && contact->instance_key == 11 - i);
        cr_expect_float_eq(contact->normal.x, i == 0 ? -1 : 1, 1e-3);
        cr_expect_float_eq(contact->point.x, x_of(&few, i) + (i == 0 ? .4 : -.4), .01);
    }
    cr_expect(few.results[0].reasons & SIDLE_REASON_AGENT);
    cr_expect_not(few.results[1].reasons & SIDLE_REASON_AGENT, "nothing kept it from its wish");
    few.moves[0].flags = SIDLE_MOVE_NO_CONTACTS;
    tick_few(&few);
    cr_expect_eq(few.results[0].contact_count, 0);
    cr_expect(few.results[0].reasons & SIDLE_REASON_AGENT);
    scene_close(&few.scene);
}

/* What happens to the touch of the first agent with the second, as letters: begins, persists, ends. */
static void note_events(const sidle_contacts *before, const sidle_contacts *now, char *text)
{
    sidle_contact_event list[4 * FEW * SIDLE_MAX_AGENT_CONTACTS];
    sidle_contact_events events = {
        .size = sizeof events, .list = list, .capacity = sizeof list / sizeof *list};
    demand(sidle_contacts_diff(before, now, &events), "sidle_contacts_diff");
    for (uint32_t i = 0; i < events.count; ++i)
    {
        const sidle_contact *contact = &list[i].contact;
        if (contact->agent == 10 && contact->feature == SIDLE_FEATURE_AGENT)
        {
            cr_expect_eq(contact->instance_key, 11);
            *text++ = list[i].kind == SIDLE_CONTACT_BEGINS ? 'b'
                      : list[i].kind == SIDLE_CONTACT_ENDS ? 'e'
                                                           : 'p';
        }
    }
    *text = 0;
}

Test(agents_rules, a_touch_of_two_agents_begins_persists_and_ends)
{
    Few few = few_of(2, 1.2);
    few.moves[1].mass = INFINITY;
    sidle_contact kept[FEW * SIDLE_MAX_AGENT_CONTACTS];
    sidle_contacts before = {kept, 0};
    char events[128] = "";
    for (int tick = 0; tick < 60; ++tick)
    {
        few.moves[0].displacement.x = (tick < 40 ? 1.4f : -1.4f) / 60;
        tick_few(&few);
        sidle_contacts now = {few.contacts, few.contact_count};
        note_events(&before, &now, events + strlen(events));
        memcpy(kept, few.contacts, few.contact_count * sizeof *kept);
        before.count = few.contact_count;
    }
    size_t length = strlen(events);
    cr_assert(length > 10 && length < 60, "%s", events);
    cr_expect(events[0] == 'b' && events[length - 1] == 'e', "%s", events);
    cr_expect_eq(strspn(events + 1, "p"), length - 2, "%s", events);
    scene_close(&few.scene);
}

/* ---- shapes ---- */

/* Their cores are side by side all the time, but the planes between where one is now and the other will be are not upright. */
Test(agents_rules, a_capsule_does_not_enter_another_that_wishes_to_go_down_fast)
{
    Few few = few_of(2, 1.1);
    sidle_profile profile = few.scene.options.profile;
    profile.shape = (sidle_shape){.radii = {.4f, .65f, .4f}, .half_height = 1};
    profile.mode = SIDLE_SLIDE;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd_destroy(few.scene.crowd);
    demand(sidle_crowd_create(&desc, NULL, &few.scene.crowd), "sidle_crowd_create");
    few.moves[0].body.center.y = 1.7;
    few.moves[1].body = (sidle_body){.center = {1.1, 1.7, 0}};
    few.moves[0].displacement.y = -.87f;
    few.moves[1].displacement.x = -.5f;
    few.moves[1].mass = INFINITY;
    tick_few(&few);
    double gap = x_of(&few, 1) - x_of(&few, 0) - .8;
    cr_expect(gap >= 0, "%g", gap);
    scene_close(&few.scene);
}

/* Their normal is almost upright where they come closest. */
Test(agents_rules, an_agent_does_not_run_into_another_that_falls_in_front_of_it)
{
    Few few = few_of(2, 3);
    few.moves[0].displacement.x = .5f;
    few.moves[1].body =
        (sidle_body){.center = {.55, few.moves[0].body.center.y + 2.6, 0}, .velocity = {0, -54, 0}};
    few.moves[1].mass = INFINITY;
    tick_few(&few);
    CrowdBody bodies[2];
    for (int i = 0; i < 2; ++i)
    {
        bodies[i] = crowd_body(&few.scene.options.profile.shape, (sidle_quat){0}, &few.moves[i].body.center);
    }
    cr_expect_geq(crowd_gap(&bodies[0], &bodies[1]), 0);
    scene_close(&few.scene);
}

/* A lane between rows of agents that are nearer at the start. `id`: of the agent that walks along it. */
static double gap_in_lane(uint64_t id)
{
    enum
    {
        BESIDE = 400
    };
    static sidle_move moves[BESIDE + 2];
    static sidle_result results[BESIDE + 2];
    Few few = few_of(2, 3.2);
    for (int i = 0; i < 2; ++i)
    {
        moves[i] = few.moves[i];
        moves[i].id = i == 0 ? id : 1000;
    }
    for (int i = 0; i < BESIDE; ++i)
    {
        double side = i % 2 ? 1 : -1, x = .85 * (i / 2 % 20 - 10), z = side * .85 * (1 + i / 40);
        moves[i + 2] = few.moves[0];
        moves[i + 2].id = 1 + (uint64_t)i;
        moves[i + 2].body.center.x = x;
        moves[i + 2].body.center.z = z;
    }
    moves[0].displacement.x = 3.2f;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = few.scene.snapshot,
                            .dt = .5f,
                            .moves = moves,
                            .count = BESIDE + 2,
                            .results = results,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(few.scene.crowd, &tick), "sidle_crowd_tick");
    CrowdBody bodies[2];
    for (int i = 0; i < 2; ++i)
    {
        bodies[i] = crowd_body(&few.scene.options.profile.shape, (sidle_quat){0}, &results[i].body.center);
    }
    scene_close(&few.scene);
    return crowd_gap(&bodies[0], &bodies[1]);
}

Test(agents_rules, an_agent_does_not_enter_one_that_stands_on_its_path_among_many)
{
    cr_expect_geq(gap_in_lane(0), 0, "%g", gap_in_lane(0));
    cr_expect_geq(gap_in_lane(2000), 0, "%g", gap_in_lane(2000));
}

typedef struct Turned
{
    sidle_shape shape;
    uint32_t mode;
    bool is_any; /* rotation, else a quarter turn of the second about y */
} Turned;

static sidle_quat drawn_rotation(Random *random)
{
    Vector v = random_direction(random);
    return (sidle_quat){(float)v.x, (float)v.y, (float)v.z, (float)random_between(random, -1, 1)};
}

/* Two in random places that wish to go anywhere. Returns their least gap in the ticks after they are apart. */
static double least_gap(const Turned *turned)
{
    Few few = few_of(2, 3);
    sidle_profile profile = few.scene.options.profile;
    profile.shape = turned->shape;
    profile.mode = turned->mode;
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd_destroy(few.scene.crowd);
    demand(sidle_crowd_create(&desc, NULL, &few.scene.crowd), "sidle_crowd_create");
    few.moves[1].rotation = (sidle_quat){0, 1, 0, 1};
    Random random = random_seeded(8);
    double least = INFINITY, wide = turned->is_any ? 1.2 : .5, high = turned->is_any ? 3 : .67;
    for (uint32_t round = 0; round < 500; ++round)
    {
        CrowdBody bodies[2];
        for (int i = 0; i < 2; ++i)
        {
            Vector at = random_in_box(&random, vector(-wide, high, -wide), vector(wide, high, wide)),
                   wish = random_in_box(&random, vector(-1, 0, -1), vector(1, 0, 1));
            few.moves[i].rotation = turned->is_any ? drawn_rotation(&random) : few.moves[i].rotation;
            few.moves[i].body = (sidle_body){.center = {at.x, at.y, at.z}};
            few.moves[i].displacement = (sidle_vec3){(float)wish.x, 0, (float)wish.z};
            bodies[i] = crowd_body(&profile.shape, few.moves[i].rotation, &few.moves[i].body.center);
        }
        if (crowd_gap(&bodies[0], &bodies[1]) < 1e-3)
        {
            continue;
        }
        for (int tick = 0; tick < 4; ++tick)
        {
            tick_few(&few);
            for (int i = 0; i < 2; ++i)
            {
                bodies[i] = crowd_body(&profile.shape, few.moves[i].rotation, &few.moves[i].body.center);
            }
            least = fmin(least, crowd_gap(&bodies[0], &bodies[1]));
        }
    }
    scene_close(&few.scene);
    return least;
}

/* In a tick those inside one another go no farther than .05 m. The last keeps .06 m, and its gap is .11 m. */
Test(agents_rules, agents_inside_one_another_push_none_that_they_cannot_reach)
{
    Few few = few_of(4, .1);
    few.moves[3].body.center.x = few.moves[2].body.center.x + .91;
    double before = x_of(&few, 3);
    tick_few(&few);
    cr_expect_gt(x_of(&few, 2), before - .9, "those inside one another do not move");
    cr_expect_eq(x_of(&few, 3), before, "%g m", x_of(&few, 3) - before);
    scene_close(&few.scene);
}

/* The matrices of both are diagonal, and differ. */
Test(agents_rules, two_of_one_long_shape_do_not_overlap_when_one_has_made_a_quarter_turn)
{
    const Turned turned = {.shape = {.radii = {.4f, .65f, .1f}}, .mode = SIDLE_WALK};
    double least = least_gap(&turned);
    cr_expect_gt(least, -1e-6, "%g", least);
}

/* The nearest points of their cores depend on the ellipsoids around them. */
Test(agents_rules, elliptic_capsules_that_are_rotated_anyhow_do_not_overlap)
{
    const Turned turned[2] = {
        {.shape = {.radii = {.25f, .25f, .35f}, .half_height = .6f}, .mode = SIDLE_FLY, .is_any = true},
        {.shape = {.radii = {.4f, .65f, .1f}, .half_height = .3f}, .mode = SIDLE_FLY, .is_any = true}};
    for (int i = 0; i < 2; ++i)
    {
        double least = least_gap(&turned[i]);
        cr_expect_gt(least, -1e-6, "%d: %g", i, least);
    }
}
