package org.berth.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The law private_on_create: whoever looks at any moment, under any umask, sees private modes. Source: harness.md. */
class PrivateOnCreateTest {
    private static final int ROUNDS = 200;

    @TempDir
    private Path root;

    /** Makes private files and directories in its argument. */
    static final class Maker {
        private Maker() {}

        public static void main(String[] arguments) throws IOException {
            Path top = Path.of(arguments[0]);
            for (int i = 0; i < ROUNDS; i++) {
                Path directory = PrivateFiles.directory(top.resolve("d" + i));
                PrivateFiles.write(directory.resolve("f"), "x".repeat(i * 100));
                PrivateFiles.write(directory.resolve("f"), "y");
            }
        }
    }

    @Test
    void private_on_create() throws Exception {
        for (String umask : new String[] {"000", "022", "077"}) {
            Path top = Files.createDirectory(root.resolve("umask-" + umask));
            Files.setPosixFilePermissions(top, PosixFilePermissions.fromString("rwx------"));
            makeUnder(umask, top);
        }
    }

    private void makeUnder(String umask, Path top) throws IOException, InterruptedException {
        Process maker = new ProcessBuilder(
                        "sh",
                        "-c",
                        "umask " + umask + "; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Maker.class.getName(),
                        top.toString())
                .inheritIO()
                .start();
        AtomicInteger seen = new AtomicInteger();
        while (maker.isAlive()) {
            look(seen);
        }
        assertThat(maker.waitFor()).isZero();
        look(seen);
        assertThat(seen).hasValueGreaterThanOrEqualTo(2 * ROUNDS);
    }

    private void look(AtomicInteger seen) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            paths.filter(path -> !path.equals(root)).forEach(path -> check(path, seen));
        } catch (UncheckedIOException e) {
            // A temporary name went away while the tree was walked.
            assertThat(e.getCause()).isInstanceOf(NoSuchFileException.class);
        }
    }

    private static void check(Path path, AtomicInteger seen) {
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            assertThat(PosixFilePermissions.toString(attributes.permissions()))
                    .as(path.toString())
                    .isEqualTo(attributes.isDirectory() ? "rwx------" : "rw-------");
            seen.incrementAndGet();
        } catch (NoSuchFileException e) {
            // It has its final name by now.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
