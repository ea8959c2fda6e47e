#!/bin/sh
# Lays Sallyport.app out of what was built. Builds, fetches and signs nothing, and runs anywhere.
# Usage: layout.sh BUILT EXECUTABLE APP VERSION
#   BUILT holds Sallyport and sallyport-keychain (executables), Sallyport.icns and, where the app
#   has them, *.bundle and *.lproj. EXECUTABLE is what bridge/packaging/executable.sh fills.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=$1
executable=$2
app=$3
version=$4

fail() { echo "layout.sh: $*" >&2; exit 1; }
case $version in
  *[!0-9.]* | '' | .* | *.) fail "$version is no version that macOS takes: numbers and points" ;;
esac
for program in "$built/Sallyport" "$built/sallyport-keychain" "$executable/bin/sallyport"; do
  [ -x "$program" ] || fail "$program is missing"
done
licences='Node-LICENSE.txt THIRD-PARTY-NOTICES.txt keyring-LICENSE.txt'
for file in "$built/Sallyport.icns" "$executable/bin/keyring.node"; do
  [ -e "$file" ] || fail "$file is missing"
done
for licence in $licences; do
  [ -e "$executable/$licence" ] || fail "$executable/$licence is missing"
done

# The app is made beside the old one and put in its place at the end, so there is never half an app.
new=$app.new
rm -rf "$new"
contents=$new/Contents
umask 022
mkdir -p "$contents/MacOS" "$contents/Helpers" "$contents/Resources/bin" "$contents/Library/LaunchAgents"

program() {
  cp "$1" "$2"
  chmod 755 "$2"
}
program "$built/Sallyport" "$contents/MacOS/Sallyport"
program "$built/sallyport-keychain" "$contents/Helpers/sallyport-keychain"
# launchd starts the daemon by this name. The two links are the same file by other names: codesign
# would part hard links, and a zip of the app would have it three times.
program "$executable/bin/sallyport" "$contents/MacOS/sallyportd"
ln -s sallyportd "$contents/MacOS/sallyport-mcp"
ln -s ../../MacOS/sallyportd "$contents/Resources/bin/sallyport"
cp "$executable/bin/keyring.node" "$contents/MacOS/"
chmod 644 "$contents/MacOS/keyring.node"

sed "s/@VERSION@/$version/" "$here/Info.plist" >"$contents/Info.plist"
printf 'APPL????' >"$contents/PkgInfo"
cp "$here/app.sallyport.sallyportd.plist" "$contents/Library/LaunchAgents/"
cp "$built/Sallyport.icns" "$here/../../LICENSE" "$contents/Resources/"
for licence in $licences; do cp "$executable/$licence" "$contents/Resources/"; done
for resources in "$built"/*.bundle "$built"/*.lproj; do
  [ ! -e "$resources" ] || cp -R "$resources" "$contents/Resources/"
done

# A signature covers what is in the bundle, so nothing in it may lead out of it.
outside=$(find "$new" -type l | while IFS= read -r link; do
  target=$(realpath "$link" 2>/dev/null) || target=
  case $target in ("$(cd "$new" && pwd -P)"/*) ;; (*) echo "$link" ;; esac
done)
[ -z "$outside" ] || fail "these links lead out of the app: $outside"

rm -rf "$app"
mv "$new" "$app"
