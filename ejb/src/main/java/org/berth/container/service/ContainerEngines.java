package org.berth.container.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.container.ContainerRecord;
import org.berth.container.ContainerSettings;
import org.berth.environment.HostCommands;
import org.berth.host.HostPolicy;
import org.berth.host.service.Host;
import org.berth.placement.ExecutableResolver;
import org.berth.problem.BerthException;

/** The engine that the host's policy selects, and how its command line is called. */
@ApplicationScoped
public class ContainerEngines {
    /** What a command line needs of the server's environment to find its own configuration. */
    private static final List<String> KEPT = List.of("HOME", "USER", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR");

    @Inject
    private Host host;

    @Inject
    private HostCommands commands;

    /** @throws BerthException DENIED when the policy selects no engine */
    ContainerEngine selected() {
        HostPolicy policy = host.policy();
        ContainerSettings settings = policy.container();
        return switch (policy.placement()) {
            case PODMAN -> new PodmanSocket(settings.socket(), own("uid"), own("gid"));
            case DOCKER -> new CommandEngine(commands, this::executable, environment(), own("uid") + ":" + own("gid"));
            case NATIVE ->
                throw new BerthException(
                        org.berth.problem.ProblemCode.DENIED,
                        "this host's policy selects no container engine; the attempt's own is not asked");
        };
    }

    /** The engine that made a container. @throws BerthException UNAVAILABLE when the policy selects another one now */
    ContainerEngine of(ContainerRecord record) {
        if (host.policy().placement() != HostPolicy.Placement.NATIVE) {
            ContainerEngine engine = selected();
            if (engine.name().equals(record.engine())) {
                return engine;
            }
        }
        throw BerthException.unavailable("the container belongs to the engine " + record.engine()
                + ", which host.yaml no longer selects; select it again until its attempts are cleaned up");
    }

    /** The absolute path of the command line. @throws BerthException when there is none */
    String executable() {
        return ExecutableResolver.resolve(
                        host.policy().container().cli(), host.policy().path())
                .toString();
    }

    /** The whole environment of the command line. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String name : KEPT) {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.putIfAbsent("XDG_RUNTIME_DIR", "/run/user/" + own("uid"));
        environment.put("PATH", String.join(":", host.policy().path()));
        environment.put("LANG", "C.UTF-8");
        environment.putAll(host.policy().container().environment());
        return environment;
    }

    private static int own(String number) {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:" + number);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
