/* Counts of a tick's work. Except `lanes` they do not depend on threads or lanes. Counting costs a tenth of a tick. */
#ifndef SIDLE_STATS_H
#define SIDLE_STATS_H

#include "sidle/base.h"

/* Ticks add to them. */
typedef struct sidle_stats
{
    size_t size;
    uint64_t moves;
    uint64_t gathers;        /* searches for triangles around an agent */
    uint64_t leaf_triangles; /* compared with the box of the move; fewer if an earlier tick found them */
    uint64_t candidates;     /* of those, in the box */
    uint64_t exact;          /* of those, in need of double precision */

    uint64_t sweeps;
    uint64_t tested;       /* candidates of all sweeps; of those: */
    uint64_t back_facing;  /* swept along the front's normal; not culled */
    uint64_t beyond_plane; /* culled by the plane */
    uint64_t beyond_edges; /* culled by an edge */
    uint64_t full_price;   /* edges and corners tested, too */

    uint64_t hit_face, hit_edge, hit_vertex; /* sweeps by the feature hit */

    uint32_t lanes; /* bit n: kernels of 2^n lanes have run */
} sidle_stats;

#endif
