#!/bin/sh
# heartbeat-hook [--user] <HookEventName>: copies a hook's stdin into the spool; at the end of a turn it prints the
# order that waits for this run. It always exits 0 and prints nothing else: the watched are never in its way.
exec 2>/dev/null
umask 077
# The system's own programs first, and no time spent on loading a locale for them.
PATH=/usr/bin:/bin:$PATH LC_ALL=C
export PATH LC_ALL

home=${CLOISTER_SPOOL:-${PANOPTICON_HOME:-$HOME/.panopticon}}
if [ "$1" = --user ]; then
  # The copy in an agent's own settings reports already.
  [ -z "$CLOISTER_RUN" ] || exit 0
  # The user's settings name the program of one home, whatever the session was started with.
  case $0 in /*/bin/heartbeat-hook) home=${0%/bin/heartbeat-hook} ;; esac
  run='' tag=user.user.0 kind=$2
else
  run=${CLOISTER_RUN#*.} tag=$CLOISTER_RUN.$CLOISTER_GENERATION kind=$1
fi

case $kind in '' | *[!A-Za-z]*) tag= ;; esac
case $tag in *[!a-z0-9_.-]* | .* | *. | *..* | *.*.*.*) tag= ;; *.*.*) ;; *) tag= ;; esac

read -r up _ </proc/uptime || up=0.0
id=${up%.*}${up#*.}-$$-$PPID
name=$tag.$kind.$id
draft=$home/spool/tmp/$name
if [ -z "$tag" ] || [ ${#name} -gt 200 ]; then
  cat >/dev/null
  exit 0
fi
# The empty file says that the draft is whole. The shell makes it by itself: mv would cost as much as all the rest.
cat >"$draft" && true >"$home/spool/new/$name" || {
  rm -f "$draft"
  cat >/dev/null
}

case $kind in
  Stop | PostToolBatch)
    order=$home/orders/$run
    # Renaming succeeds for one hook only.
    if [ -n "$run" ] && [ -f "$order" ] && mv -f "$order" "$order.$id"; then
      cat "$order.$id"
      rm -f "$order.$id"
    fi
    ;;
esac
exit 0
