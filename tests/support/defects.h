/* What the algorithm as published in 2003 gets wrong, row by row. Every row makes one claim about how a body
 * should move and checks it on both subjects: the published form must fail it, or the row shows nothing;
 * sidle must keep it. No test framework in here. */
#ifndef TESTS_SUPPORT_DEFECTS_H
#define TESTS_SUPPORT_DEFECTS_H

#include "support/report.h"
#include "support/trial.h"

typedef void DefectCheck(Report *report, Subject subject);

typedef struct Defect
{
    const char *id;    /* "D8" */
    const char *claim; /* what a body should do */
    DefectCheck *check;
} Defect;

extern const Defect defects[];
extern const size_t defect_count;

const Defect *defect_named(const char *id); /* NULL if there is none */

/* The rows, by what they are about. */
DefectCheck d01_touching, d02_a_hair_inside, d03_hit_at_the_end, d04_moving_out, d05_embedded,
    d06_contact_behind, d07_winding, d08_edge_in_slab, d09_fence, d10_zero_area;
DefectCheck d11_far_vertex, d12_long_ridge, d13_parallel_edge, d14_needle, d17_mixed_precision,
    d18_large_coordinates, d19_ties;
DefectCheck d21_gap_exactly, d23_gap_along_velocity, d24_tilted_plane, d25_units, d26_frame_rate;
DefectCheck d27_curved_tube, d28_groove, d29_wide_corner, d30_creep, d31_longer_path;

#endif
