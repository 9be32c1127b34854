#!/bin/sh
# Checks that the C code in the pages is the text of the files that are compiled and run: quotes.sh [ROOT].
# A block of C below a line `<!-- quote FILE -->` must be consecutive lines of FILE. The block of README.md must be all of
# examples/hello.c. Each file of examples/tutorial must be quoted in docs/tutorial.md, which has no other C code.
set -eu
cd "${1:-$(dirname "$0")/..}"

# check_page PAGE: prints the quoted files; fails if a block has no file, or is not in its file.
check_page()
{
    awk '
    function contains(file, block,    line, text) {
        text = "\n"
        while ((getline line < file) > 0) text = text line "\n"
        close(file)
        return index(text, "\n" block) > 0
    }
    /^<!-- quote .* -->$/ { file = $3 }
    /^```c$/ { inside = 1; block = ""; first = FNR; next }
    /^```$/ && inside {
        inside = 0
        if (file == "" || block == "" || !contains(file, block)) {
            printf "FAILED: %s:%d: not in \"%s\"\n", FILENAME, first, file
            exit failed = 1
        }
        print file
        file = ""
    }
    inside { block = block $0 "\n" }
    END { exit failed }' "$1"
}

quoted=$(check_page docs/tutorial.md) || { echo "$quoted"; exit 1; }
for file in examples/tutorial/*.[ch]; do
    echo "$quoted" | grep -qxF "$file" || { echo "FAILED: docs/tutorial.md does not quote $file"; exit 1; }
done
block=$(awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md)
printf '%s\n' "$block" | diff -u examples/hello.c - || { echo "FAILED: README.md differs from examples/hello.c"; exit 1; }
