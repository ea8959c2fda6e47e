#!/bin/sh
# `make app`: builds Sallyport.app for the kind of Mac that this runs on. One app for both kinds
# would carry Node twice, 200 MB for everybody, and native modules that the building Mac can't try.
# build/logs keeps the output of each step.
# Usage: app.sh [APP], from the project's folder; CODESIGN_IDENTITY names who signs (security
# find-identity -v -p codesigning).
set -eu
if [ "$(uname)" != Darwin ]; then
  echo "Sallyport.app can only be built on macOS: it needs Apple's SwiftUI, codesign and iconutil." >&2
  exit 1
fi
app=${1:-build/Sallyport.app}
packaging=shell-macos/packaging
built=build/app
# The scripts of `shell-macos` may be linked from another folder, so `..` may lead elsewhere.
root=$PWD
version=$(node -p 'require("./package.json").version')
logged() { sh "$packaging/logged.sh" "$@"; }

logged executable make --no-print-directory executable
node=$(sh bridge/packaging/node.sh shipped "$PWD/build/node")
echo "Node in the app: $("$node/bin/node" --version), of $node"

rm -rf "$built"
mkdir -p "$built"
for product in Sallyport sallyportd sallyport-keychain; do
  logged "swift-$product" swift build --package-path shell-macos --configuration release --product "$product"
done
products=$(swift build --package-path shell-macos --configuration release --show-bin-path)
cp "$products/Sallyport" "$products/sallyportd" "$products/sallyport-keychain" "$built/"
for resources in "$products"/Sallyport_*.bundle; do
  [ ! -e "$resources" ] || cp -R "$resources" "$built/"
done
cp -R shell-macos/Resources/*.lproj "$built/"
(cd shell-macos && PATH="$node/bin:$PATH" python3 tools/check_strings.py --english "$root/$built")
cp build/executable/bin/sallyport-mcp "$built/sallyport-mcp"
cp "$node/bin/node" "$built/sallyport-node"
cp "$node/LICENSE" "$built/Node-LICENSE.txt"
logged icon sh "$packaging/icon.sh" "$built/Sallyport.icns"
logged code sh "$packaging/code.sh" "$node" "$built/code"

logged layout sh "$packaging/layout.sh" "$built" "$app" "$version"
logged sign sh "$packaging/sign.sh" "$app" "${CODESIGN_IDENTITY:--}"
logged verify sh "$packaging/verify.sh" "$app" "$version"
tail -n 1 "${LOGS:-build/logs}/verify.log"
rm -rf "$built"
echo "$app"
