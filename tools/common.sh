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

# Runs "$@" under a header, prints how long it took, and notes it for `stage_report`.
stage_notes=()
stage() {
  local name=$1 started=$SECONDS worked
  worked=$(processor_seconds)
  shift
  printf '\n== %s\n' "$name"
  "$@" || fail "stage '$name' failed: $*"
  worked=$(($(processor_seconds) - worked))
  printf '== %s: %d s\n' "$name" $((SECONDS - started))
  stage_notes+=("$(printf '%6d %10d  %s' $((SECONDS - started)) "$worked" "$name")")
}

# What the stages took, by the clock and by all processors together: where they are twice as much, two were busy.
stage_report() {
  printf '\n%6s %10s\n' seconds processors
  printf '%s\n' "${stage_notes[@]}"
}

# Processor time of the children that this shell has waited for, and of theirs; none where there is no /proc.
processor_seconds() {
  awk -v ticks="$(getconf CLK_TCK)" '{ print int(($16 + $17) / ticks) }' "/proc/$$/stat" 2>/dev/null || echo 0
}

sha256_of() { sha256sum "$1" | cut -d' ' -f1; }
