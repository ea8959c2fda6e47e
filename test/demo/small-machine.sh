#!/bin/sh
# Runs a command with so much memory and no more, in a cgroup of its own, and says how much it took.
# If this machine lets nobody make one (that needs root, and Linux), it says so and runs nothing.
#   small-machine.sh MEGABYTES COMMAND…
set -eu
megabytes=$1
shift
name=sallyport-small-$$

nothing() {
  echo "No memory limit was tried: $1."
  exit 0
}

# The limit, what was held at most, and who was ended for it, in the second and the first version of
# cgroups. Swap would hide what is missing; few machines count it.
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  group=/sys/fs/cgroup/$name limit=memory.max peak=memory.peak killed=memory.events swap=memory.swap.max most=0
  grep -qw memory /sys/fs/cgroup/cgroup.subtree_control || nothing "no cgroup below the root's limits memory here"
elif [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
  group=/sys/fs/cgroup/memory/$name limit=memory.limit_in_bytes peak=memory.max_usage_in_bytes killed=memory.oom_control
  swap=memory.memsw.limit_in_bytes most=$((megabytes * 1024 * 1024))
else
  nothing "there are no cgroups that limit memory"
fi
mkdir "$group" 2>/dev/null || nothing "no cgroup can be made by this user"
end() {
  # A demo that was ended leaves its daemon.
  for wait in 1 2 3 4 5; do
    xargs -r kill <"$group/cgroup.procs" 2>/dev/null || true
    rmdir "$group" 2>/dev/null && return
    sleep "$wait"
  done
}
trap end EXIT
echo $((megabytes * 1024 * 1024)) >"$group/$limit"
[ ! -e "$group/$swap" ] || echo "$most" >"$group/$swap"

status=0
# shellcheck disable=SC2016 # The inner shell expands them.
sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@" || status=$?

[ ! -e "$group/$peak" ] || echo "At most $(($(cat "$group/$peak") / 1024 / 1024)) of $megabytes MB were taken, file caches included."
if grep -q '^oom_kill [1-9]' "$group/$killed"; then
  echo "The kernel ended a process because $megabytes MB were not enough." >&2
  exit 1
fi
exit $status
