/* Counts of a tick's work, to find out where time goes and whether a level is to blame. Counting costs a tenth of a tick;
 * it is off unless a tick gets a sidle_stats. Counts do not depend on threads or, except `lanes`, on the width.
 * `leaf_triangles` depends on earlier ticks, whose triangles an agent keeps. */
#ifndef SIDLE_STATS_H
#define SIDLE_STATS_H

#include "sidle/base.h"

#ifdef __cplusplus
extern "C"
{
#endif

/* Ticks add to the counts: start with zeros and the size. */
typedef struct sidle_stats
{
    size_t size;
    uint64_t moves; /* agents */
    /* Searches for the triangles around an agent. More than one per move after steps, overlaps, or if the triangles did
     * not fit at once. */
    uint64_t gathers;
    uint64_t leaf_triangles; /* triangles compared with the box of the move */
    uint64_t candidates;     /* of those, triangles that overlap the box */
    uint64_t exact;          /* of the candidates, those that need double precision */

    uint64_t sweeps;
    uint64_t tested;       /* candidates of all sweeps */
    uint64_t back_facing;  /* of the tested: the sweep goes along the front's normal; not culled */
    uint64_t beyond_plane; /* of the tested: culled by the distance to the plane */
    uint64_t beyond_edges; /* of the tested: culled by the distance to an edge */
    uint64_t full_price;   /* of the tested: edges and corners were tested, too */

    uint64_t hit_face, hit_edge, hit_vertex; /* sweeps by the feature that they hit */

    uint32_t lanes; /* bit n: kernels of 2^n lanes have run */
} sidle_stats;

#ifdef __cplusplus
}
#endif

#endif
