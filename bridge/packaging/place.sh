#!/bin/sh
# Installs a built Sallyport, or removes it. Touches nothing outside PREFIX (and DESTDIR before it,
# for packagers); `uninstall` has the program itself undo the rest.
#   place.sh install|uninstall|remove|rights PREFIX [FOLDER]
# `remove` takes only files, where `uninstall` first has the program undo what is the person's own;
# `rights` checks what would refuse an installation.
# FOLDER is what executable.sh fills: for `make`, which runs this from the project's folder,
# build/executable; for install.sh, which has this file in its archive, what it unpacked.
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
from=${3:-build/executable}
downloaded=${3-}
commands="sallyport sallyportd sallyport-mcp"
shared='share/man/man1/sallyport.1 share/bash-completion/completions/sallyport share/zsh/site-functions/_sallyport
  share/fish/vendor_completions.d/sallyport.fish'

as_person() {
  sh "$(dirname "$0")/as-person.sh" "$@"
}

# Sentences, broken between words on a terminal.
say() {
  columns=
  [ ! -t 1 ] || columns=$(stty size 2>/dev/null </dev/tty | cut -d' ' -f2)
  if [ "${columns:-0}" -gt 0 ]; then printf '%s\n' "$@" | fold -s -w "$columns"; else printf '%s\n' "$@"; fi
}

refuse() {
  echo "$*" >&2
  exit 1
}

# What PREFIX gets beside the library: links into it.
placed() {
  for command in $commands; do echo "bin/$command"; done
  for file in $shared; do echo "$file"; done
}

# `FILE` as a link tells it. From a file's folder back to PREFIX it is `../` for each folder.
target() {
  printf '%slib/sallyport/%s' "$(printf '%s' "$(dirname "$1")/" | sed 's|[^/]*/|../|g')" "$1"
}

# A link into the library; an earlier version may have had the file elsewhere in there.
is_ours() {
  into=$(target "$1")
  into=${into%"$1"}
  case $(readlink "$prefix/$1" 2>/dev/null) in "$into"*) ;; *) return 1 ;; esac
}

# Called before anything is touched.
need_rights() {
  for folder in lib $(for file in $(placed); do dirname "$file"; done); do
    folder=$prefix/$folder
    while [ ! -e "$folder" ]; do folder=$(dirname "$folder"); done
    [ ! -d "$folder" ] || [ ! -w "$folder" ] || continue
    [ -z "$downloaded" ] || refuse "You can't write to $folder, so nothing was changed."
    refuse "You can't write to $folder, so nothing was changed. Use \`sudo make $1\`, or a folder of your own: make $1 PREFIX=\"\$HOME/.local\""
  done
  [ "$1" = install ] || return 0
  if [ -e "$library" ] && [ ! -e "$made" ]; then
    refuse "$library isn't Sallyport's own, so nothing was changed. Move it away, or install into another folder (PREFIX)."
  fi
  for file in $(placed); do
    if [ -e "$prefix/$file" ] || [ -L "$prefix/$file" ]; then
      is_ours "$file" || refuse "$prefix/$file is another's, so nothing was changed. Move it away, or install into another folder (PREFIX)."
    fi
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
  for file in $(placed); do make_folder "$prefix/$(dirname "$file")"; done
  [ ! -e "$made" ] || folders=$(cat "$made")
  # The new folder takes the old one's place at the end, so a running daemon never loads a mix of
  # two versions.
  new=$prefix/lib/.sallyport.new
  rm -rf "$new"
  mkdir "$new"
  # With tar, hard links stay; the files belong to whoever installs, and all may read them.
  tar -cf - -C "$from" . | tar -xof - -C "$new"
  chmod -R u=rwX,go=rX "$new"
  printf '%s' "$folders" >"$new/.made-folders"
  rm -rf "$library"
  mv "$new" "$library"
  for file in $(placed); do
    rm -f "$prefix/$file"
    ln -s "$(target "$file")" "$prefix/$file"
  done
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
  [ -z "${DESTDIR-}" ] && is_ours bin/sallyport && [ -x "$prefix/bin/sallyport" ]
}

# `PROCESS USER` of each daemon that runs from here. The path isn't an argument of the search, so
# the search doesn't find itself.
daemons_from_here() {
  ps -axwwo pid=,user=,args= 2>/dev/null |
    DAEMON="$(cd "$library" && pwd -P)/bin/sallyportd" awk 'index($0, ENVIRON["DAEMON"]) { print $1, $2 }'
}

tell_daemons() {
  daemons_from_here | while read -r process user; do
    say "Process $process of $user still runs from $library, which is removed now. End it: kill $process"
  done
}

uninstall() {
  need_rights uninstall
  if is_in_use; then
    as_person "$prefix/bin/sallyport" uninstall --keep-program || true
    tell_daemons
  fi
  remove
}

remove() {
  for file in $(placed); do is_ours "$file" && rm "$prefix/$file"; done || true
  # Without that list, the folder is somebody else's.
  if [ ! -e "$made" ]; then
    echo "No Sallyport is installed in $prefix."
    return 0
  fi
  folders=$(cat "$made")
  rm -rf "$library"
  # Deepest first; a folder that holds other files stays.
  printf '%s\n' "$folders" | awk '{ line[NR] = $0 } END { for (n = NR; n > 0; n--) print line[n] }' |
    while IFS= read -r folder; do [ -z "$folder" ] || rmdir "$folder" 2>/dev/null || true; done
  say "Removed $library and its commands in $prefix/bin."
}

case $1 in
  install)
    install "$@"
    tell_installed "$2"
    ;;
  uninstall) uninstall ;;
  # `sallyport uninstall` has done the rest.
  remove)
    need_rights uninstall
    remove
    ;;
  rights) need_rights install ;;
esac
