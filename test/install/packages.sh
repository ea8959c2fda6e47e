#!/bin/sh
# Installs the npm packages and shows that it is at work: npm says nothing meanwhile. All that it
# says is kept in build/logs.
set -u
if [ "${SALLYPORT_TEST_INSTALL-}" = 1 ]; then
  sh "$(dirname "$0")/secret-service.sh"
fi
log=build/logs/npm.log
mkdir -p build/logs
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
  echo " failed; $log:"
  cat "$log"
  exit 1
fi
