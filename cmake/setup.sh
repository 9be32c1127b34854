# Sourced by demo.sh, test.sh, prove.sh and .ci/run: installs what is missing on Debian, configures, builds.
# The caller stands in the root of the project and has set -eu.

installed() # PACKAGE: whether it is there, however it came
{
    case $1 in
        nodejs) command -v node >/dev/null ;;
        cmake | g++ | clang-19 | npm) command -v "$1" >/dev/null ;;
        gcc) command -v cc >/dev/null || command -v gcc >/dev/null ;;
        ninja-build) command -v ninja >/dev/null || command -v make >/dev/null ;;
        *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
    esac
}

missing() # PACKAGE...: those that are not there
{
    for package in "$@"; do
        installed "$package" || printf '%s ' "$package"
    done
}

apt_install() # PACKAGE...
{
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends -o Dpkg::Use-Pty=0 "$@" </dev/null >/dev/null
}

# packages REQUIRED... [-- OPTIONAL...]: installs what is missing of both; only a required one that stays missing
# is an error.
packages()
{
    if ! command -v dpkg-query >/dev/null; then
        echo "sidle: this is not a Debian; have the equivalents of these ready: $*"
        return 0
    fi
    required='' optional='' into=required
    for package in "$@"; do
        case $package in
            --) into=optional ;;
            *) eval "$into=\"\$$into \$package\"" ;;
        esac
    done
    # Package names hold no spaces: splitting the lists is meant.
    wanted=$(missing $required $optional)
    [ -n "$wanted" ] || return 0
    as_root=''
    if [ "$(id -u)" != 0 ]; then
        as_root=sudo
        if ! command -v sudo >/dev/null; then
            echo "sidle: missing packages, and neither root nor sudo to install them: $wanted"
            [ -z "$(missing $required)" ]
            return
        fi
    fi
    echo "sidle: installing $wanted"
    $as_root apt-get -qq update
    apt_install $(missing $required) || return 1
    for package in $(missing $optional); do
        apt_install "$package" || echo "sidle: going on without $package"
    done
}

# What compiles the library and the program, and what the program likes to have.
library_packages="cmake ninja-build gcc libc6-dev libsimde-dev"
program_packages="libpng-dev libfreetype-dev fonts-dejavu-core libassimp-dev libzip-dev"
package_packages="dpkg-dev file pkg-config"
viewer_packages="emscripten nodejs npm"
map_packages="openarena-081-maps openarena-085-data"

jobs=$(getconf _NPROCESSORS_ONLN)

# build FOLDER TARGETS [-DOPTION...]: quick when nothing has changed. Targets are words of one argument.
build()
{
    folder=$1 targets=$2
    shift 2
    if [ ! -f "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null; then
        set -- -G Ninja "$@"
    fi
    mkdir -p "$folder"
    cmake -S . -B "$folder" "$@" >"$folder/configure.log" 2>&1 || { cat "$folder/configure.log"; return 1; }
    grep -E '^-- sidle:' "$folder/configure.log" || true # parts that are switched off
    cmake --build "$folder" --target $targets -j "$jobs"
}
