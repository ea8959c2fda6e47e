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

# The mirror of this machine's own packages.
# shellcheck disable=SC2016  # a format of apt's
mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed -n 's#/$##; /\/debian$/{p;q;}'
}
