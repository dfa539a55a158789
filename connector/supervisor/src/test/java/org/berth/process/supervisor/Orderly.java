package org.berth.process.supervisor;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.berth.placement.Capability;
import org.berth.placement.SpawnOrder;
import org.berth.placement.TerminalSize;

/** Builds spawn orders. */
final class Orderly {
    private final String executable;
    private final List<String> argv;
    private final Map<String, String> environment = new LinkedHashMap<>(Map.of("PATH", "/usr/bin:/bin"));
    private SpawnOrder.Buffer buffer;
    private String attemptKey = hex();
    private String workingDirectory = "/";
    private TerminalSize terminal;
    private byte[] stdin;
    private boolean stdinEof;
    private Capability scope = Capability.PROCESS_GROUP;
    private int drainMillis = 1000;
    private int retainMillis = 30_000;
    private SpawnOrder.Log log;
    private SpawnOrder.Expected expected;
    private SpawnOrder.Enclosure enclosure;

    private Orderly(String executable, List<String> argv) {
        this.executable = executable;
        this.argv = argv;
    }

    static Orderly of(String executable, String... argv) {
        return new Orderly(executable, List.of(argv));
    }

    static Orderly sh(String script) {
        return of("/bin/sh", "-c", script);
    }

    static String hex() {
        byte[] bytes = new byte[16];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    Orderly key(String value) {
        attemptKey = value;
        return this;
    }

    Orderly with(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Orderly in(String directory) {
        workingDirectory = directory;
        return this;
    }

    Orderly window(int rows, int cols) {
        terminal = new TerminalSize(rows, cols);
        return this;
    }

    Orderly stdin(byte[] bytes, boolean eof) {
        stdin = bytes;
        stdinEof = eof;
        return this;
    }

    Orderly contained() {
        scope = Capability.CONTAINED_TREE;
        return this;
    }

    Orderly enclosed(SpawnOrder.Enclosure value) {
        enclosure = value;
        return contained();
    }

    Orderly drain(int millis) {
        drainMillis = millis;
        return this;
    }

    Orderly retain(int millis) {
        retainMillis = millis;
        return this;
    }

    Orderly log(SpawnOrder.Log value) {
        log = value;
        return this;
    }

    Orderly buffer(int outstandingChunks, int spoolBytes) {
        buffer = new SpawnOrder.Buffer(outstandingChunks, spoolBytes);
        return this;
    }

    Orderly expected(SpawnOrder.Expected value) {
        expected = value;
        return this;
    }

    SpawnOrder order() {
        return new SpawnOrder(
                attemptKey,
                hex(),
                executable,
                argv,
                environment,
                workingDirectory,
                terminal,
                stdin,
                stdinEof,
                scope,
                drainMillis,
                retainMillis,
                log,
                expected,
                1,
                buffer,
                enclosure);
    }
}
