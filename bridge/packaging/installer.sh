#!/bin/sh
# Makes FOLDER/install.sh, which knows the SHA-256 of every archive of this version that lies there.
# Usage: installer.sh VERSION FOLDER, from the project's folder
set -eu
# macOS has no sha256sum.
(cd "$2" && { sha256sum "sallyport-$1-"*.tar.gz 2>/dev/null || shasum -a 256 "sallyport-$1-"*.tar.gz; }) >"$2/sums"
sed -e "s/@VERSION@/$1/g" -e "/^@SUMS@$/{
r $2/sums
d
}" bridge/packaging/install.sh >"$2/install.sh"
rm "$2/sums"
