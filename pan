#!/bin/sh
# Starts Cloister from a clone: installs the locked packages, finds Node, builds what changed, then runs the CLI.
set -eu

self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
case $self in
  */*) folder=${self%/*} ;;
  *) folder=. ;;
esac
root=$(CDPATH='' cd -P "${folder:-/}" && pwd)

. "$root/scripts/setup.sh"

# dist/.built is made before the sources are read, so that an edit during a build counts as newer.
is_built() {
  [ -f "$root/dist/.built" ] && [ -z "$(find "$root/src" "$root/dashboard" "$root/scripts/build.ts" \
    "$root/package-lock.json" -newer "$root/dist/.built" ! -name '*.test.ts' ! -name '*.test.tsx' -print)" ]
}

build() {
  take_setup_lock
  if ! is_built; then
    say 'Building…'
    "$node" "$root/scripts/build.ts" >&2 || fail 'Could not build: the message is above. Correct the source (or restore it with git), then start this again.'
  fi
  release_setup_lock
}

ensure_packages
choose_node
is_built || build
# Agents live in tmux; one of them is refused by the CLI, and installs nothing.
[ "${1-}" != up ] || [ -n "${CLOISTER_RUN-}" ] || ensure_debian_packages 'No agent can be started.' tmux:tmux
exec "$node" "$root/dist/cli/main.js" "$@"
