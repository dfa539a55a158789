package org.berth.harness.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.berth.harness.output.Truncation;
import org.berth.harness.service.NewSession;
import org.berth.harness.service.SessionReader;
import org.berth.harness.service.SessionService;
import org.berth.harness.service.SessionSettings;
import org.berth.harness.session.Entry;
import org.berth.harness.session.HarnessSession;
import org.berth.harness.session.WorkspaceMode;
import org.berth.problem.BerthException;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;

/** Sessions, the tree of their entries, their committed state and what a prompt is told. */
@Path("/api/harness/sessions")
@Produces(MediaType.APPLICATION_JSON)
public class SessionResource {
    private static final int MAX_PATH = 4096;
    private static final int MAX_PAGE = 500;
    private static final int PAGE = 100;
    private static final int MAX_OUTCOME = 1000;

    @Inject
    private Callers callers;

    @Inject
    private SessionReader reader;

    @Inject
    private SessionService sessions;

    /** Waits for the copy of an isolated workspace. */
    @POST
    public CompletionStage<Response> open(JsonTree body) {
        Fields fields = Fields.of(
                body,
                "cwd",
                "truncation",
                "toolBlockingBudgetMs",
                "kernelTransport",
                "placement",
                "parent",
                "workspace");
        if (fields.has("placement") && !"native".equals(fields.text("placement", MAX_PATH))) {
            throw BerthException.invalid("placement must be native, which is what this host places sessions with");
        }
        CompletionStage<HarnessSession> opening = sessions.open(
                callers.current(),
                new NewSession(
                        fields.has("cwd") ? fields.text("cwd", MAX_PATH) : null,
                        fields.has("truncation")
                                ? SessionSettings.truncation(body.members().get("truncation"))
                                : Truncation.DEFAULT,
                        fields.has("toolBlockingBudgetMs")
                                ? fields.whole("toolBlockingBudgetMs", 0, NewSession.MOST_BUDGET_MILLIS)
                                : NewSession.DEFAULT_BUDGET_MILLIS,
                        fields.has("kernelTransport") ? fields.identifier("kernelTransport") : null,
                        fields.has("parent") ? fields.identifier("parent") : null,
                        fields.has("workspace")
                                ? fields.constant("workspace", WorkspaceMode.class)
                                : WorkspaceMode.SHARED));
        return opening.thenApply(session -> Response.status(201)
                .entity(new JsonTree(SessionViews.session(session)))
                .build());
    }

    @GET
    public JsonTree list(@QueryParam("limit") String limit) {
        int most = (int) Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE);
        return JsonTree.of(
                "sessions",
                reader.newest(callers.current(), most).stream()
                        .map(SessionViews::session)
                        .toList());
    }

    @GET
    @Path("{id}")
    public JsonTree show(@PathParam("id") String id) {
        return new JsonTree(SessionViews.session(reader.visible(callers.current(), id)));
    }

    @POST
    @Path("{id}/reopen")
    public JsonTree reopen(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(body, "cwd");
        return new JsonTree(SessionViews.session(
                sessions.reopen(callers.current(), id, fields.has("cwd") ? fields.text("cwd", MAX_PATH) : null)));
    }

    /** Ends it with everything that runs in it, and waits for that, within the budget. */
    @DELETE
    @Path("{id}")
    public CompletionStage<JsonTree> end(@PathParam("id") String id, @QueryParam("outcome") String outcome) {
        if (outcome != null && outcome.length() > MAX_OUTCOME) {
            throw BerthException.invalid("outcome must be at most " + MAX_OUTCOME + " characters");
        }
        return sessions.end(callers.current(), id, outcome)
                .thenApply(session -> new JsonTree(SessionViews.session(session)));
    }

    @POST
    @Path("{id}/entries")
    public Response append(@PathParam("id") String id, JsonTree body) {
        Fields fields = Fields.of(body, "kind", "body");
        if (!(body != null && body.members().get("body") instanceof Map<?, ?> given)) {
            throw BerthException.invalid("body must be an object");
        }
        Map<String, Object> content = new LinkedHashMap<>();
        given.forEach((name, value) -> content.put(String.valueOf(name), value));
        Entry entry = sessions.append(callers.current(), id, fields.text("kind", SessionService.MOST_KIND), content);
        return Response.status(201)
                .entity(new JsonTree(SessionService.entry(entry)))
                .build();
    }

    @GET
    @Path("{id}/entries")
    public JsonTree entries(
            @PathParam("id") String id, @QueryParam("after") String after, @QueryParam("limit") String limit) {
        HarnessSession session = reader.visible(callers.current(), id);
        List<Object> found = new ArrayList<>();
        reader.entries(session, Fields.queryNumber("after", after, 0, 0, Long.MAX_VALUE), (int)
                        Fields.queryNumber("limit", limit, PAGE, 1, MAX_PAGE))
                .forEach(entry -> found.add(SessionService.entry(entry)));
        JsonTree tree = JsonTree.of("entries", found);
        tree.members().put("head", session.headEntryId());
        return tree;
    }

    @POST
    @Path("{id}/navigate")
    public CompletionStage<JsonTree> navigate(@PathParam("id") String id, JsonTree body) {
        return sessions.navigate(callers.current(), id, entryId(body)).thenApply(moved -> {
            JsonTree tree = JsonTree.of("head", moved.session().headEntryId());
            SessionViews.rewound(tree.members(), moved.jobs());
            return tree;
        });
    }

    @POST
    @Path("{id}/fork")
    public CompletionStage<JsonTree> fork(@PathParam("id") String id, JsonTree body) {
        return sessions.fork(callers.current(), id, entryId(body)).thenApply(moved -> {
            JsonTree tree = JsonTree.of("session", SessionViews.session(moved.session()));
            SessionViews.rewound(tree.members(), moved.jobs());
            return tree;
        });
    }

    /** Null is before every entry, and must be said. */
    private static String entryId(JsonTree body) {
        Fields fields = Fields.of(body, "entryId");
        if (!fields.has("entryId")) {
            throw BerthException.invalid("entryId must be an entry's id, or null for before every entry");
        }
        return body.members().get("entryId") == null ? null : fields.identifier("entryId");
    }

    @GET
    @Path("{id}/state")
    public JsonTree state(@PathParam("id") String id) {
        return JsonTree.of(
                "documents",
                sessions.state(callers.current(), id).stream()
                        .map(SessionViews::document)
                        .toList());
    }

    @GET
    @Path("{id}/prompt")
    public JsonTree prompt(@PathParam("id") String id) {
        List<Object> sections = new ArrayList<>();
        sessions.prompt(callers.current(), id).forEach((name, text) -> {
            Map<String, Object> section = new LinkedHashMap<>();
            section.put("name", name);
            section.put("text", text);
            sections.add(section);
        });
        return JsonTree.of("sections", sections);
    }
}
