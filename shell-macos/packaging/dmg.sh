#!/bin/sh
# Puts a signed Sallyport.app into a disk image, beside a link to Applications to drop it on. Needs
# macOS.
# Usage: dmg.sh APP FOLDER [IDENTITY] [PROFILE] makes FOLDER/Sallyport-VERSION-KIND.dmg. IDENTITY
# signs it, and PROFILE has Apple notarise it (see notarize.sh). The kind of Mac is in its name,
# since an app runs on one kind.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
app=$1
version=$(plutil -extract CFBundleShortVersionString raw "$app/Contents/Info.plist")
output=$2/Sallyport-$version-$(lipo -archs "$app/Contents/MacOS/Sallyport").dmg
identity=${3:--}
profile=${4-}
logged() { sh "$here/logged.sh" "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/image"
# The app in the image has a ticket of its own, so a copy of it opens offline, too.
[ -z "$profile" ] || logged notarize sh "$here/notarize.sh" "$app" "$profile" "$work/app.zip"
ditto "$app" "$work/image/Sallyport.app"
ln -s /Applications "$work/image/Applications"
rm -f "$output"
logged hdiutil hdiutil create -volname Sallyport -srcfolder "$work/image" -format UDZO "$output"
[ "$identity" = - ] || logged codesign codesign --sign "$identity" --timestamp "$output"
if [ -n "$profile" ]; then
  logged notarytool xcrun notarytool submit "$output" --keychain-profile "$profile" --wait
  logged stapler xcrun stapler staple "$output"
fi
logged hdiutil-verify hdiutil verify "$output"
echo "$output"
