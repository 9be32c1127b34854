#!/bin/sh
# Can the tests fail? Plants one fault after another in a copy of the sources. For each, a named test must fail.
#     mutants.sh               all faults
#     mutants.sh WORD...       the faults whose name contains a word
#     mutants.sh --check       builds nothing: each fault has its marker, changes the line there, and its test exists
#     mutants.sh --survey ...  lists every test that finds each fault, of the programs in SURVEY, to choose one by
# A comment "mutant: NAME" in src marks the place of a fault: at the end of the line to be changed, or above the
# statement that holds the line. A place of several faults lists their names, a fault in several places is marked at each.
# Fails if the untouched copy fails, a marker is missing, a fault changes nothing, or its test passes.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

# A fault a line: name | sed command on the marked line | test program | part of the name of the test that must fail.
table()
{
    grep -v '^#' <<'EOF'
# Feature tests of a sweep
edge_not_clamped        | s/lanes_max(\([^,]*\), zero)/\1/ | sweep_oracle | float_lanes_keep
face_not_clamped        | s/lanes_max(\(.*\), zero);/\1;/ | sweep_oracle | float_lanes_keep
corner_behind           | s/lanes_min(h, k)/h/ | sweep_oracle | float_lanes_keep
edge_behind             | s/lanes_less(\([^,]*\), zero)/lanes_less_equal(\1, \1)/ | sweep_oracle | float_lanes_keep
no_late_face            | s/first = .*;// | sweep_scenes | enters_a_face_over_its_edge
no_late_edge            | s/mask_or(late, \(.*\));/\1;/ | sweep_scenes | enters_an_edge_over_its_corner
no_free_exit            | s/ ? / > 0xffff ? / | sweep_oracle | leaves_it_freely
held_later              | s/= .*;/= lanes_less_equal(first, lanes_set(0));/ | sweep_oracle | leaves_it_freely
fast_path_alone         | s/return .* : /return / | sweep_scenes | enters_an_edge_over_its_corner
graze_by_slope_alone    | s/mask_or(/mask_and(/ | cases | n53_
deep_graze              | s/ \.5/ 1/ | cases | n53_
end_is_a_miss           | s/lanes_less_equal(/lanes_less(/ | query_promises | touching_at_the_very_end
unbounded_face          | s/mask_and(\([^,]*\), .*);/\1;/ | sweep_oracle | float_lanes_keep
one_sided_face          | s/= .*;/= lanes_negate(path->rate);/ | leaks | shared_edge
direction_as_unit       | s/sweep->excess/lanes_set(0)/ | sweep_scenes | any_rounding_of_the_direction
foot_off_plane          | s/q = .*;/(void)between, (void)across;/ | defects | d13
held_by_own_edge        | s/held = .*;/(void)error;/ | sweep_scenes | leaves_it_in_any_direction
tiny_edge_in_double     | s/1e-286/1e-300/ | sweep_scenes | end_of_double
# Culls, and where float serves
tight_cull              | s/ + / - / | sweep_oracle | float_lanes_keep
extra_lane              | s/lanes_less(/lanes_less_equal(/ | closest_oracle | every_width
cull_inside_edge        | s/rest2/lanes_set(0)/ | leaks | shared_edge
narrow_window           | s/1 + CAST_SLACK/.25/ | query | very_long_casts_of_small_balls
reach_not_inflated      | s/= .*;/= lanes_set(0);/ | brute_force | by_a_hair
always_float            | s/return .*;/return lanes_less_equal(lanes_set(0), lanes_set(0));/ | leaks | shared_edge
rotated_space_in_float  | s| / condition;|;| | sweep_scenes | the_condition_limits
rotated_corner_in_float | s/ \* condition// | sweep_scenes | the_condition_limits
normal_not_corrected    | s/n = .*;// | sweep_oracle | float_lanes_keep
short_edge_kept         | s/= .*;/= lanes_less(e2, lanes_set(0));/ | sweep_scenes | of_any_shortness
sliver_has_face         | s/\.014/1e-9/ | closest_oracle | double_lanes_keep
centre_in_float         | s/, .*;/, quad_all(0));/ | brute_force | far_from_the_mesh
first_path_of_no_length | s/, lanes_mul(rate, .*));/, lanes_mul(rate, lanes_set(0)));/ | invariants | below_the_swept_shell
free_of_the_wish        | s/is_free = .*;/is_free = (bool)mover->state.is_free;/ | one_pass | falls_as_far
gather_without_skin     | s/= .*;/= 1;/ | walk | a_fall_ends_one_skin_above
corner_beside_edge      | s/hit.is_plain &= .*;// | rim_contact | is_that_of_the_triangle
edge_over_face          | s/hit.is_plain &= .*;// | rim_contact | is_that_of_the_triangle
edge_beyond_its_ends    | s/hit.is_plain &= .*;// | rim_contact | of_a_wrong_time
core_over_face          | s/hit.is_plain &= .*;// | rim_contact | of_a_capsule_at_a_wrong_time
core_beside_edge        | s/hit.is_plain &= .*;// | rim_contact | of_a_capsule_at_a_wrong_time
core_beyond_end         | s/hit.is_plain &= .*;// | rim_contact | of_a_capsule_at_a_wrong_time
wall_from_inside        | s/ \&\& t > 0// | rim_contact | of_a_capsule
beside_a_wall           | s/ \&\& is_over// | rim_contact | of_a_capsule
walls_are_edges         | s/over \* over.*length2/true/ | rim_contact | of_a_capsule
side_beyond_its_ends    | s/hit.is_plain &= .*;// | rim_contact | of_a_capsule_at_a_wrong_time
# Ties
tie_by_place            | s/ || .*/)/ | sweep_oracle | order_of_the_candidates
tie_by_lane             | s/ || .*/)/ | variants | keys_decide_ties
loses_leaves            | s/!.* || // | brute_force | that_the_reach_touches
writes_into_next_row    | s/ + 8 <= to->stride/ < 999/ | determinism | lanes_change_no_bit
no_second_pass          | s/seen\.t > .*candidate)/false/ | capsule_oracle | between_the_times
float_before_double     | s/return .*;/return a;/ | variants | tie_of_float_and_double
mirror_keeps_winding    | s/mirrored \&\& i > 0 ? 3 - i : i/i/ | instances | mirrored
# The response
no_pull_back            | s/return .*;/return hit->contact.t;/ | cases | n01_
jitter_at_rest          | s/return .*;/return fmax(rest \/ approach, 0);/ | walk | without_a_displacement_does_not
rest_projected          | s/w = /w = s->displacement = / | invariants | pushed_into_a_corner
first_of_equals         | s/(length2 == .*;/false;/ | project | order_of_planes_changes_no_direction
flattest_by_rounding    | s/more > 0/more > -1e-15/ | ground | the_tree_does_not_choose
equally_flat_by_place   | s/ \&\& .*;/);/ | ground | the_tree_does_not_choose
sliver_has_slope        | s/if (.*)/if (vec3_is_zero(n))/ | ground | needle_makes_no_slope
contact_at_a_point      | s/return .*;/return mover ? 1e-9 : 0;/ | ledges | grows_by_no_more
free_lean               | s/from = .*;/from = slot == slice->carrier ? slice->target : motion_takes(motion, slice->start);/ | leave | cabin_that_tilts
one_slice               | s/lean > [^)]*/false/ | leave | cabin_that_tilts
any_displacement        | s/own, longest/own, 3e38f/ | crowd_moves | above_ten_thousand_radii
copies_crowd_out        | s/a->feature == b->feature/a == b/ | ground | copies_of_one_side
one_plane               | s/= .*;/= vec3_length2(moved) < 0;/ | defects | d28
no_look_ahead           | s/ + profile->look_ahead// | walk | a_fall_ends_one_skin_above
short_in_ellipsoid      | s/if (.*)/if (vec3_length(frame_to_ellipsoid(mover->frame, displacement)) < SHORTEST_MOTION)/ | invariants | some_millionths
recovery_at_any_speed   | s/share = .*;/share = share;/ | steps | pushed_out_no_faster
nose_launches           | s/MOST_PULL_BACK/1e9/ | noses | a_capsule_between_two_noses
line_is_a_groove        | s/j < i || // | slope_limit | a_line_that_runs_down
no_bridge               | s/return .*;/return false;/ | ledges | deep_gap
rolls_at_any_speed      | s/landing->drop <= allowed->fall/true/ | ledges | grows_by_no_more
sheet_blocks            | s/ || is_top(mover, hit))/)/ | obstacles | a_sheet
silent_climb            | s/mover->report.reasons |= .*;// | obstacles | gives_a_reason
silent_cap              | s/: 0);.*/: 0) ^ (work_is_spent(candidates) ? (uint32_t)SIDLE_REASON_CANDIDATES : 0);/ | reasons | uses_up_its_work
unseen_step             | s/mover->report.reasons |= .*;// | reasons | cannot_be_searched
visible_step            | s/= .*;/= mover->state.step_offset + risen;/ | smoothing | no_steeper
kerb_is_a_wall          | s/return .*;/return false;/ | obstacles | sloping_face
held_by_a_nose          | s/drop < clear/clear < 0/ | noses | steepest_flights
no_step_over            | s/share_done(.*) < NEARLY_ALL/false/ | steps | at_the_speed_of_the_flat
wedged_in_the_air       | s/count < 2/count < 99/ | steps | agent_wedged
buried_for_ever         | s/i < BISECTIONS/i < 0/ | capsule | hundreds
sweeps_among_hundreds   | s/inside > MAX_CLOSE/false/ | capsule | hundreds
recovery_through_walls  | s/!candidates_block_segment([^)]*)/true/ | cases | n51_
no_step_height          | s/return .*;/return mover != NULL \&\& hit == NULL;/ | walk | a_kerb_up_to
turn_by_tick            | s| / (1 + turn / 2)|| | motion | the_place_after_two_seconds_does
high_is_steep           | s/if (.*)/if (false)/ | reasons | a_rim_that_could
agent_is_a_wall         | s/if (.*)/if (false)/ | reasons | marked_as_agent
step_hinders            | s/reasons | (.*);/mover->report.reasons;/ | reasons | stepped_over_gives_no_reason
capsule_without_rims    | s/return .*;/return first;/ | capsule_oracle | float_lanes_keep
crossing_core_culled    | s/part = .*;/part = lanes_set(0);/ | capsule_oracle | float_lanes_keep
capsule_held_later      | s/= .*;/= mask_bits(begun);/ | capsule_oracle | float_lanes_keep
held_by_crossing        | s/closest\.t > .* ? /error >= 0 ? / | capsule_oracle | float_lanes_keep
core_end_first          | s/low <= high/low > high/ | capsule_oracle | along_a_wall
wide_parallels          | s/1e-22/1e-12/ | query_capsules | capsules_along_edges
sliver_has_back         | s/= .*;/= lanes_less(lanes_set(0), face.plane);/ | capsule | both_sides_of_a_needle
# Moving ground
carried_by_centre       | s/return .*;/return motion_takes(motion, frame->center);/ | carry | keeps_the_foot
carried_by_a_failed_slice | s/= .*;/= mover->frame->center;/ | carry | cannot_be_searched
reused_slot             | s/snapshot_has(mover->snapshot, id)/id.generation/ | leave | removed_and_teleported
follows_any_drop        | s/return .*;/return sinks <= INFINITY;/ | carry | drops_faster
stopped_in_the_world    | s/(recedes ? /(recedes \&\& false ? / | carry | against_a_wall_of_a_wagon
edges_add_speed         | s/return .*;/return slope + fall + 1e9;/ | landing | off_a_platform_that_drifts
falls_with_gravity      | s/MOST_FALL/(1 + 1e-3)/ | carry | ticks_change_their_length
lands_before_it_falls   | s/= .*;/= 0;/ | leave | that_accelerates_down
push_by_overlap         | s/if (.*)/if (false)/ | push | flies_on_as_fast
silent_jaws             | s/ || pushes.longest > CLOSING// | push | one_sided_doors
lands_on_falling_ground | s/= .*;/= true;/ | leave | a_jump_from_a_moving_lift
leaves_without_speed    | s/? mover->state.carried/? vec3(0, 0, 0)/ | leave | leaves_with_the_trains
no_landing_on_lift      | s/if (.*)/if (false)/ | leave | slower_than_the_lift
no_push_around          | s/share < [A-Z_]* /share < 2 / | push | along_a_corridor
no_sweep_of_instance    | s/from = .*;/from = slice->start;/ | push | takes_agents_along
pushed_into_wall        | s/FILTER_RESTING, 0,/FILTER_SLOT, UINT32_MAX,/ | push | no_agent_passes
silent_crush            | s/ || pushes.left > 1// | push | in_one_tick
slow_carrier            | s/ | SLIDE_HOWEVER_SHORT// | carry | a_very_slow_instance
# Agents that collide
no_precedence           | s/PRECEDENCE/0/ | agents_doors | slim_crowd
always_held_up          | s/, 1);/, 0);/ | agents_doors | turns_slightly
even_gains              | s/UNEVEN/0/ | agents_doors | turns_slightly
uneven_pairs            | s/gain = float4_select(float4_less(one, active), gain, one);// | steer | block_without_steering
walls_stop_none         | s/= .*;/= false;/ | agents_rest | at_a_wall_one_behind
reverses_at_one_rate    | s/last2 < .*;/last2 < 1.1 * path2 \&\& path2 < 1.1 * last2;/ | agents_rest | of_changing_length
walls_in_the_air        | s/return .*;/return (void)is_flat, false;/ | agents_rest | stands
stays_stacked           | s/gap < 0 \&\& /false \&\& / | agents_rest | though_one_is_higher
deferred_as_player      | s/FLT_MIN/0/ | agents_rest | of_infinite_mass
gap_in_the_world        | s/part,/part - vec3_dot(peer->carried, n),/ | agents_pushed | of_a_wagon
soft_heads              | s/if (.*)/if (false)/ | agents_stand | until_that_walks
four_too_late           | s/quad_lesser(t, hit)/hit/ | four_pairs | bits_of_single
wall_of_plane           | s/lane3_select(.*);/nearest;/ | walls | oracle
clear_too_far           | s/- CLEAR_ROUNDING/+ .5/ | walls_cache | cache_holds
steps_are_walls         | s/if (.*)/if (false)/ | agents | closes_up_on_stairs
walls_are_steps         | s/return .*;/return (void)highest, true;/ | agents_doors | of_one_metre_lets_a_slim
clear_of_slivers        | s/1e-3/0/ | walls_cache | of_chamfers
four_overlap            | s/, quad_at_most(.*));/, has_direction);/ | four_pairs | bits_of_single
one_normal              | s/if (.*)/if (false)/ | agents_rules | go_down_fast
pushes_ahead            | s/within_reach(peer, \(.*\));/\1;/ | agents_rules | cannot_reach
impatient               | s/is_sure || // | agents_unlike | do_not_overlap
alike_when_turned       | s/= s.x == .*;/= true;/ | agents_rules | quarter_turn
skew_cores              | s/ || are_cores_skew(couple)// | agents_unlike | half_the_gap
never_rests             | s/return .*;/return (void)is_back, false;/ | agents | sizes_of
walks_round_none        | s/ahead <= 0/ahead <= .01 * speed * speed/ | agents_doors | walk_round
moves_slowly_on         | s/ahead <= 0/ahead < 0/ | agents | at_a_ledge
stays_inside            | s/ ? OVERLAP_GAIN : 1/ ? 1 : 1/ | agents | in_one_spot
rocks                   | s/is_back || // | agents | sizes_of
silent_press            | s/return .*;/return false;/ | agents_rules | point_away
gap_twice               | s/return .*;/return gap;/ | agents | wandering
unpushed_capture        | s/head->is_pushed != 0/false/ | capture_agents | kerb
capture_of_no_touch     | s/neighbours.i..touches != 0/false/ | capture_agents | many_shapes
any_correction          | s/bool good = .*;/bool good = true;/ | capture_files | invalid_neighbours
in_step                 | s/id_share(move->id)/1/ | budget | not_all_in_one_tick
by_id                   | s/id_hash(move->id) >> 32/move->id/ | budget | order_of_ids
equal_periods           | s/= .*;/= dt;/ | budget | yield_to_near_ones
reserves_for_less       | s/desc->max_moves > 0/sidle_turns_has_budget(desc)/ | budget_bits | lower_budget_than_before
longest_interval_begins_anew | s/TURN_PACED/due ? TURN_PACED : TURN_COMES/ | budget | as_long_as_the_limit
ranks_until_spent       | s/candidates->work = .*;/;/ | budget_motion | in_a_capture_if_a_block
over_budget             | s/\*left -= .*;/;/ | budget | exactly_max_moves
forgets_displacement    | s/vec3_add(own, postponed)/((void)postponed, own)/ | budget_motion | on_a_plane
left_by_lift            | s/= .*;/= false;/ | budget_motion | a_rider_is_carried
push_over_wait          | s/tick_dt/dt/ | budget_motion | a_push_is_as_fast
deferred_pushes         | s/row->waits || // | budget_motion | push_no_third
pushed_off_heads        | s/return .*;/return (void)upper, false;/ | agents_stand | until_that_walks
stands_on_none          | s/= .*;/= false;/ | agents_stand | until_that_walks
calm_rider              | s/carrier_of(&mover) ? 0 : // | agents_pushed | stay_on_a_lift
unseen_push             | s/= .*;/= ride;/ | agents_pushed | before_a_door
no_leaves_left          | s/mover->.*= 0;// | carry | its_own_step
rocks_for_ever          | s/return .*;/return (void)is_short, (void)was_held, (void)reverses, false;/ | agents | would_rock
no_rim                  | s/rims <= MOST_RIMS/false/ | agents | off_a_ledge
last_neighbours         | s/peers->gaps\[agent\] = .*;/;/ | agents_alone | stops_colliding
not_held_up             | s/raise > 0/false/ | agents_height | sinks_as_far_as
stays_too_near          | s/is_too_near(mover)/(is_too_near(mover) \&\& false)/ | agents_height | slides_off_a_ledge
jitters_on              | s/jitters(mover, wish)/(jitters(mover, wish) \&\& false)/ | agents | would_jitter
flat_reach              | s/return .*;/return (void)step, (void)falls, 0.0f;/ | agents_height | leaves_its_ground_fast
all_in_turn             | s/steering->period <= 1 .*/true \|\|/ | steer_turns | take_turns
no_throng               | s/lean = .*;/lean = 0;/ | steer_crowds | a_hundred_and_twenty
no_lean_on_walls        | s/larger(\(.*\), course.lean)/\1/ | steer_crowds | a_hundred_and_twenty
sees_one_square         | s/lane3_add(away, .*)/away/ | steer | head_on_pass
ground_nearby           | s/lanes_min(in, /lanes_max(in, / | steer | over_a_ledge
steers_unseen           | s/if (.*)/if (false)/ | agents_height | steers_its_fall
leans_into              | s/if (.*)/if (are_apart || true)/ | agents_height | flat_agents
nearest_at_start        | s/t = .*;/t = 0; (void)path2; (void)closing;/ | agents_rules | stands_on_its_path
flat_climb              | s/step += .*;/(void)wish;/ | agents_height | at_horizontal_speed
falls_on_heads          | s/= .*;/= velocity;/ | agents_height | rests_on_heads
rests_on_a_neighbour    | s/!(result->reasons .*);/true;/ | agents_height | sinks_when_that_leaves
steps_lose_bits         | s/if (.*) /if (i > UINT32_MAX - 1) / | packet | every_bit
holes_are_filled        | s/if (surface ==.*)/if (surface > 256)/ | field | empty
hull_stops_between      | s/return side < 0 .*;/return side < 0;/ | solid | twelve_triangles
hits_ignored_group      | s/filter->ignored_group == placed->group/false/ | filters | group_that_they_ignore
backs_are_there         | s/hides = .*;/hides = false;/ | filters | agents_pass_the_backs
hits_ignored_surfaces   | s/if (is_ignored(.*))/if (caster->length < 0)/ | surfaces | not_there
closest_in_order_of_t   | s/return is_first;/return a->t < b->t;/ | sweep_all | alone
pair_without_cores      | s/(body, 0, at/(body, body->core_count, at/ | agent_pairs | proven_by_planes
agents_by_index         | s/ != id ?/ == 0 ?/ | agent_index | tests_of_each_agent
rough_bounds            | s/if (node->first)/if (node->count > 1)/ | bake | boxes_hold
box_without_edges       | s/apart = .*;/apart = false;/ | place | triangles_that_overlap
small_is_thin           | s/FLAT_SINE .*/THIN_HEIGHT);/ | place | small_triangles
weights_of_unmirrored   | s/mirrored ? 2 : 1/1/ | weights | add_up_to_the_point
cull_nearest            | s/<= most/<= most - .3/ | place | closest_to_an_ellipsoid
first_copy_found        | s/candidate_before(.*))/false)/ | copies | a_cast_hits_the_first
first_copy_on_a_ray     | s/ray_prefers(.*))/false)/ | copies | a_cast_hits_the_first
equal_copies_are_late   | s/= .*;/= true;/ | copies | a_cast_hits_the_first
copies_of_any_surface   | s/= .*;/= true;/ | copies | whose_surface_is_not_ignored
first_copy_is_nearest   | s/candidate_before(.*))/false)/ | copies | closest_triangle_is_the_first
past_one_side           | s/i < SIDES/i < 1/ | free_among_agents | places_on_the_floor
box_without_sides       | s/i < 12/i < 4/ | agent_pairs | each_overlap_and_distance_of_a_box
one_crossing            | s/take.*;/(void)0;/ | agent_pairs | each_overlap_and_distance_of_a_box
planes_without_circles  | s/take.*;/(void)0;/ | agent_pairs | each_overlap_and_distance_is_proven
box_depth_of_faces      | s/if (gap > best->gap).*/if (gap > best->gap \&\& axis.x * axis.y * axis.z == 0)/ | box_distance | no_displacement
capsule_of_two_ends     | s/core > 0/core > 1e9/ | ellipsoid_distance | each_distance_is_proven_by_its_contact
ellipsoid_without_edges | s/try_edge(trial, i, 1);/(void)i;/ | ellipsoid_distance | each_distance_is_proven_by_its_contact
edge_crossed_twice      | s/= .*;/= 1;/ | inside | an_edge_or_a_corner_counts_once
always_closed           | s/mixed(mixed(0, to), from)/mixed(mixed(0, from), to)/ | closed | a_missing_or_a_flipped_triangle
free_inside             | s/if (holder)/if (false)/ | closed | no_place_that_is_found_is_inside
never_past_edges        | s/branch_off(search, from, n, need);/(void)need;/ | find_free | hardly_farther
stands_anywhere         | s/is_blocked(/false \&\& is_blocked(/ | find_free | has_passed
no_rings                | s/= is_blocked(.*);/= true;/ | find_free | beside_nothing
never_drawn_near        | s/draw_near(search, &displacement);/false;/ | find_free | in_a_city
resize_without_touch    | s/ || .*;/ || deepest.contact.t >= 1;/ | resize | touches_the_ground_exactly
draw_without_ground     | s/is_hit = .*;/is_hit = false;/ | draw | each_triangle_of_a_contact
# The environment, and caches
host_denormals          | s/(0x1F80)/(0x1F80 | (host \& 0x8040))/ | environment | of_this_thread
host_rounding           | s/(0x1F80)/(0x1F80 | (host \& 0x6000))/ | environment | of_this_thread
host_traps              | s/(0x1F80)/(host \& 0x1F80)/ | environment | of_this_thread
not_restored            | s/_mm_setcsr(host);/(void)host;/ | environment | of_this_thread
absent_triangle_stays   | s/is_absent(.*))/false)/ | refit | come_back
parted_vertices_merged  | s/is_seen \&\& !is_at/false \&\& !is_at/ | refit | can_part_and_join
replaced_without_notice | s/slot->replaced = true;/(void)slot;/ | refit_world | notice_that_the_floor
cache_without_new_wall  | s/add_box(.*);/(void)after;/ | streaming | notice_what_changes
cache_of_older_world    | s/cache->resting == snapshot->resting/cache->resting != 0/ | variants | two_levels
cache_of_moved_wall     | s/sum->rests_as_before ? \(.*\) : .*;/\1;/ | world_motion | outlive_a_change
item_in_use_reclaimed   | s/oldest_retired(store)->epoch <= epoch/true/ | epochs | commits_before
leaf_box_only           | s/ \&\& node->parent != NO_PLACE/ \&\& false/ | long_life | along_a_line
carried_twice           | s/= .*;/= false;/ | riders | a_second_tick
first_move_lost         | s/joins \&\& /false \&\& joins \&\& / | riders | two_moves_before
id_of_another_world     | s/ \&\& placed->key == mover->state.ground.key// | riders | a_body_of_another_world
rests_in_another_world  | s/rest->resting == resting/resting != 0/ | rest | a_floor_that_moves
short_chains            | s/(PEER_ROUNDS + 4)/1/ | sleep | whatever_happens
slept_through_leaving   | s/mark_around(.*);/;/ | sleep | whatever_happens
slept_through_teleport  | s/mark_around(.*);/(void)there;/ | sleep | whatever_happens
slept_beside_fast       | s/return .*;/return (void)crowd, false;/ | sleep | whatever_happens
forgets_sleepers        | s/atomic_raise(.*);/;/ | sleep | whatever_happens
cells_share_marks       | s/ || .* == key)/ || true)/ | sleep | far_away
loses_marks             | s/__atomic_store_n(.*);/;/ | sleep | far_away
sleeping_support        | s/SLEEP_SUPPORT;/SLEEP_ASLEEP;/ | sleep | whatever_happens
contacts_of_another_move | s/rests = REST_NONE;/rests = scratch->cache->rests;/ | rest_pressed | somewhere_else
keeps_lost_contacts     | s/crowd->rests.memory)/false)/ | rest_pressed | more_agents
door_beside_rest        | s/return moves_in/return false \&\& moves_in/ | rest_pressed | door
cache_of_elsewhere      | s/(quad_less_equal(reach, half) \& 7) == 7/true/ | determinism | what_a_crowd_did_before
# Rays
ray_between_triangles   | s/return .*;/return false;/ | query | no_ray_leaves
# The tests between shapes
inexact_sign_2          | s/(.*)/0/ | intersect_exact | right_sign
inexact_sign_3          | s/(.*)/0/ | intersect_exact | right_sign
no_double_root          | s/(inside >= 0)/(inside > 0)/ | intersect_root | a_double_root
departing_hits          | s/!(inward > 0) || // | intersect_sphere_pair | first_to_last_contact
edge_before_face        | s/= [A-Z_]* /= 0 / | intersect_box_oracle | keeps_its_face
one_sided_sheet         | s/side >= 0/side > 0/ | intersect_levels_oracle | verdicts_are_exact
repeated_bake_task      | s/!__atomic_exchange_n(.*)/true/ | jobs | twice_or_out_of_order
pool_leaves_early       | s/gate & GATE_INSIDE/gate == 1/ | jobs | ends_after_its_last_range
repeated_task           | s/return .*;/return mixed - mixed + 1;/ | jobs | each_task_once
corner_beyond_cut       | s/here <= 0/here < 0/ | intersect_box_oracle | a_triangle_keep
EOF
}

# chosen WORD...: of a table's lines those whose name contains a word; without words, all.
chosen()
{
    while IFS= read -r line; do
        [ $# -gt 0 ] || printf '%s\n' "$line"
        for word in "$@"; do
            case ${line%%|*} in *"$word"*) printf '%s\n' "$line"; break ;; esac
        done
    done
}

programs=${SURVEY:-"sweep_oracle sweep_scenes closest_oracle precise_oracle leaks cases metamorphic environment brute_force variants instances
    invariants determinism walk steps carry leave push motion_room crowd_create crowd_tick crowd_moves crowd_strides ticks contacts world world_motion query query_capsules query_bits query_promises query_files defects mesh"}

copy=build/mutants/source
folder=build/mutants/build
log=build/mutants/log

# Only what differs, so that the build stays incremental; what is gone must not be built any more.
refresh()
{
    (cd "$copy" && find . -type f) | while read -r file; do
        [ -f "$file" ] || rm "$copy/$file"
    done
    for top in CMakeLists.txt README.md cmake include src tests tools fuzz docs; do
        find "$top" -type f
    done | while read -r file; do
        cmp -s "$file" "$copy/$file" && continue
        mkdir -p "$(dirname "$copy/$file")"
        cp "$file" "$copy/$file"
    done
}

# Nearly all of the time goes into compilation. So in the copy only eight lanes, which most tests use, are optimized, and AVX-512 is left
# out where it does not run.
quicken()
{
    sed -i 's/^set(width_flags_\([14]\) ""/set(width_flags_\1 -O0/' "$copy/src/CMakeLists.txt"
    ! grep -q avx512vl /proc/cpuinfo || return 0
    for width in 16 8_avx512; do
        file=src/widths/width_$width.c
        printf '%s\n' '#include "kernels/kernels.h"' "const Kernels sidle_kernels_$width = {0};" >"$temporary/width"
        cmp -s "$temporary/width" "$copy/$file" || cp "$temporary/width" "$copy/$file"
    done
}

build_test() # PROGRAM...
{
    targets=
    for program in "$@"; do
        targets="$targets test_$program"
    done
    cmake --build "$folder" -j "$jobs" --target $targets </dev/null >"$log" 2>&1
}

# Passes if the test does. A crash is a failure like any other, and so is a test that does not end. The test must not read
# the rest of the table from the loop's input.
run_test() # PROGRAM TEST
{
    timeout 120 "$folder/tests/test_$1" "$2" </dev/null >"$log" 2>&1
}

# split ROW: sets name, command, program and test. The command may hold bars: it is all between the first and the last
# but one.
split()
{
    name=${1%% *} rest=${1#* | }
    test=${rest##* | } rest=${rest% | *}
    program=${rest##* | } command=${rest% | *}
}

# All markers as lines of: fault, file, lines that it marks. A marker that is alone in its line marks the statement below.
markers()
{
    grep -rnE '/\* mutant: .* \*/$' src | awk '{
        split($0, at, ":")
        lines = at[2] (at[3] ~ /^ *\/\* mutant$/ ? ",/[;{]/" : "")
        sub(/.*\/\* mutant: /, "")
        sub(/ \*\/$/, "")
        count = split($0, names, ", ")
        for (i = 1; i <= count; ++i) print names[i], at[1], lines
    }'
}

files_of() # NAME
{
    printf '%s\n' "$marks" | awk -v name="$1" '$1 == name { print $2 }' | sort -u
}

# plant NAME COMMAND FILE OUT: writes the file with the fault to OUT; fails unless each marker has one line changed.
plant()
{
    printf '%s\n' "$marks" | command=$2 awk -v name="$1" -v file="$3" \
        '$1 == name && $2 == file { print $3 " " ENVIRON["command"] }' >"$temporary/sed"
    sed -f "$temporary/sed" "$3" >"$4"
    count=$(wc -l <"$temporary/sed")
    changed=$(diff "$3" "$4" | grep -c '^<' || true)
    if [ "$changed" != "$count" ]; then
        echo "FAILED: $1: $count markers in $3, $changed changed lines: $2"
        return 1
    fi
}

# plant_all NAME COMMAND: changes the copy.
plant_all()
{
    files=$(files_of "$1")
    [ -n "$files" ] || { echo "FAILED: $1: no marker in src"; return 1; }
    for file in $files; do
        plant "$1" "$2" "$file" "$copy/$file" || return 1
    done
}

restore()
{
    for file in $files; do
        cp "$file" "$copy/$file"
    done
}

# Whether the table, the markers and the tests agree.
check()
{
    failed=false
    while IFS= read -r row; do
        split "$row"
        files=$(files_of "$name")
        [ -n "$files" ] || { echo "FAILED: $name: no marker in src"; failed=true; }
        for file in $files; do
            plant "$name" "$command" "$file" "$temporary/planted" || failed=true
        done
        source=tests/test_$program.c
        [ -f "$source" ] || source=tests/intersect/test_${program#intersect_}.c
        grep -q "$test" "$source" ||
            { echo "FAILED: $name: no test of $program has the name $test"; failed=true; }
    done <"$temporary/all"
    sed 's/ *|.*//' "$temporary/all" | sort >"$temporary/names"
    for name in $(uniq -d "$temporary/names"); do
        echo "FAILED: $name: two faults have this name"
        failed=true
    done
    for name in $(printf '%s\n' "$marks" | cut -d' ' -f1 | sort -u | comm -23 - "$temporary/names"); do
        echo "FAILED: $name: a marker without a fault"
        failed=true
    done
    ! $failed
}

survey() # NAME
{
    build_test $programs || { echo "$1: does not compile"; tail -n 5 "$log"; return 0; }
    for program in $programs; do
        timeout 120 "$folder/tests/test_$program" </dev/null >"$log" 2>&1 || true
        grep -q ' tests passed' "$log" || echo "$1: $program crashes or does not end"
        sed -n "s/^FAILED /$1: /p" "$log"
    done
}

# The same tests on the untouched copy: a test that fails anyway, or is not there, finds nothing.
check_untouched()
{
    sed 's/.*|\([^|]*\)|\([^|]*\)$/\1 \2/' build/mutants/table | sort -u >build/mutants/tests
    build_test $(awk '{ print $1 }' build/mutants/tests | sort -u) || { tail -n 20 "$log"; return 1; }
    while read -r program test; do
        run_test "$program" "$test" || { echo "FAILED: $program/$test fails without any fault"; return 1; }
    done <build/mutants/tests
}

temporary=$(mktemp -d)
trap 'rm -r "$temporary"' EXIT
marks=$(markers)
table >"$temporary/all"
if [ "${1:-}" = --check ]; then
    check
    echo "$(wc -l <"$temporary/all") faults have their markers and tests"
    exit
fi

failures=0 caught=0
mkdir -p "$copy"
refresh
quicken
(cd "$copy" && build ../build sidle_test_support -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DSIDLE_PLAIN_TESTS=ON -DSIDLE_BUILD_BENCH=OFF -DSIDLE_BUILD_EXAMPLES=OFF) >"$log" 2>&1 || { cat "$log"; exit 1; }

surveys=false
[ "${1:-}" != --survey ] || { surveys=true; shift; }

chosen "$@" <"$temporary/all" >build/mutants/table
faults=$(wc -l <build/mutants/table)
[ "$faults" -gt 0 ] || { echo "FAILED: no fault has a name with $*"; exit 1; }
$surveys || check_untouched
while IFS= read -r row; do
    split "$row"
    files=
    if ! plant_all "$name" "$command"; then
        failures=$((failures + 1))
    elif [ "$files" = src/base/fp_environment.h ] && [ "$(uname -m)" != x86_64 ]; then
        echo "$name: not on this processor"
        faults=$((faults - 1))
    elif $surveys; then
        survey "$name"
    elif ! build_test "$program"; then
        echo "FAILED: $name: does not compile"
        grep error "$log" | head -n 3
        failures=$((failures + 1))
    elif run_test "$program" "$test"; then
        echo "SURVIVES: $name: $program/$test finds nothing"
        failures=$((failures + 1))
    else
        printf '%-24s found by %s/%s\n' "$name" "$program" "$test"
        caught=$((caught + 1))
    fi
    restore
done <build/mutants/table
$surveys && exit
echo "$caught faults found, $failures failures"
[ $((caught + failures)) -eq "$faults" ] || { echo "FAILED: that is not each of $faults"; exit 1; }
[ "$failures" = 0 ]
