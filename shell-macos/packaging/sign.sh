#!/bin/sh
# Signs Sallyport.app with the hardened runtime, beginning with what is inside. Needs macOS.
# Usage: sign.sh APP [IDENTITY]; without an identity it is signed ad hoc, which runs on this Mac
# only.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
app=$1
identity=${2:--}
entitlements=$here/../../bridge/packaging/entitlements.plist
time=--timestamp
if [ "$identity" = - ]; then
  time=--timestamp=none
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # With an ad hoc signature, the executable and its native module belong to no team, so it couldn't
  # load it. A release never has this entitlement.
  sed 's|</dict>|<key>com.apple.security.cs.disable-library-validation</key><true/></dict>|' "$entitlements" >"$work/ad-hoc.entitlements"
  entitlements=$work/ad-hoc.entitlements
fi

sign() { codesign --force --sign "$identity" --options runtime "$time" "$@"; }

# Finder and downloads leave attributes on files. They are no part of the app, and codesign refuses
# them.
xattr -cr "$app"
# The keychain remembers the identifier. With the file's name alone, any program of that name would
# be taken for this one.
sign --identifier app.sallyport.Sallyport.keyring "$app/Contents/MacOS/keyring.node"
sign --identifier app.sallyport.Sallyport.keychain "$app/Contents/Helpers/sallyport-keychain"
sign --identifier app.sallyport.Sallyport.daemon --entitlements "$entitlements" "$app/Contents/MacOS/sallyportd"
sign "$app"
