package org.berth.harness.setup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * An executable in uv's place. It notes its arguments, refuses an option that uv does not document for the command, and
 * refuses to fetch when it is told to stay offline. Source: uv's command line reference.
 */
final class FakeUv {
    private static final String SCRIPT = """
            #!/bin/sh
            PATH=/usr/bin:/bin
            echo "$*" >> '%1$s/log'
            fail() { echo "error: $*" >&2; exit 2; }
            offline=no
            while :; do
              case "$1" in
                --no-progress|--managed-python|--no-python-downloads|--no-cache) ;;
                --offline) offline=yes ;;
                --color) shift ;;
                -*) fail "unexpected argument '$1' found" ;;
                *) break ;;
              esac
              shift
            done
            group="$1"; shift
            case "$group" in venv) ;; *) group="$group $1"; shift ;; esac
            python= requirements= hashes=no binary= deps=yes place=
            while [ $# -gt 0 ]; do
              case "$group:$1" in
                'venv:--no-project') ;;
                'venv:--python'|'pip install:--python'|'pip check:--python') python="$2"; shift ;;
                'pip install:--require-hashes') hashes=yes ;;
                'pip install:--only-binary') binary="$2"; shift ;;
                'pip install:--no-deps') deps=no ;;
                'pip install:-r') requirements="$2"; shift ;;
                *:-*) fail "unexpected argument '$1' found" ;;
                *) place="$1" ;;
              esac
              shift
            done
            [ ! -e '%1$s/broken' ] || [ "$group" != "$(cat '%1$s/broken')" ] || fail "broken by the test"
            fetched() {
              [ -e "%1$s/cache/$1" ] && return
              [ $offline = no ] || fail "$1 is not in the cache"
              touch "%1$s/cache/$1"
            }
            case "$group" in
              'python install') [ $offline = no ] || fail offline; touch '%1$s/cache/python' ;;
              venv)
                [ -e '%1$s/cache/python' ] || fail "No interpreter found for Python $python in managed installations"
                mkdir -p "$place/bin"
                printf '#!/bin/sh\\nexec %2$s "$@"\\n' > "$place/bin/python"
                chmod 700 "$place/bin/python" ;;
              'pip install')
                [ -x "$python" ] || fail "no environment at $python"
                if [ -n "$requirements" ]; then
                  [ $hashes = yes ] && [ "$binary" = :all: ] && [ -r "$requirements" ] || fail "not verified"
                  fetched packages
                else
                  [ -r "$place/pyproject.toml" ] && [ $deps = no ] || fail "$place is no project"
                fi ;;
              'pip check') [ -x "$python" ] || fail "no environment at $python" ;;
              *) fail "unrecognized subcommand '$group'" ;;
            esac
            """;

    private final Path directory;

    /** @param directory where it keeps what it notes and what it fetched @param bin where the program goes */
    FakeUv(Path directory, Path bin, String interpreter) throws IOException {
        this.directory = Files.createDirectories(directory);
        Files.createDirectories(directory.resolve("cache"));
        Path program = Files.writeString(bin.resolve("uv"), SCRIPT.formatted(directory, interpreter));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    /** The command lines since {@link #forget}, oldest first. */
    List<String> log() throws IOException {
        try {
            return Files.readAllLines(directory.resolve("log"));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    void forget() throws IOException {
        Files.deleteIfExists(directory.resolve("log"));
    }

    /** Loses what was fetched. */
    void emptyCache() throws IOException {
        Files.deleteIfExists(directory.resolve("cache/packages"));
        Files.deleteIfExists(directory.resolve("cache/python"));
    }

    /** From now on {@code command} fails. */
    void breakCommand(String command) throws IOException {
        Files.writeString(directory.resolve("broken"), command);
    }
}
