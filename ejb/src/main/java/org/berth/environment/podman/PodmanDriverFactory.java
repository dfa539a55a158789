package org.berth.environment.podman;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.driver.DriverFactory;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.driver.ProviderEnvironment;
import org.berth.host.service.Host;

/** The drivers of gateways {@code podman:<absolute socket>}. */
@ApplicationScoped
public class PodmanDriverFactory implements DriverFactory {
    private static final String PREFIX = "podman:";

    @Inject
    private Host host;

    @Inject
    private EnvironmentFiles files;

    @Inject
    private ProviderEnvironment provider;

    @Inject
    private Clock clock;

    private final GuestSessions sessions = new GuestSessions();
    private PodmanDriver.Surroundings around;

    @PostConstruct
    void build() {
        around = new PodmanDriver.Surroundings(
                ownUid(),
                hostName(),
                files::read,
                provider::of,
                () -> host.policy().environments().podman().image(),
                helper(),
                clock);
    }

    @PreDestroy
    void close() {
        sessions.close();
    }

    @Override
    public DriverKind kind() {
        return DriverKind.PODMAN;
    }

    @Override
    public EnvironmentDriver driver(String gateway) {
        return new PodmanDriver(gateway.substring(PREFIX.length()), around, sessions);
    }

    /** The observer of any provider whose engine is a Podman of the server's user. */
    public static PodmanObserver observer() {
        return new PodmanObserver(ownUid(), hostName());
    }

    private static int ownUid() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code berth.guest.image}, else where the distribution has it. */
    private static Path helper() {
        String selected = System.getProperty("berth.guest.image");
        return selected != null
                ? Path.of(selected)
                : Path.of(System.getProperty("jboss.home.dir", "/")).resolve("berth/guest");
    }
}
