#!/bin/sh
# Installs the drivers of other languages that tests send through the door for PostgreSQL's
# clients (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
modules=/usr/lib/python3/dist-packages
for module in psycopg2 psycopg asyncpg sqlalchemy; do
  [ -d "$modules/$module" ] || missing="$missing python3-$module"
done
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
