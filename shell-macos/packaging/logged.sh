#!/bin/sh
# Runs one step of a build, keeps its whole output in build/logs, and shows the end of it if the
# step fails.
# Usage: logged.sh NAME COMMAND [ARGUMENT…], from the project's folder; LOGS names another folder.
set -u
name=$1
shift
log=${LOGS:-build/logs}/$name.log
mkdir -p "$(dirname "$log")"
echo "$name … ($log)"
"$@" >"$log" 2>&1
code=$?
[ "$code" != 0 ] || exit 0
echo "$name failed with exit code $code. $log ends so:" >&2
tail -n 40 "$log" >&2
exit "$code"
