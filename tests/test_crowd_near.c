/* The check of `sidle crowd` for agents that overlap. */
#include "tools/crowd_near.h"

#include <criterion/criterion.h>

#include <string.h>

#define COUNT 4

typedef struct NearRow
{
    sidle_shape shape;
    Agent list[COUNT];
    Agents agents;
    sidle_result results[COUNT];
    NearAgents near;
} NearRow;

static void row_open(NearRow *row)
{
    memset(row, 0, sizeof *row);
    row->shape.radii = (sidle_vec3){.5f, 1, .5f};
    row->agents = (Agents){.list = row->list, .shapes = &row->shape, .count = COUNT, .shape_count = 1};
    cr_assert(near_open(&row->near, &row->agents));
}

static void expect_overlaps(NearRow *row, const double x[COUNT], uint32_t overlapping, uint64_t new_overlaps)
{
    for (int i = 0; i < COUNT; ++i)
    {
        row->results[i].body.center = (sidle_position){x[i], 0, 0};
    }
    cr_assert(near_update(&row->near, row->results));
    cr_expect_eq(near_overlapping(&row->near), overlapping, "%u overlap", near_overlapping(&row->near));
    cr_expect_eq(row->near.new_overlaps, new_overlaps, "%llu times",
                 (unsigned long long)row->near.new_overlaps);
}

Test(crowd_near, overlaps_are_new_once_and_those_at_the_beginning_are_not)
{
    NearRow row;
    row_open(&row);
    expect_overlaps(&row, (double[COUNT]){5, 0, .9, 1.8}, 3, 0);
    expect_overlaps(&row, (double[COUNT]){5, 0, .95, 1.8}, 3, 0);
    expect_overlaps(&row, (double[COUNT]){5, 0, 1.5, 3}, 0, 0);
    expect_overlaps(&row, (double[COUNT]){.6, 0, 1.5, 3}, 3, 2);
    expect_overlaps(&row, (double[COUNT]){.61, 0, 1.5, 3}, 3, 2);
    expect_overlaps(&row, (double[COUNT]){3, 0, 1.5, 3}, 2, 3);
    expect_overlaps(&row, (double[COUNT]){.6, 0, 1.5, 3}, 3, 5);
    near_close(&row.near);
}

Test(crowd_near, an_agent_is_near_another_within_a_distance_of_its_shape)
{
    NearRow row;
    row_open(&row);
    expect_overlaps(&row, (double[COUNT]){4, 0, 8, 1.3}, 0, 0);
    cr_expect(near_has_other(&row.near, 1, .31) && near_has_other(&row.near, 3, .31));
    cr_expect_not(near_has_other(&row.near, 1, .29) || near_has_other(&row.near, 3, .29));
    cr_expect(near_has_other(&row.near, 0, 1.8) && near_has_other(&row.near, 2, 3.1));
    cr_expect_not(near_has_other(&row.near, 0, 1.6) || near_has_other(&row.near, 2, 2.9));
    near_close(&row.near);
}
