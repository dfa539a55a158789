package org.berth.environment.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HostProcTest {
    private final HostProc proc = new HostProc(Path.of("/proc"));

    @Test
    void a_process_is_alive_until_it_ends_and_only_under_its_own_start_and_boot() throws Exception {
        Process child = new ProcessBuilder("sleep", "600").start();
        try {
            HostProc.Seen seen = proc.seen(child.pid()).orElseThrow();
            String boot = proc.bootId();
            assertThat(proc.alive(new ProcessMark(child.pid(), seen.startTicks(), boot)))
                    .isTrue();
            assertThat(proc.alive(new ProcessMark(child.pid(), seen.startTicks() + 1, boot)))
                    .isFalse();
            assertThat(proc.alive(new ProcessMark(child.pid(), seen.startTicks(), "another")))
                    .isFalse();
            child.destroyForcibly();
            assertThat(child.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(proc.alive(new ProcessMark(child.pid(), seen.startTicks(), boot)))
                    .isFalse();
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void the_processes_below_one_are_those_that_it_or_its_children_started() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "echo go; sh -c 'echo go; sleep 600; true'; true").start();
        try {
            assertThat(shell.inputReader().readLine()).isEqualTo("go");
            assertThat(shell.inputReader().readLine()).isEqualTo("go");
            long inner = shell.children().findFirst().orElseThrow().pid();
            assertThat(proc.below(shell.pid())).extracting(HostProc.Seen::pid).contains(inner);
            assertThat(proc.below(inner)).extracting(HostProc.Seen::pid).doesNotContain(shell.pid());
            ProcessMark mark = new ProcessMark(shell.pid(), 0, proc.bootId());
            assertThat(proc.inside(mark, inner)).map(HostProc.Seen::pid).contains(inner);
            assertThat(proc.inside(mark, 0)).isEmpty();
        } finally {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
        }
    }
}
