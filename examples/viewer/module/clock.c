/* When ticks are due, and the thread that runs them. */
#include "viewer.h"

#include "tools/console.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LATEST       .25  /* seconds that ticks may lag behind before the rest is dropped */
#define PUMP_SECONDS .012 /* the longest that viewer_pump runs before the page draws again */

Viewer viewer = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .stop_at = NEVER,
                 .selected = NO_AGENT,
                 .pace = HZ,
                 .player = {.agent = NO_AGENT, .shape = SHAPE_ELLIPSOID}};

void viewer_lock(void)
{
    atomic_fetch_add(&viewer.waiting, 1);
    pthread_mutex_lock(&viewer.lock);
    atomic_fetch_sub(&viewer.waiting, 1);
}

void viewer_unlock(void)
{
    pthread_mutex_unlock(&viewer.lock);
}

static bool is_paused(void)
{
    return viewer.pace <= 0 || viewer.run.tick >= viewer.stop_at;
}

static bool is_due(double now)
{
    if (viewer.state != VIEWER_READY)
    {
        return false;
    }
    if (viewer.steps > 0)
    {
        return true;
    }
    return !is_paused() && now >= viewer.due;
}

static void count_tick(double now, double seconds)
{
    uint32_t slot = viewer.timed_ticks++ % RECENT_TICKS;
    viewer.tick_ms[slot] = 1e3 * seconds;
    viewer.tick_ends[slot] = now;
    viewer.steps -= viewer.steps > 0;
    viewer.due += viewer.pace > 0 ? 1 / viewer.pace : 0;
    if (viewer.due < now - LATEST)
    {
        viewer.due = now;
    }
}

/* Does what is due; with the lock. Returns the seconds until something is due again. */
static double work(void)
{
    if (atomic_load(&viewer.request.pending))
    {
        level_open_requested();
        viewer.due = clock_seconds();
        viewer.timed_ticks = 0;
    }
    double now = clock_seconds();
    if (is_due(now))
    {
        double seconds;
        if (!tick_run(&seconds))
        {
            atomic_store(&viewer.state, VIEWER_FAILED);
            return 0;
        }
        count_tick(clock_seconds(), seconds);
        return 0;
    }
    return viewer.state != VIEWER_READY || is_paused() ? .002 : viewer.due - now;
}

static void sleep_for(double seconds)
{
    nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL);
}

static void *simulate(void *unused)
{
    (void)unused;
    for (;;)
    {
        pthread_mutex_lock(&viewer.lock);
        double wait = work();
        pthread_mutex_unlock(&viewer.lock);
        if (wait > 0)
        {
            sleep_for(wait < .002 ? wait : .002);
        }
        while (atomic_load(&viewer.waiting) > 0)
        {
            sleep_for(5e-5);
        }
    }
    return NULL;
}

/* Starts the simulation thread. A page that has no threads calls viewer_pump instead, before each drawing. */
EXPORT bool viewer_start(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, simulate, NULL) == 0;
}

EXPORT void viewer_pump(void)
{
    double end = clock_seconds() + PUMP_SECONDS;
    while (work() <= 0 && clock_seconds() < end)
    {
    }
}

EXPORT void viewer_set_pace(double ticks_per_second)
{
    viewer_lock();
    viewer.pace = ticks_per_second;
    viewer.due = clock_seconds();
    viewer.timed_ticks = ticks_per_second > 0 ? 0 : viewer.timed_ticks;
    viewer_unlock();
}

/* The ticks stop before this one; NEVER: they do not. */
EXPORT void viewer_set_stop(uint32_t tick)
{
    viewer_lock();
    viewer.stop_at = tick;
    viewer.due = clock_seconds();
    viewer_unlock();
}

EXPORT void viewer_step(void)
{
    viewer_lock();
    viewer.steps++;
    viewer_unlock();
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the page polls. The order of the numbers is that of `numbers` in page/module.js. */
EXPORT const double *viewer_numbers(void)
{
    static double numbers[17], sorted[RECENT_TICKS];
    uint32_t count = viewer.timed_ticks < RECENT_TICKS ? viewer.timed_ticks : RECENT_TICKS;
    memcpy(sorted, viewer.tick_ms, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare);
    double span = 0;
    if (count > 1)
    {
        uint32_t last = viewer.timed_ticks - 1, first = viewer.timed_ticks - count;
        span = viewer.tick_ends[last % RECENT_TICKS] - viewer.tick_ends[first % RECENT_TICKS];
    }
    const sidle_stats *s = &viewer.stats;
    double now[] = {viewer.state,
                    viewer.run.tick,
                    viewer.history.oldest,
                    atomic_load(&viewer.history.newest),
                    viewer.run.count,
                    viewer.scene.info.triangle_count,
                    count ? sorted[count / 2] : 0,
                    count ? sorted[(count * 99) / 100] : 0,
                    span > 0 ? (count - 1) / span : 0,
                    viewer.scene.threads,
                    s->moves ? (double)s->sweeps / (double)s->moves : 0,
                    s->tested ? (double)(s->beyond_plane + s->beyond_edges) / (double)s->tested : 0,
                    s->tested ? (double)s->full_price / (double)s->tested : 0,
                    viewer.contact_count,
                    is_paused(),
                    s->moves ? (double)s->candidates / (double)s->moves : 0,
                    viewer.busy};
    memcpy(numbers, now, sizeof now);
    return numbers;
}
