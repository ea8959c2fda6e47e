#!/bin/sh
# Gives a Debian machine (amd64, as root) a Swift toolchain for the macOS shell's rules:
# `inswift COMMAND…`. Debian only has one from version 13 on, so it goes into a folder of its own
# with that version's C library, and the machine's packages stay unchanged. Programs there see this
# folder's tree (or that of INSWIFT_DIR, a folder above it), no variable and nothing else of the
# machine.
set -eu
root=${SWIFT_ROOT:-/opt/swift-toolchain}
command=${SWIFT_COMMAND:-/usr/local/bin/inswift}

if command -v inswift >/dev/null && [ -z "${SWIFT_COMMAND-}" ] && inswift swift --version >/dev/null 2>&1; then exit 0; fi
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/debian-root.sh"
# Without parts that neither builds nor tests need: debugger, language server, static libraries.
debian_root "$root" trixie swiftlang,libc6-dev,libstdc++-14-dev,git,ca-certificates \
  --dpkgopt='path-exclude=/usr/libexec/swift/lib/swift_static/*' \
  --dpkgopt='path-exclude=/usr/libexec/swift/lib/liblldb*' \
  --dpkgopt='path-exclude=/usr/libexec/swift/bin/lldb*' \
  --dpkgopt='path-exclude=/usr/libexec/swift/bin/clangd' \
  --dpkgopt='path-exclude=/usr/libexec/swift/bin/docc' \
  --dpkgopt='path-exclude=/usr/libexec/swift/bin/repl_swift' \
  --dpkgopt='path-exclude=/usr/libexec/swift/bin/sourcekit-lsp'

# Each call has its own mounts, which end with it. /proc is needed: the loader uses it to find
# Swift's libraries beside the program.
cat >"$command.part" <<INSWIFT
#!/bin/sh
# Runs a command beside Swift; see test/install/swift.sh.
set -eu
exec unshare --mount --propagation private -- sh -euc '
  root=\$1 tree=\$2 folder=\$3
  shift 3
  mount -t proc proc "\$root/proc"
  mount --rbind /dev "\$root/dev"
  mkdir -p "\$root\$tree"
  mount --bind "\$tree" "\$root\$tree"
  exec chroot "\$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root TMPDIR=/tmp LANG=C.UTF-8 \\
    sh -c "cd \"\\\$1\" && shift && exec \"\\\$@\"" sh "\$folder" "\$@"
' sh '$root' "\${INSWIFT_DIR:-\$PWD}" "\$PWD" "\$@"
INSWIFT
chmod 755 "$command.part"
mv "$command.part" "$command"
"$command" swift --version 2>&1 | head -1
