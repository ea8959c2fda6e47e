#!/bin/sh
# Types lines as an ordinary user of a bare Debian would: without rights, database servers or
# desktop, in a fresh clone, with this machine's Node and npm. It needs root (amd64). A clone of the
# same commit is used again, and SALLYPORT_TEST_NODE names another Node.
# Usage: plain-user.sh LINE…, or plain-user.sh --folder, which prints where the clone is
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source-path=SCRIPTDIR
. test/install/debian-root.sh
root=${SALLYPORT_TEST_SERVERS:-/opt/sallyport-servers}/bookworm
clone=$root/home/person/sallyport
if [ "$*" = --folder ]; then
  echo "$clone"
  exit
fi
bare_root

chroot "$root" id person >/dev/null 2>&1 || chroot "$root" useradd --create-home --shell /bin/bash person

npm_settings "$root" /home/person

commit=$(git rev-parse HEAD)
if [ "$(git -c 'safe.directory=*' -C "$clone" rev-parse HEAD 2>/dev/null)" != "$commit" ]; then
  rm -rf "$clone"
  git clone --quiet --depth 1 "file://$PWD" "$clone"
  # As on a machine whose owner installs programs without sudo.
  chroot "$root" chown -R person: /home/person /usr/local/bin /usr/local/lib /usr/local/share /usr/local/man
fi

machines_node
# The mounts, and whatever a line leaves running, end with it.
# shellcheck disable=SC2016  # the inner shell expands them
exec unshare --mount --pid --fork --kill-child --propagation private -- sh -euc '
  root=$1 node=$2 npm=$3
  shift 3
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  . test/install/debian-root.sh
  mount_node "$root" "$node" "$npm"
  for line; do
    echo "\$ $line"
    chroot --userspec=person:person --groups= "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/person USER=person \
      LANG=C.UTF-8 sh -c "cd ~/sallyport && eval \"\$1\"" sh "$line"
  done
' sh "$root" "$node" "$npm" "$@"
