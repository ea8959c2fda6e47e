#!/bin/sh
# Installs Sallyport in a copy of a bare Debian as a user of it would, asks the demo a first question,
# enables the login service, and takes it away by the lines that `sallyport uninstall` ends with. Prints
# a row for each way: its seconds to install, to the first answer and to go, and its megabytes on the
# disk. Fails if more stays than the home and npm's cache. Needs root (amd64); npm and npx ask the
# machine's registry.
# Usage: ways.sh WAY…, from the project's folder after `make executable`; a way is one of npm, npx,
# install.sh, deb, make. LEVEL is gzip's.
set -eu
# shellcheck source-path=SCRIPTDIR
. test/install/debian-root.sh
bare_root
bare=$root
if [ -z "${WAYS_WORK-}" ]; then
  machines_node
  WAYS_WORK=$(mktemp -d /var/tmp/sallyport-ways-XXXXXX)
  trap 'rm -rf --one-file-system "$WAYS_WORK"' EXIT
  trap 'exit 1' HUP INT TERM
  export WAYS_WORK node npm
  # The mounts, and whatever a way leaves running, end with it.
  unshare --mount --pid --fork --kill-child --propagation private -- sh "$0" "$@"
  exit
fi
work=$WAYS_WORK

try() (
  way=$1
  root=$work/$way
  mkdir "$root"
  tar -C "$bare" --exclude='./home/*' --exclude='./tmp/*' -cf - . | tar -xf - -C "$root"
  chroot "$root" useradd --create-home --shell /bin/sh ada
  npm_settings "$root" /home/ada
  chroot "$root" chown ada: /home/ada/.npmrc
  mkdir "$root/from"
  in=$root/from
  as=ada
  sallyport=sallyport
  case $way in
    npm | npx)
      node bridge/packaging/package.mjs >/dev/null
      cp build/sallyport-*.tgz "$in/sallyport.tgz"
      install='npm config set prefix ~/.local && npm install --silent --global --ignore-scripts /from/sallyport.tgz'
      [ "$way" = npm ] || { install=:; sallyport='npx -y --ignore-scripts file:/from/sallyport.tgz'; }
      ;;
    install.sh)
      sh bridge/packaging/download.sh build/executable "$in"
      install='SALLYPORT_FROM=file:///from sh /from/install.sh'
      ;;
    deb)
      sh bridge/packaging/deb.sh build/executable "$in/sallyport.deb"
      install='dpkg --install /from/sallyport.deb'
      as=root
      ;;
    make)
      git clone --quiet --depth 1 "file://$PWD" "$in/sallyport"
      # The user's shell expands it.
      # shellcheck disable=SC2016
      install='cp -R /from/sallyport ~/ && cd ~/sallyport && make install PREFIX="$HOME/.local"'
      ;;
  esac
  inside() { # USER LINE
    timeout 600 chroot "$root" /usr/bin/env -i LANG=C.UTF-8 su "$1" -c "cd; export PATH=~/.local/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; $2"
  }
  # A line goes with the programs that it adds: npm's settings and cache, the clone and its Node stay.
  list() {
    (cd "$root" && find . -xdev ! -type d ! -path './from/*' ! -path './tmp/node-compile-cache/*' ! -path './home/ada/.npm*' \
      ! -path './home/ada/.local/share/sallyport/*' ! -path './home/ada/sallyport/*' ! -path './var/log/*' ! -path './var/lib/dpkg/*' ! -path './var/cache/apt/*' |
      LC_ALL=C sort)
  }
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  case $way in npm | npx | make) mount_node "$root" "$node" "$npm" ;; esac
  list >"$work/before"
  megabytes() { (cd "$root" && du -sm --one-file-system --exclude=./from --exclude=./home/ada/sallyport . | cut -f1); }
  m0=$(megabytes)
  t0=$(date +%s%N)
  inside "$as" "$install" >"$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }
  t1=$(date +%s%N)
  m1=$(megabytes)
  t2=$(date +%s%N)
  inside ada "$sallyport demo && $sallyport query Demo 'select 6 * 7 as answer'" >"$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }
  grep -qx 42 "$work/said" || { cat "$work/said" >&2; return 1; }
  t3=$(date +%s%N)
  [ "$way" != npx ] || m1=$(megabytes)
  [ "$way" = npx ] || inside ada "$sallyport service install" >/dev/null 2>&1
  t4=$(date +%s%N)
  inside ada "$sallyport uninstall" >"$work/said" 2>&1 || { cat "$work/said" >&2; return 1; }
  line=$(sed -n 's/^Now the program itself: \(sudo \)\{0,1\}//p' "$work/said")
  # apt asks.
  [ -z "$line" ] || echo y | inside "$as" "$line" >"$work/removed" 2>&1 || { cat "$work/removed" >&2; return 1; }
  t5=$(date +%s%N)
  printf '%s|%s|%s|%s|%s\n' "$way" "$(seconds "$t0" "$t1")" "$(seconds "$t2" "$t3")" "$(seconds "$t4" "$t5")" "$((m1 - m0))"
  list | diff "$work/before" - >&2
)

seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", (to - from) / 1e9 }'; }

for way; do try "$way"; done
