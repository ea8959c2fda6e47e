#!/bin/sh
# Runs the engines' suites against servers that this machine's Debian doesn't have: each release in
# a folder of its own (amd64, as root), with the project and this Node mounted into it. Usage:
# newer.sh [trixie|timescale|sid]…; a skipped suite fails. SUITES='test/attacks/sign-in' runs those alone.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source-path=SCRIPTDIR
. test/install/debian-root.sh
folder=${SALLYPORT_TEST_SERVERS:-/opt/sallyport-servers}
common=openssl,procps,psmisc,libstdc++6

# Each call has its own mounts, which end with it.
# shellcheck disable=SC2016  # the inner shell expands them
run_in() {
  release=$1 extension=$2
  shift 2
  # shellcheck disable=SC2086  # several words
  [ -z "${SUITES:-}" ] || set -- $SUITES
  echo "== $(versions "$folder/$release")${extension:+, $extension}: $*"
  unshare --mount --propagation private -- sh -euc '
    root=$1 tree=$2 extension=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mkdir -p "$root$tree"
    mount --bind "$tree" "$root$tree"
    touch "$root/usr/local/bin/node"
    mount --bind "$(readlink -f "$(command -v node)")" "$root/usr/local/bin/node"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin HOME=/root LANG=C.UTF-8 \
      SALLYPORT_TEST_INSTALL=1 SALLYPORT_TEST_EXTENSION="$extension" WRITE="${WRITE:-}" \
      sh -c "cd \"\$1\" && shift && exec node_modules/.bin/jest \"\$@\"" sh "$tree" "$@"
  ' sh "$folder/$release" "$PWD" "$extension" --maxWorkers=2 "$@"
}

versions() {
  # shellcheck disable=SC2116,SC2086  # the shell fills in the version
  for program in usr/lib/postgresql/*/bin/postgres usr/sbin/mysqld usr/sbin/pgbouncer; do
    found=$(cd "$1" && echo $program)
    [ ! -e "$1/$found" ] || chroot "$1" "/$found" --version 2>/dev/null | head -1
  done | sed -E 's/^[a-z]+ \(PostgreSQL\)/PostgreSQL/; s#.*/mysqld +Ver#MySQL or MariaDB#; s/ (for|from|\() ?.*//' | paste -sd, | sed 's/,/, /g'
}

[ $# -gt 0 ] || set -- trixie timescale sid
for wanted; do
  case $wanted in
    trixie | timescale)
      debian_root "$folder/trixie" trixie \
        "postgresql-17,postgresql-17-timescaledb,mariadb-server,galera-4,rsync,pgbouncer,pgpool2,$common"
      if [ "$wanted" = trixie ]; then
        # Without the suite that asks a daemon: there is none inside.
        run_in trixie '' test/engines test/attacks/counted-postgres test/attacks/counted-mysql test/attacks/taken test/attacks/reached-postgres test/attacks/definitions-mysql test/attacks/migrations \
          test/attacks/preview-effects test/attacks/sign-in --testPathIgnorePatterns greedy-clients
      else
        run_in trixie timescaledb test/engines/postgres
      fi
      ;;
    sid)
      debian_root "$folder/sid" sid "postgresql-18,pgbouncer,pgpool2,mysql-server-core,mysql-client-core,$common"
      # As above; and without Galera and PAM, which are MariaDB's.
      run_in sid '' test/engines test/walls/mariadb.test test/walls/mariadb-role test/attacks/counted-mysql test/attacks/counted-postgres test/attacks/taken test/attacks/reached-postgres \
        test/attacks/defined-postgres test/attacks/fuzz-definitions test/guard/postgres-definitions test/guard/postgres-migrations test/guard/postgres-counts \
        test/attacks/guard-mysql test/attacks/definitions-mysql test/attacks/migrations test/attacks/out-of-sight test/attacks/masked test/attacks/wire-walls test/attacks/wire-messages test/attacks/preview-effects test/attacks/remembered-reads-mysql test/attacks/sign-in test/guard/fuzz-servers test/statement/plan \
        --testPathIgnorePatterns greedy-clients mysql/galera mysql-pam
      ;;
    *)
      echo "newer.sh: trixie, timescale or sid, not $wanted" >&2
      exit 2
      ;;
  esac
done
