/* sidle's loops on a thread pool of GLib. The caller draws ranges, too, so the loop ends even if the pool is busy. A helper
 * that starts after the last range has been drawn finds nothing to do, and the caller does not wait for it. Therefore a loop inside a job of the
 * same pool cannot block. */
#include "adapter.h"

#include <glib.h>

const char *const adapter_name = "GLib";

typedef struct Loop
{
    sidle_range_fn *fn;
    void *context;
    guint count, size;
    gint next_range, next_worker; /* atomic */
    gint left;                    /* ranges that have not ended; atomic */
} Loop;

static void draw_ranges(gpointer data, gpointer user)
{
    Loop *loop = data;
    guint ranges = loop->count / loop->size + (loop->count % loop->size > 0);
    guint worker = (guint)g_atomic_int_add(&loop->next_worker, 1);
    for (guint i; (i = (guint)g_atomic_int_add(&loop->next_range, 1)) < ranges;)
    {
        guint begin = i * loop->size;
        loop->fn(loop->context, begin, begin + MIN(loop->size, loop->count - begin), worker);
        g_atomic_int_add(&loop->left, -1);
    }
    (void)user;
    g_atomic_rc_box_release(loop);
}

static void parallel_for(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context)
{
    GThreadPool *pool = user;
    Loop *loop = g_atomic_rc_box_new0(Loop);
    *loop = (Loop){.fn = fn, .context = context, .count = count, .size = MAX(grain, 1)};
    loop->left = (gint)(count / loop->size + (count % loop->size > 0));
    guint helpers = MIN((guint)g_thread_pool_get_max_threads(pool), (guint)loop->left);
    for (guint i = 1; i <= helpers; ++i)
        g_thread_pool_push(pool, g_atomic_rc_box_acquire(loop), NULL);
    draw_ranges(g_atomic_rc_box_acquire(loop), NULL);
    while (g_atomic_int_get(&loop->left) > 0)
        g_thread_yield();
    g_atomic_rc_box_release(loop);
    (void)name;
}

const sidle_jobs *adapter_jobs(uint32_t workers)
{
    static sidle_jobs jobs = {.size = sizeof jobs, .parallel_for = parallel_for};
    jobs.user = g_thread_pool_new(draw_ranges, NULL, (gint)workers - 1, TRUE, NULL);
    jobs.worker_count = workers;
    return &jobs;
}
