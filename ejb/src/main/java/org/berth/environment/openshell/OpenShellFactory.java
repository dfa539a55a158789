package org.berth.environment.openshell;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.HostCommands;
import org.berth.environment.driver.DriverFactory;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.podman.PodmanDriverFactory;
import org.berth.files.PrivateFiles;
import org.berth.host.service.Host;
import org.berth.placement.ExecutableResolver;

/** The driver of every gateway that is neither local nor a Podman socket. */
@ApplicationScoped
public class OpenShellFactory implements DriverFactory {
    /** What OpenShell's command needs of the server's environment to find its own configuration. */
    private static final List<String> KEPT = List.of("HOME", "USER", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR");

    @Inject
    private Host host;

    @Inject
    private HostCommands commands;

    @Inject
    private EnvironmentFiles files;

    private EnvironmentDriver driver;

    @PostConstruct
    void build() {
        try {
            Path environments = PrivateFiles.directory(host.stateRoot().resolve("environments"));
            Path stages = PrivateFiles.directory(environments.resolve("stage"));
            driver = new OpenShellDriver(
                    new OpenShellCommand(commands, this::executable, this::environment),
                    files::read,
                    stages,
                    PodmanDriverFactory.observer());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public DriverKind kind() {
        return DriverKind.OPENSHELL;
    }

    @Override
    public EnvironmentDriver driver(String gateway) {
        return driver;
    }

    private String executable() {
        return ExecutableResolver.resolve(
                        host.policy().environments().openShell().executable(),
                        host.policy().path())
                .toString();
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String name : KEPT) {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.put("PATH", String.join(":", host.policy().path()));
        environment.put("LANG", "C.UTF-8");
        return environment;
    }
}
