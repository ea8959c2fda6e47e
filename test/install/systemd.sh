#!/bin/sh
# Installs what `sallyport service` is tested with (Debian). Nothing of it is started; as root the tests give it namespaces of its own.
set -eu
missing=
command -v systemd-analyze >/dev/null 2>&1 && command -v systemctl >/dev/null 2>&1 || missing="$missing systemd"
[ -e /usr/lib/systemd/user/dbus.socket ] || [ -e /lib/systemd/user/dbus.socket ] || missing="$missing dbus-user-session"
command -v nsenter >/dev/null 2>&1 && command -v setpriv >/dev/null 2>&1 || missing="$missing util-linux"
command -v python3 >/dev/null 2>&1 || missing="$missing python3"
if [ -n "$missing" ]; then
  root=
  [ "$(id -u)" = 0 ] || root=sudo
  echo "Installing$missing …"
  { $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing; } >/dev/null
fi
