/* Walks the tree of an index of agents. */
#include "query/agents.h"

#include "simd/float4.h"

/* Three roundings of a time, and of a squared distance seven: 2^-20 and more. */
#define GROWTH (1 + 0x1p-20f)
#define SHRINK (1 - 0x1p-20f)

/* A child that waits, with its bound. */
typedef struct Waiting
{
    float value;
    uint32_t level, item; /* level 0: an agent */
} Waiting;

#define HALF 4 /* lanes */

/* The path of a box as that of a point among larger boxes. A path that rests along an axis has an infinite or no time there. */
uint32_t sidle_agents_bound_path(const AgentWalk *walk, const AgentNode *node, float values[AGENTS_WIDTH])
{
    uint32_t bits = 0;
    for (uint32_t first = 0; first < AGENTS_WIDTH; first += HALF)
    {
        Float4 enter = float4_all(0), leave = float4_all(walk->limit);
        for (int axis = 0; axis < 3; ++axis)
        {
            bool falls = walk->inverse[axis] < 0;
            const float *near = (falls ? node->high : node->low)[axis] + first,
                        *far = (falls ? node->low : node->high)[axis] + first;
            float near_side = (falls ? walk->low : walk->high)[axis],
                  far_side = (falls ? walk->high : walk->low)[axis];
            Float4 inverse = float4_all(walk->inverse[axis]);
            enter =
                float4_max(enter, float4_mul(float4_sub(float4_load(near), float4_all(near_side)), inverse));
            leave =
                float4_min(leave, float4_mul(float4_sub(float4_load(far), float4_all(far_side)), inverse));
        }
        float4_store(values + first, float4_mul(enter, float4_all(SHRINK)));
        bits |= (uint32_t)float4_less_equal(enter, float4_mul(leave, float4_all(GROWTH))) << first;
    }
    return bits;
}

uint32_t sidle_agents_bound_distance(const AgentWalk *walk, const AgentNode *node, float values[AGENTS_WIDTH])
{
    uint32_t bits = 0;
    for (uint32_t first = 0; first < AGENTS_WIDTH; first += HALF)
    {
        Float4 sum = float4_all(0);
        for (int axis = 0; axis < 3; ++axis)
        {
            Float4 above = float4_sub(float4_load(node->low[axis] + first), float4_all(walk->high[axis])),
                   below = float4_sub(float4_all(walk->low[axis]), float4_load(node->high[axis] + first));
            Float4 gap = float4_max(float4_max(above, below), float4_all(0));
            sum = float4_add(sum, float4_mul(gap, gap));
        }
        sum = float4_mul(sum, float4_all(SHRINK));
        float4_store(values + first, sum);
        bits |= (uint32_t)float4_less_equal(sum, float4_all(walk->limit)) << first;
    }
    return bits;
}

static bool is_wanted(const AgentWalk *walk, const IndexedAgent *agent)
{
    return (agent->member_of & walk->collides_with) && !(walk->ignored && agent->id == *walk->ignored);
}

/* Nodes whose limit is passed stay on the stack until they are popped. */
void sidle_agents_walk(AgentWalk *walk)
{
    const sidle_agents *agents = walk->agents;
    const AgentNode *nodes = agents->nodes;
    const IndexedAgent *list = agents->list;
    Waiting stack[AGENTS_LEVELS * AGENTS_WIDTH];
    uint32_t top = 0;
    if (agents->count > 0)
    {
        stack[top++] = (Waiting){0, agents->level_count, 0};
    }
    while (top > 0)
    {
        Waiting next = stack[--top];
        if (!(next.value <= walk->limit))
        {
            continue;
        }
        if (next.level == 0)
        {
            if (is_wanted(walk, &list[next.item]) && !walk->take(walk, &list[next.item]))
            {
                return;
            }
            continue;
        }
        float values[AGENTS_WIDTH];
        uint32_t level = next.level - 1, bottom = top;
        uint32_t bits = walk->bound(walk, &nodes[agents->first[level] + next.item], values);
        for (; bits; bits &= bits - 1)
        {
            uint32_t i = (uint32_t)__builtin_ctz(bits), at = top++;
            for (; at > bottom && stack[at - 1].value < values[i]; --at)
            {
                stack[at] = stack[at - 1];
            }
            stack[at] = (Waiting){values[i], level, next.item * AGENTS_WIDTH + i};
        }
    }
}
