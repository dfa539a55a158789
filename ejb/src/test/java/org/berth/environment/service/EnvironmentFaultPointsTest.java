package org.berth.environment.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.berth.environment.EnvironmentOperation;
import org.berth.environment.OperationState;
import org.berth.environment.service.EnvironmentFixture.Answer;
import org.berth.fault.FaultPoint;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A process dies at every fault point of environments, between every two durable writes; the same requests after it meet
 * one resource, one receipt and one note.
 */
class EnvironmentFaultPointsTest {
    private static final int KILLED = 137;

    @TempDir
    Path directory;

    static Set<FaultPoint> points() {
        return EnumSet.range(FaultPoint.CREATE_INTENT, FaultPoint.EXPORT_RECORDED);
    }

    @ParameterizedTest
    @MethodSource("points")
    void what_a_death_leaves_is_reconciled_and_never_repeated(FaultPoint point) throws Exception {
        assertThat(die(point)).as("the end at %s", point).isEqualTo(KILLED);
        try (DurableRun after = new DurableRun(directory)) {
            List<Answer> answers = after.all();
            List<String> asked = after.driver.log();
            if (point == FaultPoint.CREATE_CLAIMED) {
                // Whether the provider was asked is not known to the server: it waits, and asks nobody again.
                assertThat(answers).extracting(Answer::status).containsExactly(202);
                assertThat(asked).isEmpty();
                return;
            }
            assertThat(answers)
                    .extracting(Answer::status)
                    .containsExactly(point == FaultPoint.CREATE_INTENT ? 201 : 200, 200, 200);
            assertThat(asked).containsExactly("create", "upload /sandbox/openrig/work/CLAUDE.md");
            assertThat(after.notes()).hasSize(1);
            assertThat(after.fixture.operations())
                    .hasSize(2)
                    .extracting(EnvironmentOperation::state)
                    .containsOnly(OperationState.CONFIRMED);
            assertThat(directory.resolve("exports/binding-one"))
                    .isDirectoryContaining("glob:**/task-one-export-one.json")
                    .isDirectoryNotContaining("glob:**/.transfer-*");
        }
    }

    private int die(FaultPoint point) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dberth.fault=" + point.name(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        DurableRun.class.getName(),
                        directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }
}
