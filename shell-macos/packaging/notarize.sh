#!/bin/sh
# Has Apple notarise a signed Sallyport.app, staples the ticket to it, and zips it for download.
# Needs macOS, and a profile that `xcrun notarytool store-credentials PROFILE` has put into the
# keychain, so no password is given here.
# Usage: notarize.sh APP PROFILE OUTPUT.zip
set -eu
app=$1
profile=$2
output=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $(codesign --display --verbose=2 "$app" 2>&1) in
  *Signature=adhoc*) echo "notarize.sh: $app is signed ad hoc; sign it with a Developer ID first" >&2; exit 1 ;;
esac
ditto -c -k --keepParent "$app" "$work/app.zip"
xcrun notarytool submit "$work/app.zip" --keychain-profile "$profile" --wait --output-format json >"$work/answer.json"
if [ "$(plutil -extract status raw "$work/answer.json")" != Accepted ]; then
  xcrun notarytool log "$(plutil -extract id raw "$work/answer.json")" --keychain-profile "$profile" >&2
  exit 1
fi
# A stapled app opens without asking Apple, also on a Mac that is offline.
xcrun stapler staple "$app"
xcrun stapler validate "$app"
spctl --assess --type execute --verbose=4 "$app"
rm -f "$output"
ditto -c -k --keepParent "$app" "$output"
shasum -a 256 "$output"
