#!/bin/sh
# Lists sentences that are too long: sentences.sh WORDS FILE... prints PLACE: COUNT: SENTENCE for each sentence of more than
# WORDS words. Fails if there is one. Reads Markdown and C; of C the comments only. Code blocks, tables' bars and link
# targets are no words. A sentence ends with . ! or ? at the end of a word, with a blank line, a list item or a table cell.
set -eu
[ $# -ge 2 ] || { echo "usage: sentences.sh WORDS FILE..." >&2; exit 2; }
limit=$1
shift
awk -v limit="$limit" '
function finish(    count, words) {
    gsub(/^ +| +$/, "", sentence)
    count = split(sentence, words, / +/)
    if (count > limit) { printf "%s:%d: %d words: %s\n", FILENAME, from, count, sentence; failed = 1 }
    sentence = ""
}
# Adds the words of a line; a word with a sign of the end and no lower case after it ends a sentence.
function add(text,    words, count, i) {
    count = split(text, words, / +/)
    for (i = 1; i <= count; ++i) {
        if (words[i] == "" || words[i] ~ /^[^A-Za-z0-9]+$/) continue
        if (sentence == "") from = FNR
        sentence = sentence " " words[i]
        if (words[i] ~ /[.!?][])"*_`]*$/ && words[i] !~ /^([A-Z]|e\.g|i\.e|vs)\.$/) finish()
    }
}
function add_cells(text,    cells, count, i) {
    count = split(text, cells, /\|/)
    for (i = 1; i <= count; ++i) { add(cells[i]); finish() }
}
function markdown(line) {
    if (line ~ /^ *```/) { finish(); code = !code; return }
    if (code) return
    gsub(/\]\([^)]*\)/, "", line)
    gsub(/<!--.*-->/, "", line)
    gsub(/`[^`]*`/, "code", line)
    if (line ~ /^ *\|/) { finish(); add_cells(line); return }
    if (line ~ /^ *$/ || line ~ /^#/) finish()
    if (sub(/^ *([-*]|[0-9]+\.) +/, "", line)) finish()
    add(line)
    if (line ~ /^#/) finish()
}
# The comments of a line.
function c(line,    at, end, text) {
    while (line != "") {
        if (!comment) {
            at = index(line, "/*")
            if (!at) { if (line ~ /[^ ]/) finish(); return }
            if (substr(line, 1, at - 1) ~ /[^ ]/) finish()
            line = substr(line, at + 2)
            comment = 1
        }
        end = index(line, "*/")
        text = end ? substr(line, 1, end - 1) : line
        line = end ? substr(line, end + 2) : ""
        sub(/^ *\*? */, "", text)
        if (text == "" && !end) finish()
        if (text ~ /^(-|[0-9L]+\.? ) /) finish()
        add(text)
        if (end) { comment = 0; finish() }
    }
}
FNR == 1 { finish(); code = comment = 0 }
FILENAME ~ /\.md$/ { markdown($0); next }
{ c($0) }
END { finish(); exit failed }' "$@"
