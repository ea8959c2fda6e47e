#!/bin/sh
# Installs the npm packages. All that npm says is kept in build/logs.
set -eu
if [ "${SALLYPORT_TEST_INSTALL-}" = 1 ]; then
  sh "$(dirname "$0")/secret-service.sh"
fi
mkdir -p build/logs
sh bridge/packaging/at-work.sh build/logs/npm.log 'Installing packages' npm ci --no-audit --no-fund
