package org.berth.cli.command;

import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.berth.cli.Failure;
import org.berth.cli.Surroundings;
import org.berth.cli.api.Call;
import org.berth.cli.api.Json;
import org.berth.cli.example.AgentImage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "project",
        description = {
            "Bring host files into an environment and verify them there.",
            "A file at the destination that something else wrote or changed is kept, and the projection is refused."
        },
        footer = {
            "",
            "Examples:",
            "  berth environment project worker-one --file ./notes.md=work/notes.md --file ./data.csv=work/data.csv",
            "  berth environment project worker-one --request files.json"
        })
final class EnvironmentProjectCommand extends SeatCommand {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int DIGEST_PART = 16;

    @Parameters(paramLabel = "BINDING", description = "The binding's id.")
    private String bindingId;

    @Option(
            names = "--file",
            paramLabel = "SOURCE=GUESTPATH",
            description = "A host file and where it goes, relative to /sandbox/openrig; repeatable.")
    private List<String> files = List.of();

    @Option(
            names = "--request",
            paramLabel = "FILE",
            description =
                    "JSON with files [{source, path, sha256, required}], and generation and operationId if wanted.")
    private Path request;

    @Option(
            names = "--generation",
            paramLabel = "G",
            description = "The launch that it is for; the current one, else a new one, when left out.")
    private String generation;

    @Option(
            names = "--operation",
            paramLabel = "ID",
            description = "The effect's id; made of generation and files when left out.")
    private String operation;

    EnvironmentProjectCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    public Integer call() {
        if ((request == null) == files.isEmpty()) {
            throw Failure.usage("Give either --file or --request.");
        }
        JsonObject asked = request == null ? listed() : Environments.request(request);
        JsonObject binding = Environments.read(api(), bindingId);
        String sender = sender(Environments.rigOf(binding));
        String wanted = generation != null ? generation : Json.text(asked, "generation");
        String chosen = Environments.generation(api(), binding, wanted, sender);
        JsonObject body = Json.object(asked)
                .add("generation", chosen)
                .add("operationId", operationId(asked, chosen))
                .build();
        JsonObject answer = api().call(Call.post(Environments.path(bindingId, "/project"), body)
                        .as(sender)
                        .waiting("Bringing files into " + bindingId)
                        .within(PATIENCE))
                .body();
        return print(answer, () -> show(answer));
    }

    private String operationId(JsonObject asked, String chosen) {
        if (operation != null) {
            return Environments.identifier("--operation", operation);
        }
        String named = Json.text(asked, "operationId");
        return named != null ? named : "project-" + digest(chosen + "\n" + asked.get("files"));
    }

    /** The same files for the same generation are the same operation. */
    private static String digest(String text) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(whole).substring(0, DIGEST_PART);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private JsonObject listed() {
        JsonArrayBuilder list = Json.array();
        for (String each : files) {
            int equals = each.lastIndexOf('=');
            if (equals <= 0 || equals == each.length() - 1) {
                throw Failure.usage("--file is SOURCE=GUESTPATH: " + each);
            }
            list.add(file(Path.of(each.substring(0, equals)), each.substring(equals + 1)));
        }
        return Json.object().add("files", list).build();
    }

    private static JsonObjectBuilder file(Path source, String path) {
        Path absolute = source.toAbsolutePath().normalize();
        try {
            return Json.object()
                    .add("source", absolute.toString())
                    .add("path", path)
                    .add("sha256", AgentImage.sha256(absolute))
                    .add("required", true);
        } catch (IOException e) {
            throw Failure.failed("The file " + source + " cannot be read.", null);
        }
    }

    private void show(JsonObject answer) {
        List<List<String>> rows = new ArrayList<>();
        for (JsonObject file : Json.objects(answer, "files")) {
            rows.add(Attempts.row(Json.text(file, "path"), Json.text(file, "bytes"), Json.text(file, "sha256")));
        }
        text().println("Verified in " + bindingId + " for generation " + Json.text(answer, "generation") + ":");
        tables().print(List.of("PATH", "BYTES", "SHA256"), rows);
        text().println("Next: berth environment launch " + bindingId);
    }
}
