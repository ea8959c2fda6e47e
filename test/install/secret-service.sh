#!/bin/sh
# Installs what tests of the keychain need (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v gnome-keyring-daemon >/dev/null 2>&1 || missing="$missing gnome-keyring"
command -v dbus-daemon >/dev/null 2>&1 && command -v dbus-send >/dev/null 2>&1 || missing="$missing dbus"
command -v secret-tool >/dev/null 2>&1 || missing="$missing libsecret-tools"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
