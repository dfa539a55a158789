package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutableResolverTest {
    @TempDir
    Path base;

    private Path first;
    private Path second;

    @BeforeEach
    void two_directories() throws IOException {
        first = Files.createDirectory(base.resolve("first"));
        second = Files.createDirectory(base.resolve("second"));
    }

    @Test
    void a_bare_name_is_the_first_executable_file_on_the_path() throws IOException {
        file(first.resolve("tool"), "rw-r--r--");
        Path found = file(second.resolve("tool"), "rwxr-xr-x");
        assertThat(resolve("tool")).isEqualTo(found);
        Path earlier = file(first.resolve("other"), "rwxr-xr-x");
        file(second.resolve("other"), "rwxr-xr-x");
        assertThat(resolve("other")).isEqualTo(earlier);
    }

    @Test
    void a_directory_on_the_path_is_no_program() throws IOException {
        Files.createDirectory(first.resolve("tool"));
        Path found = file(second.resolve("tool"), "rwxr-xr-x");
        assertThat(resolve("tool")).isEqualTo(found);
    }

    @Test
    void a_symbolic_link_stays_as_it_is_named() throws IOException {
        Path target = file(second.resolve("busybox"), "rwxr-xr-x");
        Path link = Files.createSymbolicLink(first.resolve("ls"), target);
        assertThat(resolve("ls")).isEqualTo(link);
        assertThat(resolve(link.toString())).isEqualTo(link);
    }

    @Test
    void a_name_found_nowhere_names_each_place_and_its_fault() throws IOException {
        Files.createDirectory(first.resolve("tool"));
        file(second.resolve("tool"), "rw-r--r--");
        refused("tool", ProblemCode.NOT_FOUND)
                .hasMessageContaining(first.resolve("tool") + " is a directory")
                .hasMessageContaining(second.resolve("tool") + " is not executable by this user");
        refused("absent", ProblemCode.NOT_FOUND)
                .hasMessageContaining(first.resolve("absent") + " does not exist")
                .hasMessageContaining(second.resolve("absent") + " does not exist");
    }

    @Test
    void an_empty_path_finds_nothing() {
        assertThatThrownBy(() -> ExecutableResolver.resolve("sh", List.of())).hasMessageContaining("the path is empty");
    }

    @Test
    void an_absolute_path_is_itself_or_is_not_found() throws IOException {
        Path tool = file(first.resolve("tool"), "rwx------");
        assertThat(resolve(tool.toString())).isEqualTo(tool);
        refused(first.toString(), ProblemCode.NOT_FOUND).hasMessageContaining("is a directory");
        refused(first.resolve("no").toString(), ProblemCode.NOT_FOUND).hasMessageContaining("does not exist");
        refused("/dev/null", ProblemCode.NOT_FOUND).hasMessageContaining("is not a regular file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "./a", "a\0b"})
    void a_name_that_can_name_no_program_is_invalid(String name) {
        refused(name, ProblemCode.INVALID).hasMessageStartingWith("launch.executable ");
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(String name, ProblemCode code) {
        return assertThatThrownBy(() -> resolve(name))
                .satisfies(
                        refusal -> assertThat(((BerthException) refusal).code()).isEqualTo(code));
    }

    private Path resolve(String name) {
        return ExecutableResolver.resolve(name, List.of(first.toString(), second.toString()));
    }

    private static Path file(Path path, String mode) throws IOException {
        Files.writeString(path, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }
}
