#!/bin/sh
# Installs the database servers that the tests start privately (Debian). None of them is left running.
set -eu
missing=
command -v psql >/dev/null 2>&1 && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql postgresql-contrib"
command -v mariadbd >/dev/null 2>&1 || [ -x /usr/sbin/mariadbd ] || missing="$missing mariadb-server"
[ -n "$missing" ] || exit 0
root=
[ "$(id -u)" = 0 ] || root=sudo
echo "Installing$missing …"
# Debian starts a server when it is installed; the tests want private ones only, and no port taken.
policy=/usr/sbin/policy-rc.d
[ -e "$policy" ] || made=1
[ -z "${made-}" ] || printf '#!/bin/sh\nexit 101\n' | $root tee "$policy" >/dev/null
[ -z "${made-}" ] || $root chmod 755 "$policy"
status=0
{ $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing; } >/dev/null || status=$?
[ -z "${made-}" ] || $root rm -f "$policy"
exit $status
