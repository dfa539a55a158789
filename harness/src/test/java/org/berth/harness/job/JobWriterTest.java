package org.berth.harness.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class JobWriterTest {
    private final Documents documents = new Documents();
    private final List<Runnable> tasks = new ArrayList<>();
    private final JobWriter writer = new JobWriter(documents, tasks::add);

    private void start(String id) {
        writer.started(new JobDocument(id, 0, "work"));
    }

    private void drain() {
        List<Runnable> due = List.copyOf(tasks);
        tasks.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void changesThatWaitAreOneCommitInTheirOrder() {
        start("a");
        start("b");
        assertThat(tasks).hasSize(1);
        drain();
        writer.ended("b");
        start("c");
        writer.ended("a");
        drain();
        assertThat(documents.commits).containsExactly("+a +b", "-b +c -a");
        assertThat(documents.nodes).containsExactly("c");
    }

    @Test
    void aJobThatStartsAndEndsInABatchCommitsNothing() {
        start("a");
        writer.ended("a");
        drain();
        assertThat(documents.commits).isEmpty();
        start("b");
        start("c");
        writer.ended("b");
        drain();
        assertThat(documents.commits).containsExactly("+c");
    }

    @Test
    void aBatchThatFailsIsWrittenOneByOneAndWhatFailsAloneIsANotice() {
        start("a");
        drain();
        documents.fails =
                changes -> changes.size() > 1 || changes.getFirst().jobId().equals("c");
        start("b");
        start("c");
        writer.ended("a");
        drain();
        assertThat(documents.commits).containsExactly("+a", "+b", "-a");
        assertThat(documents.notices).containsExactly("+c");
        documents.fails = changes -> false;
        writer.ended("c");
        drain();
        assertThat(documents.commits).hasSize(3);
        writer.ended("b");
        drain();
        assertThat(documents.nodes).isEmpty();
    }

    @Test
    void anOpenRetiresTheDocumentsOfDeadJobsAndKeepsThoseOfLiveOnes() {
        documents.nodes.addAll(Set.of("dead", "gone", "alive"));
        writer.open(Set.of("alive"));
        drain();
        assertThat(documents.commits).containsExactly("-dead -gone");
        writer.ended("alive");
        drain();
        assertThat(documents.nodes).isEmpty();
    }

    @Test
    void aWriterWithoutAnExecutorKeepsItsRecordsForTheNextChange() {
        boolean[] closed = {true};
        JobWriter waits = new JobWriter(documents, task -> {
            if (closed[0]) {
                throw new RejectedExecutionException();
            }
            task.run();
        });
        waits.started(new JobDocument("a", 0, "work"));
        closed[0] = false;
        waits.started(new JobDocument("b", 0, "work"));
        assertThat(documents.commits).containsExactly("+a +b");
    }

    @Test
    void theSectionIsAbsentWhileNoJobRuns() {
        assertThat(RunningJobs.section(List.of())).isEmpty();
        assertThat(RunningJobs.section(List.of("a"))).contains("1 job is running: a");
        assertThat(RunningJobs.section(List.of("a", "b"))).contains("2 jobs are running: a, b");
    }

    /** A number of the script starts a job, ends one, or lets the writer work; of its tens, whether commits fail. */
    @Property
    void theDocumentsAreTheRunningJobsWhoseStartDidNotFail(@ForAll List<@IntRange(max = 999) Integer> script) {
        Documents tree = new Documents();
        List<Runnable> waiting = new ArrayList<>();
        JobWriter any = new JobWriter(tree, waiting::add);
        Set<String> running = new TreeSet<>();
        Set<String> refused = new HashSet<>();
        int count = 0;
        for (int step : script) {
            if (step % 3 == 0) {
                String id = "j" + count++;
                running.add(id);
                any.started(new JobDocument(id, 0, "work"));
            } else if (step % 3 == 1 && !running.isEmpty()) {
                String id = new ArrayList<>(running).get(step % running.size());
                running.remove(id);
                any.ended(id);
            } else {
                tree.fails = changes -> {
                    boolean fails = step / 10 % 3 == 0 && (changes.size() > 1 || step % 2 == 0);
                    if (fails && changes.size() == 1) {
                        refused.add(Documents.text(changes.getFirst()));
                    }
                    return fails;
                };
                waiting.forEach(Runnable::run);
                waiting.clear();
            }
        }
        tree.fails = changes -> false;
        waiting.forEach(Runnable::run);
        Set<String> due = new TreeSet<>(running);
        due.removeIf(id -> refused.contains("+" + id));
        refused.stream().filter(change -> change.startsWith("-")).forEach(change -> due.add(change.substring(1)));
        assertThat(tree.nodes).isEqualTo(due);
        assertThat(tree.notices).containsExactlyInAnyOrderElementsOf(refused);
    }
}
