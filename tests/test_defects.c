/* Every row of the table of what the published algorithm gets wrong: the published form shows the defect,
 * sidle does not have it. */
#include "support/defects.h"

#include <criterion/criterion.h>

static void the_published_form_fails_and_sidle_holds(const char *id)
{
    const Defect *defect = defect_named(id);
    cr_assert_not_null(defect, "no row %s", id);
    Report published = {0};
    defect->check(&published, SUBJECT_PUBLISHED);
    cr_expect(!report_holds(&published), "%s shows no defect (%s): %s", id, defect->claim, published.text);
    Report product = {0};
    defect->check(&product, SUBJECT_SIDLE);
    cr_expect(report_holds(&product), "%s: %s: %s", id, defect->claim, product.text);
}

Test(defects, d01_a_ball_that_touches_a_tip_does_not_sink)
{
    the_published_form_fails_and_sidle_holds("D1");
}

Test(defects, d02_a_ball_a_hair_inside_is_stopped)
{
    the_published_form_fails_and_sidle_holds("D2");
}

Test(defects, d03_a_hit_at_the_very_end_of_a_move_counts)
{
    the_published_form_fails_and_sidle_holds("D3");
}

Test(defects, d04_a_ball_moves_freely_out_of_an_overlap)
{
    the_published_form_fails_and_sidle_holds("D4");
}

Test(defects, d05_a_ball_that_starts_inside_a_floor_comes_out)
{
    the_published_form_fails_and_sidle_holds("D5");
}

Test(defects, d06_a_contact_behind_does_not_hold_the_ball_back)
{
    the_published_form_fails_and_sidle_holds("D6");
}

Test(defects, d07_a_floor_supports_with_either_winding)
{
    the_published_form_fails_and_sidle_holds("D7");
}

Test(defects, d08_the_edge_hit_inside_the_slab_is_found)
{
    the_published_form_fails_and_sidle_holds("D8");
}

Test(defects, d09_a_fence_is_hit_from_within_its_plane)
{
    the_published_form_fails_and_sidle_holds("D9");
}

Test(defects, d10_a_triangle_without_area_acts_as_a_segment)
{
    the_published_form_fails_and_sidle_holds("D10");
}

Test(defects, d11_a_vertex_is_hit_as_precisely_from_afar)
{
    the_published_form_fails_and_sidle_holds("D11");
}

Test(defects, d12_a_long_ridge_is_hit_as_precisely_as_a_short_one)
{
    the_published_form_fails_and_sidle_holds("D12");
}

Test(defects, d13_flying_parallel_to_an_edge_hits_nothing)
{
    the_published_form_fails_and_sidle_holds("D13");
}

Test(defects, d14_a_needle_is_hit_where_it_is)
{
    the_published_form_fails_and_sidle_holds("D14");
}

Test(defects, d17_one_source_has_one_answer)
{
    the_published_form_fails_and_sidle_holds("D17");
}

Test(defects, d18_terrain_far_from_the_origin_carries)
{
    the_published_form_fails_and_sidle_holds("D18");
}

Test(defects, d19_the_order_of_the_triangles_decides_nothing)
{
    the_published_form_fails_and_sidle_holds("D19");
}

Test(defects, d21_a_hit_exactly_one_gap_away_leaves_numbers)
{
    the_published_form_fails_and_sidle_holds("D21");
}

Test(defects, d23_the_gap_does_not_depend_on_the_angle_of_approach)
{
    the_published_form_fails_and_sidle_holds("D23");
}

Test(defects, d24_a_slide_along_a_flat_wall_does_not_bob)
{
    the_published_form_fails_and_sidle_holds("D24");
}

Test(defects, d25_the_gap_is_the_same_in_every_unit)
{
    the_published_form_fails_and_sidle_holds("D25");
}

Test(defects, d26_a_push_slides_as_far_at_every_frame_rate)
{
    the_published_form_fails_and_sidle_holds("D26");
}

Test(defects, d27_a_curved_wall_never_shortens_a_path_without_a_reason)
{
    the_published_form_fails_and_sidle_holds("D27");
}

Test(defects, d28_a_ball_in_a_groove_moves_on_along_it)
{
    the_published_form_fails_and_sidle_holds("D28");
}

Test(defects, d29_a_ball_in_a_wide_corner_rests)
{
    the_published_form_fails_and_sidle_holds("D29");
}

Test(defects, d30_a_body_on_a_gentle_slope_stays)
{
    the_published_form_fails_and_sidle_holds("D30");
}

Test(defects, d31_sliding_never_lengthens_the_path)
{
    the_published_form_fails_and_sidle_holds("D31");
}
