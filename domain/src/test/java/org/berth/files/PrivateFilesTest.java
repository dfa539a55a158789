package org.berth.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law private_on_create, and case 24: a kill between write, fsync and rename. */
class PrivateFilesTest {
    private static final int ROUNDS = 6;

    @TempDir
    private Path directory;

    /** Writes one text after the other until it is killed. */
    static final class Writer {
        private Writer() {}

        static String text(int round) {
            return (round % 2 == 0 ? "a" : "b").repeat(300_000 + round % 2);
        }

        public static void main(String[] arguments) throws IOException {
            Path file = Path.of(arguments[0]);
            for (int round = 0; ; round++) {
                PrivateFiles.write(file, text(round));
            }
        }
    }

    @Test
    void aKilledWriteLeavesTheOldFileOrTheNewOneNeverHalf() throws Exception {
        Path file = directory.resolve("owner.token");
        PrivateFiles.write(file, Writer.text(0));
        for (int round = 0; round < ROUNDS; round++) {
            Process writer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xshare:auto",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            file.toString())
                    .inheritIO()
                    .start();
            Object before = Files.getAttribute(file, "unix:ino");
            while (Files.getAttribute(file, "unix:ino").equals(before)) {
                assertThat(writer.isAlive()).isTrue();
                Thread.onSpinWait();
            }
            writer.destroyForcibly().waitFor();
            assertThat(Files.readString(file)).isIn(List.of(Writer.text(0), Writer.text(1)));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void aFileIsPrivateFromItsFirstMomentAndNothingElseIsLeft() throws IOException {
        Path file = directory.resolve("host.yaml");
        PrivateFiles.write(file, "first");
        PrivateFiles.write(file, "second");
        assertThat(file).hasContent("second");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aDirectoryIsPrivateAndALinkIsNone() throws IOException {
        Path made = PrivateFiles.directory(directory.resolve("made"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        Path link = Files.createSymbolicLink(directory.resolve("link"), made);
        assertThatThrownBy(() -> PrivateFiles.directory(link)).isInstanceOf(IOException.class);
    }
}
