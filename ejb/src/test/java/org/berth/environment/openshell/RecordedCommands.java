package org.berth.environment.openshell;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.berth.environment.CommandOrder;
import org.berth.environment.CommandOutcome;
import org.berth.environment.HostCommands;

/** Answers each command line by a function and keeps what was asked. */
final class RecordedCommands implements HostCommands {
    private final List<List<String>> asked = new ArrayList<>();
    private final Function<List<String>, String> answers;

    RecordedCommands(Function<List<String>, String> answers) {
        this.answers = answers;
    }

    List<List<String>> asked() {
        return asked;
    }

    List<List<String>> asked(String verb) {
        return asked.stream().filter(argv -> argv.contains(verb)).toList();
    }

    @Override
    public CompletionStage<CommandOutcome> run(CommandOrder order) {
        if (order.argv().equals(List.of("--version"))) {
            return ended("openshell 0.1.6\n");
        }
        asked.add(order.argv());
        return ended(answers.apply(order.argv()));
    }

    private static CompletionStage<CommandOutcome> ended(String printed) {
        return CompletableFuture.completedFuture(
                new CommandOutcome(0, printed.getBytes(StandardCharsets.UTF_8), new byte[0], false, false));
    }
}
