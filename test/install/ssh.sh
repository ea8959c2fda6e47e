#!/bin/sh
# Installs the SSH server that tests start privately (Debian), which is not left running, and ssh itself.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v sshd >/dev/null 2>&1 || [ -x /usr/sbin/sshd ] || missing="$missing openssh-server"
command -v ssh >/dev/null 2>&1 || missing="$missing openssh-client"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
