#!/bin/sh
# Installs the checker of the project's shell scripts (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
command -v shellcheck >/dev/null 2>&1 || install_missing shellcheck
