#!/bin/sh
# Installs what fetches an archive, checks a package and makes a Debian (Debian), and fills the bare
# one that the tests of installers copy: within a test it would take minutes.
set -eu
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-packages.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-root.sh"
missing=
for program in curl lintian mmdebstrap wget; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
# Words, not one text.
# shellcheck disable=SC2086
install_missing $missing
if [ "$(id -u)" = 0 ] && [ "$(dpkg --print-architecture)" = amd64 ]; then bare_root; fi
