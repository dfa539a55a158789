package org.berth.host.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law private_on_create, for the state root. */
class StateRootTest {
    @TempDir
    private Path parent;

    private Path root(String mode) throws IOException {
        Path root = Files.createDirectory(parent.resolve("root"));
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString(mode));
        return root;
    }

    @Test
    void aRootThatOthersCanReadBecomesPrivate() throws IOException {
        Path root = root("rwxr-xr-x");
        Path verified = StateRoot.verified(root);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(verified)))
                .isEqualTo("rwx------");
    }

    @Test
    void aRootThatOthersCanWriteIsRefusedWithPathFaultAndRemedy() throws IOException {
        Path root = root("rwxrwxr-x");
        assertThatThrownBy(() -> StateRoot.verified(root))
                .hasMessageContaining(root.getFileName().toString())
                .hasMessageContaining("written by others")
                .hasMessageContaining("chmod 700");
    }

    @Test
    void aFileOrNothingIsRefused() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "x");
        assertThatThrownBy(() -> StateRoot.verified(file)).hasMessageContaining("no directory");
        assertThatThrownBy(() -> StateRoot.verified(parent.resolve("none"))).hasMessageContaining("cannot be used");
    }
}
