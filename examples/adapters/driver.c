/* Ticks a crowd whose agents collide on the scheduler of an adapter. All results must have the same bits as on one thread.
 *
 *   adapter_NAME [--workers N]            compares, and fails if anything differs
 *   adapter_NAME --bench [--workers N]    prints how long ticks take, and how long the dispatch of a small one takes */
#define _POSIX_C_SOURCE 200809L

#include "../courtyard.h"
#include "adapter.h"

#include <string.h>
#include <time.h>

#define YARDS  4 /* along each axis */
#define ACROSS 17
#define MOST   (YARDS * YARDS * ACROSS * ACROSS)
#define TICKS  60

/* A crowd in a level of several courtyards. Each run has one of its own, so that two can run at once. */
typedef struct Run
{
    sidle_world *world;
    sidle_crowd *crowd;
    sidle_tick_desc tick;
    uint32_t count, contact_count, number;
    uint64_t hash;
    sidle_move moves[MOST];
    sidle_result results[MOST];
    sidle_contact contacts[2 * MOST];
} Run;

static sidle_world *courtyards(void)
{
    sidle_instance_desc placed = {.size = sizeof placed, .mesh = courtyard_mesh(NULL)};
    sidle_instance instance;
    sidle_world *world;
    must(sidle_world_create(NULL, NULL, &world));
    for (placed.key = 0; placed.key < YARDS * YARDS; ++placed.key)
    {
        uint32_t x = (uint32_t)placed.key % YARDS, z = (uint32_t)placed.key / YARDS;
        placed.pose.position = (sidle_position){2. * COURTYARD_HALF * x, 0, 2. * COURTYARD_HALF * z};
        must(sidle_world_add(world, &placed, &instance));
    }
    must(sidle_world_commit(world, NULL));
    sidle_mesh_release(placed.mesh);
    return world;
}

/* One agent a square metre, except in the pillars. */
static void place_agents(Run *run)
{
    for (uint32_t i = 0; i < MOST; ++i)
    {
        uint32_t yard = i / (ACROSS * ACROSS), x = i % ACROSS, z = i / ACROSS % ACROSS;
        if (abs(abs((int)x - 8) - 3) <= 1 && abs((int)z - 8) <= 1)
            continue;
        sidle_move *move = &run->moves[run->count++];
        *move = (sidle_move){.id = i, .mass = (float)(1 + i % 3)};
        move->body.center.x = 2. * COURTYARD_HALF * (yard % YARDS) + x - 8;
        move->body.center.y = .92;
        move->body.center.z = 2. * COURTYARD_HALF * (yard / YARDS) + z - 8;
    }
}

static Run *run_begin(const sidle_jobs *jobs)
{
    Run *run = calloc(1, sizeof *run);
    if (!run)
        exit(1);
    run->world = courtyards();
    run->crowd = courtyard_crowd(NULL);
    place_agents(run);
    run->tick = (sidle_tick_desc){.size = sizeof run->tick, .jobs = jobs, .dt = 1 / 60.f};
    must(sidle_world_snapshot(run->world, &run->tick.snapshot));
    run->tick.moves = run->moves;
    run->tick.results = run->results;
    run->tick.count = run->count;
    run->tick.contacts = run->contacts;
    run->tick.contact_capacity = 2 * MOST;
    run->tick.contact_count = &run->contact_count;
    run->tick.flags = SIDLE_TICK_AGENTS_COLLIDE;
    return run;
}

static void run_end(Run *run)
{
    sidle_snapshot_release(run->tick.snapshot);
    sidle_crowd_destroy(run->crowd);
    sidle_world_destroy(run->world);
    free(run);
}

/* FNV-1a, 64 bits. */
static void hash_bytes(uint64_t *hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        *hash = (*hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3u;
}

static void hash_results(Run *run)
{
    for (uint32_t i = 0; i < run->count; ++i)
    {
        const sidle_result *result = &run->results[i];
        hash_bytes(&run->hash, &result->body.center, sizeof result->body.center);
        hash_bytes(&run->hash, &result->body.velocity, sizeof result->body.velocity);
        hash_bytes(&run->hash, &result->body.flags, sizeof result->body.flags);
        hash_bytes(&run->hash, &result->reasons, sizeof result->reasons);
        hash_bytes(&run->hash, &result->contact_count, sizeof result->contact_count);
    }
    for (uint32_t i = 0; i < run->contact_count; ++i)
    {
        hash_bytes(&run->hash, &run->contacts[i].agent, sizeof run->contacts[i].agent);
        hash_bytes(&run->hash, &run->contacts[i].point, sizeof run->contacts[i].point);
    }
}

/* Agents walk towards four corners of their courtyard in turn, so that some press and others meet. */
static void run_tick(Run *run)
{
    for (uint32_t i = 0; i < run->count; ++i)
    {
        uint32_t heading = (run->moves[i].id + run->number / 30) % 4;
        run->moves[i].displacement =
            (sidle_vec3){heading & 1 ? .02f : -.02f, 0, heading & 2 ? .015f : -.015f};
    }
    must(sidle_crowd_tick(run->crowd, &run->tick));
    for (uint32_t i = 0; i < run->count; ++i)
        run->moves[i].body = run->results[i].body;
    run->number++;
}

static uint64_t hash_of_run(const sidle_jobs *jobs)
{
    Run *run = run_begin(jobs);
    for (int t = 0; t < TICKS; ++t)
    {
        run_tick(run);
        hash_results(run);
    }
    uint64_t hash = run->hash;
    run_end(run);
    return hash;
}

/* Jobs of the engine that tick: loops inside jobs of the same scheduler. */
typedef struct Nested
{
    const sidle_jobs *jobs;
    uint64_t hash[4];
} Nested;

static void hash_nested(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    Nested *nested = context;
    (void)worker;
    for (uint32_t i = begin; i < end; ++i)
        nested->hash[i] = hash_of_run(nested->jobs);
}

static int compare(const sidle_jobs *jobs)
{
    Nested nested = {.jobs = jobs};
    uint64_t alone = hash_of_run(NULL), adapted = hash_of_run(jobs);
    jobs->parallel_for(jobs->user, "jobs that tick", 4, 1, hash_nested, &nested);
    int different = adapted != alone;
    for (int i = 0; i < 4; ++i)
        different += nested.hash[i] != alone;
    printf("one thread %016llx, %s on %u threads %016llx, %d of 5 runs differ\n", (unsigned long long)alone,
           adapter_name, jobs->worker_count, (unsigned long long)adapted, different);
    return different != 0;
}

/* ---- --bench ---- */

#define SAMPLES    240
#define SMALL_MOST 128

typedef struct Samples
{
    uint32_t count;
    double us[SAMPLES];
} Samples;

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int is_less(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(Samples *samples)
{
    qsort(samples->us, samples->count, sizeof samples->us[0], is_less);
    return samples->us[samples->count / 2];
}

static double large_tick_us(const sidle_jobs *jobs, uint32_t *agent_count)
{
    Samples samples = {0};
    Run *run = run_begin(jobs);
    *agent_count = run->count;
    while (samples.count < SAMPLES / 2)
    {
        double begin = now_us();
        run_tick(run);
        samples.us[samples.count++] = now_us() - begin;
    }
    run_end(run);
    return median(&samples);
}

/* Of agents in an empty world. */
typedef struct Small
{
    const char *title;
    uint32_t count, flags;
    long idle_ms; /* since the tick before */
} Small;

static double small_tick_us(const sidle_jobs *jobs, const Small *small)
{
    static sidle_move moves[SMALL_MOST];
    static sidle_result results[SMALL_MOST];
    Samples samples = {0};
    sidle_world *world;
    sidle_crowd *crowd = courtyard_crowd(NULL);
    sidle_tick_desc tick = {.size = sizeof tick, .jobs = jobs, .dt = 1 / 60.f, .count = small->count};
    tick.flags = small->flags;
    must(sidle_world_create(NULL, NULL, &world));
    must(sidle_world_snapshot(world, &tick.snapshot));
    for (uint32_t i = 0; i < small->count; ++i)
        moves[i] =
            (sidle_move){.id = i, .body.center = {2 * (i % 8), 0, 2 * (i / 8)}, .displacement.x = .02f};
    tick.moves = moves;
    tick.results = results;
    for (uint32_t i = 0; i < 20 + SAMPLES; ++i)
    {
        if (small->idle_ms > 0)
            nanosleep(&(struct timespec){0, small->idle_ms * 1000000}, NULL);
        double begin = now_us();
        must(sidle_crowd_tick(crowd, &tick));
        double took = now_us() - begin;
        if (i >= 20)
            samples.us[samples.count++] = took;
    }
    sidle_snapshot_release(tick.snapshot);
    sidle_crowd_destroy(crowd);
    sidle_world_destroy(world);
    return median(&samples);
}

static void print_large(const sidle_jobs *const jobs[3])
{
    uint32_t count;
    double alone = large_tick_us(NULL, &count);
    int title_width = printf("%u agents that collide", count);
    printf("%*s %8.1f   ", 40 - title_width, "", alone);
    for (int i = 1; i < 3; ++i)
        printf(jobs[i] ? " %8.1f   " : "        -   ", jobs[i] ? large_tick_us(jobs[i], &count) : 0);
    printf("\n");
}

static void print_small(const Small *small, const sidle_jobs *const jobs[3])
{
    double alone = small_tick_us(NULL, small);
    printf("%-40s %8.1f   ", small->title, alone);
    for (int i = 1; i < 3; ++i)
        printf(jobs[i] ? " %+8.1f   " : "        -   ", jobs[i] ? small_tick_us(jobs[i], small) - alone : 0);
    printf("\n");
}

static int bench(const sidle_jobs *adapted)
{
    sidle_pool *pool = NULL;
    const sidle_pool_desc desc = {.size = sizeof desc, .worker_count = adapted->worker_count};
    sidle_status status = sidle_pool_create(&desc, NULL, &pool);
    if (status != SIDLE_ERROR_UNSUPPORTED)
        must(status);
    const sidle_jobs *const jobs[3] = {NULL, sidle_pool_jobs(pool), adapted};
    printf("medians in microseconds, %u workers         alone        pool %11s\n", adapted->worker_count,
           adapter_name);
    print_large(jobs);
    printf("no triangles, alone and what jobs add:\n");
    const Small small[6] = {{"  64 agents, back to back", 64, 0, 0},
                            {"  64 agents, every 2 ms", 64, 0, 2},
                            {"  64 agents that collide, back to back", 64, SIDLE_TICK_AGENTS_COLLIDE, 0},
                            {"  64 agents that collide, every 2 ms", 64, SIDLE_TICK_AGENTS_COLLIDE, 2},
                            {"  128 agents, back to back", SMALL_MOST, 0, 0},
                            {"  128 agents, every 2 ms", SMALL_MOST, 0, 2}};
    for (int i = 0; i < 6; ++i)
        print_small(&small[i], jobs);
    sidle_pool_destroy(pool);
    return 0;
}

int main(int count, char **arguments)
{
    int is_bench = 0;
    uint32_t workers = 4;
    for (int i = 1; i < count; ++i)
    {
        is_bench |= strcmp(arguments[i], "--bench") == 0;
        if (strcmp(arguments[i], "--workers") == 0 && i + 1 < count)
            workers = (uint32_t)strtoul(arguments[++i], NULL, 10);
    }
    if (workers < 2 || workers > SIDLE_MAX_WORKERS)
    {
        fprintf(stderr, "--workers: 2 to %d\n", SIDLE_MAX_WORKERS);
        return 2;
    }
    const sidle_jobs *jobs = adapter_jobs(workers);
    return is_bench ? bench(jobs) : compare(jobs);
}
