#!/bin/sh
# Installs what tests of `sallyport service` need (Debian). None of it is started; tests as root
# give it its own namespaces.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v systemd-analyze >/dev/null 2>&1 && command -v systemctl >/dev/null 2>&1 || missing="$missing systemd"
[ -e /usr/lib/systemd/user/dbus.socket ] || [ -e /lib/systemd/user/dbus.socket ] || missing="$missing dbus-user-session"
command -v nsenter >/dev/null 2>&1 && command -v setpriv >/dev/null 2>&1 || missing="$missing util-linux"
command -v python3 >/dev/null 2>&1 || missing="$missing python3"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
