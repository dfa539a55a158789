# Finds a JDK; sourced by bin/berth, the server's launcher and .ci/run. Needs bash.

# Feature release that Berth is compiled for (maven.compiler.release).
BERTH_JDK_RELEASE=25

# jdk_release DIR: prints the feature release of the JDK in DIR, nothing if there is none.
jdk_release() {
  local line
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  while IFS= read -r line; do
    case "$line" in
      JAVA_VERSION=*)
        line="${line#*=}"; line="${line//\"/}"
        printf '%s\n' "${line%%[.+-]*}"
        return 0 ;;
    esac
  done < "$1/release"
  return 1
}

# jdk_folders: prints the folders whose subfolders may be JDKs, separated by colons; BERTH_JDK_FOLDERS replaces the usual
# installation folders.
jdk_folders() {
  local home="${HOME:-/nonexistent}"
  printf '%s\n' "${BERTH_JDK_FOLDERS:-/usr/lib/jvm:/usr/java:/opt:$home/.sdkman/candidates/java:$home/.jdks}"
}

# find_jdk: prints the home of a JDK of exactly BERTH_JDK_RELEASE, else fails. Order: JAVA_HOME, the java on PATH, the
# folders of jdk_folders.
find_jdk() {
  local candidate java folder folders candidates
  java="$(command -v java 2>/dev/null)" && java="$(readlink -f -- "$java")" && java="${java%/bin/java}"
  candidates=("${JAVA_HOME:-}" "${java:-}")
  IFS=: read -r -a folders <<< "$(jdk_folders)"
  for folder in "${folders[@]}"; do
    candidates+=("$folder"/*)
  done
  for candidate in "${candidates[@]}"; do
    [ -n "$candidate" ] || continue
    if [ "$(jdk_release "$candidate")" = "$BERTH_JDK_RELEASE" ]; then
      (cd -P -- "$candidate" && pwd)
      return 0
    fi
  done
  return 1
}

# require_jdk PROGRAM: like find_jdk, with a message on stderr that says where it looked and what to install.
require_jdk() {
  find_jdk && return 0
  cat >&2 <<MESSAGE
$1: no JDK $BERTH_JDK_RELEASE found.
Looked at: JAVA_HOME (${JAVA_HOME:-not set}), the java on PATH ($(command -v java || echo none)),
           and what lies in $(jdk_folders)
Install one (for example the package temurin-$BERTH_JDK_RELEASE-jdk or openjdk-$BERTH_JDK_RELEASE-jdk-headless), or set JAVA_HOME to it.
MESSAGE
  return 1
}
