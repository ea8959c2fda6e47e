#!/bin/sh
# Makes the bridge one executable that needs no Node. Uses Node's own support for that, and
# `postject`, the Node project's tool that puts the code into the binary. The Node in it is for this
# machine (Linux or macOS, x64 or arm64); node.sh says which.
# Usage: executable.sh BUNDLE FOLDER, the bridge in one file and the folder to work in; leaves
# FOLDER/sallyport-mcp.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bundle=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
cd "$2"

nodes=$here/../../build/node
cmp -s "$here/node/package-lock.json" "$nodes/package-lock.json" && [ -x "$(sh "$here/node.sh" file "$nodes")" ] ||
  sh "$here/node.sh" fetch "$here/node" "$nodes"
node=$(sh "$here/node.sh" shipped "$(cd "$nodes" && pwd)")/bin/node
# This takes four seconds, so it is skipped if no input changed. On a Mac another identity may have
# to sign it.
if [ "$(uname)" != Darwin ] && [ -e sallyport-mcp ] &&
  [ -z "$(find "$bundle" "$here/executable.sh" "$node" -newer sallyport-mcp)" ]; then
  exit 0
fi
# The code cache saves compiling at each start. The debugger stays closed (shared/debugger-shut.ts).
# NODE_OPTIONS is ignored, because a client's entry may set it.
cat >sea.json <<END
{ "main": "$bundle", "output": "$PWD/blob", "disableExperimentalSEAWarning": true, "useCodeCache": true,
  "execArgv": ["--disable-sigusr1"], "execArgvExtension": "none" }
END
"$node" --experimental-sea-config sea.json >sea.log 2>&1 || { cat sea.log; exit 1; }
cp "$node" injected
chmod 755 injected
segment=
if [ "$(uname)" = Darwin ]; then
  # macOS starts nothing with a wrong signature. So the old one is removed before the code goes in,
  # and a new one follows.
  codesign --remove-signature injected
  segment='--macho-segment-name NODE_SEA'
fi
# Two words or none, so it is unquoted.
# shellcheck disable=SC2086
"$node" "$nodes/node_modules/postject/dist/cli.js" injected NODE_SEA_BLOB blob \
  --sentinel-fuse NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2 $segment >sea.log 2>&1 || { cat sea.log; exit 1; }
# Copied, not renamed: a file written in one go lies in the page cache in pieces so large that 20 MB
# more of it count as this process's memory.
cp injected sallyport-mcp.new
[ "$(uname)" != Darwin ] ||
  codesign --sign "${CODESIGN_IDENTITY:--}" --force --options runtime --entitlements "$here/entitlements.plist" sallyport-mcp.new
rm -f injected blob
mv sallyport-mcp.new sallyport-mcp
