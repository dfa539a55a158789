package org.berth.preparer.service;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.berth.preparer.WorkdirPreparer;
import org.berth.problem.BerthException;

/** Does what a test says and writes down that it was asked. */
final class ScriptedPreparer implements WorkdirPreparer {
    private final String name;
    private final List<String> asked;
    String binding = "@1";
    Plan plan = new Plan(Map.of("n", 1L), null);
    Function<Context, Setup> setup = context -> new Setup(null, List.of(), List.of());
    Function<Context, Cleanup> cleanup = context -> new Cleanup(null, Map.of());

    ScriptedPreparer(String name, List<String> asked) {
        this.name = name;
        this.asked = asked;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String binding() {
        return name + binding;
    }

    @Override
    public Set<String> options() {
        return Set.of(name);
    }

    @Override
    public void admit(Map<String, Object> options) {
        if ("bad".equals(options.get(name))) {
            throw BerthException.invalid("options." + name + " is bad");
        }
    }

    @Override
    public Plan plan(Context context) {
        asked.add("plan " + name + " " + context.workingDirectory() + " " + context.options());
        return plan;
    }

    @Override
    public Setup setup(Context context, Map<String, Object> state) {
        asked.add("setup " + name + " " + context.workingDirectory() + " " + state);
        return setup.apply(context);
    }

    @Override
    public Cleanup cleanup(Context context, Map<String, Object> state) {
        asked.add("cleanup " + name + " " + state);
        return cleanup.apply(context);
    }

    static Setup moved(Path directory) {
        return new Setup(directory, List.of(), List.of());
    }
}
