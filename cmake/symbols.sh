#!/bin/sh
# Checks the symbols that a library gives to the programs it is linked to:
#     symbols.sh NM LIBRARY PRESENT ABSENT
# Every one must begin with sidle_, PRESENT must be among them, ABSENT (a symbol of the other library) must not. NM is the
# program nm; a shared library is asked for its dynamic symbols, which are all that it gives.
set -eu
nm=$1 library=$2 present=$3 absent=$4
case $library in
    *.a) option=--extern-only ;;
    *) option=--dynamic ;;
esac
names=$(mktemp)
trap 'rm -f "$names"' EXIT

fail()
{
    echo "FAILED: $library $*"
    exit 1
}

# Mach-O puts an underscore before every C name; Windows has references to data beside the data. Names with two
# underscores are the compiler's, such as those of its sanitizers.
"$nm" "$option" --defined-only "$library" |
    awk 'NF == 3 && $2 ~ /[A-Z]/ { sub(/^\.refptr\./, "", $3); sub(/^_sidle_/, "sidle_", $3); print $3 }' | sort -u >"$names"
if grep -Ev '^(sidle_|__)' "$names"; then
    fail "exports the names above, which do not begin with sidle_"
fi
grep -qx "$present" "$names" || fail "does not export $present"
if grep -qx "$absent" "$names"; then fail "holds $absent of the other library"; fi
echo "$library: $(wc -l <"$names") external symbols, all of them sidle_"
