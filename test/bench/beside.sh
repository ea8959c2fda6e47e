#!/bin/sh
# Builds another commit for `make bench BESIDE=COMMIT`, with the Node in PATH, and prints its folder.
# What is built once stays until `make clean`.
#   beside.sh COMMIT     prints nothing if it is empty
set -eu
cd "$(dirname "$0")/../.."
[ -n "$1" ] || exit 0
commit=$(git rev-parse --verify --quiet --short "$1^{commit}") || {
  echo "BESIDE=$1 names no commit." >&2
  exit 1
}
folder=$PWD/build/beside/$commit
if [ ! -e "$folder/build/bundle/manifest.json" ]; then
  echo "Building $commit in build/beside …" >&2
  rm -rf "$folder"
  mkdir -p "$folder"
  git archive "$commit" | tar -x -C "$folder"
  # What this `make` was told isn't for that one.
  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -C "$folder" --no-print-directory build >&2
fi
echo "$folder"
