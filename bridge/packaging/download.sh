#!/bin/sh
# Packs the folder that executable.sh fills, and makes install.sh for the archives in FOLDER.
# Usage: download.sh EXECUTABLE FOLDER, from the project's folder; LEVEL is gzip's
set -eu
version=$("$1/bin/sallyport" --version | cut -d' ' -f2)
case $(uname -s) in Darwin) system=macos ;; *) system=linux ;; esac
case $(uname -m) in aarch64 | arm64) processor=arm64 ;; *) processor=x64 ;; esac
mkdir -p "$2"
tar -cf - -C "$1" . | gzip -n "-${LEVEL:-9}" >"$2/sallyport-$version-$system-$processor.tar.gz"
sh bridge/packaging/installer.sh "$version" "$2"
