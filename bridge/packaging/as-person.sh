#!/bin/sh
# Runs a command as the person who typed sudo, not as root: they keep what is theirs, and root
# leaves nothing in their home.
#   as-person.sh COMMAND [ARGUMENT…]
set -eu
if [ "$(id -u)" != 0 ] || [ "${SUDO_USER:-root}" = root ]; then exec "$@"; fi
line=
for word; do line="$line '$(printf '%s' "$word" | sed "s/'/'\\\\''/g")'"; done
exec su "$SUDO_USER" -c "exec$line"
