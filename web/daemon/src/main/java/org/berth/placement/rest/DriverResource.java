package org.berth.placement.rest;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.berth.driver.DriverDefinition;
import org.berth.driver.DriverProfile;
import org.berth.placement.Wire;
import org.berth.placement.service.AgentRuns;
import org.berth.web.Callers;
import org.berth.web.JsonTree;

/** The agent programs that this host knows how to run. */
@Path("/api/placement/drivers")
@Produces(MediaType.APPLICATION_JSON)
public class DriverResource {
    @Inject
    private Callers callers;

    @Inject
    private AgentRuns runs;

    @GET
    public JsonTree list() {
        callers.current();
        return JsonTree.of(
                "drivers", runs.drivers().stream().map(DriverResource::view).toList());
    }

    static Map<String, Object> view(AgentRuns.Installed installed) {
        DriverDefinition definition = installed.definition();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", definition.name());
        tree.put("executable", definition.executable());
        tree.put("found", installed.found());
        tree.put(
                "profiles",
                definition.profiles().values().stream()
                        .map(DriverResource::profile)
                        .toList());
        tree.put("home_variables", definition.homeVariables());
        tree.put(
                "login_file",
                definition.loginFile() == null ? null : definition.loginFile().path());
        tree.put(
                "reserved_options",
                definition.reservedOptions().stream().sorted().toList());
        return tree;
    }

    private static Map<String, Object> profile(DriverProfile profile) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", profile.name());
        tree.put("mode", Wire.name(profile.mode()));
        tree.put("input", Wire.name(profile.input()));
        tree.put("edits", profile.edits());
        return tree;
    }
}
