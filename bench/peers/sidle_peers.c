/* sidle beside Bullet's character controller and Irrlicht's ellipsoid response, as tables in Markdown:
 *
 *     sidle_peers [--agents N] [--ticks N] [--runs N] [levels] [agents]
 *
 * levels: characters that pass through one another, in generated levels. agents: characters that collide with one
 * another, in a generated city. All of it runs on one thread, and times are its processor time. */
#include "contest.h"

#include "crowd/patch.h"
#include "tools/agents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ON_GROUND  .6 /* metres: roads, pavements and steps, no roofs */
#define MOST_PEERS 8

typedef struct Options
{
    uint32_t agents, ticks, runs;
    bool levels, collisions;
} Options;

static const Peer *const peers[] = {&peer_sidle,
                                    &peer_sidle_capsule,
#if SIDLE_HAVE_BULLET
                                    &peer_bullet,
                                    &peer_bullet_world_sweep,
#endif
#if SIDLE_HAVE_IRRLICHT
                                    &peer_irrlicht,
#endif
                                    NULL};

static uint32_t list_entrants(Entrant *entrants, bool agents_collide)
{
    uint32_t count = 0;
    for (uint32_t i = 0; peers[i]; ++i)
    {
        if (agents_collide ? peers[i]->for_crowds : peers[i]->for_levels)
        {
            entrants[count++] = (Entrant){.peer = peers[i]};
        }
    }
    return count;
}

/* sidle with the same shape. */
static const Entrant *reference_of(const Entrant *entrants, const Entrant *entrant)
{
    return strcmp(entrant->peer->shape, entrants[1].peer->shape) == 0 ? &entrants[1] : &entrants[0];
}

static void print_row(const Contest *contest, const Entrant *entrants, const Entrant *entrant)
{
    double moves = (double)contest->ticks * contest->scene.count;
    printf(" %s | %s | %.0f | %.1f | %.2f | %.1f %% |", entrant->peer->name, entrant->peer->shape,
           contest_moves(contest, entrant), entrant->seconds / reference_of(entrants, entrant)->seconds,
           entrant->path / moves * PEER_HZ, 100 * (double)entrant->blocked / moves);
}

static PeerScene scene_of(const Level *level, const double *starts, uint32_t count)
{
    return (PeerScene){.vertices = level->vertices,
                       .indices = level->indices,
                       .vertex_count = level->vertex_count,
                       .triangle_count = level->triangle_count,
                       .starts = starts,
                       .count = count};
}

/* ---- Levels. ---- */

/* A place that is free for the capsule is free for the ellipsoid inside it. */
static double *spawn(const Patch *patch, uint32_t count)
{
    char message[512];
    SpawnDesc desc = {.level = &patch->level, .grid = patch->grid, .count = count, .seed = 1};
    Agents agents;
    desc.shape = (sidle_shape){.radii = {PEER_RADIUS, PEER_RADIUS, PEER_RADIUS},
                               .half_height = PEER_HALF - PEER_RADIUS};
    if (!agents_spawn(&desc, &agents, message, sizeof message))
    {
        fprintf(stderr, "%s\n", message);
        return NULL;
    }
    double *starts = malloc(3 * (size_t)count * sizeof *starts);
    for (uint32_t i = 0; i < count && starts; ++i)
    {
        sidle_position start = agents.list[i].start;
        memcpy(&starts[3 * (size_t)i], (double[3]){start.x, start.y, start.z}, 3 * sizeof *starts);
    }
    agents_free(&agents);
    return starts;
}

static bool compare_on_level(const Options *options, const char *name)
{
    Patch patch;
    Entrant entrants[MOST_PEERS];
    uint32_t count = list_entrants(entrants, false);
    double *starts = patch_open(&patch, name) ? spawn(&patch, options->agents) : NULL;
    Contest contest = {.scene = scene_of(&patch.level, starts, options->agents),
                       .lowest = starts ? check_lowest(patch.grid) : 0,
                       .half = 1e9,
                       .ticks = options->ticks,
                       .runs = options->runs};
    bool good = starts && contest_run(&contest, entrants, count);
    for (uint32_t i = 0; i < count && good; ++i)
    {
        printf("| `%s` | %u |", name, (unsigned)patch.level.triangle_count);
        print_row(&contest, entrants, &entrants[i]);
        printf(" %u |\n", (unsigned)entrants[i].fell);
    }
    fflush(stdout);
    free(starts);
    patch_close(&patch);
    return good;
}

static bool compare_on_levels(const Options *options)
{
    static const char *const levels[] = {"gen:city", "gen:terrain:256", "gen:dungeon"};
    bool good = true;
    printf("%u characters at 3 m/s, %u ticks at %d Hz, one thread.\n\n", (unsigned)options->agents,
           (unsigned)options->ticks, PEER_HZ);
    printf("| level | triangles | library | shape | moves a second | sidle is times as fast | path, m/s | "
           "blocked "
           "| fell out |\n|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < 3 && good; ++i)
    {
        good = compare_on_level(options, levels[i]);
    }
    printf("\n");
    return good;
}

/* ---- Agents against agents. ---- */

static bool compare_at(const Options *options, Patch *patch, uint32_t agents, double density)
{
    Entrant entrants[MOST_PEERS];
    uint32_t count = list_entrants(entrants, true);
    if (!patch_fill(patch, agents, density, ON_GROUND))
    {
        return false;
    }
    Contest contest = {.scene = scene_of(&patch->level, &patch->places->x, agents),
                       .lowest = check_lowest(patch->grid),
                       .x = patch->x,
                       .z = patch->z,
                       .half = patch->half,
                       .ticks = options->ticks,
                       .runs = options->runs};
    contest.scene.agents_collide = true;
    bool good = contest_run(&contest, entrants, count);
    for (uint32_t i = 0; i < count && good; ++i)
    {
        printf("| %u | %g |", (unsigned)agents, density);
        print_row(&contest, entrants, &entrants[i]);
        printf(" %.1f %% | %.0f |\n", 100.0 * entrants[i].overlapping / agents, 1e3 * entrants[i].deepest);
    }
    fflush(stdout);
    return good;
}

static bool compare_crowds(const Options *options)
{
    static const uint32_t counts[] = {1000, 4000};
    static const double densities[] = {.1, 1};
    Patch patch;
    if (!patch_open(&patch, "gen:city:8"))
    {
        return false;
    }
    bool good = true;
    printf("Characters that collide with one another in `gen:city:8` at 3 m/s, %u ticks at %d Hz, one "
           "thread.\n\n",
           (unsigned)options->ticks, PEER_HZ);
    printf("| characters | a square metre | library | shape | moves a second | sidle is times as fast | "
           "path, m/s | "
           "blocked | overlap at the end | deepest, mm |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < 4 && good; ++i)
    {
        good = compare_at(options, &patch, counts[i / 2], densities[i % 2]);
    }
    patch_close(&patch);
    printf("\n");
    return good;
}

static bool read_options(int argc, char **argv, Options *options)
{
    *options = (Options){.agents = 1000, .ticks = 120, .runs = 2};
    for (int i = 1; i < argc; ++i)
    {
        uint32_t *number = strcmp(argv[i], "--agents") == 0  ? &options->agents
                           : strcmp(argv[i], "--ticks") == 0 ? &options->ticks
                           : strcmp(argv[i], "--runs") == 0  ? &options->runs
                                                             : NULL;
        bool *section = strcmp(argv[i], "levels") == 0   ? &options->levels
                        : strcmp(argv[i], "agents") == 0 ? &options->collisions
                                                         : NULL;
        if (number && i + 1 < argc)
        {
            *number = (uint32_t)strtoul(argv[++i], NULL, 10);
        }
        else if (section)
        {
            *section = true;
        }
        else
        {
            return false;
        }
    }
    if (!options->levels && !options->collisions)
    {
        options->levels = options->collisions = true;
    }
    return options->agents > 0 && options->ticks > 0 && options->runs > 0;
}

int main(int argc, char **argv)
{
    Options options;
    if (!read_options(argc, argv, &options))
    {
        fprintf(stderr, "usage: sidle_peers [--agents N] [--ticks N] [--runs N] [levels] [agents]\n");
        return 2;
    }
    return (!options.levels || compare_on_levels(&options)) &&
                   (!options.collisions || compare_crowds(&options))
               ? 0
               : 1;
}
