/* Compares two sorted arrays agent by agent. An agent has few contacts, so each is searched for linearly. */
#include "sidle/events.h"

#include <stdbool.h>

#define NOWHERE UINT32_MAX
#define ANY     (SIDLE_CONTACT_BEGINS | SIDLE_CONTACT_PERSISTS | SIDLE_CONTACT_ENDS)

/* One agent's contacts: [begin, end) of a list. */
typedef struct Run
{
    const sidle_contact *list;
    uint32_t begin, end;
} Run;

static bool same_instance(const sidle_contact *a, const sidle_contact *b)
{
    if ((a->feature == SIDLE_FEATURE_AGENT) != (b->feature == SIDLE_FEATURE_AGENT))
    {
        return false;
    }
    if (a->instance_key != 0 || b->instance_key != 0)
    {
        return a->instance_key == b->instance_key;
    }
    return a->instance.index == b->instance.index && a->instance.generation == b->instance.generation;
}

static bool same_touch(const sidle_contact *a, const sidle_contact *b, uint32_t match)
{
    bool same_part = (match != SIDLE_MATCH_SURFACE || a->surface == b->surface) &&
                     (match != SIDLE_MATCH_TRIANGLE || a->triangle == b->triangle);
    return same_part && same_instance(a, b);
}

/* The first contact of a run that matches. */
static uint32_t find(const Run *run, const sidle_contact *contact, uint32_t match)
{
    for (uint32_t i = run->begin; i < run->end; ++i)
    {
        if (same_touch(&run->list[i], contact, match))
        {
            return i;
        }
    }
    return NOWHERE;
}

static void add_event(sidle_contact_events *out, uint32_t kind, const Run *before, uint32_t before_at,
                      const Run *now, uint32_t now_at)
{
    out->begin_count += kind == SIDLE_CONTACT_BEGINS;
    out->persist_count += kind == SIDLE_CONTACT_PERSISTS;
    out->end_count += kind == SIDLE_CONTACT_ENDS;
    if (!(out->wanted & kind))
    {
        return;
    }
    if (out->count == out->capacity)
    {
        out->truncated = 1;
        return;
    }
    const sidle_contact *contact = now_at != NOWHERE ? &now->list[now_at] : &before->list[before_at];
    out->list[out->count++] = (sidle_contact_event){*contact, kind, before_at, now_at};
}

/* Adds the events of one agent. A run can be empty. Only the first of matching contacts in a run counts. */
static void compare_runs(const Run *before, const Run *now, sidle_contact_events *out)
{
    for (uint32_t i = now->begin; i < now->end; ++i)
    {
        if (find(now, &now->list[i], out->match) == i)
        {
            uint32_t at = find(before, &now->list[i], out->match);
            add_event(out, at == NOWHERE ? SIDLE_CONTACT_BEGINS : SIDLE_CONTACT_PERSISTS, before, at, now, i);
        }
    }
    for (uint32_t i = before->begin; i < before->end; ++i)
    {
        if (find(before, &before->list[i], out->match) == i &&
            find(now, &before->list[i], out->match) == NOWHERE)
        {
            add_event(out, SIDLE_CONTACT_ENDS, before, i, now, NOWHERE);
        }
    }
}

/* Advances the run to the contacts of this agent, which begin at run->end if there are any. */
static void next_run(Run *run, uint32_t count, uint64_t agent)
{
    run->begin = run->end;
    while (run->end < count && run->list[run->end].agent == agent)
    {
        ++run->end;
    }
}

static sidle_status check_contacts(const sidle_contacts *contacts)
{
    if (!contacts || (contacts->count > 0 && !contacts->list))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    uint32_t first = 0; /* of this id */
    for (uint32_t i = 1; i < contacts->count; ++i)
    {
        uint64_t last = contacts->list[i - 1].agent, id = contacts->list[i].agent;
        if (id < last)
        {
            return SIDLE_ERROR_ARGUMENT;
        }
        first = id == last ? first : i;
        if (i - first == SIDLE_MAX_ID_CONTACTS)
        {
            return SIDLE_ERROR_LIMIT;
        }
    }
    return SIDLE_OK;
}

static sidle_status check_events(const sidle_contact_events *out)
{
    bool good = out && out->size == sizeof *out && out->match <= SIDLE_MATCH_TRIANGLE && out->wanted <= ANY &&
                (out->capacity == 0 || out->list);
    return good ? SIDLE_OK : SIDLE_ERROR_ARGUMENT;
}

sidle_status sidle_contacts_diff(const sidle_contacts *before, const sidle_contacts *now,
                                 sidle_contact_events *out)
{
    sidle_status status = check_events(out);
    status = status == SIDLE_OK ? check_contacts(before) : status;
    status = status == SIDLE_OK ? check_contacts(now) : status;
    if (status != SIDLE_OK)
    {
        return status;
    }
    sidle_contact_events events = {
        .size = out->size, .match = out->match, .wanted = out->wanted ? out->wanted : ANY, .list = out->list};
    events.capacity = out->capacity;
    Run old = {before->list, 0, 0}, new = {now->list, 0, 0};
    while (old.end < before->count || new.end < now->count)
    {
        bool old_is_next = new.end == now->count || (old.end < before->count &&
                                                     before->list[old.end].agent < now->list[new.end].agent);
        uint64_t agent = old_is_next ? before->list[old.end].agent : now->list[new.end].agent;
        next_run(&old, before->count, agent);
        next_run(&new, now->count, agent);
        compare_runs(&old, &new, &events);
    }
    events.wanted = out->wanted;
    *out = events;
    return SIDLE_OK;
}
