#!/bin/sh
# Signs Sallyport.app with the hardened runtime, beginning with what is inside. Needs macOS.
# Usage: sign.sh APP [IDENTITY]; without an identity it is signed ad hoc, which runs on this Mac
# only.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
app=$1
identity=${2:--}
entitlements=$here/../../bridge/packaging/entitlements.plist
node_entitlements=$entitlements
time=--timestamp
if [ "$identity" = - ]; then
  time=--timestamp=none
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # With an ad hoc signature, Node and its native modules belong to no team, so Node couldn't load
  # them. A release never has this entitlement.
  node_entitlements=$work/ad-hoc.entitlements
  sed 's|</dict>|<key>com.apple.security.cs.disable-library-validation</key><true/></dict>|' "$entitlements" >"$node_entitlements"
fi

sign() { codesign --force --sign "$identity" --options runtime "$time" "$@"; }

# Finder and downloads leave attributes on files. They are no part of the app, and codesign refuses
# them.
xattr -cr "$app"
find "$app/Contents/Resources" -type f \( -name '*.node' -o -name '*.dylib' \) -print | while IFS= read -r library; do
  sign "$library"
done
# The keychain remembers the identifier. With the file's name alone, any program of that name would
# be taken for this one.
sign --identifier app.sallyport.Sallyport.node --entitlements "$node_entitlements" "$app/Contents/Helpers/sallyport-node"
sign --identifier app.sallyport.Sallyport.keychain "$app/Contents/Helpers/sallyport-keychain"
sign --identifier app.sallyport.Sallyport.bridge --entitlements "$entitlements" "$app/Contents/MacOS/sallyport-mcp"
sign --identifier app.sallyport.Sallyport.daemon "$app/Contents/MacOS/sallyportd"
sign "$app"
