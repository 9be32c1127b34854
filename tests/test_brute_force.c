/* What the trees find is what looking at every triangle finds. */
#include "base/memory.h"
#include "narrow/candidates.h"
#include "support/oracle.h"
#include "support/troop.h"
#include "support/variants.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#define CAPACITY 4096

typedef struct Gathered
{
    Candidates candidates;
    Frame frame;
    sidle_allocator heap;
    void *memory;
    size_t bytes;
} Gathered;

static Vec3 vec3_of(Vector v)
{
    return vec3(v.x, v.y, v.z);
}

static Reach reach_of(double swell, Vector center, double radius, Vector segment)
{
    double path = 2.0 * radius + vector_length(segment);
    return (Reach){swell, vec3_of(center), radius, vec3_of(segment), path, 0.0025};
}

static Gathered gather(const Scene *scene, uint32_t lanes, Frame frame, const Reach *reach)
{
    Gathered gathered = {.frame = frame};
    const Kernels *kernels = kernels_select(lanes);
    size_t bytes = candidates_bytes(kernels, CAPACITY);
    memory_choose(NULL, &gathered.heap);
    gathered.bytes = bytes;
    gathered.memory = memory_allocate(&gathered.heap, bytes, 1);
    cr_assert_not_null(gathered.memory);
    candidates_place(&gathered.candidates, kernels, CAPACITY, gathered.memory);
    Filter filter = {.collides_with = UINT32_MAX, .time = 1.0};
    cr_assert(
        candidates_gather(&gathered.candidates, scene->snapshot, &gathered.frame, reach, &filter, NULL));
    return gathered;
}

static bool holds(const Gathered *gathered, uint32_t triangle)
{
    for (uint32_t index = 0; index < gathered->candidates.wide.count; ++index)
    {
        if (gathered->candidates.list[index].triangle == triangle)
        {
            return true;
        }
    }
    return false;
}

/* The triangle in ellipsoid space relative to a world place. */
static void corners_around(const Frame *frame, const SoupTriangle *triangle, Vector place, Vector out[3])
{
    for (int corner = 0; corner < 3; ++corner)
    {
        Vec3 e = mat3_mul(frame->to_e, vec3_of(vector_sub(triangle->v[corner], place)));
        out[corner] = vector(e.x, e.y, e.z);
    }
}

/* Some place that the reach holds. */
static Vector place_in_reach(Random *random, const Reach *reach)
{
    double away = reach->radius * random_unit(random), along = random_unit(random);
    Vector ball = vector_scale(random_direction(random), away);
    Vector center = vector(reach->center.x, reach->center.y, reach->center.z);
    Vector segment = vector(reach->segment.x, reach->segment.y, reach->segment.z);
    return vector_along(vector_add(center, ball), along, segment);
}

/* Counts triangles that a place in the reach touches and the gather does not have. */
static uint32_t count_missing(Random *random, const Scene *scene, const Gathered *gathered,
                              const Reach *reach, uint32_t *touched)
{
    Vec3 c = gathered->frame.center;
    uint32_t missing = 0;
    for (int sample = 0; sample < 8; ++sample)
    {
        Vector place = vector_add(vector(c.x, c.y, c.z), place_in_reach(random, reach));
        for (uint32_t index = 0; index < scene->soup.count; ++index)
        {
            Vector corners[3];
            corners_around(&gathered->frame, &scene->soup.triangles[index], place, corners);
            if (oracle_closest(corners, vector(0, 0, 0)).distance < reach->swell - 1e-4)
            {
                *touched += 1;
                missing += !holds(gathered, index);
            }
        }
    }
    return missing;
}

static Vector random_vector(Random *random, double shortest, double longest)
{
    double length = random_scale(random, shortest, longest);
    return vector_scale(random_direction(random), length);
}

static Soup random_soup(Random *random, int count, double half)
{
    Soup soup = {0};
    for (int index = 0; index < count; ++index)
    {
        Vector v[3], place = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
        double size = random_scale(random, 0.01, half);
        for (int corner = 0; corner < 3; ++corner)
        {
            v[corner] = vector_add(place, random_vector(random, 0.1 * size, size));
        }
        soup_triangle(&soup, v[0], v[1], v[2]);
    }
    soup_round(&soup);
    return soup;
}

static Frame random_frame(Random *random, double half)
{
    Vector center = random_in_box(random, vector(-half, -half, -half), vector(half, half, half));
    Vector turn = random_direction(random),
           radii = random_in_box(random, vector(-1, -1, -1), vector(1, 1, 1));
    sidle_quat rotation = {(float)turn.x, (float)turn.y, (float)turn.z, 0.7f};
    return frame_make(vec3_of(center), rotation, vec3(exp(radii.x), exp(radii.y), exp(radii.z)));
}

static Reach random_reach(Random *random)
{
    Vector ball = random_vector(random, 0.01, 5.0), segment = random_vector(random, 1e-3, 3.0);
    double swell = random_between(random, 1.0, 1.2);
    return reach_of(swell, vector_scale(ball, 0.5), 0.5 * vector_length(ball), segment);
}

Test(brute_force, every_triangle_that_the_reach_touches_is_gathered)
{
    Random random = random_seeded(301);
    uint32_t missing = 0, touched = 0;
    for (int round = 0; round < 40; ++round)
    {
        double half = random_scale(&random, 3.0, 30.0);
        Scene scene = scene_of(random_soup(&random, 400, half), flying_ball());
        for (int query = 0; query < 20; ++query)
        {
            Frame frame = random_frame(&random, half);
            Reach reach = random_reach(&random);
            Gathered gathered = gather(&scene, query % 2 ? 1 : 4, frame, &reach);
            missing += count_missing(&random, &scene, &gathered, &reach, &touched);
            memory_free(&gathered.heap, gathered.memory, gathered.bytes, 1);
        }
        scene_close(&scene);
    }
    cr_expect(touched > 10000, "only %u touched", touched);
    cr_expect_eq(missing, 0, "%u of %u missing", missing, touched);
}

/* One triangle near a place, in a mesh that spans 200 km. */
static Soup soup_around(Random *random, Vector place)
{
    Soup soup = {0};
    Vector far = vector(1e5, 1e5, 1e5), v[3];
    for (int corner = 0; corner < 3; ++corner)
    {
        v[corner] = vector_add(place, random_direction(random));
    }
    soup_triangle(&soup, vector_scale(far, -1.0), far, far);
    soup_triangle(&soup, v[0], v[1], v[2]);
    soup_round(&soup);
    return soup;
}

/* By how much of its distance a gathered corner is off. */
static double worst_corner(const Scene *scene, const Gathered *gathered, Vector center)
{
    double worst = 0.0;
    for (uint32_t index = 0; index < gathered->candidates.wide.count; ++index)
    {
        uint32_t triangle = gathered->candidates.list[index].triangle;
        Vec3 told[3];
        Vector expected[3];
        candidates_corners(&gathered->candidates, index, told);
        corners_around(&gathered->frame, &scene->soup.triangles[triangle], center, expected);
        for (int corner = 0; corner < 3; ++corner)
        {
            Vector place = vector(told[corner].x, told[corner].y, told[corner].z);
            worst = fmax(worst, vector_distance(place, expected[corner]) / vector_length(expected[corner]));
        }
    }
    return worst;
}

/* Corners move into ellipsoid space as if in double, rounded once: also where the agent is so far from the
 * mesh's origin that its own place is no float. */
Test(brute_force, gathered_corners_are_right_far_from_the_mesh_s_origin)
{
    Random random = random_seeded(302);
    double worst = 0.0;
    for (int query = 0; query < 200; ++query)
    {
        Vector center = random_in_box(&random, vector(-1e5, -1e5, -1e5), vector(1e5, 1e5, 1e5));
        Scene scene = scene_of(soup_around(&random, center), flying_ball());
        Reach reach = reach_of(2.0, vector(0, 0, 0), 0.0, vector(0, 0, 0));
        Frame frame = frame_make(vec3_of(center), (sidle_quat){0, 0, 0, 1}, vec3(1, 1, 1));
        Gathered gathered = gather(&scene, query % 2 ? 1 : 4, frame, &reach);
        worst = fmax(worst, worst_corner(&scene, &gathered, center));
        memory_free(&gathered.heap, gathered.memory, gathered.bytes, 1);
        scene_close(&scene);
    }
    cr_expect(worst < 8.0 * 0x1p-24, "off by %g u of a corner's distance", worst * 0x1p24);
}

/* ---- the same triangles otherwise made and kept ---- */

typedef struct Rerun
{
    VariantForm form;
    bool renews;        /* a new epoch for every tick: nothing found in an earlier one is of use */
    bool starts_afresh; /* a new crowd for every tick */
} Rerun;

static bool same_contacts(const Troop *one, const Troop *other, uint32_t agent)
{
    const sidle_result *a = &one->results[agent], *b = &other->results[agent];
    bool same = a->contact_count == b->contact_count;
    for (uint32_t index = 0; same && index < a->contact_count; ++index)
    {
        const sidle_contact *p = &one->contacts[a->contact_first + index];
        const sidle_contact *q = &other->contacts[b->contact_first + index];
        same = p->agent == q->agent && memcmp(&p->point, &q->point, sizeof p->point) == 0 &&
               memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 && p->surface == q->surface &&
               p->feature == q->feature;
    }
    return same;
}

static bool same_body(const sidle_body *a, const sidle_body *b)
{
    return memcmp(&a->center, &b->center, sizeof a->center) == 0 &&
           memcmp(&a->velocity, &b->velocity, sizeof a->velocity) == 0 &&
           memcmp(&a->ground_normal, &b->ground_normal, sizeof a->ground_normal) == 0 &&
           a->ground_surface == b->ground_surface && a->flags == b->flags;
}

/* Who is stuck begins inside several triangles and meets them at the same time, 0. Where ties may go to
 * another triangle, such an agent goes on in both worlds as it did in the first. */
static uint32_t differences(const Troop *one, Troop *other, bool ties_may_differ)
{
    uint32_t count = 0;
    for (uint32_t agent = 0; agent < one->count; ++agent)
    {
        const sidle_result *a = &one->results[agent];
        sidle_result *b = &other->results[agent];
        bool same =
            same_body(&a->body, &b->body) && a->reasons == b->reasons && same_contacts(one, other, agent);
        if (!same && ties_may_differ && (a->reasons & SIDLE_REASON_STUCK))
        {
            b->body = a->body;
            continue;
        }
        count += !same;
    }
    return count;
}

static void run_tick(sidle_crowd *crowd, Troop *troop, const Variant *variant, uint32_t number)
{
    Scene level = {.snapshot = variant->snapshot};
    sidle_tick_desc tick = troop_tick(troop, &level, number);
    for (uint32_t agent = 0; agent < troop->count; ++agent)
    {
        sidle_body *body = &troop->moves[agent].body;
        body->center = variant_on_grid(body->center);
    }
    demand(sidle_crowd_tick(crowd, &tick), "sidle_crowd_tick");
}

/* Agents of every mode and shape, side by side in the soup as one mesh and in another make of it. */
static void expect_same_moves(const Soup *soup, Rerun rerun)
{
    Variant plain = variant_of(soup, VARIANT_ONE_MESH), variant = variant_of(soup, rerun.form);
    sidle_crowd *crowd = troop_crowd(0, NULL), *other = troop_crowd(0, NULL);
    Troop one = troop_of(300), two = troop_of(300);
    uint32_t wrong = 0, contacts = 0;
    for (uint32_t tick = 0; tick < 60; ++tick)
    {
        run_tick(crowd, &one, &plain, tick);
        run_tick(other, &two, &variant, tick);
        wrong += differences(&one, &two, rerun.form == VARIANT_MESH_SHUFFLED);
        contacts += one.contact_count;
        troop_take(&one);
        troop_take(&two);
        if (rerun.renews)
        {
            variant_renew(&variant);
        }
        if (rerun.starts_afresh)
        {
            sidle_crowd_destroy(other);
            other = troop_crowd(0, NULL);
        }
    }
    cr_expect_eq(wrong, 0, "form %d: %u differences", (int)rerun.form, wrong);
    cr_expect(contacts > 3000, "hardly anything was met: %u", contacts);
    troop_free(&one);
    troop_free(&two);
    sidle_crowd_destroy(crowd);
    sidle_crowd_destroy(other);
    variant_close(&plain);
    variant_close(&variant);
}

/* Any triangles; a grid, where neighbours are met at the same time; ground and boxes. */
static Soup soup_of_kind(int kind)
{
    Soup soup = {0};
    Random random = random_seeded(303);
    if (kind == 0)
    {
        soup = random_soup(&random, 1500, 24.0);
        soup_stretch(&soup, vector(1.0, 0.15, 1.0));
    }
    else if (kind == 1)
    {
        soup_grid(&soup, 25, 2.0, 0.0);
    }
    else
    {
        Scene level = troop_level();
        soup = soup_copy(&level.soup);
        scene_close(&level);
    }
    variant_soup_on_grid(&soup);
    return soup;
}

static void expect_same_moves_everywhere(Rerun rerun)
{
    for (int kind = 0; kind < 3; ++kind)
    {
        Soup soup = soup_of_kind(kind);
        expect_same_moves(&soup, rerun);
        soup_free(&soup);
    }
}

Test(brute_force, a_mesh_cut_into_instances_of_two_triangles_moves_agents_the_same)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_QUADS});
}

Test(brute_force, a_mesh_cut_into_instances_of_one_triangle_moves_agents_the_same)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_TRIANGLES});
}

Test(brute_force, keys_decide_ties_whatever_the_order_of_the_instances)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_INSTANCES_SHUFFLED});
}

/* Without shared edges there are hardly any ties, and else a triangle's place in the mesh decides nothing. */
Test(brute_force, the_order_of_the_triangles_of_a_mesh_changes_no_bit)
{
    Soup soup = soup_of_kind(0);
    expect_same_moves(&soup, (Rerun){.form = VARIANT_MESH_SHUFFLED});
    soup_free(&soup);
}

Test(brute_force, triangles_far_away_change_no_bit)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_MORE_IN_MESH});
    expect_same_moves_everywhere((Rerun){.form = VARIANT_MORE_INSTANCES});
}

Test(brute_force, a_new_epoch_for_every_tick_changes_no_bit)
{
    expect_same_moves_everywhere((Rerun){.form = VARIANT_ONE_MESH, .renews = true});
}

Test(brute_force, a_new_crowd_and_a_new_epoch_for_every_tick_change_no_bit)
{
    expect_same_moves_everywhere(
        (Rerun){.form = VARIANT_MORE_INSTANCES, .renews = true, .starts_afresh = true});
}

/* What a crowd found in one level is of no use in another: the same agents, in both by turns. */
Test(brute_force, a_crowd_that_serves_two_levels_by_turns_mixes_nothing_up)
{
    Soup soups[2] = {soup_of_kind(0), soup_of_kind(2)};
    Variant levels[2] = {variant_of(&soups[0], VARIANT_ONE_MESH), variant_of(&soups[1], VARIANT_ONE_MESH)};
    sidle_crowd *shared = troop_crowd(0, NULL), *own[2] = {troop_crowd(0, NULL), troop_crowd(0, NULL)};
    Troop troops[4] = {troop_of(300), troop_of(300), troop_of(300), troop_of(300)};
    uint32_t wrong = 0;
    for (uint32_t tick = 0; tick < 60; ++tick)
    {
        for (int level = 0; level < 2; ++level)
        {
            run_tick(shared, &troops[level], &levels[level], tick);
            run_tick(own[level], &troops[2 + level], &levels[level], tick);
            wrong += differences(&troops[level], &troops[2 + level], false);
            troop_take(&troops[level]);
            troop_take(&troops[2 + level]);
        }
    }
    cr_expect_eq(wrong, 0, "%u differences", wrong);
    sidle_crowd_destroy(shared);
    for (int index = 0; index < 4; ++index)
    {
        troop_free(&troops[index]);
        if (index < 2)
        {
            sidle_crowd_destroy(own[index]);
            variant_close(&levels[index]);
            soup_free(&soups[index]);
        }
    }
}
