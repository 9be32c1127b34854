#include "support/schedulers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Loop
{
    sidle_range_fn *fn;
    void *context;
    const uint32_t *order; /* the items */
    uint32_t count;
    atomic_uint next;
} Loop;

/* Of one thread. */
typedef struct Hand
{
    Loop *loop;
    uint32_t worker;
} Hand;

static void *take_items(void *argument)
{
    Hand *hand = argument;
    for (;;)
    {
        uint32_t place = atomic_fetch_add(&hand->loop->next, 1);
        if (place >= hand->loop->count)
        {
            return NULL;
        }
        uint32_t item = hand->loop->order[place];
        hand->loop->fn(hand->loop->context, item, item + 1, hand->worker);
    }
}

static void run_threads(Loop *loop, uint32_t worker_count)
{
    pthread_t threads[SIDLE_MAX_WORKERS];
    Hand hands[SIDLE_MAX_WORKERS];
    for (uint32_t worker = 0; worker < worker_count; ++worker)
    {
        hands[worker] = (Hand){loop, worker};
        if (pthread_create(&threads[worker], NULL, take_items, &hands[worker]) != 0)
        {
            abort();
        }
    }
    for (uint32_t worker = 0; worker < worker_count; ++worker)
    {
        pthread_join(threads[worker], NULL);
    }
}

/* Cuts [0, count) anew each time and runs the pieces from the middle outwards. */
static void run_unevenly(Scheduler *scheduler, Loop *loop)
{
    uint32_t cut = random_below(&scheduler->random, loop->count + 1);
    uint32_t second = cut + random_below(&scheduler->random, loop->count - cut + 1);
    const uint32_t pieces[3][2] = {{cut, second}, {second, loop->count}, {0, cut}};
    for (int piece = 0; piece < 3; ++piece)
    {
        if (pieces[piece][0] < pieces[piece][1])
        {
            loop->fn(loop->context, pieces[piece][0], pieces[piece][1],
                     random_below(&scheduler->random, scheduler->jobs.worker_count));
        }
    }
}

static void run_one_by_one(Scheduler *scheduler, Loop *loop)
{
    for (uint32_t place = 0; place < loop->count; ++place)
    {
        uint32_t item = loop->order[place];
        loop->fn(loop->context, item, item + 1,
                 random_below(&scheduler->random, scheduler->jobs.worker_count));
    }
}

static void order_items(Scheduler *scheduler, uint32_t *order, uint32_t count)
{
    for (uint32_t place = 0; place < count; ++place)
    {
        uint32_t other = random_below(&scheduler->random, place + 1);
        order[place] = order[other];
        order[other] = place;
    }
    for (uint32_t place = 0; scheduler->order == SCHEDULER_REVERSE && place < count; ++place)
    {
        order[place] = count - 1 - place;
    }
}

static void parallel_for(void *user, const char *name, uint32_t count, uint32_t grain, sidle_range_fn *fn,
                         void *context)
{
    Scheduler *scheduler = user;
    (void)name;
    (void)grain; /* not a law */
    uint32_t *order = calloc(count > 0 ? count : 1, sizeof *order);
    if (order == NULL)
    {
        abort();
    }
    order_items(scheduler, order, count);
    Loop loop = {.fn = fn, .context = context, .order = order, .count = count};
    atomic_init(&loop.next, 0);
    switch (scheduler->order)
    {
    case SCHEDULER_THREADS:
        run_threads(&loop, scheduler->jobs.worker_count);
        break;
    case SCHEDULER_UNEVEN:
        run_unevenly(scheduler, &loop);
        break;
    default:
        run_one_by_one(scheduler, &loop);
        break;
    }
    free(order);
}

void scheduler_set(Scheduler *scheduler, SchedulerOrder order, uint32_t worker_count)
{
    scheduler->order = order;
    scheduler->random = random_seeded(order);
    scheduler->jobs = (sidle_jobs){sizeof(sidle_jobs), parallel_for, scheduler, worker_count};
}
