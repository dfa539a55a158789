package org.berth.credential.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.driver.AgentCommand;
import org.berth.driver.AgentDriver;
import org.berth.driver.AgentRun;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.driver.DriverInputs;
import org.berth.driver.SetupFile;
import org.berth.host.HostPolicy;
import org.berth.host.HostPolicy.Credential;
import org.berth.host.HostPolicy.CredentialKind;
import org.berth.host.SecretSource;
import org.berth.placement.PrepareRequest;
import org.berth.placement.PrepareRequestDecoder;

/** Hosts, homes and requests for tests. */
final class Launches {
    static final String CANARY = "canary-4711-secret";
    static final String LOGIN_PATH = ".agent/auth.json";
    static final List<SetupFile> INITIALISERS =
            List.of(new SetupFile(".agent.json", "{\"hasCompletedOnboarding\":true}", false));

    private Launches() {}

    static DriverDefinition definition(String name, String revision) {
        return new DriverDefinition(
                name,
                revision,
                name,
                Map.of(),
                Map.of("AGENT_HOME", ".agent"),
                new DriverDefinition.LoginFile(LOGIN_PATH, List.of("~/" + LOGIN_PATH)),
                List.of(
                        new SetupFile(".agent/config.toml", null, true),
                        new SetupFile(".agent/prompt.md", null, false)),
                List.of(),
                Set.of());
    }

    /** A driver of one login file, whose first state depends on it. */
    static AgentDriver driver() {
        return new AgentDriver() {
            @Override
            public DriverDefinition definition() {
                return Launches.definition("agent", "1");
            }

            @Override
            public AgentCommand command(AgentRun run) {
                return new AgentCommand(List.of(), null, false, false);
            }

            @Override
            public Delivery render(DriverInputs inputs) {
                return Delivery.NONE;
            }

            @Override
            public List<String> writableRoots(String profile, boolean edits, List<Path> roots) {
                return List.of();
            }

            @Override
            public List<SetupFile> initialisers(SeedFacts facts) {
                return facts.loginPresent() || facts.apiKey() ? INITIALISERS : List.of();
            }

            @Override
            public boolean hasConversation(Path home, String conversationId) {
                return false;
            }
        };
    }

    static Credential variable(SecretSource source, boolean optional) {
        return new Credential(CredentialKind.ENVIRONMENT, "API_KEY", null, source, optional);
    }

    static Credential login(SecretSource source, boolean optional) {
        return new Credential(CredentialKind.FILE, null, "agent", source, optional);
    }

    static HostPolicy host(Map<String, Credential> credentials) {
        return host(credentials, credentials.keySet(), true);
    }

    /** A host with policy {@code p}, which admits {@code admitted} of the credentials. */
    static HostPolicy host(Map<String, Credential> credentials, Set<String> admitted, boolean writeback) {
        HostPolicy base = HostPolicy.DEFAULT;
        return new HostPolicy(
                base.placement(),
                base.resourceMode(),
                base.admittedRoots(),
                base.path(),
                base.workdirPreparers(),
                base.sweep(),
                Map.of("p", new HostPolicy.Policy("agent", "batch", null, Map.of(), List.copyOf(admitted), true)),
                credentials,
                base.references(),
                base.output(),
                base.logRetention(),
                base.evidenceRetention(),
                writeback,
                base.environments(),
                base.retention(),
                base.kernelTransports());
    }

    static PrepareRequest request(String... projections) {
        return request(Map.of(), projections);
    }

    /** In a session, or in the home of root {@code root}. */
    static PrepareRequest inHome(String sessionRef, String root, String... projections) {
        Map<String, Object> changes = new HashMap<>();
        if (sessionRef != null) {
            changes.put("session_ref", sessionRef);
        }
        changes.put("launch", Map.of("executable", "agent", "home_ref", "home"));
        changes.put(
                "resources",
                List.of(Map.of(
                        "name", "home",
                        "grant_ref", "g",
                        "root_ref", root,
                        "access", "write",
                        "purpose", "session")));
        return request(changes, projections);
    }

    private static PrepareRequest request(Map<String, Object> changes, String... projections) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (String name :
                List.of("idempotency_key", "owner_id", "action_id", "attempt_id", "binding_ref", "profile_id")) {
            tree.put(name, "x");
        }
        tree.put("policy_ref", "p");
        tree.put("owner_incarnation", 1L);
        tree.put("binding_digest", "0".repeat(64));
        tree.put("profile_digest", "0".repeat(64));
        tree.put("launch", Map.of("executable", "agent"));
        tree.put("projections", List.of(projections));
        tree.putAll(changes);
        return PrepareRequestDecoder.decode(tree);
    }

    /** A private file with its parents. */
    static Path secret(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
