#!/bin/sh
# `make app`: builds Sallyport.app for the kind of Mac this runs on. One app for both kinds would
# carry Node twice, 200 MB for everybody, and native modules that the building Mac can't try.
# Usage: app.sh [APP], from the project's folder; CODESIGN_IDENTITY names who signs (security find-identity -v -p codesigning).
set -eu
if [ "$(uname)" != Darwin ]; then
  echo "Sallyport.app can only be built on macOS: it needs Apple's SwiftUI, codesign and iconutil." >&2
  exit 1
fi
app=${1:-build/Sallyport.app}
packaging=shell-macos/packaging
built=build/app
version=$(node -p 'require("./package.json").version')

# Also fetches the Node that goes into the app: npm's, checked against
# bridge/packaging/node/package-lock.json.
make --no-print-directory bridge
node=$(dirname "$(dirname "$(sh bridge/packaging/node.sh file "$PWD/build/node")")")

rm -rf "$built"
mkdir -p "$built"
swift build --package-path shell-macos --configuration release --product Sallyport
swift build --package-path shell-macos --configuration release --product sallyportd
swift build --package-path shell-macos --configuration release --product sallyport-keychain
products=$(swift build --package-path shell-macos --configuration release --show-bin-path)
cp "$products/Sallyport" "$products/sallyportd" "$products/sallyport-keychain" "$built/"
for resources in "$products"/Sallyport_*.bundle; do
  [ ! -e "$resources" ] || cp -R "$resources" "$built/"
done
cp -R shell-macos/Resources/*.lproj "$built/"
cp build/executable/sallyport-mcp "$built/sallyport-mcp"
cp "$node/bin/node" "$built/sallyport-node"
sh "$packaging/icon.sh" "$built/Sallyport.icns"
sh "$packaging/code.sh" "$node" "$built/code"

sh "$packaging/layout.sh" "$built" "$app" "$version"
sh "$packaging/sign.sh" "$app" "${CODESIGN_IDENTITY:--}"
sh "$packaging/verify.sh" "$app" "$version"
rm -rf "$built"
echo "$app"
