#!/bin/sh
# Packs the folder that executable.sh fills, and makes install.sh, which knows the SHA-256 of every
# archive of this version that lies in FOLDER: those of other systems may be put there first.
# Usage: download.sh EXECUTABLE FOLDER, from the project's folder; LEVEL is gzip's
set -eu
version=$("$1/bin/sallyport" --version | cut -d' ' -f2)
case $(uname -s) in Darwin) system=macos ;; *) system=linux ;; esac
case $(uname -m) in aarch64 | arm64) processor=arm64 ;; *) processor=x64 ;; esac
mkdir -p "$2"
tar -cf - -C "$1" . | gzip -n "-${LEVEL:-9}" >"$2/sallyport-$version-$system-$processor.tar.gz"
# macOS has no sha256sum.
(cd "$2" && { sha256sum "sallyport-$version-"*.tar.gz 2>/dev/null || shasum -a 256 "sallyport-$version-"*.tar.gz; }) >"$2/sums"
sed -e "s/@VERSION@/$version/g" -e "/^@SUMS@$/{
r $2/sums
d
}" bridge/packaging/install.sh >"$2/install.sh"
rm "$2/sums"
