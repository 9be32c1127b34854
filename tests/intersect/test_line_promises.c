/* What all functions of lines promise: the same bits with swapped arguments and at every power of two, and no
 * answer without numbers. */
#include "sidle/intersect/line.h"

#include "intersect/support/line_drawn.h"
#include "support/queries.h"

#include <criterion/criterion.h>

#include <string.h>

static sidle_segment2 segment2(double ax, double ay, double bx, double by)
{
    return (sidle_segment2){{ax, ay}, {bx, by}};
}

/* The answers of all four to twelve numbers. */
typedef struct All
{
    sidle_line_case cases[4];
    sidle_meeting2 meetings[2];
    sidle_nearest nearest[2];
} All;

static All all_of(const double at[12], bool turned)
{
    All all;
    memset(&all, 0, sizeof all);
    int p = turned ? 6 : 0, q = 6 - p;
    sidle_segment2 p2 = segment2(at[p], at[p + 1], at[p + 3], at[p + 4]);
    sidle_segment2 q2 = segment2(at[q], at[q + 1], at[q + 3], at[q + 4]);
    sidle_ray rays[2];
    sidle_segment segments[2];
    memcpy(&rays[0], at + p, sizeof *rays);
    memcpy(&rays[1], at + q, sizeof *rays);
    memcpy(&segments[0], at + p, sizeof *segments);
    memcpy(&segments[1], at + q, sizeof *segments);
    all.cases[0] = sidle_line2_line2(&p2, &q2, &all.meetings[0]);
    all.cases[1] = sidle_segment2_segment2(&p2, &q2, &all.meetings[1]);
    all.cases[2] = sidle_line_line(&rays[0], &rays[1], &all.nearest[0]);
    all.cases[3] = sidle_segment_segment(&segments[0], &segments[1], &all.nearest[1]);
    return all;
}

static All turned_round(All all)
{
    for (int i = 0; i < 2; ++i)
    {
        sidle_meeting2 m = all.meetings[i];
        sidle_nearest n = all.nearest[i];
        memcpy(all.meetings[i].s, m.t, sizeof m.t);
        memcpy(all.meetings[i].t, m.s, sizeof m.s);
        all.nearest[i] = (sidle_nearest){n.t, n.s, n.distance_squared, n.q, n.p};
    }
    return all;
}

Test(intersect_line_promises, swapped_arguments_give_the_same_bits)
{
    Random random = random_seeded(15);
    double at[12];
    for (uint32_t i = 0; i < query_count(50000); ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        All one = all_of(at, false), other = turned_round(all_of(at, true));
        cr_assert(!memcmp(&one, &other, sizeof one), "query %u", i);
    }
}

static void scale_lengths(All *all, double by)
{
    for (int i = 0; i < 2; ++i)
    {
        double *places[] = {&all->meetings[i].points[0].x, &all->meetings[i].points[0].y,
                            &all->meetings[i].points[1].x, &all->meetings[i].points[1].y,
                            &all->nearest[i].p.x,          &all->nearest[i].p.y,
                            &all->nearest[i].p.z,          &all->nearest[i].q.x,
                            &all->nearest[i].q.y,          &all->nearest[i].q.z};
        for (size_t k = 0; k < sizeof places / sizeof *places; ++k)
        {
            *places[k] *= by;
        }
        all->nearest[i].distance_squared *= by * by;
    }
}

Test(intersect_line_promises, a_scene_scaled_by_a_power_of_two_keeps_its_bits)
{
    Random random = random_seeded(16);
    double at[12], scaled[12];
    for (uint32_t i = 0; i < query_count(20000); ++i)
    {
        drawn_pair(&random, (int)(i % DRAWN_KINDS), at);
        double by = ldexp(1, (int)random_below(&random, 361) - 180);
        for (int k = 0; k < 12; ++k)
        {
            scaled[k] = at[k] * by;
        }
        All one = all_of(at, false), other = all_of(scaled, false);
        scale_lengths(&one, by);
        cr_assert(!memcmp(&one, &other, sizeof one), "query %u", i);
    }
}

Test(intersect_line_promises, no_number_in_the_input_no_answer)
{
    Random random = random_seeded(17);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    double at[12];
    All untouched;
    for (int i = 0; i < 3 * 12 * 70; ++i)
    {
        int k = i / 3 % 12;
        drawn_pair(&random, i / 36 % DRAWN_KINDS, at);
        at[k] = bad[i % 3];
        memset(&untouched, 0, sizeof untouched);
        All all = all_of(at, false);
        bool flat = k % 3 == 2; /* the plane does not see z */
        cr_assert(all.cases[2] == SIDLE_LINES_NONE && all.cases[3] == SIDLE_LINES_NONE);
        cr_assert(flat || (all.cases[0] == SIDLE_LINES_NONE && all.cases[1] == SIDLE_LINES_NONE));
        cr_assert(flat || !memcmp(all.meetings, untouched.meetings, sizeof all.meetings));
        cr_assert(!memcmp(all.nearest, untouched.nearest, sizeof all.nearest));
    }
}
