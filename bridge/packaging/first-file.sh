#!/bin/sh
# Prints the file of one of our commands: it names the Node that runs it, checks that this Node is
# new enough, and starts the code beside it.
#   first-file.sh NODE COMMAND     NODE is an absolute path, or `env` for the first Node in PATH
# An absolute path is better: MCP clients start commands with a PATH that may hold another Node or
# none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
node=$1
no_debugger=$(sed -n "s/^export const noDebugger = '\(.*\)';/\1/p" "$here/../../shared/no-debugger.ts")

line="#!$node $no_debugger"
if [ "$node" = env ]; then
  echo '#!/usr/bin/env node'
# Linux takes the first word of such a line for the program, and older kernels read 127 bytes. Then
# sh starts the file, and Node skips the lines for sh.
elif [ "${#line}" -gt 127 ] || [ "$node" != "$(printf '%s' "$node" | tr -d '[:space:]')" ]; then
  printf '#!/bin/sh\n":" //; exec '"'%s'"' %s "$0" "$@"\n' "$(printf '%s' "$node" | sed "s/'/'\\\\''/g")" "$no_debugger"
else
  printf '%s\n' "$line"
fi
cat "$here/needed-node.cjs"
case $2 in
  sallyport-mcp) echo 'require("../bundle/sallyport-mcp.cjs");' ;;
  # `npx sallyport mcp`: clients that start servers through npx know one command per package.
  sallyport)
    [ "$node" != env ] || printf 'if (process.argv[2] === "mcp") require("../bundle/sallyport-mcp.cjs");\nelse '
    echo 'require("../bundle/start-built.cjs").startBuilt("sallyport");'
    ;;
  *) echo "require(\"../bundle/start-built.cjs\").startBuilt(\"$2\");" ;;
esac
