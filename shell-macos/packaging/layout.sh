#!/bin/sh
# Lays Sallyport.app out of what was built. Builds, fetches and signs nothing, and runs anywhere.
# Usage: layout.sh BUILT APP VERSION
#   BUILT holds Sallyport, sallyportd, sallyport-mcp, sallyport-node and sallyport-keychain
#   (executables), Sallyport.icns, Node-LICENSE.txt, code/ (the daemon's and the terminal's code
#   with the packages it needs at run time) and, where the app has them, *.bundle and *.lproj.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
built=$1
app=$2
version=$3

fail() { echo "layout.sh: $*" >&2; exit 1; }
case $version in
  *[!0-9.]* | '' | .* | *.) fail "$version is no version that macOS takes: numbers and points" ;;
esac
for program in Sallyport sallyportd sallyport-mcp sallyport-node sallyport-keychain; do
  [ -x "$built/$program" ] || fail "$built/$program is missing"
done
for file in Sallyport.icns Node-LICENSE.txt code/package.json code/bundle/sallyportd.js code/bundle/sallyport.js code/node_modules; do
  [ -e "$built/$file" ] || fail "$built/$file is missing"
done

# The app is made beside the old one and put in its place at the end, so there is never half an app.
new=$app.new
rm -rf "$new"
contents=$new/Contents
umask 022
mkdir -p "$contents/MacOS" "$contents/Helpers" "$contents/Resources/bin" "$contents/Library/LaunchAgents"

program() {
  cp "$built/$1" "$2/$1"
  chmod 755 "$2/$1"
}
program Sallyport "$contents/MacOS"
program sallyportd "$contents/MacOS"
program sallyport-mcp "$contents/MacOS"
program sallyport-node "$contents/Helpers"
program sallyport-keychain "$contents/Helpers"

sed "s/@VERSION@/$version/" "$here/Info.plist" >"$contents/Info.plist"
printf 'APPL????' >"$contents/PkgInfo"
cp "$here/app.sallyport.sallyportd.plist" "$contents/Library/LaunchAgents/"
cp "$built/Sallyport.icns" "$built/Node-LICENSE.txt" "$here/../../LICENSE" "$contents/Resources/"
cp -R "$built/code" "$contents/Resources/sallyport"
cp "$here/terminal.cjs" "$contents/Resources/sallyport/terminal.cjs"
cp "$here/sallyport.sh" "$contents/Resources/bin/sallyport"
chmod 755 "$contents/Resources/bin/sallyport"
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
