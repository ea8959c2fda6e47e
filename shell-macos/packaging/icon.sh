#!/bin/sh
# Makes the app's .icns from its picture of 1024 points, in the sizes that macOS wants. Needs macOS
# (sips, iconutil). `rsvg-convert -w 1024 -o icon.png icon.svg` made icon.png, as
# sips reads no SVG.
# Usage: icon.sh OUTPUT.icns
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set=$work/Sallyport.iconset
mkdir "$set"
for points in 16 32 128 256 512; do
  double=$((points * 2))
  sips -z "$points" "$points" "$here/icon/icon.png" --out "$set/icon_${points}x${points}.png" >/dev/null
  sips -z "$double" "$double" "$here/icon/icon.png" --out "$set/icon_${points}x${points}@2x.png" >/dev/null
done
iconutil --convert icns --output "$1" "$set"
