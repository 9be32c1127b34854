/* Queries over agents: an index of all answers as the best of indices of one agent each, and a contact is where it is said to be. */
#include "fuzz.h"

#include "input.h"

#include <math.h>
#include <string.h>

#define MOST 40 /* agents */

typedef struct Crowded
{
    sidle_profile profiles[4];
    sidle_move moves[MOST];
    sidle_agents *all, *alone[MOST];
    uint32_t count;
} Crowded;

static sidle_shape read_shape(Input *input, bool may_be_bad)
{
    float size = (float)fabs(input_within(input, 8)) + 1e-3f;
    sidle_shape shape = {{size, size, size}, 0};
    switch (input_below(input, 5))
    {
    case 0:
        shape.half_height = 2 * size;
        break;
    case 1:
        shape.radii.y *= 1 + (float)fabs(input_within(input, 90));
        shape.radii.z *= 1 + (float)fabs(input_within(input, 90));
        break;
    case 2:
        shape.radii.z *= 1 + (float)fabs(input_within(input, 8));
        shape.half_height = size;
        break;
    case 3:
        shape.radii =
            may_be_bad ? (sidle_vec3){input_any(input), input_any(input), input_any(input)} : shape.radii;
        break;
    default:
        break;
    }
    return shape;
}

static sidle_quat read_rotation(Input *input)
{
    return (sidle_quat){(float)input_within(input, 1), (float)input_within(input, 1),
                        (float)input_within(input, 1), (float)input_within(input, 1)};
}

static sidle_position read_place(Input *input)
{
    Vector at = input_corner(input);
    return (sidle_position){at.x, at.y, at.z};
}

static sidle_status build(sidle_agents *agents, const Crowded *crowded, uint32_t first, uint32_t count)
{
    sidle_agents_desc desc = {.size = sizeof desc,
                              .moves = crowded->moves + first,
                              .count = count,
                              .profiles = crowded->profiles,
                              .profile_count = 4};
    return sidle_agents_build(agents, &desc);
}

/* Kept from input to input: builds replace what an index holds. */
static bool read_crowded(Input *input, Crowded *crowded)
{
    for (int i = 0; i < 4; ++i)
    {
        crowded->profiles[i] =
            (sidle_profile){.size = sizeof(sidle_profile), .shape = read_shape(input, false)};
    }
    crowded->count = 1 + input_below(input, MOST);
    for (uint32_t i = 0; i < crowded->count; ++i)
    {
        crowded->moves[i] = (sidle_move){.id = input_below(input, MOST),
                                         .body.center = read_place(input),
                                         .rotation = read_rotation(input),
                                         .profile = input_below(input, 4)};
    }
    if (!crowded->all)
    {
        fuzz_demand(sidle_agents_create(NULL, &crowded->all) == SIDLE_OK, "no index");
        for (uint32_t i = 0; i < MOST; ++i)
        {
            fuzz_demand(sidle_agents_create(NULL, &crowded->alone[i]) == SIDLE_OK, "no index");
        }
    }
    bool good = build(crowded->all, crowded, 0, crowded->count) == SIDLE_OK;
    for (uint32_t i = 0; i < crowded->count; ++i)
    {
        sidle_status status = build(crowded->alone[i], crowded, i, 1);
        fuzz_demand(!good || status == SIDLE_OK, "one agent is refused");
    }
    return good;
}

static bool comes_before(const Crowded *crowded, const sidle_cast_hit *a, const sidle_cast_hit *b,
                         uint32_t index)
{
    bool overlaps = a->hit == SIDLE_CAST_OVERLAP, best = b->hit == SIDLE_CAST_OVERLAP;
    if (!a->hit || !b->hit || overlaps != best)
    {
        return a->hit && (!b->hit || overlaps);
    }
    uint64_t id = crowded->moves[index].id;
    return a->t != b->t ? a->t < b->t : id < b->instance_key;
}

static void check_cast(const Crowded *crowded, const sidle_cast *cast)
{
    sidle_cast_hit hit, best = {.hit = SIDLE_CAST_MISS};
    if (sidle_agents_cast_closest(crowded->all, cast, NULL, &hit) != SIDLE_OK)
    {
        return;
    }
    for (uint32_t i = 0; i < crowded->count; ++i)
    {
        sidle_cast_hit alone;
        fuzz_demand(sidle_agents_cast_closest(crowded->alone[i], cast, NULL, &alone) == SIDLE_OK,
                    "one is refused");
        if (comes_before(crowded, &alone, &best, i))
        {
            best = alone;
            best.triangle = i;
        }
    }
    fuzz_demand(memcmp(&hit, &best, sizeof hit) == 0, "another agent is hit");
    fuzz_demand(!hit.hit || (hit.t >= 0 && hit.t <= 1 && isfinite(hit.point.x) && isfinite(hit.normal.x)),
                "a hit outside of the path");
}

static void check_place(const Crowded *crowded, const sidle_place *place, float reach)
{
    uint32_t count, sum = 0, listed = 0;
    sidle_overlap list[MOST];
    sidle_closest closest;
    double least = INFINITY;
    if (sidle_agents_overlaps(crowded->all, place, NULL, list, MOST, &count) != SIDLE_OK)
    {
        return;
    }
    bool has_closest = sidle_agents_closest(crowded->all, place, reach, NULL, &closest) == SIDLE_OK;
    for (uint32_t i = 0; i < crowded->count; ++i)
    {
        sidle_closest alone;
        uint32_t overlaps;
        fuzz_demand(sidle_agents_overlaps(crowded->alone[i], place, NULL, NULL, 0, &overlaps) == SIDLE_OK,
                    "one is refused");
        sum += overlaps;
        listed += overlaps && listed < count && list[listed].triangle < MOST;
        if (has_closest && sidle_agents_closest(crowded->alone[i], place, reach, NULL, &alone) == SIDLE_OK &&
            alone.found)
        {
            least = alone.distance < least ? alone.distance : least;
        }
    }
    fuzz_demand(sum == count && listed == count, "lists of different length");
    fuzz_demand(!has_closest || (closest.found ? closest.distance == least : least == (double)INFINITY),
                "another distance is closest");
    fuzz_demand(!has_closest || count == 0 || closest.distance <= 0, "an overlap is not closest");
}

static const sidle_snapshot *nowhere(void)
{
    static sidle_snapshot *snapshot;
    sidle_world *world;
    if (!snapshot)
    {
        fuzz_demand(sidle_world_create(NULL, NULL, &world) == SIDLE_OK &&
                        sidle_world_commit(world, NULL) == SIDLE_OK &&
                        sidle_world_snapshot(world, &snapshot) == SIDLE_OK,
                    "no world");
        sidle_world_destroy(world);
    }
    return snapshot;
}

/* In an empty world. */
static void check_free(const Crowded *crowded, const sidle_place *place, float radius)
{
    sidle_free_desc desc = {.size = sizeof desc, .place = *place, .radius = radius, .agents = crowded->all};
    sidle_place at = *place;
    uint32_t found, count;
    if (sidle_place_find_free(nowhere(), 0, &desc, &at.center, &found) == SIDLE_OK && found)
    {
        fuzz_demand(sidle_agents_overlaps(crowded->all, &at, NULL, NULL, 1, &count) == SIDLE_OK && count == 0,
                    "a place that is found is not free");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Crowded crowded;
    Input input = input_of(data, size);
    if (!read_crowded(&input, &crowded))
    {
        return 0;
    }
    for (int i = 0; i < 8 && !input_ended(&input); ++i)
    {
        Vector by = input_vector(&input, 100);
        sidle_cast cast = {.origin = read_place(&input),
                           .rotation = read_rotation(&input),
                           .displacement = {(float)by.x, (float)by.y, (float)by.z},
                           .shape = read_shape(&input, true)};
        if (input_below(&input, 3) == 0)
        {
            cast.shape = (sidle_shape){{0, 0, 0}, 0};
        }
        sidle_place place = {.center = cast.origin, .rotation = cast.rotation, .shape = cast.shape};
        check_cast(&crowded, &cast);
        float reach = (float)fabs(input_within(&input, 20));
        check_place(&crowded, &place, reach);
        check_free(&crowded, &place, reach);
        if (cast.shape.half_height == 0)
        {
            place.flags = SIDLE_PLACE_BOX;
            check_place(&crowded, &place, reach);
        }
    }
    return 0;
}
