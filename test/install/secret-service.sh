#!/bin/sh
# Installs what the keychain is built with and tested against (Debian): run before `npm ci`, which skips keytar without it.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
[ -e /usr/include/libsecret-1/libsecret/secret.h ] || missing="$missing libsecret-1-dev pkg-config"
command -v gnome-keyring-daemon >/dev/null 2>&1 || missing="$missing gnome-keyring"
command -v dbus-daemon >/dev/null 2>&1 && command -v dbus-send >/dev/null 2>&1 || missing="$missing dbus"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
# npm does not come back to an optional package that it once failed to build; without the mark, `make` installs anew.
cd "$(dirname "$0")/../.."
[ -e node_modules/keytar/build/Release/keytar.node ] || rm -f node_modules/.installed
