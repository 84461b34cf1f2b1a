#!/bin/sh
# ask-hook: reports a PermissionRequest, then waits on a FIFO for the daemon's answer, one line, and prints it.
# An empty line means that the question was answered elsewhere. It always exits 0: without an answer the agent's
# own dialog, which stays usable meanwhile, decides.
exec 2>/dev/null
umask 077
PATH=/usr/bin:/bin:$PATH LC_ALL=C
export PATH LC_ALL

home=${CLOISTER_SPOOL:-${PANOPTICON_HOME:-$HOME/.panopticon}}
tag=$CLOISTER_RUN.$CLOISTER_GENERATION
case $tag in *[!a-z0-9_.-]* | .* | *. | *..* | *.*.*.*) tag= ;; *.*.*) ;; *) tag= ;; esac

read -r up _ </proc/uptime || up=0.0
id=${up%.*}${up#*.}-$$-$PPID
name=$tag.PermissionRequest.$id
draft=$home/spool/tmp/$name
fifo=$home/asks/${CLOISTER_RUN#*.}.$id
if [ -z "$tag" ] || [ ${#name} -gt 200 ]; then
  cat >/dev/null
  exit 0
fi

trap 'rm -f "$draft" "$fifo"; exit 0' EXIT
trap 'exit 0' HUP INT QUIT TERM

cat >"$draft" || {
  cat >/dev/null
  exit 0
}
# Opened for both ways it does not block, and whoever answers finds a reader from before the report is seen until
# this process ends. Without a FIFO the report is still worth making.
if mkfifo "$fifo"; then
  {
    mv -f "$draft" "$home/spool/new/$name" && IFS= read -r answer && [ -n "$answer" ] && printf '%s\n' "$answer"
  } <>"$fifo"
else
  mv -f "$draft" "$home/spool/new/$name"
fi
exit 0
