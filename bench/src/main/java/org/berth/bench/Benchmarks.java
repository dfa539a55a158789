package org.berth.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The program behind {@code bench/run}: makes the named measurements, or all, and prints a Markdown table. Exit status
 * 0 also when an aim is missed, since a busy machine misses them too; 1 when a measurement could not be made; 2 for an
 * unknown name.
 */
public final class Benchmarks {
    /** One group of figures. */
    private interface Measure {
        List<Row> rows() throws IOException, InterruptedException;
    }

    private Benchmarks() {}

    public static void main(String[] names) throws InterruptedException {
        Map<String, Measure> measures = measures(Plan.of(System.getenv()));
        List<String> wanted = names.length == 0 ? List.copyOf(measures.keySet()) : List.of(names);
        for (String name : wanted) {
            if (!measures.containsKey(name)) {
                System.err.println("bench: no measure is called " + name + "; there are " + measures.keySet());
                System.exit(2);
            }
        }
        List<Row> rows = new ArrayList<>();
        int status = 0;
        for (String name : wanted) {
            System.err.println("bench: " + name);
            try {
                rows.addAll(measures.get(name).rows());
            } catch (IOException | RuntimeException e) {
                System.err.println("bench: " + name + " failed: " + e);
                status = 1;
            }
        }
        System.out.println(Row.table(rows, ("bench/run " + String.join(" ", names)).strip()));
        System.exit(status);
    }

    private static Map<String, Measure> measures(Plan plan) {
        Target target = Target.of(System.getenv());
        OutputMeasure output = new OutputMeasure(target, plan);
        Map<String, Measure> measures = new LinkedHashMap<>();
        measures.put("launch", new LaunchMeasure(target, plan)::rows);
        measures.put("throughput", output::throughput);
        measures.put("latency", output::latency);
        measures.put("idle", new IdleMeasure(target, plan)::rows);
        measures.put("sweep", new SweepMeasure(target, plan)::rows);
        measures.put("supervisor-start", new SupervisorStartMeasure(plan)::rows);
        measures.put("queue", new QueueMeasure(target, plan)::rows);
        measures.put("hooks", new HooksMeasure(target, plan)::rows);
        measures.put("environment", new EnvironmentMeasure(target, plan)::rows);
        measures.put("session", new SessionMeasure(target, plan)::rows);
        measures.put("gate", new GateMeasure(target, plan)::rows);
        measures.put("workspace", new WorkspaceMeasure(target, plan)::rows);
        measures.put("agent", new AgentMeasure(target, plan)::rows);
        measures.put("codec", new CodecMeasure(plan)::rows);
        return measures;
    }
}
