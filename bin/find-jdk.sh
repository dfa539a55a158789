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

# find_jdk: prints the home of a JDK of exactly BERTH_JDK_RELEASE, else fails. Order: JAVA_HOME, the java on PATH, the
# usual installation folders.
find_jdk() {
  local candidate java
  java="$(command -v java 2>/dev/null)" && java="$(readlink -f -- "$java")" && java="${java%/bin/java}"
  for candidate in "${JAVA_HOME:-}" "${java:-}" /usr/lib/jvm/* /usr/java/* /opt/* \
      "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/*; do
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
           /usr/lib/jvm/*, /usr/java/*, /opt/*, ~/.sdkman/candidates/java/*, ~/.jdks/*
Install one (for example the package temurin-$BERTH_JDK_RELEASE-jdk or openjdk-$BERTH_JDK_RELEASE-jdk-headless), or set JAVA_HOME to it.
MESSAGE
  return 1
}
