/* The named cases: scenes with exact parameters that a robust mover must get right. Each check builds its
 * scenes through the public API and checks them with the oracles; no test framework in here. */
#ifndef TESTS_SUPPORT_CASES_H
#define TESTS_SUPPORT_CASES_H

#include "support/report.h"

typedef void CaseCheck(Report *report);

typedef struct Case
{
    int number;
    const char *name;
    const char *claim;
    CaseCheck *check;
} Case;

extern const Case cases[];
extern const size_t case_count;

const Case *case_numbered(int number); /* NULL if there is none */

/* An agent's path may come this close to a surface in units of its radius: half a skin of .02 less what a hit
 * that counts as a graze may cost (a sixteenth of a skin) and rounding. */
extern const double case_least_distance;

/* Single features. */
CaseCheck case_face_head_on, case_vertex_touching, case_hit_at_the_end, case_inside_moving_out,
    case_embedded_deep, case_center_on_face, case_center_on_vertex, case_exit_through_back, case_edge_in_slab,
    case_parallel_to_edge, case_velocity_in_plane, case_graze_face, case_graze_edge, case_graze_vertex;

/* Where features meet. */
CaseCheck case_shared_edge, case_fan_vertex, case_t_junction, case_gap, case_tunnel, case_duplicates,
    case_coplanar_overlap, case_opposite_windings, case_flat_grid, case_tiny_triangles, case_crush;

/* Shapes and numbers at their limits. */
CaseCheck case_needle, case_sliver, case_zero_area, case_long_ridge, case_far_coordinates, case_zero_wish,
    case_tiny_wish, case_huge_wish, case_ellipsoid_permutations, case_long_graze;

/* Several things at once, and walking at its limits. */
CaseCheck case_wedge, case_wide_corner, case_corner3, case_v_groove, case_curved_tube, case_hz_sweep,
    case_slope_idle, case_stairs, case_step_low_ceiling, case_ledge_perch, case_distance_equals_skin;

/* Input that is none. */
CaseCheck case_not_finite_agent, case_not_finite_mesh, case_index_range, case_bad_radii;

/* Capsules. */
CaseCheck case_capsule;

#endif
