#!/bin/sh
# Installs what keeps the compiled SQLite for the test that installs it again (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
command -v ccache >/dev/null 2>&1 || install_missing ccache
