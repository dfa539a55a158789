package org.berth.harness.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.problem.BerthException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathMapTest {
    @TempDir
    Path given;

    Path root;
    PathMap map;

    @BeforeEach
    void twoNestedMountsAndOneBeside() throws IOException {
        root = given.toRealPath();
        for (String directory : List.of("project/sub", "deep", "data", "outside")) {
            Files.createDirectories(root.resolve(directory));
        }
        map = new PathMap(List.of(
                new Mount("/work", root.resolve("project")),
                new Mount("/work/deep", root.resolve("deep")),
                new Mount("/data", root.resolve("data"))));
    }

    @ParameterizedTest
    @CsvSource({
        "/work, project, /work",
        "/work/a/b, project/a/b, /work/a/b",
        "/work//a/./b/, project/a/b, /work/a/b",
        "/work/deep/x, deep/x, /work/deep/x",
        "/work/deeper, project/deeper, /work/deeper",
        "a, project/sub/a, /work/sub/a",
        "../a, project/a, /work/a",
        "../../data/x, data/x, /data/x",
        "/work/sub/../../data/x, data/x, /data/x",
        "/nowhere/../work/a, project/a, /work/a",
        "/../work/a, project/a, /work/a",
        "/work/deep/../a, project/a, /work/a",
        "/work/new/../a, project/a, /work/a"
    })
    void aPathInAMountLeadsToItsPlaceOnTheHost(String path, String host, String sandbox) {
        assertThat(map.toHost(path, "/work/sub")).isEqualTo(new Located.Inside(root.resolve(host), sandbox));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/etc/passwd",
                "/works",
                "/work/..",
                "/work/../etc/passwd",
                "../../../etc",
                "~",
                "~/a",
                "~root/x",
                "/work/sub/../../outside",
                "/data/../project/x",
                "/wor\0k"
            })
    void aPathInNoMountIsOutside(String path) {
        assertThat(map.toHost(path, "/work/sub")).isInstanceOf(Located.Outside.class);
    }

    @Test
    void aRelativePathNeedsAnAbsoluteDirectory() {
        assertThat(map.toHost("a", "work")).isInstanceOf(Located.Outside.class);
        assertThat(map.toHost("a", "")).isInstanceOf(Located.Outside.class);
    }

    @Test
    void aLinkOutOfEveryMountIsOutsideAndSoIsTheWayBackFromIt() throws IOException {
        Files.createSymbolicLink(root.resolve("project/out"), root.resolve("outside"));
        Files.createSymbolicLink(root.resolve("project/relative"), Path.of("../outside"));
        Files.createSymbolicLink(root.resolve("project/dangling"), root.resolve("outside/none"));
        for (String path : List.of(
                "/work/out",
                "/work/out/x",
                "/work/out/../a",
                "/work/out/../project/a",
                "/work/relative/x",
                "/work/dangling")) {
            assertThat(map.toHost(path, "/work")).as(path).isInstanceOf(Located.Outside.class);
        }
    }

    @Test
    void aLinkIntoAnotherMountIsInsideAndTheWayBackGoesOnFromThere() throws IOException {
        Files.createDirectories(root.resolve("data/in"));
        Files.createSymbolicLink(root.resolve("project/link"), root.resolve("data/in"));
        assertThat(map.toHost("/work/link/x", "/work"))
                .isEqualTo(new Located.Inside(root.resolve("data/in/x"), "/data/in/x"));
        assertThat(map.toHost("/work/link/../y", "/work"))
                .isEqualTo(new Located.Inside(root.resolve("data/y"), "/data/y"));
    }

    @Test
    void aCircleOfLinksIsOutside() throws IOException {
        Files.createSymbolicLink(root.resolve("project/a"), Path.of("b"));
        Files.createSymbolicLink(root.resolve("project/b"), Path.of("a"));
        assertThat(map.toHost("/work/a/x", "/work")).isInstanceOf(Located.Outside.class);
    }

    @Test
    void aMountMayItselfBeALink() throws IOException {
        Files.createSymbolicLink(root.resolve("alias"), root.resolve("project"));
        PathMap linked = new PathMap(List.of(new Mount("/w", root.resolve("alias"))));
        assertThat(linked.toHost("/w/a", "/w")).isEqualTo(new Located.Inside(root.resolve("project/a"), "/w/a"));
        assertThat(linked.toSandbox(root.resolve("alias/a"))).contains("/w/a");
        assertThat(linked.toSandbox(root.resolve("project/a"))).contains("/w/a");
    }

    @Test
    void aHostPathIsNamedByTheDeepestMountAndOnlyWhereTheSandboxSeesIt() {
        assertThat(map.toSandbox(root.resolve("project/sub"))).contains("/work/sub");
        assertThat(map.toSandbox(root.resolve("deep/x"))).contains("/work/deep/x");
        assertThat(map.toSandbox(root.resolve("outside"))).isEmpty();
        // The mount at /work/deep hides this directory of /work's.
        assertThat(map.toSandbox(root.resolve("project/deep/x"))).isEmpty();
    }

    @Test
    void aMountInsideAMountOnTheHostWins() {
        PathMap nested = new PathMap(
                List.of(new Mount("/a", root.resolve("project")), new Mount("/b", root.resolve("project/sub"))));
        assertThat(nested.toSandbox(root.resolve("project/sub/x"))).isEqualTo(Optional.of("/b/x"));
        assertThat(nested.toSandbox(root.resolve("project/x"))).isEqualTo(Optional.of("/a/x"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"work", "", "/work/", "/work/../x", "/./work", "//work"})
    void aMountPointThatIsNotPlainIsRefused(String sandbox) {
        assertThatThrownBy(() -> new Mount(sandbox, root)).isInstanceOf(BerthException.class);
    }

    @Test
    void twoMountsAtOnePointAndARelativeHostPathAreRefused() {
        Mount mount = new Mount("/work", root);
        assertThatThrownBy(() -> new PathMap(List.of(mount, new Mount("/work", root.resolve("x")))))
                .isInstanceOf(BerthException.class);
        assertThatThrownBy(() -> new Mount("/work", Path.of("x"))).isInstanceOf(BerthException.class);
    }
}
