#!/bin/sh
# Installs the shells, besides bash, whose completion is tested, and one that our scripts run under
# (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v busybox >/dev/null 2>&1 || missing="$missing busybox"
command -v zsh >/dev/null 2>&1 || missing="$missing zsh"
command -v fish >/dev/null 2>&1 || missing="$missing fish"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
