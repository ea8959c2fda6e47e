#!/bin/sh
# Makes an OCI image of the executable as a tar (Open Container Initiative, image-spec 1.1, layout).
# Debian with ssh and sh is its first layer, because tunnels and password commands need them;
# Sallyport is the second. Its user is no root, and keeps everything in one volume. Asks Debian for
# packages, and nobody else; MIRROR=URL names a nearer one. Needs Linux, root and mmdebstrap.
# Usage: image.sh OUTPUT [ROOT], from the project's folder after `make executable`. ROOT is a tar of
# a root with the user `sallyport` that is used instead of a new one.
set -eu
umask 022
here=bridge/packaging
output=$1
work=$(mktemp -d build/image.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

# A package's licence stays; its examples and translations go. A near mirror may be known to nobody
# else, so the image names Debian's.
debian() {
  official=http://deb.debian.org
  near=${MIRROR:-$official}
  command -v mmdebstrap >/dev/null || { echo 'image: needs mmdebstrap: apt-get install mmdebstrap' >&2; exit 1; }
  # A mirror that keeps an old state has old indexes: their signatures are checked, their dates aren't.
  # From Debian itself an old index would be a replayed one.
  dated=true
  [ -z "${MIRROR-}" ] || dated=false
  # In the hooks, $1 is the new root.
  # shellcheck disable=SC2016
  mmdebstrap --quiet --variant=apt --components=main --include=ca-certificates,libstdc++6,openssh-client,passwd \
    --aptopt='APT::Install-Recommends "false"' --aptopt="Acquire::Check-Valid-Until \"$dated\"" --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='chroot "$1" useradd --uid 10001 --user-group --create-home --home-dir /var/lib/sallyport --skel /nowhere --shell /usr/sbin/nologin sallyport' \
    --customize-hook='chmod 700 "$1/var/lib/sallyport"' \
    --customize-hook="sed -i 's|$near/|$official/|' \"\$1/etc/apt/sources.list\"" \
    --customize-hook='rm -f "$1/etc/apt/apt.conf.d/99mmdebstrap" "$1/etc/dpkg/dpkg.cfg.d/99mmdebstrap" "$1/etc/resolv.conf" "$1/etc/hostname" "$1"/etc/passwd- "$1"/etc/shadow- "$1"/etc/group- "$1"/etc/gshadow- "$1"/etc/subuid- "$1"/etc/subgid-' \
    trixie "$1" "deb $near/debian trixie main" "deb $near/debian trixie-updates main" \
    "deb $near/debian-security trixie-security main"
}

if [ -n "${2-}" ]; then cp "$2" "$work/1.tar"; else debian "$work/1.tar"; fi
library=$work/sallyport/usr/lib/sallyport
mkdir -p "$library" "$work/sallyport/usr/bin"
# With tar, hard links stay.
tar -cf - -C build/executable . | tar -xf - -C "$library"
for command in sallyport sallyportd sallyport-mcp; do
  ln -s "../lib/sallyport/bin/$command" "$work/sallyport/usr/bin/$command"
done
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf "$work/2.tar" -C "$work/sallyport" usr
node "$here/image.mjs" "$work/image" "$work/1.tar" "$work/2.tar"
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf "$work/image.tar" -C "$work/image" .
mv "$work/image.tar" "$output"
echo "$output"
