package org.berth.harness.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.berth.harness.Bridge;
import org.berth.harness.job.model.JobsModel;
import org.berth.harness.job.model.ModelJob;
import org.berth.harness.output.OutputBuffer;
import org.berth.harness.output.OutputLimits;
import org.berth.harness.output.Truncation;
import org.berth.harness.output.model.OutputModel;
import org.junit.jupiter.api.Test;

/** The jobs of a session and their model give the same transcript, byte for byte; a tick is one nanosecond. */
class JobBridgeTest {
    private static final int SCENARIOS = 400;

    private enum Rule {
        TRUNCATION,
        OPT_OUT,
        KILL,
        QUIT,
        EVENT_AFTER_END,
        WRITTEN_BEFORE,
        DETACH_AT_BUDGET,
        DETACH_AT_ONCE,
        SETTLE_WITHIN,
        REWIND_STOPS,
        REWIND_KEEPS
    }

    /** One thing that happens, at one tick. */
    private sealed interface Step {
        record Start(String id, Optional<OutputModel.Cap> cap, byte[] written) implements Step {}

        record Write(String id, byte[] bytes) implements Step {}

        record Exit(String id, int code) implements Step {}

        record Kill(String id) implements Step {}

        record Commit() implements Step {}

        record Rewind(int entry) implements Step {}

        record Wait(String id, long budget) implements Step {}
    }

    @Test
    void the_jobs_equal_their_model() {
        new Bridge<>(JobBridgeTest.class, Rule.class).run(SCENARIOS, (random, bridge) -> {
            List<Step> script = script(random);
            assertThat(String.join("\n", real(script))).isEqualTo(String.join("\n", model(script, bridge)));
        });
    }

    private static byte[] chunk(Random random) {
        byte[] chunk = new byte[random.nextInt(24)];
        random.nextBytes(chunk);
        for (int i = 0; i < chunk.length; i += 5) {
            chunk[i] = '\n';
        }
        return chunk;
    }

    private static List<Step> script(Random random) {
        List<Step> script = new ArrayList<>();
        int jobs = 0;
        int entries = 0;
        int length = 4 + random.nextInt(30);
        for (int i = 0; i < length; i++) {
            int kind = random.nextInt(14);
            if (jobs == 0 || kind < 3) {
                Optional<OutputModel.Cap> cap = random.nextInt(4) == 0
                        ? Optional.empty()
                        : Optional.of(new OutputModel.Cap(random.nextInt(40), random.nextInt(9), random.nextBoolean()));
                script.add(new Step.Start("j" + jobs++, cap, random.nextBoolean() ? new byte[0] : chunk(random)));
                continue;
            }
            String id = "j" + random.nextInt(jobs);
            script.add(
                    switch (kind) {
                        case 3, 4, 5, 6 -> new Step.Write(id, chunk(random));
                        case 7 -> new Step.Exit(id, random.nextInt(3));
                        case 8 -> new Step.Kill(id);
                        case 9, 10 -> new Step.Commit();
                        case 11 -> new Step.Rewind(random.nextInt(entries + 1));
                        default -> new Step.Wait(id, random.nextInt(12) - 2);
                    });
            entries += kind == 9 || kind == 10 ? 1 : 0;
        }
        return script;
    }

    private static List<String> real(List<Step> script) {
        VirtualTimer timer = new VirtualTimer();
        BlockingWait wait = new BlockingWait(timer);
        JobTable table = new JobTable(0);
        SessionJobs jobs = new SessionJobs(table, new JobWriter(new Documents(), Runnable::run), wait);
        List<Job> all = new ArrayList<>();
        List<String> transcript = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        for (int tick = 0; tick < script.size(); tick++) {
            timer.advanceTo(tick);
            switch (script.get(tick)) {
                case Step.Start start -> {
                    OutputBuffer run = new OutputBuffer(truncation(start.cap));
                    run.append(start.written);
                    Job job = new Job(start.id, run);
                    all.add(job);
                    jobs.start(new JobTable.Running(job, job::killed, table.lastEntry()), "work");
                }
                case Step.Write write -> find(all, write.id).output(write.bytes, 0, write.bytes.length);
                case Step.Exit exit -> find(all, exit.id).exited(exit.code);
                case Step.Kill kill -> find(all, kill.id).killed();
                case Step.Commit commit -> table.observe(table.lastEntry() + 1);
                case Step.Rewind rewind ->
                    transcript.add("rewind stops "
                            + jobs.rewindTo(rewind.entry, timer.nanos() + 1)
                                    .getNow(new Rewound(List.of("waits"), List.of()))
                                    .stoppedJobs());
                case Step.Wait blocked -> {
                    int place = waits.size();
                    waits.add("pending");
                    wait.until(find(all, blocked.id).ending(), tick + blocked.budget)
                            .thenAccept(answer -> waits.set(place, text(answer) + " at " + timer.nanos()));
                }
            }
            for (Job job : all) {
                transcript.add(
                        job.id() + " " + HexFormat.of().formatHex(job.view().kept()) + " "
                                + job.view().droppedBytes() + " "
                                + job.end().map(JobBridgeTest::text).orElse("running"));
            }
        }
        timer.advanceTo(script.size() + 100L);
        transcript.addAll(waits);
        return transcript;
    }

    private static Truncation truncation(Optional<OutputModel.Cap> cap) {
        return cap.<Truncation>map(c -> new Truncation.On(new OutputLimits(
                        c.bytes(), c.lines(), c.head() ? OutputLimits.Keep.HEAD : OutputLimits.Keep.TAIL)))
                .orElseGet(Truncation.Off::new);
    }

    private static Job find(List<Job> jobs, String id) {
        return jobs.stream().filter(job -> job.id().equals(id)).findFirst().orElseThrow();
    }

    private static String text(JobEnd end) {
        return switch (end) {
            case JobEnd.Exited exited -> "exited " + exited.code();
            case JobEnd.Killed killed -> "killed";
            case JobEnd.Unknown unknown -> "unknown";
        };
    }

    private static String text(Waited<JobEnd> waited) {
        return switch (waited) {
            case Waited.Settled<JobEnd>(JobEnd end) -> "settled " + text(end);
            case Waited.Detached<JobEnd> detached -> "detached";
        };
    }

    private record Pending(Step.Wait step, long start) {}

    private static List<String> model(List<Step> script, Bridge<Rule> bridge) {
        JobsModel model = new JobsModel(0, List.of());
        List<String> transcript = new ArrayList<>();
        List<Pending> waits = new ArrayList<>();
        List<JobsModel> after = new ArrayList<>();
        for (int tick = 0; tick < script.size(); tick++) {
            JobsModel before = model;
            switch (script.get(tick)) {
                case Step.Start start -> {
                    model = model.started(start.id, start.cap, boxed(start.written));
                    if (start.written.length > 0) {
                        bridge.reached(Rule.WRITTEN_BEFORE);
                    }
                }
                case Step.Write write -> {
                    model = model.with(write.id, job -> job.wrote(boxed(write.bytes)));
                    afterEnd(before, write.id, bridge);
                }
                case Step.Exit exit -> {
                    model = model.with(exit.id, job -> job.ended("exited " + exit.code));
                    afterEnd(before, exit.id, bridge);
                }
                case Step.Kill kill -> {
                    model = model.with(kill.id, job -> job.ended("killed"));
                    afterEnd(before, kill.id, bridge);
                }
                case Step.Commit commit -> model = model.committed();
                case Step.Rewind rewind -> {
                    List<String> orphans = model.orphans(rewind.entry);
                    model = model.rewound(rewind.entry);
                    transcript.add("rewind stops " + orphans);
                    if (!orphans.isEmpty()) {
                        bridge.reached(Rule.REWIND_STOPS);
                    }
                    if (model.jobs().stream().anyMatch(job -> job.end().isEmpty())) {
                        bridge.reached(Rule.REWIND_KEEPS);
                    }
                }
                case Step.Wait wait -> waits.add(new Pending(wait, tick));
            }
            after.add(model);
            model.jobs().forEach(job -> transcript.add(line(job)));
        }
        for (ModelJob job : model.jobs()) {
            job.end().ifPresent(end -> bridge.reached(end.equals("killed") ? Rule.KILL : Rule.QUIT));
            bridge.reached(job.output().cap().isEmpty() ? Rule.OPT_OUT : Rule.TRUNCATION);
        }
        for (Pending pending : waits) {
            String answer = answer(pending, after);
            transcript.add(answer);
            bridge.reached(
                    answer.startsWith("settled")
                            ? Rule.SETTLE_WITHIN
                            : pending.step.budget <= 0 ? Rule.DETACH_AT_ONCE : Rule.DETACH_AT_BUDGET);
        }
        return transcript;
    }

    private static String answer(Pending pending, List<JobsModel> after) {
        for (int tick = 0; tick < after.size(); tick++) {
            Optional<String> end = after.get(tick).jobs().stream()
                    .filter(job -> job.id().equals(pending.step.id))
                    .findFirst()
                    .flatMap(ModelJob::end);
            if (end.isPresent()) {
                return JobsModel.waited(
                        pending.start, pending.start + pending.step.budget, Optional.of((long) tick), end.get());
            }
        }
        return JobsModel.waited(pending.start, pending.start + pending.step.budget, Optional.empty(), "");
    }

    private static void afterEnd(JobsModel before, String id, Bridge<Rule> bridge) {
        before.jobs().stream()
                .filter(job -> job.id().equals(id) && job.end().isPresent())
                .forEach(job -> bridge.reached(Rule.EVENT_AFTER_END));
    }

    private static String line(ModelJob job) {
        byte[] kept = new byte[job.output().kept().size()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = job.output().kept().get(i);
        }
        return job.id() + " " + HexFormat.of().formatHex(kept) + " "
                + job.output().dropped() + " " + job.end().orElse("running");
    }

    private static List<Byte> boxed(byte[] bytes) {
        Byte[] boxed = new Byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            boxed[i] = bytes[i];
        }
        return Arrays.asList(boxed);
    }
}
