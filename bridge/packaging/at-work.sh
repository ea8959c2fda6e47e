#!/bin/sh
# Runs a long and silent command and shows that it is at work: a sentence, a dot every two seconds,
# and how it ended. If it fails, everything it said follows on stderr.
# Usage: at-work.sh LOG SENTENCE COMMAND…
log=$1
printf '%s ' "$2"
shift 2
# Whoever reads our output waits for no last `sleep`.
(while sleep 2 >/dev/null 2>&1; do printf '.'; done) &
dots=$!
trap 'kill "$dots" 2>/dev/null' EXIT
trap 'exit 130' HUP INT TERM
if "$@" >"$log" 2>&1; then
  echo ' done'
else
  code=$?
  echo ' failed'
  cat "$log" >&2
  exit "$code"
fi
