#!/bin/sh
# `sallyport` for the terminal, within the app: its own Node with its own code, wherever the app is
# and whatever links lead here. Contents/Resources/bin/sallyport and not Contents/MacOS/sallyport:
# on most Macs that is the same file as Contents/MacOS/Sallyport.
set -eu
here=$0
while [ -L "$here" ]; do
  link=$(readlink "$here")
  case $link in
    /*) here=$link ;;
    *) here=$(dirname "$here")/$link ;;
  esac
done
contents=$(cd "$(dirname "$here")/../.." && pwd -P)
# As shared/no-debugger.ts says.
exec "$contents/Helpers/sallyport-node" --inspect-port=192.0.2.1:9229 "$contents/Resources/sallyport/terminal.cjs" "$@"
