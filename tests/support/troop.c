#include "support/troop.h"

#include "support/hash.h"

#include <stdlib.h>
#include <string.h>

#define CELLS 24
#define HALF  24.0 /* of the level's side */

static void add_box(Soup *soup, Vector middle, Vector half, double turn)
{
    const int faces[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                             {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    Rotation rotation = rotation_about_y(turn);
    Vector corners[8];
    for (int corner = 0; corner < 8; ++corner)
    {
        Vector signs = vector(corner & 4 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 1 ? 1.0 : -1.0);
        corners[corner] = vector_add(middle, vector_rotated(&rotation, vector_times(half, signs)));
    }
    for (int face = 0; face < 6; ++face)
    {
        const int *corner = faces[face];
        soup_quad(soup, corners[corner[0]], corners[corner[1]], corners[corner[2]], corners[corner[3]]);
    }
}

Scene troop_level(void)
{
    Soup soup = {0};
    Random random = random_seeded(77);
    soup_terrain(&soup, CELLS, 2.0 * HALF / CELLS, 0.6, 78);
    for (int box = 0; box < 60; ++box)
    {
        Vector middle = random_in_box(&random, vector(-HALF, -0.5, -HALF), vector(HALF, 3.0, HALF));
        Vector half = random_in_box(&random, vector(0.2, 0.1, 0.2), vector(2.0, 1.0, 2.0));
        add_box(&soup, middle, half, random_between(&random, 0.0, 3.0));
    }
    return scene_of(soup, walking_ball());
}

sidle_crowd *troop_crowd(uint32_t lanes, const sidle_allocator *allocator)
{
    const sidle_vec3 shapes[4] = {
        {0.4f, 0.9f, 0.4f}, {0.5f, 0.5f, 0.5f}, {0.3f, 0.25f, 0.6f}, {0.6f, 0.6f, 0.6f}};
    sidle_profile profiles[12];
    for (uint32_t index = 0; index < 12; ++index)
    {
        profiles[index] = (sidle_profile){.size = sizeof profiles[index],
                                          .shape = {shapes[index / 3], index / 3 == 3 ? 0.4f : 0.0f},
                                          .mode = index % 3,
                                          .flags = index == 8 ? SIDLE_PROFILE_ONE_SIDED : 0};
    }
    sidle_crowd_desc desc = {.size = sizeof desc,
                             .profiles = profiles,
                             .profile_count = 12,
                             .lanes = lanes,
                             .max_candidates = 512};
    sidle_crowd *crowd = NULL;
    demand(sidle_crowd_create(&desc, allocator, &crowd), "sidle_crowd_create");
    return crowd;
}

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
    {
        abort();
    }
    return memory;
}

Troop troop_of(uint32_t count)
{
    Troop troop = {.count = count, .contact_capacity = count * SIDLE_MAX_AGENT_CONTACTS};
    troop.moves = zeroed(count, sizeof *troop.moves);
    troop.results = zeroed(count, sizeof *troop.results);
    troop.contacts = zeroed(troop.contact_capacity, sizeof *troop.contacts);
    for (uint32_t index = 0; index < count; ++index)
    {
        Random random = random_seeded(1000 + index);
        Vector place =
            random_in_box(&random, vector(2.0 - HALF, 0.5, 2.0 - HALF), vector(HALF - 2.0, 3.0, HALF - 2.0));
        float turn = (float)random_unit(&random);
        troop.moves[index] = (sidle_move){.id = index,
                                          .body = {.center = {place.x, place.y, place.z}},
                                          .rotation = {0, turn, 0, 1},
                                          .profile = random_below(&random, 12)};
    }
    return troop;
}

void troop_free(Troop *troop)
{
    free(troop->moves);
    free(troop->results);
    free(troop->contacts);
    *troop = (Troop){0};
}

void troop_shuffle(Troop *troop, uint64_t seed)
{
    Random random = random_seeded(seed);
    for (uint32_t index = troop->count; index > 1; --index)
    {
        uint32_t other = random_below(&random, index);
        sidle_move last = troop->moves[index - 1];
        troop->moves[index - 1] = troop->moves[other];
        troop->moves[other] = last;
    }
}

/* A heading that is kept for a while, now and then none, now and then a leap. */
static sidle_vec3 wish_of(uint64_t id, uint32_t tick)
{
    Random random = random_seeded(id * 1000003u + tick / 16);
    double turn = random_between(&random, 0.0, 6.3), reach = random_between(&random, 0.0, 0.15);
    if (random_chance(&random, 0.1))
    {
        reach = random_chance(&random, 0.5) ? 0.0 : 3.0;
    }
    return (sidle_vec3){(float)(reach * cos(turn)), (float)(0.3 * reach * sin(3.0 * turn)),
                        (float)(reach * sin(turn))};
}

sidle_tick_desc troop_tick(Troop *troop, const Scene *level, uint32_t tick)
{
    for (uint32_t index = 0; index < troop->count; ++index)
    {
        troop->moves[index].displacement = wish_of(troop->moves[index].id, tick);
    }
    return (sidle_tick_desc){.size = sizeof(sidle_tick_desc),
                             .snapshot = level->snapshot,
                             .dt = 1.0f / 60.0f,
                             .moves = troop->moves,
                             .count = troop->count,
                             .results = troop->results,
                             .contacts = troop->contacts,
                             .contact_capacity = troop->contact_capacity,
                             .contact_count = &troop->contact_count};
}

static void mix(uint64_t *hash, const void *memory, size_t size)
{
    *hash = hash_memory(*hash, memory, size);
}

static void mix_body(uint64_t *hash, const sidle_body *body)
{
    mix(hash, &body->center, sizeof body->center);
    mix(hash, &body->velocity, sizeof body->velocity);
    mix(hash, &body->ground_normal, sizeof body->ground_normal);
    mix(hash, &body->ground, sizeof body->ground);
    mix(hash, &body->ground_triangle, sizeof body->ground_triangle);
    mix(hash, &body->ground_surface, sizeof body->ground_surface);
    mix(hash, &body->flags, sizeof body->flags);
}

static void mix_contact(uint64_t *hash, const sidle_contact *contact)
{
    mix(hash, &contact->agent, sizeof contact->agent);
    mix(hash, &contact->instance_key, sizeof contact->instance_key);
    mix(hash, &contact->point, sizeof contact->point);
    mix(hash, &contact->normal, sizeof contact->normal);
    mix(hash, &contact->triangle, sizeof contact->triangle);
    mix(hash, &contact->feature, sizeof contact->feature);
}

void troop_take(Troop *troop)
{
    uint64_t sum = 0;
    for (uint32_t index = 0; index < troop->count; ++index)
    {
        const sidle_result *result = &troop->results[index];
        uint64_t hash = 0xCBF29CE484222325u ^ troop->moves[index].id;
        mix_body(&hash, &result->body);
        mix(&hash, &result->reasons, sizeof result->reasons);
        mix(&hash, &result->impact_speed, sizeof result->impact_speed);
        mix(&hash, &result->contact_first, sizeof result->contact_first);
        for (uint32_t contact = 0; contact < result->contact_count; ++contact)
        {
            mix_contact(&hash, &troop->contacts[result->contact_first + contact]);
        }
        sum += hash; /* a sum does not know the order */
        troop->moves[index].body = result->body;
    }
    mix(&troop->history, &sum, sizeof sum);
    mix(&troop->history, &troop->contact_count, sizeof troop->contact_count);
}

void troop_run_plainly(sidle_crowd *crowd, sidle_tick_desc *tick, void *context)
{
    tick->jobs = context;
    demand(sidle_crowd_tick(crowd, tick), "sidle_crowd_tick");
}

uint64_t troop_history(const Scene *level, uint32_t lanes, uint32_t agents, uint32_t ticks, TroopRun *run,
                       void *context)
{
    sidle_crowd *crowd = troop_crowd(lanes, NULL);
    Troop troop = troop_of(agents);
    for (uint32_t tick = 0; tick < ticks; ++tick)
    {
        sidle_tick_desc desc = troop_tick(&troop, level, tick);
        run(crowd, &desc, context);
        troop_take(&troop);
    }
    uint64_t history = troop.history;
    troop_free(&troop);
    sidle_crowd_destroy(crowd);
    return history;
}
