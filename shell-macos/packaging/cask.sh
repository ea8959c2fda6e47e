#!/bin/sh
# Writes the Homebrew cask of a release to standard output.
# Usage: cask.sh VERSION DOWNLOADS HOMEPAGE ARM64.zip X86_64.zip; DOWNLOADS is the address of the folder that holds both files.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sum() {
  if command -v shasum >/dev/null; then shasum -a 256 "$1"; else sha256sum "$1"; fi | cut -d ' ' -f 1
}
arm=$(sum "$4")
intel=$(sum "$5")
sed -e "s|@VERSION@|$1|" -e "s|@DOWNLOADS@|$2|" -e "s|@HOMEPAGE@|$3|" -e "s|@SHA256_ARM64@|$arm|" \
  -e "s|@SHA256_X86_64@|$intel|" "$here/sallyport.rb.in"
