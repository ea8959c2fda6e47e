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

rm -rf "$built"
mkdir -p "$built"
for product in Sallyport sallyport-keychain; do
  logged "swift-$product" swift build --package-path shell-macos --configuration release --product "$product"
done
products=$(swift build --package-path shell-macos --configuration release --show-bin-path)
cp "$products/Sallyport" "$products/sallyport-keychain" "$built/"
for resources in "$products"/Sallyport_*.bundle; do
  [ ! -e "$resources" ] || cp -R "$resources" "$built/"
done
cp -R shell-macos/Resources/*.lproj "$built/"
(cd shell-macos && python3 tools/check_strings.py --tables "$root/$built")
logged icon sh "$packaging/icon.sh" "$built/Sallyport.icns"

logged layout sh "$packaging/layout.sh" "$built" build/executable "$app" "$version"
logged sign sh "$packaging/sign.sh" "$app" "${CODESIGN_IDENTITY:--}"
logged verify sh "$packaging/verify.sh" "$app" "$version"
tail -n 1 "${LOGS:-build/logs}/verify.log"
rm -rf "$built"
echo "$app"
