#!/bin/sh
# The proof of "the same bits everywhere": the same crowds at every width, on any
# number of threads, through any jobs, by several compilers, optimised or not, and on other processors must all end in
# the states that tests/golden.txt holds.
#     sh cmake/determinism.sh             compares, and leaves the table in build/proofs/determinism.md
#     sh cmake/determinism.sh --update    if all agree, writes tests/golden.txt and the states in docs/determinism.md anew
set -eu
cd "$(dirname "$0")/.."
. cmake/setup.sh
. cmake/cross.sh

golden=tests/golden.txt
page=docs/determinism.md
results=build/proofs
table=$results/determinism.md
levels="city terrain:256 dungeon"
crowd="--agents 2000 --ticks 300"
failed='' everywhere=everywhere
mkdir -p "$results"

case ${1:-} in
    '')
        update=false
        expected=$(sed -n 's/.* 2000 300 //p' "$golden")
        ;;
    --update)
        update=true
        expected='' # what the first row ends in
        ;;
    *)
        echo "usage: sh cmake/determinism.sh [--update]" >&2
        exit 2
        ;;
esac

# state_of COMMAND...: of the state in which a run ends. One that prints a state and then fails has none.
state_of()
{
    "$@" --json >"$results/state.json" 2>"$results/determinism.log" || { echo failed; return 0; }
    found=$(sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p' "$results/state.json")
    echo "${found:-none}"
}

# at WIDTH COMMAND...: what runs it so. Eight lanes are there twice; 8avx2 are those of processors without AVX-512.
at()
{
    case $1 in
        8avx2) shift; echo "env SIDLE_AVX512=0 $* --lanes 8" ;;
        *) lanes=$1; shift; echo "$* --lanes $lanes" ;;
    esac
}

# check_states WORD...: there must be one for each level.
check_states()
{
    echo "$*" | grep -qE '^[0-9a-f]{16} [0-9a-f]{16} [0-9a-f]{16}$' ||
        { echo "FAILED: not a state for each of $levels: $*"; return 1; }
}

# row BUILD RUN WIDTHS PROGRAM [OPTION...]: one of the table. PROGRAM may be several words, none of which holds a space.
row()
{
    built=$1 how=$2 widths=$3 start=$4
    shift 4
    hashes='' line="| $built | $how |"
    for level in $levels; do
        ends=$(for width in $widths; do
            state_of $(at "$width" "$start" crowd "gen:$level" $crowd) "$@"
        done | sort -u | paste -sd / -)
        hashes="$hashes $ends"
        line="$line \`$ends\` |"
    done
    echo "$line" | tee -a "$table"
    expected=$(echo ${expected:-$hashes})
    [ "$(echo $hashes)" = "$expected" ] || { echo "FAILED: that differs from $expected"; failed=yes; }
    # Short runs, also of agents that collide. Eight lanes of AVX2 are the test golden_of_avx2.
    $update || GOLDEN_LANES="$(echo "$widths" | sed s/8avx2//)" GOLDEN_OPTIONS="$*" sh cmake/golden.sh 300 $start || failed=yes
}

# variant FLAGS COMPILER NAME [-DOPTION...]: builds the program so and lets it run at every width.
variant()
{
    flags=$1 compiler=$2 name=$3
    shift 3
    folder=build/bits-$(echo "$name $flags" | tr -cs 'A-Za-z0-9\n' -)
    build "$folder" sidle_program -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" \
        -DSIDLE_BUILD_TESTS=OFF -DSIDLE_BUILD_BENCH=OFF -DSIDLE_BUILD_EXAMPLES=OFF "$@" >"$results/determinism.log" ||
        { cat "$results/determinism.log"; return 1; }
    program=$folder/sidle
    all=''
    for width in 1 4 8avx2 8 16; do
        if $(at "$width" "$program" crowd gen:stairs --agents 1 --ticks 1) --json >"$results/determinism.log" 2>&1; then
            all="$all $width"
        elif grep -q 'a width that cannot run here' "$results/determinism.log"; then
            absent "$width lanes"
        else
            cat "$results/determinism.log"
            echo "FAILED: $name $flags at $width lanes"
            failed=yes
        fi
    done
    row "$name \`$flags\`" "$(echo $all | sed 's/ /, /g; s/8avx2/8 of AVX2/') lanes" "$all" "$program" --threads 1
}

# absent WHAT: the table of the docs is whole, or it stays as it was.
absent()
{
    echo "no $1 here, so that is skipped"
    everywhere='wherever this machine can compute'
    if $update; then failed=yes; fi
}

# crossed NAME PACKAGES: whether there is a program for another processor. Skipped only where
# there are no packages for it.
crossed()
{
    log=$results/$1.log
    if ! (packages $2) >"$log" 2>&1; then
        absent "build for $1"
        return 1
    fi
    if ! (cross_$1 sidle_program) >"$log" 2>&1; then
        tail -n 20 "$log"
        echo "FAILED: the build for $1"
        failed=yes
        return 1
    fi
}

# replace_table: between the two lines of the page that hold comments. All rows agree, so the page has the states only.
replace_table()
{
    {
        echo '| level | `state_hash` |'
        echo '|---|---|'
        set -- $expected
        for level in $levels; do
            echo "| $level | \`$1\` |"
            shift
        done
    } >"$results/states.md"
    awk -v table="$results/states.md" '
        /^<!-- end of the table/ { inside = 0 }
        !inside { print }
        /^<!-- the table/ { inside = 1; while ((getline line < table) > 0) print line }' "$page" >"$results/page.md"
    cp "$results/page.md" "$page"
}

write_golden()
{
    {
        echo "# level, agents, ticks, state_hash and option of \`sidle crowd\`, written by \`sh cmake/determinism.sh --update\`"
        set -- $expected
        for level in $levels; do
            echo "$level 2000 300 $1"
            shift
        done
        for level in $levels; do
            echo "$level 300 60 $(state_of "$native" crowd "gen:$level" --agents 300 --ticks 60)"
        done
        for run in "city --agents-collide" "dungeon --agents-collide" "city --steer"; do
            level=${run%% *} option=${run#* }
            echo "$level 300 60 $(state_of "$native" crowd "gen:$level" --agents 300 --ticks 60 "$option") $option"
        done
    } >"$results/golden.txt"
    cp "$results/golden.txt" "$golden"
}

$update || check_states $expected # without them the first row would be compared with itself
packages $library_packages
packages clang-19 -- lld-19 llvm-19 || packages clang -- lld llvm || true
gcc="gcc $(gcc -dumpfullversion)"
{
    echo '| build | run | city | terrain:256 | dungeon |'
    echo '|---|---|---|---|---|'
} | tee "$table"

variant "-O3" gcc "$gcc"
native=$program
for threads in 2 3 5 8 16; do
    row "$gcc \`-O3\`" "pool of $threads threads" 0 "$native" --threads "$threads"
done
for threads in 1 5; do
    row "$gcc \`-O3\`" "own loop, shuffled, threads: $threads" 0 "$native" --jobs loop --threads "$threads"
    row "$gcc \`-O3\`" "pulled tasks, shuffled, threads: $threads" 0 "$native" --jobs pull --threads "$threads"
done
row "$gcc \`-O3\`" "agents shuffled in every tick" 0 "$native" --shuffle --threads 1
row "$gcc \`-O3\`" "the same, pulled by 5 threads" 0 "$native" --shuffle --jobs pull --threads 5

variant "-O0" gcc "$gcc"
variant "-O2" gcc "$gcc"
variant "-O3 -march=native" gcc "$gcc"
for flags in "-O2 -flto" "-O3 -flto"; do
    variant "$flags" gcc "$gcc" -DCMAKE_AR="$(command -v gcc-ar)" -DCMAKE_RANLIB="$(command -v gcc-ranlib)"
done

if clang=$(command -v clang-19 || command -v clang); then
    major=$("$clang" -dumpversion | cut -d. -f1)
    name="clang $("$clang" -dumpversion)"
    for flags in -O0 -O2 -O3 "-O3 -march=native"; do
        variant "$flags" "$clang" "$name"
    done
    if ar=$(command -v "llvm-ar-$major") && ranlib=$(command -v "llvm-ranlib-$major") &&
        command -v "ld.lld-$major" >/dev/null; then
        for flags in "-O2 -flto" "-O3 -flto"; do
            variant "$flags" "$clang" "$name" -DCMAKE_AR="$ar" -DCMAKE_RANLIB="$ranlib" \
                -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld
        done
    else
        absent "lld-$major or llvm-$major, for $name with -flto,"
    fi
else
    absent clang
fi

if crossed aarch64 "$aarch64_packages"; then
    row "aarch64, gcc $(aarch64-linux-gnu-gcc -dumpfullversion) \`-O3\`, in qemu" "1, 4 lanes" "1 4" "$on_aarch64"
fi
if crossed wasm "$wasm_packages"; then
    row "WebAssembly, Emscripten \`-O3\`, in node $(node --version)" "1, 4 lanes" "1 4" "$on_wasm"
fi

[ -z "$failed" ] || { echo "FAILED: see the rows above"; exit 1; }
if $update; then
    check_states $expected
    write_golden
    replace_table
    echo "$golden and the table of $page are written"
fi
sh cmake/golden.sh 300 "$native"
echo "the same bits $everywhere"
