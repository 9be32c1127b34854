#include "crowd_near.h"

#include "check_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sidle_shape shape_of(const NearAgents *near, uint32_t agent)
{
    return near->agents->shapes[near->agents->list[agent].shape];
}

static int by_start(const void *a, const void *b)
{
    const NearSpan *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->agent > y->agent) - (x->agent < y->agent);
}

static void sort_spans(NearAgents *near, const sidle_result *results)
{
    uint32_t count = near->agents->count;
    near->widest = 0;
    for (uint32_t i = 0; i < count; i++)
    {
        sidle_position center = results[i].body.center;
        double half = (double)shape_of(near, i).radii.x;
        near->spans[i] = (NearSpan){center.x - half, center.x + half, center, i};
        near->widest = fmax(near->widest, 2 * half);
    }
    qsort(near->spans, count, sizeof *near->spans, by_start);
    for (uint32_t i = 0; i < count; i++)
    {
        near->places[near->spans[i].agent] = i;
    }
}

static bool add_pair(NearAgents *near, uint32_t a, uint32_t b)
{
    if (near->pair_count == near->pair_capacity)
    {
        size_t capacity = 2 * near->pair_capacity + 64;
        uint64_t *pairs = realloc(near->pairs, capacity * sizeof *pairs);
        if (!pairs)
        {
            return false;
        }
        near->pairs = pairs;
        near->pair_capacity = capacity;
    }
    near->pairs[near->pair_count++] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
    return true;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool find_pairs(NearAgents *near)
{
    near->pair_count = 0;
    for (uint32_t i = 0; i < near->agents->count; i++)
    {
        const NearSpan *span = &near->spans[i];
        for (uint32_t k = i + 1; k < near->agents->count && near->spans[k].from < span->to; k++)
        {
            const NearSpan *other = &near->spans[k];
            if (check_shapes_overlap(shape_of(near, span->agent), span->center, shape_of(near, other->agent),
                                     other->center) &&
                !add_pair(near, span->agent, other->agent))
            {
                return false;
            }
        }
    }
    if (near->pair_count > 0)
    {
        qsort(near->pairs, near->pair_count, sizeof *near->pairs, by_number);
    }
    return true;
}

static uint64_t count_new(const NearAgents *near)
{
    uint64_t count = 0;
    for (size_t i = 0, k = 0; i < near->pair_count; i++)
    {
        while (k < near->earlier_count && near->earlier[k] < near->pairs[i])
        {
            k++;
        }
        count += k == near->earlier_count || near->earlier[k] != near->pairs[i];
    }
    return count;
}

static void swap_pairs(NearAgents *near)
{
    uint64_t *pairs = near->pairs;
    size_t capacity = near->pair_capacity;
    near->pairs = near->earlier;
    near->pair_capacity = near->earlier_capacity;
    near->earlier = pairs;
    near->earlier_capacity = capacity;
    near->earlier_count = near->pair_count;
}

bool near_update(NearAgents *near, const sidle_result *results)
{
    bool is_first = near->places[0] == UINT32_MAX;
    swap_pairs(near);
    sort_spans(near, results);
    if (!find_pairs(near))
    {
        return false;
    }
    near->new_overlaps += is_first ? 0 : count_new(near);
    return true;
}

bool near_has_other(const NearAgents *near, uint32_t agent, double distance)
{
    const NearSpan *own = &near->spans[near->places[agent]];
    sidle_shape grown = shape_of(near, agent);
    grown.radii.x += (float)distance;
    grown.radii.y += (float)distance;
    grown.radii.z += (float)distance;
    uint32_t first = near->places[agent];
    while (first > 0 && near->spans[first - 1].from > own->from - distance - near->widest)
    {
        first--;
    }
    for (uint32_t i = first; i < near->agents->count && near->spans[i].from < own->to + distance; i++)
    {
        const NearSpan *other = &near->spans[i];
        if (other != own &&
            check_shapes_overlap(grown, own->center, shape_of(near, other->agent), other->center))
        {
            return true;
        }
    }
    return false;
}

uint32_t near_overlapping(const NearAgents *near)
{
    uint32_t count = 0;
    memset(near->marks, 0, near->agents->count * sizeof *near->marks);
    for (size_t i = 0; i < near->pair_count; i++)
    {
        near->marks[near->pairs[i] >> 32] = true;
        near->marks[near->pairs[i] & UINT32_MAX] = true;
    }
    for (uint32_t i = 0; i < near->agents->count; i++)
    {
        count += near->marks[i];
    }
    return count;
}

bool near_open(NearAgents *near, const Agents *agents)
{
    *near = (NearAgents){.agents = agents};
    near->spans = malloc(agents->count * sizeof *near->spans);
    near->places = malloc(agents->count * sizeof *near->places);
    if (near->places)
    {
        memset(near->places, 0xFF, agents->count * sizeof *near->places);
    }
    near->marks = malloc(agents->count * sizeof *near->marks);
    return near->spans && near->places && near->marks;
}

void near_close(NearAgents *near)
{
    free(near->spans);
    free(near->places);
    free(near->marks);
    free(near->pairs);
    free(near->earlier);
    memset(near, 0, sizeof *near);
}
