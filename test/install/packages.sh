#!/bin/sh
# Installs the npm packages and shows that it is at work: compiling SQLite takes a minute in which npm says nothing.
set -u
if [ "${SALLYPORT_TEST_INSTALL-}" = 1 ]; then
  sh "$(dirname "$0")/secret-service.sh"
  sh "$(dirname "$0")/compiler-cache.sh" || echo 'Without ccache SQLite is compiled once more for the test of the package.'
fi
# Filled here for package.test.ts, which installs the same SQLite elsewhere.
if command -v ccache >/dev/null 2>&1; then
  export CC='ccache cc' CXX='ccache c++' CCACHE_DIR="$PWD/build/ccache" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf 'Installing packages (a minute or two: SQLite is compiled here) '
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
