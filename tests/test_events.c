/* Contacts as events: what began, persists and ended between two ticks. */
#include "support/troop.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define MANY 400

typedef struct Touch
{
    uint64_t agent, key;
    uint32_t instance, triangle;
    uint16_t surface;
} Touch;

static sidle_contact contact_of(Touch touch)
{
    return (sidle_contact){.agent = touch.agent,
                           .instance_key = touch.key,
                           .instance = {touch.instance, 1},
                           .triangle = touch.triangle,
                           .surface = touch.surface};
}

/* Two ticks, and room for their events. */
typedef struct Case
{
    sidle_contact before[MANY], now[MANY];
    uint32_t before_count, now_count;
    sidle_contact_event list[2 * MANY];
    sidle_contact_events events;
} Case;

static Case *case_of(const Touch *before, uint32_t before_count, const Touch *now, uint32_t now_count)
{
    Case *c = calloc(1, sizeof *c);
    cr_assert(c != NULL);
    for (uint32_t i = 0; i < before_count; ++i)
    {
        c->before[i] = contact_of(before[i]);
    }
    for (uint32_t i = 0; i < now_count; ++i)
    {
        c->now[i] = contact_of(now[i]);
    }
    c->before_count = before_count;
    c->now_count = now_count;
    c->events = (sidle_contact_events){.size = sizeof c->events, .list = c->list, .capacity = 2 * MANY};
    return c;
}

static sidle_status diff(Case *c)
{
    sidle_contacts before = {c->before, c->before_count}, now = {c->now, c->now_count};
    return sidle_contacts_diff(&before, &now, &c->events);
}

static void expect_kinds(const Case *c, const char *kinds)
{
    static const char letters[] = {
        [SIDLE_CONTACT_BEGINS] = 'b', [SIDLE_CONTACT_PERSISTS] = 'p', [SIDLE_CONTACT_ENDS] = 'e'};
    char text[2 * MANY + 1] = "";
    for (uint32_t i = 0; i < c->events.count; ++i)
    {
        text[i] = letters[c->list[i].kind];
    }
    cr_expect_str_eq(text, kinds, "%s instead of %s", text, kinds);
}

Test(events, new_contacts_begin_kept_contacts_persist_and_lost_contacts_end)
{
    const Touch before[] = {{1, 5, 0, 0, 0}, {1, 6, 0, 0, 0}, {3, 5, 0, 0, 0}};
    const Touch now[] = {{1, 7, 0, 0, 0}, {1, 6, 0, 0, 0}, {2, 5, 0, 0, 0}};
    Case *c = case_of(before, 3, now, 3);
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "bpebe");
    cr_expect(c->list[0].contact.instance_key == 7 && c->list[0].before == UINT32_MAX && c->list[0].now == 0);
    cr_expect(c->list[1].before == 1 && c->list[1].now == 1);
    cr_expect(c->list[2].contact.instance_key == 5 && c->list[2].before == 0 && c->list[2].now == UINT32_MAX);
    cr_expect(c->list[3].contact.agent == 2 && c->list[4].contact.agent == 3);
    cr_expect(c->events.begin_count == 2 && c->events.persist_count == 1 && c->events.end_count == 2);
    cr_expect(!c->events.truncated);
    free(c);
}

Test(events, a_walk_over_many_triangles_of_one_floor_keeps_touching_it)
{
    const Touch before[] = {{1, 5, 0, 10, 1}, {1, 5, 0, 11, 1}}, now[] = {{1, 5, 0, 11, 1}, {1, 5, 0, 12, 2}};
    Case *c = case_of(before, 2, now, 2);
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "p");
    c->events.match = SIDLE_MATCH_SURFACE;
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "pb");
    c->events.match = SIDLE_MATCH_TRIANGLE;
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "pbe");
    free(c);
}

Test(events, instances_without_a_key_are_distinguished_by_id_and_those_of_one_key_are_one)
{
    const Touch plain_before[] = {{1, 0, 3, 0, 0}}, plain_now[] = {{1, 0, 4, 0, 0}};
    Case *c = case_of(plain_before, 1, plain_now, 1);
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "be");
    c->now[0].instance = (sidle_instance){3, 2}; /* another instance in the same slot */
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "be");
    free(c);
    const Touch door_before[] = {{1, 9, 3, 0, 0}}, door_now[] = {{1, 9, 4, 0, 0}};
    c = case_of(door_before, 1, door_now, 1);
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "p");
    free(c);
}

Test(events, only_requested_events_are_written_but_all_are_counted)
{
    const Touch before[] = {{1, 5, 0, 0, 0}, {1, 6, 0, 0, 0}}, now[] = {{1, 6, 0, 0, 0}, {1, 7, 0, 0, 0}};
    Case *c = case_of(before, 2, now, 2);
    c->events.wanted = SIDLE_CONTACT_BEGINS | SIDLE_CONTACT_ENDS;
    cr_assert(diff(c) == SIDLE_OK);
    expect_kinds(c, "be");
    cr_expect(c->events.persist_count == 1);
    cr_expect(c->events.wanted == (SIDLE_CONTACT_BEGINS | SIDLE_CONTACT_ENDS));
    free(c);
}

Test(events, a_full_list_is_flagged_and_all_events_are_counted)
{
    Touch now[10];
    for (uint32_t i = 0; i < 10; ++i)
    {
        now[i] = (Touch){i, 5, 0, 0, 0};
    }
    Case *c = case_of(NULL, 0, now, 10);
    c->events.capacity = 10;
    cr_assert(diff(c) == SIDLE_OK);
    cr_expect(c->events.count == 10 && !c->events.truncated);
    c->events.capacity = 9;
    c->list[9].kind = 77;
    cr_assert(diff(c) == SIDLE_OK);
    cr_expect(c->events.count == 9 && c->events.truncated == 1 && c->events.begin_count == 10);
    cr_expect(c->list[9].kind == 77, "behind the end of the list");
    c->events.capacity = 0;
    c->events.list = NULL;
    cr_assert(diff(c) == SIDLE_OK);
    cr_expect(c->events.count == 0 && c->events.truncated == 1 && c->events.begin_count == 10);
    free(c);
}

Test(events, bad_input_is_a_status_and_changes_nothing)
{
    const Touch rising[] = {{1, 5, 0, 0, 0}, {2, 5, 0, 0, 0}}, falling[] = {{2, 5, 0, 0, 0}, {1, 5, 0, 0, 0}};
    Case *c = case_of(rising, 2, falling, 2);
    sidle_contact_events untouched = c->events;
    cr_expect(diff(c) == SIDLE_ERROR_ARGUMENT);
    cr_expect(memcmp(&c->events, &untouched, sizeof untouched) == 0);
    sidle_contacts empty = {NULL, 0}, missing = {NULL, 1}, good = {c->before, 2}, bad = {c->now, 2};
    cr_expect(sidle_contacts_diff(&bad, &good, &c->events) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_contacts_diff(&good, &missing, &c->events) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_contacts_diff(NULL, &good, &c->events) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_contacts_diff(&good, NULL, &c->events) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_contacts_diff(&good, &good, NULL) == SIDLE_ERROR_ARGUMENT);
    sidle_contact_events wrong = untouched;
    wrong.size = 8;
    cr_expect(sidle_contacts_diff(&good, &good, &wrong) == SIDLE_ERROR_ARGUMENT);
    wrong = untouched;
    wrong.match = 3;
    cr_expect(sidle_contacts_diff(&good, &good, &wrong) == SIDLE_ERROR_ARGUMENT);
    wrong = untouched;
    wrong.wanted = 8;
    cr_expect(sidle_contacts_diff(&good, &good, &wrong) == SIDLE_ERROR_ARGUMENT);
    wrong = untouched;
    wrong.list = NULL;
    cr_expect(sidle_contacts_diff(&good, &good, &wrong) == SIDLE_ERROR_ARGUMENT);
    cr_expect(sidle_contacts_diff(&empty, &empty, &c->events) == SIDLE_OK && c->events.count == 0);
    free(c);
}

Test(events, more_contacts_of_one_id_than_the_limit_are_refused)
{
    Touch now[SIDLE_MAX_ID_CONTACTS + 1];
    for (uint32_t i = 0; i <= SIDLE_MAX_ID_CONTACTS; ++i)
    {
        now[i] = (Touch){8, i, 0, 0, 0};
    }
    Case *c = case_of(NULL, 0, now, SIDLE_MAX_ID_CONTACTS);
    cr_expect(diff(c) == SIDLE_OK && c->events.count == SIDLE_MAX_ID_CONTACTS);
    free(c);
    c = case_of(NULL, 0, now, SIDLE_MAX_ID_CONTACTS + 1);
    cr_expect(diff(c) == SIDLE_ERROR_LIMIT);
    free(c);
}

/* ---- against the definition, taken literally ---- */

static bool is_same(const sidle_contact *a, const sidle_contact *b, uint32_t match)
{
    bool by_id = a->instance_key == 0 && b->instance_key == 0;
    bool instance = by_id ? memcmp(&a->instance, &b->instance, sizeof a->instance) == 0
                          : a->instance_key == b->instance_key;
    return a->agent == b->agent && instance && (match != SIDLE_MATCH_SURFACE || a->surface == b->surface) &&
           (match != SIDLE_MATCH_TRIANGLE || a->triangle == b->triangle);
}

static bool is_among(const sidle_contact *list, uint32_t count, const sidle_contact *contact, uint32_t match)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        if (is_same(&list[i], contact, match))
        {
            return true;
        }
    }
    return false;
}

static uint32_t random_tick(Random *random, sidle_contact *list)
{
    uint32_t count = 0;
    for (uint64_t agent = 0; agent < 40; ++agent)
    {
        uint32_t many = random_below(random, 9);
        for (uint32_t i = 0; i < many; ++i)
        {
            list[count++] =
                contact_of((Touch){agent * agent, random_below(random, 3), random_below(random, 2),
                                   random_below(random, 3), (uint16_t)random_below(random, 2)});
        }
    }
    return count;
}

static void expect_definition(const Case *c)
{
    uint32_t match = c->events.match, begins = 0, ends = 0, persists = 0;
    for (uint32_t i = 0; i < c->now_count; ++i)
    {
        bool first = !is_among(c->now, i, &c->now[i], match);
        bool known = is_among(c->before, c->before_count, &c->now[i], match);
        begins += first && !known;
        persists += first && known;
    }
    for (uint32_t i = 0; i < c->before_count; ++i)
    {
        ends += !is_among(c->before, i, &c->before[i], match) &&
                !is_among(c->now, c->now_count, &c->before[i], match);
    }
    cr_expect(c->events.begin_count == begins && c->events.persist_count == persists &&
              c->events.end_count == ends && c->events.count == begins + persists + ends);
}

static void expect_order(const Case *c)
{
    for (uint32_t i = 0; i < c->events.count; ++i)
    {
        const sidle_contact_event *event = &c->list[i], *last = &c->list[i ? i - 1 : 0];
        bool ends = event->kind == SIDLE_CONTACT_ENDS, last_ends = last->kind == SIDLE_CONTACT_ENDS;
        const sidle_contact *origin = ends ? &c->before[event->before] : &c->now[event->now];
        cr_expect(memcmp(&event->contact, origin, sizeof *origin) == 0);
        cr_expect(last->contact.agent <= event->contact.agent);
        bool same_agent = i > 0 && last->contact.agent == event->contact.agent;
        cr_expect(!same_agent || last_ends <= ends, "ends stand behind");
        cr_expect(!same_agent || last_ends != ends ||
                  (ends ? last->before < event->before : last->now < event->now));
    }
}

Test(events, random_ticks_give_the_events_of_the_definition_in_order)
{
    Random random = random_seeded(5);
    for (uint32_t round = 0; round < 300; ++round)
    {
        Case *c = case_of(NULL, 0, NULL, 0);
        c->before_count = random_tick(&random, c->before);
        c->now_count = random_tick(&random, c->now);
        c->events.match = round % 3;
        cr_assert(diff(c) == SIDLE_OK);
        expect_definition(c);
        expect_order(c);
        free(c);
    }
}

/* ---- of real ticks ---- */

/* The agent's path, tick by tick, forth and back. */
static void count_events(const Scene *scene, Agent agent, Vector wish, uint32_t match, uint32_t *begins,
                         uint32_t *ends)
{
    Agent before = agent;
    for (int tick = 0; tick < 120; ++tick)
    {
        scene_tick(scene, &agent, vector_scale(wish, tick < 60 ? 1 : -1));
        sidle_contacts old = {before.contacts, before.contact_count},
                       new = {agent.contacts, agent.contact_count};
        sidle_contact_event list[2 * SIDLE_MAX_AGENT_CONTACTS];
        sidle_contact_events events = {.size = sizeof events, .match = match, .list = list};
        events.capacity = 2 * SIDLE_MAX_AGENT_CONTACTS;
        cr_assert(sidle_contacts_diff(&old, &new, &events) == SIDLE_OK);
        *begins += events.begin_count;
        *ends += events.end_count;
        before = agent;
    }
}

Test(events, an_agent_that_flies_into_a_wall_and_away_again_gets_one_begin_and_one_end)
{
    Soup soup = {0};
    soup_wall(&soup, 20.0, 2.0);
    Scene scene = scene_of(soup, flying_ball());
    uint32_t begins = 0, ends = 0;
    count_events(&scene, agent_at(0, 0, 0), vector(.05, .01, 0), SIDLE_MATCH_INSTANCE, &begins, &ends);
    cr_expect(begins == 1 && ends == 1, "%u begin, %u end", begins, ends);
    scene_close(&scene);
}

Test(events, a_walk_over_small_triangles_is_one_touch_of_the_floor_and_many_of_its_triangles)
{
    Soup soup = {0};
    soup_grid(&soup, 24, 0.5, 0.0);
    SceneOptions options = walking_ball();
    options.profile.shape.radii = (sidle_vec3){.4f, .4f, .4f};
    Scene scene = scene_of(soup, options);
    uint32_t begins = 0, ends = 0, triangles = 0;
    count_events(&scene, agent_at(0, .408, 0), vector(.05, 0, .01), SIDLE_MATCH_INSTANCE, &begins, &ends);
    cr_expect(begins == 1 && ends == 0, "%u begin, %u end", begins, ends);
    count_events(&scene, agent_at(0, .408, 0), vector(.05, 0, .01), SIDLE_MATCH_TRIANGLE, &triangles, &ends);
    cr_expect(triangles > 10, "%u triangles", triangles);
    scene_close(&scene);
}

/* The sum of all begins and ends is what is touched at the end, whatever the order of the agents in the
 * arrays. */
Test(events, begins_less_ends_is_what_is_touched)
{
    Scene level = troop_level();
    sidle_crowd *crowd = troop_crowd(0, NULL);
    Troop troop = troop_of(200), last = troop_of(200);
    int64_t touching = 0;
    sidle_contact_event *list = calloc(2 * troop.contact_capacity, sizeof *list);
    for (uint32_t tick = 0; tick < 60; ++tick)
    {
        troop_shuffle(&troop, tick);
        sidle_tick_desc desc = troop_tick(&troop, &level, tick);
        demand(sidle_crowd_tick(crowd, &desc), "sidle_crowd_tick");
        sidle_contacts old = {last.contacts, last.contact_count}, new = {troop.contacts, troop.contact_count};
        sidle_contact_events events = {.size = sizeof events, .match = SIDLE_MATCH_TRIANGLE, .list = list};
        events.capacity = 2 * troop.contact_capacity;
        cr_assert(sidle_contacts_diff(&old, &new, &events) == SIDLE_OK);
        touching += (int64_t)events.begin_count - events.end_count;
        cr_expect(touching == (int64_t)events.begin_count + events.persist_count);
        memcpy(last.contacts, troop.contacts, troop.contact_count * sizeof *troop.contacts);
        last.contact_count = troop.contact_count;
        troop_take(&troop);
    }
    cr_expect(touching > 100);
    free(list);
    troop_free(&troop);
    troop_free(&last);
    sidle_crowd_destroy(crowd);
    scene_close(&level);
}
