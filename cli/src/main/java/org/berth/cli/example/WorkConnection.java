package org.berth.cli.example;

import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.Failure;
import org.berth.cli.api.ApiClient;
import org.berth.cli.api.Json;

/**
 * A seat's way to its work, in a private file that only its reference is told of. Source: the reference's setup.
 *
 * @param mcpUrl the MCP listener as the guest reaches it
 * @param rig the one rig that the grant reaches
 * @param grantName {@code environment-} and the binding's id
 * @param artifactRoot where returned artifacts go
 */
public record WorkConnection(String mcpUrl, String seat, String rig, String grantName, String artifactRoot) {
    private static final int MOST_BYTES = 16_384;

    /** That of a binding, not issued yet. */
    public static WorkConnection of(String bindingId, Endpoints endpoints, String seat, String rig, Path artifactRoot) {
        return new WorkConnection(
                endpoints.mcp().toString(), seat, rig, "environment-" + bindingId, artifactRoot.toString());
    }

    /** Where the binding's connection is: below the directory of the state root that the server admits. */
    public static Path file(Path home, String bindingId) {
        return home.resolve("environments").resolve("files").resolve(bindingId).resolve("work.json");
    }

    /** The connection in {@code file}; empty when there is none. @throws Failure unless it is a private file of this form */
    public static Optional<WorkConnection> read(Path file) {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
            boolean sound = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) <= MOST_BYTES
                    && mode.stream().allMatch(each -> each.name().startsWith("OWNER_"));
            JsonObject tree = sound ? Json.parse(Files.readString(file)).orElse(null) : null;
            if (tree != null && "1".equals(Json.text(tree, "version")) && Json.text(tree, "token") != null) {
                return Optional.of(new WorkConnection(
                        Json.text(tree, "mcpUrl"),
                        Json.text(tree, "seat"),
                        Json.text(tree, "rig"),
                        Json.text(tree, "grantName"),
                        Json.text(tree, "artifactRoot")));
            }
        } catch (IOException e) {
            // answered below, together with a file of another form
        }
        throw Failure.failed(
                "The work connection " + file + " is no private file of the form that setup writes.",
                "Move it away, revoke its grant with `berth grant revoke --kind work NAME`, and run setup again.");
    }

    /**
     * Keeps what is in {@code file} when it says the same and its grant holds; without a file issues the grant and writes
     * it.
     *
     * @throws Failure when another connection is there, its grant does not hold any more, or a grant of this name holds
     *     whose token is not here: an environment may live on it
     */
    public void prepare(ApiClient api, Path file) {
        Optional<WorkConnection> present = read(file);
        List<JsonObject> named = named(api);
        if (present.isEmpty()) {
            if (!named.isEmpty()) {
                throw Failure.failed(
                        "A work grant " + grantName + " holds, and its token is not in " + file
                                + "; a running environment may need it.",
                        "If none does: `berth grant revoke --kind work " + grantName + "`, then setup again.");
            }
            issue(api, file);
        } else if (!present.get().equals(this) || named.stream().noneMatch(this::same)) {
            throw Failure.failed(
                    "The work connection " + file + " is kept: it is another one, or its grant was revoked.",
                    "Move it away and run setup again; a new grant takes the place of the old.");
        }
    }

    /** Grants of this name that hold. */
    private List<JsonObject> named(ApiClient api) {
        return Json.objects(api.get("/api/grants/work?all=false"), "grants").stream()
                .filter(grant -> grantName.equals(Json.text(grant, "name")) && Json.text(grant, "revokedAt") == null)
                .toList();
    }

    private boolean same(JsonObject grant) {
        return seat.equals(Json.text(grant, "seat")) && List.of(rig).equals(Json.texts(grant, "rigs"));
    }

    private void issue(ApiClient api, Path file) {
        JsonObject request = Json.object()
                .add("name", grantName)
                .add("seat", seat)
                .add("rigs", Json.array(List.of(rig)))
                .build();
        try (FileChannel channel = create(file)) {
            try {
                String token = Json.text(api.post("/api/grants/work", request), "token");
                ByteBuffer bytes = ByteBuffer.wrap((with(token) + "\n").getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            } catch (IOException | RuntimeException e) {
                Files.deleteIfExists(file);
                throw e;
            }
        } catch (IOException e) {
            throw Failure.failed(
                    "The work connection " + file + " cannot be written.",
                    "The server's user and yours must be the same for this; see BERTH_HOME.");
        }
    }

    private JsonObject with(String token) {
        return Json.object()
                .add("version", 1)
                .add("mcpUrl", mcpUrl)
                .add("seat", seat)
                .add("rig", rig)
                .add("grantName", grantName)
                .add("artifactRoot", artifactRoot)
                .add("token", token)
                .build();
    }

    private static FileChannel create(Path file) throws IOException {
        Files.createDirectories(
                file.getParent(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
}
