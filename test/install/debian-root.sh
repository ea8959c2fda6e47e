# shellcheck shell=sh
# Sourced. `debian_root ROOT SUITE PACKAGES [OPTION…]` fills the folder ROOT with another release of
# Debian (amd64, as root) and these packages, separated by commas; the machine's own stay unchanged.
# mmdebstrap gets the OPTIONs. A filled folder is left alone.
debian_root() {
  root=$1 suite=$2 packages=$3
  shift 3
  [ ! -e "$root/.complete" ] || return 0
  [ "$(id -u)" = 0 ] || { echo "only root can fill $root" >&2; return 1; }
  [ "$(dpkg --print-architecture)" = amd64 ] || { echo 'tried on amd64 only' >&2; return 1; }
  command -v mmdebstrap >/dev/null || {
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends mmdebstrap >/dev/null
  }
  [ -n "$(mirror)" ] || apt-get -qq update
  from=$(mirror)
  [ -n "$from" ] || { echo "apt's sources name no Debian mirror" >&2; return 1; }
  mkdir -p "$(dirname "$root")"
  # Half of an earlier try; never across a file system that is still mounted in it.
  rm -rf --one-file-system "$root.part" "$root"
  # A snapshot mirror has an old index: its signature is checked, its date isn't.
  mmdebstrap --quiet --mode=root --variant=apt --components=main --include="$packages" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$@" "$suite" "$root.part" "$from"
  mv "$root.part" "$root"
  touch "$root/.complete"
}

# `bare_root` fills $root with what README and guide tell a reader to have, and what the Node and npm
# of the machine load.
bare_root() {
  debian_root "${SALLYPORT_TEST_SERVERS:-/opt/sallyport-servers}/bookworm" bookworm make,git,ca-certificates,libstdc++6,procps
}

# `npm_settings ROOT HOME` writes what npm there needs of this machine: the registry, its certificates
# and a proxy; nothing else of its settings.
npm_settings() {
  settings=$1$2/.npmrc
  : >"$settings"
  for name in registry proxy https-proxy noproxy; do
    value=$(npm config get "$name")
    case $value in '' | null | undefined) ;; *) echo "$name=$value" >>"$settings" ;; esac
  done
  authorities=$(npm config get cafile)
  [ -f "$authorities" ] || authorities=${NODE_EXTRA_CA_CERTS-}
  if [ -f "$authorities" ]; then
    install -m 644 "$authorities" "$1/etc/npm-authorities.crt"
    echo 'cafile=/etc/npm-authorities.crt' >>"$settings"
  fi
}

# `machines_node` sets $node and $npm; SALLYPORT_TEST_NODE names another Node.
# shellcheck disable=SC2034  # the file that sources this uses them
machines_node() {
  node=$(readlink -f "${SALLYPORT_TEST_NODE:-$(command -v node)}")
  npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
}

# `mount_node ROOT NODE NPM` puts them into ROOT's PATH; only in a mount namespace of its own.
mount_node() {
  mkdir -p "$1/usr/local/lib/npm"
  touch "$1/usr/local/bin/node"
  mount --bind "$2" "$1/usr/local/bin/node"
  mount --bind "$3" "$1/usr/local/lib/npm"
  ln -sf ../lib/npm/bin/npm-cli.js "$1/usr/local/bin/npm"
  ln -sf ../lib/npm/bin/npx-cli.js "$1/usr/local/bin/npx"
}

# The mirror of this machine's own packages.
# shellcheck disable=SC2016  # a format of apt's
mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed -n 's#/$##; /\/debian$/{p;q;}'
}
