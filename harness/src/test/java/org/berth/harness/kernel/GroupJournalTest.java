package org.berth.harness.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.harness.transport.KernelLaunch;
import org.berth.harness.transport.KernelStart;
import org.berth.harness.transport.KernelTransport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupJournalTest {
    @TempDir
    Path directory;

    Path journal;
    ProcessHandle leftBehind;

    /** A kernel runs a command that leaves a process behind, and is killed. */
    @BeforeEach
    void aKilledKernel() throws Exception {
        journal = directory.resolve("groups");
        Map<String, String> entries = new HashMap<>();
        entries.put("PYTHONDONTWRITEBYTECODE", "1");
        entries.put("BERTH_KERNEL_PROCESS_JOURNAL", journal.toString());
        KernelLaunch launch = KernelLaunch.of(
                new KernelTransport.Local(KernelSource.interpreter()),
                new KernelStart(
                        directory,
                        KernelSource.directory(),
                        List.of(),
                        entries,
                        Map.of(),
                        System.getenv(),
                        ProcessHandle.current().pid()));
        try (ProcessKernel kernel = new ProcessKernel(launch, new Handlers())) {
            kernel.awaitReady();
            RecordingCell cell = new RecordingCell();
            kernel.done(kernel.client.execute(
                    "await bash('true')\nr = await bash('sleep 600 >/dev/null 2>&1 & echo $!')\nprint(r.output.strip(), end='')",
                    cell));
            leftBehind = ProcessHandle.of(Long.parseLong(cell.text(OutputStream.STDOUT)))
                    .orElseThrow();
        }
        assertThat(leftBehind.isAlive()).isTrue();
    }

    private void end() throws Exception {
        leftBehind.destroyForcibly();
        leftBehind.onExit().get(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void whatTheKernelsCommandsLeftIsKilled() throws Exception {
        assertThat(GroupJournal.reap(journal)).containsExactly(leftBehind.pid());
        leftBehind.onExit().get(ProcessKernel.PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(GroupJournal.reap(journal)).isEmpty();
    }

    @Test
    void aProcessThatIsOlderThanTheGroupIsAStrangerAndLives() throws Exception {
        long group = GroupJournal.open(journal).getFirst().pid();
        Files.writeString(
                journal, "{\"pid\":" + group + ",\"ticks\":" + Long.MAX_VALUE + ",\"state\":\"started\"}\n{\"pid\":");
        assertThat(GroupJournal.reap(journal)).isEmpty();
        assertThat(leftBehind.isAlive()).isTrue();
        end();
    }

    @Test
    void anEndedGroupAndAMissingJournalNameNothing() throws Exception {
        assertThat(GroupJournal.open(journal)).hasSize(1);
        assertThat(GroupJournal.reap(directory.resolve("none"))).isEmpty();
        end();
    }
}
