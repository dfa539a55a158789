package org.berth.environment.local;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.time.Clock;
import org.berth.environment.DriverKind;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.GuestChannels;
import org.berth.environment.HostCommands;
import org.berth.environment.driver.DriverFactory;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.driver.ProviderEnvironment;
import org.berth.host.service.Host;
import org.berth.placement.ProcessEvent;
import org.berth.placement.ProcessIdentity;
import org.berth.placement.RunnerStatus;
import org.berth.placement.SpawnOrder;
import org.berth.placement.SpawnOutcome;
import org.berth.placement.StopMode;
import org.berth.placement.service.ProcessOwner;
import org.berth.placement.service.ProcessesGateway;

/** The one driver of gateway {@code local}. */
@ApplicationScoped
public class LocalDriverFactory implements DriverFactory, ProcessOwner {
    @Inject
    private Host host;

    @Inject
    private EnvironmentFiles files;

    @Inject
    private ProviderEnvironment provider;

    @Inject
    private ProcessesGateway processes;

    @Inject
    private GuestChannels channels;

    @Inject
    private HostCommands commands;

    @Inject
    private Clock clock;

    private LocalDriver driver;

    @PostConstruct
    void build() {
        driver = new LocalDriver(
                new LocalDriver.Surroundings(
                        new LocalLayout(host.stateRoot().resolve("environments")),
                        channels,
                        new Supervised(),
                        files::read,
                        files::directory,
                        provider::of,
                        () -> host.policy().environments().local().engine(),
                        image(),
                        clock),
                new NamespaceCheck(commands),
                new HostProc(Path.of("/proc")));
    }

    @Override
    public DriverKind kind() {
        return DriverKind.LOCAL;
    }

    @Override
    public EnvironmentDriver driver(String gateway) {
        return driver;
    }

    /** The phase is observed when it is asked for; nothing is noted. */
    @Override
    public boolean observe(ProcessEvent event) {
        return driver.owns(event.attemptKey());
    }

    /** {@code berth.guest.image}, else where the distribution has it. */
    private static Path image() {
        String selected = System.getProperty("berth.guest.image");
        return selected != null
                ? Path.of(selected)
                : Path.of(System.getProperty("jboss.home.dir", "/")).resolve("berth/guest");
    }

    private final class Supervised implements Compute {
        @Override
        public SpawnOutcome spawn(SpawnOrder order) {
            return Answers.of(processes.call(port -> port.spawn(order)));
        }

        @Override
        public ProcessIdentity find(String key, String nonce) {
            RunnerStatus status = Answers.of(processes.call(port -> port.status(key, nonce, null)));
            return status == null ? null : status.identity();
        }

        @Override
        public void stop(String key, String nonce, int graceMillis, ProcessIdentity process) {
            Answers.of(processes.call(port -> port.stop(key, nonce, StopMode.COOPERATIVE, graceMillis, process)));
        }

        @Override
        public void forget(String key, String nonce) {
            Answers.of(processes.call(port -> port.forget(key, nonce)));
        }
    }
}
