#!/bin/sh
# Prints the file that one of our commands is: which Node runs it, whether that is new enough, and
# the code beside it.
#   first-file.sh NODE COMMAND     NODE is an absolute path, or `env` for whichever a PATH has
# An absolute one, since MCP clients start commands with a PATH that may hold another Node or none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
node=$1
no_debugger=$(sed -n "s/^export const noDebugger = '\(.*\)';/\1/p" "$here/../../shared/no-debugger.ts")

line="#!$node $no_debugger"
if [ "$node" = env ]; then
  echo '#!/usr/bin/env node'
# Of such a line Linux takes the first word for the program, and older ones read 127 bytes: then sh
# starts it, and Node skips what sh reads.
elif [ "${#line}" -gt 127 ] || [ "$node" != "$(printf '%s' "$node" | tr -d '[:space:]')" ]; then
  printf '#!/bin/sh\n":" //; exec '"'%s'"' %s "$0" "$@"\n' "$(printf '%s' "$node" | sed "s/'/'\\\\''/g")" "$no_debugger"
else
  printf '%s\n' "$line"
fi
cat "$here/needed-node.cjs"
case $2 in
  sallyport-mcp) echo 'require("../bundle/sallyport-mcp.cjs");' ;;
  # `npx sallyport mcp`: clients that start servers through npx know a package by one command.
  sallyport)
    [ "$node" != env ] || printf 'if (process.argv[2] === "mcp") require("../bundle/sallyport-mcp.cjs");\nelse '
    echo 'require("../bundle/start-built.cjs").startBuilt("sallyport");'
    ;;
  *) echo "require(\"../bundle/start-built.cjs\").startBuilt(\"$2\");" ;;
esac
