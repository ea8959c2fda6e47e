#!/bin/sh
# `sallyport` for the terminal, inside the app. It runs the app's own Node with the app's own code,
# wherever the app is and whatever links lead here. It is Contents/Resources/bin/sallyport because
# on most Macs, Contents/MacOS/sallyport is the same file as Contents/MacOS/Sallyport.
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
# shared/no-debugger.ts says why.
exec "$contents/Helpers/sallyport-node" --inspect-port=192.0.2.1:9229 "$contents/Resources/sallyport/terminal.cjs" "$@"
