#!/bin/sh
# Checks a signed Sallyport.app: its signatures and property lists, and that its programs run as
# they are signed. Needs macOS.
# Usage: verify.sh APP VERSION
set -eu
app=$(cd "$1" && pwd)
version=$2
contents=$app/Contents

codesign --verify --deep --strict --verbose=2 "$app"
plutil -lint "$contents/Info.plist" "$contents/Library/LaunchAgents/"*.plist

fail() { echo "verify.sh: $*" >&2; exit 1; }
answers() {
  said=$("$1" --version)
  [ "$said" = "$2 $version" ] || fail "$1 answers $said, not $2 $version"
}
answers "$contents/Resources/bin/sallyport" sallyport
answers "$contents/MacOS/sallyportd" sallyportd
answers "$contents/MacOS/sallyport-mcp" sallyport-mcp
# Here it must run, and refuse an unknown command. test/shell-macos/tryout.mjs tries the others,
# where a keychain may be changed.
said=$("$contents/Helpers/sallyport-keychain" anything 2>&1) && exit 1
[ "$said" = 'it makes the shell secret of one store and nothing else' ] || fail "sallyport-keychain says $said"
# What the hardened runtime could forbid: a native module, and WebAssembly. By this name the
# executable loads one, as `sallyport doctor` has it do.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$contents/MacOS/sallyportd" "$work/module-check"
for module in @napi-rs/keyring libpg-query; do
  said=$("$work/module-check" "$module" 2>&1) || fail "$module can't be loaded: $said"
done

case $(codesign --display --verbose=2 "$app" 2>&1) in
  *Signature=adhoc*) echo "Signed ad hoc: it runs on this Mac only; Gatekeeper was not asked." ;;
  # Gatekeeper wants more than a signature. It says so for an app that isn't notarised yet.
  *) spctl --assess --type execute --verbose=4 "$app" || echo "Gatekeeper does not take it before it is notarised (notarize.sh)." ;;
esac
