package org.berth.rig.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.berth.access.Caller;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.rig.Rig;
import org.berth.rig.RigSpec;
import org.berth.rig.service.RigFileReader;
import org.berth.rig.service.RigService;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.JsonTreeReader;
import org.berth.web.Senders;

/** Rigs and their nodes. Source: environments.md, Operations and Rigs. */
@Path("/api/rigs")
@Produces(MediaType.APPLICATION_JSON)
public class RigResource {
    private static final Set<String> YAML =
            Set.of("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml");
    private static final int PAGE = 50;
    private static final int MAX_PAGE = 500;
    private static final int MAX_PATH = 4096;

    @Inject
    private Senders senders;

    @Inject
    private RigService rigs;

    /** @param root absolute directory of the rig's files; members' relative paths are below it */
    @POST
    public Response create(
            @HeaderParam(HttpHeaders.CONTENT_TYPE) String type, @QueryParam("root") String root, InputStream body)
            throws IOException {
        Caller caller = senders.reader();
        String text = text(body);
        RigSpec spec = isYaml(type) ? RigFileReader.yaml(text) : RigFileReader.json(text);
        RigService.Made made = rigs.create(caller, spec, root == null ? null : directory(root));
        return Response.status(made.replayed() ? 200 : 201)
                .entity(new JsonTree(RigViews.created(made.rig(), made.members())))
                .build();
    }

    private static boolean isYaml(String type) {
        String media = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (YAML.contains(media)) {
            return true;
        }
        if (media.equals(MediaType.APPLICATION_JSON)) {
            return false;
        }
        throw new BerthException(
                ProblemCode.UNSUPPORTED_MEDIA_TYPE, "this route takes application/yaml or application/json");
    }

    private static String text(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(JsonTreeReader.MAX_BYTES + 1);
        if (bytes.length > JsonTreeReader.MAX_BYTES) {
            throw new BerthException(ProblemCode.TOO_LARGE, "the body is over " + JsonTreeReader.MAX_BYTES + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BerthException(ProblemCode.RIG_FILE_INVALID, "rig file: it is not UTF-8", e);
        }
    }

    private static java.nio.file.Path directory(String root) {
        if (!root.startsWith("/") || root.length() > MAX_PATH || root.indexOf('\0') >= 0) {
            throw BerthException.invalid("root must be an absolute path of at most " + MAX_PATH + " characters");
        }
        return java.nio.file.Path.of(root);
    }

    /** By name; {@code next} is the cursor of the following page. */
    @GET
    public JsonTree list(@QueryParam("after") String after, @QueryParam("limit") String limit) {
        int size = (int) Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE);
        List<Rig> page = rigs.page(senders.reader(), after == null ? null : Fields.identifier("after", after), size);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("rigs", page.stream().map(RigViews::line).toList());
        if (page.size() == size) {
            tree.put("next", page.getLast().name());
        }
        return new JsonTree(tree);
    }

    @GET
    @Path("{rigId}")
    public JsonTree show(@PathParam("rigId") String rigId) {
        Caller caller = senders.reader();
        return new JsonTree(RigViews.whole(rigs.visible(caller, rigId), rigs.members(caller, rigId)));
    }

    @GET
    @Path("{rigId}/nodes")
    public JsonTree nodes(@PathParam("rigId") String rigId) {
        return JsonTree.of(
                "nodes",
                rigs.members(senders.reader(), rigId).stream()
                        .map(member ->
                                RigViews.node(member, rigs.current(member.node().nodeId())))
                        .toList());
    }

    @DELETE
    @Path("{rigId}")
    public JsonTree delete(@PathParam("rigId") String rigId) {
        rigs.delete(senders.reader(), rigId);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("rigId", rigId);
        tree.put("deleted", true);
        return new JsonTree(tree);
    }
}
