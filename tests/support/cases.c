#include "support/cases.h"

const double case_least_distance = 1.0 + 0.01 - 0.00125 - 1e-5;

const Case cases[] = {
    {1, "face_head_on", "a ball rests one skin above the face it falls on", case_face_head_on},
    {2, "vertex_touching", "a ball that touches a tip does not sink into it", case_vertex_touching},
    {3, "hit_at_t1", "a hit at the very end of a move counts", case_hit_at_the_end},
    {4, "inside_moving_out", "a ball moves freely out of an overlap", case_inside_moving_out},
    {5, "embedded_deep", "an embedded ball is freed tick by tick or reports stuck", case_embedded_deep},
    {6, "centre_on_face", "a centre on a face is freed or reports stuck", case_center_on_face},
    {7, "centre_on_vertex", "a centre on a vertex is freed or reports stuck", case_center_on_vertex},
    {8, "exit_through_back", "a ball below a floor moves on downwards", case_exit_through_back},
    {9, "edge_slab_side", "an edge is hit from the side of its slab", case_edge_in_slab},
    {10, "parallel_to_edge", "flying beside an edge loses no distance", case_parallel_to_edge},
    {11, "velocity_in_plane", "flying almost in contact with a plane loses no distance",
     case_velocity_in_plane},
    {12, "graze_face", "no face is passed at any grazing angle", case_graze_face},
    {13, "graze_edge", "a graze of an edge costs no depth", case_graze_edge},
    {14, "graze_vertex", "a graze of a vertex costs no depth", case_graze_vertex},
    {15, "shared_edge_hit", "a hit on a shared edge is one contact with a stable triangle", case_shared_edge},
    {16, "fan_vertex", "nothing leaks through the apex of a fan", case_fan_vertex},
    {17, "t_junction", "a gap costs no more depth than its sagitta", case_t_junction},
    {18, "gap", "a slit a hair too narrow blocks without jitter", case_gap},
    {19, "tunnel", "a tunnel is passed or blocks, and is never touched", case_tunnel},
    {20, "needle", "needles of any slenderness are hit where they are", case_needle},
    {21, "sliver", "slivers of any flatness are hit where they are", case_sliver},
    {22, "zero_area", "triangles without area act as segments and points", case_zero_area},
    {23, "duplicate", "sixty-four copies change no bit", case_duplicates},
    {24, "coplanar_overlap", "overlapping coplanar triangles have no ghost normals", case_coplanar_overlap},
    {25, "opposite_windings", "a face wound in both directions supports on both sides",
     case_opposite_windings},
    {26, "flat_grid", "a flat grid has no ghost hits", case_flat_grid},
    {27, "long_ridge", "ridges of any length are hit where they are", case_long_ridge},
    {28, "tiny_triangles", "nothing leaks through a surface of specks", case_tiny_triangles},
    {29, "coordinates", "far from the origin agents move the same", case_far_coordinates},
    {30, "v_zero", "no displacement changes no bit", case_zero_wish},
    {31, "v_tiny", "denormal displacements are safe in every denormal mode of the caller", case_tiny_wish},
    {32, "v_huge", "ten thousand radii a tick are blocked, never through; more is refused", case_huge_wish},
    {33, "nan_inf_agent", "an agent with NaN is reported invalid and keeps its state", case_not_finite_agent},
    {34, "nan_inf_mesh", "a NaN vertex is refused with its index", case_not_finite_mesh},
    {35, "index_range", "an index out of range is refused and an empty mesh blocks nothing",
     case_index_range},
    {36, "radii", "invalid radii are refused", case_bad_radii},
    {37, "ellipsoid", "a flat ellipsoid never moves farther in the world than asked",
     case_ellipsoid_permutations},
    {38, "wedge", "a narrow wedge stops a ball without jitter", case_wedge},
    {39, "wide_corner", "a wide corner stops a ball without jitter", case_wide_corner},
    {40, "corner3", "in a corner of three walls an agent rests to the last bit", case_corner3},
    {41, "v_groove", "along a groove the path is as long as asked", case_v_groove},
    {42, "curved_tube", "along a curved wall of any facets no distance is lost", case_curved_tube},
    {43, "hz_sweep", "a push along a wall slides as far at any rate", case_hz_sweep},
    {44, "slope_idle", "agents rest on a slope at the limit and slide on one slightly steeper",
     case_slope_idle},
    {45, "stairs", "stairs up to the step height are climbed, and no higher ones", case_stairs},
    {46, "step_low_ceiling", "a step without room above it is refused", case_step_low_ceiling},
    {47, "ledge_perch", "an agent that leaves a ledge stands then falls without alternating",
     case_ledge_perch},
    {50, "distance_equals_skin", "a gap exactly as wide as the skin gives finite results",
     case_distance_equals_skin},
    {51, "crush", "a ball between walls too close stays between them", case_crush},
    {52, "capsule_core", "a core that crosses a floor is freed or reports stuck", case_capsule},
    {53, "long_graze", "a path of a million radii does not graze through a wall", case_long_graze},
};

const size_t case_count = sizeof cases / sizeof cases[0];

const Case *case_numbered(int number)
{
    for (size_t index = 0; index < case_count; ++index)
    {
        if (cases[index].number == number)
        {
            return &cases[index];
        }
    }
    return NULL;
}
