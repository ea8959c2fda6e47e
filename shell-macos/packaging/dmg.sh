#!/bin/sh
# Puts a signed Sallyport.app into a disk image, beside a link to Applications to drop it on. Needs
# macOS.
# Usage: dmg.sh APP OUTPUT.dmg [IDENTITY] [PROFILE]; IDENTITY signs the image, PROFILE has Apple notarise it (see notarize.sh).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
app=$1
output=$2
identity=${3:--}
profile=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/image"
# The ticket of the app itself goes into the image: copied out of it and offline, it opens too.
[ -z "$profile" ] || sh "$here/notarize.sh" "$app" "$profile" "$work/app.zip"
ditto "$app" "$work/image/Sallyport.app"
ln -s /Applications "$work/image/Applications"
rm -f "$output"
hdiutil create -quiet -volname Sallyport -srcfolder "$work/image" -format UDZO "$output"
[ "$identity" = - ] || codesign --sign "$identity" --timestamp "$output"
if [ -n "$profile" ]; then
  xcrun notarytool submit "$output" --keychain-profile "$profile" --wait
  xcrun stapler staple "$output"
fi
hdiutil verify -quiet "$output"
echo "$output"
