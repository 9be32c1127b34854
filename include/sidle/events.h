/* Contacts as events: what began, went on and ended between two ticks. A pure function of the contacts that
 * the two ticks wrote, so that an engine that goes back and ticks again gets the same events again.
 *
 * A tick reports what an agent met: what it stood on and what it ran into. So a touch of a wall lasts as long
 * as the agent keeps pushing against it, and one of the ground as long as it stands there. */
#ifndef SIDLE_EVENTS_H
#define SIDLE_EVENTS_H

#include "sidle/base.h"
#include "sidle/crowd.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* [Limit] contacts in one array of agents that share an id: eight agents of one id. */
#define SIDLE_MAX_ID_CONTACTS 64

enum /* sidle_contact_events.match: when two contacts of an agent are the same touch. Instances are told apart by their
        key or, where that is 0, by their id; several of one key are one thing to touch. */
{
    SIDLE_MATCH_INSTANCE = 0, /* of the same instance: one touch, however many triangles there are */
    SIDLE_MATCH_SURFACE = 1,  /* of the same instance and surface: from grass to gravel is an event */
    SIDLE_MATCH_TRIANGLE =
        2 /* of the same instance and triangle: a walk over a floor of small triangles is made of
                                 events */
};

enum /* sidle_contact_event.kind; sidle_contact_events.wanted takes a sum of them */
{
    SIDLE_CONTACT_BEGINS = 1,
    SIDLE_CONTACT_PERSISTS = 2,
    SIDLE_CONTACT_ENDS = 4
};

typedef struct sidle_contacts /* of one tick, as it wrote them: agent ids never descend */
{
    const sidle_contact *list; /* may be NULL if count is 0; referenced during the call only */
    uint32_t count;
} sidle_contacts;

typedef struct sidle_contact_event
{
    sidle_contact
        contact;          /* the first one of this touch: the newer tick's, or of one that ends the older's */
    uint32_t kind;        /* SIDLE_CONTACT_... */
    uint32_t before, now; /* where that touch comes first in the two arrays; UINT32_MAX: not at all */
} sidle_contact_event;

typedef struct sidle_contact_events
{
    size_t size;
    uint32_t match;  /* SIDLE_MATCH_... */
    uint32_t wanted; /* a sum of SIDLE_CONTACT_...: those to be written; 0: all three */
    sidle_contact_event
        *list; /* the caller's, `capacity` of them; may be NULL if capacity is 0. before.count +
                                  now.count are always enough */
    uint32_t capacity;

    /* Written: */
    uint32_t count;     /* in the list */
    uint32_t truncated; /* 1: there are more than capacity; the last ones are missing */
    uint32_t begin_count, persist_count, end_count; /* of all there are, wanted or not, in the list or not */
} sidle_contact_events;

/* Compares the contacts of two ticks. The events are sorted by (agent id, order): per agent first what began
 * or persists in the newer tick's order of meeting, then what ended in the older's; each touch gives one
 * event. Of an agent that is in one of the ticks only everything begins, or ends.
 *
 * ARGUMENT (also if ids descend in an array), LIMIT (more than SIDLE_MAX_ID_CONTACTS of one id); on failure
 * nothing is written. Reads nothing but its arguments: any number of calls may run at once. Cost: one pass
 * over both arrays, some nanoseconds a contact; takes no memory. */
SIDLE_API sidle_status sidle_contacts_diff(const sidle_contacts *before, const sidle_contacts *now,
                                           sidle_contact_events *out);

#ifdef __cplusplus
}
#endif

#endif
