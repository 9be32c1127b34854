/* The built-in pool: the workers and the caller draw ranges from one shared counter. Idle workers first spin, because
 * the phases of a tick follow each other within microseconds, and then sleep on a condition variable. */
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

typedef struct Worker
{
    sidle_pool *pool;
    uint32_t index;
    pthread_t thread;
} Worker;

struct sidle_pool
{
    sidle_jobs jobs;
    sidle_allocator allocator;
    uint32_t thread_count; /* without the caller */

    /* The current loop; written before `generation` is raised. */
    sidle_range_fn *fn;
    void *context;
    uint32_t count, range;
    _Alignas(64) atomic_uint_least64_t next; /* first item that is not taken; can exceed `count` */
    _Alignas(64) atomic_uint busy;           /* workers that have not finished this generation */
    _Alignas(64) atomic_uint generation;     /* number of the loop */
    atomic_bool quit;

    pthread_mutex_t mutex;
    pthread_cond_t wake;
    uint32_t sleeping;
    Worker workers[SIDLE_MAX_WORKERS];
};

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void draw_ranges(sidle_pool *pool, uint32_t worker)
{
    for (;;)
    {
        uint64_t next = atomic_fetch_add_explicit(&pool->next, pool->range, memory_order_relaxed);
        if (next >= pool->count)
        {
            return;
        }
        uint32_t begin = (uint32_t)next, left = pool->count - begin;
        pool->fn(pool->context, begin, begin + (left < pool->range ? left : pool->range), worker);
    }
}

static void wait_for_generation(sidle_pool *pool, uint32_t seen)
{
    for (uint32_t i = 0; i < SPIN_COUNT; ++i)
    {
        if (atomic_load_explicit(&pool->generation, memory_order_acquire) != seen)
        {
            return;
        }
        pause_briefly();
    }
    pthread_mutex_lock(&pool->mutex);
    ++pool->sleeping;
    while (atomic_load_explicit(&pool->generation, memory_order_acquire) == seen)
    {
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    --pool->sleeping;
    pthread_mutex_unlock(&pool->mutex);
}

static void *worker_main(void *argument)
{
    Worker *worker = argument;
    sidle_pool *pool = worker->pool;
    uint32_t seen = 0;
    for (;;)
    {
        wait_for_generation(pool, seen);
        ++seen;
        if (atomic_load_explicit(&pool->quit, memory_order_relaxed))
        {
            return NULL;
        }
        draw_ranges(pool, worker->index);
        atomic_fetch_sub_explicit(&pool->busy, 1, memory_order_release);
    }
}

/* The mutex ensures that a worker between its last check and its sleep is woken. */
static void raise_generation(sidle_pool *pool)
{
    atomic_store_explicit(&pool->busy, pool->thread_count, memory_order_relaxed);
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_release);
    if (pool->sleeping > 0)
    {
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->mutex);
}

static void pool_parallel_for(void *user, const char *name, uint32_t count, uint32_t grain,
                              sidle_range_fn *fn, void *context)
{
    (void)name;
    sidle_pool *pool = user;
    pool->fn = fn;
    pool->context = context;
    pool->count = count;
    pool->range = grain > 0 ? grain : 1;
    if (pool->thread_count == 0 || count <= pool->range)
    {
        fn(context, 0, count, 0);
        return;
    }
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    raise_generation(pool);
    draw_ranges(pool, 0);
    for (uint32_t spins = 0; atomic_load_explicit(&pool->busy, memory_order_acquire) != 0; ++spins)
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
    }
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
    raise_generation(pool);
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
