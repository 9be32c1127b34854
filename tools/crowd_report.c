#include "crowd_report.h"

#include "crowd_stats.h"
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static double moves_per_second(const CrowdReport *c)
{
    return ratio((double)c->totals->agent_ticks, c->totals->seconds);
}

static double share_of_ticks(const CrowdReport *c, uint64_t agent_ticks)
{
    return ratio((double)agent_ticks, (double)c->totals->agent_ticks);
}

/* ---- The answer for programs. ---- */

/* Only the first few leaks are kept. */
static void json_leaks(Json *json, const CrowdReport *c)
{
    json_array_begin(json, "leaks");
    for (uint64_t i = 0; i < c->totals->leaked && i < MAX_NAMED_LEAKS; i++)
    {
        json_object_begin(json, NULL);
        json_count(json, "agent", c->run->leaks[i].agent);
        json_count(json, "tick", c->run->leaks[i].tick);
        json_object_end(json);
    }
    json_array_end(json);
}

void crowd_report_json(const CrowdReport *c)
{
    const CrowdTotals *t = c->totals;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, t->state_hash);
    Json json;
    json_begin(&json, stdout);
    json_text(&json, "level", c->scene->level.name);
    json_count(&json, "agents", c->run->count);
    json_count(&json, "ticks", c->options->ticks);
    json_count(&json, "threads", c->scene->threads);
    json_count(&json, "lanes", sidle_crowd_lanes(c->run->crowd));
    json_count(&json, "triangles", c->scene->info.triangle_count);
    json_rounded(&json, "moves_per_second", moves_per_second(c));
    json_rounded(&json, "moves_per_second_per_core", moves_per_second(c) / c->scene->threads);
    json_object_begin(&json, "tick_ms");
    json_rounded(&json, "p50", t->tick_ms_p50);
    json_rounded(&json, "p99", t->tick_ms_p99);
    json_rounded(&json, "max", t->tick_ms_max);
    json_object_end(&json);
    json_rounded(&json, "grounded_share", share_of_ticks(c, t->grounded));
    json_rounded(&json, "blocked_share", share_of_ticks(c, t->blocked));
    json_count(&json, "stuck", t->stuck);
    json_count(&json, "truncated", t->truncated);
    json_count(&json, "invalid", t->invalid);
    json_count(&json, "penetrating", t->penetrating);
    json_count(&json, "leaked", t->leaked);
    json_leaks(&json, c);
    json_count(&json, "fell_out", t->fell_out);
    if (c->options->agents_collide)
    {
        json_count(&json, "overlapping", t->overlapping);
        json_count(&json, "new_overlaps", t->new_overlaps);
    }
    if (c->options->watches)
    {
        json_count(&json, "motionless", t->motionless);
    }
    json_rounded(&json, "mean_rise", t->mean_rise);
    json_rounded(&json, "mean_path", t->mean_path);
    json_text(&json, "state_hash", hash);
    if (c->options->stats)
    {
        crowd_stats_json(&c->run->stats, &json);
    }
    json_end(&json);
}

/* ---- The answer for people. ---- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_check(const char *name, uint64_t count, const char *unit)
{
    if (count == 0)
    {
        printf("%-13s ok\n", name);
    }
    else
    {
        printf("%-13s %s %s%s\n", name, grouped(count), unit, plural(count));
    }
}

static void print_level(const Scene *scene)
{
    const Level *level = &scene->level;
    double bytes_per_triangle = (double)scene->info.bytes / scene->info.triangle_count;
    printf("level         %s, %s triangles", level->name, grouped(scene->info.triangle_count));
    if (scene->is_blob)
    {
        printf("\nopen          %.3f ms, %s, %.1f bytes a triangle\n", scene->blob.open_ms,
               scene->blob.is_trusted ? "trusted" : "validated", bytes_per_triangle);
        return;
    }
    printf(", %s vertices\n", grouped(level->vertex_count));
    if (level->report[0])
    {
        printf("              %s\n", level->report);
    }
    printf("bake          %.1f ms, %.1f bytes a triangle\n", scene->bake_ms, bytes_per_triangle);
}

static void print_setting(const CrowdReport *c)
{
    static const char *const modes[] = {[SIDLE_WALK] = "walk", [SIDLE_SLIDE] = "slide", [SIDLE_FLY] = "fly"};
    sidle_vec3 radii = c->agents->shapes[0].radii;
    print_level(c->scene);
    printf("crowd         %s agents x %s ticks, %s, %u Hz, ", grouped(c->run->count),
           grouped(c->options->ticks), modes[c->options->mode], c->options->hz);
    if (c->agents->shape_count > 1)
    {
        printf("%s shapes\n", grouped(c->agents->shape_count));
    }
    else
    {
        printf("radii %g %g %g\n", (double)radii.x, (double)radii.y, (double)radii.z);
    }
    printf("work          %u thread%s, %u lane%s\n\n", c->scene->threads, plural(c->scene->threads),
           sidle_crowd_lanes(c->run->crowd), plural(sidle_crowd_lanes(c->run->crowd)));
}

bool crowd_report_is_closed(const Scene *scene)
{
    return strncmp(scene->level.name, "gen:", 4) == 0;
}

/* Prints how often agents stood still, and where the first few did. */
static void print_motionless(const CrowdReport *c)
{
    print_check("motionless", c->totals->motionless, "time");
    for (uint32_t i = 0, shown = 0; i < c->run->count && shown < 5; i++)
    {
        const WatchedAgent *agent = &c->run->watched[i];
        if (agent->motionless > 0)
        {
            printf("              agent %u, %u time%s, first in tick %u at %.3f %.3f %.3f\n", i,
                   agent->motionless, plural(agent->motionless), agent->first_tick, agent->first.x,
                   agent->first.y, agent->first.z);
            shown++;
        }
    }
}

static void print_leaks(const CrowdReport *c)
{
    print_check("leaked", c->totals->leaked, "agent-tick");
    for (uint64_t i = 0; i < c->totals->leaked && i < MAX_NAMED_LEAKS; i++)
    {
        const Leak *leak = &c->run->leaks[i];
        printf("              agent %u in tick %u from %.3f %.3f %.3f to %.3f %.3f %.3f\n", leak->agent,
               leak->tick, leak->from.x, leak->from.y, leak->from.z, leak->to.x, leak->to.y, leak->to.z);
    }
    if (c->totals->leaked > 0)
    {
        printf("              --capture %u@%u=FILE writes the first of these moves\n", c->run->leaks[0].agent,
               c->run->leaks[0].tick);
    }
}

void crowd_report_table(const CrowdReport *c)
{
    const CrowdTotals *t = c->totals;
    double speed = moves_per_second(c);
    print_setting(c);
    printf("moves/s       %s, %s per core, %.0f ns of a core each\n", grouped((uint64_t)speed),
           grouped((uint64_t)(speed / c->scene->threads)), ratio(1e9 * c->scene->threads, speed));
    printf("tick          %.3f ms p50, %.3f p99, %.3f max\n", t->tick_ms_p50, t->tick_ms_p99, t->tick_ms_max);
    printf("path          %.2f m an agent, rise %+.3f m\n", t->mean_path, t->mean_rise);
    printf("grounded      %.2f %%\n", 100 * share_of_ticks(c, t->grounded));
    printf("blocked       %.2f %%\n", 100 * share_of_ticks(c, t->blocked));
    printf("stuck         %s agent-tick%s\n", grouped(t->stuck), plural(t->stuck));
    printf("truncated     %s agent-tick%s\n\n", grouped(t->truncated), plural(t->truncated));
    print_check("penetrating", t->penetrating, "agent");
    print_leaks(c);
    print_check("invalid", t->invalid, "agent-tick");
    if (crowd_report_is_closed(c->scene) || t->fell_out == 0)
    {
        print_check("fell out", t->fell_out, "agent");
    }
    else
    {
        printf("fell out      %s agent%s through holes in the level (an agent that passes through a triangle "
               "counts as leaked)\n",
               grouped(t->fell_out), plural(t->fell_out));
    }
    if (c->options->agents_collide)
    {
        print_check("overlapping", t->overlapping, "agent");
        print_check("new overlaps", t->new_overlaps, "time");
    }
    if (c->options->watches)
    {
        print_motionless(c);
    }
    printf("state hash    %016" PRIx64 "\n", t->state_hash);
    if (c->options->stats)
    {
        crowd_stats_print(&c->run->stats);
    }
}
