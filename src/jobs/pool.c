/* The built-in pool: each worker, and the caller as worker 0, draws ranges from its own share of a loop, and then from
 * the shares of the others. A share is the same part of every loop, so in loops over the same agents a worker finds in
 * its processor's cache what it wrote before. Idle workers first spin, because the phases of a tick follow each other
 * within microseconds, and then sleep on a condition variable.
 *
 * A worker joins a loop through a gate. The caller opens the gate, draws ranges until none is left, and closes it. Then
 * it waits for the workers that have joined, each of which is in its last range. A worker that sleeps, or has no
 * processor, does not delay the loop: it finds the gate closed. */
#define _POSIX_C_SOURCE 200809L

#include "sidle/jobs.h"

#include "base/memory.h"
#include "base/status.h"
#include "jobs/processors.h"

#ifdef SIDLE_NO_POOL

sidle_status sidle_pool_create(const sidle_pool_desc *desc, const sidle_allocator *allocator,
                               sidle_pool **out)
{
    (void)desc;
    (void)allocator;
    (void)out;
    return SIDLE_ERROR_UNSUPPORTED;
}

void sidle_pool_destroy(sidle_pool *pool)
{
    (void)pool;
}

const sidle_jobs *sidle_pool_jobs(sidle_pool *pool)
{
    (void)pool;
    return NULL;
}

#else

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define SPIN_COUNT 2000 /* of pause instructions: 20 to 100 microseconds */
#define WAKES      2    /* sleeping workers that one thread wakes; each of them wakes as many */

typedef struct Worker
{
    sidle_pool *pool;
    uint32_t index;
    pthread_t thread;
} Worker;

/* A worker's part of the current loop, in a cache line of its own. */
typedef struct Share
{
    _Alignas(64) atomic_uint_least64_t next; /* first item that is not taken; can exceed `end` */
    uint32_t end;
} Share;

struct sidle_pool
{
    sidle_jobs jobs;
    sidle_allocator allocator;
    uint32_t thread_count; /* without the caller */

    /* The current loop; written while the gate is closed and no worker is inside. */
    sidle_range_fn *fn;
    void *context;
    uint32_t range;
    Share shares[SIDLE_MAX_WORKERS]; /* by worker */
    /* Number of the loop | GATE_OPEN | workers inside. */
    _Alignas(64) atomic_uint_least64_t gate;
    _Alignas(64) atomic_uint sleeping;
    atomic_bool quit;

    pthread_mutex_t mutex;
    pthread_cond_t wake;
    Worker workers[SIDLE_MAX_WORKERS];
};

#define GATE_OPEN   0x80000000u
#define GATE_INSIDE 0x7FFFFFFFu

static inline uint32_t loop_of(uint64_t gate)
{
    return (uint32_t)(gate >> 32);
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static inline bool has_left(const Share *share)
{
    return atomic_load_explicit(&share->next, memory_order_relaxed) < share->end;
}

static void draw_from(sidle_pool *pool, Share *share, uint32_t worker)
{
    while (has_left(share))
    {
        uint64_t next = atomic_fetch_add_explicit(&share->next, pool->range, memory_order_relaxed);
        if (next >= share->end)
        {
            return;
        }
        uint32_t begin = (uint32_t)next, left = share->end - begin;
        pool->fn(pool->context, begin, begin + (left < pool->range ? left : pool->range), worker);
    }
}

static void draw_ranges(sidle_pool *pool, uint32_t worker)
{
    const uint32_t count = pool->thread_count + 1;
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t owner = worker + i;
        draw_from(pool, &pool->shares[owner < count ? owner : owner - count], worker);
    }
}

/* Cuts a loop into one share a worker, in whole ranges. */
static void cut_shares(sidle_pool *pool, uint32_t count, uint32_t range)
{
    const uint32_t workers = pool->thread_count + 1;
    uint64_t ranges = (count - 1) / range + 1, begin = 0;
    for (uint32_t i = 0; i < workers; ++i)
    {
        uint64_t end = ranges * (i + 1) / workers * range;
        pool->shares[i].end = end < count ? (uint32_t)end : count;
        atomic_store_explicit(&pool->shares[i].next, begin, memory_order_relaxed);
        begin = end;
    }
}

/* Wakes up to `most` sleeping workers. Either a worker sees the gate's new number before it sleeps, or this thread sees
 * it counted: both sides write and then read, in sequentially consistent order. The mutex ensures that a worker between
 * its last check and its sleep is woken. */
static void wake_sleepers(sidle_pool *pool, uint32_t most)
{
    uint32_t sleeping = atomic_load(&pool->sleeping);
    if (sleeping == 0)
    {
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < sleeping && i < most; ++i)
    {
        pthread_cond_signal(&pool->wake);
    }
}

/* Waits for another loop than the one seen last. Returns whether the worker has slept. */
static bool wait_for_loop(sidle_pool *pool, uint32_t seen)
{
    for (uint32_t i = 0; i < SPIN_COUNT; ++i)
    {
        if (loop_of(atomic_load_explicit(&pool->gate, memory_order_relaxed)) != seen)
        {
            return false;
        }
        pause_briefly();
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (loop_of(atomic_load(&pool->gate)) == seen)
    {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
    return true;
}

/* Returns whether the worker is inside an open loop; sets `seen` to the loop's number in any case. */
static bool join_loop(sidle_pool *pool, uint32_t *seen)
{
    uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    while ((gate & GATE_OPEN) &&
           !atomic_compare_exchange_weak_explicit(&pool->gate, &gate, gate + 1, memory_order_acquire,
                                                  memory_order_relaxed))
    {
    }
    *seen = loop_of(gate);
    return gate & GATE_OPEN;
}

static void *worker_main(void *argument)
{
    Worker *worker = argument;
    sidle_pool *pool = worker->pool;
    uint32_t seen = 0;
    while (!atomic_load(&pool->quit))
    {
        bool slept = wait_for_loop(pool, seen);
        if (join_loop(pool, &seen))
        {
            /* The caller wakes a few workers, and each of these a few more. */
            if (slept && has_left(&pool->shares[worker->index]))
            {
                wake_sleepers(pool, WAKES);
            }
            draw_ranges(pool, worker->index);
            atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_release);
        }
    }
    return NULL;
}

/* Closed, with no worker inside, the gate holds the number of the loop alone. */
static void open_gate(sidle_pool *pool)
{
    uint64_t gate = atomic_load_explicit(&pool->gate, memory_order_relaxed);
    atomic_store(&pool->gate, ((uint64_t)(loop_of(gate) + 1) << 32) | GATE_OPEN);
}

static void close_gate(sidle_pool *pool)
{
    uint64_t gate = atomic_fetch_and_explicit(&pool->gate, ~(uint64_t)GATE_OPEN, memory_order_acquire);
    for (uint32_t spins = 0; gate & GATE_INSIDE; ++spins) /* mutant: pool_leaves_early */
    {
        if (spins < SPIN_COUNT)
        {
            pause_briefly();
        }
        else
        {
            /* A worker's last range is long, or there are fewer processors than workers. */
            nanosleep(&(struct timespec){0, 20000}, NULL);
        }
        gate = atomic_load_explicit(&pool->gate, memory_order_acquire);
    }
}

static void pool_parallel_for(void *user, const char *name, uint32_t count, uint32_t grain,
                              sidle_range_fn *fn, void *context)
{
    (void)name;
    sidle_pool *pool = user;
    uint32_t range = grain > 0 ? grain : 1;
    if (pool->thread_count == 0 || count <= range)
    {
        fn(context, 0, count, 0);
        return;
    }
    pool->fn = fn;
    pool->context = context;
    pool->range = range;
    cut_shares(pool, count, range);
    open_gate(pool);
    wake_sleepers(pool, (count - 1) / range < WAKES ? (count - 1) / range : WAKES);
    draw_ranges(pool, 0);
    close_gate(pool);
}

static uint32_t processor_count(void)
{
#if defined(__linux__)
    long count = sidle_processors_usable();
#elif defined(_WIN32)
    long count = pthread_num_processors_np(); /* of winpthreads */
#else
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : count > SIDLE_MAX_WORKERS ? SIDLE_MAX_WORKERS : (uint32_t)count;
}

static bool start_threads(sidle_pool *pool, uint32_t thread_count)
{
    for (; pool->thread_count < thread_count; ++pool->thread_count)
    {
        Worker *worker = &pool->workers[pool->thread_count];
        *worker = (Worker){.pool = pool, .index = pool->thread_count + 1};
        if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
        {
            return false;
        }
    }
    return true;
}

sidle_status sidle_pool_create(const sidle_pool_desc *desc, const sidle_allocator *allocator,
                               sidle_pool **out)
{
    sidle_allocator chosen;
    if (!out || !sidle_memory_choose(allocator, &chosen) || (desc && desc->size != sizeof *desc))
    {
        return SIDLE_ERROR_ARGUMENT;
    }
    uint32_t worker_count = desc && desc->worker_count ? desc->worker_count : processor_count();
    if (worker_count > SIDLE_MAX_WORKERS)
    {
        return SIDLE_ERROR_LIMIT;
    }
    sidle_pool *pool = sidle_memory_allocate(&chosen, 1, sizeof *pool);
    if (!pool)
    {
        return SIDLE_ERROR_MEMORY;
    }
    *pool = (sidle_pool){.allocator = chosen};
    pool->jobs = (sidle_jobs){sizeof(sidle_jobs), pool_parallel_for, pool, worker_count};
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    if (!start_threads(pool, worker_count - 1))
    {
        sidle_pool_destroy(pool);
        return SIDLE_ERROR_MEMORY;
    }
    *out = pool;
    return SIDLE_OK;
}

void sidle_pool_destroy(sidle_pool *pool)
{
    if (!pool)
    {
        return;
    }
    atomic_store(&pool->quit, true);
    open_gate(pool); /* there is nothing left to draw */
    wake_sleepers(pool, pool->thread_count);
    for (uint32_t i = 0; i < pool->thread_count; ++i)
    {
        pthread_join(pool->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    sidle_allocator allocator = pool->allocator;
    sidle_memory_free(&allocator, pool, 1, sizeof *pool);
}

const sidle_jobs *sidle_pool_jobs(sidle_pool *pool)
{
    return pool ? &pool->jobs : NULL;
}

#endif
