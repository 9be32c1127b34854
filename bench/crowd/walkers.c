#include "walkers.h"

#include "tools/wander.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Agents land within a fifth of a second. A second spreads them as they are later. */
#define SETTLING_MOVES       6000000u
#define LEAST_SETTLING_TICKS 12u

/* The speeds of wander() are 1.5 to 4 m/s. */
#define SLOWEST 1.4
#define FASTEST 3.0

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double walkers_cpu_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double walkers_process_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double walkers_wall_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* ---- Memory of the crowd, counted. ---- */

static void *allocate(void *user, size_t size, size_t alignment)
{
    void *memory = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    *(uint64_t *)user += memory ? size : 0;
    return memory;
}

static void release(void *user, void *memory, size_t size)
{
    *(uint64_t *)user -= memory ? size : 0;
    free(memory);
}

static bool make_crowd(Walkers *walkers, sidle_shape shape)
{
    sidle_allocator counted = {.allocate = allocate, .free = release, .user = &walkers->bytes};
    sidle_profile profile = {.size = sizeof profile, .shape = shape};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    return !sidle_crowd_create(&desc, &counted, &walkers->crowd);
}

/* ---- Ticks. ---- */

static float inwards(double place, double middle, double half, float step)
{
    bool leaves = place > middle + half ? step > 0 : place < middle - half && step < 0;
    return leaves ? -step : step;
}

static sidle_vec3 wish_of(const Walkers *walkers, uint32_t agent)
{
    if (walkers->stands)
    {
        return (sidle_vec3){0, 0, 0};
    }
    sidle_position center = walkers->moves[agent].body.center;
    sidle_vec3 wish = wander(hash_mix(agent + 1), walkers->tick, WALKERS_HZ);
    double speed = WALKERS_HZ * sqrt((double)wish.x * (double)wish.x + (double)wish.z * (double)wish.z);
    float share = (float)((SLOWEST + (speed - 1.5) / 2.5 * (FASTEST - SLOWEST)) / speed);
    wish.x = inwards(center.x, walkers->x, walkers->half, wish.x * share);
    wish.z = inwards(center.z, walkers->z, walkers->half, wish.z * share);
    return wish;
}

static void observe(Walkers *walkers)
{
    for (uint32_t i = 0; i < walkers->count; ++i)
    {
        const sidle_result *result = &walkers->results[i];
        sidle_position from = walkers->moves[i].body.center, to = result->body.center;
        double x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
        walkers->path += sqrt(x * x + y * y + z * z);
        walkers->by_agents += (result->reasons & SIDLE_REASON_AGENT) != 0;
        walkers->by_levels += (result->reasons & (SIDLE_REASON_WALL | SIDLE_REASON_STEP)) != 0;
        walkers->moves[i].body = result->body;
    }
    walkers->moved += walkers->count;
}

double walkers_tick(Walkers *walkers, WalkersClock *clock)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = walkers->snapshot,
                            .jobs = walkers->jobs,
                            .dt = 1.0f / WALKERS_HZ,
                            .moves = walkers->moves,
                            .count = walkers->count,
                            .results = walkers->results,
                            .flags = walkers->tick_flags};
    for (uint32_t i = 0; i < walkers->count; ++i)
    {
        walkers->moves[i].displacement = wish_of(walkers, i);
    }
    double begun = clock();
    sidle_status status = sidle_crowd_tick(walkers->crowd, &tick);
    double seconds = clock() - begun;
    if (status)
    {
        fprintf(stderr, "a tick failed: %s\n", sidle_status_text(status));
        exit(1);
    }
    observe(walkers);
    ++walkers->tick;
    return seconds;
}

void walkers_begin_run(Walkers *walkers)
{
    walkers->tick = WALKERS_HZ;
    walkers->path = 0;
    walkers->moved = walkers->by_agents = walkers->by_levels = 0;
    for (uint32_t i = 0; i < walkers->count; ++i)
    {
        walkers->moves[i].body = walkers->settled[i];
    }
}

/* ---- Getting ready. ---- */

static void settle(Walkers *walkers, uint32_t ticks)
{
    for (uint32_t tick = 0; tick < ticks; ++tick)
    {
        walkers_tick(walkers, walkers_wall_seconds);
    }
    for (uint32_t i = 0; i < walkers->count; ++i)
    {
        walkers->settled[i] = walkers->moves[i].body;
    }
    walkers_begin_run(walkers);
}

void walkers_stand(Walkers *walkers)
{
    walkers->stands = true;
    settle(walkers, 3 * WALKERS_HZ);
}

bool walkers_create(Walkers *walkers, const Patch *patch, uint32_t tick_flags, const sidle_jobs *jobs)
{
    const uint32_t count = patch->count;
    *walkers = (Walkers){.snapshot = patch->snapshot,
                         .jobs = jobs,
                         .x = patch->x,
                         .z = patch->z,
                         .half = patch->half,
                         .count = count,
                         .tick_flags = tick_flags};
    walkers->moves = calloc(count, sizeof *walkers->moves);
    walkers->results = calloc(count, sizeof *walkers->results);
    walkers->settled = calloc(count, sizeof *walkers->settled);
    if (!walkers->moves || !walkers->results || !walkers->settled || !make_crowd(walkers, patch->shape))
    {
        fprintf(stderr, "not enough memory for %u agents\n", (unsigned)count);
        walkers_destroy(walkers);
        return false;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        walkers->moves[i] = (sidle_move){.id = i + 1, .body.center = patch->places[i]};
    }
    uint32_t settling = SETTLING_MOVES / count;
    settling = settling < LEAST_SETTLING_TICKS ? LEAST_SETTLING_TICKS : settling;
    settle(walkers, settling < WALKERS_HZ ? settling : WALKERS_HZ);
    return true;
}

void walkers_destroy(Walkers *walkers)
{
    sidle_crowd_destroy(walkers->crowd);
    free(walkers->moves);
    free(walkers->results);
    free(walkers->settled);
    *walkers = (Walkers){.count = 0};
}
