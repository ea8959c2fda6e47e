#!/bin/sh
# Before the package's files go: ends the daemons that run from them, or from those of a version
# before, each of which is a person's. At an upgrade they go on until `sallyport restart`.
set -e
[ "$1" = remove ] || exit 0
file=/usr/lib/sallyport/bin/sallyportd
here=$(stat -c %d:%i /)
for process in /proc/[0-9]*; do
  case $(readlink "$process/exe" 2>/dev/null) in
    "$file" | "$file (deleted)") ;;
    *) continue ;;
  esac
  # A container may have another file by that path.
  [ "$(stat -Lc %d:%i "$process/root" 2>/dev/null)" = "$here" ] || continue
  # Its children are the same file by another first word (shared/programs.ts); it ends them itself.
  case $(head -z -n 1 "$process/cmdline" 2>/dev/null | tr -d '\0') in
    *sallyportd) ;;
    *) continue ;;
  esac
  person=$(stat -c %U "$process" 2>/dev/null) || continue
  ! kill "${process#/proc/}" 2>/dev/null || echo "Stopped Sallyport, process ${process#/proc/} of $person."
done
exit 0
