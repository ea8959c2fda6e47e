#!/bin/sh
# Installs the database servers that the tests start privately (Debian). None of them is left running.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v psql >/dev/null 2>&1 && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql postgresql-contrib"
command -v mariadbd >/dev/null 2>&1 || [ -x /usr/sbin/mariadbd ] || missing="$missing mariadb-server"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
