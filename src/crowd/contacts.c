#include "crowd/contacts.h"

#include <string.h>

static bool ids_ascend(const Tick *tick)
{
    for (uint32_t i = 1; i < tick->desc.count; ++i)
    {
        if (tick_move(tick, i - 1)->id > tick_move(tick, i)->id)
        {
            return false;
        }
    }
    return true;
}

static void merge_runs(const Tick *tick, const uint32_t *from, uint32_t *to, uint32_t begin, uint32_t middle,
                       uint32_t end)
{
    uint32_t a = begin, b = middle;
    for (uint32_t i = begin; i < end; ++i)
    {
        bool left = a < middle && (b >= end || tick_move(tick, from[a])->id <= tick_move(tick, from[b])->id);
        to[i] = left ? from[a++] : from[b++];
    }
}

/* Bottom-up merge sort: stable, without recursion, n log n at worst. */
static void sort_by_id(Tick *tick)
{
    uint32_t count = tick->desc.count, *from = tick->order, *to = tick->order + count;
    for (uint32_t i = 0; i < count; ++i)
    {
        from[i] = i;
    }
    for (uint32_t width = 1; width < count; width *= 2)
    {
        for (uint32_t begin = 0; begin < count; begin += 2 * width)
        {
            uint32_t middle = begin + width < count ? begin + width : count;
            uint32_t end = begin + 2 * width < count ? begin + 2 * width : count;
            merge_runs(tick, from, to, begin, middle, end);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != tick->order)
    {
        memcpy(tick->order, from, count * sizeof *from);
    }
}

void sidle_contacts_lay_out(Tick *tick)
{
    bool is_sorted = ids_ascend(tick);
    if (!is_sorted)
    {
        sort_by_id(tick);
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < tick->desc.count; ++i)
    {
        sidle_result *result = tick_result(tick, is_sorted ? i : tick->order[i]);
        uint32_t left = tick->desc.contact_capacity - next;
        if (result->contact_count > left)
        {
            result->contact_count = left;
            result->reasons |= SIDLE_REASON_CONTACTS;
        }
        result->contact_first = next;
        next += result->contact_count;
    }
    tick->written = next;
}

void sidle_contacts_copy(const Tick *tick, uint32_t begin, uint32_t end)
{
    for (uint32_t agent = begin; agent < end; ++agent)
    {
        const sidle_result *result = tick_result(tick, agent);
        memcpy(tick->desc.contacts + result->contact_first,
               tick->contacts + (size_t)agent * SIDLE_MAX_AGENT_CONTACTS,
               result->contact_count * sizeof *tick->contacts);
    }
}
