package org.berth.access.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.access.Caller;
import org.berth.access.Role;
import org.berth.placement.service.HostService;
import org.berth.web.Callers;
import org.berth.web.JsonTree;

/** Who the token says the caller is. */
@Path("/api/whoami")
public class WhoamiResource {
    @Inject
    private Callers callers;

    @Inject
    private HostService hosts;

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public JsonTree whoami() {
        Caller caller = callers.current();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("owner_id", caller.ownerId());
        tree.put("roles", caller.roles().stream().map(Role::wire).sorted().toList());
        if (caller.seat() != null) {
            tree.put("seat", caller.seat());
        }
        tree.put("host_id", hosts.hostId());
        tree.put("version", hosts.version());
        return new JsonTree(tree);
    }
}
