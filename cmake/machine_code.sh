#!/bin/sh
# Which instructions are where: code that runs before the processor was asked what it can do must do with the baseline
# of x86-64, and the wide kernels must be wide.
#     machine_code.sh OBJDUMP none FILE...    fails where a VEX or EVEX encoded instruction (AVX and later) is in FILE
#     machine_code.sh OBJDUMP ymm FILE...     fails where no FILE uses such a register; likewise zmm, k
#     machine_code.sh OBJDUMP self-test CC    proves that it can fail
set -eu
objdump=$1 wanted=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
listing=$folder/listing

disassemble() # FILE...: into the listing; fails where one cannot be read or none holds code
{
    "$objdump" -d --no-show-raw-insn "$@" >"$listing" && grep -qE '^ *[0-9a-f]+:' "$listing"
}

# Every mnemonic of AVX and later begins with v, or with k where it works on masks; of the rest only verr, verw and the
# vm instructions of hypervisors begin so. Vector registers beyond xmm are looked for besides.
vector_code() # "file, function: instruction" for every one in the listing
{
    awk '
        /file format/ { file = $1; sub(/.*\//, "", file) }
        /^[0-9a-f]+ <.*>:$/ { where = $2 }
        /^ *[0-9a-f]+: *\t/ {
            mnemonic = $2
            if ((mnemonic ~ /^v/ && mnemonic !~ /^(verr|verw|vm.*)$/) ||
                mnemonic ~ /^k(mov|and|andn|or|xor|xnor|not|shift[lr]|ortest|test|unpck|add)[bwdq]/ || /%[yz]mm/)
                print file, where, substr($0, index($0, "\t") + 1)
        }' "$listing"
}

check() # FILE...
{
    disassemble "$@" || { echo "FAILED: cannot disassemble $*"; return 1; }
    case $wanted in
        none)
            found=$(vector_code)
            if [ -n "$found" ]; then
                printf '%s\n' "$found" | head -n 20
                echo "FAILED: $(printf '%s\n' "$found" | wc -l) instructions beyond the baseline of x86-64"
                return 1
            fi
            echo "$# files keep to the baseline of x86-64" ;;
        ymm | zmm | k)
            if ! grep -q "%${wanted}[0-9]" "$listing"; then
                echo "FAILED: nothing of $* uses $wanted"
                return 1
            fi
            echo "$* uses $wanted" ;;
        *) echo "FAILED: $wanted?"; return 1 ;;
    esac
}

self_test() # CC
{
    echo 'void f(float *a, const float *b) { for (int i = 0; i < 64; ++i) a[i] += b[i] / 3; }' >"$folder/f.c"
    for flags in -msse2 -mavx -mavx2 "-mavx512f -mprefer-vector-width=512"; do
        $1 -O3 $flags -c "$folder/f.c" -o "$folder/f.o"
        said=accepted
        (wanted=none && check "$folder/f.o" >/dev/null) || said=refused
        case $flags in -msse2) expected=accepted ;; *) expected=refused ;; esac
        [ "$said" = "$expected" ] || { echo "FAILED: code with $flags was $said"; return 1; }
    done
    (wanted=zmm && check "$folder/f.o" >/dev/null) || { echo "FAILED: zmm is not seen"; return 1; }
    $1 -O3 -msse2 -c "$folder/f.c" -o "$folder/f.o"
    if (wanted=ymm && check "$folder/f.o" >/dev/null); then echo "FAILED: ymm is seen where none is"; return 1; fi
    echo 'int data = 1;' >"$folder/f.c"
    $1 -c "$folder/f.c" -o "$folder/empty.o"
    for file in "$folder/missing.o" "$folder/f.c" "$folder/empty.o"; do
        if (wanted=none && check "$file" >/dev/null 2>&1); then echo "FAILED: $file was accepted"; return 1; fi
    done
    echo "plain code is accepted, AVX, AVX2, AVX-512 and what cannot be read are refused"
}

if [ "$wanted" = self-test ]; then
    self_test "$@"
else
    check "$@"
fi
