#!/bin/sh
# Installs the database servers that tests start privately (Debian) and the program that sets a
# clock for one process. None of the servers keeps running.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v psql >/dev/null 2>&1 && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql postgresql-contrib"
command -v mariadbd >/dev/null 2>&1 || [ -x /usr/sbin/mariadbd ] || missing="$missing mariadb-server"
command -v pgbouncer >/dev/null 2>&1 || [ -x /usr/sbin/pgbouncer ] || missing="$missing pgbouncer"
command -v pgpool >/dev/null 2>&1 || [ -x /usr/sbin/pgpool ] || missing="$missing pgpool2"
command -v faketime >/dev/null 2>&1 || missing="$missing faketime"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
