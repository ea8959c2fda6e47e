#!/bin/sh
# Makes the bridge an MCP bundle (.mcpb), which clients install with a click and run on the Node
# they bring. It holds the bridge alone. The daemon's native modules would fit neither the client's
# Node nor, in one file, more than one system; and a daemon that came with one client would not be
# every client's.
# Usage: mcpb.sh BUNDLE OUTPUT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/server"
cp "$here/manifest.json" "$here/icon.png" "$here/../../LICENSE" "$stage/"
cp "$1" "$stage/server/sallyport-mcp.js"
# An MCP bundle without it may be taken for whatever the folder around it says.
echo '{ "type": "commonjs" }' >"$stage/server/package.json"
rm -f "$2"
# The same files give the same bundle: with the modes of no user's umask, and the earliest time that
# a zip can hold.
chmod -R u=rwX,go=rX "$stage"
find "$stage" -exec touch -t 198001010000 {} +
# In place of `zip`, which not every system has; python3 is needed to build the native modules
# anyway.
(cd "$stage" && python3 -m zipfile -c bundle.zip manifest.json icon.png LICENSE server)
mv "$stage/bundle.zip" "$2"
echo "$2"
