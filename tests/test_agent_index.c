/* Queries over an index of agents answer as tests of each agent alone do, whatever the order of the agents. */
#include "query/pair.h"
#include "sidle/agents.h"
#include "support/hash.h"
#include "support/heap.h"
#include "support/queries.h"
#include "support/random.h"
#include "support/scene.h"

#include <criterion/criterion.h>

#include <math.h>
#include <string.h>

enum
{
    AGENTS = 700,
    QUERIES = 1500,
    MOST = AGENTS
};

static const sidle_profile profiles[] = {{.size = sizeof *profiles, .shape = {{.4f, .4f, .4f}, .5f}},
                                         {.size = sizeof *profiles, .shape = {{.4f, .9f, .4f}, 0}},
                                         {.size = sizeof *profiles, .shape = {{2, 2, 2}, 0}},
                                         {.size = sizeof *profiles, .shape = {{.2f, .5f, 1}, .7f}},
                                         {.size = sizeof *profiles, .shape = {{.01f, .01f, .01f}, 0}}};

#define PROFILES (sizeof profiles / sizeof *profiles)

static const sidle_shape shapes[] = {{{0, 0, 0}, 0},
                                     {{.5f, .5f, .5f}, 0},
                                     {{.3f, .8f, .4f}, 0},
                                     {{.3f, .3f, .3f}, .5f},
                                     {{.2f, .3f, .1f}, .5f}};

/* Ids repeat, agents stand in one another, some in one place, and one is far away. */
static void agents_drawn(Random *random, sidle_move *moves, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        double y = random_chance(random, .7) ? 0 : random_between(random, -20, 20);
        moves[i] =
            (sidle_move){.id = random_below(random, AGENTS / 2),
                         .body.center = {random_between(random, -60, 60), y, random_between(random, -60, 60)},
                         .profile = random_below(random, PROFILES),
                         .member_of = random_below(random, 4)};
        if (random_chance(random, .5))
        {
            moves[i].rotation = (sidle_quat){.1f, (float)random_between(random, -1, 1), .3f, 1};
        }
        if (i > 0 && random_chance(random, .1))
        {
            moves[i].body.center = moves[i - 1].body.center;
            moves[i].profile = moves[i - 1].profile;
        }
    }
    moves[count / 2].body.center = (sidle_position){3e6, 20, -5e7};
}

static sidle_agents_desc desc_of(const sidle_move *moves, uint32_t count)
{
    return (sidle_agents_desc){.size = sizeof(sidle_agents_desc),
                               .moves = moves,
                               .count = count,
                               .profiles = profiles,
                               .profile_count = PROFILES};
}

static sidle_agents *index_of(const sidle_move *moves, uint32_t count)
{
    sidle_agents *agents;
    sidle_agents_desc desc = desc_of(moves, count);
    demand(sidle_agents_create(NULL, &agents), "sidle_agents_create");
    demand(sidle_agents_build(agents, &desc), "sidle_agents_build");
    return agents;
}

/* ---- without an index ---- */

static PairShape shape_alone(const sidle_move *move)
{
    const sidle_shape *shape = &profiles[move->profile].shape;
    return (PairShape){vec3_from_position(move->body.center), mat3_from_quat(move->rotation),
                       vec3_from(shape->radii), (double)shape->half_height};
}

static PairQuery query_alone(const sidle_cast *cast)
{
    Vec3 radii = vec3_from(cast->shape.radii);
    PairQuery query = {.is_point = radii.x == 0, .path = vec3_from(cast->displacement)};
    query.is_round = radii.x == radii.y && radii.x == radii.z;
    query.frame =
        frame_make(vec3_from_position(cast->origin), cast->rotation, query.is_point ? vec3(1, 1, 1) : radii);
    if (cast->shape.half_height > 0)
    {
        frame_give_core(&query.frame, vec3(0, (double)cast->shape.half_height / radii.y, 0));
    }
    return query;
}

static bool is_seen(const sidle_move *move, uint32_t collides_with, const uint64_t *ignored)
{
    return (!collides_with || !move->member_of || (collides_with & move->member_of)) &&
           !(ignored && *ignored == move->id);
}

typedef struct Answer
{
    sidle_cast_hit hit;
    sidle_closest closest;
    sidle_overlap overlaps[MOST];
    uint32_t count;
    uint32_t in_box; /* agents that overlap a box of the same extents */
} Answer;

/* Agents come in order of (id, index), so that the first of equals stays. */
static void ask_alone(const sidle_cast *cast, float reach, const uint64_t *ignored, const sidle_move *moves,
                      const uint32_t *order, Answer *out)
{
    PairQuery query = query_alone(cast);
    PairContact best = {.t = INFINITY}, nearest = {.distance = (double)reach};
    *out = (Answer){.count = 0};
    for (uint32_t n = 0; n < AGENTS; ++n)
    {
        const sidle_move *move = &moves[order[n]];
        PairShape shape = shape_alone(move);
        PairContact contact;
        if (!is_seen(move, cast->collides_with, ignored))
        {
            continue;
        }
        out->in_box += cast->shape.half_height == 0 && sidle_pair_box_overlaps(&query.frame, &shape);
        if ((query.is_point ? sidle_pair_ray : sidle_pair_cast)(&query, &shape, &contact))
        {
            out->overlaps[out->count] = (sidle_overlap){.instance_key = move->id, .triangle = order[n]};
            out->count += contact.overlaps;
            if (contact.overlaps > best.overlaps || (contact.overlaps == best.overlaps && contact.t < best.t))
            {
                best = contact;
                out->hit.instance_key = move->id;
                out->hit.triangle = order[n];
            }
        }
        sidle_pair_closest(&query, &shape, INFINITY, &contact);
        if (contact.distance < nearest.distance ||
            (contact.distance <= nearest.distance && !out->closest.found))
        {
            nearest = contact;
            out->closest.found = 1;
            out->closest.instance_key = move->id;
            out->closest.triangle = order[n];
        }
    }
    out->hit.t = best.t;
    out->hit.hit = best.overlaps ? SIDLE_CAST_OVERLAP : best.t <= 1 ? SIDLE_CAST_HIT : SIDLE_CAST_MISS;
    out->closest.distance = nearest.distance;
}

static void compare(const sidle_agents *agents, const sidle_cast *cast, float reach, const uint64_t *ignored,
                    const Answer *expected, int number)
{
    static sidle_overlap list[MOST];
    sidle_cast_hit hit;
    uint32_t count;
    demand(sidle_agents_cast_closest(agents, cast, ignored, &hit), "sidle_agents_cast_closest");
    cr_expect(hit.hit == expected->hit.hit, "query %d: %u, not %u", number, hit.hit, expected->hit.hit);
    cr_expect(!hit.hit ||
                  (hit.t == expected->hit.t && hit.triangle == expected->hit.triangle &&
                   hit.instance_key == expected->hit.instance_key && hit.feature == SIDLE_FEATURE_AGENT),
              "query %d: agent %u at %g, not %u at %g", number, hit.triangle, hit.t, expected->hit.triangle,
              expected->hit.t);
    sidle_place place = {.center = cast->origin,
                         .rotation = cast->rotation,
                         .shape = cast->shape,
                         .collides_with = cast->collides_with};
    demand(sidle_agents_overlaps(agents, &place, ignored, list, MOST, &count), "sidle_agents_overlaps");
    cr_expect(count == expected->count, "query %d: %u overlaps, not %u", number, count, expected->count);
    for (uint32_t i = 0; i < count && i < expected->count; ++i)
    {
        cr_expect(list[i].triangle == expected->overlaps[i].triangle &&
                  list[i].instance_key == expected->overlaps[i].instance_key);
    }
    if (cast->shape.half_height == 0 && cast->shape.radii.x > 0)
    {
        sidle_place box = place;
        box.flags = SIDLE_PLACE_BOX;
        demand(sidle_agents_overlaps(agents, &box, ignored, NULL, 0, &count), "sidle_agents_overlaps");
        cr_expect(count == expected->in_box, "query %d: %u in a box, not %u", number, count,
                  expected->in_box);
    }
    sidle_closest closest;
    demand(sidle_agents_closest(agents, &place, reach, ignored, &closest), "sidle_agents_closest");
    cr_expect(closest.found == expected->closest.found);
    cr_expect(!closest.found || (closest.distance == expected->closest.distance &&
                                 closest.triangle == expected->closest.triangle),
              "query %d: agent %u at %g, not %u at %g", number, closest.triangle, closest.distance,
              expected->closest.triangle, expected->closest.distance);
    if (cast->shape.radii.x == 0) /* a box without edges is a point */
    {
        sidle_closest again;
        place.flags = SIDLE_PLACE_BOX;
        demand(sidle_agents_closest(agents, &place, reach, ignored, &again), "sidle_agents_closest");
        cr_expect(again.found == closest.found && again.distance == closest.distance);
    }
}

static void sort_by_id(const sidle_move *moves, uint32_t *order)
{
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        uint32_t at = i;
        for (; at > 0 && moves[i].id < moves[order[at - 1]].id; --at)
        {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

Test(agent_index, answers_are_those_of_tests_of_each_agent)
{
    const int queries = (int)scene_count(QUERIES);
    static sidle_move moves[AGENTS];
    static uint32_t order[AGENTS];
    static Answer expected;
    Random random = random_seeded(41);
    agents_drawn(&random, moves, AGENTS);
    sort_by_id(moves, order);
    sidle_agents *agents = index_of(moves, AGENTS);
    uint32_t hits = 0, overlaps = 0;
    for (int i = 0; i < queries; ++i)
    {
        Vector from =
                   random_in_box(&random, vector(-65, i % 3 ? -1 : -9, -65), vector(65, i % 3 ? 1 : 9, 65)),
               by = vector_scale(random_direction(&random), random_scale(&random, .1, 120));
        uint64_t ignored = random_below(&random, AGENTS / 2);
        sidle_cast cast = {.origin = {from.x, from.y, from.z},
                           .displacement = {(float)by.x, i % 3 ? 0 : (float)by.y, (float)by.z},
                           .shape = shapes[i % 5],
                           .collides_with = random_below(&random, 4)};
        float reach = (float)random_between(&random, 0, 5);
        cast.rotation = i % 2 ? (sidle_quat){0, 0, 0, 0} : (sidle_quat){.2f, .1f, .5f, .5f};
        if (i % 7 == 0) /* on the centre of an agent */
        {
            cast.origin = moves[random_below(&random, AGENTS)].body.center;
        }
        ask_alone(&cast, reach, i % 4 ? NULL : &ignored, moves, order, &expected);
        compare(agents, &cast, reach, i % 4 ? NULL : &ignored, &expected, i);
        hits += expected.hit.hit == SIDLE_CAST_HIT;
        overlaps += expected.hit.hit == SIDLE_CAST_OVERLAP;
    }
    cr_expect((int)hits > queries / 10 && (int)overlaps > queries / 20, "%u hits, %u overlaps", hits,
              overlaps);
    sidle_agents_destroy(agents);
}

Test(agent_index, answers_do_not_depend_on_the_order_of_the_moves)
{
    static sidle_move moves[AGENTS], turned[AGENTS];
    Random random = random_seeded(42);
    agents_drawn(&random, moves, AGENTS);
    for (uint32_t i = 0; i < AGENTS; ++i)
    {
        moves[i].id = i;
        turned[AGENTS - 1 - i] = moves[i];
    }
    sidle_agents *one = index_of(moves, AGENTS), *other = index_of(turned, AGENTS);
    for (int i = 0; i < QUERIES; ++i)
    {
        sidle_cast_hit a, b;
        sidle_cast cast = {.origin = moves[i % AGENTS].body.center, .shape = shapes[i % 5]};
        cast.origin.y += i % 2 ? 0 : 30;
        cast.displacement = (sidle_vec3){(float)random_between(&random, -30, 30), i % 2 ? 0 : -30, 0};
        demand(sidle_agents_cast_closest(one, &cast, NULL, &a), "one");
        demand(sidle_agents_cast_closest(other, &cast, NULL, &b), "other");
        b.triangle = b.hit ? AGENTS - 1 - b.triangle : 0;
        cr_expect_eq(memcmp(&a, &b, sizeof a), 0, "query %d", i);
    }
    sidle_agents_destroy(one);
    sidle_agents_destroy(other);
}

/* Of every processor, compiler and width. */
#define BITS 0x3fd17a6a24a8e739u

Test(agent_index, answers_have_the_same_bits_everywhere)
{
    static sidle_move moves[AGENTS];
    Random random = random_seeded(45);
    uint64_t hash = 0xcbf29ce484222325u;
    agents_drawn(&random, moves, AGENTS);
    sidle_agents *agents = index_of(moves, AGENTS);
    for (int i = 0; i < QUERIES; ++i)
    {
        sidle_cast_hit hit;
        sidle_closest closest;
        sidle_cast cast = {.origin = moves[i % AGENTS].body.center, .shape = shapes[i % 5]};
        cast.rotation = i % 2 ? (sidle_quat){0, 0, 0, 0} : (sidle_quat){.2f, .1f, .5f, .5f};
        cast.origin.y += random_between(&random, 0, 20);
        cast.displacement.x = (float)random_between(&random, -40, 40);
        cast.displacement.y = (float)random_between(&random, -20, 0);
        demand(sidle_agents_cast_closest(agents, &cast, NULL, &hit), "sidle_agents_cast_closest");
        hash = hash_memory(hash, &hit, sizeof hit);
        sidle_place place = {.center = cast.origin, .shape = shapes[i % 2]};
        demand(sidle_agents_closest(agents, &place, 9, NULL, &closest), "sidle_agents_closest");
        hash = hash_memory(hash, &closest.distance, sizeof closest.distance);
        hash = hash_memory(hash, &closest.point, sizeof closest.point);
    }
    cr_expect(hash == BITS, "%016llx", (unsigned long long)hash);
    sidle_agents_destroy(agents);
}

Test(agent_index, any_and_short_lists_and_an_empty_index)
{
    const sidle_move moves[3] = {{.id = 9, .body.center = {3, 0, 0}, .profile = 2},
                                 {.id = 5, .body.center = {4, 0, 0}, .profile = 2},
                                 {.id = 7, .body.center = {5, 0, 0}, .profile = 2}};
    sidle_agents *agents = index_of(moves, 3);
    sidle_cast cast = {.displacement = {9, 0, 0}, .flags = SIDLE_CAST_ANY};
    sidle_cast_hit hit;
    demand(sidle_agents_cast_closest(agents, &cast, NULL, &hit), "any");
    cr_expect(hit.hit == SIDLE_CAST_HIT && hit.t == 0 && hit.instance_key == 0);
    cast.flags = 0;
    demand(sidle_agents_cast_closest(agents, &cast, NULL, &hit), "closest");
    cr_expect(hit.instance_key == 9 && fabs(hit.t - 1 / 9.) < 1e-12 && hit.normal.x == -1 &&
              hit.point.x == 1);
    sidle_place place = {.center = {4, 0, 0}};
    sidle_overlap list[3] = {{0}};
    uint32_t count;
    demand(sidle_agents_overlaps(agents, &place, NULL, list, 2, &count), "overlaps");
    cr_expect(count == 3 && list[0].instance_key == 5 && list[1].instance_key == 7 &&
              list[2].instance_key == 0);
    demand(sidle_agents_overlaps(agents, &place, NULL, NULL, 1, &count), "overlaps");
    cr_expect_eq(count, 1);
    sidle_agents_desc empty = {.size = sizeof empty};
    demand(sidle_agents_build(agents, &empty), "an empty index");
    demand(sidle_agents_cast_closest(agents, &cast, NULL, &hit), "nothing");
    cr_expect_eq(hit.hit, SIDLE_CAST_MISS);
    sidle_agents_destroy(agents);
}

static sidle_status build_twice(const sidle_allocator *allocator, void *context)
{
    sidle_agents *agents = NULL;
    sidle_agents_desc desc = desc_of(context, 9);
    sidle_place place = {.center = desc.moves[0].body.center};
    uint32_t before, after;
    sidle_status status = sidle_agents_create(allocator, &agents);
    status = status == SIDLE_OK ? sidle_agents_build(agents, &desc) : status;
    if (status == SIDLE_OK)
    {
        desc.count = AGENTS;
        demand(sidle_agents_overlaps(agents, &place, NULL, NULL, 0, &before), "before");
        status = sidle_agents_build(agents, &desc);
        demand(sidle_agents_overlaps(agents, &place, NULL, NULL, 0, &after), "after");
        cr_expect(status == SIDLE_OK || before == after);
    }
    sidle_agents_destroy(agents);
    return status;
}

Test(agent_index, a_build_without_memory_changes_nothing)
{
    static sidle_move moves[AGENTS];
    Random random = random_seeded(44);
    Heap heap = {0};
    agents_drawn(&random, moves, AGENTS);
    HeapTrial trial = heap_try(&heap, build_twice, moves);
    cr_expect(trial.failures >= 3 && trial.wrong == 0 && trial.left == 0 && trial.end == SIDLE_OK);
}

Test(agent_index, a_refused_build_changes_nothing_and_no_build_of_a_size_allocates_twice)
{
    static sidle_move moves[AGENTS];
    Random random = random_seeded(43);
    Heap heap = {0};
    sidle_allocator allocator = heap_allocator(&heap);
    agents_drawn(&random, moves, AGENTS);
    sidle_agents *agents;
    sidle_error error;
    sidle_agents_desc desc = desc_of(moves, AGENTS);
    desc.error = &error;
    demand(sidle_agents_create(&allocator, &agents), "sidle_agents_create");
    demand(sidle_agents_build(agents, &desc), "sidle_agents_build");
    sidle_position known = moves[3].body.center;
    sidle_place place = {.center = known};
    uint32_t before, after;
    demand(sidle_agents_overlaps(agents, &place, NULL, NULL, 0, &before), "before");
    moves[3].body.center.y = NAN;
    cr_expect_eq(sidle_agents_build(agents, &desc), SIDLE_ERROR_NOT_FINITE);
    cr_expect(error.index == 3 && strstr(error.text, "body.center"));
    moves[3].body.center = (sidle_position){0, 2e9, 0};
    cr_expect_eq(sidle_agents_build(agents, &desc), SIDLE_ERROR_LIMIT);
    moves[3].body.center = known;
    moves[4].profile = PROFILES;
    cr_expect_eq(sidle_agents_build(agents, &desc), SIDLE_ERROR_INDEX);
    moves[4].profile = 0;
    desc.move_stride = 3;
    cr_expect_eq(sidle_agents_build(agents, &desc), SIDLE_ERROR_ARGUMENT);
    desc.move_stride = 0;
    demand(sidle_agents_overlaps(agents, &place, NULL, NULL, 0, &after), "after");
    cr_expect(before > 0 && before == after);
    place.center.x = NAN;
    cr_expect_eq(sidle_agents_overlaps(agents, &place, NULL, NULL, 0, &after), SIDLE_ERROR_NOT_FINITE);
    size_t calls = heap.allocations;
    desc.count = AGENTS / 2;
    demand(sidle_agents_build(agents, &desc), "a smaller one");
    desc.count = AGENTS;
    demand(sidle_agents_build(agents, &desc), "the same size");
    cr_expect(heap.allocations == calls);
    sidle_agents_destroy(agents);
    cr_expect(heap.blocks == 0 && heap.wrong == 0);
}
