# Doxygen's input filter: the headers say what they have to say in plain comments, and this finds out what each
# one belongs to.
#     first of the file             the file's page
#     on lines of its own           what follows
#     behind "struct x" or "enum"   what it stands behind, which Doxygen wants to read beforehand
#     behind anything else          what it stands behind
#     a heading ("---- ... ----")   nobody

{ text = text $0 "\n" }

# The comment's words as Doxygen takes them: no markup but for what is indented, drawings and lists, which stays as
# it is.
function words_of(comment,    lines, count, i, line, drawn, out) {
    sub(/^\/\*[ ]?/, "", comment)
    sub(/[ \n]*\*\/$/, "", comment)
    count = split(comment, lines, "\n")
    for (i = 1; i <= count; i++) {
        line = lines[i]
        sub(/^[ \t]*\*[ ]?/, "", line)
        if (i > 1 && trailing) sub(/^[ \t]+/, "", line)
        if (line ~ /^  / && !drawn) { out = out "@verbatim\n"; drawn = 1 }
        if (line !~ /^  / && drawn) { out = out "@endverbatim\n"; drawn = 0 }
        if (!drawn) gsub(/[<>@#%&\\]/, "\\\\&", line)
        out = out line "\n"
    }
    sub(/\n$/, "", out)
    return out (drawn ? "\n@endverbatim" : "")
}

END {
    seen = 0
    while ((at = index(text, "/*")) > 0) {
        before = before substr(text, 1, at - 1)
        text = substr(text, at)
        end = index(text, "*/") + 1
        comment = substr(text, 1, end)
        text = substr(text, end + 1)
        lead = before
        sub(/^.*\n/, "", lead)
        trailing = lead ~ /[^ \t]/
        words = words_of(comment)
        if (!seen++)
            before = before "/** @file\n" words " */"
        else if (words ~ /^----/)
            before = before comment
        else if (!trailing)
            before = before "/** " words " */"
        else if (lead ~ /^[ \t]*(typedef )?(struct|enum|union)( [a-z0-9_]+)?[ \t]*$/)
            before = substr(before, 1, length(before) - length(lead)) "/** " words " */ " lead
        else
            before = before "/**< " words " */"
    }
    printf "%s%s", before, text
}
