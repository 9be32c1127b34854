/* Contacts as events: touches that begin, persist and end between two ticks. A touch of a wall lasts as long as the agent
 * pushes against it, a touch of the ground as long as it stands there. */
#ifndef SIDLE_EVENTS_H
#define SIDLE_EVENTS_H

#include "sidle/base.h"
#include "sidle/crowd.h"

/* [Limit] contacts of one id in an array. */
#define SIDLE_MAX_ID_CONTACTS 64

/* sidle_contact_events.match: which contacts of an agent are one touch. Instances are compared by key, by id if the key
 * is 0. */
enum
{
    SIDLE_MATCH_INSTANCE = 0, /* same instance */
    SIDLE_MATCH_SURFACE = 1,  /* same instance and surface */
    SIDLE_MATCH_TRIANGLE = 2  /* same instance and triangle */
};

enum /* sidle_contact_event.kind; bits of sidle_contact_events.wanted */
{
    SIDLE_CONTACT_BEGINS = 1,
    SIDLE_CONTACT_PERSISTS = 2,
    SIDLE_CONTACT_ENDS = 4
};

typedef struct sidle_contacts /* of one tick, as it wrote them */
{
    const sidle_contact *list;
    uint32_t count;
} sidle_contacts;

typedef struct sidle_contact_event
{
    sidle_contact contact; /* the first of the touch, in the newer tick unless it ends */
    uint32_t kind;         /* SIDLE_CONTACT_... */
    uint32_t before, now;  /* its index in each list; UINT32_MAX: none */
} sidle_contact_event;

typedef struct sidle_contact_events
{
    size_t size;
    uint32_t match;  /* SIDLE_MATCH_... */
    uint32_t wanted; /* kinds to write; 0: all */
    sidle_contact_event *list;
    uint32_t capacity; /* before.count + now.count always suffice */

    /* Written: */
    uint32_t count;                                 /* in the list */
    uint32_t truncated;                             /* 1: the last exceed capacity */
    uint32_t begin_count, persist_count, end_count; /* listed or not */
} sidle_contact_events;

/* Compares the contacts of two ticks: a pure function, on any thread. Events are sorted by agent id; an agent's touches
 * that begin or persist come first, in the newer tick's order, then those that end. Cost: one pass. ARGUMENT (also
 * unsorted ids), LIMIT. */
SIDLE_API sidle_status sidle_contacts_diff(const sidle_contacts *before, const sidle_contacts *now,
                                           sidle_contact_events *out);

#endif
