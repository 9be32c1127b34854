/* Contacts as events. An agent patrols a courtyard. The engine gets one event when it steps on something (a footstep),
 * one when it runs into a wall (a thud), and one when either contact ends. */
#include "courtyard.h"

#include <string.h>

#define ROOM (2 * SIDLE_MAX_AGENT_CONTACTS) /* of events: all contacts of two ticks */

/* How many events the engine got. */
typedef struct Heard
{
    uint32_t thuds, footsteps, ends, ticks_with_contacts;
} Heard;

static void hear(const sidle_contact_events *events, Heard *heard)
{
    for (uint32_t i = 0; i < events->count; ++i)
    {
        const sidle_contact_event *event = &events->list[i];
        int is_ground = event->contact.normal.y > .7f;
        heard->footsteps += event->kind == SIDLE_CONTACT_BEGINS && is_ground;
        heard->thuds += event->kind == SIDLE_CONTACT_BEGINS && !is_ground;
        heard->ends += event->kind == SIDLE_CONTACT_ENDS;
    }
}

/* Four seconds one way, four seconds back. */
static sidle_vec3 wish(int tick)
{
    return (sidle_vec3){tick / 240 % 2 ? -.05f : .05f, 0, .01f};
}

int main(void)
{
    sidle_world *world = courtyard_world(NULL);
    sidle_crowd *crowd = courtyard_crowd(NULL);
    sidle_contact contacts[2][SIDLE_MAX_AGENT_CONTACTS]; /* of this tick and of the last one, in turns */
    sidle_contacts before = {contacts[1], 0}, now = {contacts[0], 0};
    sidle_contact_event list[ROOM];
    Heard heard = {0, 0, 0, 0};
    sidle_move agent = {.id = 1, .body.center = {2, 1, -5}};
    sidle_result result;
    sidle_tick_desc tick = {
        .size = sizeof tick, .dt = 1 / 60.f, .moves = &agent, .count = 1, .results = &result};
    tick.contact_capacity = SIDLE_MAX_AGENT_CONTACTS;
    must(sidle_world_snapshot(world, &tick.snapshot));
    for (int i = 0; i < 960; ++i)
    {
        agent.displacement = wish(i);
        now.list = tick.contacts = contacts[i % 2];
        tick.contact_count = &now.count;
        must(sidle_crowd_tick(crowd, &tick));
        sidle_contact_events events = {.size = sizeof events, .match = SIDLE_MATCH_TRIANGLE};
        events.wanted = SIDLE_CONTACT_BEGINS | SIDLE_CONTACT_ENDS;
        events.list = list;
        events.capacity = ROOM;
        must(sidle_contacts_diff(&before, &now, &events));
        hear(&events, &heard);
        heard.ticks_with_contacts += now.count > 0;
        agent.body = result.body;
        before = now;
    }
    printf("%u ticks with contacts: %u footsteps, %u thuds, %u ends\n", heard.ticks_with_contacts,
           heard.footsteps, heard.thuds, heard.ends);
    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return heard.thuds == 0 || heard.ticks_with_contacts < 900;
}
