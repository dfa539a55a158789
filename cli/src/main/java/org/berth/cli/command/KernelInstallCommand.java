package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.Map;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.server.KernelSetup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "install",
        description = {
            "Download and install the Python of sessions' kernels, once; needs uv on PATH, and no server.",
            "The same again keeps what is there and downloads nothing. A session never downloads. A host whose python3 is"
                    + " 3.11 or newer needs no install; BERTH_KERNEL_PYTHON names another one."
        },
        footer = {
            "",
            "Examples:",
            "  berth kernel install",
            "  berth kernel install --check",
            "  BERTH_KERNEL_PYTHON=/opt/python/bin/python3 berth kernel install --check --json"
        })
final class KernelInstallCommand extends BerthCommand {
    @Option(names = "--check", description = "Show what is there; no request. Exit code 0 when kernels can start.")
    private boolean check;

    KernelInstallCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        KernelSetup setup = new KernelSetup(surroundings, settings(), progress());
        KernelSetup.Answer answer = check
                ? setup.check()
                : setup.install(step -> {
                    if (!json) {
                        note(step);
                    }
                });
        Map<String, String> members = answer.members();
        if (members.containsKey("reason")) {
            throw Failure.failed("The kernel's Python is not installed: " + members.get("reason"), next(members));
        }
        print(json(members), () -> text(members));
        return answer.usable() ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private static JsonObject json(Map<String, String> members) {
        JsonObjectBuilder object = Json.object();
        members.forEach((name, value) -> {
            switch (name) {
                case "usable" -> object.add(name, Boolean.parseBoolean(value));
                case "settingUp" -> object.add(name, Long.parseLong(value));
                default -> object.add(name, value);
            }
        });
        return object.build();
    }

    private void text(Map<String, String> members) {
        tables().describe(json(members));
        switch (members.getOrDefault("state", "")) {
            case "not installed" -> note("No kernel can start. " + next(members));
            case "of another build" ->
                note("The next session makes it again from local files; if that fails: berth kernel install");
            case "unusable" -> note("BERTH_KERNEL_PYTHON names no Python 3.11 or newer.");
            default -> {
                // kernels can start: nothing to add
            }
        }
    }

    private static String next(Map<String, String> members) {
        if (members.getOrDefault("state", "").equals("unusable")) {
            return "Unset BERTH_KERNEL_PYTHON, or let it name a Python 3.11 or newer.";
        }
        if (members.containsKey("uv")) {
            return "berth kernel install downloads it: look at the network and at uv's settings.";
        }
        return members.getOrDefault("state", "").equals("host python")
                ? "Put uv on PATH and repeat it. Sessions use this host's " + members.get("python") + " meanwhile."
                : "Put uv on PATH, then run berth kernel install; or install a python3 of 3.11 or newer.";
    }
}
