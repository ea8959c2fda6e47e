#!/bin/sh
# Puts the compiled code of the daemon and the terminal command into a folder, with the packages
# that they need at run time and with V8's cache of the code. The Node that goes into the app makes
# that cache.
# Usage: code.sh NODE INTO, from the project's folder after `make build`; NODE is a folder with
# bin/node.
set -eu
node=$(cd "$1" && pwd)/bin/node
manifest=$PWD/bridge/packaging/manifest.mjs
rm -rf "$2"
mkdir -p "$2"
into=$(cd "$2" && pwd)
cp -R build/bundle "$into/"
cp LICENSE package.json package-lock.json "$into/"
cd "$into"

# npm runs on that Node, too, and fetches what fits it.
PATH="$(dirname "$node"):$PATH" npm ci --omit=dev --no-audit --no-fund --loglevel=error
"$node" -e 'new (require("node:sqlite").DatabaseSync)(":memory:").close()'
if [ "$(uname)" = Darwin ]; then
  "$node" -e 'require("@napi-rs/keyring")'
fi

# Removes what isn't read at run time: sources and half-built objects of native modules, maps and
# types.
find . -name obj.target -prune -exec rm -rf {} +
find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
find . -path '*/build/*' -type f \( -name Makefile -o -name '*.mk' -o -name '*.gypi' -o -name '*.d' -o -name '*.a' \) -delete
rm -rf node_modules/.bin node_modules/.package-lock.json package-lock.json

# V8 refuses another Node's cache, and would compile at each start. `doctor` compares the files with
# the manifest.
rm -f bundle/*.compiled
for command in sallyport sallyportd; do
  "$node" -e 'require("./bundle/start-built.cjs").startAndKeep(process.argv[1], fs.writeFileSync)' "$command" --version
done
"$node" "$manifest" . bundle
