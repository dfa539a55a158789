package org.berth.process.supervisor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real program in a process and a state directory of its own. */
final class TestSupervisor implements AutoCloseable {
    static final String BUILD = "0123456789abcdef";

    private final Path root;
    private final List<String> prefix = new ArrayList<>();
    private Process process;

    private TestSupervisor(Path root) {
        this.root = root;
    }

    static TestSupervisor start(String... more) {
        try {
            TestSupervisor supervisor = new TestSupervisor(Files.createTempDirectory("bsv"));
            supervisor.launch(List.of(), more);
            return supervisor;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One whose state lies on a file system of its own, of {@code size} (tmpfs's notation). */
    static TestSupervisor startOnSmallDisk(String size) {
        try {
            TestSupervisor supervisor = new TestSupervisor(Files.createTempDirectory("bsv"));
            String state = Files.createDirectory(supervisor.state()).toString();
            List<String> unshare = "0".equals(uid())
                    ? List.of("unshare", "--mount")
                    : List.of("unshare", "--user", "--map-root-user", "--mount");
            supervisor.prefix.addAll(unshare);
            supervisor.prefix.addAll(List.of(
                    "sh",
                    "-c",
                    "mount -t tmpfs -o mode=0700,size=" + size + " tmpfs '" + state + "' && exec \"$@\"",
                    "sh"));
            supervisor.launch(List.of());
            return supervisor;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String uid() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    }

    /** Another incarnation on the same state. */
    void launch(List<String> jvm, String... more) {
        process = startProcess(jvm, more);
        Await.until("the supervisor listens", Duration.ofSeconds(15), () -> {
            if (!process.isAlive()) {
                throw new AssertionError("the supervisor ended: " + output());
            }
            return Files.exists(socket()) && canConnect();
        });
    }

    private boolean canConnect() {
        try (TestClient client = TestClient.connect(socket())) {
            return client != null;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    Process startProcess(List<String> jvm, String... more) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx96m"));
        command.addAll(jvm);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Supervisor.class.getName()));
        command.addAll(List.of("--socket-dir", root.resolve("run").toString()));
        command.addAll(List.of("--state", state().toString(), "--build", BUILD));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(outputFile().toFile()));
        builder.redirectInput(new java.io.File("/dev/null"));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path outputFile() {
        return root.resolve("output.txt");
    }

    String output() {
        try {
            Path log = state().resolve("supervisor.log");
            return Files.readString(outputFile()) + (Files.exists(log) ? Files.readString(log) : "");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path state() {
        return root.resolve("state");
    }

    Path socket() {
        return root.resolve("run").resolve("supervisor-" + BUILD.substring(0, 8) + ".sock");
    }

    Path root() {
        return root;
    }

    long pid() {
        return process.pid();
    }

    Process process() {
        return process;
    }

    TestClient client() {
        return TestClient.connect(socket());
    }

    /** kill -9. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    int awaitEnd() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the supervisor did not end: " + output());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            try (TestClient client = client()) {
                client.shutdown();
            } catch (IllegalStateException | AssertionError e) {
                process.destroyForcibly();
            }
            awaitEnd();
        }
        String failures = output().lines()
                .filter(line -> line.contains("failure:"))
                .toList()
                .toString();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        if (!failures.equals("[]")) {
            throw new AssertionError("the supervisor logged failures: " + failures);
        }
    }
}
