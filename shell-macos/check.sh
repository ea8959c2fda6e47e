#!/bin/sh
# What CI decides about the Mac shell besides its tests, the same everywhere. It checks format,
# texts and property lists, and builds the app and its tests, off a Mac against PlatformSurface/.
# There it also checks the surface against its marks, and that planted mistakes are caught. If a
# Mac's Xcode has another formatter than the files are laid out by, it checks all but the format,
# and says so. Swift is `inswift swift` if test/install/swift.sh put it there, else `swift`; SWIFT
# overrides it.
# shellcheck disable=SC2086  # the command and its flags may each be several words
set -eu
cd "$(dirname "$0")"
# What inswift lets Swift see: the whole project, as the tests read its samples.
export INSWIFT_DIR="${INSWIFT_DIR:-$(cd .. && pwd)}"
swift=swift flags=
# test/shell-macos/swift-toolchain.mjs says why.
[ "$(uname)" = Darwin ] || flags=$(cat linux-build-flags)
if command -v inswift >/dev/null; then swift='inswift swift'; fi
swift=${SWIFT:-$swift}
# The tests build here, with the same flags, so nothing is compiled twice.
scratch=.build

say() { echo "check.sh: $*"; }

# Debian's version, which test/install/swift.sh installs. Two versions of the formatter lay out
# differently.
formatter=600.0.0
skipped=
if [ "$(uname)" = Darwin ]; then
  found=$($swift format --version || echo none)
  [ "$found" = "$formatter" ] ||
    skipped="format was skipped: this Mac's formatter is $found, and the files are laid out by $formatter, as Linux checks"
fi
if [ -z "$skipped" ]; then
  say format
  $swift format lint --strict --recursive Package.swift Sources Tests PlatformSurface
fi
say texts
python3 tools/check_strings.py
say property lists
python3 tools/check_plists.py
say build
$swift build --build-tests --scratch-path $scratch $flags
if [ "$(uname)" = Darwin ]; then
  [ -z "$skipped" ] || say "$skipped"
  exit 0
fi
say surface
# If a module is gone, or no longer extends another, its old graph would stay.
rm -rf $scratch/debug/../symbolgraph
$swift package --scratch-path $scratch $flags dump-symbol-graph >/dev/null
python3 tools/check_surface.py $scratch/debug/../symbolgraph
say planted mistakes
SWIFTC="${SWIFTC:-${swift}c}" python3 tools/mutants.py $scratch/debug
