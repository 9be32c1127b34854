/* sidle's casts beside Bullet's sweeps and Embree's rays, as tables in Markdown:
 *
 *     sidle_casts [--casts N] [--rounds N] [--sorted] [LEVEL...]
 *
 * All calls get the same triangles and the same casts, in random order. They run in turn on one thread, all casts of a
 * call each, and the median of the rounds counts. Times are processor time. --sorted: sidle gets its casts by place, and the time of
 * sorting does not count. */
#include "casts.h"
#include "casts_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_ROUNDS 99
#define MOST_CALLS  (3 * CAST_CALLS)
#define SAME_TIME   1e-3f /* of the displacement: answers of two libraries that agree */
#define SINGLE_CALL 0     /* sidle's calls are the first two entrants */
#define BATCH_CALL  1
#define MOST_LEVELS 8
#define LEVELS                                                                                               \
    {                                                                                                        \
        "gen:terrain:256", "gen:dungeon", "gen:city", "gen:terrain:1024"                                     \
    }
#define MESSAGE_SIZE 512

typedef struct Options
{
    uint32_t casts, rounds;
    bool is_sorted;
    const char *levels[MOST_LEVELS];
    int level_count;
} Options;

static const CastPeer *const peers[] = {&casts_sidle,
#if SIDLE_HAVE_BULLET
                                        &casts_bullet,
#endif
#if SIDLE_HAVE_EMBREE
                                        &casts_embree,
#endif
                                        NULL};

typedef struct Entrant
{
    const CastCall *call;
    void *state;
    float *times;                /* of each cast */
    double seconds[MOST_ROUNDS]; /* ascending after the contest */
} Entrant;

typedef struct Contest
{
    const char *level;
    uint32_t triangle_count;
    CastSet set;
    Entrant entrants[MOST_CALLS];
    uint32_t count;
} Contest;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- The contest. ---- */

static int compare_seconds(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* A round before the first fills the caches. */
static void run_rounds(Contest *contest, uint32_t rounds)
{
    for (uint32_t round = 0; round <= rounds; ++round)
    {
        for (uint32_t i = 0; i < contest->count; ++i)
        {
            Entrant *entrant = &contest->entrants[i];
            double begun = processor_seconds();
            entrant->call->run(entrant->state, &contest->set, entrant->times);
            entrant->seconds[round > 0 ? round - 1 : 0] = processor_seconds() - begun;
        }
    }
    for (uint32_t i = 0; i < contest->count; ++i)
    {
        double *seconds = contest->entrants[i].seconds;
        qsort(seconds, rounds, sizeof *seconds, compare_seconds);
    }
}

static double speed_of(const Contest *contest, const Entrant *entrant, uint32_t rounds)
{
    return contest->set.count / entrant->seconds[rounds / 2];
}

static uint32_t count_hits(const Contest *contest, const Entrant *entrant)
{
    uint32_t hits = 0;
    for (uint32_t i = 0; i < contest->set.count; ++i)
    {
        hits += entrant->times[i] < CAST_MISSED;
    }
    return hits;
}

/* Answers that agree with those of sidle_cast_closest. */
typedef struct Agreement
{
    uint32_t hit;  /* both hit, or both miss */
    uint32_t time; /* and the shares agree, too */
} Agreement;

static Agreement compare_answers(const Contest *contest, const Entrant *entrant)
{
    const float *reference = contest->entrants[SINGLE_CALL].times;
    Agreement same = {0, 0};
    for (uint32_t i = 0; i < contest->set.count; ++i)
    {
        bool hit = reference[i] < CAST_MISSED, other = entrant->times[i] < CAST_MISSED;
        bool near = !hit || fabsf(reference[i] - entrant->times[i]) <= SAME_TIME;
        same.hit += hit == other;
        same.time += hit == other && near;
    }
    return same;
}

static void print_rows(const Contest *contest, uint32_t rounds)
{
    double single = speed_of(contest, &contest->entrants[SINGLE_CALL], rounds);
    double batch = speed_of(contest, &contest->entrants[BATCH_CALL], rounds);
    for (uint32_t i = 0; i < contest->count; ++i)
    {
        const Entrant *entrant = &contest->entrants[i];
        Agreement same = compare_answers(contest, entrant);
        double speed = speed_of(contest, entrant, rounds), share = 100.0 / contest->set.count;
        printf("| `%s` | %u | %s | %.0f | %.2f | %.2f | %.1f %% | %.3f %% |", contest->level,
               (unsigned)contest->triangle_count, entrant->call->name, speed, single / speed, batch / speed,
               share * count_hits(contest, entrant), share * same.hit);
        if (entrant->call->any_hit)
        {
            printf(" |\n");
        }
        else
        {
            printf(" %.3f %% |\n", share * same.time);
        }
    }
    fflush(stdout);
}

/* ---- A level. ---- */

typedef struct Arena
{
    Level level;
    CheckGrid *grid;
    float *vertices;
    void *states[sizeof peers / sizeof *peers];
} Arena;

/* All libraries get the vertices in float, so the level is rounded to it. */
static bool round_vertices(Arena *arena)
{
    size_t count = 3 * (size_t)arena->level.vertex_count;
    arena->vertices = malloc(count * sizeof *arena->vertices);
    for (size_t i = 0; i < count && arena->vertices; ++i)
    {
        arena->vertices[i] = (float)arena->level.vertices[i];
        arena->level.vertices[i] = (double)arena->vertices[i];
    }
    return arena->vertices != NULL;
}

static bool open_arena(const char *name, Arena *arena)
{
    char message[MESSAGE_SIZE];
    *arena = (Arena){.vertices = NULL};
    if (!level_load(name, &(LevelOptions){0}, &arena->level, message, MESSAGE_SIZE))
    {
        fprintf(stderr, "%s\n", message);
        return false;
    }
    bool good = round_vertices(arena) && (arena->grid = check_create(&arena->level)) != NULL;
    CastMesh mesh = {.vertices = arena->vertices,
                     .indices = arena->level.indices,
                     .vertex_count = arena->level.vertex_count,
                     .triangle_count = arena->level.triangle_count};
    for (uint32_t i = 0; peers[i] && good; ++i)
    {
        bool takes_part = peers[i]->most_triangles == 0 || mesh.triangle_count < peers[i]->most_triangles;
        good = !takes_part || (arena->states[i] = peers[i]->open(&mesh)) != NULL;
    }
    if (!good)
    {
        fprintf(stderr, "%s cannot be set up\n", name);
    }
    return good;
}

static void close_arena(Arena *arena)
{
    for (uint32_t i = 0; peers[i]; ++i)
    {
        if (arena->states[i])
        {
            peers[i]->close(arena->states[i]);
        }
    }
    check_destroy(arena->grid);
    free(arena->vertices);
    level_free(&arena->level);
}

static bool enter(const Arena *arena, CastKind kind, Contest *contest)
{
    bool good = true;
    for (uint32_t i = 0; peers[i]; ++i)
    {
        bool takes_part = arena->states[i] && (kind == CAST_RAYS ? peers[i]->rays : peers[i]->balls);
        for (int j = 0; j < CAST_CALLS && peers[i]->calls[j].name && takes_part; ++j)
        {
            if (peers[i]->calls[j].rays_only && kind != CAST_RAYS)
            {
                continue;
            }
            Entrant *entrant = &contest->entrants[contest->count++];
            *entrant = (Entrant){.call = &peers[i]->calls[j], .state = arena->states[i]};
            entrant->times = malloc(contest->set.count * sizeof *entrant->times);
            good = good && entrant->times;
        }
    }
    return good;
}

/* Of the cell of 1 m that holds the origin: bits of x, y and z in turn (G. M. Morton, 1966). */
static uint64_t place_of(const sidle_cast *cast)
{
    const double at[3] = {cast->origin.x, cast->origin.y, cast->origin.z};
    uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
        uint64_t cell = (uint64_t)(at[axis] + 0x1p19);
        for (int bit = 0; bit < 20; ++bit)
        {
            key |= (cell >> bit & 1) << (3 * bit + axis);
        }
    }
    return key;
}

static int compare_places(const void *a, const void *b)
{
    uint64_t p = place_of(a), q = place_of(b);
    return (p > q) - (p < q);
}

static bool compare_kind(const Options *options, const Arena *arena, CastKind kind)
{
    Contest contest = {.level = arena->level.name, .triangle_count = arena->level.triangle_count};
    bool good = casts_draw(&arena->level, arena->grid, kind, options->casts, &contest.set) &&
                enter(arena, kind, &contest);
    if (good &&
        options->is_sorted) /* the other calls keep the random order: their answers are not compared */
    {
        qsort(contest.set.requests, contest.set.count, sizeof *contest.set.requests, compare_places);
    }
    if (good)
    {
        run_rounds(&contest, options->rounds);
        print_rows(&contest, options->rounds);
    }
    for (uint32_t i = 0; i < contest.count; ++i)
    {
        free(contest.entrants[i].times);
    }
    casts_free_set(&contest.set);
    return good;
}

static bool compare_levels(const Options *options, CastKind kind)
{
    static const char *const titles[] = {
        [CAST_SHORT_BALLS] = "Short casts of balls: radii of .3 to .6 m over .02 to .3 m",
        [CAST_LONG_BALLS] = "Long casts of balls: radii of .05 to .5 m over 5 to 50 m",
        [CAST_RAYS] = "Rays of 5 to 50 m"};
    bool good = true;
    printf("%s. %u casts in random order, the median of %u rounds.\n\n", titles[kind],
           (unsigned)options->casts, (unsigned)options->rounds);
    printf("| level | triangles | call | casts a second | `sidle_cast_closest` is times as fast | "
           "`sidle_cast_batch` is times as fast | hits | same hit or miss | same t |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < options->level_count && good; ++i)
    {
        Arena arena;
        good = open_arena(options->levels[i], &arena) && compare_kind(options, &arena, kind);
        close_arena(&arena);
    }
    printf("\n");
    return good;
}

static bool read_options(int argc, char **argv, Options *options)
{
    *options = (Options){.casts = 100000, .rounds = 7, .levels = LEVELS, .level_count = 4};
    int named = 0;
    for (int i = 1; i < argc; ++i)
    {
        uint32_t *number = strcmp(argv[i], "--casts") == 0    ? &options->casts
                           : strcmp(argv[i], "--rounds") == 0 ? &options->rounds
                                                              : NULL;
        if (number && i + 1 < argc)
        {
            *number = (uint32_t)strtoul(argv[++i], NULL, 10);
        }
        else if (strcmp(argv[i], "--sorted") == 0)
        {
            options->is_sorted = true;
        }
        else if (!number && argv[i][0] != '-' && named < MOST_LEVELS)
        {
            options->levels[named++] = argv[i];
            options->level_count = named;
        }
        else
        {
            return false;
        }
    }
    return options->casts > 0 && options->casts <= SIDLE_MAX_CASTS && options->rounds > 0 &&
           options->rounds <= MOST_ROUNDS;
}

int main(int argc, char **argv)
{
    Options options;
    if (!read_options(argc, argv, &options))
    {
        fprintf(stderr, "usage: sidle_casts [--casts N] [--rounds N] [--sorted] [LEVEL...]\n");
        return 2;
    }
    bool good = true;
    for (CastKind kind = CAST_SHORT_BALLS; kind <= CAST_RAYS && good; ++kind)
    {
        good = compare_levels(&options, kind);
    }
    return good ? 0 : 1;
}
