#include "dispatch.h"

#include "walkers.h"

#include <stdio.h>
#include <stdlib.h>

#define AGENTS 64
#define WARM   20 /* ticks */

static void must(sidle_status status)
{
    if (status)
    {
        fprintf(stderr, "dispatch: %s\n", sidle_status_text(status));
        exit(1);
    }
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *seconds, uint32_t count)
{
    qsort(seconds, count, sizeof *seconds, by_size);
    return 1e6 * seconds[count / 2];
}

/* Seconds of ticks without jobs in `times[0]`, and with them in `times[1]`. */
static void time_ticks(sidle_tick_desc *tick, const sidle_jobs *jobs, uint32_t samples, double *times[2])
{
    sidle_crowd *crowd;
    sidle_profile profile = {.size = sizeof profile,
                             .shape.radii = {PATCH_RADIUS, PATCH_HEIGHT, PATCH_RADIUS}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    must(sidle_crowd_create(&desc, NULL, &crowd));
    for (uint32_t i = 0; i < 2 * (WARM + samples); ++i)
    {
        tick->jobs = i % 2 ? jobs : NULL;
        double begun = walkers_wall_seconds();
        must(sidle_crowd_tick(crowd, tick));
        double seconds = walkers_wall_seconds() - begun;
        if (i >= 2 * WARM)
        {
            times[i % 2][i / 2 - WARM] = seconds;
        }
    }
    sidle_crowd_destroy(crowd);
}

DispatchFigures dispatch_measure(uint32_t workers, uint32_t tick_flags, uint32_t samples)
{
    static sidle_move moves[AGENTS];
    static sidle_result results[AGENTS];
    double *times[2] = {calloc(samples, sizeof(double)), calloc(samples, sizeof(double))};
    sidle_world *world;
    sidle_pool *pool;
    sidle_pool_desc pool_desc = {.size = sizeof pool_desc, .worker_count = workers};
    sidle_tick_desc tick = {
        .size = sizeof tick, .dt = 1.0f / WALKERS_HZ, .count = AGENTS, .flags = tick_flags};
    must(times[0] && times[1] ? SIDLE_OK : SIDLE_ERROR_MEMORY);
    must(sidle_pool_create(&pool_desc, NULL, &pool));
    must(sidle_world_create(NULL, NULL, &world));
    must(sidle_world_snapshot(world, &tick.snapshot));
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i] =
            (sidle_move){.id = i, .body.center = {2. * (i % 8), 0, 2. * (i / 8)}, .displacement.x = .02f};
    }
    tick.moves = moves;
    tick.results = results;
    time_ticks(&tick, sidle_pool_jobs(pool), samples, times);
    DispatchFigures figures = {.alone = median(times[0], samples)};
    figures.added = median(times[1], samples) - figures.alone;
    sidle_snapshot_release(tick.snapshot);
    sidle_world_destroy(world);
    sidle_pool_destroy(pool);
    free(times[0]);
    free(times[1]);
    return figures;
}
