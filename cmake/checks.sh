# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by prove.sh and .ci/run: runs of the program whose own checks must hold.
# Expects $program, the sidle program, and $results, a folder.

number() # KEY FILE: the value of a key in what --json printed
{
    sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"} ]*\).*/\1/p" "$2"
}

# holds CONDITION FILE: an awk condition over the keys below, as in 'leaked == 0'; says so where it does not hold.
holds()
{
    condition=$1 file=$2
    set --
    for key in agents ticks stuck truncated penetrating leaked invalid fell_out blocked_share mean_path; do
        value=$(number "$key" "$file")
        # An empty one would count as 0, which is what most conditions hope for; null, to awk, is more than any number.
        case $value in
            '' | *[!0-9.e+-]*) echo "FAILED: $file has no number as \"$key\""; return 1 ;;
        esac
        set -- "$@" -v "$key=$value"
    done
    awk "$@" "BEGIN { exit !($condition) }" || { echo "FAILED: $condition in $file"; return 1; }
}

# crowd NAME LEVEL [ARGUMENT...]: runs, leaves $results/NAME.json, prints one line and the checks every run must pass.
crowd()
{
    name=$1
    shift
    if ! "$program" crowd "$@" --json >"$results/$name.json" 2>"$results/$name.log"; then
        cat "$results/$name.json" "$results/$name.log"
        echo "FAILED: sidle crowd $*"
        return 1
    fi
    speed=$(number moves_per_second "$results/$name.json")
    printf '%-30s %9s moves/s, hash %s\n' "$name" "${speed%.*}" "$(number state_hash "$results/$name.json")"
    same_bits "$name"
    holds 'mean_path > .01 * ticks' "$results/$name.json" # at 3 m/s it is .05: agents that stand still prove nothing
    holds 'penetrating == 0' "$results/$name.json"
    holds 'leaked == 0' "$results/$name.json"
    holds 'invalid == 0' "$results/$name.json"
    holds 'truncated < 1e-4 * agents * ticks' "$results/$name.json"
}

# same_bits NAME...: each of these runs has ended in a state, and all in the same.
same_bits()
{
    first=$1
    for other in "$@"; do
        hash=$(number state_hash "$results/$other.json")
        [ -n "$hash" ] || { echo "FAILED: $other has no state_hash"; return 1; }
        if [ "$hash" != "$(number state_hash "$results/$first.json")" ]; then
            echo "FAILED: $other and $first end in different states"
            return 1
        fi
    done
}

# The folder where Debian's packages put the maps.
maps=/usr/share/games/openarena/baseoa
