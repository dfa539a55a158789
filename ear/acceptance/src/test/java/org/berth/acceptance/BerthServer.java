package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * One server of the assembled distribution with a state root and ports of its own. {@link #shared()} is the one that
 * the acceptance tests use together; {@link #create(String)} makes another.
 */
public final class BerthServer implements AutoCloseable {
    static final Path DIRECTORY =
            Path.of(System.getProperty("berth.acceptance.directory", "target")).toAbsolutePath();
    static final Path DISTRIBUTION = Path.of(System.getProperty("berth.root", "../.."))
            .toAbsolutePath()
            .resolve("target/server")
            .normalize();

    private static final Duration BOOT = Duration.ofSeconds(120);
    private static final int END_SECONDS = 120;
    private static final int[] PORTS = {7433, 7781, 7782, 9990};
    private static final int MAX_OFFSET = 22_000;

    private final String name;
    private final Path directory;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> javaOptions = new ArrayList<>();
    private int offset = freeOffset();
    private int starts;
    private Process process;

    private static final class Shared {
        static final BerthServer SERVER = open();

        private static BerthServer open() {
            ClassArchive.prepare();
            BerthServer server = create("shared");
            SharedHost.prepare(server);
            server.start();
            return server;
        }
    }

    private BerthServer(String name) {
        this.name = name;
        String unique = name + "-" + ProcessHandle.current().pid() + "-" + Long.toString(System.nanoTime(), 36);
        this.directory = Accounts.directory(DIRECTORY.resolve("servers"), unique);
        Accounts.directory(directory, "berth");
        Accounts.directory(directory, "user");
    }

    /** The running server of all acceptance tests; started at the first call, ended with this JVM. */
    public static BerthServer shared() {
        return Shared.SERVER;
    }

    /** A server that does not run yet; ended with this JVM, with its supervisor and every attempt. */
    public static BerthServer create(String name) {
        BerthServer server = new BerthServer(name);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
    }

    /** A variable of the server's environment, from the next start on. */
    public BerthServer environment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Options of the server's JVM, from the next start on; replaces those given before. */
    public BerthServer javaOptions(String... options) {
        javaOptions.clear();
        javaOptions.addAll(List.of(options));
        return this;
    }

    /** Starts it and waits until it answers that it is up. */
    public BerthServer start() {
        launch();
        awaitUp();
        return this;
    }

    /** Starts it without waiting. */
    public synchronized void launch() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        starts++;
        List<String> command = new ArrayList<>(Accounts.prefix());
        command.add(DISTRIBUTION.resolve("bin/berth-server").toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(console().toFile());
        builder.environment()
                .keySet()
                .removeIf(variable -> variable.startsWith("BERTH_") || variable.startsWith("MAVEN_"));
        builder.environment().put("BERTH_HOME", home().toString());
        builder.environment().put("HOME", directory.resolve("user").toString());
        builder.environment().put("BERTH_PORT_OFFSET", Integer.toString(offset));
        builder.environment().put("BERTH_FAST_START", "1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        List<String> options = new ArrayList<>(ClassArchive.options());
        options.addAll(javaOptions);
        builder.environment().put("BERTH_JAVA_OPTS", String.join(" ", options));
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server says it is up. @throws AssertionError with its console when it ended or came not up */
    public void awaitUp() {
        Api anonymous = new Api(url(), null);
        try {
            Await.until(name + " is up", BOOT, () -> {
                if (!process.isAlive()) {
                    throw new AssertionError(name + " ended with " + process.exitValue());
                }
                return answersUp(anonymous);
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + tail(console()), e);
        }
    }

    private static boolean answersUp(Api anonymous) {
        try {
            return anonymous.get("/healthz").status() == 200;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Asks the server to end (TERM) and waits; supervisor and attempts go on. */
    public void stop() {
        process.destroy();
        awaitEnd();
    }

    /** Kills the server (KILL) and waits; supervisor and attempts go on. */
    public void kill9() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Waits until the server's process has ended; its exit code. */
    public int awaitEnd() {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " does not end");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts the server again with the same state root and ports; ends a running one first. */
    public void restart() {
        if (process != null && process.isAlive()) {
            stop();
        }
        start();
    }

    /** Kills the supervisor (KILL) and waits until it is gone. */
    public void killSupervisor() {
        long pid = supervisorPid();
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        Await.until("the supervisor " + pid + " is gone", () -> !Proc.lives(pid));
    }

    public boolean runs() {
        return process != null && process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** The newest live supervisor of this state root, waited for. */
    public long supervisorPid() {
        return Await.value("a supervisor runs", this::supervisors, found -> !found.isEmpty())
                .getLast();
    }

    /** The live supervisors of this state root, oldest first. */
    public List<Long> supervisors() {
        String state = home().resolve("supervisor").toString();
        return Proc.all().stream()
                .filter(pid -> {
                    List<String> arguments = Proc.arguments(pid);
                    return arguments.contains("org.berth.process.supervisor.Supervisor")
                            && arguments.stream().anyMatch(argument -> argument.startsWith(state));
                })
                .filter(Proc::lives)
                .sorted((one, other) -> Long.compare(startTicks(one), startTicks(other)))
                .toList();
    }

    private static long startTicks(long pid) {
        String ticks = Proc.stat(pid, 22);
        return ticks.isEmpty() ? 0 : Long.parseLong(ticks);
    }

    /** The live processes of this server's attempts: those whose home lies in the state root. */
    public List<Long> children() {
        String placement = "HOME=" + home().resolve("placement");
        return Proc.all().stream()
                .filter(pid -> Proc.environment(pid).stream().anyMatch(entry -> entry.startsWith(placement)))
                .filter(Proc::lives)
                .toList();
    }

    /** The state root (BERTH_HOME). */
    public Path home() {
        return directory.resolve("berth");
    }

    /** The daemon listener's address. */
    public String url() {
        return "http://127.0.0.1:" + (7433 + offset);
    }

    /** The guest listener opens too, from the next start on. */
    public BerthServer withGuestListener() {
        return environment("BERTH_GUEST_ACTIVITY_PORT", Integer.toString(7782 + offset));
    }

    /** The guest listener's address. */
    public String guestUrl() {
        return "http://127.0.0.1:" + (7782 + offset);
    }

    /** The MCP listener's address. */
    public String mcpUrl() {
        return "http://127.0.0.1:" + (7781 + offset);
    }

    /** What is added to every port (BERTH_PORT_OFFSET). */
    public int portOffset() {
        return offset;
    }

    public int managementPort() {
        return 9990 + offset;
    }

    public String ownerToken() {
        return read(home().resolve("owner.token")).strip();
    }

    /** The routes, called with the owner's token. */
    public Api api() {
        return new Api(url(), ownerToken());
    }

    /** A new token; its text. {@code roles} empty: owner. */
    public String issueToken(String owner, String... roles) {
        return api().post(
                        "/api/tokens",
                        roles.length == 0
                                ? Map.of("owner_id", owner)
                                : Map.of("owner_id", owner, "roles", List.of(roles)))
                .expect(201)
                .text("token");
    }

    /** A new directory, outside the state root, that the server's user can use. */
    public Path directory(String prefix) {
        return Accounts.directory(directory.resolve("user"), prefix + "-" + Long.toString(System.nanoTime(), 36));
    }

    /** Writes a file that only the server's user can read; {@code host.yaml} must be one. */
    public Path write(Path file, String text) {
        try {
            Files.writeString(file, text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return give(file);
    }

    /** Gives a file or tree to the server's user. */
    public Path give(Path path) {
        return Accounts.give(path);
    }

    /** The numeric id of the user that the server runs as. */
    public int user() {
        return Accounts.serverUser();
    }

    /** What goes before a command so that it runs as the server's user; empty when that is ours. */
    public static List<String> asServerUser() {
        return Accounts.prefix();
    }

    /** What the newest start wrote to its console. */
    public Path console() {
        return directory.resolve("console-" + starts + ".log");
    }

    /** Ends the server, its supervisors and every attempt's processes. */
    @Override
    public synchronized void close() {
        if (process != null && process.isAlive()) {
            process.destroyForcibly();
            awaitEnd();
        }
        List<Long> left = new ArrayList<>(supervisors());
        left.addAll(children());
        left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }

    private static int freeOffset() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int candidate = ThreadLocalRandom.current().nextInt(100, MAX_OFFSET);
            if (java.util.Arrays.stream(PORTS).allMatch(port -> free(port + candidate))) {
                return candidate;
            }
        }
        throw new IllegalStateException("no free ports");
    }

    private static boolean free(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tail(Path file) {
        List<String> lines = read(file).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    }
}
