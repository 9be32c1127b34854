/* The named cases, one test each, at every width that can run here. */
#include "support/cases.h"
#include "support/scene.h"
#include "support/widths.h"

#include <criterion/criterion.h>

static void holds(int number)
{
    const Case *named = case_numbered(number);
    cr_assert_not_null(named, "no case %d", number);
    const Kernels *widths[WIDTH_COUNT];
    uint32_t width_count = widths_here(widths);
    for (uint32_t width = 0; width < width_count; ++width)
    {
        Report report = {0};
        scene_use_lanes(widths[width]->lane_count);
        named->check(&report);
        cr_expect(report_holds(&report), "%d %s, %u lanes: %s: %s", number, named->name,
                  widths[width]->lane_count, named->claim, report.text);
    }
    scene_use_lanes(0);
}

Test(cases, n01_a_ball_rests_one_skin_above_the_face_it_falls_on)
{
    holds(1);
}

Test(cases, n02_a_ball_that_touches_a_tip_does_not_sink_into_it)
{
    holds(2);
}

Test(cases, n03_a_hit_at_the_very_end_of_a_move_counts)
{
    holds(3);
}

Test(cases, n04_a_ball_moves_freely_out_of_an_overlap)
{
    holds(4);
}

Test(cases, n05_an_embedded_ball_is_freed_tick_by_tick_or_reports_stuck)
{
    holds(5);
}

Test(cases, n06_a_centre_on_a_face_is_freed_or_reports_stuck)
{
    holds(6);
}

Test(cases, n07_a_centre_on_a_vertex_is_freed_or_reports_stuck)
{
    holds(7);
}

Test(cases, n08_a_ball_below_a_floor_moves_on_downwards)
{
    holds(8);
}

Test(cases, n09_an_edge_is_hit_from_the_side_of_its_slab)
{
    holds(9);
}

Test(cases, n10_flying_beside_an_edge_loses_no_distance)
{
    holds(10);
}

Test(cases, n11_flying_almost_in_contact_with_a_plane_loses_no_distance)
{
    holds(11);
}

Test(cases, n12_no_face_is_passed_at_any_grazing_angle)
{
    holds(12);
}

Test(cases, n13_a_graze_of_an_edge_costs_no_depth)
{
    holds(13);
}

Test(cases, n14_a_graze_of_a_vertex_costs_no_depth)
{
    holds(14);
}

Test(cases, n15_a_hit_on_a_shared_edge_is_one_contact_with_a_stable_triangle)
{
    holds(15);
}

Test(cases, n16_nothing_leaks_through_the_apex_of_a_fan)
{
    holds(16);
}

Test(cases, n17_a_gap_costs_no_more_depth_than_its_sagitta)
{
    holds(17);
}

Test(cases, n18_a_slit_a_hair_too_narrow_blocks_without_jitter)
{
    holds(18);
}

Test(cases, n19_a_tunnel_is_passed_or_blocks_and_is_never_touched)
{
    holds(19);
}

Test(cases, n20_needles_of_any_slenderness_are_hit_where_they_are)
{
    holds(20);
}

Test(cases, n21_slivers_of_any_flatness_are_hit_where_they_are)
{
    holds(21);
}

Test(cases, n22_triangles_without_area_act_as_segments_and_points)
{
    holds(22);
}

Test(cases, n23_sixty_four_copies_change_no_bit)
{
    holds(23);
}

Test(cases, n24_overlapping_coplanar_triangles_have_no_ghost_normals)
{
    holds(24);
}

Test(cases, n25_a_face_wound_in_both_directions_supports_on_both_sides)
{
    holds(25);
}

Test(cases, n26_a_flat_grid_has_no_ghost_hits)
{
    holds(26);
}

Test(cases, n27_ridges_of_any_length_are_hit_where_they_are)
{
    holds(27);
}

Test(cases, n28_nothing_leaks_through_a_surface_of_specks)
{
    holds(28);
}

Test(cases, n29_far_from_the_origin_agents_move_the_same)
{
    holds(29);
}

Test(cases, n30_no_displacement_changes_no_bit)
{
    holds(30);
}

Test(cases, n31_denormal_displacements_are_safe_in_every_denormal_mode_of_the_caller)
{
    holds(31);
}

Test(cases, n32_ten_thousand_radii_a_tick_are_blocked_and_more_is_refused)
{
    holds(32);
}

Test(cases, n33_an_agent_with_nan_is_reported_invalid_and_keeps_its_state)
{
    holds(33);
}

Test(cases, n34_a_nan_vertex_is_refused_with_its_index)
{
    holds(34);
}

Test(cases, n35_an_index_out_of_range_is_refused_and_an_empty_mesh_blocks_nothing)
{
    holds(35);
}

Test(cases, n36_invalid_radii_are_refused)
{
    holds(36);
}

Test(cases, n37_a_flat_ellipsoid_never_moves_farther_in_the_world_than_asked)
{
    holds(37);
}

Test(cases, n38_a_narrow_wedge_stops_a_ball_without_jitter)
{
    holds(38);
}

Test(cases, n39_a_wide_corner_stops_a_ball_without_jitter)
{
    holds(39);
}

Test(cases, n40_in_a_corner_of_three_walls_an_agent_rests_to_the_last_bit)
{
    holds(40);
}

Test(cases, n41_along_a_groove_the_path_is_as_long_as_asked)
{
    holds(41);
}

Test(cases, n42_along_a_curved_wall_of_any_facets_no_distance_is_lost)
{
    holds(42);
}

Test(cases, n43_a_push_along_a_wall_slides_as_far_at_any_rate)
{
    holds(43);
}

Test(cases, n44_agents_rest_on_a_slope_at_the_limit_and_slide_on_one_slightly_steeper)
{
    holds(44);
}

Test(cases, n45_stairs_up_to_the_step_height_are_climbed_and_no_higher_ones)
{
    holds(45);
}

Test(cases, n46_a_step_without_room_above_it_is_refused)
{
    holds(46);
}

Test(cases, n47_an_agent_that_leaves_a_ledge_stands_then_falls_without_alternating)
{
    holds(47);
}

Test(cases, n50_a_gap_exactly_as_wide_as_the_skin_gives_finite_results)
{
    holds(50);
}

Test(cases, n51_a_ball_between_walls_too_close_stays_between_them)
{
    holds(51);
}

Test(cases, n52_a_capsule_whose_core_crosses_a_floor_is_freed_or_reports_stuck)
{
    holds(52);
}

Test(cases, n53_a_path_of_a_million_radii_does_not_graze_through_a_wall)
{
    holds(53);
}
