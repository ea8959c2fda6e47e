#!/bin/sh
# Installs a built Sallyport, or removes it. Touches nothing outside PREFIX (and DESTDIR before it,
# for packagers).
#   install.sh install|uninstall|rights PREFIX     run from the project's folder; rights only checks permission
# The single executable goes to PREFIX/lib/sallyport. The commands in PREFIX/bin are links to it.
# Nothing installed refers to this folder, or to the place where it lies. A user's databases, secrets
# and settings are elsewhere and stay as they are.
set -eu
case $2 in
  /*) prefix=${DESTDIR-}$2 ;;
  *) echo "PREFIX must be an absolute path, not $2." >&2; exit 2 ;;
esac
library=$prefix/lib/sallyport
made=$library/.made-folders
commands="sallyport sallyportd sallyport-mcp"
page=share/man/man1/sallyport.1

as_person() {
  sh "$(dirname "$0")/as-person.sh" "$@"
}

# Sentences, broken between words on a terminal.
say() {
  columns=
  [ ! -t 1 ] || columns=$(stty size 2>/dev/null </dev/tty | cut -d' ' -f2)
  if [ "${columns:-0}" -gt 0 ]; then printf '%s\n' "$@" | fold -s -w "$columns"; else printf '%s\n' "$@"; fi
}

# Called before anything is touched.
need_rights() {
  for folder in "$prefix/lib" "$prefix/bin" "$prefix/share/man/man1"; do
    while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
    [ ! -d "$folder" ] || [ ! -w "$folder" ] || continue
    echo "You can't write to $folder, so nothing was changed. Use \`sudo make $1\`, or a folder of your own: make $1 PREFIX=\"\$HOME/.local\"" >&2
    exit 1
  done
}

make_folder() {
  [ ! -d "$1" ] || return 0
  make_folder "$(dirname "$1")"
  mkdir "$1"
  folders="$folders$1
"
}

install() {
  need_rights install
  # Uninstalling removes the folders that installing made, and no others.
  folders=
  make_folder "$prefix/lib"
  make_folder "$prefix/bin"
  make_folder "$prefix/share/man/man1"
  [ ! -e "$made" ] || folders=$(cat "$made")
  # The new folder takes the old one's place at the end, so a running daemon never loads a mix of
  # two versions.
  new=$prefix/lib/.sallyport.new
  rm -rf "$new"
  mkdir "$new"
  # With tar, hard links stay; the files belong to whoever installs, and all may read them.
  tar -cf - -C build/executable . | tar -xof - -C "$new"
  chmod -R u=rwX,go=rX "$new"
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

# @param $1 PREFIX as it will be once a packager has moved the files out of DESTDIR.
tell_installed() {
  say "Sallyport is installed in $prefix."
  is_in_use || return 0
  [ -z "$(daemons_from_here)" ] || say "It still runs as it was before: \`sallyport restart\` starts this version."
  case ":$PATH:" in
    *":$1/bin:"*) ;;
    *) say "$1/bin is not in your PATH. Until your next login, or for good in your shell's profile:" \
      "  export PATH=\"$1/bin:\$PATH\"" ;;
  esac
  say 'Next: sallyport setup'
}

# In DESTDIR nothing runs, and nobody uses it yet.
is_in_use() {
  [ -z "${DESTDIR-}" ] && [ -x "$prefix/bin/sallyport" ]
}

sallyport() {
  as_person "$prefix/bin/sallyport" "$@"
}

# Otherwise the unit would go on starting a missing program.
uninstall_service() {
  is_in_use || return 0
  for file in "$person_home/.config/systemd/user/sallyport.service" "$person_home"/Library/LaunchAgents/*sallyport*.plist; do
    if grep -qsF "$library/" "$file"; then
      sallyport service uninstall
      return 0
    fi
  done
}

# `PROCESS USER` of each daemon that runs from here. The path isn't an argument of the search, so
# the search doesn't find itself.
daemons_from_here() {
  ps -axwwo pid=,user=,args= 2>/dev/null |
    DAEMON="$(cd "$library" && pwd -P)/bin/sallyportd" awk 'index($0, ENVIRON["DAEMON"]) { print $1, $2 }'
}

# Otherwise the daemon would go on without its files, and clients would start a missing program.
stop_daemon() {
  is_in_use || return 0
  ours=$(sallyport status --json 2>/dev/null | sed -n 's/^ *"pid": \([0-9]*\),*$/\1/p')
  if [ -n "$ours" ] && daemons_from_here | grep -q "^$ours "; then
    sallyport stop >/dev/null && echo "Stopped Sallyport, which was running." || true
  fi
  daemons_from_here | while read -r process user; do
    say "Process $process of $user still runs from $library, which is removed now. End it: kill $process"
  done
}

# `CLIENT yes|no FILE` for each AI client on this machine.
clients_here() {
  sallyport connect 2>/dev/null | awk '$2 == "yes" || $2 == "no"' | sed "s|~|$person_home|"
}

leave_clients() {
  is_in_use || return 0
  entries=$(clients_here | sed -n 's/^\([^ ]*\)  *yes  */\1 /p')
  [ -n "$entries" ] || return 0
  echo 'These AI clients have an entry "sallyport":'
  printf '%s\n' "$entries" | sed 's/^\([^ ]*\) /  \1: /'
  answer=
  if [ -t 0 ]; then
    printf 'Take it out of their files? [y/N] '
    read -r answer || true
  fi
  case $answer in
    [yY]*)
      printf '%s\n' "$entries" | while read -r client file; do
        sallyport connect "$client" --remove </dev/null || echo "Kept: the entry \"sallyport\" in $file"
      done
      ;;
    *)
      printf '%s\n' "$entries" | while read -r client file; do echo "Kept: the entry \"sallyport\" in $file"; done
      say "Each client will say that it can't start it. Take the entry out of the file by hand, or install Sallyport again."
      ;;
  esac
}

# Asked while the daemon can still answer, and printed at the end.
what_stays() {
  is_in_use || return 0
  data=$(sallyport status --json 2>/dev/null | sed -n 's/^ *"home": "\(.*\)",*$/\1/p')
  if [ ! -d "$data" ] && [ "$(id -u)" = 0 ] && [ "${SUDO_USER:-root}" = root ]; then
    echo 'Connections, passwords and settings of whoever used it stay in their home folders ("sallyport" in .local/share, on macOS in Library/Application Support).'
  elif [ -n "$data" ] && [ -d "$data" ]; then
    if grep -qs '"secrets":"keychain"' "$data/store.json"; then
      echo "Your connections, settings and log stay in $data, your passwords in the keychain (look for \"sallyport\")."
    else
      echo "Your connections, passwords, settings and log stay in $data; remove that folder to be rid of them."
    fi
  fi
  clients_here | sed 's/^[^ ]*  *[a-z]*  *//' | while read -r file; do
    for copy in "$file".before-sallyport*; do
      [ ! -e "$copy" ] || echo "A copy of a client's file stays: $copy"
    done
  done
}

uninstall() {
  need_rights uninstall
  person_home=$(as_person sh -c 'echo "$HOME"')
  uninstall_service
  stop_daemon
  leave_clients
  stays=$(what_stays)
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
  # Deepest first; a folder that holds other files stays.
  printf '%s\n' "$folders" | awk '{ line[NR] = $0 } END { for (n = NR; n > 0; n--) print line[n] }' |
    while IFS= read -r folder; do [ -z "$folder" ] || rmdir "$folder" 2>/dev/null || true; done
  say "Removed $library and its commands in $prefix/bin."
  [ -z "$stays" ] || say "$stays"
}

case $1 in
  install)
    install "$@"
    tell_installed "$2"
    ;;
  uninstall) uninstall ;;
  rights) need_rights install ;;
esac
