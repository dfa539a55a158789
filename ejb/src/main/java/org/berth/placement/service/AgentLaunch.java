package org.berth.placement.service;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.driver.AgentCommand;
import org.berth.driver.AgentRun;
import org.berth.placement.AgentRunRequest;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;
import org.berth.placement.ResourceAccess;
import org.berth.placement.ResourcePurpose;
import org.berth.placement.TerminalSize;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;

/**
 * The launch request of one agent run: what a caller would have to write who knew the host's policy and the driver. It
 * is decoded as any other, so the same rules hold. Source: placement.md, Launch request.
 *
 * @param identity whose attempt it becomes
 * @param selection the agent
 * @param run what was asked
 * @param conversation which conversation, and whether it goes on
 * @param sessionRight by which right the retained home is used; null without a session
 */
record AgentLaunch(
        Identity identity,
        AgentSelection selection,
        AgentRunRequest run,
        AgentConversation conversation,
        SessionRights.Right sessionRight) {
    /** The names of the resources. */
    private static final String HOME = "home";

    private static final String WORKING_DIRECTORY = "cwd";
    private static final TerminalSize USUAL_WINDOW = new TerminalSize(40, 120);

    /** The driver frames a prompt, for example as a JSON line. Source: placement.md, Launch request, launch.stdin. */
    private static final int MOST_STDIN_BYTES = 65_536;

    /** The ids of the attempt. */
    record Identity(String ownerId, String idempotencyKey, String attemptId, String actionId) {}

    /** @throws BerthException INVALID, naming the field */
    PrepareRequest request() {
        Map<String, Object> tree = new LinkedHashMap<>(run.launch());
        tree.put("idempotency_key", identity.idempotencyKey());
        tree.put("owner_id", identity.ownerId());
        tree.put("owner_incarnation", 1L);
        tree.put("action_id", identity.actionId());
        tree.put("attempt_id", identity.attemptId());
        tree.put("binding_ref", bindingRef(run));
        tree.put("binding_digest", selection.digests().bindingDigest());
        tree.put("policy_ref", run.policyRef());
        tree.put("profile_id", selection.profile().name());
        tree.put("profile_digest", selection.digests().profileDigest());
        tree.put("configuration_digest", selection.digests().configurationDigest());
        tree.put("launch", launch());
        tree.put("resources", resources());
        tree.put("projections", selection.policy().credentials());
        tree.put("options", run.options());
        if (run.sessionRef() != null) {
            tree.put("session_ref", run.sessionRef());
        }
        tree.put("required_exit_observation", "independent");
        return PrepareRequestDecoder.decode(tree);
    }

    /**
     * What a run is bound to: the body that asked for it. So a repeated body finds its attempt whatever the policy, or
     * the retained home, has become since.
     */
    static String bindingRef(AgentRunRequest run) {
        return "agent-run/" + run.digest();
    }

    private Map<String, Object> launch() {
        AgentCommand command = selection
                .driver()
                .command(new AgentRun(
                        selection.profile().name(), run.prompt(), conversation.id(), conversation.resumed()));
        Map<String, Object> launch = new LinkedHashMap<>();
        launch.put("executable", selection.executable());
        launch.put("argv", command.argv());
        boolean readsNothing = command.stdin() == null && !command.sessionEndStdinClose() && !selection.isWindow();
        if (readsNothing) {
            // A program that finds its input open may wait for it, though its prompt is an argument.
            launch.put("stdin", "");
        } else if (command.stdin() != null) {
            launch.put("stdin", framed(command.stdin()));
        }
        if (readsNothing || command.stdinEof()) {
            launch.put("stdin_eof", true);
        }
        if (command.sessionEndStdinClose()) {
            launch.put("session_end", "stdin_close");
        }
        if (run.directory() != null) {
            launch.put("working_directory_ref", WORKING_DIRECTORY);
        }
        if (sessionRight != null) {
            launch.put("home_ref", HOME);
        }
        launch.put("mode", Wire.name(selection.profile().mode()));
        if (selection.isWindow()) {
            TerminalSize size = run.window() == null ? USUAL_WINDOW : run.window();
            launch.put("window", Map.of("rows", (long) size.rows(), "cols", (long) size.cols()));
        }
        return launch;
    }

    private static String framed(String stdin) {
        int bytes = stdin.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_STDIN_BYTES) {
            throw BerthException.invalid("prompt is too long: as this driver sends it, it is " + bytes
                    + " bytes, at most " + MOST_STDIN_BYTES + " may be");
        }
        return stdin;
    }

    private List<Object> resources() {
        List<Object> resources = new ArrayList<>();
        if (sessionRight != null) {
            resources.add(resource(
                    HOME,
                    sessionRight.grantRef(),
                    sessionRight.rootRef(),
                    "",
                    ResourceAccess.WRITE,
                    ResourcePurpose.SESSION));
        }
        AgentRunRequest.Directory directory = run.directory();
        if (directory != null) {
            ResourceAccess usual = selection.policy().agent().edits() ? ResourceAccess.WRITE : ResourceAccess.READ;
            resources.add(resource(
                    WORKING_DIRECTORY,
                    directory.grantRef(),
                    directory.rootRef(),
                    directory.subpath(),
                    directory.access() == null ? usual : directory.access(),
                    ResourcePurpose.PROJECT));
        }
        return resources;
    }

    private static Map<String, Object> resource(
            String name,
            String grantRef,
            String rootRef,
            String subpath,
            ResourceAccess access,
            ResourcePurpose purpose) {
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("name", name);
        resource.put("grant_ref", grantRef);
        resource.put("root_ref", rootRef);
        resource.put("subpath", subpath);
        resource.put("access", Wire.name(access));
        resource.put("purpose", Wire.name(purpose));
        return resource;
    }
}
