package org.berth.environment.podman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.berth.engine.EngineSocket;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineSocketTest {
    private static final int ORDINARY = 1234;

    private Path directory;

    @BeforeEach
    void real(@TempDir Path temporary) throws IOException {
        directory = temporary.toRealPath();
    }

    private static int owner(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid");
    }

    @Test
    void root_and_relative_paths_have_no_engine() {
        refused(() -> EngineSocket.look("/run/podman.sock", 0, "h"), ProblemCode.ENVIRONMENT_ENGINE_UNSUPPORTED);
        refused(() -> EngineSocket.look("podman.sock", ORDINARY, "h"), ProblemCode.ENVIRONMENT_ENGINE_UNSUPPORTED);
    }

    @Test
    void a_link_a_file_and_somebody_elses_socket_are_no_engine() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        refused(() -> EngineSocket.look(file.toString(), ORDINARY, "h"), ProblemCode.ENVIRONMENT_ENGINE_CHANGED);
        try (FakeEngine engine = new FakeEngine(directory.resolve("s"))) {
            Path link = Files.createSymbolicLink(directory.resolve("link"), engine.socket());
            refused(() -> EngineSocket.look(link.toString(), ORDINARY, "h"), ProblemCode.ENVIRONMENT_ENGINE_CHANGED);
            int other = owner(engine.socket()) + 1;
            refused(
                    () -> EngineSocket.look(engine.socket().toString(), other, "h"),
                    ProblemCode.ENVIRONMENT_ENGINE_CHANGED);
        }
    }

    @Test
    void an_absent_socket_proves_nothing() {
        refused(
                () -> EngineSocket.look(directory.resolve("none").toString(), ORDINARY, "h"),
                ProblemCode.ENVIRONMENT_UNCONFIRMED);
    }

    @Test
    void another_socket_at_the_same_path_is_another_engine() throws IOException {
        Path path = directory.resolve("s");
        EngineSocket before;
        try (FakeEngine engine = new FakeEngine(path)) {
            int uid = engine.ordinaryOwner();
            before = EngineSocket.look(engine.socket().toString(), uid, "h");
            assertThat(EngineSocket.look(path.toString(), uid, "h")).isEqualTo(before);
            Files.move(path, directory.resolve("old"));
            try (FakeEngine other = new FakeEngine(path)) {
                assertThat(EngineSocket.look(other.socket().toString(), other.ordinaryOwner(), "h"))
                        .isNotEqualTo(before);
            }
        }
    }

    private static void refused(ThrowingCallable call, ProblemCode code) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        BerthException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }
}
