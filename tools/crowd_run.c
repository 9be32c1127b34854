#include "crowd_run.h"

#include "console.h"
#include "crowd_capture.h"
#include "crowd_leak.h"
#include "sidle/steer.h"
#include "wander.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRAIL_SECONDS    5u
#define TRAIL_RATE       12u         /* samples a second */
#define MAX_TRAIL_POINTS 0x01000000u /* all agents together: 192 MiB */

#define FASTEST 5. /* m/s: agents wander at up to 4, and are steered at up to 4.8 */
#define COMFORT .2 /* radii: more than sidle_profile.comfort is by default */

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
    run->steered = calloc(count, sizeof *run->steered);
    run->paths = calloc(count, sizeof *run->paths);
    run->clear_balls = calloc(count, sizeof *run->clear_balls);
    run->is_suspect = calloc(count, sizeof *run->is_suspect);
    run->tick_ms = calloc((size_t)run->desc.ticks + 1, sizeof *run->tick_ms);
    run->tallies = calloc(run->desc.scene->threads, sizeof *run->tallies);
    if (!run->moves || !run->results || !run->steered || !run->paths || !run->clear_balls ||
        !run->is_suspect || !run->tick_ms || !run->tallies ||
        (run->desc.wants_trails && !run->trails.points) || (run->desc.watches && !run->watched))
    {
        return false;
    }
    return !run->desc.agents_collide || near_open(&run->near, run->desc.agents);
}

static bool find_overlaps(CrowdRun *run, char *message, int message_size)
{
    return !run->desc.agents_collide || near_update(&run->near, run->results) ||
           explain(message, message_size, "Not enough memory for all agents that overlap");
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
    return find_overlaps(run, message, message_size);
}

void crowd_run_close(CrowdRun *run)
{
    ticker_close(&run->ticker);
    sidle_crowd_destroy(run->crowd);
    sidle_snapshot_release(run->snapshot);
    sidle_world_destroy(run->world);
    free(run->moves);
    free(run->results);
    free(run->steered);
    free(run->paths);
    free(run->clear_balls);
    free(run->is_suspect);
    free(run->tick_ms);
    free(run->tallies);
    free(run->watched);
    near_close(&run->near);
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
    bool is_deferred = result->reasons & SIDLE_REASON_DEFERRED;
    bool came_short = !is_deferred && x * x + z * z < .25 * (wish_x * wish_x + wish_z * wish_z);
    return (result->reasons & (SIDLE_REASON_WALL | SIDLE_REASON_STEP | SIDLE_REASON_AGENT)) || came_short;
}

static bool chord_is_suspect(CrowdRun *run, uint32_t agent)
{
    const Agents *agents = run->desc.agents;
    const LeakPath path = {.from = run->moves[agent].body.center,
                           .to = run->results[agent].body.center,
                           .shape = agents->shapes[agents->list[agent].shape]};
    return leak_is_possible(run->desc.grid, &path, &run->clear_balls[agent]);
}

/* Whether a neighbour took a part of the agent's displacement. That has to be close: two shares of a tick, and what agents like
 * to keep between them. */
static bool is_hindered(const CrowdRun *run, uint32_t index)
{
    sidle_vec3 radii = run->desc.agents->shapes[run->desc.agents->list[index].shape].radii;
    double close = 2 * FASTEST / run->desc.hz + COMFORT * fmin((double)radii.x, (double)radii.z);
    return run->desc.agents_collide && (run->results[index].reasons & SIDLE_REASON_AGENT) &&
           near_has_other(&run->near, index, close);
}

static void watch(CrowdRun *run, uint32_t index)
{
    const Agent *agent = &run->desc.agents->list[index];
    WatchTick tick = {.grid = run->desc.grid,
                      .shape = run->desc.agents->shapes[agent->shape],
                      .center = run->results[index].body.center,
                      .is_hindered = is_hindered(run, index),
                      .seed = agent->seed,
                      .tick = run->tick,
                      .hz = run->desc.hz,
                      .mode = run->desc.mode};
    watch_tick(&run->watched[index], &tick);
}

/* Counts what the tick did to each agent. */
static void observe_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    CrowdRun *run = context;
    Tally tally = run->tallies[worker];
    for (uint32_t i = begin; i < end; i++)
    {
        const sidle_move *move = &run->moves[i];
        const sidle_result *result = &run->results[i];
        tally.grounded += (result->body.flags & SIDLE_BODY_GROUNDED) != 0;
        tally.blocked += is_blocked(move, result);
        tally.stuck += (result->reasons & SIDLE_REASON_STUCK) != 0;
        tally.truncated += (result->reasons & SIDLE_REASON_TRUNCATED) != 0;
        tally.invalid += (result->reasons & SIDLE_REASON_INVALID) != 0;
        run->is_suspect[i] = chord_is_suspect(run, i);
        tally.suspects += run->is_suspect[i];
        run->paths[i] += check_distance(move->body.center, result->body.center);
        if (run->watched)
        {
            watch(run, i);
        }
    }
    run->tallies[worker] = tally;
}

/* The results become the states of the next tick. */
static void adopt_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    CrowdRun *run = context;
    (void)worker;
    for (uint32_t i = begin; i < end; i++)
    {
        run->moves[i].body = run->results[i].body;
    }
}

static uint64_t count_suspects(const CrowdRun *run)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < run->desc.scene->threads; i++)
    {
        count += run->tallies[i].suspects;
    }
    return count;
}

/* Follows the paths whose chords cross a triangle. */
static void find_leaks(CrowdRun *run, const sidle_tick_desc *tick)
{
    LeakCheck check = {.grid = run->desc.grid, .crowd = run->crowd, .tick = tick};
    for (uint32_t i = 0; i < run->count; i++)
    {
        if (!run->is_suspect[i] || !leak_is_real(&check, i, run->results[i].body.center))
        {
            continue;
        }
        if (run->leaked < MAX_NAMED_LEAKS)
        {
            run->leaks[run->leaked] =
                (Leak){i, run->tick, run->moves[i].body.center, run->results[i].body.center};
        }
        run->leaked++;
    }
}

static void observe(CrowdRun *run, const sidle_tick_desc *tick)
{
    const sidle_jobs *jobs = run->desc.scene->jobs;
    uint64_t suspects = count_suspects(run);
    run_parallel(jobs, "observe", run->count, CROWD_GRAIN, observe_range, run);
    if (count_suspects(run) > suspects)
    {
        find_leaks(run, tick);
    }
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

/* Replaces the wishes. `seconds` is the time that the library took. */
static sidle_status steer(CrowdRun *run, double *seconds)
{
    *seconds = 0;
    if (!run->desc.steers)
    {
        return SIDLE_OK;
    }
    sidle_steer_desc desc = {.size = sizeof desc,
                             .snapshot = run->snapshot,
                             .jobs = run->desc.scene->jobs,
                             .dt = (float)(1.0 / run->desc.hz),
                             .moves = run->moves,
                             .count = run->count,
                             .displacements = run->steered,
                             .period = run->tick == 0 ? 1 : run->desc.steer_period,
                             .turn = run->tick};
    double begin = clock_seconds();
    sidle_status status = sidle_steer(run->crowd, &desc);
    for (uint32_t i = 0; i < run->count; i++)
    {
        run->moves[i].displacement = run->steered[i];
    }
    *seconds = clock_seconds() - begin;
    return status;
}

sidle_tick_desc crowd_run_tick_desc(CrowdRun *run)
{
    return (sidle_tick_desc){.size = sizeof(sidle_tick_desc),
                             .snapshot = run->snapshot,
                             .dt = (float)(1.0 / run->desc.hz),
                             .moves = run->moves,
                             .count = run->count,
                             .results = run->results,
                             .stats = run->desc.wants_stats ? &run->stats : NULL,
                             .flags = run->desc.agents_collide ? SIDLE_TICK_AGENTS_COLLIDE : 0,
                             .max_moves = run->desc.budget};
}

sidle_status crowd_run_wish(CrowdRun *run, double *seconds)
{
    run_parallel(run->desc.scene->jobs, "wish", run->count, CROWD_GRAIN, wish_range, run);
    return steer(run, seconds);
}

void crowd_run_adopt(CrowdRun *run)
{
    run_parallel(run->desc.scene->jobs, "adopt", run->count, CROWD_GRAIN, adopt_range, run);
}

bool crowd_run_ticks(CrowdRun *run, char *message, int message_size)
{
    sidle_tick_desc tick = crowd_run_tick_desc(run);
    run->stats = (sidle_stats){.size = sizeof run->stats};
    sidle_status status = SIDLE_OK;
    Progress progress;
    progress_begin(&progress, "ticks", run->desc.ticks);
    record_trail(run, 0);
    for (run->tick = 0; run->tick < run->desc.ticks && status == SIDLE_OK; run->tick++)
    {
        double steering, seconds = 0;
        status = crowd_run_wish(run, &steering);
        if (run->desc.capture.path && run->tick == run->desc.capture.tick &&
            !crowd_capture(run, &tick, message, message_size))
        {
            progress_end(&progress);
            return false;
        }
        if (status == SIDLE_OK)
        {
            status = ticker_tick(&run->ticker, run->crowd, &tick, &seconds);
        }
        run->tick_ms[run->tick] = 1e3 * (steering + seconds);
        if (!find_overlaps(run, message, message_size))
        {
            progress_end(&progress);
            return false;
        }
        observe(run, &tick);
        crowd_run_adopt(run);
        record_trail(run, run->tick + 1);
        progress_update(&progress, run->tick);
    }
    progress_end(&progress);
    return status == SIDLE_OK ||
           explain(message, message_size, "Tick %u failed: %s", run->tick, sidle_status_text(status));
}
