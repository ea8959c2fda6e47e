#!/bin/sh
# Makes the bridge an MCP bundle (.mcpb). Clients install it with a click and run it on their own
# Node. It holds the bridge alone: the daemon's native modules would fit neither the client's Node
# nor, in one file, several systems. Also, a daemon that came with one client wouldn't serve every
# client.
# Usage: mcpb.sh BUNDLE OUTPUT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/server"
cp "$here/manifest.json" "$here/icon.png" "$here/../../LICENSE" "$stage/"
cp "$1" "$stage/server/sallyport-mcp.js"
# Without it, a package.json in a parent folder would decide how Node reads the bundle.
echo '{ "type": "commonjs" }' >"$stage/server/package.json"
rm -f "$2"
# The same files give the same bundle: fixed modes whatever the umask, and the earliest time that a
# zip can hold.
chmod -R u=rwX,go=rX "$stage"
find "$stage" -exec touch -t 198001010000 {} +
# Instead of `zip`, which some systems lack; building the native modules needs python3 anyway.
(cd "$stage" && python3 -m zipfile -c bundle.zip manifest.json icon.png LICENSE server)
mv "$stage/bundle.zip" "$2"
echo "$2"
