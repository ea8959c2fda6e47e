#!/bin/sh
# Installs what the registration of sallyport: links and the drawn windows are tested with (Debian).
set -eu
missing=
command -v xdg-mime >/dev/null 2>&1 || missing="$missing xdg-utils"
command -v desktop-file-validate >/dev/null 2>&1 || missing="$missing desktop-file-utils"
command -v script >/dev/null 2>&1 || missing="$missing bsdutils"
command -v tmux >/dev/null 2>&1 || missing="$missing tmux"
if [ -n "$missing" ]; then
  root=
  [ "$(id -u)" = 0 ] || root=sudo
  echo "Installing$missing …"
  { $root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $root apt-get install -y -qq --no-install-recommends $missing; } >/dev/null
fi
