#!/bin/sh
# Runs the public conformance suite, and the MCP Inspector's command line, on a daemon of its own in
# a temporary home, and leaves nothing behind.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
sallyport="$here/../../build/bin/sallyport"

if [ ! -f "$here/node_modules/@modelcontextprotocol/conformance/package.json" ] ||
  [ ! -f "$here/node_modules/@modelcontextprotocol/inspector/package.json" ]; then
  echo "Installing the conformance suite and the Inspector…"
  (cd "$here" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
fi

SALLYPORT_HOME=$(mktemp -d)
export SALLYPORT_HOME
leave() {
  "$sallyport" stop >/dev/null 2>&1 || true
  rm -rf "$SALLYPORT_HOME"
}
trap leave EXIT
trap 'exit 1' INT TERM HUP

field() { node -e 'const text = require("fs").readFileSync(0, "utf8"); console.log(JSON.parse(text)[process.argv[1]])' "$1"; }
# In the environment, never as an argument: every program of this machine sees arguments.
SALLYPORT_TOKEN=$(echo '{ "tokens": [{ "name": "conformance", "scope": "full-access", "expires": 1 }] }' |
  "$sallyport" init --unattended - | cut -f 2)
port=$("$sallyport" status --json | field port)
SALLYPORT_URL="http://127.0.0.1:$port/mcp"
export SALLYPORT_URL SALLYPORT_TOKEN
node "$here/run.mjs"
node "$here/inspector.mjs"
