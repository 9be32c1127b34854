/* What is reported of a run after its last tick. */
#include "crowd_run.h"
#include "hash.h"

#include <math.h>
#include <stdlib.h>

#define FELL_OUT 5.0 /* metres below the lowest floor */

static void check_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    CrowdRun *run = context;
    const Agents *agents = run->desc.agents;
    double abyss = check_lowest_floor(run->desc.grid) - FELL_OUT;
    for (uint32_t i = begin; i < end; i++)
    {
        sidle_position center = run->results[i].body.center;
        sidle_shape shape = agents->shapes[agents->list[i].shape];
        run->tallies[worker].penetrating += check_penetrates(run->desc.grid, center, shape);
        run->tallies[worker].fell_out += center.y < abyss;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The nearest-rank method. */
static double percentile(const double *sorted, uint32_t count, double share)
{
    uint32_t rank = (uint32_t)ceil(share * count);
    return count ? sorted[rank ? rank - 1 : 0] : 0;
}

/* Over the little-endian bytes, whatever the machine's order. */
uint64_t crowd_run_hash(const CrowdRun *run)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < run->count; i++)
    {
        const sidle_body *body = &run->results[i].body;
        hash = hash_double(hash_double(hash_double(hash, body->center.x), body->center.y), body->center.z);
        hash = hash_float(hash_float(hash_float(hash, body->velocity.x), body->velocity.y), body->velocity.z);
        hash = hash_bits(hash, body->flags, 2);
    }
    return hash;
}

static void total_means(const CrowdRun *run, CrowdTotals *totals)
{
    double rise = 0, path = 0;
    for (uint32_t i = 0; i < run->count; i++)
    {
        rise += run->results[i].body.center.y - run->desc.agents->list[i].start.y;
        path += run->paths[i];
    }
    totals->mean_rise = rise / run->count;
    totals->mean_path = path / run->count;
}

void crowd_run_total(CrowdRun *run, CrowdTotals *totals)
{
    const Scene *scene = run->desc.scene;
    uint32_t ticks = run->desc.ticks;
    *totals = (CrowdTotals){.agent_ticks = (uint64_t)run->count * ticks, .leaked = run->leaked};
    if (run->desc.agents_collide)
    {
        totals->overlapping = near_overlapping(&run->near);
        totals->new_overlaps = run->near.new_overlaps;
    }
    run_parallel(scene->jobs, "check", run->count, CROWD_GRAIN, check_range, run);
    for (uint32_t i = 0; i < scene->threads; i++)
    {
        const Tally *tally = &run->tallies[i];
        totals->grounded += tally->grounded;
        totals->blocked += tally->blocked;
        totals->stuck += tally->stuck;
        totals->truncated += tally->truncated;
        totals->invalid += tally->invalid;
        totals->penetrating += tally->penetrating;
        totals->fell_out += tally->fell_out;
    }
    for (uint32_t i = 0; run->watched && i < run->count; i++)
    {
        totals->motionless += run->watched[i].motionless;
    }
    for (uint32_t i = 0; i < ticks; i++)
    {
        totals->seconds += 1e-3 * run->tick_ms[i];
    }
    qsort(run->tick_ms, ticks, sizeof *run->tick_ms, compare_doubles);
    totals->tick_ms_p50 = percentile(run->tick_ms, ticks, .50);
    totals->tick_ms_p99 = percentile(run->tick_ms, ticks, .99);
    totals->tick_ms_max = percentile(run->tick_ms, ticks, 1);
    total_means(run, totals);
    totals->state_hash = crowd_run_hash(run);
}
