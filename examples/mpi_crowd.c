/* A crowd on many machines: the level is cut into a cell for each rank of MPI, and agents collide across the borders.
 *
 *   mpirun -n 4 mpi_crowd [--agents N] [--ticks T] [--hops H] [--die RANK:TICK]
 *
 * Each tick a rank moves the agents in its cell, its own, and those in a rim around it, whose results it drops. Then it sends its
 * own agents, with their next requests, to every rank in whose cell or rim they are now. An agent that has left the cell is
 * sent like any other; the rank in whose cell it is owns it from then on. So there is one message a tick between two
 * neighbours.
 *
 * The rim makes the results those of one process, to the same bits. Agents whose boxes overlap influence one another: one hop.
 * HOPS of them can follow one another within a tick. docs/crowd/mpi.md counts them and has figures. */
#define _POSIX_C_SOURCE 200809L

#include "mpi_level.h"

#include <math.h>
#include <mpi.h>
#include <time.h>
#include <unistd.h>

/* A pair of an agent exists or not depending on agents two hops away. Eight rounds pass displacements on: 9. The limits of an
 * agent depend on the displacements of its neighbours: 10. */
#define HOPS 10

#define MOST_RIM  16.
#define MOST_MOVE 1. /* metres: an agent that moves farther in a tick is an error */
#define MOST_SIDE 64 /* ranks along an axis */

/* Defaults of the library, which decide how far a neighbour is noticed; SOFT: of src/crowd/peers.h. */
#define GRAVITY  9.81
#define RECOVERY 7.5
#define SOFT     .27

typedef struct List
{
    sidle_move *moves;
    size_t count, capacity;
} List;

typedef struct Rank
{
    int rank, rank_count, side[2], cell[2];
    int blocks;                    /* along an axis of the level */
    double cuts[2][MOST_SIDE + 1]; /* borders of cells along x and z */
    int neighbour_count;
    int neighbours[MOST_SIDE * MOST_SIDE];
    List *outbox; /* of each neighbour */
    List arrived;

    sidle_snapshot *snapshot;
    sidle_crowd *crowd;
    List list; /* own agents first, then those in the rim */
    size_t own;
    sidle_result *results;
    size_t result_capacity;

    double hops, rim;
    uint64_t hash, own_ticks, rim_ticks, messages, bytes;
    double tick_seconds, tick_processor, exchange_seconds;
} Rank;

static void check(int is_good, const char *what)
{
    if (!is_good)
    {
        fprintf(stderr, "mpi_crowd: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void reserve(List *list, size_t count)
{
    if (count > list->capacity)
    {
        list->capacity = count + count / 2;
        list->moves = realloc(list->moves, list->capacity * sizeof *list->moves);
        check(list->moves != NULL, "out of memory");
    }
}

static void append(List *list, const sidle_move *move)
{
    reserve(list, list->count + 1);
    list->moves[list->count++] = *move;
}

static int cell_along(const Rank *r, int axis, double at)
{
    int cell = 0;
    while (at >= r->cuts[axis][cell + 1])
        ++cell;
    return cell;
}

static int is_own(const Rank *r, const sidle_move *move)
{
    return cell_along(r, 0, move->body.center.x) == r->cell[0] &&
           cell_along(r, 1, move->body.center.z) == r->cell[1];
}

/* Whether a position is in the cell of a rank or in a rim around it. */
static int is_near(const Rank *r, int rank, sidle_position at, double rim)
{
    const double *x = &r->cuts[0][rank % r->side[0]], *z = &r->cuts[1][rank / r->side[0]];
    return at.x >= x[0] - rim && at.x <= x[1] + rim && at.z >= z[0] - rim && at.z <= z[1] + rim;
}

/* Ranks to which a rim, or an agent that leaves the cell, can lead. */
static void find_neighbours(Rank *r)
{
    const double far = MOST_RIM + MOST_MOVE;
    for (int other = 0; other < r->rank_count; ++other)
    {
        int gap = 0;
        for (int axis = 0; axis < 2; ++axis)
        {
            int cell = axis == 0 ? other % r->side[0] : other / r->side[0];
            const double *mine = &r->cuts[axis][r->cell[axis]], *its = &r->cuts[axis][cell];
            gap |= its[0] > mine[1] + far || its[1] < mine[0] - far;
        }
        if (other != r->rank && !gap)
            r->neighbours[r->neighbour_count++] = other;
    }
    r->outbox = calloc((size_t)r->neighbour_count + 1, sizeof *r->outbox);
    check(r->outbox != NULL, "out of memory");
}

/* The outer cells have no end, so that every position is in one. */
static void cut_level(Rank *r)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->rank_count);
    MPI_Dims_create(r->rank_count, 2, r->side);
    check(r->side[0] <= MOST_SIDE && r->side[1] <= MOST_SIDE, "too many ranks along one axis");
    r->cell[0] = r->rank % r->side[0];
    r->cell[1] = r->rank / r->side[0];
    for (int axis = 0; axis < 2; ++axis)
    {
        for (int i = 0; i <= r->side[axis]; ++i)
            r->cuts[axis][i] = BLOCK * (r->blocks * i / r->side[axis]);
        r->cuts[axis][0] = -INFINITY;
        r->cuts[axis][r->side[axis]] = INFINITY;
    }
    find_neighbours(r);
}

/* ---- The part of the level that the rank needs, and its agents. ---- */

static void build_level(Rank *r)
{
    sidle_world *world;
    must(sidle_world_create(NULL, NULL, &world));
    for (int block = 0; block < r->blocks * r->blocks; ++block)
        if (is_near(r, r->rank, block_middle(r->blocks, block), MOST_RIM + BLOCK))
            add_block(world, r->blocks, block);
    must(sidle_world_commit(world, NULL));
    must(sidle_world_snapshot(world, &r->snapshot));
    sidle_world_destroy(world); /* the snapshot stays */
}

static void make_agents(Rank *r, uint64_t agents)
{
    sidle_move moves[SLOTS];
    r->crowd = make_crowd();
    for (int block = 0; block < r->blocks * r->blocks; ++block)
    {
        uint32_t count = fill_block(r->blocks, block, agents, moves);
        for (uint32_t i = 0; i < count; ++i)
            if (is_own(r, &moves[i]))
                append(&r->list, &moves[i]);
    }
    r->own = r->list.count;
}

/* ---- A tick. ---- */

static void add_to_hash(Rank *r, const sidle_move *move, const sidle_result *result, uint64_t tick)
{
    uint64_t hash = mix(move->id) ^ tick, words[5] = {result->reasons | (uint64_t)result->body.flags << 32};
    memcpy(&words[1], &result->body.center, sizeof result->body.center);
    for (int i = 0; i < 4; ++i)
        hash = mix(hash ^ words[i]);
    memcpy(&words[3], &result->body.velocity, sizeof result->body.velocity);
    r->hash += mix(mix(hash ^ words[3]) ^ (words[4] & 0xFFFFFFFF)); /* a sum does not depend on the order */
}

static void make_room(Rank *r)
{
    if (r->list.count <= r->result_capacity)
        return;
    r->result_capacity = r->list.count + r->list.count / 4;
    free(r->results);
    r->results = malloc(r->result_capacity * sizeof *r->results);
    check(r->results != NULL, "out of memory");
}

static void move_agents(Rank *r, uint64_t tick)
{
    sidle_tick_desc desc = {.size = sizeof desc, .snapshot = r->snapshot, .dt = 1.f / HZ};
    make_room(r);
    desc.count = (uint32_t)r->list.count;
    desc.moves = r->list.moves;
    desc.results = r->results;
    desc.flags = SIDLE_TICK_AGENTS_COLLIDE;
    must(sidle_crowd_tick(r->crowd, &desc));
    r->own_ticks += r->own;
    r->rim_ticks += r->list.count - r->own;
    for (size_t i = 0; i < r->own; ++i)
    {
        sidle_move *move = &r->list.moves[i];
        add_to_hash(r, move, &r->results[i], tick);
        check(fabs(r->results[i].body.center.x - move->body.center.x) <= MOST_MOVE &&
                  fabs(r->results[i].body.center.z - move->body.center.z) <= MOST_MOVE,
              "an agent is too fast");
        move->body = r->results[i].body;
        /* Ids of instances differ between ranks. Ground that rests needs none; for ground that moves, send its key. */
        move->body.ground = (sidle_instance){0, 0};
        wish(move, tick + 1);
    }
}

/* The rim must be as wide on all ranks. Half the box of an agent: its radius, the longest displacement or push of the tick, and
 * half the gap that it likes to keep. */
static void measure_rim(Rank *r)
{
    double longest = RECOVERY * (double)RADII[0] / HZ;
    for (size_t i = 0; i < r->own; ++i)
    {
        sidle_vec3 d = r->list.moves[i].displacement, v = r->list.moves[i].body.velocity;
        double wished = sqrt((double)(d.x * d.x + d.y * d.y + d.z * d.z));
        double fall = sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)) / HZ + GRAVITY / HZ / HZ / 2;
        longest = fmax(longest, wished + fall);
    }
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    double half = (double)RADII[0] * (1 + SOFT / 2) + longest;
    r->rim = r->hops * 2 * half * 1.0001; /* more than all rounding errors */
    check(r->rim <= MOST_RIM, "the rim is wider than MOST_RIM");
}

/* Copies the own agents into the outboxes. The last agent takes the place of one that has left the cell: a crowd remembers by
 * place in the array which triangles are near, so the other agents keep theirs. */
static void post_agents(Rank *r)
{
    for (size_t i = 0; i < r->own;)
    {
        sidle_move *move = &r->list.moves[i];
        for (int n = 0; n < r->neighbour_count; ++n)
            if (is_near(r, r->neighbours[n], move->body.center, r->rim))
                append(&r->outbox[n], move);
        if (is_own(r, move))
        {
            ++i;
            continue;
        }
        if (is_near(r, r->rank, move->body.center, r->rim))
            append(&r->arrived, move);
        *move = r->list.moves[--r->own];
    }
    r->list.count = r->own;
}

static void receive_from(Rank *r, int rank)
{
    MPI_Status status;
    int size;
    MPI_Probe(rank, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &size);
    size_t count = (size_t)size / sizeof(sidle_move);
    reserve(&r->arrived, r->arrived.count + count);
    MPI_Recv(r->arrived.moves + r->arrived.count, size, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    r->arrived.count += count;
}

static void exchange(Rank *r)
{
    static MPI_Request requests[MOST_SIDE * MOST_SIDE];
    post_agents(r);
    for (int n = 0; n < r->neighbour_count; ++n)
    {
        size_t size = r->outbox[n].count * sizeof(sidle_move);
        check(size <= INT32_MAX, "a message of more than 2 GB");
        MPI_Isend(r->outbox[n].moves, (int)size, MPI_BYTE, r->neighbours[n], 0, MPI_COMM_WORLD, &requests[n]);
        r->messages += 1;
        r->bytes += size;
    }
    for (int n = 0; n < r->neighbour_count; ++n)
        receive_from(r, r->neighbours[n]);
    MPI_Waitall(r->neighbour_count, requests, MPI_STATUSES_IGNORE);
    for (int n = 0; n < r->neighbour_count; ++n)
        r->outbox[n].count = 0;
    for (int pass = 0; pass < 2; ++pass) /* first the own ones, then those in the rim */
    {
        for (size_t i = 0; i < r->arrived.count; ++i)
            if (is_own(r, &r->arrived.moves[i]) == (pass == 0))
                append(&r->list, &r->arrived.moves[i]);
        r->own = pass == 0 ? r->list.count : r->own;
    }
    r->arrived.count = 0;
}

/* Returns whether no agent was lost or doubled. */
static int report(const Rank *r, uint64_t agents, uint64_t ticks)
{
    uint64_t local[5] = {r->hash, r->own_ticks, r->rim_ticks, r->messages, r->bytes}, sum[5], most;
    double seconds[3] = {r->tick_seconds, r->tick_processor, r->exchange_seconds}, slowest[3];
    MPI_Reduce(local, sum, 5, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&r->bytes, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(seconds, slowest, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (r->rank != 0)
        return 1;
    double n = (double)ticks, timed = ticks > 1 ? n - 1 : 1;
    printf("hash %016llx\n", (unsigned long long)sum[0]);
    printf("%llu agents, %.2f a square metre, %llu ticks, %d x %d ranks, rim %.2f m\n",
           (unsigned long long)agents, (double)agents / (BLOCK * BLOCK * r->blocks * r->blocks),
           (unsigned long long)ticks, r->side[0], r->side[1], r->rim);
    printf("a tick: %.0f agents in rims, %.0f messages, %.0f bytes, %.0f of the rank that sends most\n",
           (double)sum[2] / n, (double)sum[3] / n, (double)sum[4] / n, (double)most / n);
    printf("slowest rank, without the first tick: %.2f ms to move agents, %.2f ms to exchange and wait\n",
           1e3 * slowest[0] / timed, 1e3 * slowest[2] / timed);
    printf("of the former on a processor: %.2f ms\n", 1e3 * slowest[1] / timed);
    return sum[1] == agents * ticks;
}

typedef struct Options
{
    uint64_t agents, ticks, dies_at;
    int dies; /* a rank; negative: none */
    double hops;
} Options;

static Options read_options(int count, char **arguments)
{
    Options options = {.agents = 20000, .ticks = 60, .dies = -1, .hops = HOPS};
    for (int i = 1; i < count; i += 2)
    {
        char *value = i + 1 < count ? arguments[i + 1] : "", *rest = value;
        if (strcmp(arguments[i], "--agents") == 0)
            options.agents = strtoull(value, &rest, 10);
        else if (strcmp(arguments[i], "--ticks") == 0)
            options.ticks = strtoull(value, &rest, 10);
        else if (strcmp(arguments[i], "--hops") == 0)
            options.hops = strtod(value, &rest);
        else if (strcmp(arguments[i], "--die") == 0)
        {
            options.dies = (int)strtol(value, &rest, 10);
            options.dies_at = *rest == ':' ? strtoull(rest + 1, &rest, 10) : UINT64_MAX;
        }
        check(rest != value && *rest == 0,
              "usage: mpi_crowd [--agents N] [--ticks T] [--hops H] [--die RANK:TICK]");
    }
    check(options.agents > 0 && options.agents <= SIDLE_MAX_AGENTS && options.ticks > 0,
          "--agents, --ticks: out of range");
    return options;
}

static void run_tick(Rank *r, uint64_t tick)
{
    double begin = MPI_Wtime();
    clock_t processor = clock();
    move_agents(r, tick);
    double moved = MPI_Wtime(), used = (double)(clock() - processor) / CLOCKS_PER_SEC;
    measure_rim(r);
    exchange(r);
    if (tick > 0) /* the first tick allocates */
    {
        r->tick_seconds += moved - begin;
        r->tick_processor += used;
        r->exchange_seconds += MPI_Wtime() - moved;
    }
}

int main(int count, char **arguments)
{
    static Rank r;
    MPI_Init(&count, &arguments);
    Options options = read_options(count, arguments);
    r.hops = options.hops;
    r.blocks = (int)ceil(sqrt((double)options.agents / SLOTS));
    cut_level(&r);
    build_level(&r);
    make_agents(&r, options.agents);
    measure_rim(&r);
    exchange(&r);
    r.messages = r.bytes = 0;
    for (uint64_t tick = 0; tick < options.ticks; ++tick)
    {
        if (r.rank == options.dies && tick == options.dies_at)
            _exit(3); /* the other ranks wait for it until mpirun ends them */
        run_tick(&r, tick);
    }
    check(report(&r, options.agents, options.ticks), "agents were lost or doubled");
    MPI_Finalize();
    return 0;
}
