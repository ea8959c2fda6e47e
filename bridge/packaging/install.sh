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
page=share/man/man1/sallyport.1

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
  make_folder "$prefix/share/man/man1"
  [ ! -e "$made" ] || folders=$(cat "$made")
  # A new folder takes the old one's place at the end: a daemon that runs meanwhile loads no half of two versions.
  new=$prefix/lib/.sallyport.new
  rm -rf "$new"
  mkdir -p "$new/bin"
  (umask 022
    cp -R build/bundle "$new/"
    cp LICENSE package.json "$new/"
    build/bin/sallyport manual >"$new/sallyport.1"
    cp build/bin/package.json build/bin/sallyport build/bin/sallyportd build/bin/sallyport-mcp "$new/bin/"
    [ ! -x build/executable/sallyport-mcp ] || cp build/executable/sallyport-mcp "$new/bin/sallyport-mcp"
    # Of the packages what runs: no sources and half-built objects of native modules, no maps and types.
    npm ls --omit=dev --all --parseable --loglevel=silent | sed -n "s|^$PWD/||p" |
      tar -cf - --exclude='*.ts' --exclude='*.mts' --exclude='*.cts' --exclude='obj' --exclude='obj.target' \
        --exclude='better-sqlite3/deps' --exclude='better-sqlite3/src' --exclude='test_extension.node' --exclude='.deps' -T - |
      tar -xf - -C "$new"
    find "$new" -name '*.map' -delete
    node bridge/packaging/manifest.mjs "$new")
  [ -e "$new/node_modules/better-sqlite3/build/Release/better_sqlite3.node" ] ||
    { echo "npm could not tell which packages Sallyport needs." >&2; rm -rf "$new"; exit 1; }
  printf '%s' "$folders" >"$new/.made-folders"
  rm -rf "$library"
  mv "$new" "$library"
  for command in $commands; do
    rm -f "$prefix/bin/$command"
    ln -s "../lib/sallyport/bin/$command" "$prefix/bin/$command"
  done
  rm -f "$prefix/$page"
  ln -s ../../../lib/sallyport/sallyport.1 "$prefix/$page"
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

# What runs from here would go on without its files, and clients would start what is no longer there.
stop_daemon() {
  [ -z "${DESTDIR-}" ] && [ -x "$prefix/bin/sallyport" ] || return 0
  ps -axo args= | grep -qF "$(cd "$library" && pwd -P)/bin/sallyportd" || return 0
  "$prefix/bin/sallyport" stop >/dev/null && echo "Stopped Sallyport, which was running."
}

leave_clients() {
  [ -z "${DESTDIR-}" ] && [ -x "$prefix/bin/sallyport" ] || return 0
  clients=$("$prefix/bin/sallyport" connect 2>/dev/null | awk '$2 == "yes" { print $1 }')
  [ -n "$clients" ] || return 0
  echo "These AI clients have an entry for Sallyport:" $clients
  answer=
  if [ -t 0 ]; then
    printf 'Take it out of their files? [y/N] '
    read -r answer || true
  fi
  for client in $clients; do
    case $answer in
      [yY]*) "$prefix/bin/sallyport" connect "$client" --remove ;;
      *) echo "  left: sallyport connect $client --remove would have taken it out of its file" ;;
    esac
  done
}

uninstall() {
  uninstall_service
  stop_daemon
  leave_clients
  for command in $commands; do
    [ "$(readlink "$prefix/bin/$command" 2>/dev/null)" != "../lib/sallyport/bin/$command" ] || rm "$prefix/bin/$command"
  done
  [ "$(readlink "$prefix/$page" 2>/dev/null)" != ../../../lib/sallyport/sallyport.1 ] || rm "$prefix/$page"
  if [ ! -d "$library" ]; then
    echo "No Sallyport is installed in $prefix."
    return 0
  fi
  folders=$(cat "$made" 2>/dev/null || true)
  rm -rf "$library"
  # The deepest first, each only if nothing else came into it since.
  printf '%s\n' "$folders" | awk '{ line[NR] = $0 } END { for (n = NR; n > 0; n--) print line[n] }' |
    while IFS= read -r folder; do [ -z "$folder" ] || rmdir "$folder" 2>/dev/null || true; done
  echo "Removed $library and its commands in $prefix/bin. Your connections, settings and log stay where they are."
}

"$1"
