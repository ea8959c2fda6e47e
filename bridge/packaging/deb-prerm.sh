#!/bin/sh
# Before the package's files go: ends the daemons that run from them, each of which is a person's. At
# an upgrade they go on until `sallyport restart`.
set -e
[ "$1" = remove ] || exit 0
file=$(stat -c %d:%i /usr/lib/sallyport/bin/sallyportd)
for process in /proc/[0-9]*; do
  # A container may have another file by that path.
  if [ "$(stat -Lc %d:%i "$process/exe" 2>/dev/null)" = "$file" ] && head -z -n 1 "$process/cmdline" 2>/dev/null | grep -qz '/sallyportd$'; then
    kill "${process#/proc/}" 2>/dev/null && echo "Stopped Sallyport, process ${process#/proc/} of $(stat -c %U "$process" 2>/dev/null)."
  fi
done
exit 0
