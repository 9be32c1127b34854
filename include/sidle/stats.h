/* What a tick had to do: for people who ask where the time goes, and whether their level is to blame.
 * Counting costs a tenth of a tick, so nothing is counted unless a tick is given a sidle_stats. The counts are
 * equal on any number of threads and at any width, except `lanes`, and depend on what results depend on alone,
 * except `leaf_triangles`: an agent goes on using the triangles that it has found in ticks before. */
#ifndef SIDLE_STATS_H
#define SIDLE_STATS_H

#include "sidle/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Every tick adds to what is there: begin with zeros and the size. */
typedef struct sidle_stats
{
    size_t size;
    uint64_t moves; /* agents that were moved */
    uint64_t
        gathers; /* searches for the triangles around an agent; more than one a move: it was pushed out of
                                an overlap, or more was near than fits at once */
    uint64_t leaf_triangles; /* near enough to be compared with the reach */
    uint64_t
        candidates; /* of those, that met the box of all that the agent can reach: packed, and asked below */
    uint64_t exact; /* of the candidates, that float does not serve: answered in double */

    uint64_t sweeps;
    uint64_t tested; /* candidates of all sweeps */
    uint64_t
        back_facing; /* of the tested: the sweep goes the way of the front's normal. Not left out, since both sides
                              count; for comparison with methods that do */
    uint64_t beyond_plane; /* of the tested: left out by the distance to its plane alone */
    uint64_t beyond_edges; /* of the tested: left out by the distance beside an edge */
    uint64_t full_price;   /* of the tested: asked for edges and corners, the rest is answered by its face */

    uint64_t hit_face, hit_edge, hit_vertex; /* sweeps by what they met */

    uint32_t lanes; /* bit n: kernels that are 2^n triangles wide have run */
} sidle_stats;

#ifdef __cplusplus
}
#endif

#endif
