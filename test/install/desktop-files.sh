#!/bin/sh
# Installs what tests of the registration of sallyport: links and of the drawn windows need
# (Debian).
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
missing=
command -v xdg-mime >/dev/null 2>&1 || missing="$missing xdg-utils"
command -v desktop-file-validate >/dev/null 2>&1 || missing="$missing desktop-file-utils"
command -v script >/dev/null 2>&1 || missing="$missing bsdutils"
command -v tmux >/dev/null 2>&1 || missing="$missing tmux"
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
