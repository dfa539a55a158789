package org.berth.bench;

import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link FrameCodecBenchmark} in a JVM of its own. */
final class CodecMeasure {
    private final Plan plan;

    CodecMeasure(Plan plan) {
        this.plan = plan;
    }

    List<Row> rows() {
        try {
            return new Runner(new OptionsBuilder()
                            .include(FrameCodecBenchmark.class.getName())
                            .forks(1)
                            .warmupIterations(plan.rounds())
                            .warmupTime(TimeValue.seconds(1))
                            .measurementIterations(plan.rounds())
                            .measurementTime(TimeValue.seconds(1))
                            .verbosity(VerboseMode.SILENT)
                            .jvmArgsAppend("--sun-misc-unsafe-memory-access=allow")
                            .build())
                    .run().stream().map(CodecMeasure::row).toList();
        } catch (RunnerException e) {
            throw new BenchmarkException("JMH failed: " + e.getMessage(), e);
        }
    }

    private static Row row(RunResult result) {
        String name = result.getPrimaryResult().getLabel();
        return new Row(
                "FrameCodec " + name + " (JMH, mean)",
                Row.number(result.getPrimaryResult().getScore()) + " ns",
                "",
                "",
                "",
                null);
    }
}
