#!/bin/sh
# Makes a Debian package of the folder that executable.sh fills. It has no settings of its own, starts
# nothing at its installation, and looks into nobody's home.
# Usage: deb.sh EXECUTABLE FILE, from the project's folder; MAINTAINER='NAME <ADDRESS>' is who hands
# the package on, git's user if it is not named. LEVEL is gzip's: with xz the file is a quarter smaller, and takes a minute.
set -eu
umask 022
here=bridge/packaging
command -v dpkg-deb >/dev/null || { echo 'A Debian package is made with dpkg-deb, which is not installed here.' >&2; exit 1; }
version=$("$1/bin/sallyport" --version | cut -d' ' -f2)
identity() {
  name=$(git config user.name 2>/dev/null) && address=$(git config user.email) && printf '%s <%s>' "$name" "$address"
}
maintainer=${MAINTAINER:-$(identity || echo 'Whoever built it <root@localhost>')}
# dpkg-deb gives no file a later time, so the same executable gives the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$root"
library=$root/usr/lib/sallyport
doc=$root/usr/share/doc/sallyport
units=$root/usr/lib/systemd/user
mkdir -p "$library" "$root/usr/bin" "$doc" "$units" "$root/DEBIAN" "$root/usr/share/lintian/overrides" "$root/usr/share/zsh"
# With tar, hard links stay.
tar -cf - -C "$1" bin | tar -xf - -C "$library"
cp -R "$1/share" "$root/usr/"
# Debian's zsh looks for packages' completions there.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
for command in sallyport sallyportd sallyport-mcp; do
  ln -s "../lib/sallyport/bin/$command" "$root/usr/bin/$command"
  [ "$command" = sallyport ] || ln -s sallyport.1.gz "$root/usr/share/man/man1/$command.1.gz"
done
gzip -9n "$root/usr/share/man/man1/sallyport.1"

# The same text that `sallyport service install` would write, so that it only enables this one.
node --input-type=module -e '
  import { systemdUnit } from "./build/shell-terminal/service/systemd-unit.js";
  process.stdout.write(systemdUnit(["/usr/lib/sallyport/bin/sallyportd"]));
' >"$units/sallyport.service"

{
  cat "$1/LICENSE"
  echo 'Beside this file are the licences of what it contains: of Node, of packages from npm, and of the'
  echo "module that reaches the keychain."
} >"$doc/copyright"
cp "$1/Node-LICENSE.txt" "$1/THIRD-PARTY-NOTICES.txt" "$1/keyring-LICENSE.txt" "$doc/"
printf 'sallyport (%s) unstable; urgency=medium\n\n  * What is new: https://sallyport.app\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$doc/changelog.gz"
cat >"$root/usr/share/lintian/overrides/sallyport" <<'END'
# Node as its project builds it, with our code in a section of its own that strip would take away.
sallyport: embedded-library *
sallyport: hardening-no-pie *
sallyport: unstripped-binary-or-object *
END

# glibc, and what the symbols of the executable need of GCC's libraries (7: CXXABI 1.3.11).
cat >"$root/DEBIAN/control" <<END
Package: sallyport
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 7)
Suggests: bubblewrap, gnome-keyring, openssh-client, slirp4netns, socat
Section: database
Priority: optional
Homepage: https://sallyport.app
Description: lets AI clients use your databases without your passwords
 You save connections to PostgreSQL, MySQL, MariaDB and SQLite once. AI clients
 then list, inspect and query them over MCP. They never see a password, and
 never do more than you allowed.
END
for script in prerm postrm; do
  install -m 755 "$here/deb-$script.sh" "$root/DEBIAN/$script"
done
(cd "$root" && find usr -type f -exec md5sum {} +) >"$root/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$root"
dpkg-deb --root-owner-group -Zgzip "-z${LEVEL:-9}" --build "$root" "$2" >/dev/null
