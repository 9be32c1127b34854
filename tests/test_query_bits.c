/* Casts have one answer: whatever the width, the batch, the jobs, the tree and the order in which it is
 * walked. And what else their header promises. */
#include "support/width_here.h"

#include "support/casts.h"
#include "support/queries.h"
#include "support/scene.h"
#include "support/schedulers.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

/* ---- worlds and casts ---- */

/* Double serves some of the radii, in units of 1e-5 of it, above the least allowed. */
#define SCALE 128

static CastScene mixed_scene(uint64_t seed)
{
    Random random = random_seeded(seed);
    CastScene scene = cast_scene();
    for (uint64_t i = 0; i < 12; ++i)
    {
        Soup soup = {0};
        soup_terrain(&soup, 6, random_scale(&random, .2, 2), .5, seed + i);
        soup_fan(&soup, 9, .5, .2);
        soup_triangle(&soup, vector(0, 0, 0), vector(3, 0, 0), vector(1, 0, 0)); /* a segment */
        soup_stretch(&soup, vector(SCALE, SCALE, SCALE));
        soup_round(&soup);
        Vector at = vector_scale(random_in_box(&random, vector(-5, -3, -5), vector(5, 3, 5)), SCALE),
               axis = random_direction(&random);
        sidle_pose pose = {.position = {at.x, at.y, at.z},
                           .rotation = {(float)axis.x, (float)axis.y, (float)axis.z, .5f},
                           .scale = {i % 3 ? 1 : -1.5f, 1, 1}};
        cast_scene_add(&scene, soup, &pose, 100 + i % 4); /* some keys are shared */
    }
    for (uint64_t i = 0; i < 4; ++i) /* the same plane, exactly, in frames of their own */
    {
        static const sidle_quat half_turns[4] = {{0, 0, 0, 1}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}};
        Soup soup = {0};
        soup_grid(&soup, 3, 4 * SCALE, 0);
        cast_scene_add(&scene, soup, &(sidle_pose){.rotation = half_turns[i]}, 90 - i);
    }
    cast_scene_commit(&scene);
    return scene;
}

/* Balls, ellipsoids, capsules and rays, short and long, some so small that only double serves them, some with
 * flags. */
static sidle_cast any_cast(Random *random, const CastScene *scene)
{
    static const CastStyle styles[6] = {{.least_radius = SCALE * .02,
                                         .greatest_radius = SCALE * .5,
                                         .aspect = 1,
                                         .shortest = .01,
                                         .longest = 30},
                                        {.least_radius = SCALE * .02,
                                         .greatest_radius = SCALE * .3,
                                         .aspect = 9,
                                         .shortest = .01,
                                         .longest = 30},
                                        {.least_radius = SCALE * 1e-5,
                                         .greatest_radius = SCALE * 1e-3,
                                         .aspect = 1,
                                         .shortest = 1,
                                         .longest = 1e5},
                                        {.rays = true, .shortest = SCALE * .01, .longest = SCALE * 50},
                                        {.least_radius = SCALE * .02,
                                         .greatest_radius = SCALE * .4,
                                         .aspect = 2,
                                         .shortest = .01,
                                         .longest = 30,
                                         .longest_core = 4},
                                        {.least_radius = SCALE * 1e-5,
                                         .greatest_radius = SCALE * 1e-3,
                                         .aspect = 2,
                                         .shortest = 1,
                                         .longest = 1e5,
                                         .longest_core = 100}};
    sidle_cast cast = cast_drawn(random, scene, &styles[random_below(random, 6)]);
    cast.flags = random_chance(random, .3) ? SIDLE_CAST_ONE_SIDED : 0;
    if (random_chance(random, .2)) /* straight down: times are equal where planes are */
    {
        cast.displacement = (sidle_vec3){0, -40 * SCALE, 0};
    }
    return cast;
}

typedef struct Casts
{
    sidle_cast *list;
    sidle_cast_hit *hits; /* filled with what no answer is */
    uint32_t count;
} Casts;

static Casts casts_of(const CastScene *scene, uint64_t seed, uint32_t count)
{
    Random random = random_seeded(seed);
    Casts casts = {calloc(count, sizeof(sidle_cast)), malloc(count * sizeof(sidle_cast_hit)), count};
    cr_assert(casts.list && casts.hits);
    memset(casts.hits, 0xAA, count * sizeof *casts.hits);
    for (uint32_t i = 0; i < count; ++i)
    {
        casts.list[i] = any_cast(&random, scene);
    }
    return casts;
}

static void casts_free(Casts *casts)
{
    free(casts->list);
    free(casts->hits);
}

static sidle_cast_batch_desc batch_of(const CastScene *scene, const Casts *casts)
{
    return (sidle_cast_batch_desc){.size = sizeof(sidle_cast_batch_desc),
                                   .snapshot = scene->snapshot,
                                   .casts = casts->list,
                                   .count = casts->count,
                                   .hits = casts->hits};
}

static sidle_cast_hit ask(const CastScene *scene, const sidle_cast *cast)
{
    sidle_cast_hit hit;
    memset(&hit, 0xAA, sizeof hit);
    demand(sidle_cast_closest(scene->snapshot, 0, cast, &hit), "sidle_cast_closest");
    return hit;
}

static uint32_t differences(const sidle_cast_hit *a, const sidle_cast_hit *b, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        found += memcmp(&a[i], &b[i], sizeof *a) != 0;
    }
    return found;
}

/* ---- one answer ---- */

Test(cast_bits, every_width_gives_the_same_bits)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    CastScene scene = mixed_scene(1);
    uint32_t count = query_count(20000), ran = 0;
    Casts first = casts_of(&scene, 2, count), other = casts_of(&scene, 2, count);
    for (int i = 0; i < 4; ++i)
    {
        Casts *casts = i == 0 ? &first : &other;
        sidle_cast_batch_desc batch = batch_of(&scene, casts);
        batch.lanes = widths[i];
        sidle_status status = sidle_cast_batch(&batch);
        if (widths[i] > 4 && status == SIDLE_ERROR_UNSUPPORTED)
        {
            continue;
        }
        demand(status, "sidle_cast_batch");
        cr_expect_eq(differences(first.hits, casts->hits, count), 0, "%u lanes", widths[i]);
        ++ran;
    }
    cr_expect(ran >= 2);
    casts_free(&first);
    casts_free(&other);
    cast_scene_close(&scene);
}

/* The ball touches an edge of the segment. Where the wall lies in the same lanes, the fast path does not serve the wall:
 * the segment's contact must not depend on that. */
Test(cast_bits, a_triangle_s_contact_does_not_depend_on_its_neighbours_in_the_lanes)
{
    const Vector v[6] = {{-9, 0, -9}, {-9, 0, 9}, {2, 0, 9}, {2, 0, -9}, {2, 4, 9}, {2, 4, -9}};
    static const int triangles[5][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}, {0, 4, 0}};
    static const uint32_t widths[] = {4, 8, 16};
    Soup soup = {0};
    for (int i = 0; i < 5; ++i)
    {
        soup_triangle(&soup, v[triangles[i][0]], v[triangles[i][1]], v[triangles[i][2]]);
    }
    CastScene scene = cast_scene_of(soup);
    sidle_cast cast = {.origin = {0, 5, 0}, .displacement = {0, -1, 10}, .shape.radii = {2, 2, 2}};
    sidle_cast_hit hits[2];
    Casts casts = {&cast, hits, 1};
    sidle_cast_batch_desc batch = batch_of(&scene, &casts);
    memset(hits, 0xAA, sizeof hits);
    batch.lanes = 1;
    demand(sidle_cast_batch(&batch), "sidle_cast_batch");
    cr_expect(hits[0].hit == SIDLE_CAST_HIT && hits[0].triangle == 4);
    batch.hits = &hits[1];
    for (int i = 0; i < 3; ++i)
    {
        batch.lanes = widths[i];
        sidle_status status = sidle_cast_batch(&batch);
        cr_expect(status == SIDLE_ERROR_UNSUPPORTED || differences(&hits[0], &hits[1], 1) == 0, "%u lanes",
                  widths[i]);
        hits[1] = hits[0];
    }
    cast_scene_close(&scene);
}

Test(cast_bits, a_batch_gives_what_single_casts_give)
{
    CastScene scene = mixed_scene(3);
    Casts casts = casts_of(&scene, 4, 5000);
    sidle_cast_batch_desc batch = batch_of(&scene, &casts);
    demand(sidle_cast_batch(&batch), "sidle_cast_batch");
    uint32_t wrong = 0, kinds[4] = {0};
    for (uint32_t i = 0; i < casts.count; ++i)
    {
        sidle_cast_hit single = ask(&scene, &casts.list[i]);
        wrong += differences(&single, &casts.hits[i], 1);
        kinds[single.hit & 3] += 1;
    }
    cr_expect_eq(wrong, 0, "%u differ", wrong);
    cr_expect(kinds[SIDLE_CAST_MISS] > 300 && kinds[SIDLE_CAST_HIT] > 300 && kinds[SIDLE_CAST_OVERLAP] > 300);
    casts_free(&casts);
    cast_scene_close(&scene);
}

/* Shapes and rays, in batches and alone. */
Test(cast_bits, any_hit_says_whether_there_is_a_closest_one)
{
    static const sidle_cast_hit answers[2] = {{.hit = SIDLE_CAST_MISS}, {.hit = SIDLE_CAST_HIT}};
    CastScene scene = mixed_scene(21);
    Casts closest = casts_of(&scene, 22, 4000), any = casts_of(&scene, 22, 4000);
    uint32_t hits = 0;
    for (uint32_t i = 0; i < any.count; ++i)
    {
        any.list[i].flags |= SIDLE_CAST_ANY;
    }
    sidle_cast_batch_desc batch = batch_of(&scene, &closest), batch_of_any = batch_of(&scene, &any);
    demand(sidle_cast_batch(&batch), "closest");
    demand(sidle_cast_batch(&batch_of_any), "any");
    for (uint32_t i = 0; i < any.count; ++i)
    {
        bool is_hit = closest.hits[i].hit != SIDLE_CAST_MISS;
        sidle_cast_hit single = ask(&scene, &any.list[i]);
        cr_expect_eq(differences(&any.hits[i], &answers[is_hit], 1), 0, "cast %u", i);
        cr_expect_eq(differences(&single, &answers[is_hit], 1), 0, "cast %u alone", i);
        hits += is_hit;
    }
    cr_expect(hits > 1000 && hits < 3500, "%u hits", hits);
    casts_free(&closest);
    casts_free(&any);
    cast_scene_close(&scene);
}

Test(cast_bits, strides_reach_into_structures_of_the_caller)
{
    typedef struct Guarded
    {
        sidle_cast cast;
        sidle_cast_hit hit;
        uint64_t guard;
    } Guarded;
    enum
    {
        COUNT = 100
    };
    CastScene scene = mixed_scene(5);
    Casts casts = casts_of(&scene, 6, COUNT);
    Guarded *guarded = calloc(COUNT, sizeof *guarded);
    for (int i = 0; i < COUNT; ++i)
    {
        guarded[i] = (Guarded){.cast = casts.list[i], .guard = 0x1234567};
    }
    sidle_cast_batch_desc batch = batch_of(&scene, &casts), strided = batch;
    strided.casts = &guarded->cast;
    strided.hits = &guarded->hit;
    strided.cast_stride = strided.hit_stride = sizeof *guarded;
    demand(sidle_cast_batch(&batch), "tight");
    demand(sidle_cast_batch(&strided), "strided");
    for (int i = 0; i < COUNT; ++i)
    {
        cr_expect_eq(differences(&guarded[i].hit, &casts.hits[i], 1), 0);
        cr_expect_eq(guarded[i].guard, 0x1234567);
    }
    free(guarded);
    casts_free(&casts);
    cast_scene_close(&scene);
}

Test(cast_bits, jobs_and_tasks_in_any_order_give_the_same_bits)
{
    CastScene scene = mixed_scene(7);
    Casts plain = casts_of(&scene, 8, 3000), jobbed = casts_of(&scene, 8, 3000);
    sidle_cast_batch_desc batch = batch_of(&scene, &plain);
    demand(sidle_cast_batch(&batch), "sidle_cast_batch");
    for (int order = SCHEDULER_REVERSE; order <= SCHEDULER_THREADS; ++order)
    {
        Scheduler scheduler;
        scheduler_set(&scheduler, (SchedulerOrder)order, 5);
        memset(jobbed.hits, 0xAA, jobbed.count * sizeof *jobbed.hits);
        sidle_cast_batch_desc other = batch_of(&scene, &jobbed);
        other.jobs = &scheduler.jobs;
        demand(sidle_cast_batch(&other), "sidle_cast_batch");
        cr_expect_eq(differences(plain.hits, jobbed.hits, plain.count), 0);
    }
    memset(jobbed.hits, 0xAA, jobbed.count * sizeof *jobbed.hits);
    sidle_cast_batch_desc other = batch_of(&scene, &jobbed);
    sidle_work work;
    demand(sidle_cast_batch_begin(&other, 3, &work), "sidle_cast_batch_begin");
    cr_assert_eq(sidle_work_phase_count(&work), 1);
    for (uint32_t task = sidle_work_task_count(&work, 0); task-- > 0;)
    {
        sidle_work_run(&work, 0, task, task % 3);
    }
    demand(sidle_cast_batch_end(&work), "sidle_cast_batch_end");
    cr_expect_eq(sidle_cast_batch_end(&work), SIDLE_ERROR_ARGUMENT);
    cr_expect_eq(differences(plain.hits, jobbed.hits, plain.count), 0);
    casts_free(&plain);
    casts_free(&jobbed);
    cast_scene_close(&scene);
}

/* ---- the tree and every triangle ---- */

/* Of all instances, in any order. */
typedef struct Leaves
{
    uint32_t slot[4096], leaf[4096];
    uint32_t count;
} Leaves;

static Leaves *all_leaves(const CastScene *scene)
{
    Leaves *leaves = calloc(1, sizeof *leaves);
    Bounds everything = {{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    cr_assert_not_null(leaves);
    for (uint32_t slot = 0; slot < scene->snapshot->placed_count; ++slot)
    {
        const sidle_mesh *mesh = snapshot_placed(scene->snapshot, slot)->mesh;
        uint32_t room = 4096 - leaves->count;
        uint32_t found =
            sidle_kernels_1.collect(mesh->nodes, 0, &everything, leaves->leaf + leaves->count, room);
        cr_assert(found <= room);
        for (uint32_t i = 0; i < found; ++i)
        {
            leaves->slot[leaves->count++] = slot;
        }
    }
    return leaves;
}

static void shuffle(Random *random, Leaves *leaves)
{
    for (uint32_t i = leaves->count; i > 1; --i)
    {
        uint32_t other = random_below(random, i), slot = leaves->slot[i - 1], leaf = leaves->leaf[i - 1];
        leaves->slot[i - 1] = leaves->slot[other];
        leaves->leaf[i - 1] = leaves->leaf[other];
        leaves->slot[other] = slot;
        leaves->leaf[other] = leaf;
    }
}

static sidle_cast_hit ask_every_triangle_of_ray(const CastScene *scene, const sidle_cast *cast,
                                                const Leaves *leaves)
{
    static RayCaster caster;
    static TraceEntry stacks[2][BVH_STACK_SIZE];
    sidle_cast_hit hit;
    ray_prepare(&caster, scene->snapshot, 1, stacks[0], stacks[1]);
    ray_begin(&caster, cast, &hit);
    for (uint32_t i = 0; i < leaves->count; ++i)
    {
        ray_enter(&caster, snapshot_placed(scene->snapshot, leaves->slot[i]));
        ray_packet(&caster, packet_at(caster.placed->mesh->packets, leaves->leaf[i]));
    }
    ray_answer(&caster);
    return hit;
}

/* No tree, no reach: leaf after leaf. */
static sidle_cast_hit ask_every_triangle(const CastScene *scene, const sidle_cast *cast, const Leaves *leaves)
{
    static CastScratch scratch;
    static Caster caster;
    static TraceEntry stacks[2][BVH_STACK_SIZE];
    static const Bounds everywhere = {{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
    if (is_ray(cast))
    {
        return ask_every_triangle_of_ray(scene, cast, leaves);
    }
    Candidates *c = &scratch.candidates;
    caster_prepare(&caster, scene->snapshot, 1, c, stacks[0], stacks[1]);
    cast_scratch_set(&scratch, &kernels_here);
    caster_begin(&caster, cast, cast_is_plain(cast));
    for (uint32_t i = 0; i < leaves->count; ++i)
    {
        caster_enter(&caster, snapshot_placed(scene->snapshot, leaves->slot[i]));
        const uint8_t *packets = caster.placed->mesh->packets;
        if (!caster.is_capsule)
        {
            caster_test_leaf(&caster, packet_at(packets, leaves->leaf[i]), true);
        }
        else
        {
            append_packets(packets, &leaves->leaf[i], 1, &caster.transform, &everywhere, &c->wide, c->list);
            caster.at_origin = true;
            caster_test(&caster);
        }
    }
    sidle_cast_hit hit;
    caster_answer(&caster, &hit);
    return hit;
}

/* Of so many casts those that are asked, by their numbers; NULL: all. */
static void expect_no_order(uint32_t count, const uint32_t *asked, uint32_t asked_count)
{
    Random random = random_seeded(9);
    uint32_t wrong = 0, next = 0;
    CastScene scene = mixed_scene(10);
    Leaves *leaves = all_leaves(&scene);
    for (uint32_t i = 0; i < count; ++i)
    {
        sidle_cast cast = any_cast(&random, &scene);
        shuffle(&random, leaves);
        if (!asked || (next < asked_count && i == asked[next]))
        {
            sidle_cast_hit hit = ask(&scene, &cast), every = ask_every_triangle(&scene, &cast, leaves);
            wrong += differences(&hit, &every, 1);
            ++next;
        }
    }
    cr_expect_eq(wrong, 0, "%u of %u differ", wrong, next);
    free(leaves);
    cast_scene_close(&scene);
}

Test(cast_bits, the_trees_lose_nothing_and_their_order_decides_nothing)
{
    expect_no_order(query_count(3000), NULL, 0);
}

/* These casts tie. Their answers once depended on which triangles shared a batch with a triangle in double. */
Test(cast_bits, ties_do_not_depend_on_the_order_of_the_triangles)
{
    static const uint32_t found[] = {19319, 27170, 30620, 44509, 52053, 53899};
    expect_no_order(53900, found, sizeof found / sizeof *found);
}
