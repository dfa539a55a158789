package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.util.List;
import java.util.UUID;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "effect",
        description = {
            "Close an environment's windows, stop its agent, stop its compute, or delete it, and tell what is observed.",
            "An attached environment is kept as it is: only its windows can be closed.",
            "The exit status is 0 only when the effect is confirmed."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment effect worker-one --effect close-viewer",
            "  berth environment effect worker-one --effect stop-native --generation 5f0c --operation native-stop-one",
            "  berth environment effect worker-one --effect delete-owned --operation delete-one",
            "      --engine-socket /run/user/1000/podman/podman.sock",
            "",
            "The same operation again looks again and sends nothing a second time. delete-owned is confirmed only when",
            "workload, supervisor and volumes are proven absent; --engine-socket is needed behind an OpenShell gateway."
        })
final class EnvironmentEffectCommand extends SeatCommand {
    private static final List<String> EFFECTS = List.of("close-viewer", "stop-native", "stop-compute", "delete-owned");

    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(
            names = "--effect",
            required = true,
            paramLabel = "EFFECT",
            description = "close-viewer, stop-native, stop-compute or delete-owned.")
    private String effect;

    @Option(
            names = "--generation",
            paramLabel = "G",
            description = "The launch that is meant; the binding's current one when left out.")
    private String generation;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "The operation's id, for asking again; a new one when left out.")
    private String operation;

    @Option(
            names = "--engine-socket",
            paramLabel = "PATH",
            description = "The socket of the rootless Podman behind an OpenShell gateway.")
    private String engineSocket;

    EnvironmentEffectCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (!EFFECTS.contains(effect)) {
            throw Failure.usage("--effect is one of " + String.join(", ", EFFECTS) + ": " + effect);
        }
        JsonObject binding = Environments.read(api(), bindingId);
        JsonObjectBuilder body = Json.object().add("operationId", operation()).add("effect", effect);
        Json.add(
                body,
                "generation",
                generation == null
                        ? Json.text(binding, "generation")
                        : Environments.identifier("--generation", generation));
        Json.add(body, "engineSocket", engineSocket);
        JsonObject answer = api().call(Call.post(Environments.path(bindingId, "/effect"), body.build())
                        .as(sender(Environments.rigOf(binding)))
                        .waiting("Waiting for what is observed of " + effect))
                .body();
        describe(answer);
        return "confirmed".equals(Json.text(answer, "state")) ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private String operation() {
        if (operation != null) {
            return Environments.identifier("--operation", operation);
        }
        String made = effect + "-" + UUID.randomUUID();
        note("operation " + made + "; ask again with --operation");
        return made;
    }
}
