#!/bin/sh
# The long proofs, hours on two cores: a million queries or 50,000 scenes for every oracle, ten million against the error
# law and four million shots at seams, real and generated levels at full length, equal bits over threads, lanes, compilers and
# processors, faults that the tests must find, fuzzed readers and geometry. Leaves what each run printed in build/proofs.
#     prove.sh            all parts, in order
#     prove.sh PART...    some: tests law seams levels motion casts worst bits faults fuzz
# The part worst searches for the longest move for WORST_SECONDS (600), from WORST_SEED (1) on.
# build/proofs/proven lists each part that held, with its commit.
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh
. cmake/checks.sh

all='tests law seams levels motion casts worst bits faults fuzz'
[ $# -gt 0 ] || set -- $all
for part in "$@"; do
    case " $all " in
        *" $part "*) ;;
        *) echo "usage: sh cmake/prove.sh [PART...], of $all" >&2; exit 2 ;;
    esac
done

packages $library_packages $program_packages libcriterion-dev libmpfr-dev binutils $map_packages
build build/release all -DCMAKE_BUILD_TYPE=Release -DSIDLE_BUILD_TESTS=ON -DSIDLE_BUILD_BENCH=ON

program=build/release/sidle
results=build/proofs
mkdir -p "$results"

prove_tests()
{
    echo "== tests, a million queries each, or 50,000 scenes"
    SIDLE_QUERIES=1000000 SIDLE_SCENES=50000 ctest --test-dir build/release --parallel "$jobs" --output-on-failure --no-tests=error
}

prove_law()
{
    echo "== the error law, ten million queries"
    SIDLE_QUERIES=10000000 build/release/tests/test_sweep_oracle --jobs "$jobs"
}

prove_seams()
{
    echo "== seams, a million shots at each kind"
    SIDLE_SHOTS=1000000 build/release/tests/test_leaks --jobs "$jobs"
}

prove_levels()
{
    echo "== real levels"
    for map in oa_minia am_underworks2; do
        crowd "$map" "$maps/pak6-patch085.pk3:$map" --agents 2000 --ticks 600
    done

    echo "== generated levels"
    for level in city terrain:1024 dungeon; do
        crowd "$level" "gen:$level" --agents 10000 --ticks 1200
        holds 'fell_out == 0' "$results/$level.json"
    done
    holds 'blocked_share >= .1' "$results/city.json"
}

prove_motion()
{
    echo "== motion: the tables of docs/motion.md and docs/crowd, crowds at doors, and no agent stuck"
    sh cmake/motion.sh --check build/release/tests/motion_table
    sh cmake/crowd.sh --check build/release/tests/crowd_table
    SIDLE_STARTS=100 build/release/tests/test_agents_doors --filter '*/*door*'
    for level in city terrain:256 dungeon stairs "$maps/pak6-patch085.pk3:oa_minia" "$maps/pak1-maps.pk3:oa_dm4"; do
        case $level in
            *.pk3:*) name=stuck-${level##*:} ;;
            *) name=stuck-$level level=gen:$level ;;
        esac
        crowd "$name" "$level" --agents 2000 --ticks 10000 --watch-stuck
        holds 'stuck == 0' "$results/$name.json"
    done
    for level in city dungeon; do
        crowd "collide-$level" "gen:$level" --agents 2000 --ticks 2000 --agents-collide --watch-stuck
        holds 'stuck == 0' "$results/collide-$level.json"
    done
    # Quake 3 keeps players in many of its maps with brushes that have no faces; oa_dm4 needs none.
    for level in city terrain:256 dungeon stairs oa_dm4; do
        holds 'fell_out == 0' "$results/stuck-$level.json"
    done
}

prove_casts()
{
    echo "== casts against brute force in double"
    for level in gen:city gen:terrain:256 gen:dungeon "$maps/pak6-patch085.pk3:oa_minia" "$maps/pak6-patch085.pk3:am_underworks2"; do
        json=$results/cast-${level##*:}.json
        "$program" cast "$level" --random 200000 --check --json >"$json" || { cat "$json"; exit 1; }
        cat "$json"
        [ "$(number disagreements "$json")" = 0 ] || { echo "FAILED: $json does not say that nothing disagrees"; exit 1; }
        # Where all miss there is little to disagree about.
        hits=$(number hits "$json")
        [ "${hits:-0}" -gt 0 ] || { echo "FAILED: nothing is hit in $json"; exit 1; }
    done
}

# The only part that times anything. Times are processor time, the least of several repeats of a move counts, and the lesser of two
# runs of its scene, so that other programs on the machine rarely fail it.
prove_worst()
{
    echo "== hostile worlds: no move takes longer than a millisecond"
    status=0
    build/release/bench/worst_move --seed "${WORST_SEED:-1}" --seconds "${WORST_SECONDS:-600}" --over 1000 \
        >"$results/worst.txt" || status=$?
    cat "$results/worst.txt"
    [ "$status" = 0 ] || { echo "FAILED: a move takes longer: $results/worst.txt"; exit 1; }
}

prove_bits()
{
    echo "== the same bits everywhere"
    sh cmake/determinism.sh
}

prove_faults()
{
    echo "== faults that the tests must find"
    sh cmake/mutants.sh
}

prove_fuzz()
{
    echo "== fuzzing, a minute each"
    FUZZ_SECONDS=60 sh cmake/fuzz.sh
}

commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
for part in "$@"; do
    "prove_$part"
    echo "$part $commit" >>"$results/proven"
done
echo "everything holds"
