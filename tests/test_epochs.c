/* Epochs share what did not change. What a snapshot answers must not depend on the commits before it, nor on those after. */
#include "support/heap.h"
#include "support/scene.h"
#include "world/snapshot.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define MOST   160 /* instances */
#define CASTS  24
#define AGENTS 12
#define KEPT   6 /* snapshots */

/* ---- a plain model of a world ---- */

typedef struct Known
{
    bool alive, moves;
    sidle_instance id;
    sidle_pose from, to;
    uint32_t mesh;
} Known;

typedef struct Model
{
    sidle_mesh *meshes[3]; /* a square, a box and nothing */
    Known known[MOST];     /* the key is the index + 1 */
    sidle_world *world;
} Model;

static Model model_of(const sidle_allocator *allocator)
{
    Soup square = {0}, ring = {0};
    soup_plate(&square, -1, 1, -1, 1, 0);
    soup_ring(&ring, 7, 1.5, 1);
    Model model = {.meshes = {soup_mesh(square), soup_mesh(ring), soup_mesh((Soup){0})}};
    demand(sidle_world_create(NULL, allocator, &model.world), "sidle_world_create");
    return model;
}

static void model_close(Model *model)
{
    sidle_world_destroy(model->world);
    for (int i = 0; i < 3; ++i)
    {
        sidle_mesh_release(model->meshes[i]);
    }
}

static sidle_pose any_pose(Random *random, double spread)
{
    sidle_pose pose = {.position = {random_between(random, -spread, spread), random_between(random, -2, 2),
                                    random_between(random, -spread, spread)}};
    if (random_chance(random, .5))
    {
        pose.rotation =
            (sidle_quat){0, (float)random_between(random, -1, 1), 0, (float)random_between(random, .1, 1)};
    }
    return pose;
}

/* A step, or a jump across the world. */
static sidle_pose next_pose(Random *random, const sidle_pose *from)
{
    sidle_pose to = any_pose(random, 30);
    if (random_chance(random, .9))
    {
        to.position = from->position;
        to.position.x += random_between(random, -.3, .3);
        to.position.y += random_between(random, -.3, .3);
    }
    return to;
}

static void change_one(Model *model, Random *random)
{
    Known *known = &model->known[random_below(random, MOST)];
    if (!known->alive)
    {
        known->from = known->to = any_pose(random, 30);
        known->mesh = random_chance(random, .1) ? 2 : random_below(random, 2);
        sidle_instance_desc desc = {.size = sizeof desc,
                                    .mesh = model->meshes[known->mesh],
                                    .pose = known->to,
                                    .key = (uint64_t)(known - model->known) + 1};
        demand(sidle_world_add(model->world, &desc, &known->id), "sidle_world_add");
        known->alive = true;
        known->moves = false;
    }
    else if (random_chance(random, .15))
    {
        demand(sidle_world_remove(model->world, known->id), "sidle_world_remove");
        known->alive = false;
    }
    else if (random_chance(random, .6))
    {
        sidle_pose from = known->moves ? known->from : known->to;
        known->to = next_pose(random, &known->to);
        known->from = from;
        demand(sidle_world_move(model->world, known->id, &from, &known->to), "sidle_world_move");
        known->moves = true;
    }
    else
    {
        known->from = known->to = next_pose(random, &known->to);
        demand(sidle_world_teleport(model->world, known->id, &known->to), "sidle_world_teleport");
        known->moves = false;
    }
}

/* The same epoch as the first one of a new world. */
static sidle_snapshot *made_at_once(const Model *model, Random *random)
{
    sidle_world *world = NULL;
    sidle_snapshot *snapshot = NULL;
    uint32_t first = random_below(random, MOST), step = 2 * random_below(random, 20) + 1;
    step = step % 5 == 0 ? 1 : step; /* every index once: 160 is 2^5 5 */
    demand(sidle_world_create(NULL, NULL, &world), "sidle_world_create");
    for (uint32_t i = 0; i < MOST; ++i)
    {
        const Known *known = &model->known[(first + i * step) % MOST];
        sidle_instance id;
        sidle_instance_desc desc = {.size = sizeof desc,
                                    .mesh = model->meshes[known->mesh],
                                    .pose = known->from,
                                    .key = (uint64_t)(known - model->known) + 1};
        if (known->alive)
        {
            demand(sidle_world_add(world, &desc, &id), "sidle_world_add");
            demand(sidle_world_move(world, id, &known->from, &known->to), "sidle_world_move");
        }
    }
    demand(sidle_world_commit(world, NULL), "sidle_world_commit");
    demand(sidle_world_snapshot(world, &snapshot), "sidle_world_snapshot");
    sidle_world_destroy(world);
    return snapshot;
}

/* ---- what a snapshot answers ---- */

typedef struct Answers
{
    sidle_cast_hit hits[CASTS];
    sidle_result results[AGENTS];
    sidle_contact contacts[AGENTS * SIDLE_MAX_AGENT_CONTACTS];
    uint32_t contact_count;
} Answers;

/* All but the ids: of equal keys alone the ids decide. */
static void ask(const sidle_snapshot *snapshot, sidle_crowd *crowd, uint64_t seed, Answers *answers)
{
    Random random = random_seeded(seed);
    memset(answers, 0, sizeof *answers);
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        sidle_pose from = any_pose(&random, 30);
        float radius = i % 3 ? .5f : 0;
        sidle_cast cast = {.origin = from.position,
                           .displacement = {(float)random_between(&random, -40, 40),
                                            (float)random_between(&random, -4, 4),
                                            (float)random_between(&random, -40, 40)},
                           .shape = {.radii = {radius, radius, radius}}};
        demand(sidle_cast_closest(snapshot, i % 2 ? 1 : .25f, &cast, &answers->hits[i]), "cast");
        answers->hits[i].instance = (sidle_instance){0, 0};
    }
    sidle_move moves[AGENTS] = {{.id = 0}};
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        moves[i].body.center = any_pose(&random, 30).position;
        moves[i].displacement =
            (sidle_vec3){(float)random_between(&random, -2, 2), 0, (float)random_between(&random, -2, 2)};
    }
    sidle_tick_desc tick = {.size = sizeof tick,
                            .snapshot = (sidle_snapshot *)snapshot,
                            .dt = .02f,
                            .moves = moves,
                            .count = AGENTS,
                            .results = answers->results,
                            .contacts = answers->contacts,
                            .contact_capacity = AGENTS * SIDLE_MAX_AGENT_CONTACTS,
                            .contact_count = &answers->contact_count};
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        answers->results[i].body.ground = (sidle_instance){0, 0};
        answers->results[i].body.motion_epoch = 0;
    }
    for (uint32_t i = 0; i < answers->contact_count; ++i)
    {
        answers->contacts[i].instance = (sidle_instance){0, 0};
    }
}

static bool same_answers(const Answers *a, const Answers *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static uint32_t hits_of(const Answers *answers)
{
    uint32_t count = answers->contact_count;
    for (uint32_t i = 0; i < CASTS; ++i)
    {
        count += answers->hits[i].hit != SIDLE_CAST_MISS;
    }
    return count;
}

static sidle_crowd *crowd_with(uint32_t max_candidates)
{
    sidle_profile profile = {.size = sizeof profile, .shape = {.radii = {.4f, .9f, .4f}}, .mode = SIDLE_WALK};
    sidle_crowd_desc desc = {
        .size = sizeof desc, .profiles = &profile, .profile_count = 1, .max_candidates = max_candidates};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, NULL, &crowd), "sidle_crowd_create");
    return crowd;
}

/* A snapshot in use, and what it answered when it was new. */
typedef struct Kept
{
    sidle_snapshot *snapshot;
    uint64_t seed;
    Answers answers;
} Kept;

static void let_go(Kept *kept, sidle_crowd *crowd)
{
    static Answers now;
    if (kept->snapshot)
    {
        ask(kept->snapshot, crowd, kept->seed, &now);
        cr_assert(same_answers(&now, &kept->answers), "seed %u: later commits changed an epoch",
                  (unsigned)kept->seed);
        sidle_snapshot_release(kept->snapshot);
        kept->snapshot = NULL;
    }
}

/* `heap`: one of the next allocations fails, or NULL. A failed commit keeps the changes, and more may follow. */
static uint32_t commit_with(Model *model, Heap *heap, Random *random)
{
    uint32_t failures = 0;
    if (heap)
    {
        heap->failing = heap->allocations + 1 + random_below(random, 10);
        heap->once = true;
        sidle_status status = sidle_world_commit(model->world, NULL);
        heap->failing = 0;
        if (status == SIDLE_OK)
        {
            return 0;
        }
        cr_assert_eq(status, SIDLE_ERROR_MEMORY);
        ++failures;
        for (int change = 0; change < 3; ++change)
        {
            change_one(model, random);
        }
    }
    demand(sidle_world_commit(model->world, NULL), "sidle_world_commit");
    return failures;
}

typedef struct Lived
{
    uint32_t hits, failures;
} Lived;

/* Adds, moves, removes and commits in any order; snapshots live for any number of commits. */
static Lived live(uint32_t seed, uint32_t commits, uint32_t max_candidates, Heap *heap)
{
    static Kept kept[KEPT];
    static Answers expected;
    Random random = random_seeded(seed);
    sidle_allocator allocator;
    if (heap)
    {
        allocator = heap_allocator(heap);
    }
    Model model = model_of(heap ? &allocator : NULL);
    sidle_crowd *crowd = crowd_with(max_candidates), *other = crowd_with(max_candidates);
    Lived lived = {0, 0};
    for (uint32_t i = 0; i < commits; ++i)
    {
        uint32_t changes = random_chance(&random, .1) ? 100 : random_below(&random, 6);
        for (uint32_t change = 0; change < changes; ++change)
        {
            change_one(&model, &random);
        }
        lived.failures += commit_with(&model, heap, &random);
        Kept *place = &kept[random_below(&random, KEPT)];
        let_go(place, crowd);
        place->seed = seed * 1000 + i;
        demand(sidle_world_snapshot(model.world, &place->snapshot), "sidle_world_snapshot");
        ask(place->snapshot, crowd, place->seed, &place->answers);
        sidle_snapshot *at_once = made_at_once(&model, &random);
        ask(at_once, other, place->seed, &expected);
        cr_assert(same_answers(&expected, &place->answers), "seed %u, commit %u: the history shows", seed, i);
        sidle_snapshot_release(at_once);
        lived.hits += hits_of(&expected);
        for (uint32_t k = 0; k < MOST; ++k)
        {
            model.known[k].moves = false; /* it arrives */
            model.known[k].from = model.known[k].to;
        }
    }
    for (uint32_t i = 0; i < KEPT; ++i)
    {
        let_go(&kept[i], crowd);
    }
    sidle_crowd_destroy(crowd);
    sidle_crowd_destroy(other);
    model_close(&model);
    return lived;
}

Test(epochs, the_answers_of_a_world_do_not_depend_on_the_commits_before)
{
    uint32_t hits = 0;
    for (uint32_t seed = 1; seed <= 12; ++seed)
    {
        hits += live(seed, 60, seed % 3 ? 0 : 64, NULL).hits;
    }
    cr_expect_gt(hits, 5000, "%u hits", hits);
}

Test(epochs, a_commit_without_memory_keeps_the_changes_and_can_be_repeated)
{
    uint32_t failures = 0;
    for (uint32_t seed = 101; seed <= 112; ++seed)
    {
        Heap heap = {0};
        failures += live(seed, 60, 0, &heap).failures;
        cr_expect(heap.blocks == 0 && heap.wrong == 0, "seed %u: %zu blocks", seed, (size_t)heap.blocks);
    }
    cr_expect_gt(failures, 100, "%u failures", failures);
}
