#include "contest.h"

#include "tools/wander.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCK 10  /* ticks of one peer before the next one's turn */
#define SPEED 3.0 /* [m/s] */

/* One entrant's turn at the scene. */
typedef struct Turn
{
    void *state;
    double *before, *after; /* centres */
    float *displacements;
    uint32_t tick;
    double seconds;
    double path;
    uint64_t blocked;
} Turn;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static float inwards(double place, double middle, double half, double step)
{
    bool leaves = place > middle + half ? step > 0 : place < middle - half && step < 0;
    return (float)(leaves ? -step : step);
}

static void ask(const Contest *contest, Turn *turn)
{
    for (uint32_t i = 0; i < contest->scene.count; ++i)
    {
        sidle_vec3 wish = wander(hash_mix(i + 1), turn->tick, PEER_HZ);
        double x = (double)wish.x, z = (double)wish.z, share = SPEED / PEER_HZ / sqrt(x * x + z * z);
        const double *center = &turn->before[3 * (size_t)i];
        turn->displacements[2 * (size_t)i] = inwards(center[0], contest->x, contest->half, x * share);
        turn->displacements[2 * (size_t)i + 1] = inwards(center[2], contest->z, contest->half, z * share);
    }
}

static void observe(const Contest *contest, Turn *turn)
{
    for (uint32_t i = 0; i < contest->scene.count; ++i)
    {
        const double *from = &turn->before[3 * (size_t)i], *to = &turn->after[3 * (size_t)i];
        double length = hypot(to[0] - from[0], to[2] - from[2]);
        turn->path += length;
        turn->blocked += length < .5 * SPEED / PEER_HZ;
    }
    double *swap = turn->before;
    turn->before = turn->after;
    turn->after = swap;
}

static void run_block(const Contest *contest, const Peer *peer, Turn *turn)
{
    for (int i = 0; i < BLOCK && turn->tick < contest->ticks; ++i, ++turn->tick)
    {
        ask(contest, turn);
        double begun = processor_seconds();
        peer->tick(turn->state, turn->displacements);
        turn->seconds += processor_seconds() - begun;
        peer->read(turn->state, turn->after);
        observe(contest, turn);
    }
}

/* How far two upright characters overlap horizontally [m]. The sum of two ellipsoids is one of twice the radii, and two
 * capsules touch beside their cores. */
static double overlap_of(const double *a, const double *b, bool is_ellipsoid)
{
    double height = fabs(a[1] - b[1]), reach = 2 * (double)PEER_RADIUS,
           share = height / (2 * (double)PEER_HALF);
    double apart = hypot(a[0] - b[0], a[2] - b[2]);
    if (is_ellipsoid)
    {
        return share < 1 ? reach * sqrt(1 - share * share) - apart : 0;
    }
    return height < 2 * ((double)PEER_HALF - (double)PEER_RADIUS) ? reach - apart : 0;
}

static void inspect(const Contest *contest, const double *centers, Entrant *entrant)
{
    entrant->fell = entrant->overlapping = 0;
    entrant->deepest = 0;
    bool is_ellipsoid = strcmp(entrant->peer->shape, "ellipsoid") == 0;
    for (uint32_t i = 0; i < contest->scene.count; ++i)
    {
        const double *center = &centers[3 * (size_t)i];
        double deepest = 0;
        for (uint32_t j = 0; j < contest->scene.count; ++j)
        {
            deepest =
                j == i ? deepest : fmax(deepest, overlap_of(center, &centers[3 * (size_t)j], is_ellipsoid));
        }
        entrant->fell += center[1] < contest->lowest - 1;
        entrant->overlapping += deepest > (double)PEER_RADIUS / 100;
        entrant->deepest = fmax(entrant->deepest, deepest);
    }
}

static bool begin(const Contest *contest, const Peer *peer, Turn *turn)
{
    size_t bytes = 3 * (size_t)contest->scene.count * sizeof(double);
    *turn = (Turn){.before = malloc(bytes), .after = malloc(bytes)};
    turn->displacements = malloc(2 * (size_t)contest->scene.count * sizeof *turn->displacements);
    if (!turn->before || !turn->after || !turn->displacements)
    {
        return false;
    }
    memcpy(turn->before, contest->scene.starts, bytes);
    turn->state = peer->open(&contest->scene);
    return turn->state != NULL;
}

static void end(const Peer *peer, Turn *turn)
{
    if (turn->state)
    {
        peer->close(turn->state);
    }
    free(turn->before);
    free(turn->after);
    free(turn->displacements);
}

static void keep(const Contest *contest, const Turn *turn, uint32_t run, Entrant *entrant)
{
    entrant->seconds = run == 0 ? turn->seconds : fmin(entrant->seconds, turn->seconds);
    entrant->path = turn->path;
    entrant->blocked = turn->blocked;
    inspect(contest, turn->before, entrant);
}

bool contest_run(const Contest *contest, Entrant *entrants, uint32_t count)
{
    Turn *turns = calloc(count, sizeof *turns);
    bool good = turns != NULL;
    for (uint32_t run = 0; run < contest->runs && good; ++run)
    {
        for (uint32_t i = 0; i < count && good; ++i)
        {
            good = begin(contest, entrants[i].peer, &turns[i]);
        }
        for (uint32_t tick = 0; tick < contest->ticks && good; tick += BLOCK)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                run_block(contest, entrants[i].peer, &turns[i]);
            }
        }
        for (uint32_t i = 0; i < count; ++i)
        {
            if (good)
            {
                keep(contest, &turns[i], run, &entrants[i]);
            }
            end(entrants[i].peer, &turns[i]);
        }
        memset(turns, 0, count * sizeof *turns);
    }
    free(turns);
    if (!good)
    {
        fprintf(stderr, "a peer cannot be set up\n");
    }
    return good;
}

double contest_moves(const Contest *contest, const Entrant *entrant)
{
    return (double)contest->ticks * contest->scene.count / entrant->seconds;
}
