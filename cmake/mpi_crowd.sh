#!/bin/sh
# The crowd of examples/mpi_crowd.c has the same hash on 1, 2, 4 and 8 ranks, another one if the rim is too narrow, and a rank
# that dies ends the run with an error: mpi_crowd.sh MPIEXEC PROGRAM [OPTION...]
# The options, as in "--agents 1000000 --ticks 4", are those of the runs that are compared.
set -eu
mpiexec=$1 program=$2
shift 2
limit=300 # seconds of a run
[ $# = 0 ] || limit=900
flags=
# Open MPI refuses more ranks than processors, and to run as root.
if "$mpiexec" --version | grep -q 'Open MPI\|OpenRTE'; then
    flags=--oversubscribe
    [ "$(id -u)" != 0 ] || flags="$flags --allow-run-as-root"
fi

run() # RANKS [OPTION...]
{
    ranks=$1
    shift
    timeout "$limit" "$mpiexec" $flags -n "$ranks" "$program" --agents 2000 --ticks 40 "$@"
}

hash_of() # the same
{
    output=$(run "$@")
    printf '%s\n' "$output" | grep '^hash '
}

expected=$(hash_of 1 "$@")
echo "1 rank: $expected"
for ranks in 2 4 8; do
    found=$(hash_of "$ranks" "$@")
    echo "$ranks ranks: $found"
    [ "$found" = "$expected" ] || { echo "FAILED: $ranks ranks: $found, 1 rank: $expected"; exit 1; }
done
[ $# = 0 ] || exit 0

[ "$(hash_of 4 --hops 2)" != "$expected" ] || { echo "FAILED: the hash does not see a rim that is too narrow"; exit 1; }

status=0
run 2 --die 1:10 || status=$?
case $status in
    0 | 124) echo "FAILED: exit $status after a rank has died"; exit 1 ;;
esac
