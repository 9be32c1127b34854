#!/bin/sh
# Which instructions are where: code that runs before the processor was asked what it can do must do with the baseline
# of x86-64, and the wide kernels must be wide.
#     machine_code.sh OBJDUMP none FILE...    fails where a VEX or EVEX encoded instruction (AVX and later) is in FILE
#     machine_code.sh OBJDUMP ymm FILE...     fails where no FILE uses such a register; likewise zmm
#     machine_code.sh OBJDUMP self-test CC    proves that it can fail
set -eu
objdump=$1 wanted=$2
shift 2

# Every mnemonic of AVX and later begins with v, or with k where it works on masks; of the rest only verr, verw and the
# vm instructions of hypervisors begin so. Vector registers beyond xmm are looked for besides.
vector_code() # FILE...: "function: instruction" for every one
{
    "$objdump" -d --no-show-raw-insn "$@" | awk '
        /file format/ { file = $1; sub(/.*\//, "", file) }
        /^[0-9a-f]+ <.*>:$/ { where = $2 }
        /^ *[0-9a-f]+: *\t/ {
            mnemonic = $2
            if ((mnemonic ~ /^v/ && mnemonic !~ /^(verr|verw|vm.*)$/) ||
                mnemonic ~ /^k(mov|and|andn|or|xor|xnor|not|shift[lr]|ortest|test|unpck|add)[bwdq]/ || /%[yz]mm/)
                print file, where, substr($0, index($0, "\t") + 1)
        }'
}

check()
{
    case $wanted in
        none)
            found=$(vector_code "$@") || { echo "FAILED: cannot read $*"; return 1; }
            if [ -n "$found" ]; then
                printf '%s\n' "$found" | head -n 20
                echo "FAILED: $(printf '%s\n' "$found" | wc -l) instructions beyond the baseline of x86-64"
                return 1
            fi
            echo "$# files keep to the baseline of x86-64" ;;
        ymm | zmm)
            if ! "$objdump" -d --no-show-raw-insn "$@" | grep -q "%${wanted}[0-9]"; then
                echo "FAILED: nothing of $* uses $wanted"
                return 1
            fi
            echo "$* uses $wanted" ;;
        *) echo "FAILED: $wanted?"; return 1 ;;
    esac
}

self_test() # CC
{
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
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
    echo "plain code is accepted, AVX, AVX2 and AVX-512 are refused"
}

if [ "$wanted" = self-test ]; then
    self_test "$@"
else
    check "$@"
fi
