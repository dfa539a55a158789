package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ProblemException;
import picocli.CommandLine.Command;

@Command(
        name = "reload",
        description = "Read host.yaml again; a faulty file changes nothing.",
        footer = {"", "Examples:", "  berth host reload"})
final class HostReloadCommand extends BerthCommand {
    private static final Pattern FAULT =
            Pattern.compile("[^,:]+, line (\\d{1,7}), column (\\d{1,7}): (.*)", Pattern.DOTALL);
    private static final int MOST_SHOWN = 160;

    HostReloadCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        JsonObject host;
        try {
            host = api().post("/api/placement/host/reload", null);
        } catch (ProblemException refused) {
            Matcher fault = FAULT.matcher(refused.problem().error());
            if (json || !fault.matches()) {
                throw refused;
            }
            throw faulty(Integer.parseInt(fault.group(1)), Integer.parseInt(fault.group(2)), fault.group(3));
        }
        return print(host, () -> HostPolicyTables.print(tables(), host));
    }

    private Failure faulty(int line, int column, String rule) {
        Path file = settings().home().resolve("host.yaml");
        StringBuilder message = new StringBuilder("host.yaml has a fault in line " + line + ", column " + column
                + "; the policy in force stays.\n  " + rule);
        String text = text(file, line);
        if (text != null) {
            String margin = "  " + line + " | ";
            message.append('\n').append(margin).append(text);
            if (column <= text.length()) {
                message.append('\n')
                        .append(" ".repeat(margin.length() + column - 1))
                        .append('^');
            }
        }
        return Failure.failed(message.toString(), "Repair it and call `berth host reload` again.");
    }

    /** The line as it stands in the server's file, where that is on this machine; null elsewhere. */
    private static String text(Path file, int line) {
        try {
            List<String> lines = Files.readAllLines(file);
            String text = line <= lines.size() ? lines.get(line - 1).replace('\t', ' ') : null;
            return text == null || text.length() > MOST_SHOWN ? null : text;
        } catch (IOException e) {
            // Another machine's file, or one that is not ours to read: the sentence says enough.
            return null;
        }
    }
}
