#!/bin/sh
# Prepares a release: sets its version, moves the changelog's Unreleased part under it, and makes
# build/release/ with the npm package, the MCP bundle, the software bill of materials (CycloneDX)
# and SHA256SUMS. Commits and publishes nothing. If it is refused or fails, it leaves the tree as it
# was.
# Usage: release.sh VERSION, from the project's folder, with the packages installed.
set -eu
version=$1
if [ -n "$(git status --porcelain)" ]; then
  echo "release: commit these changes first, or put them away:" >&2
  git status --porcelain >&2
  exit 1
fi
# Only the version in package.json changes, so the installed packages still fit.
trap 'git checkout --quiet -- . && touch node_modules/.installed' EXIT
trap 'exit 1' HUP INT TERM
node bridge/packaging/release-version.mjs "$version"
touch node_modules/.installed

# The compiler doesn't remove the output of deleted sources.
rm -rf build/daemon build/shared build/shell-terminal build/bridge build/bundle build/npm build/.compiled build/.tsbuildinfo build/package build/release
make --no-print-directory package mcpb >/dev/null
mkdir build/release
mv "build/sallyport-$version.tgz" build/release/
mv build/sallyport.mcpb "build/release/sallyport-$version.mcpb"
node bridge/packaging/sbom.mjs >"build/release/sallyport-$version.cdx.json"
# macOS has no sha256sum.
(cd build/release && { sha256sum sallyport-* 2>/dev/null || shasum -a 256 sallyport-*; } >SHA256SUMS)
trap - EXIT
echo "build/release has Sallyport $version:"
sed 's/^/  /' build/release/SHA256SUMS
echo "Nothing is committed or published. Read \`git diff\`, then:"
echo "  git commit -am 'Sallyport $version' && git tag v$version"
