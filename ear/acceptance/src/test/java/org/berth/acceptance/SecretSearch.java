package org.berth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Looks for secrets where none may be: command lines while it is open, files byte for byte, and a database's dump. */
final class SecretSearch implements AutoCloseable {
    private static final long LOOK_EVERY_NANOS = 20_000_000;

    private final Collection<String> secrets;
    private final Set<String> onCommandLines = new ConcurrentSkipListSet<>();
    private final Thread looking;

    /** Looks at the command lines of all processes from now on. */
    SecretSearch(Collection<String> secrets) {
        this.secrets = List.copyOf(secrets);
        looking = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                look();
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        });
    }

    private void look() {
        for (long pid : Proc.all()) {
            String line = Proc.read(pid, "cmdline");
            if (holdsSecret(line)) {
                onCommandLines.add(line.replace('\0', ' '));
            }
        }
    }

    /** The command lines that held a secret until now. */
    Set<String> commandLines() {
        look();
        return Set.copyOf(onCommandLines);
    }

    boolean holdsSecret(String text) {
        return secrets.stream().anyMatch(text::contains);
    }

    /** The files below {@code root} that hold a secret, by their path relative to it. */
    Set<String> files(Path root) {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path file : (Iterable<Path>) tree::iterator) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && holdsSecret(bytes(file))) {
                    found.add(root.relativize(file).toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String bytes(Path file) throws IOException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** The lines of a stopped server's whole database, written as SQL, that hold a secret. */
    Set<String> dump(BerthServer stopped) throws SQLException {
        Set<String> found = new TreeSet<>();
        int lines = 0;
        try (var connection = DriverManager.getConnection(
                        "jdbc:h2:file:" + stopped.home().resolve("data/berth") + ";IFEXISTS=TRUE", "berth", "");
                var statement = connection.createStatement();
                ResultSet script = statement.executeQuery("script")) {
            while (script.next()) {
                lines++;
                if (holdsSecret(script.getString(1))) {
                    found.add(script.getString(1));
                }
            }
        }
        if (lines == 0) {
            throw new AssertionError("the database's dump is empty");
        }
        return found;
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}
