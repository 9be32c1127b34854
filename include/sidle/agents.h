/* Casts and places among agents.
 *
 * Threads: any number of queries between two builds. Queries allocate nothing. */
#ifndef SIDLE_AGENTS_H
#define SIDLE_AGENTS_H

#include "sidle/place.h"
#include "sidle/query.h"

typedef struct sidle_agents sidle_agents;

typedef struct sidle_agents_desc
{
    size_t size;
    const sidle_move *moves; /* id, body.center, rotation, profile, member_of */
    size_t move_stride;
    const sidle_profile *profiles; /* shape */
    size_t profile_stride;
    uint32_t count, profile_count;
    sidle_error *error; /* index: move or profile */
} sidle_agents_desc;

SIDLE_API sidle_status sidle_agents_create(const sidle_allocator *allocator, sidle_agents **out);
SIDLE_API void sidle_agents_destroy(sidle_agents *agents);

/* Copies the agents. A build no larger than an earlier one allocates nothing. NOT_FINITE, INDEX, LIMIT, MEMORY. Cost: .05
 * microseconds an agent. */
SIDLE_API sidle_status sidle_agents_build(sidle_agents *agents, const sidle_agents_desc *desc);

/* As the queries of the same names, with an agent's id as instance_key, its index as triangle, and SIDLE_FEATURE_AGENT.
 * `collides_with`: layers of agents. Flags and groups of moves
 * do not count. `ignored`: NULL or an id. A hit's gap is below 1e-9 of the sizes. Of a cast that starts
 * in an overlap the point is on the agent's core, and the normal from there to the centre. NOT_FINITE, LIMIT. Cost: .8 microseconds for
 * a ray among 10,000. */
SIDLE_API sidle_status sidle_agents_cast_closest(const sidle_agents *agents, const sidle_cast *cast,
                                                 const uint64_t *ignored, sidle_cast_hit *out);

SIDLE_API sidle_status sidle_agents_overlaps(const sidle_agents *agents, const sidle_place *place,
                                             const uint64_t *ignored, sidle_overlap *list, uint32_t capacity,
                                             uint32_t *count);

/* Of an overlap the distance is minus the shortest displacement that ends it. Cost: 2 microseconds; 30 for ellipsoids,
 * .1 ms for boxes of 2 m. */
SIDLE_API sidle_status sidle_agents_closest(const sidle_agents *agents, const sidle_place *place,
                                            float max_distance, const uint64_t *ignored, sidle_closest *out);

#endif
