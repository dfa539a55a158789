package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentStoreTest {
    @TempDir
    Path directory;

    private Path source;
    private Path kept;
    private AgentStore store;

    @BeforeEach
    void store() throws Exception {
        source = directory.resolve("agent");
        Files.writeString(source, "one");
        kept = directory.resolve("programs");
        store = new AgentStore(kept);
    }

    private String image(String content) {
        return source + "@sha256:" + CanonicalJson.sha256(content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void a_program_is_copied_once_and_a_later_change_of_the_original_is_not_seen() throws Exception {
        Path copy = store.program(image("one"));
        assertThat(copy).hasContent("one").isExecutable();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                .isEqualTo("r-x------");
        Files.writeString(source, "two");
        assertThat(store.program(image("one"))).isEqualTo(copy).hasContent("one");
        assertThat(store.program(image("two"))).isNotEqualTo(copy).hasContent("two");
    }

    @Test
    void a_program_that_is_gone_still_serves_from_its_copy() throws Exception {
        Path copy = store.program(image("one"));
        Files.delete(source);
        assertThat(new AgentStore(kept).program(image("one"))).isEqualTo(copy);
    }

    @Test
    void a_program_that_does_not_hash_to_its_digest_leaves_nothing() throws Exception {
        refused(image("two"), ProblemCode.INVALID_ENVIRONMENT_FILE);
        try (Stream<Path> left = Files.list(kept)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void a_copy_that_was_changed_is_refused() throws Exception {
        Path copy = store.program(image("one"));
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(copy, "ONE");
        refused(image("one"), ProblemCode.INVALID_ENVIRONMENT_FILE);
    }

    @Test
    void what_is_no_program_is_refused() throws Exception {
        Files.delete(source);
        refused(image("one"), ProblemCode.INVALID_ENVIRONMENT_FILE);
        Files.createDirectory(source);
        refused(image("one"), ProblemCode.INVALID_ENVIRONMENT_FILE);
        refused("registry.example/agent@sha256:" + "a".repeat(64), ProblemCode.INVALID_ENVIRONMENT_PATH);
    }

    private void refused(String image, ProblemCode code) {
        assertThatThrownBy(() -> store.program(image))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
