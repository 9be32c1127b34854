#include "steer_checks.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Of a displacement: floats. */
#define ROUNDING 1e-5

static void steer(sidle_crowd *crowd, const sidle_steer_desc *desc, const sidle_move *moves, sidle_vec3 *out)
{
    sidle_steer_desc call = *desc;
    call.moves = moves;
    call.displacements = out;
    fuzz_demand(sidle_steer(crowd, &call) == SIDLE_OK, "steering is refused");
}

static bool same_bits(const sidle_vec3 *a, const sidle_vec3 *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void check(const sidle_steer_desc *desc, const sidle_move *move, const sidle_vec3 *steered)
{
    const sidle_vec3 *wish = &move->displacement;
    double length = hypot((double)wish->x, (double)wish->z), height = fabs((double)wish->y);
    double most = desc->max_speed > 0 ? (double)desc->max_speed : 1.3;
    fuzz_demand_at_most(hypot((double)steered->x, (double)steered->z), most * length * (1 + ROUNDING),
                        "faster than max_speed");
    fuzz_demand_at_most(fabs((double)steered->y - (double)wish->y), ROUNDING * (height + length),
                        "another part along up");
    fuzz_demand((length > 0 && !isinf(move->mass)) || same_bits(steered, wish), "steered for no reason");
}

/* Returns false if the agents are not steered. */
static bool draw(Input *input, sidle_steer_desc *desc)
{
    static const float reaches[4] = {0, .5f, 3, 100}, speeds[4] = {0, 1, 2, 10};
    uint32_t how = input_byte(input);
    desc->size = sizeof *desc;
    desc->reach = reaches[how % 4];
    desc->max_speed = speeds[how / 4 % 4];
    return how & 128;
}

void steer_checked(Input *input, sidle_steer_desc desc, sidle_crowd *const *crowds, uint32_t crowd_count,
                   sidle_move *moves)
{
    sidle_move reversed[STEERED_MOST];
    sidle_vec3 first[STEERED_MOST], other[STEERED_MOST];
    uint32_t count = desc.count;
    if (!draw(input, &desc))
    {
        return;
    }
    steer(crowds[0], &desc, moves, first);
    for (uint32_t crowd = 1; crowd < crowd_count; ++crowd)
    {
        steer(crowds[crowd], &desc, moves, other);
        fuzz_demand(memcmp(first, other, count * sizeof *first) == 0, "another width, another course");
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        reversed[i] = moves[count - 1 - i];
    }
    steer(crowds[0], &desc, reversed, other);
    for (uint32_t i = 0; i < count; ++i)
    {
        fuzz_demand(same_bits(&first[i], &other[count - 1 - i]), "another order, another course");
        check(&desc, &moves[i], &first[i]);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        moves[i].displacement = first[i];
    }
}
