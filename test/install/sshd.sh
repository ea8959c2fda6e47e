#!/bin/sh
# Installs the SSH server that clients from elsewhere are tested with (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
[ -x /usr/sbin/sshd ] || install_missing openssh-server openssh-client
