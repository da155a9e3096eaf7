# Sourced by the scripts in tools/: the repository's root, the pinned versions, and how to speak.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
# shellcheck source=/dev/null
source versions.env
venv=$root/.venv
# rustup's default place counts even where a login shell has not put it on PATH.
PATH=$venv/bin:$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin
export PATH

me=$(basename "$0")
say() { printf '%s: %s\n' "$me" "$*"; }
fail() {
  printf '%s: %s\n' "$me" "$*" >&2
  exit 1
}

# Runs "$@" under a header and prints how long it took.
stage() {
  local name=$1 started=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || fail "stage '$name' failed: $*"
  printf '== %s: %d s\n' "$name" $((SECONDS - started))
}

sha256_of() { sha256sum "$1" | cut -d' ' -f1; }
