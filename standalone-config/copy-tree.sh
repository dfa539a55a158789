#!/usr/bin/env bash
# Replaces directory $2 by a copy of $1, whole or not at all, keeping modes.
set -euo pipefail
source="$1"; target="$2"
[ -d "$source" ] || { echo "copy-tree.sh: $source is missing: build its module first" >&2; exit 1; }
mkdir -p "$(dirname "$target")"
rm -rf -- "$target.new"
cp -a -- "$source" "$target.new"
# Any user of the machine may run the server from here.
chmod -R a+rX -- "$target.new"
rm -rf -- "$target"
mv -- "$target.new" "$target"
