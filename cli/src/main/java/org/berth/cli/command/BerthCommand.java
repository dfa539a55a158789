package org.berth.cli.command;

import jakarta.json.JsonObject;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.berth.cli.Settings;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.output.Progress;
import org.berth.cli.output.Style;
import org.berth.cli.output.Tables;
import picocli.CommandLine.Option;

/** What every command has: {@code --json}, {@code --help}, a client of the server, and tables. */
abstract class BerthCommand implements Callable<Integer> {
    protected final Surroundings surroundings;
    private Settings settings;
    private ApiClient api;
    private PrintStream text;

    @Option(names = "--json", description = "Print JSON, and errors as JSON too.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    BerthCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    protected final Settings settings() {
        if (settings == null) {
            settings = Settings.of(surroundings);
        }
        return settings;
    }

    protected final ApiClient api() {
        if (api == null) {
            api = new ApiClient(settings(), progress());
        }
        return api;
    }

    protected final Progress.Source progress() {
        return Progress.Source.of(surroundings);
    }

    protected final PrintStream text() {
        if (text == null) {
            text = surroundings.text();
        }
        return text;
    }

    protected final Style style() {
        return new Style(surroundings.colours());
    }

    protected final Tables tables() {
        return new Tables(text(), style());
    }

    /** Prints an answer as it came with {@code --json}, else by {@code table}. */
    protected final int print(JsonObject answer, Runnable table) {
        if (json) {
            text().println(answer);
        } else {
            table.run();
        }
        text().flush();
        return 0;
    }

    /** Prints an answer as it came, or its members one a line. */
    protected final int describe(JsonObject answer) {
        return print(answer, () -> tables().describe(answer));
    }

    /** One sentence on stderr, beside the result. */
    protected final void note(String sentence) {
        surroundings.err().println("berth: " + Tables.safe(sentence));
    }
}
