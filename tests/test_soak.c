/* Eight threads over one world: one attaches, moves, detaches and commits; three tick crowds; four cast and ask for places. What each
 * of them gets is that of its snapshot. SIDLE_SOAK_SECONDS says how long; it is meant for ThreadSanitizer. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    TICKERS = 3,
    READERS = 4,
    AGENTS = 60,
    KEPT = 40 /* pieces that are attached at a time */
};

typedef struct Soak
{
    pthread_mutex_t lock; /* of the newest snapshot */
    sidle_snapshot *newest;
    bool ends;
    uint32_t wrong, answers;
} Soak;

static sidle_snapshot *take_newest(Soak *soak)
{
    pthread_mutex_lock(&soak->lock);
    sidle_snapshot *snapshot = soak->newest;
    sidle_snapshot_retain(snapshot);
    pthread_mutex_unlock(&soak->lock);
    return snapshot;
}

static bool goes_on(Soak *soak)
{
    pthread_mutex_lock(&soak->lock);
    bool goes = !soak->ends;
    pthread_mutex_unlock(&soak->lock);
    return goes;
}

static void report(Soak *soak, uint32_t answers, uint32_t wrong)
{
    pthread_mutex_lock(&soak->lock);
    soak->answers += answers;
    soak->wrong += wrong;
    pthread_mutex_unlock(&soak->lock);
}

/* ---- the world ---- */

static sidle_mesh *piece(Random *random)
{
    sidle_mesh *mesh = NULL;
    if (random_chance(random, .3))
    {
        sidle_solid_desc box = {
            .size = sizeof box, .kind = SIDLE_SOLID_BOX, .half_extents = {1.5f, .2f, 1.5f}};
        demand(sidle_mesh_create_solid(&box, NULL, &mesh), "sidle_mesh_create_solid");
        return mesh;
    }
    Soup soup = {0};
    soup_terrain(&soup, 4, 1, .3, random_below(random, 1000));
    return soup_mesh(soup);
}

static sidle_pose somewhere(Random *random)
{
    return (sidle_pose){.position = {random_between(random, -9, 9), random_between(random, -.5, 1),
                                     random_between(random, -9, 9)}};
}

static void publish(Soak *soak, sidle_world *world)
{
    sidle_snapshot *snapshot;
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    pthread_mutex_lock(&soak->lock);
    sidle_snapshot *last = soak->newest;
    soak->newest = snapshot;
    pthread_mutex_unlock(&soak->lock);
    sidle_snapshot_release(last);
}

static void change(sidle_world *world, sidle_instance *instance, Random *random)
{
    sidle_pose pose = somewhere(random);
    if (instance->generation && random_chance(random, .5))
    {
        demand(sidle_world_move(world, *instance, NULL, &pose), "sidle_world_move");
        return;
    }
    if (instance->generation)
    {
        demand(sidle_world_remove(world, *instance), "sidle_world_remove");
        *instance = (sidle_instance){0};
        return;
    }
    sidle_instance_desc desc = {.size = sizeof desc, .mesh = piece(random), .pose = pose};
    demand(sidle_world_add(world, &desc, instance), "sidle_world_add");
    sidle_mesh_release(desc.mesh);
}

static void run_world(Soak *soak, sidle_world *world, double seconds)
{
    Random random = random_seeded(1);
    sidle_instance kept[KEPT] = {{0}};
    struct timespec now, begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
    {
        for (int i = 0; i < 6; ++i)
        {
            change(world, &kept[random_below(&random, KEPT)], &random);
        }
        publish(soak, world);
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    while ((double)(now.tv_sec - begin.tv_sec) + 1e-9 * (double)(now.tv_nsec - begin.tv_nsec) < seconds);
}

/* ---- ticks and queries ---- */

static void *run_ticks(void *state)
{
    Soak *soak = state;
    const sidle_profile person = {.size = sizeof person, .shape.radii = {.3f, .9f, .3f}};
    const sidle_crowd_desc desc = {.size = sizeof desc, .profiles = &person, .profile_count = 1};
    sidle_crowd *crowd = NULL;
    sidle_move moves[AGENTS];
    sidle_result results[AGENTS];
    Random random = random_seeded(2);
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    memset(moves, 0, sizeof moves);
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        moves[i].body.center = somewhere(&random).position;
        moves[i].body.center.y += 3;
    }
    uint32_t answers = 0, wrong = 0;
    while (goes_on(soak))
    {
        sidle_snapshot *snapshot = take_newest(soak);
        sidle_tick_desc tick = {.size = sizeof tick,
                                .snapshot = snapshot,
                                .dt = 1 / 60.f,
                                .moves = moves,
                                .results = results,
                                .count = AGENTS};
        wrong += sidle_crowd_tick(crowd, &tick) != SIDLE_OK;
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].body = results[i].body;
            moves[i].displacement = (sidle_vec3){(float)random_between(&random, -.05, .05), 0,
                                                 (float)random_between(&random, -.05, .05)};
            bool is_lost = moves[i].body.center.y < -20;
            moves[i].body.center = is_lost ? somewhere(&random).position : moves[i].body.center;
        }
        sidle_snapshot_release(snapshot);
        ++answers;
    }
    sidle_crowd_destroy(crowd);
    report(soak, answers, wrong);
    return NULL;
}

/* A cast that hits, asked twice on one snapshot, gives the same bits, whatever others commit. */
static void *run_queries(void *state)
{
    Soak *soak = state;
    Random random = random_seeded(3);
    uint32_t answers = 0, wrong = 0;
    while (goes_on(soak))
    {
        sidle_snapshot *snapshot = take_newest(soak);
        for (int i = 0; i < 50; ++i)
        {
            sidle_cast cast = {.origin = somewhere(&random).position, .displacement = {0, -9, 0}};
            sidle_place place = {.center = cast.origin, .shape.radii = {.5f, .5f, .5f}};
            sidle_cast_hit hits[2];
            uint32_t counts[2];
            cast.origin.y += 5;
            for (int k = 0; k < 2; ++k)
            {
                wrong += sidle_cast_closest(snapshot, .5f, &cast, &hits[k]) != SIDLE_OK;
                wrong += sidle_place_overlaps(snapshot, .5f, &place, NULL, 0, &counts[k]) != SIDLE_OK;
            }
            wrong += hits[0].hit != hits[1].hit || hits[0].t != hits[1].t || counts[0] != counts[1];
            ++answers;
        }
        sidle_snapshot_release(snapshot);
    }
    report(soak, answers, wrong);
    return NULL;
}

Test(soak, threads_that_tick_and_ask_are_not_disturbed_by_commits)
{
    const char *given = getenv("SIDLE_SOAK_SECONDS");
    Soak soak = {.newest = NULL};
    sidle_world *world = NULL;
    pthread_t threads[TICKERS + READERS];
    pthread_mutex_init(&soak.lock, NULL);
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    publish(&soak, world);
    for (int i = 0; i < TICKERS + READERS; ++i)
    {
        cr_assert_eq(pthread_create(&threads[i], NULL, i < TICKERS ? run_ticks : run_queries, &soak), 0);
    }
    run_world(&soak, world, given ? atof(given) : 1);
    pthread_mutex_lock(&soak.lock);
    soak.ends = true;
    pthread_mutex_unlock(&soak.lock);
    for (int i = 0; i < TICKERS + READERS; ++i)
    {
        pthread_join(threads[i], NULL);
    }
    cr_expect_eq(soak.wrong, 0);
    cr_expect_gt(soak.answers, 10);
    printf("%u answers\n", soak.answers);
    sidle_snapshot_release(soak.newest);
    sidle_world_destroy(world);
    pthread_mutex_destroy(&soak.lock);
}
