#!/usr/bin/env bash
# Finishes the unpacked WildFly in target/server: launcher, scripts, configuration. Run by Maven; repeatable.
# usage: assemble.sh ROOT SERVER WILDFLY_VERSION BUILD_START
#   BUILD_START  when Maven began (UTC, ISO 8601): what is saved later is not in this build
set -euo pipefail
umask 022
root="$1"; server="$2"; version="$3"; build_start="$4"
config="$root/standalone-config"
. "$root/bin/find-jdk.sh"
. "$config/bin/server-jvm.sh"

mkdir -p "$server/berth/scripts" "$server/modules/org/postgresql/main"
install -m 0755 "$config/bin/berth-server" "$config/bin/berth-configure" "$config/bin/berth-kernel" "$server/bin/"
install -m 0644 "$config/bin/berth-server.conf" "$config/bin/server-jvm.sh" "$root/bin/find-jdk.sh" "$server/bin/"
install -m 0644 "$config"/scripts/*.cli "$server/berth/scripts/"
install -m 0644 "$config/modules/org/postgresql/main/module.xml" "$server/modules/org/postgresql/main/"

# Kernels of a running server read the runtime: it is replaced whole.
kernel="$server/berth/kernel"
rm -rf -- "$kernel/runtime.new"
mkdir -p "$kernel/runtime.new"
for part in berth_kernel build_backend pyproject.toml requirements-kernel.txt; do
  cp -r -- "$root/guest-helper/kernel/$part" "$kernel/runtime.new/"
done
find "$kernel/runtime.new" -name __pycache__ -prune -exec rm -rf -- {} +
rm -rf -- "$kernel/runtime"
mv -- "$kernel/runtime.new" "$kernel/runtime"

digest="$({ echo "$version"; cat "$config/scripts/trim.cli" "$config/scripts/configure.cli"; } | sha256sum | cut -d' ' -f1)"
pristine="$server/berth/standalone.xml.shipped"
[ -e "$pristine" ] || cp "$server/standalone/configuration/standalone.xml" "$pristine"
if [ "$digest" != "$(cat "$server/berth/configuration.digest" 2>/dev/null || true)" ]; then
  jdk="$(require_jdk assemble.sh)" || exit 1
  scratch="$(mktemp -d "$server/berth/configure.XXXXXXXX")"
  trap 'rm -rf -- "$scratch"' EXIT
  mkdir -p "$scratch/home/logs" "$scratch/home/data" "$scratch/base"
  cp -r "$server/standalone/configuration" "$scratch/base/"
  cp "$pristine" "$scratch/base/configuration/standalone.xml"
  for script in trim.cli configure.cli; do
    configure_offline "$server" "$jdk" "$scratch/base" "$scratch/home" "$config/scripts/$script"
  done
  cp "$scratch/base/configuration/standalone.xml" "$server/standalone/configuration/standalone.xml"
  # Until the logging subsystem has started for the first time, this file decides.
  sed -i 's/^handler.CONSOLE.formatter=.*/handler.CONSOLE.formatter=PATTERN/' "$server/standalone/configuration/logging.properties"
  printf '%s\n' "$digest" > "$server/berth/configuration.digest"
fi
# Any user of the machine may run this server on a state root of their own; the shipped user files hold no account.
chmod -R a+rX "$server"
touch -d "$build_start" "$server/berth/build.stamp"
