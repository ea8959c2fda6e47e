# shellcheck shell=sh
# Sourced. `install_missing PACKAGE…` installs them from Debian, as root or with sudo, and starts
# none of their servers: the tests only want private ones, and no port taken.
install_missing() {
  [ $# -gt 0 ] || return 0
  root=
  [ "$(id -u)" = 0 ] || root=sudo
  echo "Installing $* …"
  policy=/usr/sbin/policy-rc.d
  made=
  [ -e "$policy" ] || made=1
  [ -z "$made" ] || printf '#!/bin/sh\nexit 101\n' | $root tee "$policy" >/dev/null
  [ -z "$made" ] || $root chmod 755 "$policy"
  status=0
  { $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null || status=$?
  [ -z "$made" ] || $root rm -f "$policy"
  return $status
}
