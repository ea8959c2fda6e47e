#!/bin/sh
# Checks a signed Sallyport.app: its signatures and property lists, and that its programs run as
# they are signed. Needs macOS.
# Usage: verify.sh APP VERSION
set -eu
here=$(cd "$(dirname "$0")" && pwd)
app=$(cd "$1" && pwd)
version=$2
contents=$app/Contents

codesign --verify --deep --strict --verbose=2 "$app"
plutil -lint "$contents/Info.plist" "$contents/Library/LaunchAgents/"*.plist

answers() {
  said=$("$@" --version)
  [ "${said##* }" = "$version" ] || { echo "verify.sh: $1 answers $said, not $version" >&2; exit 1; }
}
answers "$contents/Resources/bin/sallyport"
answers "$contents/MacOS/sallyportd"
answers "$contents/MacOS/sallyport-mcp"
# Here it must run, and refuse an unknown command. test/shell-macos/tryout.mjs tries the others,
# where a keychain may be changed.
said=$("$contents/Helpers/sallyport-keychain" anything 2>&1) && exit 1
[ "$said" = 'it makes the shell secret of one store and nothing else' ] || { echo "verify.sh: sallyport-keychain says $said" >&2; exit 1; }
# What the hardened runtime could forbid: machine code made at run time, WebAssembly and native
# modules.
(cd "$contents/Resources/sallyport" && "$contents/Helpers/sallyport-node" -e '
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(":memory:");
  if (database.prepare("SELECT 6 * 7 AS product").get().product !== 42) throw new Error("SQLite can not reckon");
  require("@napi-rs/keyring");
  let sum = 0;
  for (let step = 0; step < 1e7; step += 1) sum += step % 7;
  new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
')

"$contents/Helpers/sallyport-node" "$here/kept.cjs" "$contents/Resources/sallyport/bundle"

case $(codesign --display --verbose=2 "$app" 2>&1) in
  *Signature=adhoc*) echo "Signed ad hoc: it runs on this Mac only; Gatekeeper was not asked." ;;
  # Gatekeeper wants more than a signature. It says so for an app that isn't notarised yet.
  *) spctl --assess --type execute --verbose=4 "$app" || echo "Gatekeeper does not take it before it is notarised (notarize.sh)." ;;
esac
