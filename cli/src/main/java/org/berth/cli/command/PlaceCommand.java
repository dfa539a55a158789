package org.berth.cli.command;

import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.berth.cli.ExitCodes;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.example.AgentImage;
import org.berth.cli.example.Endpoints;
import org.berth.cli.example.WorkConnection;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What create and attach have in common: where the environment is, what it is made of, and whose it is. */
abstract class PlaceCommand extends SeatCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int UNCONFIRMED = 202;

    @Parameters(paramLabel = "BINDING", description = "The binding's id: letters, digits and . _ -")
    private String bindingId;

    @Option(names = "--seat", required = true, paramLabel = "SEAT", description = "The seat that works in it.")
    private String seat;

    @Option(names = "--node", paramLabel = "NODE", description = "The seat's node; found by the seat when left out.")
    private String nodeId;

    @Option(
            names = "--gateway",
            paramLabel = "GATEWAY",
            defaultValue = "local",
            description = "local (default), podman:/PATH/OF/ITS/SOCKET, or an OpenShell gateway's name.")
    private String gateway;

    @Option(
            names = "--workspace",
            paramLabel = "WORKSPACE",
            defaultValue = "default",
            description = "The gateway's workspace (default).")
    private String workspace;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The environment's name, at most 19; BINDING if left out.")
    private String name;

    @Option(names = "--image", paramLabel = "IMAGE", description = "What it is made of, by digest: …@sha256:…")
    private String image;

    @Option(
            names = "--agent",
            paramLabel = "PROGRAM",
            description = "local: this host's agent program, in place of --image.")
    private Path agent;

    @Option(
            names = "--provider",
            required = true,
            paramLabel = "PROVIDER",
            description = "What injects its credentials.")
    private String provider;

    @Option(names = "--policy", required = true, paramLabel = "FILE", description = "The policy file that rules it.")
    private Path policy;

    @Option(
            names = "--guest-base-url",
            paramLabel = "ORIGIN",
            description =
                    "The guest listener as the guest reaches it; host.openshell.internal and its port if left out.")
    private String guestBaseUrl;

    @Option(
            names = "--coordination-ref",
            paramLabel = "FILE",
            description =
                    "The seat's work connection; the one of setup if there is one, else Berth issues a grant itself.")
    private Path coordinationRef;

    @Option(
            names = "--artifact-root",
            paramLabel = "DIR",
            description = "Where returned artifacts go; that of the work connection, else the state root's.")
    private Path artifactRoot;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "The effect's id. Repeating a command must keep it; made of verb and binding if left out.")
    private String operation;

    PlaceCommand(Surroundings surroundings) {
        super(surroundings);
    }

    /** {@code create} or {@code attach}. */
    abstract String verb();

    /** What only one of the two sends. */
    abstract void more(JsonObjectBuilder body);

    @Override
    public Integer call() {
        Environments.identifier("BINDING", bindingId);
        seat("--seat", seat);
        String operationId =
                operation == null ? verb() + "-" + bindingId : Environments.identifier("--operation", operation);
        JsonObject body = body(operationId);
        ApiClient.Reply reply = api().call(Call.post("/api/environments/" + verb(), body)
                .as(sender(rigOf(seat)))
                .waiting("Waiting for environment " + bindingId)
                .within(PATIENCE));
        boolean confirmed = reply.status() != UNCONFIRMED;
        JsonObject answer = Json.object(reply.body())
                .add("operationId", operationId)
                .add("effect", confirmed ? "binding-confirmed; nothing launched" : "unconfirmed; repeat this operation")
                .build();
        print(answer, () -> {
            new EnvironmentSummary(text(), style()).binding(answer);
            text().println();
            if (confirmed) {
                text().println("Nothing is launched yet. Next:");
                text().println("  berth rig up RIGFILE --seat " + seat);
            }
        });
        if (!confirmed) {
            throw Failure.failed(
                    "Whether the environment was made is not confirmed (" + Json.text(reply.body(), "code") + ").",
                    "Repeat exactly this command: operation " + operationId
                            + " looks for what it made before it makes anything. Another --operation could make a second.");
        }
        return ExitCodes.DONE;
    }

    private JsonObject body(String operationId) {
        Endpoints endpoints = Endpoints.of(null, guestBaseUrl, settings());
        Optional<Path> connection = connection();
        Optional<WorkConnection> work = connection.flatMap(WorkConnection::read);
        work.filter(each -> !each.seat().equals(seat)).ifPresent(each -> {
            throw Failure.failed(
                    "The work connection " + connection.get() + " is of the seat " + each.seat() + ".",
                    "Nothing was asked of the provider. Choose that seat, or another --coordination-ref.");
        });
        JsonObjectBuilder body =
                Json.object().add("version", 1).add("bindingId", bindingId).add("operationId", operationId);
        Json.add(body, "nodeId", nodeId);
        body.add("seat", seat)
                .add("baseRuntime", "claude-code")
                .add("guestRoot", "/sandbox/openrig")
                .add("guestBaseUrl", endpoints.activity().toString());
        Json.add(body, "coordinationRef", connection.map(Path::toString).orElse(null));
        Json.add(
                body,
                "artifactRoot",
                artifactRoot != null
                        ? artifactRoot.toAbsolutePath().normalize().toString()
                        : work.map(WorkConnection::artifactRoot).orElse(null));
        body.add("placement", placement());
        more(body);
        return body.build();
    }

    /** The connection's file; empty when neither an option nor setup names one. */
    private Optional<Path> connection() {
        if (coordinationRef != null) {
            return Optional.of(coordinationRef.toAbsolutePath().normalize());
        }
        return Optional.of(WorkConnection.file(settings().home(), bindingId)).filter(Files::exists);
    }

    private JsonObject placement() {
        if ((image == null) == (agent == null)) {
            throw Failure.usage("Give either --image or --agent.");
        }
        try {
            return Json.object()
                    .add("gateway", gateway)
                    .add("workspace", workspace)
                    .add("name", name == null ? bindingId : name)
                    .add("image", image == null ? AgentImage.of(agent) : image)
                    .add("provider", provider)
                    .add("policy", policy.toRealPath().toString())
                    .build();
        } catch (IOException e) {
            throw Failure.failed(
                    "The policy file " + policy + " is not there.", "`berth environment setup` writes one.");
        }
    }
}
