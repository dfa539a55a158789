package org.berth.harness.setup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class BootstrapLockTest {
    private static final int PROCESSES = 3;
    private static final int TIMES = 40;

    @TempDir
    private Path directory;

    private Path lock;

    @BeforeEach
    void aLock() {
        lock = directory.resolve("kernel-venv.bootstrap.lock");
    }

    private BootstrapLock held() throws IOException {
        return switch (BootstrapLock.attempt(lock)) {
            case BootstrapLock.Attempt.Held(BootstrapLock mine) -> mine;
            case BootstrapLock.Attempt.Busy busy -> throw new AssertionError("busy: " + busy);
        };
    }

    @Test
    void itIsPrivateAndNamesThisProcessUntilItIsGivenBack() throws IOException {
        assertThat(BootstrapLock.holder(lock)).isEmpty();
        try (BootstrapLock _ = held()) {
            long self = ProcessHandle.current().pid();
            assertThat(BootstrapLock.holder(lock)).contains(self);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(lock)))
                    .isEqualTo("rw-------");
            assertThat(BootstrapLock.attempt(lock)).isEqualTo(new BootstrapLock.Attempt.Busy(Optional.of(self)));
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void whoGivesBackTwiceTakesNothingFromTheNext() throws IOException {
        BootstrapLock first = held();
        first.close();
        try (BootstrapLock _ = held()) {
            first.close();
            assertThat(BootstrapLock.holder(lock)).isPresent();
        }
    }

    @Test
    void aLockWithoutAnOwnerIsSetAside() throws IOException {
        Files.writeString(lock, "");
        held().close();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void oneProcessAtATimeHoldsItAlsoWhenHoldersDie() throws Exception {
        Path log = Files.createFile(directory.resolve("log"));
        List<Process> contenders = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            contenders.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin/java").toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LockContender.class.getName(),
                            lock.toString(),
                            log.toString(),
                            Integer.toString(TIMES),
                            Integer.toString(i))
                    .inheritIO()
                    .start());
        }
        for (Process each : contenders) {
            assertThat(each.waitFor()).isZero();
        }
        List<String> lines = Files.readAllLines(log);
        assertThat(lines).hasSize(PROCESSES * (2 * TIMES - 1));
        int[] taken = new int[PROCESSES];
        for (int i = 0; i < lines.size(); i++) {
            String name = lines.get(i).substring("in ".length());
            assertThat(lines.get(i)).as("line %d of %s", i, lines).isEqualTo("in " + name);
            if (++taken[Integer.parseInt(name)] < TIMES) {
                assertThat(lines.get(++i)).isEqualTo("out " + name);
            }
        }
        held().close();
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(log);
        }
    }
}
