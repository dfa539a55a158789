package org.berth.placement.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.placement.ResolvedResource;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhysicalPathsTest {
    @TempDir
    private Path given;

    private Path root;

    @BeforeEach
    void realRoot() throws IOException {
        root = given.toRealPath();
        Files.createDirectories(root.resolve("granted/inside"));
        Files.createDirectories(root.resolve("outside"));
    }

    private ResolvedResource resource(String subpath) {
        return new ResolvedResource(
                "work",
                "grant",
                root.resolve("granted").toString(),
                subpath,
                ResourceAccess.WRITE,
                ResourcePurpose.PROJECT);
    }

    @Test
    void aDirectoryInsideItsRootIsFound() {
        assertThat(PhysicalPaths.directory(resource("inside"))).contains(root.resolve("granted/inside"));
        assertThat(PhysicalPaths.directory(resource(""))).contains(root.resolve("granted"));
    }

    @Test
    void aLinkThatLeavesTheRootLeadsNowhere() throws IOException {
        Files.createSymbolicLink(root.resolve("granted/link"), root.resolve("outside"));
        assertThat(PhysicalPaths.directory(resource("link"))).isEmpty();
    }

    @Test
    void aFileOrAMissingDirectoryIsNone() throws IOException {
        Files.writeString(root.resolve("granted/file"), "x");
        assertThat(PhysicalPaths.directory(resource("file"))).isEmpty();
        assertThat(PhysicalPaths.directory(resource("missing"))).isEmpty();
    }

    @Test
    void thePhysicalPathOfWhatIsNotThereFollowsTheLinksBeforeIt() throws IOException {
        Files.createSymbolicLink(root.resolve("alias"), root.resolve("outside"));
        assertThat(PhysicalPaths.physical(root.resolve("alias/new/deeper")))
                .isEqualTo(root.resolve("outside/new/deeper"));
    }
}
