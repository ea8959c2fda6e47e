#!/bin/sh
# Puts the compiled code of the daemon and the terminal command into a folder, with the packages
# they need at run time, the native ones built for the Node that goes into the app.
# Usage: code.sh NODE INTO, from the project's folder after `make build`; NODE is the folder of an npm package with bin/ and include/.
set -eu
node=$(cd "$1" && pwd)
if [ ! -x "$node/bin/node" ] || [ ! -e "$node/include/node/node.h" ]; then
  echo "code.sh: $node has no Node with its headers" >&2
  exit 1
fi
rm -rf "$2"
mkdir -p "$2"
into=$(cd "$2" && pwd)
cp -R build/bundle "$into/"
cp LICENSE package.json package-lock.json "$into/"
cd "$into"

# npm runs on that Node too, so that what it builds is built for it, from source, with the headers
# that came with it.
export PATH="$node/bin:$PATH"
export npm_package_config_node_gyp_nodedir="$node" npm_config_build_from_source=true npm_config_nodedir="$node"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
npm ci --omit=dev --no-audit --no-fund --loglevel=error >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
"$node/bin/node" -e 'new (require("node:sqlite").DatabaseSync)(":memory:").close()'
if [ "$(uname)" = Darwin ]; then
  "$node/bin/node" -e 'require("@napi-rs/keyring")'
fi

# Nothing that is not read at run time: sources and half-built objects of native modules, maps and
# types.
find . -name obj.target -prune -exec rm -rf {} +
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
find . -path '*/build/*' -type f \( -name Makefile -o -name '*.mk' -o -name '*.gypi' -o -name '*.d' -o -name '*.a' \) -delete
rm -rf node_modules/.bin node_modules/.package-lock.json package-lock.json
"$node/bin/node" bundle/sallyportd.js --version
