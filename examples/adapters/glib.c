/* sidle's loops on a thread pool of GLib. The caller draws ranges, too, and waits for no helper that has not begun, so a loop inside
 * a job of the same pool cannot block. The last helper frees the loop. */
#include "adapter.h"

#include <glib.h>

const char *const adapter_name = "GLib";

typedef struct Loop
{
    sidle_range_fn *fn;
    void *context;
    guint count, size;
    gint left, next, worker; /* atomic; left: elements that have not ended */
} Loop;

static void draw_ranges(gpointer data, gpointer user)
{
    Loop *loop = data;
    guint worker = (guint)g_atomic_int_add(&loop->worker, 1), begin, end;
    while ((begin = (guint)g_atomic_int_add(&loop->next, (gint)loop->size)) < loop->count)
    {
        end = begin + MIN(loop->size, loop->count - begin);
        loop->fn(loop->context, begin, end, worker);
        g_atomic_int_add(&loop->left, (gint)begin - (gint)end);
    }
    (void)user;
    g_atomic_rc_box_release(loop);
}

static void parallel_for(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context)
{
    Loop *loop = g_atomic_rc_box_new0(Loop);
    *loop = (Loop){fn, context, count, MAX(grain, 1), (gint)count, 0, 0};
    guint helpers = MIN((guint)g_thread_pool_get_max_threads(user), count / loop->size);
    while (helpers-- > 0)
        g_thread_pool_push(user, g_atomic_rc_box_acquire(loop), NULL);
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
