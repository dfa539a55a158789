package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.berth.files.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptHomesTest {
    @TempDir
    private Path given;

    private Path placement() throws IOException {
        return Files.createDirectories(given.toRealPath().resolve("placement"));
    }

    @Test
    void aHomeIsMadePrivateWithItsParents() throws IOException {
        Path root = placement();
        Path home = AttemptHomes.createPrivate(root, root.resolve("attempts/k/home"));
        for (Path made = home; !made.equals(root); made = made.getParent()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
        }
        assertThat(AttemptHomes.createPrivate(root, home)).isEqualTo(home);
    }

    @Test
    void removalFollowsNoLink() throws IOException {
        Path root = placement();
        Path kept =
                Files.writeString(Files.createDirectories(given.resolve("kept")).resolve("file"), "stays");
        Path home = AttemptHomes.createPrivate(root, root.resolve("attempts/k/home"));
        Files.createSymbolicLink(home.resolve("link"), kept.getParent());
        Files.createSymbolicLink(home.resolve("dangling"), given.resolve("nothing"));
        Files.writeString(Files.createDirectories(home.resolve("a/b")).resolve("--force"), "x");
        Trees.remove(home.getParent());
        assertThat(home.getParent()).doesNotExist();
        assertThat(kept).hasContent("stays");
    }

    @Test
    void aDirectoryWithoutRightsIsRemovedToo() throws IOException {
        Path root = placement();
        Path home = AttemptHomes.createPrivate(root, root.resolve("attempts/k/home"));
        Path closed = Files.createDirectory(home.resolve("closed"));
        Files.writeString(closed.resolve("file"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Trees.remove(home.getParent());
        assertThat(home).doesNotExist();
    }

    @Test
    void removingWhatIsGoneIsDone() throws IOException {
        Path root = placement();
        Trees.remove(root.resolve("attempts/none"));
        assertThat(root).exists();
    }
}
