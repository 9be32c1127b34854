#include "cast_check.h"
#include "casts.h"
#include "commands.h"
#include "console.h"
#include "draft.h"
#include "json.h"
#include "options.h"
#include "scene.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define CHECK_GRAIN      16u /* casts worth a job */
#define MAX_DISAGREEMENT 10  /* that are printed */

/* Everything of one run, so that one function frees it whatever has failed. */
typedef struct CastCommand
{
    Options options;
    Scene scene;
    Casts casts;
    CheckGrid *grid;
    sidle_world *world;
    sidle_snapshot *snapshot;
    double seconds;
    uint64_t hits, overlaps, disagreements;
    atomic_uint printed;
    uint64_t wrong[SIDLE_MAX_WORKERS]; /* per worker */
    char message[MESSAGE_SIZE];
} CastCommand;

static double per_second(const CastCommand *c)
{
    return c->seconds > 0 ? c->casts.count / c->seconds : 0;
}

static bool fail_with(CastCommand *c, sidle_status status)
{
    return status == SIDLE_OK || explain(c->message, MESSAGE_SIZE, "%s", sidle_status_text(status));
}

/* ---- The answers. ---- */

static void print_json(const CastCommand *c)
{
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, casts_hash(&c->casts));
    Json json;
    json_begin(&json, stdout);
    json_text(&json, "level", c->scene.level.name);
    json_count(&json, "triangles", c->scene.info.triangle_count);
    json_count(&json, "threads", c->scene.threads);
    json_count(&json, "lanes", sidle_cast_lanes(c->options.lanes));
    json_count(&json, "queries", c->casts.count);
    json_count(&json, "hits", c->hits);
    json_count(&json, "overlaps", c->overlaps);
    json_rounded(&json, "seconds", c->seconds);
    json_rounded(&json, "casts_per_second", per_second(c));
    json_rounded(&json, "casts_per_second_per_core", per_second(c) / c->scene.threads);
    if (c->options.checks)
    {
        json_count(&json, "disagreements", c->disagreements);
    }
    json_text(&json, "result_hash", hash);
    json_end(&json);
}

static void print_table(const CastCommand *c)
{
    double speed = per_second(c);
    printf("level         %s, %s triangles\n", c->scene.level.name, grouped(c->scene.info.triangle_count));
    printf("work          %u thread%s, %u lanes\n\n", c->scene.threads, c->scene.threads == 1 ? "" : "s",
           sidle_cast_lanes(c->options.lanes));
    printf("queries       %s\n", grouped(c->casts.count));
    printf("hits          %s\n", grouped(c->hits));
    printf("overlaps      %s\n", grouped(c->overlaps));
    printf("misses        %s\n", grouped(c->casts.count - c->hits - c->overlaps));
    printf("casts/s       %s, %s per core\n", grouped((uint64_t)speed),
           grouped((uint64_t)(speed / c->scene.threads)));
    printf("result hash   %016" PRIx64 "\n", casts_hash(&c->casts));
}

/* ---- The run. ---- */

static bool find_casts(CastCommand *c)
{
    const Options *options = &c->options;
    return options->queries || (scene_need_triangles(&c->scene, c->message, MESSAGE_SIZE) &&
                                casts_random(&c->scene.level, options->random, options->seed, &c->casts,
                                             c->message, MESSAGE_SIZE));
}

static bool place_level(CastCommand *c)
{
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = c->scene.mesh};
    sidle_instance instance;
    sidle_status status = sidle_world_create(NULL, NULL, &c->world);
    if (status == SIDLE_OK)
    {
        status = sidle_world_add(c->world, &desc, &instance);
    }
    if (status == SIDLE_OK)
    {
        status = sidle_world_commit(c->world, c->scene.jobs);
    }
    return fail_with(c, status == SIDLE_OK ? sidle_world_snapshot(c->world, &c->snapshot) : status);
}

static bool run_casts(CastCommand *c)
{
    sidle_cast_batch_desc batch = {.size = sizeof batch,
                                   .snapshot = c->snapshot,
                                   .jobs = c->scene.jobs,
                                   .lanes = c->options.lanes,
                                   .casts = c->casts.list,
                                   .count = c->casts.count,
                                   .hits = c->casts.hits};
    double begin = clock_seconds();
    sidle_status status = sidle_cast_batch(&batch);
    c->seconds = clock_seconds() - begin;
    for (uint32_t i = 0; i < c->casts.count; i++)
    {
        c->hits += c->casts.hits[i].hit == SIDLE_CAST_HIT;
        c->overlaps += c->casts.hits[i].hit == SIDLE_CAST_OVERLAP;
    }
    return fail_with(c, status);
}

/* Before the casts, so that a misspelled folder is reported at once and not after minutes of work. */
static bool can_write_results(CastCommand *c)
{
    return !c->options.results || draft_is_possible(c->options.results, c->message, MESSAGE_SIZE);
}

static bool write_results(CastCommand *c)
{
    Draft draft;
    if (!c->options.results)
    {
        return true;
    }
    if (!draft_begin(c->options.results, &draft, c->message, MESSAGE_SIZE))
    {
        return false;
    }
    casts_write(&c->casts, draft.file);
    return draft_publish(&draft, c->message, MESSAGE_SIZE);
}

/* ---- The check. ---- */

static void check_range(void *context, uint32_t begin, uint32_t end, uint32_t worker)
{
    CastCommand *c = context;
    char what[256] = "";
    for (uint32_t i = begin; i < end; i++)
    {
        if (cast_is_right(c->grid, &c->casts.list[i], &c->casts.hits[i], what, sizeof what))
        {
            continue;
        }
        c->wrong[worker]++;
        if (atomic_fetch_add(&c->printed, 1) < MAX_DISAGREEMENT)
        {
            failure("Query %u, answered %u at %.17g: %s", i + 1, c->casts.hits[i].hit, c->casts.hits[i].t,
                    what);
        }
    }
}

static bool check(CastCommand *c)
{
    if (!c->options.checks)
    {
        return true;
    }
    if (!scene_need_triangles(&c->scene, c->message, MESSAGE_SIZE))
    {
        return false;
    }
    cast_check_store(&c->scene.level, c->scene.info.origin);
    c->grid = check_create(&c->scene.level);
    if (!c->grid)
    {
        return explain(c->message, MESSAGE_SIZE, "Not enough memory to check against %u triangles",
                       c->scene.level.triangle_count);
    }
    run_parallel(c->scene.jobs, "check", c->casts.count, CHECK_GRAIN, check_range, c);
    for (uint32_t i = 0; i < c->scene.threads; i++)
    {
        c->disagreements += c->wrong[i];
    }
    return true;
}

static int conclude(const CastCommand *c)
{
    if (c->disagreements > 0)
    {
        return failure("%s of %s results disagree with a check of every triangle", grouped(c->disagreements),
                       grouped(c->casts.count));
    }
    if (c->options.checks && !c->options.json)
    {
        puts("All results agree with a check of every triangle.");
    }
    return EXIT_DONE;
}

static int finish(CastCommand *c, bool good)
{
    int exit_code = EXIT_FAILED;
    if (!good)
    {
        failure("%s", c->message);
    }
    else
    {
        (c->options.json ? print_json : print_table)(c);
        exit_code = conclude(c);
    }
    check_destroy(c->grid);
    sidle_snapshot_release(c->snapshot);
    sidle_world_destroy(c->world);
    casts_free(&c->casts);
    scene_close(&c->scene);
    return exit_code;
}

int command_cast(int argc, char **argv)
{
    static CastCommand command; /* large */
    int exit_code;
    if (!options_parse(COMMAND_CAST, argc, argv, &command.options, &exit_code))
    {
        return exit_code;
    }
    if (!command.options.queries == !command.options.random)
    {
        return usage_error("cast needs either --queries CSV or --random N; try 'sidle cast --help'");
    }
    if (sidle_cast_lanes(command.options.lanes) == 0)
    {
        return failure("--lanes (or SIDLE_LANES) names a width that cannot run here");
    }
    if (command.options.queries &&
        !casts_read(command.options.queries, &command.casts, command.message, MESSAGE_SIZE))
    {
        return failure("%s", command.message);
    }
    if (!scene_open(&command.options, &command.scene))
    {
        casts_free(&command.casts);
        return EXIT_FAILED;
    }
    CastCommand *c = &command;
    return finish(c, find_casts(c) && can_write_results(c) && place_level(c) && run_casts(c) &&
                         write_results(c) && check(c));
}
