# Stands for one of macOS's programs, which are BSD's: refuses what that doesn't take, then runs this
# machine's own. It is read by a file that sets `name` and `real`.
# shellcheck shell=sh disable=SC2154,SC2213
refuse() {
  echo "$name: illegal option -- $1" >&2
  exit 64
}

# Single letters before the operands, none behind them, and no long option.
only() {
  letters=$1
  shift
  while getopts ":$letters" option "$@"; do
    case $option in '?' | :) refuse "$OPTARG" ;; esac
    # With a count before the end, GNU's takes all but the last.
    case $name$OPTARG in head-* | tail--*) refuse "$OPTARG" ;; esac
  done
  shift $((OPTIND - 1))
  for operand; do
    case $operand in -?*) refuse "${operand#-}" ;; esac
  done
}

case $name in
  cp) only HLPRXacfinpv "$@" ;;
  cut) only b:c:d:f:nsw "$@" ;;
  date) only RjnuI:f:r:v: "$@" && case $* in *%N*) refuse N ;; esac ;;
  find)
    [ $# -gt 0 ] || refuse 'no path'
    case $1 in -*) refuse "$1" ;; esac
    command=
    for word; do
      case $command$word in
        yes\; | yes+) command= ;;
        yes*) ;;
        -exec | -ok) command=yes ;;
        -a | -and | -delete | -empty | -maxdepth | -mindepth | -name | -newer | -not | -o | -or | -path | -perm | -print | -print0 | -prune | -size | -type) ;;
        -*) refuse "$word" ;;
      esac
    done
    ;;
  grep) only EFGHILOSUVabcdhilnoqrsvwxze:f:m:A:B:C: "$@" ;;
  gzip) only cdfhklNnqrtvS:123456789 "$@" ;;
  head) only c:n:q "$@" ;;
  install) only bCcdMpSsUvB:f:g:m:o: "$@" ;;
  ln) only Ffhinsv "$@" ;;
  mktemp) only dqut: "$@" ;;
  mv) only fhinv "$@" ;;
  readlink) only fn "$@" ;;
  realpath) only q "$@" ;;
  sed) only Ealnue:f: "$@" ;;
  sort) only bcdfghiMmnRrsuVzk:o:t:S:T: "$@" ;;
  # Its formats are others, so none can be passed on.
  stat) refuse "$*" ;;
  tail) only Fb:c:fn:qr "$@" ;;
  tar) only C:cf:jkmoptvxz "$@" ;;
  touch) only Aacfhmr:t: "$@" ;;
  tr) only Ccdsu "$@" ;;
  xargs)
    # What follows is another command's.
    while getopts :0E:I:J:L:n:oP:R:s:tx option; do
      case $option in '?' | :) refuse "$OPTARG" ;; esac
    done
    ;;
esac
exec "$real" "$@"
