#!/bin/sh
# After the package's files are gone: says what stays in the homes of those who used it. Changes
# nothing there.
set -e
[ "$1" = remove ] || exit 0
getent passwd | cut -d: -f6 | sort -u | while read -r home; do
  folder=$home/.local/share/sallyport
  [ ! -d "$folder" ] || echo "Connections, settings, the log, and passwords that are in no keychain stay in $folder"
done
echo 'An AI client whose file has an entry "sallyport" will say that it can'\''t start it; take the entry out.'
