#!/bin/sh
# Can the tests fail? Plants one fault after another in a copy of the sources and demands that a named test finds it.
#     mutants.sh               all of them
#     mutants.sh WORD...       those whose name contains a word
#     mutants.sh --survey ...  lists every test that finds each, of the programs in SURVEY, to choose one by
# Fails where the untouched copy fails, where a line to be changed is no longer there, and where nobody notices.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh

# A fault a line: name | file | sed command | test program | part of the name of the test that must fail.
table()
{
    grep -v '^#' <<'EOF'
# touches
edge without max(c, 0)     | src/kernels/features.inl   | s/lanes_div(lanes_max(rim->c, zero), lanes_sub(rim->root, rim->away))/lanes_div(rim->c, lanes_sub(rim->root, rim->away))/ | sweep_oracle | float_lanes_keep
face without max(s - R, 0) | src/kernels/features.inl   | s/lanes_max(lanes_sub(descent.height, sweep->radius), zero)/lanes_sub(descent.height, sweep->radius)/ | sweep_oracle | float_lanes_keep
corner without k > 0       | src/kernels/features.inl   | s/lanes_less(zero, lanes_min(h, k))/lanes_less(zero, h)/ | sweep_oracle | float_lanes_keep
edge without k > 0         | src/kernels/features.inl   | s/Mask comes = lanes_less(rim->away, zero);/Mask comes = lanes_less_equal(rim->away, rim->away);/ | sweep_oracle | float_lanes_keep
no late face               | src/kernels/sweep.inl   | s/first = lanes_min(sweep_late_faces(block, sweep), first);// | sweep_scenes | enters_a_face_over_its_edge
no late edge               | src/kernels/features.inl   | s/mask_or(late, mask_and(between, mask_or(deep, is_there)))/mask_and(between, mask_or(deep, is_there))/ | sweep_scenes | enters_an_edge_over_its_corner
no free leave              | src/kernels/sweep.inl   | s/mask_bits(inside) ? held_or_free/mask_bits(inside) > 0xffff ? held_or_free/ | sweep_oracle | leaves_it_freely
held later                 | src/kernels/sweep.inl   | s/path_begins_near(path, sweep, lanes_less(first, lanes_set((Real)INFINITY)))/lanes_less_equal(first, lanes_set(0))/ | sweep_oracle | leaves_it_freely
fast path decides all      | src/kernels/sweep.inl   | s/mask_bits(mask_and(unsure, asked)) ? sweep_rims_exact(block, sweep) : first/first/ | sweep_scenes | enters_an_edge_over_its_corner
graze by slope alone       | src/kernels/features.inl   | s/return mask_or(lanes_less(lanes_set((Real)GRAZE_SLOPE), approach),/return mask_and(lanes_less(lanes_set((Real)GRAZE_SLOPE), approach),/ | cases | n53_
deep graze                 | src/kernels/constants.h | s/GRAZE_OF_SLACK .5/GRAZE_OF_SLACK 1/ | cases | n53_
a hit at the end is none   | src/kernels/features.inl   | s/lanes_less_equal(descent.t, sweep->length)/lanes_less(descent.t, sweep->length)/ | query_promises | touching_at_the_very_end
a face reaches beyond      | src/kernels/features.inl   | s/mask_and(descent.comes, lanes_less_equal(zero, least))/descent.comes/ | sweep_oracle | float_lanes_keep
one side of a face         | src/kernels/features.inl   | s/lanes_select(lanes_less(path->distance, zero), path->rate, lanes_negate(path->rate))/lanes_negate(path->rate)/ | leaks | shared_edge
a unit is a unit           | src/kernels/features.inl   | s/lanes_mul(k, sweep->excess)/lanes_mul(k, lanes_set(0))/ | sweep_scenes | however_the_direction_is_rounded
a foot that leans          | src/kernels/closest.inl | s/q = lane3_select(between, across, q);/(void)between, (void)across;/ | defects | d13
held by an edge it is on   | src/kernels/sweep.inl   | s/held = mask_and(held, lanes_less(error, distance));/(void)error;/ | sweep_scenes | leaves_it_any_way
a crumb that leans         | src/kernels/constants.h | s/#define SHORTEST_EDGE2_DOUBLE 1e-286/#define SHORTEST_EDGE2_DOUBLE 1e-300/ | sweep_scenes | end_of_double
# what is left out, and where float serves
cull too tight             | src/kernels/path.inl    | s/(Real)(query->radius + query->slack)/(Real)(query->radius - query->slack)/ | sweep_oracle | float_lanes_keep
a lane too many            | src/kernels/setup.inl  | s/lanes_less(lanes_load(places), lanes_set((Real)used))/lanes_less_equal(lanes_load(places), lanes_set((Real)used))/ | closest_oracle | every_width
cull within an edge        | src/kernels/path.inl    | s/lanes_less_equal(most_outside2(far), rest2)/lanes_less_equal(most_outside2(far), lanes_set(0))/ | leaks | shared_edge
reach not inflated         | src/kernels/append.inl  | s/lanes_mul(lanes_set((Real)doubt), size\[.\])/lanes_set(0)/ | brute_force | by_a_hair
float for everything       | src/kernels/setup.inl  | s/return mask_without(every, mask_and(is_small, .*;/return mask_without(every, every);/ | leaks | shared_edge
a turned space in float    | src/kernels/setup.inl  | s| / condition;|;| | sweep_scenes | what_the_condition_leaves
a turned tip in float      | src/kernels/setup.inl  | s/(Real)FLOAT_ROUNDOFF \* condition/(Real)FLOAT_ROUNDOFF/ | sweep_scenes | what_the_condition_leaves
a normal that leans        | src/kernels/setup.inl  | s/n = straighten(n, shape);// | sweep_oracle | float_lanes_keep
a crumb has edges          | src/kernels/block.inl   | s/Mask is_short = lanes_less_equal(e2, shortest_edge2());/Mask is_short = lanes_less(e2, lanes_set(0));/ | sweep_scenes | of_any_shortness
needles have a face        | src/kernels/constants.h | s/#define THIN_HEIGHT .014/#define THIN_HEIGHT 1e-9/ | closest_oracle | double_lanes_keep
float centre alone         | src/narrow/view.h       | s/quad_store_floats(t->low, .*;/quad_store_floats(t->low, quad_all(0));/ | brute_force | far_from_the_mesh
gather without the skin    | src/crowd/crowd.c       | s/out->reach = out->swept + out->look_ahead + out->slack;/out->reach = 1;/ | walk | a_fall_ends_one_skin_above
# who wins
ties by place              | src/kernels/sweep.inl   | s/winner == NO_HIT || candidate_before(&candidates\[candidate\], &candidates\[winner\])/winner == NO_HIT/ | sweep_oracle | order_of_the_candidates
on to where double hits    | src/narrow/query.inl    | s/seen.t > answer.t + time_tolerance(c, answer.candidate)/false/ | capsule_oracle | between_the_times
float before double        | src/narrow/query.inl    | s/return candidate_before(candidate_of(c, b.candidate), candidate_of(c, a.candidate)) ? b : a;/return a;/ | variants | tie_of_float_and_double
winding of mirrors         | src/kernels/append.inl  | s/mirrored \&\& i > 0 ? 3 - i : i/i/ | instances | mirrored
# the response
no pull-back               | src/crowd/slide.inl     | s/return s \* approach > SETTLED ? s : 0;/return hit->contact.t;/ | cases | n01_
trembling at rest          | src/crowd/slide.inl     | s/return s \* approach > SETTLED ? s : 0;/return fmax(s, 0);/ | walk | stands_on_a_slope_and_wants_nothing
projects what is left      | src/crowd/slide.inl     | s/w = project_on(end, s->displacement);/w = s->displacement = project_on(end, s->displacement);/ | invariants | pushed_into_a_corner
the first of equals        | src/crowd/project.c     | s/length2 == best->length2 \&\& lies_further(x, best->x)/false/ | project | no_order_says_which_way
flattest within rounding    | src/crowd/ground.inl    | s/more > 0 || (more == 0 /more > -1e-15 || (more == 0 / | ground | the_tree_does_not_choose
equally flat by place      | src/crowd/ground.inl    | s/(more == 0 \&\& candidate_before(candidate_of(c, faces\[i\]), candidate_of(c, best)))/more == 0/ | ground | the_tree_does_not_choose
a needle faces somewhere   | src/crowd/ground.inl    | s/if (!triangle_has_face(v, n))/if (vec3_is_zero(n))/ | ground | needle_makes_no_slope
faces meet at any skin     | src/crowd/ground.inl    | s/return AT_CONTACT \* mover->profile->slack;/return mover ? 1e-3 : 0;/ | ground | kerb_is_climbed
a rider leans freely       | src/crowd/push.inl      | s/center = mover->frame->center, from = motion_takes(motion, slice->start);/center = mover->frame->center, from = slot == slice->carrier ? slice->target : motion_takes(motion, slice->start);/ | leave | cabin_that_tilts
a lean in one slice        | src/crowd/carry.inl     | s/lean > LARGEST_LEAN \* radius \* count/false/ | leave | cabin_that_tilts
any displacement           | src/crowd/agent.inl     | s/(int)MOVE_FLOATS, longest)/(int)MOVE_FLOATS, 3e38f)/ | crowd | farther_than_ten_thousand
copies crowd out           | src/narrow/near.inl     | s/return a->feature == b->feature \&\&/return a == b \&\&/ | ground | copies_of_one_side
one plane at a time        | src/crowd/slide.inl     | s/< PLANE_MEMORY \* PLANE_MEMORY/< 0/ | defects | d28
no look beyond the path    | src/crowd/slide.inl     | s/length + profile->look_ahead/length/ | walk | a_fall_ends_one_skin_above
short by the ellipsoid     | src/crowd/slide.inl     | s/if (!(asked2 > shortest2))/if (vec3_length(frame_to_ellipsoid(\&mover->frame, displacement)) < SHORTEST_MOTION)/ | invariants | some_millionths
recovery at any speed      | src/crowd/recover.inl   | s/share = lesser(share, left .*;/share = share;/ | steps | pushed_out_no_faster
a nose launches            | src/crowd/slide.inl     | s/MOST_PULL_BACK \* mover/1e9 * mover/ | noses | a_capsule_between_two_noses
a line is a groove         | src/crowd/ground.inl    | s/bool is_before = j < i ||/bool is_before =/ | slope_limit | a_line_that_runs_down
no gap is bridged          | src/crowd/follow.inl    | s/return length + distance_ahead(mover, across) <= width;/return false;/ | ledges | deep_gap
rolls at any speed         | src/crowd/follow.inl    | s/landing->drop <= allowed->fall \&\&/true \&\&/ | ledges | grows_by_no_more
stops at a sheet           | src/crowd/ground.inl    | s/ || is_top(mover, hit))/)/ | obstacles | a_sheet
climbs without a word      | src/crowd/walk.inl      | s/mover->reasons |= SIDLE_REASON_EDGE;// | obstacles | gives_a_reason
a step shows at once       | src/crowd/walk.inl      | s/double shown = lesser(.*;/double shown = mover->step_offset + risen;/ | smoothing | no_steeper
a steep kerb is a wall     | src/crowd/step.inl      | s/return is_low \&\& land_on_face_of_kerb(mover, low, down);/return false;/ | obstacles | sloping_face
held by a nose             | src/crowd/follow.inl    | s/bool sinks = drop < clear/bool sinks = clear < 0/ | noses | steepest_flights
no step over               | src/crowd/walk.inl      | s/share_done(mover, before->start, displacement) < NEARLY_ALL/false/ | steps | at_the_speed_of_the_flat
wedged is airborne         | src/crowd/ground.inl    | s/if (count < 2 ||/if (count < 99 ||/ | steps | who_is_wedged
recovery through walls     | src/crowd/recover.inl   | s/!candidates_block_segment(mover->candidates, mover->position, next)/true/ | cases | n51_
no step height             | src/crowd/ground.inl    | s/return height_of(mover, hit) > mover->profile->step_up;/return mover != NULL \&\& hit == NULL;/ | walk | a_kerb_up_to
turns by tick in the air   | src/crowd/walk.inl      | s/turn \/ (1 + turn \/ 2)/turn/ | motion | where_two_seconds_lead_does
too high is a slope        | src/crowd/slide.inl     | s/if (is_too_high(mover, hit, m))/if (false)/ | reasons | a_rim_that_could
an agent is a wall         | src/crowd/slide.inl     | s/if (is_agent(mover, hit))/if (false)/ | reasons | who_stands_for_an_agent
stepped over hinders       | src/crowd/step.inl      | s/^    mover->reasons = reasons .*CONTACTS);// | reasons | hindered_nobody
capsules without rims      | src/kernels/capsule.inl | s/return sweep_edge(\&rim, ball, unsure, first);/return first;/ | capsule_oracle | float_lanes_keep
capsules held later        | src/kernels/capsule_sweep.inl | s/mask_or(begun, core_still_reaches(block, sweep, zero, hit))/begun/ | capsule_oracle | float_lanes_keep
held by what it crosses    | src/kernels/capsule_sweep.inl | s/held \&\& closest.t > larger(error, NO_DIRECTION)/held \&\& error >= 0/ | capsule_oracle | float_lanes_keep
a wall at the core's end   | src/kernels/capsule_contact.inl | s/if (low <= high)/if (low > high)/ | capsule_oracle | along_a_wall
any place on parallels     | src/kernels/capsule_contact.inl | s/#define PARALLEL2 1e-22/#define PARALLEL2 1e-12/ | query_capsules | capsules_along_edges
a needle has a back        | src/kernels/setup.inl | s/mask_and(face_exists(\&face), lanes_less(lanes_set(0), face.plane))/lanes_less(lanes_set(0), face.plane)/ | capsule | both_sides_of_a_needle
# moving ground
rides by the centre        | src/crowd/carry.inl     | s/return vec3_add(motion_takes(motion, frame->center), lean);/return motion_takes(motion, frame->center);/ | carry | keeps_the_foot
rides what took its slot   | src/crowd/carry.inl     | s/snapshot_has(mover->snapshot, id)/id.generation/ | leave | what_is_gone
follows whatever drops     | src/crowd/carry.inl     | s/return sinks <= larger(.*;/return sinks <= INFINITY;/ | carry | drops_faster
lands on what drops away   | src/crowd/walk.inl      | s/mover->grounded = rise <= .*;/mover->grounded = true;/ | leave | a_jump_leaves
leaves without speed       | src/crowd/carry.inl     | s/return mover->rides ? mover->carried/return mover->rides ? vec3(0, 0, 0)/ | leave | leaves_with_the_trains
falls onto no lift         | src/crowd/push.inl      | s/if (!mover->grounded \&\& below.instance.generation != 0)/if (false)/ | leave | slower_than_the_lift
pushed without a way out   | src/crowd/push.inl      | s/return share < LEAST_SHARE ||/return share < 2 ||/ | push | along_a_corridor
swept where it ends alone  | src/crowd/push.inl      | s/from = motion_takes(motion, slice->start);/from = slice->start;/ | push | takes_along_whom_it_meets
pushed into the wall       | src/crowd/push.inl      | s/slide_among(mover, FILTER_RESTING, 0, start, push, \&end)/slide_among(mover, FILTER_SLOT, UINT32_MAX, start, push, \&end)/ | push | nobody_gets_through
gone through in silence    | src/crowd/push.inl      | s/mover->crushed || pushes.left > 1/mover->crushed/ | push | in_one_tick
what creeps carries nobody | src/crowd/carry.inl     | s/SLIDE_HOWEVER_SHORT, end/0, end/ | carry | what_creeps
# the environment and what is kept
host's denormals           | src/base/fp_environment.h | s/_mm_setcsr(0x1F80);/_mm_setcsr(0x1F80 | (host \& 0x8040));/ | environment | of_this_thread
host's rounding            | src/base/fp_environment.h | s/_mm_setcsr(0x1F80);/_mm_setcsr(0x1F80 | (host \& 0x6000));/ | environment | of_this_thread
host's traps               | src/base/fp_environment.h | s/_mm_setcsr(0x1F80);/_mm_setcsr(host \& 0x1F80);/ | environment | of_this_thread
environment not put back   | src/base/fp_environment.h | s/_mm_setcsr(host);/(void)host;/ | environment | of_this_thread
triangles of an older world | src/narrow/gather.inl   | s/return cache->resting == resting \&\&/return cache->resting != 0 \&\& resting != 0 \&\&/ | variants | two_levels
a wall that was moved      | src/world/world.c       | s/rests_as_before(world) ? world->current->resting : 0/world->current->resting/ | world_motion | outlive_a_change
triangles of elsewhere     | src/narrow/gather.inl   | s/(quad_less_equal(reach, half) \& 7) == 7;/true;/ | determinism | what_a_crowd_did_before
# rays
a ray between triangles    | src/kernels/ray.inl     | s/return above != below;/return false;/ | query | no_ray_leaves
# the small tests between shapes
signs from plain numbers   | src/intersect/exact.h   | s/#define EXACT_FILTER_2 (5 \* EXACT_UNIT)/#define EXACT_FILTER_2 0/ | intersect_exact | right_sign
volumes from plain numbers | src/intersect/exact.h   | s/#define EXACT_FILTER_3 (10 \* EXACT_UNIT)/#define EXACT_FILTER_3 0/ | intersect_exact | right_sign
a double root is none      | src/intersect/quadratic.c | s/if (!(inside >= 0))/if (!(inside > 0))/ | intersect_root | a_double_root
leaving is arriving        | src/intersect/sphere_sweep.c | s/.misses = !(inward > 0) ||/.misses =/ | intersect_sphere_pair | first_to_last_contact
an edge beats a face       | src/intersect/box_pair.c | s/pair->rest = BOX_REST \* lesser(/pair->rest = 0 * lesser(/ | intersect_box_oracle | keeps_its_face
only one side of a sheet   | src/intersect/levels_pair.c | s/left = left \&\& side >= 0;/left = left \&\& side > 0;/ | intersect_levels_oracle | verdicts_are_exact
a bake's task again        | src/mesh/bake.c         | s/!__atomic_exchange_n(&bake->begun\[first + task\], 1, __ATOMIC_RELAXED)/true/ | jobs | twice_or_out_of_turn
a task is a task           | src/jobs/work.c         | s/return mixed ^ mixed >> 29;/return mixed - mixed + 1;/ | jobs | each_task_once
a corner beyond the cut    | src/intersect/box_parts.c | s/here <= 0 \&\& kept.count/here < 0 \&\& kept.count/ | intersect_box_oracle | a_triangle_keep
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
    invariants determinism walk steps carry leave push motion_room crowd ticks contacts world world_motion query query_capsules query_bits query_promises query_files defects mesh"}

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

build_test() # PROGRAM...
{
    targets=
    for program in "$@"; do
        targets="$targets test_$program"
    done
    cmake --build "$folder" -j "$jobs" --target $targets </dev/null >"$log" 2>&1
}

# Passes if the test does; a crash or a test that does not end is a failure like any other. Nobody may read the rest of
# the table from the loop's input.
run_test() # PROGRAM TEST
{
    timeout 120 "$folder/tests/test_$1" "$2" </dev/null >"$log" 2>&1
}

trim()
{
    printf '%s' "$1" | sed 's/^ *//;s/ *$//'
}

# plant NAME FILE COMMAND: changes the copy; fails if nothing changes.
plant()
{
    sed "$3" "$2" >"$copy/$2"
    if cmp -s "$2" "$copy/$2"; then
        echo "FAILED: $1: what is to be changed is no longer in $2: $3"
        return 1
    fi
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

failures=0 caught=0
mkdir -p "$copy"
refresh
(cd "$copy" && build ../build sidle_test_support -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-O1 \
    -DSIDLE_PLAIN_TESTS=ON -DSIDLE_BUILD_BENCH=OFF -DSIDLE_BUILD_EXAMPLES=OFF) >"$log" 2>&1 || { cat "$log"; exit 1; }

surveys=false
[ "${1:-}" != --survey ] || { surveys=true; shift; }

table >build/mutants/all
if [ "$(uname -m)" != x86_64 ]; then # the lines to be changed are another processor's
    grep -v '| src/base/fp_environment.h ' build/mutants/all >build/mutants/rest
    mv build/mutants/rest build/mutants/all
fi
chosen "$@" <build/mutants/all >build/mutants/table
faults=$(wc -l <build/mutants/table)
[ "$faults" -gt 0 ] || { echo "FAILED: no fault has a name with $*"; exit 1; }
$surveys || check_untouched
while IFS= read -r line; do
    bar='[^|]*'
    name=$(trim "$(expr "$line" : "\($bar\)|")")
    file=$(trim "$(expr "$line" : "$bar|\($bar\)|")")
    # The command may hold bars: it is what stands between the second and the last but one.
    rest=${line#*|}; rest=${rest#*|}
    test=$(trim "${rest##*|}"); rest=${rest%|*}
    program=$(trim "${rest##*|}"); command=$(trim "${rest%|*}")
    if ! plant "$name" "$file" "$command"; then
        failures=$((failures + 1))
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
        printf '%-28s found by %s/%s\n' "$name" "$program" "$test"
        caught=$((caught + 1))
    fi
    cp "$file" "$copy/$file"
done <build/mutants/table
$surveys && exit
echo "$caught faults found, $failures failures"
[ $((caught + failures)) -eq "$faults" ] || { echo "FAILED: that is not each of $faults"; exit 1; }
[ "$failures" = 0 ]
