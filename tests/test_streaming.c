/* Streaming: pieces of a world are baked and attached on another thread, and detached again, while agents tick. The agents do not notice
 * pieces that are far away: their bits, their counted work and their memory stay as they are. SIDLE_PIECES says how many come and go. */
#include "support/heap.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS 300
#define TICKS  150
#define KEPT   256 /* pieces that are attached at the same time */
#define COMMIT 16  /* pieces a commit */

/* The newest epoch, handed from the streaming thread to the ticks. */
typedef struct Stream
{
    pthread_mutex_t lock;
    sidle_snapshot *newest;
    sidle_world *world;
    uint32_t pieces, commits;
    bool ticks_are_done;
} Stream;

static sidle_mesh *piece(uint32_t number)
{
    Soup soup = {0};
    soup_terrain(&soup, 6, 8, .5, number);
    return soup_mesh(soup);
}

static void publish(Stream *stream)
{
    sidle_snapshot *snapshot;
    demand(sidle_world_commit(stream->world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(stream->world, &snapshot), "sidle_world_snapshot");
    pthread_mutex_lock(&stream->lock);
    sidle_snapshot *last = stream->newest;
    stream->newest = snapshot;
    stream->commits += 1;
    pthread_mutex_unlock(&stream->lock);
    sidle_snapshot_release(last);
}

static bool ticks_go_on(Stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    bool goes_on = !stream->ticks_are_done;
    pthread_mutex_unlock(&stream->lock);
    return goes_on;
}

/* Only this thread touches the world. */
static void *stream_pieces(void *state)
{
    Stream *stream = state;
    sidle_instance attached[KEPT];
    for (uint32_t i = 0; i < stream->pieces || ticks_go_on(stream); ++i)
    {
        uint32_t at = i % KEPT;
        if (i >= KEPT)
        {
            demand(sidle_world_remove(stream->world, attached[at]), "sidle_world_remove");
        }
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = piece(i), .key = 1000 + i};
        desc.pose.position = (sidle_position){200 + 10. * (i % 20), 0, 10. * (i / 20 % 20)};
        demand(sidle_world_add(stream->world, &desc, &attached[at]), "sidle_world_add");
        sidle_mesh_release(desc.mesh);
        if (i % COMMIT == 0)
        {
            publish(stream);
        }
    }
    return NULL;
}

static sidle_snapshot *newest(Stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    sidle_snapshot *snapshot = stream->newest;
    sidle_snapshot_retain(snapshot);
    pthread_mutex_unlock(&stream->lock);
    return snapshot;
}

typedef struct Walk
{
    Heap heap;
    uint64_t hash;
    sidle_stats stats;
    size_t allocations; /* after the first tick */
} Walk;

static void tick_once(Stream *stream, sidle_crowd *crowd, sidle_move *moves, sidle_result *results,
                      sidle_stats *stats)
{
    sidle_snapshot *snapshot = newest(stream);
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = snapshot,
                            .dt = 1 / 60.f,
                            .moves = moves,
                            .results = results,
                            .count = AGENTS,
                            .stats = stats,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    for (int i = 0; i < AGENTS; ++i)
    {
        moves[i].body = results[i].body;
    }
    sidle_snapshot_release(snapshot);
}

static void walk(Stream *stream, Walk *out)
{
    static sidle_move moves[AGENTS];
    static sidle_result results[AGENTS];
    sidle_allocator allocator = heap_allocator(&out->heap);
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&desc, &allocator, &crowd), "sidle_crowd_create");
    out->stats = (sidle_stats){.size = sizeof out->stats};
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i] = (sidle_move){.id = i, .body.center = {i % 20 - 10., 3, i / 20 - 8.}};
        moves[i].displacement = (sidle_vec3){i % 2 ? .03f : -.03f, 0, i % 3 ? .01f : -.02f};
    }
    for (int tick = 0; tick < TICKS; ++tick)
    {
        tick_once(stream, crowd, moves, results, &out->stats);
        out->allocations = tick == 0 ? out->heap.allocations : out->allocations;
    }
    out->allocations = out->heap.allocations - out->allocations;
    out->hash = 0;
    for (int i = 0; i < AGENTS; ++i)
    {
        Agent agent = {.body = moves[i].body};
        out->hash = out->hash * 31 + agents_hash(&agent, 1);
    }
    sidle_crowd_destroy(crowd);
}

static Stream stream_of(const sidle_allocator *allocator, uint32_t pieces)
{
    Soup soup = {0};
    soup_terrain(&soup, 30, 30, 1, 4);
    Stream stream = {.pieces = pieces};
    pthread_mutex_init(&stream.lock, NULL);
    demand(sidle_world_create(NULL, allocator, &stream.world), "sidle_world_create");
    sidle_instance_desc ground = {.size = sizeof ground, .mesh = soup_mesh(soup), .key = 1};
    sidle_instance id;
    demand(sidle_world_add(stream.world, &ground, &id), "sidle_world_add");
    sidle_mesh_release(ground.mesh);
    publish(&stream);
    return stream;
}

static void stream_close(Stream *stream)
{
    sidle_snapshot_release(stream->newest);
    sidle_world_destroy(stream->world);
    pthread_mutex_destroy(&stream->lock);
}

Test(streaming, agents_do_not_notice_pieces_that_come_and_go_far_away)
{
    const char *given = getenv("SIDLE_PIECES");
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    Stream still = stream_of(NULL, 0), stream = stream_of(&allocator, given ? (uint32_t)atoi(given) : 800);
    static Walk alone, beside;
    walk(&still, &alone);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, stream_pieces, &stream), 0);
    walk(&stream, &beside);
    pthread_mutex_lock(&stream.lock);
    stream.ticks_are_done = true;
    pthread_mutex_unlock(&stream.lock);
    pthread_join(thread, NULL);
    cr_expect_eq(beside.hash, alone.hash, "other bits");
    beside.stats.leaf_triangles = alone.stats.leaf_triangles; /* depend on what an agent's cache holds */
    cr_expect_eq(memcmp(&beside.stats, &alone.stats, sizeof alone.stats), 0, "other work");
    cr_expect(beside.allocations == 0 && alone.allocations == 0, "ticks allocate");
    cr_expect(stream.commits > stream.pieces / COMMIT, "%u commits", stream.commits);
    stream_close(&still);
    stream_close(&stream);
    cr_expect(heap.blocks == 0 && heap.wrong == 0, "%u blocks are left", (unsigned)heap.blocks);
}

/* ---- pieces among the agents ---- */

#define NEAR_AGENTS 24
#define WALLS       12

typedef struct Yard
{
    sidle_world *world;
    sidle_mesh *wall;
    sidle_instance walls[WALLS], far; /* generation 0: not there */
} Yard;

static sidle_mesh *wall(void)
{
    Soup soup = {0};
    soup_ring(&soup, 6, .5, 1);
    return soup_mesh(soup);
}

static sidle_pose any_place(Random *random)
{
    return (sidle_pose){.position = {random_between(random, -4, 4), 1, random_between(random, -4, 4)}};
}

/* Adds, removes or moves one of the walls, or something far away, or nothing. */
static void change(Yard *yard, Random *random)
{
    sidle_instance *at = random_chance(random, .3) ? &yard->far : &yard->walls[random_below(random, WALLS)];
    sidle_pose pose = any_place(random);
    pose.position.x += at == &yard->far ? 500 : 0;
    if (!at->generation)
    {
        sidle_instance_desc desc = {.size = sizeof desc, .mesh = yard->wall, .pose = pose, .key = 5};
        demand(sidle_world_add(yard->world, &desc, at), "sidle_world_add");
    }
    else if (random_chance(random, .4))
    {
        demand(sidle_world_remove(yard->world, *at), "sidle_world_remove");
        at->generation = 0;
    }
    else
    {
        demand(sidle_world_teleport(yard->world, *at, &pose), "sidle_world_teleport");
    }
}

static sidle_crowd *small_crowd(void)
{
    sidle_profile profile = {.size = sizeof profile, .shape.radii = {.4f, .9f, .4f}};
    sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &profile, .profile_count = 1};
    sidle_crowd *crowd;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

static void tick_of(sidle_crowd *crowd, sidle_snapshot *snapshot, const sidle_move *moves,
                    sidle_result *results)
{
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = snapshot,
                            .dt = 1 / 60.f,
                            .moves = moves,
                            .results = results,
                            .count = NEAR_AGENTS,
                            .flags = SIDLE_TICK_AGENTS_COLLIDE};
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
}

/* Beside a crowd that is new in every tick, and so has found nothing before. */
Test(streaming, agents_notice_what_changes_around_them)
{
    Random random = random_seeded(3);
    Stream ground = stream_of(NULL, 0);
    Yard yard = {.world = ground.world, .wall = wall()};
    sidle_crowd *old = small_crowd();
    sidle_move moves[NEAR_AGENTS];
    sidle_result results[NEAR_AGENTS], fresh[NEAR_AGENTS];
    for (uint32_t i = 0; i < NEAR_AGENTS; ++i)
    {
        moves[i] = (sidle_move){.id = i, .body.center = {i % 5 * 1.5 - 3, 2.5, i / 5 * 1.5 - 3}};
    }
    for (int tick = 0; tick < 600; ++tick)
    {
        for (uint32_t changes = random_below(&random, 3); changes > 0; --changes)
        {
            change(&yard, &random);
        }
        publish(&ground);
        for (uint32_t i = 0; i < NEAR_AGENTS; ++i)
        {
            float aside = (tick + (int)i * 7) % 40 < 20 ? .02f : -.02f;
            moves[i].displacement = (sidle_vec3){aside, 0, i % 2 ? aside : -aside};
        }
        sidle_crowd *young = small_crowd();
        tick_of(old, ground.newest, moves, results);
        tick_of(young, ground.newest, moves, fresh);
        sidle_crowd_destroy(young);
        cr_assert_eq(memcmp(results, fresh, sizeof fresh), 0, "tick %d", tick);
        for (uint32_t i = 0; i < NEAR_AGENTS; ++i)
        {
            moves[i].body = results[i].body;
        }
    }
    sidle_crowd_destroy(old);
    sidle_mesh_release(yard.wall);
    stream_close(&ground);
}
