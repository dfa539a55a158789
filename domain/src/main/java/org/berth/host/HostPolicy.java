package org.berth.host;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.berth.container.ContainerSettings;
import org.berth.placement.CanonicalJson;
import org.berth.placement.ResourceAccess;
import org.berth.placement.Wire;
import org.berth.problem.BerthException;

/**
 * What the operator allows and selects on this host. Source: architecture.md, host.yaml; placement.md, Resources,
 * Supervision and Output.
 *
 * @param placement which backend runs launches; a request cannot choose another
 * @param resourceMode who resolves directories
 * @param admittedRoots the roots that mode host_configured admits, by name
 * @param path the directories where a bare executable name is looked up, in order; also the child's PATH
 * @param workdirPreparers the preparers that the host authorises, in order; empty by default
 * @param sweep how live attempts are supervised
 * @param policies the launch policies by ref
 * @param credentials the credentials that a policy may name
 * @param references what {@code environment_refs} may name
 * @param output the supervisor's output limits
 * @param logRetention how long kept output outlives its attempt's end
 * @param evidenceRetention how long a cleaned attempt and its evidence are kept
 * @param providerLoginWriteback whether a login that a child refreshed is written back after its exit
 * @param environments what contained environments may use
 * @param retention how long the journal of environments and the event stream reach back
 * @param kernelTransports the ways to run kernels elsewhere that a session may name
 * @param container what launches in containers are made of, under another placement than the native one
 */
public record HostPolicy(
        Placement placement,
        ResourceMode resourceMode,
        Map<String, AdmittedRoot> admittedRoots,
        List<String> path,
        List<String> workdirPreparers,
        Sweep sweep,
        Map<String, Policy> policies,
        Map<String, Credential> credentials,
        Map<String, SecretSource> references,
        Output output,
        Duration logRetention,
        Duration evidenceRetention,
        boolean providerLoginWriteback,
        EnvironmentSettings environments,
        Retention retention,
        Map<String, KernelTransportSetting> kernelTransports,
        ContainerSettings container) {

    /** A first start's policy. Source: api.md, its last section. */
    public static final HostPolicy DEFAULT = new HostPolicy(
            Placement.NATIVE,
            ResourceMode.GRANTED,
            Map.of(),
            List.of("/usr/local/bin", "/usr/bin", "/bin"),
            List.of(),
            new Sweep(Duration.ofSeconds(30), 64, Duration.ofSeconds(5)),
            Map.of("default", new Policy("command", "batch", null, Map.of(), List.of(), false)),
            Map.of(),
            Map.of(),
            new Output(16, 262_144),
            Duration.ofDays(7),
            Duration.ofDays(30),
            false,
            EnvironmentSettings.DEFAULT,
            Retention.FOR_EVER,
            Map.of());

    /** A policy of a host without containers. */
    public HostPolicy(
            Placement placement,
            ResourceMode resourceMode,
            Map<String, AdmittedRoot> admittedRoots,
            List<String> path,
            List<String> workdirPreparers,
            Sweep sweep,
            Map<String, Policy> policies,
            Map<String, Credential> credentials,
            Map<String, SecretSource> references,
            Output output,
            Duration logRetention,
            Duration evidenceRetention,
            boolean providerLoginWriteback,
            EnvironmentSettings environments,
            Retention retention,
            Map<String, KernelTransportSetting> kernelTransports) {
        this(
                placement,
                resourceMode,
                admittedRoots,
                path,
                workdirPreparers,
                sweep,
                policies,
                credentials,
                references,
                output,
                logRetention,
                evidenceRetention,
                providerLoginWriteback,
                environments,
                retention,
                kernelTransports,
                ContainerSettings.NONE);
    }

    public HostPolicy {
        admittedRoots = ordered(admittedRoots);
        path = List.copyOf(path);
        workdirPreparers = List.copyOf(workdirPreparers);
        policies = ordered(policies);
        credentials = ordered(credentials);
        references = ordered(references);
        kernelTransports = ordered(kernelTransports);
    }

    /** The backend of every launch. */
    public enum Placement {
        NATIVE,
        /** Containers of a rootless Podman, by its socket. */
        PODMAN,
        /** Containers of any engine whose command line has Docker's surface. */
        DOCKER
    }

    /** Who resolves a request's directories: the grants' authority, or the host's own list of roots. */
    public enum ResourceMode {
        GRANTED,
        HOST_CONFIGURED
    }

    /** A root of mode host_configured; {@code access} is the widest that a request may have. */
    public record AdmittedRoot(String path, ResourceAccess access) {}

    /**
     * The sweep of live attempts.
     *
     * @param every the delay between two sweeps
     * @param bound attempts per sweep
     * @param reconcileTimeout how long one observation may take
     */
    public record Sweep(Duration every, int bound, Duration reconcileTimeout) {}

    /**
     * How long ended records stay; null for ever.
     *
     * @param operations since the last change of an ended operation that nothing refers to
     * @param events since an event happened
     */
    public record Retention(Duration operations, Duration events) {
        public static final Retention FOR_EVER = new Retention(null, null);
    }

    /** {@code outstandingChunks}: sent and unacknowledged, at most 256; {@code spoolBytes}: at most 4 MiB. */
    public record Output(int outstandingChunks, int spoolBytes) {}

    /**
     * What launches under one ref are made of.
     *
     * @param driver the driver's name
     * @param profile the driver's profile: batch, session or window
     * @param model the provider's model; null for the driver's own choice
     * @param environment nonsecret values that every such launch gets
     * @param credentials names of {@link HostPolicy#credentials()}
     * @param allowHostHome whether the operator's own home may be a launch's home
     * @param agent what only drivers of agents use
     */
    public record Policy(
            String driver,
            String profile,
            String model,
            Map<String, String> environment,
            List<String> credentials,
            boolean allowHostHome,
            Agent agent) {
        public Policy {
            environment = ordered(environment);
            credentials = List.copyOf(credentials);
        }

        /** A policy that selects nothing for an agent. */
        public Policy(
                String driver,
                String profile,
                String model,
                Map<String, String> environment,
                List<String> credentials,
                boolean allowHostHome) {
            this(driver, profile, model, environment, credentials, allowHostHome, Agent.NONE);
        }
    }

    /**
     * What a policy selects for an agent beside its model.
     *
     * @param executable the program, absolute or a bare name; null for the driver's own
     * @param effort how hard the model thinks, in the provider's word; null for its own choice
     * @param instructions what the agent is told beside its prompts; null for nothing
     * @param edits whether it may edit files
     * @param endpoint URL of the model provider's interface; null for the program's own
     * @param toolsCredential the credential whose variable holds the token of Berth's tools; null for no tools
     * @param hooksCredential the credential whose variable holds the token of activity posts; null for no posts
     */
    public record Agent(
            String executable,
            String effort,
            String instructions,
            boolean edits,
            String endpoint,
            String toolsCredential,
            String hooksCredential) {
        public static final Agent NONE = new Agent(null, null, null, false, null, null, null);

        private Map<String, Object> toTree() {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("executable", executable);
            tree.put("effort", effort);
            tree.put("instructions", instructions);
            tree.put("edits", edits);
            tree.put("endpoint", endpoint);
            Map<String, Object> gateway = new LinkedHashMap<>();
            gateway.put("tools", toolsCredential);
            gateway.put("hooks", hooksCredential);
            tree.put("gateway", gateway);
            return tree;
        }
    }

    /** How a credential reaches the child. */
    public enum CredentialKind {
        ENVIRONMENT,
        FILE
    }

    /**
     * A secret that the broker may hand to a child.
     *
     * @param destination the variable's name for kind ENVIRONMENT, else null (a driver declares its login files)
     * @param driver the only driver that may use it; null for any, never null for kind FILE
     * @param source where the bytes come from
     * @param optional whether an absent source is accepted
     */
    public record Credential(
            CredentialKind kind, String destination, String driver, SecretSource source, boolean optional) {}

    /** What a request must carry to be admitted under a policy; 64 lower-case hex digits each. */
    public record Digests(String bindingDigest, String profileDigest, String configurationDigest) {}

    /** @throws BerthException NOT_FOUND when no policy has that ref */
    public Policy policy(String policyRef) {
        Policy policy = policies.get(policyRef);
        if (policy == null) {
            throw BerthException.notFound("policy_ref " + policyRef + " names no policy of this host");
        }
        return policy;
    }

    /**
     * The digests of one policy: of what binds the launch to this host, of the driver's profile, and of the selected
     * provider inputs.
     *
     * @throws BerthException NOT_FOUND when no policy has that ref
     */
    public Digests digests(String policyRef) {
        Policy policy = policy(policyRef);
        Map<String, Object> binding = new LinkedHashMap<>();
        binding.put("policy_ref", policyRef);
        binding.put("placement", Wire.name(placement));
        binding.put("resource_mode", Wire.name(resourceMode));
        binding.put("driver", policy.driver());
        binding.put("allow_host_home", policy.allowHostHome());
        if (placement != Placement.NATIVE) {
            binding.put("container", container.binding(policyRef));
        }
        Map<String, Object> profile = Map.of("driver", policy.driver(), "profile", policy.profile());
        return new Digests(
                CanonicalJson.sha256(binding),
                CanonicalJson.sha256(profile),
                CanonicalJson.sha256(configuration(policy)));
    }

    private Map<String, Object> configuration(Policy policy) {
        Map<String, Object> selected = new LinkedHashMap<>();
        for (String name : policy.credentials()) {
            Credential credential = credentials.get(name);
            selected.put(name, credential == null ? null : tree(credential));
        }
        Map<String, Object> configuration = new LinkedHashMap<>();
        configuration.put("driver", policy.driver());
        configuration.put("profile", policy.profile());
        configuration.put("model", policy.model());
        configuration.put("environment", policy.environment());
        configuration.put("credentials", selected);
        configuration.putAll(policy.agent().toTree());
        return configuration;
    }

    /** The policy in force as a JSON tree, without a secret: a source shows its name only. */
    public Map<String, Object> publish() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("placement", Wire.name(placement));
        tree.put("resource_mode", Wire.name(resourceMode));
        tree.put(
                "admitted_roots",
                mapped(admittedRoots, (name, root) -> Map.of("path", root.path(), "access", Wire.name(root.access()))));
        tree.put("path", path);
        tree.put("workdir_preparers", workdirPreparers);
        tree.put(
                "sweep",
                Map.of(
                        "every_ms", sweep.every().toMillis(),
                        "bound", sweep.bound(),
                        "reconcile_timeout_ms", sweep.reconcileTimeout().toMillis()));
        tree.put("policies", mapped(policies, this::tree));
        tree.put("credentials", mapped(credentials, (name, credential) -> tree(credential)));
        tree.put("references", mapped(references, (name, source) -> source.toTree()));
        tree.put(
                "output", Map.of("outstanding_chunks", output.outstandingChunks(), "spool_bytes", output.spoolBytes()));
        tree.put("log_retention_ms", logRetention.toMillis());
        tree.put("evidence_retention_ms", evidenceRetention.toMillis());
        Map<String, Object> kept = new LinkedHashMap<>();
        kept.put("operations_ms", millis(retention.operations()));
        kept.put("events_ms", millis(retention.events()));
        kept.put("evidence_ms", evidenceRetention.toMillis());
        tree.put("retention", kept);
        tree.put("provider_login_writeback", providerLoginWriteback);
        tree.putAll(environments.publish());
        tree.put("kernel_transports", mapped(kernelTransports, (name, transport) -> transport.publish()));
        if (container.complete()) {
            tree.put("container", container.publish());
        }
        return tree;
    }

    private Map<String, Object> tree(String policyRef, Policy policy) {
        Digests digests = digests(policyRef);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("driver", policy.driver());
        tree.put("profile", policy.profile());
        tree.put("model", policy.model());
        tree.put("environment", policy.environment());
        tree.put("credentials", policy.credentials());
        tree.put("allow_host_home", policy.allowHostHome());
        tree.putAll(policy.agent().toTree());
        tree.put("binding_digest", digests.bindingDigest());
        tree.put("profile_digest", digests.profileDigest());
        tree.put("configuration_digest", digests.configurationDigest());
        return tree;
    }

    private static Long millis(Duration duration) {
        return duration == null ? null : duration.toMillis();
    }

    private static Map<String, Object> tree(Credential credential) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("kind", Wire.name(credential.kind()));
        tree.put("destination", credential.destination());
        tree.put("driver", credential.driver());
        tree.put("source", credential.source().toTree());
        tree.put("optional", credential.optional());
        return tree;
    }

    private static <V> Map<String, Object> mapped(
            Map<String, V> from, BiFunction<String, V, Map<String, Object>> each) {
        Map<String, Object> to = new LinkedHashMap<>();
        from.forEach((name, value) -> to.put(name, each.apply(name, value)));
        return to;
    }

    private static <V> Map<String, V> ordered(Map<String, V> from) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(from));
    }
}
