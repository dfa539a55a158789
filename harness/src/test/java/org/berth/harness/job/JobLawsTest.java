package org.berth.harness.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.berth.harness.output.Outputs;
import org.berth.harness.output.Truncation;

/** The laws of jobs: every event is free, in any order. */
class JobLawsTest {
    /** What may happen to a job: output, an exit, or a kill. */
    sealed interface Event {
        record Wrote(byte[] bytes) implements Event {}

        record Exits(int code) implements Event {}

        record IsKilled() implements Event {}

        /** Whether the job took it as its end. */
        default boolean to(Job job) {
            return switch (this) {
                case Wrote wrote -> {
                    job.output(wrote.bytes, 0, wrote.bytes.length);
                    yield false;
                }
                case Exits exits -> job.exited(exits.code);
                case IsKilled killed -> job.killed();
            };
        }

        default Optional<JobEnd> end() {
            return switch (this) {
                case Wrote wrote -> Optional.empty();
                case Exits exits -> Optional.of(new JobEnd.Exited(exits.code));
                case IsKilled killed -> Optional.of(new JobEnd.Killed());
            };
        }
    }

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Event> wrote = Outputs.chunks().map(Outputs::joined).map(Event.Wrote::new);
        Arbitrary<Event> exits = Arbitraries.integers().between(0, 3).map(Event.Exits::new);
        Arbitrary<Event> killed = Arbitraries.just(new Event.IsKilled());
        return Arbitraries.oneOf(wrote, wrote, wrote, exits, killed).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<Truncation> truncations() {
        return Outputs.limits()
                .<Truncation>map(Truncation.On::new)
                .injectNull(0.2)
                .map(truncation -> truncation == null ? new Truncation.Off() : truncation);
    }

    @Property
    void job_ends_once(@ForAll("events") List<Event> events, @ForAll("truncations") Truncation truncation) {
        Job job = new Job("j", truncation);
        List<JobEnd> told = new ArrayList<>();
        job.ending().hear(told::add);
        List<JobEnd> taken = new ArrayList<>();
        for (Event event : events) {
            if (event.to(job)) {
                taken.add(event.end().orElseThrow());
            }
        }
        List<JobEnd> due =
                events.stream().flatMap(event -> event.end().stream()).limit(1).toList();
        assertThat(taken).isEqualTo(due);
        assertThat(told).isEqualTo(due);
        assertThat(job.end()).isEqualTo(due.stream().findFirst());
    }

    @Property
    void job_end_is_final(@ForAll("events") List<Event> events, @ForAll("truncations") Truncation truncation) {
        Job job = new Job("j", truncation);
        String ended = null;
        for (Event event : events) {
            event.to(job);
            if (ended != null) {
                assertThat(state(job)).isEqualTo(ended);
            }
            if (job.end().isPresent()) {
                ended = state(job);
            }
        }
    }

    private static String state(Job job) {
        return job.end() + " " + List.of(new String(job.view().kept(), java.nio.charset.StandardCharsets.ISO_8859_1))
                + job.view().droppedBytes() + job.view().ended();
    }

    @Property
    void job_kill_ends_now(@ForAll("events") List<Event> events, @ForAll("truncations") Truncation truncation) {
        Job job = new Job("j", truncation);
        events.stream().takeWhile(event -> event.end().isEmpty()).forEach(event -> event.to(job));
        byte[] kept = job.view().kept();
        long dropped = job.view().droppedBytes();
        assertThat(job.killed()).isTrue();
        assertThat(job.end()).contains(new JobEnd.Killed());
        assertThat(job.view().kept()).isEqualTo(kept);
        assertThat(job.view().droppedBytes()).isEqualTo(dropped);
    }

    /** Runs one wait; the job ends at {@code endAt}, and time goes on past everything. */
    private static String waited(long start, long budget, long endAt, boolean late) {
        VirtualTimer timer = new VirtualTimer();
        Job job = new Job("j", Truncation.DEFAULT);
        timer.schedule(endAt, () -> job.exited(7));
        timer.advanceTo(start);
        long deadline = start + budget;
        CompletableFuture<Waited<JobEnd>> answer = new BlockingWait(timer).until(job.ending(), deadline);
        List<String> answers = new ArrayList<>();
        answer.thenAccept(waited -> answers.add(waited + " at " + timer.nanos()));
        if (late) {
            timer.lateTo(Math.max(deadline, endAt) + 1);
        }
        timer.advanceTo(Math.max(deadline, endAt) + 2);
        assertThat(answers).hasSize(1);
        assertThat(timer.waiting()).isZero();
        return answers.getFirst();
    }

    @Property
    void call_blocks_at_most_budget(
            @ForAll @LongRange(max = 20) long start,
            @ForAll @LongRange(min = -5, max = 20) long budget,
            @ForAll @LongRange(max = 60) long endAt) {
        String answer = waited(start, budget, endAt, false);
        long at = Long.parseLong(answer.substring(answer.lastIndexOf(' ') + 1));
        assertThat(at).isBetween(start, start + Math.max(0, budget));
        if (endAt >= start + budget || budget <= 0) {
            assertThat(answer).startsWith("Detached").endsWith(" at " + (start + Math.max(0, budget)));
        }
    }

    @Property
    void call_settles_with_job(
            @ForAll @LongRange(max = 20) long start,
            @ForAll @LongRange(min = 1, max = 20) long budget,
            @ForAll @LongRange(max = 60) long endAt) {
        String answer = waited(start, budget, endAt, false);
        if (endAt < start + budget) {
            assertThat(answer).isEqualTo("Settled[end=Exited[code=7]] at " + Math.max(start, endAt));
        } else {
            assertThat(answer).startsWith("Detached");
        }
        if (endAt > start) {
            assertThat(waited(start, budget, endAt, true))
                    .as("an end that is told late")
                    .startsWith("Detached");
        }
    }

    /** A session whose jobs note their kills; numbers of {@code script} are starts, ends and commits. */
    private static final class Session {
        final JobTable table = new JobTable(0);
        final Map<String, Integer> startedAfter = new HashMap<>();
        final List<String> killed = new ArrayList<>();
        final Map<String, Job> jobs = new HashMap<>();
        int entries;

        Session(List<Integer> script) {
            for (int step : script) {
                switch (step % 4) {
                    case 0, 1 -> {
                        String id = "j" + jobs.size();
                        Job job = new Job(id, Truncation.DEFAULT);
                        jobs.put(id, job);
                        startedAfter.put(id, entries);
                        table.start(job, () -> {
                            killed.add(id);
                            job.killed();
                        });
                        job.ending().hear(end -> table.ended(id));
                    }
                    case 2 -> table.observe(++entries);
                    default -> {
                        if (!jobs.isEmpty()) {
                            jobs.get("j" + step / 4 % jobs.size()).exited(0);
                        }
                    }
                }
            }
        }

        boolean runs(String id) {
            return jobs.get(id).end().isEmpty();
        }

        Rewound rewind(int entry) {
            VirtualTimer timer = new VirtualTimer();
            JobWriter writer = new JobWriter(new Documents(), Runnable::run);
            CompletableFuture<Rewound> rewound =
                    new SessionJobs(table, writer, new BlockingWait(timer)).rewindTo(entry, 10);
            timer.advanceTo(10);
            return rewound.getNow(null);
        }
    }

    @Property
    void rewind_stops_orphans(
            @ForAll List<@IntRange(max = 400) Integer> script, @ForAll @IntRange(max = 400) int target) {
        Session session = new Session(script);
        int entry = target % (session.entries + 1);
        List<String> orphans = session.jobs.keySet().stream()
                .filter(id -> session.runs(id) && session.startedAfter.get(id) >= entry)
                .toList();
        Rewound rewound = session.rewind(entry);
        assertThat(session.killed).containsExactlyInAnyOrderElementsOf(orphans);
        assertThat(rewound.stoppedJobs()).containsExactlyInAnyOrderElementsOf(orphans);
        assertThat(session.table.running())
                .allMatch(each -> session.startedAfter.get(each.job().id()) < entry);
    }

    @Property
    void rewind_keeps_target_jobs(
            @ForAll List<@IntRange(max = 400) Integer> script, @ForAll @IntRange(max = 400) int target) {
        Session session = new Session(script);
        int entry = target % (session.entries + 1);
        List<String> held = session.jobs.keySet().stream()
                .filter(id -> session.runs(id) && session.startedAfter.get(id) < entry)
                .toList();
        session.rewind(entry);
        assertThat(session.killed).doesNotContainAnyElementsOf(held.isEmpty() ? List.of("none") : held);
        assertThat(session.table.running().stream().map(each -> each.job().id()))
                .containsExactlyInAnyOrderElementsOf(held);
    }
}
