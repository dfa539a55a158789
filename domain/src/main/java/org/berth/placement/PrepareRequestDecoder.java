package org.berth.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.placement.PrepareRequest.Launch;
import org.berth.placement.PrepareRequest.Output;
import org.berth.placement.PrepareRequest.Resource;
import org.berth.placement.PrepareRequest.Timeouts;
import org.berth.problem.BerthException;

/**
 * Strict decoding of a launch request, and its inverse. A tree is made of Map, List, String, Boolean, Long or Integer
 * (whole numbers), BigDecimal (other numbers) and null; an explicit null is refused wherever a field has a type. Source
 * of every bound and default here and in the classes it uses: placement.md, Launch request.
 */
public final class PrepareRequestDecoder {
    /** The root that stands for the operator's own home. */
    public static final String MACHINE_HOME = "machine_home";

    static final int MOST_ENVIRONMENT_NAMES = 64;

    /** The most bytes of environment with references and projections, ends of names and values included. */
    public static final int MOST_ENVIRONMENT_BYTES = 65_536;

    static final int MOST_VALUE_BYTES = 16_384;
    static final int MOST_RESOURCES = 16;
    static final int MOST_SUBPATH_BYTES = 4_096;
    static final int MOST_PROJECTIONS = 8;
    static final Timeouts DEFAULT_TIMEOUTS = new Timeouts(15_000, 5_000, 5_000, 30_000);

    private static final Set<String> FIELDS = Set.of(
            "idempotency_key",
            "owner_id",
            "owner_incarnation",
            "action_id",
            "attempt_id",
            "binding_ref",
            "binding_digest",
            "policy_ref",
            "profile_id",
            "profile_digest",
            "configuration_digest",
            "launch",
            "environment",
            "environment_refs",
            "resources",
            "projections",
            "executable",
            "options",
            "session_ref",
            "required_cleanup",
            "required_exit_observation",
            "timeouts",
            "output");

    private PrepareRequestDecoder() {}

    /** @throws BerthException INVALID, naming the field by its path and the rule it breaks */
    public static PrepareRequest decode(Map<String, Object> json) {
        if (json.containsKey("delivery")) {
            throw BerthException.invalid("delivery is selected by the host and must not be sent");
        }
        RequestNode request = new RequestNode("", json, FIELDS);
        request.require("launch");
        Launch launch = LaunchDecoder.decode(request);
        Map<String, String> environment = environment(request);
        Map<String, String> references = references(request);
        List<String> projections = projections(request);
        supplied(launch, environment, references, projections);
        List<Resource> resources = resources(request);
        String sessionRef =
                request.has("session_ref") ? RequestText.ref("session_ref", request.text("session_ref")) : null;
        referred(launch, resources, sessionRef);
        return new PrepareRequest(
                identifier(request, "idempotency_key"),
                identifier(request, "owner_id"),
                request.integer("owner_incarnation", 1, Long.MAX_VALUE),
                identifier(request, "action_id"),
                identifier(request, "attempt_id"),
                RequestText.ref("binding_ref", request.text("binding_ref")),
                RequestText.digest("binding_digest", request.text("binding_digest")),
                RequestText.ref("policy_ref", request.text("policy_ref")),
                identifier(request, "profile_id"),
                RequestText.digest("profile_digest", request.text("profile_digest")),
                request.has("configuration_digest")
                        ? RequestText.digest("configuration_digest", request.text("configuration_digest"))
                        : null,
                launch,
                environment,
                references,
                resources,
                projections,
                expected(request),
                RequestOptions.read(request.object("options")),
                sessionRef,
                request.word("required_cleanup", Capability.PROCESS_GROUP),
                request.word("required_exit_observation", ExitObservation.INDEPENDENT),
                timeouts(request),
                OutputDecoder.decode(request));
    }

    /** The inverse of {@link #decode}: defaults filled in, absent fields left out. */
    static Map<String, Object> encode(PrepareRequest request) {
        return PrepareRequestEncoder.encode(request);
    }

    private static String identifier(RequestNode request, String name) {
        return RequestText.identifier(name, request.text(name));
    }

    private static Map<String, String> environment(RequestNode request) {
        Map<String, String> environment = new LinkedHashMap<>();
        request.object("environment").forEach((name, value) -> {
            String path = "environment." + RequestNode.shown(name);
            RequestText.variable(path, name);
            String text = RequestText.withoutNul(path, RequestNode.text(path, value));
            environment.put(name, RequestText.atMost(MOST_VALUE_BYTES, path, text));
        });
        return Collections.unmodifiableMap(environment);
    }

    private static Map<String, String> references(RequestNode request) {
        Map<String, String> references = new LinkedHashMap<>();
        request.object("environment_refs").forEach((name, value) -> {
            String path = "environment_refs." + RequestNode.shown(name);
            RequestText.variable(path, name);
            references.put(name, RequestText.ref(path, RequestNode.text(path, value)));
        });
        return Collections.unmodifiableMap(references);
    }

    private static List<String> projections(RequestNode request) {
        List<String> projections = new ArrayList<>();
        for (Object each : request.list("projections", MOST_PROJECTIONS)) {
            String path = "projections[" + projections.size() + "]";
            String id = RequestText.identifier(path, RequestNode.text(path, each));
            if (projections.contains(id)) {
                throw BerthException.invalid(path + " must be named once");
            }
            projections.add(id);
        }
        return List.copyOf(projections);
    }

    private static void supplied(
            Launch launch, Map<String, String> environment, Map<String, String> references, List<String> projections) {
        for (String name : references.keySet()) {
            if (environment.containsKey(name)) {
                throw BerthException.invalid("environment_refs." + name + " must not be in environment as well");
            }
        }
        if (environment.size() + references.size() + projections.size() > MOST_ENVIRONMENT_NAMES) {
            throw BerthException.invalid("environment, with environment_refs and projections, must hold at most "
                    + MOST_ENVIRONMENT_NAMES + " names");
        }
        // Two bytes each: the equals sign and the NUL that end a name and a value in the child's own environment.
        long bytes = 0;
        for (Map.Entry<String, String> entry : environment.entrySet()) {
            bytes += RequestText.bytes(entry.getKey()) + RequestText.bytes(entry.getValue()) + 2;
        }
        for (String name : references.keySet()) {
            bytes += RequestText.bytes(name) + 2;
        }
        if (bytes > MOST_ENVIRONMENT_BYTES) {
            throw BerthException.invalid("environment, with environment_refs and projections, must be at most "
                    + MOST_ENVIRONMENT_BYTES + " bytes");
        }
        if (projections.isEmpty()) {
            for (int i = 0; i < launch.environment().size(); i++) {
                String name = launch.environment().get(i);
                if (!environment.containsKey(name) && !references.containsKey(name)) {
                    throw BerthException.invalid("launch.environment[" + i + "] names " + name
                            + ", which environment, environment_refs or a projection must supply");
                }
            }
        }
    }

    private static List<Resource> resources(RequestNode request) {
        List<Resource> resources = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Object each : request.list("resources", MOST_RESOURCES)) {
            String path = "resources[" + resources.size() + "]";
            RequestNode node = new RequestNode(
                    path,
                    RequestNode.object(path, each),
                    Set.of("name", "grant_ref", "root_ref", "subpath", "access", "purpose"));
            String name = RequestText.identifier(node.path("name"), node.text("name"));
            if (!names.add(name)) {
                throw BerthException.invalid(node.path("name") + " must be unique among the resources");
            }
            resources.add(new Resource(
                    name,
                    RequestText.ref(node.path("grant_ref"), node.text("grant_ref")),
                    RequestText.ref(node.path("root_ref"), node.text("root_ref")),
                    node.has("subpath") ? subpath(node.path("subpath"), node.text("subpath")) : "",
                    node.word("access", ResourceAccess.class),
                    node.word("purpose", ResourcePurpose.class)));
        }
        return List.copyOf(resources);
    }

    static String subpath(String path, String subpath) {
        RequestText.withoutNul(path, subpath);
        RequestText.atMost(MOST_SUBPATH_BYTES, path, subpath);
        if (subpath.startsWith("/")) {
            throw BerthException.invalid(path + " must be relative");
        }
        if (subpath.indexOf('\\') >= 0) {
            throw BerthException.invalid(path + " must not contain a backslash");
        }
        if (List.of(subpath.split("/", -1)).contains("..")) {
            throw BerthException.invalid(path + " must not contain ..");
        }
        return subpath;
    }

    private static void referred(Launch launch, List<Resource> resources, String sessionRef) {
        if (launch.workingDirectoryRef() != null) {
            named("launch.working_directory_ref", launch.workingDirectoryRef(), resources);
        }
        Resource home = launch.homeRef() == null ? null : named("launch.home_ref", launch.homeRef(), resources);
        boolean session =
                home != null && home.purpose() == ResourcePurpose.SESSION && home.access() == ResourceAccess.WRITE;
        if (home != null && !session && !home.rootRef().equals(MACHINE_HOME)) {
            throw BerthException.invalid("launch.home_ref must name a resource of purpose session with access write, or"
                    + " one of root " + MACHINE_HOME);
        }
        if (sessionRef != null && !session) {
            throw BerthException.invalid(
                    "session_ref needs launch.home_ref to name a resource of purpose session with access write");
        }
    }

    private static Resource named(String path, String name, List<Resource> resources) {
        return resources.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> BerthException.invalid(path + " must name one of the resources"));
    }

    private static SpawnOrder.Expected expected(RequestNode request) {
        if (!request.has("executable")) {
            return null;
        }
        RequestNode node = request.child("executable", Set.of("revision", "kind", "digest"));
        if (!node.text("revision").equals(ExecutableMeasurement.REVISION)) {
            throw BerthException.invalid(node.path("revision") + " must be " + ExecutableMeasurement.REVISION);
        }
        return new SpawnOrder.Expected(
                node.word("kind", ExecutableKind.class), RequestText.digest(node.path("digest"), node.text("digest")));
    }

    private static Timeouts timeouts(RequestNode request) {
        if (!request.has("timeouts")) {
            return DEFAULT_TIMEOUTS;
        }
        RequestNode node = request.child("timeouts", Set.of("start_ms", "stop_grace_ms", "drain_ms", "retain_ms"));
        return new Timeouts(
                (int) node.integer("start_ms", 1, 120_000, DEFAULT_TIMEOUTS.startMs()),
                (int) node.integer("stop_grace_ms", 0, 60_000, DEFAULT_TIMEOUTS.stopGraceMs()),
                (int) node.integer("drain_ms", 100, 600_000, DEFAULT_TIMEOUTS.drainMs()),
                (int) node.integer("retain_ms", 100, 600_000, DEFAULT_TIMEOUTS.retainMs()));
    }

    /** The part {@code output}. */
    private static final class OutputDecoder {
        private static final long MOST_BYTES = 16_777_216;
        private static final long MOST_LINES = 1_000_000;

        private OutputDecoder() {}

        static Output decode(RequestNode request) {
            if (!request.has("output")) {
                return new Output(RecipientKind.STREAM, OutputTruncation.DEFAULT);
            }
            RequestNode node = request.child("output", Set.of("recipient", "truncation"));
            return new Output(node.word("recipient", RecipientKind.STREAM), truncation(node));
        }

        private static OutputTruncation truncation(RequestNode output) {
            if (!output.has("truncation")) {
                return OutputTruncation.DEFAULT;
            }
            if ("off".equals(output.raw("truncation"))) {
                return OutputTruncation.OFF;
            }
            if (!(output.raw("truncation") instanceof Map)) {
                throw BerthException.invalid(
                        output.path("truncation") + " must be \"off\" or {\"on\": {bytes, lines, keep}}");
            }
            RequestNode choice = output.child("truncation", Set.of("on"));
            choice.require("on");
            RequestNode on = choice.child("on", Set.of("bytes", "lines", "keep"));
            return new OutputTruncation(
                    true,
                    on.integer("bytes", 1, MOST_BYTES, OutputTruncation.DEFAULT_BYTES),
                    on.integer("lines", 1, MOST_LINES, OutputTruncation.DEFAULT_LINES),
                    on.word("keep", Keep.TAIL) == Keep.HEAD);
        }

        private enum Keep {
            HEAD,
            TAIL
        }
    }
}
