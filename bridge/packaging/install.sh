#!/bin/sh
# Installs Sallyport @VERSION@ for you alone, without root: fetches its archive, compares the archive's
# SHA-256 with the one in this file, and only then unpacks and places it. So it matters where you have
# this file from, not who serves the archive.
#   SALLYPORT_FROM=URL sh install.sh      URL is the archive's folder (https://…, http://…, file:///…)
#   PREFIX=/absolute/path                 instead of ~/.local
set -eu

sums='
@SUMS@
'

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

fetch() {
  case $1 in
    file:///*) cp "${1#file://}" "$2" ;;
    https://* | http://*)
      if command -v curl >/dev/null 2>&1; then
        curl --fail --silent --show-error --location --proto '=https,http' --output "$2" "$1"
      elif command -v wget >/dev/null 2>&1; then
        # Otherwise it would try a cut archive twenty times, for minutes.
        wget -q -t 3 -O "$2" "$1"
      else
        fail 'neither curl nor wget is installed; nothing was changed. Fetch the archive by hand, and name its folder: SALLYPORT_FROM=file:///FOLDER'
      fi
      ;;
    *) fail "SALLYPORT_FROM must begin with https://, http:// or file:///, not ${1%/*}." ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 "$1"
  else openssl dgst -sha256 -r "$1"; fi | cut -d' ' -f1
}

# Called in the last line, so that half of this file does nothing.
main() {
  [ -n "${SALLYPORT_FROM-}" ] || fail 'name the folder of the archive: SALLYPORT_FROM=https://… sh install.sh'
  [ -z "${SUDO_USER-}" ] || fail 'it installs for one user; type it without sudo.'
  case $SALLYPORT_FROM in
    *://*@*) fail 'SALLYPORT_FROM has an account in it, which other users would see; nothing was changed. Fetch the archive by hand, and name its folder: SALLYPORT_FROM=file:///FOLDER' ;;
  esac
  prefix=${PREFIX:-$HOME/.local}
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "there is no archive for $(uname -s)." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no archive for $(uname -m)." ;;
  esac
  archive=sallyport-@VERSION@-$system-$processor.tar.gz
  sum=$(printf '%s' "$sums" | sed -n "s/^\([0-9a-f]*\)  $archive\$/\1/p")
  [ -n "$sum" ] || fail "this file knows no $archive."

  # Not in /tmp, where a system may let nothing run.
  work=$(mktemp -d "$HOME/.sallyport-install.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  url=${SALLYPORT_FROM%/}/$archive
  echo "Fetching $url"
  fetch "$url" "$work/archive" || fail "$url could not be fetched whole; nothing was changed."
  [ "$(sum_of "$work/archive")" = "$sum" ] ||
    fail "$url isn't the archive that this file was made for (its SHA-256 is another); nothing was changed. Fetch it again, from its publisher."
  mkdir "$work/unpacked"
  tar -xzf "$work/archive" -C "$work/unpacked"
  "$work/unpacked/bin/sallyport" --version >/dev/null ||
    fail 'this machine can'\''t run it (on Linux it needs glibc 2.28 and libstdc++); nothing was changed.'
  # Only whoever makes a package places files elsewhere than they will be.
  unset DESTDIR
  sh "$work/unpacked/place.sh" install "$prefix" "$work/unpacked"
}

main
