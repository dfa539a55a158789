#!/usr/bin/env bash
# Checks the assembled server without starting it: the scripts change nothing the second time, restore.cli leaves what
# was there before, and the launcher refuses a state root that others can change. Run by Maven at verify.
# usage: check.sh SERVER SCRATCH
set -euo pipefail
server="$1"; scratch="$2"
failures=0
expect() { # expect WHAT COMMAND...
  local what="$1"; shift
  if "$@" > "$scratch/last.out" 2>&1; then
    echo "ok: $what"
  else
    echo "FAILED: $what" >&2; sed 's/^/    /' "$scratch/last.out" >&2
    failures=$((failures + 1))
  fi
}
# refuses TEXT [NAME=VALUE...]: the launcher ends with 1 and says TEXT on stderr.
refuses() {
  local text="$1" status=0; shift
  env "$@" "$server/bin/berth-server" > "$scratch/launcher.out" 2> "$scratch/launcher.err" || status=$?
  cat "$scratch/launcher.err"
  [ $status -eq 1 ] && grep -qF -- "$text" "$scratch/launcher.err"
}
rm -rf -- "$scratch"
mkdir -p "$scratch/base" "$scratch/plain"
cp -r "$server/standalone/configuration" "$scratch/base/"
cp -r "$server/standalone/configuration" "$scratch/plain/"
cp "$server/berth/standalone.xml.shipped" "$scratch/plain/configuration/standalone.xml"
ours="$scratch/base/configuration/standalone.xml"

expect "configure.cli runs again" "$server/bin/berth-configure" "$scratch/base" configure.cli
expect "configure.cli changes nothing the second time" diff "$server/standalone/configuration/standalone.xml" "$ours"
expect "postgresql.cli runs" "$server/bin/berth-configure" "$scratch/base" postgresql.cli
expect "postgresql.cli names the driver" grep -q '<driver>postgresql</driver>' "$ours"
expect "restore.cli runs" "$server/bin/berth-configure" "$scratch/base" restore.cli
expect "trim.cli runs on the shipped configuration" "$server/bin/berth-configure" "$scratch/plain" trim.cli
expect "restore.cli leaves what was there before" diff "$scratch/plain/configuration/standalone.xml" "$ours"

mkdir -m 0770 "$scratch/shared"
mkdir -m 0700 "$scratch/private"
mkdir -m 0702 "$scratch/open"
ln -s "$scratch/shared" "$scratch/link"
ln -s "$scratch/nothing" "$scratch/dangling"
expect "a state root that the group can write is refused" refuses "can be written by others" BERTH_HOME="$scratch/shared"
expect "a state root that others can write is refused" refuses "can be written by others" BERTH_HOME="$scratch/open"
expect "a link to such a state root is refused" refuses "can be written by others" BERTH_HOME="$scratch/link"
expect "a link to nothing is refused" refuses "symbolic link to nothing" BERTH_HOME="$scratch/dangling"
expect "an offset that is no number is refused" refuses "BERTH_PORT_OFFSET must be" BERTH_HOME="$scratch/private" BERTH_PORT_OFFSET=x
expect "a guest port of another listener is refused" refuses "port of another listener" \
  BERTH_HOME="$scratch/private" BERTH_PORT_OFFSET=0 BERTH_GUEST_ACTIVITY_PORT=7433
expect "nothing was written into a refused state root" test -z "$(ls -A "$scratch/shared" "$scratch/open" | grep -v : || true)"

[ $failures -eq 0 ] || { echo "check.sh: $failures failed" >&2; exit 1; }
