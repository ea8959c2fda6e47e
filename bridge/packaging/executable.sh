#!/bin/sh
# Makes the single executable that is daemon, bridge and command by the name of its links, and needs
# no Node. Uses Node's own support for that, and `postject`, the Node project's tool that puts the
# code into the binary. The Node in it is for this machine (Linux or macOS, x64 or arm64); node.sh
# says which.
# Usage: executable.sh FOLDER WORK, from the project's folder after `make build`. FOLDER gets what an
# installation has: bin, with the commands and the keychain's native module; share, with the page for
# man and the shells' completions; the licences. FOLDER.cdx.json gets its bill of materials. WORK
# keeps what lies in between.
set -eu
umask 022
here=$PWD/bridge/packaging
nodes=$PWD/build/node
home=$(sh "$here/node.sh" shipped "$nodes")
node=$home/bin/node
case $home in "$nodes"/*)
  if ! cmp -s "$here/node/package-lock.json" "$nodes/package-lock.json" || [ ! -x "$node" ]; then
    sh "$here/node.sh" fetch "$here/node" "$nodes"
  fi
esac
# This takes some seconds, so it is skipped if no input changed. On a Mac another identity may have
# to sign it.
if [ "$(uname)" != Darwin ] && [ -e "$1/bin/sallyport" ] &&
  [ -z "$(find build/bundle/*.cjs "$here" node_modules/.installed "$node" -newer "$1/bin/sallyport")" ]; then
  exit 0
fi
rm -rf "$1.new" "$2"
mkdir -p "$1.new/bin" "$2"
folder=$(cd "$1.new" && pwd)
work=$(cd "$2" && pwd)

# A thread in here can't load the judging worker's parts from files, so it is in one. Packages that
# lie beside an installation's code otherwise are bundled, too.
bundle() {
  node_modules/.bin/esbuild --bundle --platform=node --format=cjs --target=node24.15 --supported:dynamic-import=false \
    --main-fields=main --external:libpg-query --external:pg-native --external:cloudflare:sockets --sourcemap --sources-content=false \
    --log-level=error --outdir="$work" --out-extension:.js=.cjs "$@"
}
bundle start=shared/start-executable.ts classifier-worker=daemon/classifier/worker.ts
bundle pg=node_modules/pg/lib/index.js cert-signatures=node_modules/pg/lib/crypto/cert-signatures.js \
  libpg-query=node_modules/libpg-query/wasm/libpg-query.js
for program in sallyport sallyportd sallyport-mcp keychain-worker sqlite-worker sqlite-watchdog store-worker start-built; do
  cp "build/bundle/$program.cjs" "$work/"
done
cp build/bundle/shop.sql node_modules/libpg-query/wasm/libpg-query.wasm "$work/"
cd "$work"
for command in sallyport sallyportd sallyport-mcp; do
  "$node" -e 'require("./start-built.cjs").startAndKeep(process.argv[1], fs.writeFileSync)' "$command" --version >kept.log
done

# NODE_OPTIONS is ignored, because a client's entry may set it; so is OPENSSL_CONF, whose file may
# name a library to load; so is the word by which it is called (argv[0]), which Node would read as an
# option, were it not after `--`. The debugger has no address to listen on (shared/no-debugger.ts).
# shellcheck disable=SC2016  # JavaScript's
"$node" -e '
  const named = name => [name, `${name}.cjs`];
  const programs = ["classifier-worker", "keychain-worker", "sqlite-worker", "sqlite-watchdog", "store-worker", "start", "pg", "libpg-query"];
  const commands = ["sallyport", "sallyportd", "sallyport-mcp"];
  const assets = Object.fromEntries([
    ...[...programs, ...commands].map(named),
    ...[...commands.map(name => `${name}.compiled`), "shop.sql", "libpg-query.wasm"].map(name => [name, name]),
    ["pg/lib/crypto/cert-signatures.js", "cert-signatures.cjs"],
  ]);
  const config = { main: "start.cjs", output: "blob", disableExperimentalSEAWarning: true, useCodeCache: true,
    execArgv: ["--disable-sigusr1", "--openssl-config=/dev/null", process.argv[1], "--"], execArgvExtension: "none", assets };
  fs.writeFileSync("sea.json", JSON.stringify(config));
' -- "$(sed -n "s/^export const noDebugger = '\(.*\)';/\1/p" "$here/../../shared/no-debugger.ts")"
"$node" --experimental-sea-config sea.json >sea.log 2>&1 || { cat sea.log; exit 1; }
cp "$node" injected
chmod 755 injected
segment=
if [ "$(uname)" = Darwin ]; then
  # macOS starts nothing with a wrong signature. So the old one is removed before the code goes in,
  # and a new one follows.
  codesign --remove-signature injected
  segment='--macho-segment-name NODE_SEA'
fi
# Two words or none, so it is unquoted.
# shellcheck disable=SC2086
"$node" "$here/../../node_modules/postject/dist/cli.js" injected NODE_SEA_BLOB blob \
  --sentinel-fuse NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2 $segment >sea.log 2>&1 || { cat sea.log; exit 1; }
# Copied, not renamed: a file written in one go lies in the page cache in pieces so large that 20 MB
# more of it count as this process's memory.
cp injected "$folder/bin/sallyport"
rm injected blob
cd "$here/../.."
cp LICENSE "$folder/"
# For who unpacks it elsewhere.
cp "$here/place.sh" "$here/as-person.sh" "$folder/"
cp "$home/LICENSE" "$folder/Node-LICENSE.txt"
"$node" "$here/notices.mjs" "$folder/THIRD-PARTY-NOTICES.txt" build/bundle "$work"
for native in node_modules/@napi-rs/keyring-*/*.node; do
  [ -e "$native" ] || continue
  install -m 644 "$native" "$folder/bin/keyring.node"
  cat node_modules/@napi-rs/keyring/LICENSE "$(dirname "$native")/LICENSE.third-party.md" >"$folder/keyring-LICENSE.txt"
done
if [ "$(uname)" = Darwin ]; then
  identity=${CODESIGN_IDENTITY:--}
  cp "$here/entitlements.plist" "$work/"
  # Signed ad hoc, the module and the executable belong to no team, so it couldn't load the module.
  [ "$identity" != - ] ||
    sed 's|</dict>|<key>com.apple.security.cs.disable-library-validation</key><true/></dict>|' "$here/entitlements.plist" >"$work/entitlements.plist"
  codesign --sign "$identity" --force --options runtime "$folder/bin/keyring.node"
  codesign --sign "$identity" --force --options runtime --entitlements "$work/entitlements.plist" "$folder/bin/sallyport"
fi
# Hard links: a user's own link to one of them leads to a file with its name (shared/start-executable.ts).
for command in sallyportd sallyport-mcp; do
  ln "$folder/bin/sallyport" "$folder/bin/$command"
done
# For man and each shell, where they look below a folder `share`. All from the commands' own table.
while read -r file words; do
  mkdir -p "$folder/share/$(dirname "$file")"
  # Words, not one text.
  # shellcheck disable=SC2086
  "$folder/bin/sallyport" $words >"$folder/share/$file"
done <<'END'
man/man1/sallyport.1 manual
bash-completion/completions/sallyport completion bash
zsh/site-functions/_sallyport completion zsh
fish/vendor_completions.d/sallyport.fish completion fish
END
"$node" "$here/manifest.mjs" "$folder" bin
"$node" "$here/sbom.mjs" "$folder/bin/sallyport" "$work" >"$1.cdx.json"
rm -rf "$1"
mv "$folder" "$1"
