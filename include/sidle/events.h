/* Contacts as events: touches that begin, persist and end between two ticks. A touch of a wall lasts while the agent pushes
 * against it. An agent on the ground that crosses a gap touches nothing meanwhile: SIDLE_BODY_GROUNDED says that it stands.
 *
 * A deferred agent reports no contacts: pass its last ones again, or its touches end. A new agent with a used id continues the
 * touches of the old one: remove those from `before`. */
#ifndef SIDLE_EVENTS_H
#define SIDLE_EVENTS_H

#include "sidle/base.h"
#include "sidle/crowd.h"

/* [Limit] contacts of one id in an array. */
#define SIDLE_MAX_ID_CONTACTS 64

/* sidle_contact_events.match: contacts of an agent are one touch if they share the instance, and its surface or triangle
 * if asked. Instances are compared by key, by id if it is 0. */
enum
{
    SIDLE_MATCH_INSTANCE = 0,
    SIDLE_MATCH_SURFACE = 1,
    SIDLE_MATCH_TRIANGLE = 2
};

enum /* sidle_contact_event.kind; bits of sidle_contact_events.wanted */
{
    SIDLE_CONTACT_BEGINS = 1,
    SIDLE_CONTACT_PERSISTS = 2,
    SIDLE_CONTACT_ENDS = 4
};

/* Of one tick, as it wrote them. */
typedef struct sidle_contacts
{
    const sidle_contact *list;
    uint32_t count;
} sidle_contacts;

typedef struct sidle_contact_event
{
    sidle_contact contact; /* the first of the touch; of the newer tick unless it ends */
    uint32_t kind;         /* SIDLE_CONTACT_... */
    uint32_t before, now;  /* index in each list; UINT32_MAX: none */
} sidle_contact_event;

typedef struct sidle_contact_events
{
    size_t size;
    uint32_t match;  /* SIDLE_MATCH_... */
    uint32_t wanted; /* kinds to write; 0: all */
    sidle_contact_event *list;
    uint32_t capacity; /* before.count + now.count suffice */

    /* Written: */
    uint32_t count;                                 /* in the list */
    uint32_t truncated;                             /* 1: the last exceed capacity */
    uint32_t begin_count, persist_count, end_count; /* listed or not */
} sidle_contact_events;

/* Compares two ticks: a pure function, on any thread, of one pass. Events are sorted by agent id; touches that begin or
 * persist come first, in the newer tick's order, then those that end. ARGUMENT (also unsorted ids), LIMIT. */
SIDLE_API sidle_status sidle_contacts_diff(const sidle_contacts *before, const sidle_contacts *now,
                                           sidle_contact_events *out);

#endif
