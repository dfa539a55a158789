package org.berth.environment.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.environment.EnvironmentRules;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmittedRootsTest {
    @TempDir
    Path directory;

    private Path root;
    private AdmittedRoots roots;

    @BeforeEach
    void root() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("root"));
        roots = new AdmittedRoots(List.of(root, directory.resolve("absent")));
    }

    @Test
    void aMissingDirectoryOfReturnedArtifactsIsMadePrivate() throws Exception {
        Path made = roots.madeDirectory(root.resolve("a/b").toString());

        assertThat(made).isEqualTo(root.resolve("a/b"));
        assertThat(Files.getPosixFilePermissions(made))
                .isEqualTo(java.nio.file.attribute.PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void a_file_below_a_root_is_read() throws Exception {
        Path file = Files.createDirectories(root.resolve("a/b")).resolve("policy.yaml");
        Files.writeString(file, "version: 1\n");
        assertThat(roots.read(file.toString())).asString().isEqualTo("version: 1\n");
    }

    @Test
    void a_file_of_exactly_the_bound_is_read_and_one_more_byte_is_refused() throws Exception {
        Path file = root.resolve("large");
        Files.write(file, new byte[EnvironmentRules.FILE_BYTES]);
        assertThat(roots.read(file.toString())).hasSize(EnvironmentRules.FILE_BYTES);
        Files.write(file, new byte[EnvironmentRules.FILE_BYTES + 1]);
        refused(() -> roots.read(file.toString()), ProblemCode.INVALID_ENVIRONMENT_FILE);
    }

    @Test
    void a_root_that_is_itself_a_link_admits_what_lies_below_it() throws Exception {
        Path link = Files.createSymbolicLink(directory.toRealPath().resolve("link"), root);
        Files.writeString(root.resolve("f"), "x");
        AdmittedRoots linked = new AdmittedRoots(List.of(link));
        assertThat(linked.read(link.resolve("f").toString())).asString().isEqualTo("x");
        assertThat(linked.read(root.resolve("f").toString())).asString().isEqualTo("x");
    }

    @Test
    void a_link_at_any_component_is_refused() throws Exception {
        Path real = Files.createDirectory(root.resolve("real"));
        Files.writeString(real.resolve("f"), "x");
        Files.createSymbolicLink(root.resolve("way"), real);
        Files.createSymbolicLink(real.resolve("g"), real.resolve("f"));
        refused(() -> roots.read(root.resolve("way/f").toString()), ProblemCode.ENVIRONMENT_SYMLINK);
        refused(() -> roots.read(real.resolve("g").toString()), ProblemCode.ENVIRONMENT_SYMLINK);
        refused(() -> roots.directory(root.resolve("way").toString()), ProblemCode.ENVIRONMENT_SYMLINK);
    }

    @Test
    void what_is_no_regular_file_or_absent_is_refused() throws Exception {
        Files.createDirectory(root.resolve("d"));
        refused(() -> roots.read(root.resolve("d").toString()), ProblemCode.INVALID_ENVIRONMENT_FILE);
        refused(() -> roots.read(root.resolve("absent").toString()), ProblemCode.INVALID_ENVIRONMENT_FILE);
        refused(() -> roots.read(root.resolve("absent/f").toString()), ProblemCode.INVALID_ENVIRONMENT_FILE);
        refused(() -> roots.directory(root.resolve("absent").toString()), ProblemCode.INVALID_ENVIRONMENT_FILE);
        assertThat(roots.directory(root.resolve("d").toString())).isEqualTo(root.resolve("d"));
    }

    @Test
    void a_pipe_is_refused_without_waiting_for_its_writer() throws Exception {
        Path pipe = root.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        refused(() -> roots.read(pipe.toString()), ProblemCode.INVALID_ENVIRONMENT_FILE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "policy.yaml", "/srv/../etc/passwd", "/srv/./f"})
    void a_path_that_is_not_absolute_and_plain_is_refused(String path) {
        refused(() -> roots.read(path), ProblemCode.INVALID_ENVIRONMENT_PATH);
        refused(() -> roots.read(null), ProblemCode.INVALID_ENVIRONMENT_PATH);
    }

    @Test
    void a_path_outside_every_root_is_denied_and_told_what_admits_it() throws Exception {
        Files.writeString(directory.resolve("outside"), "x");
        Files.createDirectory(directory.resolve("rootless"));
        refused(() -> roots.read(root.toString()), ProblemCode.ENVIRONMENT_PATH_DENIED);
        refused(() -> roots.read(root + "less/f"), ProblemCode.ENVIRONMENT_PATH_DENIED);
        assertThatThrownBy(() ->
                        roots.read(directory.toRealPath().resolve("outside").toString()))
                .hasMessageContaining("environments.roots in host.yaml")
                .hasMessageContaining(root.toString());
    }

    private static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
