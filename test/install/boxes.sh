#!/bin/sh
# Installs the programs that box agents and reach their box's socket (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v socat >/dev/null 2>&1 || missing="$missing socat"
command -v bwrap >/dev/null 2>&1 || missing="$missing bubblewrap"
command -v slirp4netns >/dev/null 2>&1 || missing="$missing slirp4netns"
command -v unshare >/dev/null 2>&1 && command -v setpriv >/dev/null 2>&1 || missing="$missing util-linux"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
