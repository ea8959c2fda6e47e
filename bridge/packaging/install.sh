#!/bin/sh
# Puts a built Sallyport in place, or takes it away again. Touches nothing outside of PREFIX (and DESTDIR before it, for packagers).
#   install.sh install|uninstall PREFIX     run from the project's folder
# The code and the packages it needs at run time go to PREFIX/lib/sallyport, the commands are links to it in PREFIX/bin. Nothing in
# it points back to this folder. The databases, secrets and settings of a user are not here and stay as they are.
set -eu
case $2 in
  /*) prefix=${DESTDIR-}$2 ;;
  *) echo "PREFIX must be an absolute path, not $2." >&2; exit 2 ;;
esac
library=$prefix/lib/sallyport
made=$library/.made-folders
commands="sallyport sallyportd sallyport-mcp"

make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir "$1"
  folders="$folders$1
"
}

install() {
  # Uninstalling takes away the folders that installing made, and no other.
  folders=
  make_folder "$prefix/lib"
  make_folder "$prefix/bin"
  [ ! -e "$made" ] || folders=$(cat "$made")
  # A new folder takes the old one's place at the end: a daemon that runs meanwhile loads no half of two versions.
  new=$prefix/lib/.sallyport.new
  rm -rf "$new"
  mkdir -p "$new/bin"
  (umask 022
    cp -R build/bundle "$new/"
    cp LICENSE package.json "$new/"
    cp build/bin/package.json build/bin/sallyport build/bin/sallyportd build/bin/sallyport-mcp "$new/bin/"
    [ ! -x build/executable/sallyport-mcp ] || cp build/executable/sallyport-mcp "$new/bin/sallyport-mcp"
    # Of the packages what runs: no sources and half-built objects of native modules, no maps and types.
    npm ls --omit=dev --all --parseable --loglevel=silent | sed -n "s|^$PWD/||p" |
      tar -cf - --exclude='*.ts' --exclude='*.mts' --exclude='*.cts' --exclude='obj' --exclude='obj.target' \
        --exclude='better-sqlite3/deps' --exclude='better-sqlite3/src' --exclude='test_extension.node' --exclude='.deps' -T - |
      tar -xf - -C "$new"
    find "$new" -name '*.map' -delete)
  [ -e "$new/node_modules/better-sqlite3/build/Release/better_sqlite3.node" ] ||
    { echo "npm could not tell which packages Sallyport needs." >&2; rm -rf "$new"; exit 1; }
  printf '%s' "$folders" >"$new/.made-folders"
  rm -rf "$library"
  mv "$new" "$library"
  for command in $commands; do
    rm -f "$prefix/bin/$command"
    ln -s "../lib/sallyport/bin/$command" "$prefix/bin/$command"
  done
}

# Of the user who uninstalls: a unit would go on starting what is no longer there.
uninstall_service() {
  [ -z "${DESTDIR-}" ] && [ -x "$prefix/bin/sallyport" ] || return 0
  for file in "$HOME/.config/systemd/user/sallyport.service" "$HOME"/Library/LaunchAgents/*sallyport*.plist; do
    if grep -qsF "$library/" "$file"; then
      "$prefix/bin/sallyport" service uninstall
      return 0
    fi
  done
}

uninstall() {
  uninstall_service
  for command in $commands; do
    [ "$(readlink "$prefix/bin/$command" 2>/dev/null)" != "../lib/sallyport/bin/$command" ] || rm "$prefix/bin/$command"
  done
  [ -d "$library" ] || return 0
  folders=$(cat "$made" 2>/dev/null || true)
  rm -rf "$library"
  # The deepest first, each only if nothing else came into it since.
  printf '%s\n' "$folders" | awk '{ line[NR] = $0 } END { for (n = NR; n > 0; n--) print line[n] }' |
    while IFS= read -r folder; do [ -z "$folder" ] || rmdir "$folder" 2>/dev/null || true; done
}

"$1"
