#!/bin/sh
# Installs sidle into a temporary prefix, moves that elsewhere, and builds and runs other people's programs against it,
# by every means that the README promises; and the Debian packages. CC, CXX (empty: no C++) and GENERATOR come from ctest.
set -eu
cd "$(dirname "$0")/../.."
source=$PWD consumer=$PWD/tests/packaging/consumer
: "${CC:=cc}" "${CXX=c++}" "${GENERATOR:=Ninja}"
export CC CXX
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
    echo "FAILED: $*"
    exit 1
}

# quietly COMMAND...: its output only if it fails
quietly()
{
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$*"; }
}

# Nothing here is measured: -O0 builds fastest.
configure() # FROM INTO [OPTION...]
{
    from=$1 into=$2
    shift 2
    quietly cmake -G "$GENERATOR" -S "$from" -B "$into" -DCMAKE_BUILD_TYPE=Debug "$@"
}

compile() # FOLDER
{
    quietly cmake --build "$1" -j 2
}

library="-DSIDLE_BUILD_TESTS=OFF -DSIDLE_BUILD_BENCH=OFF -DSIDLE_BUILD_EXAMPLES=OFF"

# check_symbols FOLDER SUFFIX: every name that others can bind to is sidle's, and each library holds its own
check_symbols()
{
    sh cmake/symbols.sh nm "$(find "$1" -name "libsidle.$2")" sidle_crowd_tick sidle_box_box
    sh cmake/symbols.sh nm "$(find "$1" -name "libsidle_intersect.$2")" sidle_box_box sidle_crowd_tick
}

# consume NAME [OPTION...]: builds and runs the consumers through CMake
consume()
{
    name=$1
    shift
    configure "$consumer" "$work/$name" -DWITH_CXX="${CXX:+ON}" "$@"
    compile "$work/$name"
    quietly "$work/$name/consumer_c"
    quietly "$work/$name/consumer_intersect"
    [ -z "$CXX" ] || quietly "$work/$name/consumer_cpp"
    echo "$name: built and ran"
}

# consume_pc KIND: builds and runs the consumers with nothing but pkg-config
consume_pc()
{
    command -v pkg-config >/dev/null || { echo "no pkg-config here, so it is not tried"; return 0; }
    pc=$(find "$work/$1" -name sidle.pc)
    # The flags are words.
    flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs sidle-intersect)
    quietly $CC -std=c17 "$consumer/intersect.c" -o "$work/pc_intersect" $flags
    quietly env LD_LIBRARY_PATH="$(dirname "$pc")/.." "$work/pc_intersect"
    flags=$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs sidle)
    quietly $CC -std=c17 "$consumer/consumer.c" -o "$work/pc_c" $flags
    quietly env LD_LIBRARY_PATH="$(dirname "$pc")/.." "$work/pc_c"
    if [ -n "$CXX" ]; then
        quietly $CXX -std=c++17 -Wall -Wextra -pedantic -Werror "$consumer/consumer.cpp" -o "$work/pc_cpp" $flags
        quietly env LD_LIBRARY_PATH="$(dirname "$pc")/.." "$work/pc_cpp"
    fi
    echo "pkg-config, $1: built and ran"
}

# install KIND SHARED: a build into $work/KIND, installed at another place than it was configured for
install_kind()
{
    configure "$source" "$work/build-$1" $library -DBUILD_SHARED_LIBS="$2" -DSIDLE_BUILD_TOOLS="$2" \
        -DCMAKE_INSTALL_PREFIX="$work/elsewhere"
    compile "$work/build-$1"
    quietly cmake --install "$work/build-$1" --prefix "$work/first"
    mv "$work/first" "$work/$1"
}

for header in include/sidle/*.h include/sidle/intersect/*.h; do
    quietly $CC -std=c17 -Wall -Wextra -pedantic -Werror -Iinclude -fsyntax-only -x c "$header"
    [ -z "$CXX" ] || quietly $CXX -std=c++17 -Wall -Wextra -pedantic -Werror -Iinclude -fsyntax-only -x c++ "$header"
done
echo "each header stands alone"

install_kind static OFF
check_symbols "$work/static" a
consume package-static -DHOW=package -DCMAKE_PREFIX_PATH="$work/static"
consume_pc static

install_kind shared ON
check_symbols "$work/shared" so
for name in libsidle libsidle_intersect; do
    readelf -d "$(find "$work/shared" -name $name.so)" | grep -q "SONAME.*\[$name\.so\.0\]" ||
        fail "the soname is not $name.so.0"
done
consume package-shared -DHOW=package -DCMAKE_PREFIX_PATH="$work/shared"
# needs CONSUMER LIBRARY OTHER: whether it needs the one and not the other
needs()
{
    ldd "$work/package-shared/$1" >"$work/needed"
    grep -q "$2" "$work/needed" || fail "$1 is not linked to $2"
    if grep -q "$3" "$work/needed"; then fail "$1 is linked to $3"; fi
}
needs consumer_c libsidle.so.0 libsidle_intersect.so.0
needs consumer_intersect libsidle_intersect.so.0 libsidle.so.0
consume_pc shared

consume subdirectory -DHOW=subdirectory -DSIDLE_SOURCE="$source"
quietly cmake --install "$work/subdirectory" --prefix "$work/nothing"
[ ! -e "$work/nothing" ] || fail "a part of another project installs itself"
consume fetch -DHOW=fetch -DSIDLE_SOURCE="$source" -DBUILD_SHARED_LIBS=ON

if command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
    (cd "$work/build-shared" && quietly cpack)
    for package in libsidle0 libsidle-dev sidle; do
        file=$(find "$work/build-shared" -maxdepth 1 -name "${package}_*.deb")
        [ -n "$file" ] || fail "there is no package $package"
        dpkg-deb --contents "$file" >"$work/contents"
        case $package in
            libsidle0) expected='/libsidle.so.0 /libsidle_intersect.so.0' ;;
            libsidle-dev) expected='/include/sidle/sidle.h /include/sidle/intersect.h' ;;
            sidle) expected=/bin/sidle ;;
        esac
        for file_name in $expected; do
            grep -q "$file_name\$\|$file_name -> " "$work/contents" || fail "$package has no $file_name"
        done
        dpkg-deb --extract "$file" "$work/debian"
        echo "$package: $(wc -l <"$work/contents") entries, depends on $(dpkg-deb --field "$file" Depends)"
    done
    quietly "$work/debian/usr/bin/sidle" info gen:stairs
else
    echo "no dpkg-shlibdeps or no file here (Debian: dpkg-dev, file), so no packages are built"
fi
