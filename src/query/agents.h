/* An index of agents: a tree of boxes over their order along a Morton curve (G. Morton, 1966).
 *
 * The tree has no pointers: node i of a level covers the eight nodes, or agents, from 8 i on of the level below. */
#ifndef QUERY_AGENTS_H
#define QUERY_AGENTS_H

#include "sidle/agents.h"

#include "base/bounds.h"
#include "base/memory.h"
#include "query/pair.h"

#define AGENTS_WIDTH  8
#define AGENTS_LEVELS 9 /* 8^8 is SIDLE_MAX_AGENTS */

typedef struct AgentNode
{
    float low[3][AGENTS_WIDTH], high[3][AGENTS_WIDTH]; /* from the origin; unused: low above high */
} AgentNode;

typedef struct IndexedAgent
{
    PairShape shape;
    uint64_t id;
    uint32_t index, member_of;
} IndexedAgent;

/* Boxes contain all contacts of a shape, which may have a gap (pair.h). */
static inline Vec3 agent_box_half(Vec3 extent)
{
    double margin = 1e-9 * vec3_max_component(extent);
    return vec3_add(extent, vec3(margin, margin, margin));
}

/* An agent's place along the curve. */
typedef struct CurvePlace
{
    uint64_t key;
    uint32_t agent, spare;
} CurvePlace;

struct sidle_agents
{
    sidle_allocator allocator;
    Scratch memory; /* of the arrays */
    AgentNode *nodes;
    IndexedAgent *list;
    Vec3 origin;
    double span; /* of the centres, along an axis */
    uint32_t count;
    uint32_t level_count;
    uint32_t first[AGENTS_LEVELS]; /* nodes of a level; 0: those over agents */
};

/* What a query asks of the tree. */
typedef struct AgentWalk
{
    const sidle_agents *agents;
    uint32_t collides_with;
    const uint64_t *ignored;
    PairQuery query;
    /* The box of the query, from the origin, and its path. */
    float low[3], high[3];
    float inverse[3];
    float limit; /* of the values below */
    /* Writes a lower bound of the answer for each child: the share of the path at which the box hits it, or their squared distance.
     * Returns the bits of those within the limit. */
    uint32_t (*bound)(const struct AgentWalk *walk, const AgentNode *node, float values[AGENTS_WIDTH]);
    /* Tests an agent, and may lower the limit. Returns false to end the walk. */
    bool (*take)(struct AgentWalk *walk, const IndexedAgent *agent);
    void *context;
} AgentWalk;

/* Visits agents whose bound is within the limit, roughly the lowest first. */
void sidle_agents_walk(AgentWalk *walk);

/* The agent that a shape overlaps the most along the normal from its core, and that normal. Returns false if there is none. */
bool sidle_agents_deepest(const sidle_agents *agents, const Frame *frame, uint32_t collides_with,
                          const uint64_t *ignored, PairShape *agent, Vec3 *normal);

/* Bounds of a moving box, and of a resting one. */
uint32_t sidle_agents_bound_path(const AgentWalk *walk, const AgentNode *node, float values[AGENTS_WIDTH]);
uint32_t sidle_agents_bound_distance(const AgentWalk *walk, const AgentNode *node,
                                     float values[AGENTS_WIDTH]);

#endif
