#!/bin/sh
# Counts the words that an engineer would not search for, in names, comments and messages.
#     words.sh                   fails where a folder holds more of them than cmake/words.txt allows, or fewer
#     words.sh --list FOLDER...  prints the places, each with its word and a plainer one
#     words.sh --update          lowers the budgets in cmake/words.txt to what is there; never raises one
set -eu
cd "$(dirname "$0")/.."
budgets=cmake/words.txt

# A line: words in lower case as a regular expression, and what to write instead.
list()
{
    cat <<'END'
way|ways                          | path, displacement, distance, direction
tell|tells|told                   | report, return, set the flag
who|whoever|whom                  | a noun: "an agent that"
nobody|somebody|everybody|anybody | a noun: "no agent", "no test"
met|meets                         | hit, touched, contacted
haste                             | fast path
crumb|crumbs                      | degenerate triangle, sliver
leave out|leaves out|left out     | cull, skip, reject
judge|judges|judged|judging       | oracle, checker, check
lied|liar                         | fed a wrong answer
is no number|are no numbers       | is not finite, is NaN
haunt|haunts|pays|wants|knows     | the plain fact
creeps|trembles|trembling         | moves slowly, jitters
motley                            | mixed
made again                        | repeated, replayed
END
}

# count FOLDER [list]: how often they occur in the folder's files and their paths; or with `list`, where.
count()
{
    find "$1" -type f ! -path 'cmake/words*' ! -path '*/node_modules/*' \( -name '*.[ch]' -o -name '*.inl' -o -name '*.[ch]pp' -o -name '*.md' \
        -o -name '*.sh' -o -name '*.cmake' -o -name CMakeLists.txt \) | LC_ALL=C sort >"$temporary/files"
    list >"$temporary/list"
    xargs awk -v listed="${2:-}" '
    FILENAME == ARGV[1] { # the list
        match($0, / +\| /)
        kind[++kinds] = substr($0, 1, RSTART - 1)
        gsub(/ /, "  ", kind[kinds])
        plain[kinds] = substr($0, RSTART + RLENGTH)
        words = (kinds == 1 ? "" : words "|") kind[kinds]
        next
    }

    function plain_of(word,    i) { for (i = 1; i <= kinds; ++i) if (word ~ "^(" kind[i] ")$") return plain[i] }

    # Two blanks stand between words, so that a match takes along one on either side, and the next begins with its own.
    function count(text,    spaced, word) {
        spaced = tolower(text)
        gsub(/[^a-z]+/, "  ", spaced)
        spaced = " " spaced " "
        while (match(spaced, " (" words ") ")) {
            word = substr(spaced, RSTART + 1, RLENGTH - 2)
            if (listed) printf "%s:%d: %s -> %s: %s\n", FILENAME, FNR, word, plain_of(word), text
            spaced = substr(spaced, RSTART + RLENGTH)
            ++total
        }
    }

    FNR == 1 { count(FILENAME) }
    { count($0) }
    END { if (!listed) print total + 0 }' "$temporary/list" <"$temporary/files"
}

# check [update]: compares each folder with its budget.
check()
{
    while read -r folder budget; do
        [ -e "$folder" ] || { echo "FAILED: $budgets: there is no $folder"; exit 1; }
        now=$(count "$folder")
        if [ "$now" -gt "$budget" ]; then
            echo "FAILED: $folder: $now, and the budget is $budget: see cmake/words.sh --list $folder"
            failed=true
        elif [ "$now" -lt "$budget" ] && [ -z "${1:-}" ]; then
            echo "FAILED: $folder: lower the budget to $now with cmake/words.sh --update"
            failed=true
        else
            budget=$now
        fi
        echo "$folder $budget" >>"$temporary/budgets"
    done <"$budgets"
}

temporary=$(mktemp -d)
trap 'rm -r "$temporary"' EXIT
failed=false
case ${1:-} in
    '')
        check
        $failed || echo "each folder has as many as its budget says"
        ;;
    --update)
        check update
        cp "$temporary/budgets" "$budgets"
        ;;
    --list) shift; for folder in "$@"; do count "$folder" list; done ;;
    *) sed -n '2,/^set/s/^# //p' "$0"; exit 2 ;;
esac
! $failed
