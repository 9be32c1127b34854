#include "agents.h"
#include "check.h"
#include "commands.h"
#include "console.h"
#include "crowd_capture.h"
#include "crowd_report.h"
#include "crowd_run.h"
#include "draft.h"
#include "options.h"
#include "picture/picture.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_AGENTS 10000

/* Everything of one run, so that one function frees it whatever has failed. */
typedef struct CrowdCommand
{
    Options options;
    Scene scene;
    CheckGrid *grid;
    Agents agents;
    CrowdRun run;
    CrowdTotals totals;
    char message[MESSAGE_SIZE];
} CrowdCommand;

/* ---- The run. ---- */

static void print_states(const CrowdCommand *c, FILE *file)
{
    fputs("x,y,z,vx,vy,vz,grounded,reasons\n", file);
    for (uint32_t i = 0; i < c->run.count; i++)
    {
        const sidle_result *result = &c->run.results[i];
        const sidle_body *body = &result->body;
        fprintf(file, "%.17g,%.17g,%.17g,%.9g,%.9g,%.9g,%d,%" PRIu32 "\n", body->center.x, body->center.y,
                body->center.z, (double)body->velocity.x, (double)body->velocity.y, (double)body->velocity.z,
                (body->flags & SIDLE_BODY_GROUNDED) != 0, result->reasons);
    }
}

static bool write_states(CrowdCommand *c)
{
    Draft draft;
    if (!c->options.states)
    {
        return true;
    }
    if (!draft_begin(c->options.states, &draft, c->message, MESSAGE_SIZE))
    {
        return false;
    }
    print_states(c, draft.file);
    return draft_publish(&draft, c->message, MESSAGE_SIZE);
}

static bool write_picture(CrowdCommand *c)
{
    Draft draft;
    if (!c->options.picture)
    {
        return true;
    }
    if (!draft_begin(c->options.picture, &draft, c->message, MESSAGE_SIZE))
    {
        return false;
    }
    if (!picture_write(&c->run, c->options.picture, draft.file, c->message, MESSAGE_SIZE))
    {
        draft_drop(&draft);
        return false;
    }
    return draft_publish(&draft, c->message, MESSAGE_SIZE);
}

/* Before the ticks, so that a misspelled folder is reported at once and not after minutes of work. */
static bool can_write_outputs(CrowdCommand *c)
{
    const char *paths[] = {c->options.states, c->options.picture, c->options.capture.path};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    {
        if (paths[i] && !draft_is_possible(paths[i], c->message, MESSAGE_SIZE))
        {
            return false;
        }
    }
    return true;
}

static bool find_agents(CrowdCommand *c)
{
    const Options *options = &c->options;
    if (options->agents_file)
    {
        return agents_read(options->agents_file, options->agents, &c->agents, c->message, MESSAGE_SIZE);
    }
    SpawnDesc desc = {.level = &c->scene.level,
                      .grid = c->grid,
                      .jobs = c->scene.jobs,
                      .shape = options->shape,
                      .count = options->agents ? options->agents : DEFAULT_AGENTS,
                      .seed = options->seed};
    return agents_spawn(&desc, &c->agents, c->message, MESSAGE_SIZE);
}

static bool prepare(CrowdCommand *c)
{
    const Options *options = &c->options;
    if (!scene_need_triangles(&c->scene, c->message, MESSAGE_SIZE))
    {
        return false;
    }
    c->grid = check_create(&c->scene.level);
    if (!c->grid)
    {
        return explain(c->message, MESSAGE_SIZE, "Not enough memory to check %u triangles",
                       c->scene.level.triangle_count);
    }
    if (!find_agents(c))
    {
        return false;
    }
    CrowdDesc desc = {.scene = &c->scene,
                      .grid = c->grid,
                      .agents = &c->agents,
                      .ticks = options->ticks,
                      .hz = options->hz,
                      .lanes = options->lanes,
                      .mode = options->mode,
                      .jobs_level = options->jobs_level,
                      .shuffles = options->shuffles,
                      .agents_collide = options->agents_collide,
                      .steers = options->steers,
                      .steer_period = options->steer_period,
                      .budget = options->budget,
                      .wants_trails = options->picture != NULL,
                      .wants_stats = options->stats,
                      .watches = options->watches,
                      .capture = options->capture};
    return crowd_capture_is_possible(&desc, c->message, MESSAGE_SIZE) &&
           crowd_run_open(&desc, &c->run, c->message, MESSAGE_SIZE) && can_write_outputs(c);
}

static bool run_and_write(CrowdCommand *c)
{
    if (!prepare(c) || !crowd_run_ticks(&c->run, c->message, MESSAGE_SIZE))
    {
        return false;
    }
    crowd_run_total(&c->run, &c->totals);
    return write_states(c) && write_picture(c);
}

static int conclude(const CrowdCommand *c)
{
    const CrowdTotals *t = &c->totals;
    uint64_t fell_out = crowd_report_is_closed(&c->scene) ? t->fell_out : 0;
    if (t->penetrating || t->leaked || t->invalid || fell_out || t->motionless)
    {
        return failure(
            "Checks failed: %s penetrating, %s leaked, %s invalid, %s fell out, %s times motionless",
            grouped(t->penetrating), grouped(t->leaked), grouped(t->invalid), grouped(fell_out),
            grouped(t->motionless));
    }
    if (!c->options.json)
    {
        puts("All checks passed.");
    }
    return EXIT_DONE;
}

static int finish(CrowdCommand *c, bool good)
{
    int exit_code;
    if (!good)
    {
        exit_code = failure("%s", c->message);
    }
    else
    {
        CrowdReport report = {&c->options, &c->scene, &c->agents, &c->run, &c->totals};
        (c->options.json ? crowd_report_json : crowd_report_table)(&report);
        exit_code = conclude(c);
    }
    crowd_run_close(&c->run);
    agents_free(&c->agents);
    check_destroy(c->grid);
    scene_close(&c->scene);
    return exit_code;
}

int command_crowd(int argc, char **argv)
{
    CrowdCommand command;
    int exit_code;
    memset(&command, 0, sizeof command);
    if (!options_parse(COMMAND_CROWD, argc, argv, &command.options, &exit_code))
    {
        return exit_code;
    }
    if (command.options.picture && !picture_is_possible(command.message, MESSAGE_SIZE))
    {
        return failure("%s", command.message);
    }
    if (!scene_open(&command.options, &command.scene))
    {
        return EXIT_FAILED;
    }
    return finish(&command, run_and_write(&command));
}
