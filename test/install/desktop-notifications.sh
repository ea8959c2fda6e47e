#!/bin/sh
# Installs what tests of desktop notifications need (Debian): the sender, a bus, and the language of
# the tests' own desktop.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
[ -x /usr/bin/notify-send ] || missing="$missing libnotify-bin"
command -v dbus-run-session >/dev/null 2>&1 || missing="$missing dbus"
[ -e /usr/lib/python3/dist-packages/dbus ] || missing="$missing python3-dbus"
[ -e /usr/lib/python3/dist-packages/gi ] || missing="$missing python3-gi"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
