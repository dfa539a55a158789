package org.berth.process.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.berth.process.supervisor.os.OwnProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The laws of the supervisor's private directories, over every kind of path, every mode and both owners. Source: the harness
 * reference, Local access, 1 and 3.
 */
class LocalAccessLawsTest {
    private static final int ALL_MODES = 0777;
    private static final int OTHERS_WRITE = 0022;

    @TempDir
    Path root;

    private static boolean isUsed(Path path, long uid) {
        try {
            PrivateDirectory.require(path, uid);
            return true;
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(path.toString());
            return false;
        }
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    @Test
    void socket_dir_owned() throws IOException {
        Path directory = Files.createDirectory(root.resolve("d"));
        for (int mode = 0; mode <= ALL_MODES; mode++) {
            Files.setAttribute(directory, "unix:mode", mode);
            if (isUsed(directory, OwnProcess.uid())) {
                assertThat(mode & OTHERS_WRITE).isZero();
            }
            assertThat(isUsed(directory, OwnProcess.uid() + 1)).isFalse();
        }
        Path link = Files.createSymbolicLink(root.resolve("l"), Files.createDirectory(root.resolve("target")));
        assertThat(isUsed(link, OwnProcess.uid())).isFalse();
        assertThat(isUsed(Files.createFile(root.resolve("f")), OwnProcess.uid()))
                .isFalse();
    }

    @Test
    void socket_dir_progress() throws IOException {
        Path directory = Files.createDirectory(root.resolve("d"));
        for (int mode = 0; mode <= ALL_MODES; mode++) {
            if ((mode & OTHERS_WRITE) == 0) {
                Files.setAttribute(directory, "unix:mode", mode);
                assertThat(isUsed(directory, OwnProcess.uid()))
                        .as("mode %o", mode)
                        .isTrue();
            }
        }
    }

    @Test
    void socket_dir_created() throws IOException {
        Path path = root.resolve("a/b/c");
        PrivateDirectory.requireTree(path, OwnProcess.uid());
        for (Path made = path; !made.equals(root); made = made.getParent()) {
            assertThat(mode(made)).isEqualTo(0700);
        }
    }

    @Test
    void socket_dir_created_used() {
        Path path = root.resolve("new");
        assertThat(isUsed(path, OwnProcess.uid())).isTrue();
        assertThat(isUsed(path, OwnProcess.uid())).isTrue();
    }
}
