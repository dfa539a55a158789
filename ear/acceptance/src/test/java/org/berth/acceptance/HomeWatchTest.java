package org.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeWatchTest {
    @TempDir
    Path home;

    @BeforeEach
    void furnish() throws IOException {
        Files.createDirectory(home.resolve("sub"));
        Files.writeString(home.resolve("sub/file"), "content");
    }

    @Test
    void aHomeThatIsOnlyReadIsUntouched() throws IOException {
        try (HomeWatch watch = new HomeWatch(home)) {
            Files.readString(home.resolve("sub/file"));
            watch.expectUntouched();
        }
    }

    @Test
    void aFileThatIsGoneAgainIsSeen() {
        expectSeen(() -> Files.delete(Files.createFile(home.resolve("sub/passing"))), "passing");
    }

    @Test
    void anotherContentIsSeen() {
        expectSeen(() -> Files.writeString(home.resolve("sub/file"), "CONTENT"), "sub/file");
    }

    @Test
    void aNewDirectoryIsSeen() {
        expectSeen(() -> Files.createDirectories(home.resolve("new/deep")), "new");
    }

    @Test
    void anotherModeIsSeen() {
        expectSeen(
                () -> Files.setPosixFilePermissions(
                        home.resolve("sub/file"), PosixFilePermissions.fromString("rwx------")),
                "sub/file");
    }

    @Test
    void aRemovedFileIsSeen() {
        expectSeen(() -> Files.delete(home.resolve("sub/file")), "sub/file");
    }

    private interface Change {
        void make() throws IOException;
    }

    private void expectSeen(Change change, String what) {
        assertThatThrownBy(() -> {
                    try (HomeWatch watch = new HomeWatch(home)) {
                        change.make();
                        watch.expectUntouched();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(what);
    }
}
