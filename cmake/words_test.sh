#!/bin/sh
# Can cmake/words.sh fail? Has it count in a small tree.
set -eu
cd "$(dirname "$0")/.."
tree=$(mktemp -d)
trap 'rm -r "$tree"' EXIT
mkdir "$tree/cmake" "$tree/src" "$tree/tests"
cp cmake/words.sh "$tree/cmake"
cd "$tree"

# expect STATUS TEXT [OPTION...]: the status of words.sh and a text that it prints.
expect()
{
    wanted=$1 text=$2
    shift 2
    status=0
    sh cmake/words.sh "$@" >output 2>&1 || status=$?
    if [ "$status" != "$wanted" ] || ! grep -qF -- "$text" output; then
        echo "FAILED: words.sh $*: status $status, not $wanted with: $text"
        cat output
        exit 1
    fi
}

budget() # SRC TESTS
{
    printf 'src %s\ntests %s\n' "$1" "$2" >cmake/words.txt
}

# Four in src: two of one line, one inside of a name, one in the name of a file. None in tests.
echo '/* The way of an agent who stands. */ int agent_told;' >src/ways.c
echo '/* Away, a highway and a whole story: other words. */' >tests/test_path.c
budget 4 0
expect 0 'as many as its budget'
expect 0 'src/ways.c:1: told ->' --list src
budget 3 0
expect 1 'src: 4, and the budget is 3'
budget 5 0
expect 1 'src: lower the budget to 4'
echo '// what the cull left out' >>tests/test_path.c
budget 4 0
expect 1 'tests: 1, and the budget is 0'

# An update lowers the one, and does not raise the other.
budget 9 0
expect 1 'tests: 1, and the budget is 0' --update
printf 'src 4\ntests 0\n' | cmp - cmake/words.txt
budget 9 9
sh cmake/words.sh --update
printf 'src 4\ntests 1\n' | cmp - cmake/words.txt

echo 'gone 1' >>cmake/words.txt
expect 1 'there is no gone'
expect 2 'words.sh --list' --raise
echo "cmake/words.sh fails as it should"
