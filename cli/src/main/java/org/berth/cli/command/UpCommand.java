package org.berth.cli.command;

import jakarta.json.JsonObjectBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Settings;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;
import org.berth.cli.output.Tables;
import org.berth.cli.output.Times;
import org.berth.cli.server.ServerProcess;
import org.berth.cli.server.ServerRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "up",
        description = {
            "Start the server of this machine.",
            "Waits until it is ready and runs one sample attempt. When it runs already, says so."
        },
        footer = {
            "",
            "Examples:",
            "  berth up",
            "  berth up --guest",
            "  berth up --no-sample --json",
            "  BERTH_PORT_OFFSET=100 berth up"
        })
final class UpCommand extends BerthCommand {
    @Option(names = "--no-sample", description = "Only start.")
    private boolean noSample;

    @Option(names = "--guest", description = "Open the guest listener too, on port 7782 plus the offset.")
    private boolean guest;

    UpCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        Settings local = settings().local();
        ServerProcess process = new ServerProcess(surroundings, local, new ApiClient(local, progress()), progress());
        Optional<ServerRecord> running = process.running();
        if (running.isPresent()) {
            process.awaitReady();
            if (guest && running.get().guestPort().isEmpty()) {
                throw Failure.failed(
                        "Berth runs already at " + local.url() + ", without the guest listener.",
                        "`berth down` and then `berth up --guest` opens it; running attempts go on meanwhile.");
            }
            return already(local, running.get());
        }
        if (process.health().isPresent()) {
            throw Failure.failed(
                    "Another server answers at " + local.url() + ", with another BERTH_HOME than " + local.home() + ".",
                    "Choose other ports with BERTH_PORT_OFFSET, or that server's BERTH_HOME.");
        }
        ServerRecord started = process.start(guest);
        // the first start wrote the owner's token
        Settings ready = Settings.of(surroundings).local();
        Sample sample = noSample ? null : Sample.run(new ApiClient(ready, progress()), progress());
        report(ready, started, true, sample);
        return sample == null || sample.good() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private int already(Settings local, ServerRecord running) {
        if (json) {
            report(local, running, false, null);
        } else {
            text().println("Berth runs already at " + local.url() + ", process " + running.pid() + ", since "
                    + Times.local(running.startedAt()) + ".");
            text().flush();
        }
        return ExitCodes.DONE;
    }

    private void report(Settings settings, ServerRecord server, boolean started, Sample sample) {
        Path credentials = settings.home().resolve("management.credentials");
        if (json) {
            JsonObjectBuilder answer = Json.object()
                    .add("started", started)
                    .add("url", settings.url().toString())
                    .add("web", settings.webAddress().toString())
                    .add("management_console", settings.consoleAddress().toString())
                    .add("management_credentials", credentials.toString())
                    .add("home", settings.home().toString())
                    .add("pid", server.pid());
            if (server.startedAt() != null) {
                answer.add("since", server.startedAt());
            }
            server.guestPort().ifPresent(port -> answer.add("guest_port", port));
            if (sample != null) {
                answer.add(
                        "sample",
                        Json.object()
                                .add("attempt", sample.attempt())
                                .add("output", sample.output())
                                .add(
                                        "evidence",
                                        Attempts.evidenceJson(sample.attemptId(), sample.evidence())
                                                .get("evidence")));
            }
            text().println(answer.build());
        } else {
            if (sample != null) {
                show(sample);
            }
            text().println("Berth is up at " + settings.url() + ", process " + server.pid() + ".");
            text().println("  API                 " + settings.webAddress() + "openapi/ui (with the token)");
            text().println("  management console  " + settings.consoleAddress() + " (account in " + credentials + ")");
            server.guestPort()
                    .ifPresent(
                            port -> text().println("  guest listener      port " + port + ", for environments only"));
            text().println("  state root          " + settings.home());
        }
        text().flush();
    }

    private void show(Sample sample) {
        text().println(style().heading("Sample attempt " + sample.attemptId()));
        sample.output().lines().map(Tables::safe).forEach(line -> text().println("  " + line));
        text().println("Exit " + Attempts.exit(sample.attempt()) + ", cleanup "
                + Json.text(sample.attempt(), "cleanup_state") + ". Evidence:");
        Attempts.evidenceTable(tables(), sample.evidence());
        text().println();
    }
}
