#!/bin/sh
# Installs the drivers of other languages that tests send through the door for PostgreSQL's
# clients (Debian). Java's runs a source file by itself.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
for module in psycopg2 psycopg asyncpg sqlalchemy; do
  [ -d "/usr/lib/python3/dist-packages/$module" ] || missing="$missing python3-$module"
done
command -v java >/dev/null 2>&1 || missing="$missing default-jre-headless"
[ -e /usr/share/java/postgresql.jar ] || missing="$missing libpostgresql-jdbc-java"
[ -e /usr/share/java/junixsocket-common.jar ] || missing="$missing libjunixsocket-java"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
