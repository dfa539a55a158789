package org.berth.access.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.access.ApiToken;
import org.berth.access.IssuedToken;
import org.berth.access.Role;
import org.berth.access.service.TokenService;
import org.berth.problem.BerthException;
import org.berth.web.Callers;
import org.berth.web.Fields;
import org.berth.web.JsonTree;
import org.berth.web.Senders;

/** API tokens: create (the secret is shown once), list, revoke. */
@Path("/api/tokens")
@Produces(MediaType.APPLICATION_JSON)
public class TokenResource {
    private static final int MAX_NAME = 160;

    @Inject
    private Callers callers;

    @Inject
    private TokenService tokens;

    @POST
    public Response issue(JsonTree body) {
        if (body == null) {
            throw BerthException.invalid("the body is empty; a JSON object is needed");
        }
        Fields fields = Fields.of(body, "name", "owner_id", "roles", "seat", "expires_in");
        String seat = fields.has("seat") ? Senders.seat("seat", fields.text("seat", Senders.MAX_SEAT)) : null;
        IssuedToken issued = tokens.issue(
                callers.current(),
                fields.identifier("owner_id"),
                roles(body.members().get("roles"), seat),
                seat,
                fields.has("name") ? fields.text("name", MAX_NAME) : "",
                fields.lifetime("expires_in"));
        Map<String, Object> tree = view(issued.token());
        tree.put("token", issued.text());
        return Response.status(201).entity(new JsonTree(tree)).build();
    }

    private static Set<Role> roles(Object value, String seat) {
        if (value == null) {
            return EnumSet.of(seat == null ? Role.OWNER : Role.SEAT);
        }
        if (!(value instanceof List<?> names) || names.isEmpty()) {
            throw BerthException.invalid("roles must be a list of operator, owner, seat");
        }
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (Object name : names) {
            roles.add(Role.parse(String.valueOf(name))
                    .orElseThrow(() -> BerthException.invalid("roles must be a list of operator, owner, seat")));
        }
        return roles;
    }

    @GET
    public JsonTree list() {
        return JsonTree.of(
                "tokens",
                tokens.list(callers.current()).stream().map(TokenResource::view).toList());
    }

    @POST
    @Path("{id}/revoke")
    public JsonTree revoke(@PathParam("id") String id, JsonTree body) {
        Fields.of(body);
        return new JsonTree(view(tokens.revoke(callers.current(), id)));
    }

    private static Map<String, Object> view(ApiToken token) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("token_id", token.tokenId());
        tree.put("name", token.name());
        tree.put("owner_id", token.ownerId());
        tree.put("roles", token.roles().stream().map(Role::wire).sorted().toList());
        if (token.seat() != null) {
            tree.put("seat", token.seat());
        }
        tree.put("created_at", token.createdAt().toString());
        tree.put(
                "expires_at",
                token.expiresAt() == null ? null : token.expiresAt().toString());
        tree.put(
                "revoked_at",
                token.revokedAt() == null ? null : token.revokedAt().toString());
        return tree;
    }
}
