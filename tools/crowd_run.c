#include "crowd_run.h"

#include "console.h"
#include "crowd_capture.h"
#include "hash.h"
#include "wander.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAIN 256u /* agents worth a job */

#define TRAIL_SECONDS    5u
#define TRAIL_RATE       12u         /* samples a second */
#define MAX_TRAIL_POINTS 0x01000000u /* all agents together: 192 MiB */

/* A ball around an agent that stands on something ends there, so a larger one is not worth looking for. */
#define CLEAR_LIMIT  1.15       /* of the largest radius */
#define CLEAR_MARGIN (1 - 1e-9) /* for rounding */

#define FELL_OUT 5.0 /* metres below the lowest floor */

/* On cache lines of their own, since workers count at the same time. */
struct Tally
{
    uint64_t grounded, blocked, stuck, truncated, invalid, leaked, penetrating, fell_out;
};
_Static_assert(sizeof(Tally) == 64, "a tally is a cache line");

static bool fail_with(char *message, int message_size, const sidle_error *error, sidle_status status)
{
    return explain(message, message_size, "%s", error->text[0] ? error->text : sidle_status_text(status));
}

/* ---- Getting ready. ---- */

static sidle_status place_level(CrowdRun *run)
{
    sidle_world_desc world_desc = {.size = sizeof world_desc};
    sidle_instance_desc instance_desc = {.size = sizeof instance_desc, .mesh = run->desc.scene->mesh};
    sidle_instance instance;
    sidle_status status = sidle_world_create(&world_desc, NULL, &run->world);
    if (status == SIDLE_OK)
    {
        status = sidle_world_add(run->world, &instance_desc, &instance);
    }
    if (status == SIDLE_OK)
    {
        status = sidle_world_commit(run->world, run->desc.scene->jobs);
    }
    return status == SIDLE_OK ? sidle_world_snapshot(run->world, &run->snapshot) : status;
}

static sidle_status make_crowd(CrowdRun *run, sidle_error *error)
{
    const Agents *agents = run->desc.agents;
    sidle_profile *profiles = calloc(agents->shape_count, sizeof *profiles);
    if (!profiles)
    {
        return SIDLE_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < agents->shape_count; i++)
    {
        profiles[i] =
            (sidle_profile){.size = sizeof *profiles, .shape = agents->shapes[i], .mode = run->desc.mode};
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = profiles,
                             .profile_count = agents->shape_count,
                             .lanes = run->desc.lanes,
                             .error = error};
    sidle_status status = sidle_crowd_create(&desc, NULL, &run->crowd);
    free(profiles);
    return status;
}

static void plan_trails(CrowdRun *run)
{
    const Scene *scene = run->desc.scene;
    Trails *trails = &run->trails;
    uint32_t hz = run->desc.hz, ticks = run->desc.ticks;
    trails->agents = run->count;
    trails->interval = hz > TRAIL_RATE ? hz / TRAIL_RATE : 1;
    trails->origin = scene->info.min;
    uint32_t wanted = TRAIL_SECONDS * hz / trails->interval + 1;
    uint32_t affordable = MAX_TRAIL_POINTS / run->count;
    trails->capacity = wanted < affordable ? wanted : affordable;
    uint64_t span = (uint64_t)trails->interval * (trails->capacity ? trails->capacity - 1 : 0);
    trails->first_tick = span < ticks ? ticks - (uint32_t)span : ticks % trails->interval;
}

static bool reserve_memory(CrowdRun *run)
{
    size_t count = run->count;
    if (run->desc.wants_trails)
    {
        plan_trails(run);
        run->trails.points = malloc((count * run->trails.capacity + 1) * 3 * sizeof(float));
    }
    run->watched = run->desc.watches ? calloc(count, sizeof *run->watched) : NULL;
    run->moves = calloc(count, sizeof *run->moves);
    run->results = calloc(count, sizeof *run->results);
    run->paths = calloc(count, sizeof *run->paths);
    run->clear_balls = calloc(count, sizeof *run->clear_balls);
    run->tick_ms = calloc((size_t)run->desc.ticks + 1, sizeof *run->tick_ms);
    run->tallies = calloc(run->desc.scene->threads, sizeof *run->tallies);
    if (!run->moves || !run->results || !run->paths || !run->clear_balls || !run->tick_ms || !run->tallies ||
        (run->desc.wants_trails && !run->trails.points) || (run->desc.watches && !run->watched))
    {
        return false;
    }
    return true;
}

bool crowd_run_open(const CrowdDesc *desc, CrowdRun *run, char *message, int message_size)
{
    sidle_error error = {.text = ""};
    memset(run, 0, sizeof *run);
    run->desc = *desc;
    run->count = desc->agents->count;
    sidle_status status = make_crowd(run, &error);
    if (status == SIDLE_OK)
    {
        status = place_level(run);
    }
    if (status != SIDLE_OK)
    {
        return fail_with(message, message_size, &error, status);
    }
    TickerDesc ticker_desc = {.jobs = desc->scene->jobs,
                              .level = desc->jobs_level,
                              .agent_count = run->count,
                              .shuffles = desc->shuffles};
    if (!reserve_memory(run) || !ticker_open(&ticker_desc, &run->ticker))
    {
        return explain(message, message_size, "Not enough memory for %u agents and %u ticks", run->count,
                       desc->ticks);
    }
    for (uint32_t i = 0; i < run->count; i++)
    {
        const Agent *agent = &desc->agents->list[i];
        run->moves[i] = (sidle_move){.id = i, .profile = agent->shape, .flags = SIDLE_MOVE_NO_CONTACTS};
        run->moves[i].body.center = agent->start;
        run->results[i].body = run->moves[i].body;
        if (run->watched)
        {
            watch_begin(&run->watched[i], agent->start);
        }
    }
    return true;
}

void crowd_run_close(CrowdRun *run)
{
    ticker_close(&run->ticker);
    sidle_crowd_destroy(run->crowd);
    sidle_snapshot_release(run->snapshot);
    sidle_world_destroy(run->world);
    free(run->moves);
    free(run->results);
    free(run->paths);
    free(run->clear_balls);
    free(run->tick_ms);
    free(run->tallies);
    free(run->watched);
    free(run->trails.points);
    memset(run, 0, sizeof *run);
}

/* ---- The ticks. ---- */

static void wish_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    CrowdRun *run = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++)
    {
        run->moves[i].displacement = wander(run->desc.agents->list[i].seed, run->tick, run->desc.hz);
    }
}

static bool is_blocked(const sidle_move *move, const sidle_result *result)
{
    double x = result->body.center.x - move->body.center.x, z = result->body.center.z - move->body.center.z;
    double wish_x = (double)move->displacement.x, wish_z = (double)move->displacement.z;
    bool came_short = x * x + z * z < .25 * (wish_x * wish_x + wish_z * wish_z);
    return (result->reasons & (SIDLE_REASON_WALL | SIDLE_REASON_STEP | SIDLE_REASON_AGENT)) || came_short;
}

static double distance_between(sidle_position a, sidle_position b)
{
    double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return sqrt(x * x + y * y + z * z);
}

/* Does the way of this tick cross a triangle? An agent stays for a dozen ticks in the ball that is clear
 * around a place it has been to. Looking at the level only when it leaves that ball is not just faster: what
 * is looked at pushes what the next tick needs out of the caches, and a city then seemed a third slower than
 * it is. */
static bool has_leaked(CrowdRun *run, uint32_t agent, sidle_position from, sidle_position to)
{
    ClearBall *ball = &run->clear_balls[agent];
    if (distance_between(ball->center, from) < ball->radius &&
        distance_between(ball->center, to) < ball->radius)
    {
        return false;
    }
    const Agents *agents = run->desc.agents;
    sidle_vec3 radii = agents->shapes[agents->list[agent].shape].radii;
    double largest = fmax((double)radii.x, fmax((double)radii.y, (double)radii.z));
    ball->center = to;
    ball->radius = CLEAR_MARGIN * check_clearance(run->desc.grid, to, CLEAR_LIMIT * largest);
    return check_crosses(run->desc.grid, from, to);
}

static void watch(CrowdRun *run, uint32_t index)
{
    const Agent *agent = &run->desc.agents->list[index];
    WatchTick tick = {.grid = run->desc.grid,
                      .shape = run->desc.agents->shapes[agent->shape],
                      .center = run->results[index].body.center,
                      .seed = agent->seed,
                      .tick = run->tick,
                      .hz = run->desc.hz,
                      .mode = run->desc.mode};
    watch_tick(&run->watched[index], &tick);
}

/* Counts what the tick did to each agent and makes its result the state of the next tick. */
static void observe_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    CrowdRun *run = context;
    Tally tally = run->tallies[worker];
    for (uint32_t i = begin; i < end; i++)
    {
        sidle_move *move = &run->moves[i];
        const sidle_result *result = &run->results[i];
        tally.grounded += (result->body.flags & SIDLE_BODY_GROUNDED) != 0;
        tally.blocked += is_blocked(move, result);
        tally.stuck += (result->reasons & SIDLE_REASON_STUCK) != 0;
        tally.truncated += (result->reasons & SIDLE_REASON_TRUNCATED) != 0;
        tally.invalid += (result->reasons & SIDLE_REASON_INVALID) != 0;
        tally.leaked += has_leaked(run, i, move->body.center, result->body.center);
        run->paths[i] += distance_between(move->body.center, result->body.center);
        if (run->watched)
        {
            watch(run, i);
        }
        move->body = result->body;
    }
    run->tallies[worker] = tally;
}

static void record_trail(CrowdRun *run, uint32_t ticks_done)
{
    Trails *trails = &run->trails;
    if (!trails->points || trails->count == trails->capacity || ticks_done < trails->first_tick ||
        (ticks_done - trails->first_tick) % trails->interval != 0)
    {
        return;
    }
    float *points = &trails->points[3 * (size_t)trails->count++ * run->count];
    for (uint32_t i = 0; i < run->count; i++)
    {
        sidle_position center = run->moves[i].body.center;
        *points++ = (float)(center.x - trails->origin.x);
        *points++ = (float)(center.y - trails->origin.y);
        *points++ = (float)(center.z - trails->origin.z);
    }
}

bool crowd_run_ticks(CrowdRun *run, char *message, int message_size)
{
    const sidle_jobs *jobs = run->desc.scene->jobs;
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = run->snapshot,
                            .dt = (float)(1.0 / run->desc.hz),
                            .moves = run->moves,
                            .count = run->count,
                            .results = run->results,
                            .stats = run->desc.wants_stats ? &run->stats : NULL};
    run->stats = (sidle_stats){.size = sizeof run->stats};
    sidle_status status = SIDLE_OK;
    Progress progress;
    progress_begin(&progress, "ticks", run->desc.ticks);
    record_trail(run, 0);
    for (run->tick = 0; run->tick < run->desc.ticks && status == SIDLE_OK; run->tick++)
    {
        run_parallel(jobs, "wish", run->count, GRAIN, wish_range, run);
        if (run->desc.capture.path && run->tick == run->desc.capture.tick &&
            !crowd_capture(run, &tick, message, message_size))
        {
            progress_end(&progress);
            return false;
        }
        double seconds;
        status = ticker_tick(&run->ticker, run->crowd, &tick, &seconds);
        run->tick_ms[run->tick] = 1e3 * seconds;
        run_parallel(jobs, "observe", run->count, GRAIN, observe_range, run);
        record_trail(run, run->tick + 1);
        progress_update(&progress, run->tick);
    }
    progress_end(&progress);
    return status == SIDLE_OK ||
           explain(message, message_size, "Tick %u failed: %s", run->tick, sidle_status_text(status));
}

/* ---- The end. ---- */

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

/* Nearest rank. */
static double percentile(const double *sorted, uint32_t count, double share)
{
    uint32_t rank = (uint32_t)ceil(share * count);
    return count ? sorted[rank ? rank - 1 : 0] : 0;
}

/* 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo) over the little-endian bytes, whatever the machine's order.
 */
static uint64_t hash_states(const CrowdRun *run)
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
    *totals = (CrowdTotals){.agent_ticks = (uint64_t)run->count * ticks};
    run_parallel(scene->jobs, "check", run->count, GRAIN, check_range, run);
    for (uint32_t i = 0; i < scene->threads; i++)
    {
        const Tally *tally = &run->tallies[i];
        totals->grounded += tally->grounded;
        totals->blocked += tally->blocked;
        totals->stuck += tally->stuck;
        totals->truncated += tally->truncated;
        totals->invalid += tally->invalid;
        totals->leaked += tally->leaked;
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
    totals->state_hash = hash_states(run);
}
