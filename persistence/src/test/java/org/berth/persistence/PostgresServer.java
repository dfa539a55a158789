package org.berth.persistence;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL 15 of this test run alone: private directory, free port, loopback. Ends with the JVM. */
final class PostgresServer {
    private static final Path BINARIES = Path.of("/usr/lib/postgresql/15/bin");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicInteger databases = new AtomicInteger();
    private final Path home;
    private final int port;
    private final Process server;

    private PostgresServer(Path home, int port, Process server) {
        this.home = home;
        this.port = port;
        this.server = server;
    }

    static PostgresServer start() {
        if (!Files.isExecutable(BINARIES.resolve("initdb")) || !Files.isExecutable(BINARIES.resolve("postgres"))) {
            throw new AssertionError("PostgreSQL 15 is not in " + BINARIES + ": install the package postgresql-15");
        }
        try {
            Path home = Files.createTempDirectory("berth-postgres");
            List<String> user = unprivileged(home);
            Path data = home.resolve("data");
            Process initdb = run(
                    home,
                    "initdb.log",
                    user,
                    List.of(
                            BINARIES.resolve("initdb").toString(),
                            "--pgdata=" + data,
                            "--username=berth",
                            "--auth=trust",
                            "--encoding=UTF8",
                            "--locale=C.UTF-8",
                            "--no-sync"));
            if (!initdb.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || initdb.exitValue() != 0) {
                initdb.destroyForcibly();
                throw new AssertionError("initdb failed: " + Files.readString(home.resolve("initdb.log")));
            }
            int port = freePort();
            Process process = run(
                    home,
                    "postgres.log",
                    user,
                    List.of(
                            BINARIES.resolve("postgres").toString(),
                            "-D",
                            data.toString(),
                            "-p",
                            Integer.toString(port),
                            "-c",
                            "listen_addresses=127.0.0.1",
                            "-c",
                            "unix_socket_directories=",
                            "-c",
                            "fsync=off"));
            PostgresServer server = new PostgresServer(home, port, process);
            Runtime.getRuntime().addShutdownHook(new Thread(server::stop));
            server.awaitAnswer();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A new, empty database. */
    PGSimpleDataSource newDatabase() {
        String name = "berth_" + databases.incrementAndGet();
        try (Connection connection = dataSource("postgres").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return dataSource(name);
    }

    private PGSimpleDataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database);
        source.setUser("berth");
        return source;
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                dataSource("postgres").getConnection().close();
                return;
            } catch (SQLException e) {
                if (!server.isAlive() || System.nanoTime() > deadline) {
                    throw new AssertionError(
                            "postgres did not start: " + Files.readString(home.resolve("postgres.log")), e);
                }
                server.waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
    }

    private void stop() {
        // TERM waits for the open sessions, which end with this JVM only: after a while the server is killed.
        server.destroy();
        try {
            if (!server.waitFor(500, TimeUnit.MILLISECONDS)) {
                server.descendants().forEach(ProcessHandle::destroyForcibly);
                server.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PostgreSQL refuses to run as root: then an ordinary user runs it and owns its directory. */
    private static List<String> unprivileged(Path home) throws IOException {
        if (!"root".equals(System.getProperty("user.name"))) {
            return List.of();
        }
        var users = home.getFileSystem().getUserPrincipalLookupService();
        String user = Files.readAllLines(Path.of("/etc/passwd")).stream().anyMatch(line -> line.startsWith("postgres:"))
                ? "postgres"
                : "nobody";
        Files.setOwner(home, users.lookupPrincipalByName(user));
        return List.of("setpriv", "--reuid=" + user, "--clear-groups", "--");
    }

    private static Process run(Path home, String log, List<String> user, List<String> command) throws IOException {
        List<String> whole = new ArrayList<>(user);
        whole.addAll(command);
        return new ProcessBuilder(whole)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(log).toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
