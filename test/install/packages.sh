#!/bin/sh
# Installs the npm packages and shows that it is working, since npm prints nothing meanwhile.
set -u
if [ "${SALLYPORT_TEST_INSTALL-}" = 1 ]; then
  sh "$(dirname "$0")/secret-service.sh"
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf 'Installing packages '
npm ci --no-audit --no-fund >"$log" 2>&1 &
pid=$!
while kill -0 "$pid" 2>/dev/null; do
  printf '.'
  sleep 2
done
if wait "$pid"; then
  echo ' done'
else
  echo ' failed'
  cat "$log"
  exit 1
fi
