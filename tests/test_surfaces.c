/* Moves and queries that ignore surfaces go as if the triangles with these were not there. */
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TRIANGLES = 900,
    QUERIES = 3000
};

#define IGNORED 0x80F0F024u

static bool is_kept(uint16_t surface)
{
    return surface > 31 || !(IGNORED >> surface & 1);
}

typedef struct World
{
    sidle_mesh *mesh;
    sidle_world *world;
    sidle_snapshot *snapshot;
} World;

/* Triangles anywhere, with the surfaces 0 to 39. Those that are not kept lie far away in a world of `only_kept`, so that
 * numbers are the same. */
static World world_of(bool only_kept)
{
    World w = {NULL, NULL, NULL};
    Random random = random_seeded(3);
    Soup soup = {0};
    static uint16_t surfaces[TRIANGLES];
    soup_scatter(&soup, &random, TRIANGLES, 6);
    for (int t = 0; t < TRIANGLES; ++t)
    {
        surfaces[t] = (uint16_t)(t * 7 % 40);
        for (int i = 0; i < 3 && only_kept && !is_kept(surfaces[t]); ++i)
        {
            soup.triangles[t].v[i] = vector_add(soup.triangles[t].v[i], vector(0, -1e4, 0));
        }
    }
    const sidle_position zero = {0, 0, 0};
    sidle_mesh_desc desc = {.size = sizeof desc,
                            .vertices_d = &soup.triangles[0].v[0].x,
                            .vertex_count = 3 * TRIANGLES,
                            .triangle_count = TRIANGLES,
                            .surfaces = surfaces,
                            .origin = &zero};
    sidle_instance id;
    demand(sidle_mesh_create(&desc, NULL, NULL, &w.mesh), "sidle_mesh_create");
    sidle_instance_desc placed = {.size = sizeof placed, .mesh = w.mesh, .key = 4};
    demand(sidle_world_create(NULL, NULL, &w.world), "sidle_world_create");
    demand(sidle_world_add(w.world, &placed, &id), "sidle_world_add");
    demand(sidle_world_commit(w.world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(w.world, &w.snapshot), "sidle_world_snapshot");
    soup_free(&soup);
    return w;
}

static void world_free(World *w)
{
    sidle_snapshot_release(w->snapshot);
    sidle_world_destroy(w->world);
    sidle_mesh_release(w->mesh);
}

static const sidle_shape shapes[] = {
    {{0, 0, 0}, 0}, {{.4f, .4f, .4f}, 0}, {{.3f, .8f, .4f}, 0}, {{.3f, .3f, .3f}, .5f}};

static float between(Random *random, double size)
{
    return (float)random_between(random, -size, size);
}

static void ask(const sidle_snapshot *snapshot, uint32_t ignored, uint32_t lanes, sidle_cast_hit *hits)
{
    static sidle_cast casts[QUERIES];
    Random random = random_seeded(8);
    for (int i = 0; i < QUERIES; ++i)
    {
        double length = i % 3 ? 1 : 9;
        casts[i] = (sidle_cast){
            .origin = {(double)between(&random, 6), (double)between(&random, 6), (double)between(&random, 6)},
            .displacement = {between(&random, length), between(&random, length), between(&random, length)},
            .shape = shapes[i % 4],
            .ignored_surfaces = ignored};
    }
    sidle_cast_batch_desc batch = {.size = sizeof batch,
                                   .snapshot = (sidle_snapshot *)snapshot,
                                   .lanes = lanes,
                                   .casts = casts,
                                   .count = QUERIES,
                                   .hits = hits};
    demand(sidle_cast_batch(&batch), "sidle_cast_batch");
}

Test(surfaces, casts_pass_through_what_is_not_there)
{
    static sidle_cast_hit ignoring[QUERIES], without[QUERIES], all[QUERIES];
    World full = world_of(false), kept = world_of(true);
    const uint32_t lanes[] = {1, 4, 8};
    for (int l = 0; l < 3; ++l)
    {
        if (sidle_cast_lanes(lanes[l]) != lanes[l])
        {
            continue;
        }
        uint32_t changed = 0;
        ask(full.snapshot, IGNORED, lanes[l], ignoring);
        ask(kept.snapshot, 0, lanes[l], without);
        ask(full.snapshot, 0, lanes[l], all);
        for (int i = 0; i < QUERIES; ++i)
        {
            cr_expect_eq(memcmp(&ignoring[i], &without[i], sizeof *all), 0, "%u lanes: cast %d", lanes[l], i);
            changed += memcmp(&ignoring[i], &all[i], sizeof *all) != 0;
        }
        cr_expect_gt(changed, 50);
    }
    world_free(&full);
    world_free(&kept);
}

/* ---- moves ---- */

enum
{
    AGENTS = 150,
    TICKS = 40
};

static void walk(const sidle_snapshot *snapshot, uint32_t ignored, uint32_t lanes, sidle_result *results)
{
    const sidle_profile profiles[2] = {{.size = sizeof *profiles, .shape.radii = {.2f, .5f, .2f}},
                                       {.size = sizeof *profiles, .shape = {{.2f, .2f, .2f}, .3f}}};
    const sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = profiles, .profile_count = 2, .lanes = lanes};
    static sidle_move moves[AGENTS];
    sidle_crowd *crowd = NULL;
    Random random = random_seeded(9);
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    memset(moves, 0, sizeof moves);
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        moves[i].profile = i % 2;
        moves[i].ignored_surfaces = ignored;
        moves[i].body.center = (sidle_position){(double)between(&random, 6), (double)between(&random, 6),
                                                (double)between(&random, 6)};
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = (sidle_snapshot *)snapshot,
                            .dt = 1 / 60.f,
                            .moves = moves,
                            .results = results,
                            .count = AGENTS};
    for (int t = 0; t < TICKS; ++t)
    {
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].displacement = (sidle_vec3){between(&random, .1), 0, between(&random, .1)};
        }
        demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
        for (uint32_t i = 0; i < AGENTS; ++i)
        {
            moves[i].body = results[i].body;
        }
    }
    sidle_crowd_destroy(crowd);
}

Test(surfaces, agents_walk_as_if_those_were_not_there)
{
    static sidle_result ignoring[AGENTS], without[AGENTS], all[AGENTS];
    World full = world_of(false), kept = world_of(true);
    const uint32_t lanes[] = {1, 4, 8};
    for (int l = 0; l < 3; ++l)
    {
        if (sidle_cast_lanes(lanes[l]) != lanes[l])
        {
            continue;
        }
        uint32_t changed = 0;
        walk(full.snapshot, IGNORED, lanes[l], ignoring);
        walk(kept.snapshot, 0, lanes[l], without);
        walk(full.snapshot, 0, lanes[l], all);
        for (int i = 0; i < AGENTS; ++i)
        {
            cr_expect_eq(memcmp(&ignoring[i], &without[i], sizeof *all), 0, "%u lanes: agent %d", lanes[l],
                         i);
            changed += memcmp(&ignoring[i], &all[i], sizeof *all) != 0;
        }
        cr_expect_gt(changed, 10);
    }
    world_free(&full);
    world_free(&kept);
}

/* ---- places ---- */

typedef struct Answer
{
    sidle_overlap overlaps[16];
    sidle_cast_hit hits[8];
    sidle_closest closest;
    uint32_t count, hit_count;
} Answer;

static Answer at(const sidle_snapshot *snapshot, uint32_t ignored, Random *random, int i)
{
    Answer a;
    memset(&a, 0, sizeof a);
    sidle_place place = {
        .center = {(double)between(random, 6), (double)between(random, 6), (double)between(random, 6)},
        .shape = shapes[1 + i % 3],
        .ignored_surfaces = ignored};
    sidle_cast ray = {.origin = place.center,
                      .displacement = {between(random, 9), between(random, 9), between(random, 9)},
                      .ignored_surfaces = ignored};
    demand(sidle_place_overlaps(snapshot, 0, &place, a.overlaps, 16, &a.count), "sidle_place_overlaps");
    demand(sidle_place_closest(snapshot, 0, &place, 2, &a.closest), "sidle_place_closest");
    demand(sidle_cast_all(snapshot, 0, &ray, a.hits, 8, &a.hit_count), "sidle_cast_all");
    answers_keep_fields(a.overlaps, a.count < 16 ? a.count : 16, &a.closest);
    return a;
}

Test(surfaces, places_are_free_of_what_is_not_there)
{
    World full = world_of(false), kept = world_of(true);
    uint32_t changed = 0;
    for (int i = 0; i < QUERIES; ++i)
    {
        Random draws[3] = {random_seeded(100 + (uint64_t)i), random_seeded(100 + (uint64_t)i),
                           random_seeded(100 + (uint64_t)i)};
        Answer ignoring = at(full.snapshot, IGNORED, &draws[0], i),
               without = at(kept.snapshot, 0, &draws[1], i), all = at(full.snapshot, 0, &draws[2], i);
        cr_expect_eq(memcmp(&ignoring, &without, sizeof all), 0, "place %d", i);
        changed += memcmp(&ignoring, &all, sizeof all) != 0;
    }
    cr_expect_gt(changed, 50);
    world_free(&full);
    world_free(&kept);
}
