#!/bin/sh
# Installs the programs that tests of tunnels need (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
[ -x /usr/sbin/sshd ] || missing="$missing openssh-server"
command -v ssh >/dev/null 2>&1 || missing="$missing openssh-client"
command -v socat >/dev/null 2>&1 || missing="$missing socat"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
