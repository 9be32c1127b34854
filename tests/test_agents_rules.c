/* Which agents collide, who yields by mass and comfort, and the reports about it. */
#include "support/stage.h"
#include "support/ticked.h"
#include "support/troop.h"

#include <criterion/criterion.h>

#include <string.h>

#define TICKS 60

/* ---- a few persons on a floor ---- */

#define FEW 4

typedef struct Few
{
    Scene scene;
    sidle_move moves[FEW];
    sidle_result results[FEW];
    sidle_contact contacts[FEW * SIDLE_MAX_AGENT_CONTACTS];
    uint32_t count, contact_count;
    uint32_t flags; /* of the ticks */
} Few;

static void tick_few(Few *few)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = few->scene.snapshot,
                            .dt = 1.0f / 60,
                            .moves = few->moves,
                            .count = few->count,
                            .results = few->results,
                            .contacts = few->contacts,
                            .contact_capacity = FEW * SIDLE_MAX_AGENT_CONTACTS,
                            .contact_count = &few->contact_count,
                            .flags = few->flags};
    demand(sidle_crowd_tick(few->scene.crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < few->count; ++i)
    {
        few->moves[i].body = few->results[i].body;
    }
}

/* `count` persons in a row along x, `apart` from centre to centre, that stand on a floor. */
static Few few_of(uint32_t count, double apart)
{
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.4f, .9f, .4f};
    Soup soup = {0};
    soup_floor(&soup, 30, 0);
    Few few = {.scene = scene_of(soup, options), .count = count};
    for (uint32_t i = 0; i < count; ++i)
    {
        few.moves[i] = (sidle_move){.id = 10 + i, .body = {.center = {apart * i, .92, 0}}};
    }
    for (int i = 0; i < 3; ++i)
    {
        tick_few(&few);
    }
    few.flags = SIDLE_TICK_AGENTS_COLLIDE;
    return few;
}

/* The first walks towards the others for so many seconds. */
static void walk_first(Few *few, double seconds)
{
    few->moves[0].displacement.x = 1.4f / 60;
    for (int i = 0; i < (int)(seconds * 60); ++i)
    {
        tick_few(few);
    }
}

static double x_of(const Few *few, uint32_t i)
{
    return few->moves[i].body.center.x;
}

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

/* ---- no agent near ---- */

Test(agents_rules, an_agent_alone_moves_to_the_same_bits_with_and_without_the_flag)
{
    Scene level = troop_level();
    for (uint32_t seed = 0; seed < 12; ++seed)
    {
        Troop troops[2] = {troop_of(seed + 1), troop_of(seed + 1)};
        sidle_crowd *crowd = troop_crowd(0, NULL);
        for (uint32_t tick = 0; tick < TICKS; ++tick)
        {
            for (int i = 0; i < 2; ++i)
            {
                sidle_tick_desc desc = troop_tick(&troops[i], &level, tick);
                desc.moves += seed; /* the last alone */
                desc.results += seed;
                desc.count = 1;
                desc.flags = i == 0 ? 0 : SIDLE_TICK_AGENTS_COLLIDE;
                demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
                troops[i].moves[seed].body = troops[i].results[seed].body;
            }
            cr_assert(same_body(&troops[0].moves[seed].body, &troops[1].moves[seed].body),
                      "agent %u, tick %u", seed, tick);
            cr_assert(troops[0].results[seed].reasons == troops[1].results[seed].reasons);
        }
        troop_free(&troops[0]);
        troop_free(&troops[1]);
        sidle_crowd_destroy(crowd);
    }
    scene_close(&level);
}

Test(agents_rules, two_far_apart_move_as_if_alone)
{
    Few apart = few_of(2, 3), alone = few_of(2, 3);
    alone.flags = 0;
    for (int tick = 0; tick < 60; ++tick)
    {
        apart.moves[0].displacement.x = alone.moves[0].displacement.x = 1.4f / 60;
        tick_few(&apart);
        tick_few(&alone);
        for (int i = 0; i < 2; ++i)
        {
            cr_assert(same_body(&apart.results[i].body, &alone.results[i].body), "tick %d", tick);
        }
    }
    scene_close(&apart.scene);
    scene_close(&alone.scene);
}

Test(agents_rules, a_tick_without_agents_is_a_tick)
{
    Few few = few_of(1, 1);
    few.count = 0;
    few.contact_count = 7;
    tick_few(&few);
    cr_expect_eq(few.contact_count, 0);
    few.count = 1;
    tick_few(&few);
    cr_expect(few.results[0].body.flags & SIDLE_BODY_GROUNDED);
    scene_close(&few.scene);
}

Test(agents_rules, unknown_flags_of_a_tick_are_refused)
{
    Few few = few_of(1, 1);
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = few.scene.snapshot,
                            .dt = 1.0f / 60,
                            .moves = few.moves,
                            .count = 1,
                            .results = few.results,
                            .flags = 2};
    cr_expect_eq(sidle_crowd_tick(few.scene.crowd, &tick), SIDLE_ERROR_ARGUMENT);
    scene_close(&few.scene);
}

Test(agents_rules, a_what_if_ignores_the_other_agents)
{
    Few few = few_of(2, 1.2);
    sidle_vec3 wish = {1, 0, 0};
    sidle_what_if answer;
    sidle_what_if_desc desc = {.size = sizeof desc,
                               .snapshot = few.scene.snapshot,
                               .dt = 1.0f / 60,
                               .move = &few.moves[0],
                               .displacements = &wish,
                               .count = 1,
                               .results = &answer};
    tick_few(&few);
    demand(sidle_crowd_what_if(few.scene.crowd, &desc), "sidle_crowd_what_if");
    cr_expect_float_eq(answer.body.center.x, 1, 1e-4);
    cr_expect_eq(answer.reasons, 0);
    scene_close(&few.scene);
}
