package org.berth.harness.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Paths below a directory that does not exist: no link is on the way, so that the rules alone decide. */
class PathMapProperties {
    private static final Path HOST = Path.of("/berth-no-such-directory");

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of("a", "b", "c").list().ofMaxSize(4).map(names -> "/" + String.join("/", names));
    }

    @Provide
    Arbitrary<String> walks() {
        return Arbitraries.of("a", "b", "c", "..", ".", "")
                .list()
                .ofMaxSize(8)
                .map(names -> "/" + String.join("/", names));
    }

    @Provide
    Arbitrary<PathMap> maps() {
        Arbitrary<Mount> mount =
                Combinators.combine(paths(), paths()).as((sandbox, host) -> new Mount(sandbox, Path.of(HOST + host)));
        return mount.list().ofMaxSize(5).map(mounts -> {
            Map<String, Mount> points = new LinkedHashMap<>();
            mounts.forEach(each -> points.put(each.sandbox(), each));
            return new PathMap(List.copyOf(points.values()));
        });
    }

    @Property
    void the_deepest_mount_maps_a_sandbox_path(@ForAll("maps") PathMap map, @ForAll("paths") String path) {
        Optional<Path> expected = map.mounts().stream()
                .filter(mount -> Path.of(path).startsWith(mount.sandbox()))
                .max(Comparator.comparingInt(mount -> Path.of(mount.sandbox()).getNameCount()))
                .map(mount -> mount.host()
                        .resolve(Path.of(mount.sandbox())
                                .relativize(Path.of(path))
                                .toString())
                        .normalize());
        Optional<Path> actual = map.toHost(path, "/") instanceof Located.Inside(Path host, String ignored)
                ? Optional.of(host)
                : Optional.empty();
        assertThat(actual).isEqualTo(expected);
    }

    @Property
    void the_deepest_visible_mount_names_a_host_path(@ForAll("maps") PathMap map, @ForAll("paths") String below) {
        Path host = Path.of(HOST + below).normalize();
        Optional<String> name = map.toSandbox(host);
        name.ifPresent(path -> assertThat(map.toHost(path, "/")).isEqualTo(new Located.Inside(host, path)));
        int deepest = map.mounts().stream()
                .filter(mount -> host.startsWith(mount.host()))
                .filter(mount -> visible(map, mount, host))
                .mapToInt(mount -> mount.host().getNameCount())
                .max()
                .orElse(-1);
        assertThat(name.isPresent()).isEqualTo(deepest >= 0);
        name.flatMap(path -> map.holding(SandboxPath.names(path)))
                .ifPresent(mount -> assertThat(mount.host().getNameCount()).isEqualTo(deepest));
    }

    private static boolean visible(PathMap map, Mount mount, Path host) {
        String path = Path.of(mount.sandbox())
                .resolve(mount.host().relativize(host).toString())
                .normalize()
                .toString();
        return map.toHost(path, "/").equals(new Located.Inside(host, path))
                && map.holding(SandboxPath.names(path)).orElseThrow().equals(mount);
    }

    @Property
    void without_links_a_walk_ends_where_its_plain_form_ends_or_is_refused(
            @ForAll("maps") PathMap map, @ForAll("walks") String walk) {
        Located walked = map.toHost(walk, "/");
        Located plain = map.toHost(Path.of(walk).normalize().toString(), "/");
        if (plain instanceof Located.Inside inside) {
            assertThat(walked)
                    .isInstanceOfSatisfying(
                            Located.Inside.class,
                            place -> assertThat(place.host()).isEqualTo(inside.host()));
        } else {
            assertThat(walked).isInstanceOf(Located.Outside.class);
        }
    }

    @Property
    void what_is_inside_lies_in_a_mount_of_the_host(@ForAll("maps") PathMap map, @ForAll("walks") String walk) {
        if (map.toHost(walk, "/a/b") instanceof Located.Inside inside) {
            assertThat(map.mounts()).anyMatch(mount -> inside.host().startsWith(mount.host()));
        }
    }

    @Property
    void a_shell_splits_the_line_into_the_same_arguments(@ForAll("words") List<String> arguments) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "printf '%s\\0' " + ShellWords.join(arguments)).start();
        String printed = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(printed).isEqualTo(String.join("\0", arguments) + "\0");
    }

    @Provide
    Arbitrary<List<String>> words() {
        return Arbitraries.strings()
                .withChars("a '\"$`\\\n*;&|<>#~!-=")
                .ofMaxLength(12)
                .list()
                .ofMinSize(1)
                .ofMaxSize(40);
    }
}
