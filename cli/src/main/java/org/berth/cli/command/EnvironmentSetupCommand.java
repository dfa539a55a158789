package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Json;
import org.berth.cli.api.ProblemException;
import org.berth.cli.api.UnreachableException;
import org.berth.cli.example.AgentImage;
import org.berth.cli.example.AllowedHost;
import org.berth.cli.example.Endpoints;
import org.berth.cli.example.Example;
import org.berth.cli.example.OpenShellProgram;
import org.berth.cli.example.WorkConnection;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "setup",
        description = {
            "Install the maintained example, a team with one contained worker, into a directory.",
            "Files that differ are kept and refuse it; the same again is fine. Makes no environment and starts nothing. With"
                    + " --binding, --seat and --rig it also issues the seat's work grant into a private file."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment setup --directory ./team --allow api.anthropic.com:443 --agent /usr/local/bin/claude",
            "  berth environment setup --directory ./team --binding worker-one --seat team-worker@openshell-example"
                    + " --rig openshell-example",
            "  berth environment setup --directory ./team --driver openshell"
        })
final class EnvironmentSetupCommand extends BerthCommand {
    private static final List<String> DRIVERS = List.of("local", "podman", "openshell");

    @Option(names = "--directory", required = true, paramLabel = "DIR", description = "Where the example goes.")
    private Path directory;

    @Option(names = "--binding", paramLabel = "ID", description = "Prepare the work connection of this binding.")
    private String bindingId;

    @Option(names = "--seat", paramLabel = "SEAT", description = "Whose connection it is.")
    private String seat;

    @Option(names = "--rig", paramLabel = "RIG", description = "The one rig whose work it reaches.")
    private String rig;

    @Option(
            names = "--mcp-url",
            paramLabel = "URL",
            description = "The MCP listener as the guest reaches it; host.openshell.internal and its port if left out.")
    private String mcpUrl;

    @Option(
            names = "--guest-base-url",
            paramLabel = "ORIGIN",
            description = "The guest listener as the guest reaches it, likewise; never the daemon's port.")
    private String guestBaseUrl;

    @Option(
            names = "--artifact-root",
            paramLabel = "DIR",
            description = "Where returned artifacts go; artifacts in the example's directory if left out.")
    private Path artifactRoot;

    @Option(
            names = "--driver",
            paramLabel = "DRIVER",
            defaultValue = "local",
            description = "local (default), podman or openshell, whose version is looked at.")
    private String driver;

    @Option(names = "--allow", paramLabel = "HOST:PORT", description = "One more endpoint in the policy; repeatable.")
    private List<String> allowed = List.of();

    @Option(names = "--agent", paramLabel = "PROGRAM", description = "local: print this program's image reference too.")
    private Path agent;

    EnvironmentSetupCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if (!DRIVERS.contains(driver)) {
            throw Failure.usage("--driver is local, podman or openshell: " + driver);
        }
        boolean work = wanted();
        Endpoints endpoints = Endpoints.of(mcpUrl, guestBaseUrl, settings());
        List<AllowedHost> hosts = allowed.stream().map(AllowedHost::of).toList();
        String version = driver.equals("openshell") ? OpenShellProgram.version(surroundings) : null;
        String image = agent == null ? null : AgentImage.of(agent);
        Path root = directory.toAbsolutePath().normalize();
        Example example = new Example(endpoints, hosts);
        List<String> written = example.install(root);
        Path connection = work ? connect(root, endpoints) : null;

        JsonObjectBuilder answer = Json.object().add("version", 1).add("driver", driver);
        Json.add(answer, "vendorVersion", version);
        answer.add("directory", root.toString()).add("files", files(example, written));
        Json.add(answer, "workConnectionRef", connection == null ? null : connection.toString());
        Json.add(answer, "image", image);
        answer.add("effect", "example installed; no environment made, nothing started");
        return print(answer.build(), () -> {
            text().println("The example is in " + root + ": " + written.size() + " files written, "
                    + (example.names().size() - written.size()) + " were there.");
            if (connection != null) {
                text().println("The work connection is in " + connection + ".");
            }
            if (image != null) {
                text().println("The agent's image reference is " + image);
            }
            next(root);
        });
    }

    /** Whether a work connection is asked for, and completely. */
    private boolean wanted() {
        long given =
                Stream.of(bindingId, seat, rig).filter(each -> each != null).count();
        if (given != 0 && given != 3) {
            throw Failure.usage("A work connection needs --binding, --seat and --rig together.");
        }
        if (given == 0) {
            return false;
        }
        Environments.identifier("--binding", bindingId);
        SeatCommand.seat("--seat", seat);
        if (!SeatCommand.rigOf(seat).equals(rig)) {
            throw Failure.usage("--seat " + seat + " is of another rig than " + rig + ".");
        }
        return true;
    }

    private Path connect(Path root, Endpoints endpoints) {
        Path artifacts = artifactRoot == null
                ? root.resolve("artifacts")
                : artifactRoot.toAbsolutePath().normalize();
        try {
            Files.createDirectories(
                    artifacts, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw Failure.failed("The directory " + artifacts + " cannot be made.", "Choose another --artifact-root.");
        }
        Path file = WorkConnection.file(settings().home(), bindingId);
        WorkConnection.of(bindingId, endpoints, seat, rig, artifacts).prepare(api(), file);
        return file;
    }

    private static JsonArrayBuilder files(Example example, List<String> written) {
        JsonArrayBuilder list = Json.array();
        example.names()
                .forEach(name -> list.add(Json.object().add("name", name).add("written", written.contains(name))));
        return list;
    }

    private void next(Path root) {
        text().println();
        text().println("Next:");
        if (!admitted(root)) {
            text().println("- Let the server read it. In " + settings().home().resolve("host.yaml") + ":");
            text().println("    environments: { roots: [ \"" + root + "\" ] }");
            text().println("  and then: berth host reload");
        }
        if (driver.equals("local") && agent == null) {
            text().println("- The image of a local environment is an agent program of this host with its digest,");
            text().println("  PATH@sha256:DIGEST. --agent PATH of setup or create makes it of the program.");
        }
        String binding = bindingId == null ? "worker-one" : bindingId;
        String whose = seat == null ? "team-worker@openshell-example" : seat;
        text().println("- berth environment create " + binding + " --seat " + whose + gateway() + " --provider PROVIDER"
                + " --policy " + root.resolve("policy.yaml")
                + (guestBaseUrl == null ? "" : " --guest-base-url " + guestBaseUrl));
        text().println("- berth rig up " + root.resolve("rig.yaml") + " --seat " + whose);
        text().println(root.resolve("README.md") + " explains each step.");
    }

    private String gateway() {
        return switch (driver) {
            case "podman" -> " --gateway podman:/run/user/UID/podman/podman.sock --image IMAGE@sha256:DIGEST";
            case "openshell" -> " --gateway GATEWAY --workspace WORKSPACE --image IMAGE@sha256:DIGEST";
            default -> " --agent " + (agent == null ? "PROGRAM" : agent);
        };
    }

    /** Whether the server may read below {@code root}; false also when it does not say. */
    private boolean admitted(Path root) {
        try {
            JsonObject host = api().get("/api/placement/host");
            List<String> roots = Json.texts(Json.object(host, "environments"), "roots");
            return Stream.concat(
                            roots.stream(),
                            Stream.of(settings()
                                    .home()
                                    .resolve("environments/files")
                                    .toString()))
                    .map(Path::of)
                    .anyMatch(each -> root.startsWith(each));
        } catch (ProblemException | UnreachableException e) {
            return false;
        }
    }
}
