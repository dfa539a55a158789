package org.berth.credential.service;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.berth.credential.service.HomeWriter.Place;
import org.berth.driver.ConfigurationRules;
import org.berth.driver.DeliveredFile;
import org.berth.driver.Delivery;
import org.berth.driver.DriverDefinition;
import org.berth.driver.SetupFile;
import org.berth.fault.FaultPoint;
import org.berth.host.SecretBytes;
import org.berth.host.service.NoFollowFiles;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The private homes of agents' programs: the seed of login and first state, and the generated configuration. One call at
 * a time for one home: an attempt has one runner, a session one holder. Source: placement.md, Provider homes,
 * credentials, configuration.
 */
@ApplicationScoped
public class ProviderHomes {
    /** The most bytes of a provider's own state that is read for composition; a larger file stays as it is. */
    private static final int MOST_STATE_BYTES = 1 << 20;

    private final SeedStep.Watch watch;

    public ProviderHomes() {
        this(SeedStep.Watch.NONE);
    }

    ProviderHomes(SeedStep.Watch watch) {
        this.watch = watch;
    }

    /**
     * Fills a new home, or checks that a retained one is the same program's and only adds what its start needs.
     *
     * @param mayGoOn whether the attempt still starts and this runner still owns it; asked once, before the first write, since
     *     a seed that began must end
     * @throws BerthException CONFLICT when a retained home is another program's, has another optional policy, or was
     *     left by an interrupted seed, when a new home is not empty, and for an empty login; STORAGE
     * @throws ConfigurationUncertainException when a file's place is not certain to last
     */
    public SeedOutcome seed(Seed order, BooleanSupplier mayGoOn) throws ConfigurationUncertainException {
        requireSound(order);
        ProviderHome home = order.home();
        Optional<HomeJournal> journal = HomeJournal.read(home.journal());
        Optional<ProviderMarker> marker = ProviderMarker.read(home.marker());
        if (marker.isPresent() && journal.isPresent() && home.retained()) {
            requireSame(marker.get(), ProviderMarker.of(order));
            if (!mayGoOn.getAsBoolean()) {
                return SeedOutcome.FENCED;
            }
            return stored("the program's first state", () -> resume(order, journal.get()));
        }
        requireNew(home, marker.isPresent() || journal.isPresent());
        if (!mayGoOn.getAsBoolean()) {
            return SeedOutcome.FENCED;
        }
        return stored("the program's login and first state", () -> first(order));
    }

    /** Compares what was brought with what the driver declares. */
    private static void requireSound(Seed order) {
        DriverDefinition definition = order.home().definition();
        DriverDefinition.LoginFile place = definition.loginFile();
        if (order.login() != null && place == null) {
            throw BerthException.conflict("the driver " + definition.name() + " declares no place for a login file");
        }
        if (order.login() != null && order.login().isEmpty()) {
            throw BerthException.conflict("projection " + order.projection() + " gave an empty login");
        }
        for (String path : order.setup().keySet()) {
            if (definition.setup().stream().noneMatch(file -> file.path().equals(path))) {
                throw BerthException.conflict(
                        "the driver " + definition.name() + " does not declare the setup file " + path);
            }
        }
        for (SetupFile file : order.initialisers()) {
            if (place != null && file.path().equals(place.path())) {
                throw BerthException.conflict("the first state " + file.path() + " would be the login file");
            }
        }
    }

    private static void requireSame(ProviderMarker recorded, ProviderMarker wanted) {
        if (!recorded.provider().equals(wanted.provider())
                || !recorded.revision().equals(wanted.revision())
                || !Objects.equals(recorded.projection(), wanted.projection())) {
            throw BerthException.conflict("session_ref has a home with the login of another provider, definition or"
                    + " projection; use another session_ref");
        }
        if (recorded.optional() != wanted.optional()) {
            throw BerthException.conflict("session_ref has a home that was seeded while its projection "
                    + (recorded.optional() ? "was" : "was not") + " optional; use another session_ref");
        }
    }

    private static void requireNew(ProviderHome home, boolean begun) {
        if (begun) {
            throw BerthException.conflict(
                    home.retained()
                            ? "session_ref has a home whose first seed was interrupted; use another session_ref"
                            : "the attempt's home was seeded before");
        }
        try (Stream<Path> names = Files.list(home.home())) {
            if (names.findAny().isPresent()) {
                throw BerthException.conflict(
                        home.retained()
                                ? "session_ref has a home with files that no seed made; use another session_ref"
                                : "the attempt's home is not empty");
            }
        } catch (IOException e) {
            throw storage("the private home", e);
        }
    }

    private SeedOutcome first(Seed order) throws IOException, ConfigurationUncertainException {
        ProviderHome home = order.home();
        HomeJournal journal = HomeJournal.begin(home.journal());
        journal.write();
        watch.passed(SeedStep.JOURNALLED);
        HomeWriter writer = new HomeWriter(home.home(), journal, watch);
        // Some programs refuse to start while a variable names a directory that is not there.
        for (String path : home.definition().homeVariables().values()) {
            writer.makeDirectory(path);
        }
        if (order.login() != null) {
            writer.write(home.definition().loginFile().path(), order.login().copy(), Place.FREE);
        }
        watch.passed(SeedStep.LOGIN_COMPLETE);
        FaultPoint.AGENT_LOGIN_WRITTEN.hit();
        for (Map.Entry<String, SecretBytes> each : order.setup().entrySet()) {
            journal.seeds(each.getKey(), each.getValue().copy());
            writer.write(each.getKey(), each.getValue().copy(), Place.FREE);
        }
        compose(order, journal, writer);
        ProviderMarker.of(order).write(home.marker());
        watch.passed(SeedStep.MARKED);
        return order.login() == null ? SeedOutcome.WITHOUT_LOGIN : SeedOutcome.LOGIN_WRITTEN;
    }

    private SeedOutcome resume(Seed order, HomeJournal journal) throws IOException, ConfigurationUncertainException {
        compose(order, journal, new HomeWriter(order.home().home(), journal, watch));
        return SeedOutcome.RESUMED;
    }

    private static void compose(Seed order, HomeJournal journal, HomeWriter writer)
            throws IOException, ConfigurationUncertainException {
        for (SetupFile file : order.initialisers()) {
            if (file.content() != null) {
                compose(order.home().home(), file, journal, writer);
            }
        }
    }

    private static void compose(Path home, SetupFile file, HomeJournal journal, HomeWriter writer)
            throws IOException, ConfigurationUncertainException {
        byte[] there;
        try {
            there = NoFollowFiles.read(home, file.path(), MOST_STATE_BYTES, false)
                    .orElse(null);
        } catch (NoFollowFiles.UnusableFileException e) {
            // The program made something else of it since; it is its own.
            return;
        }
        boolean own = there != null && journal.seededAs(file.path(), there);
        Optional<byte[]> composed = Initialisers.compose(file.content(), there, own);
        if (composed.isPresent()) {
            journal.seeds(file.path(), composed.get());
            writer.write(file.path(), composed.get(), there == null ? Place.OWN : Place.PROGRAMS);
        }
    }

    /**
     * Publishes generated configuration, file by file and without roll-back. A file that is there with the same bytes
     * stays; in a retained home an earlier generated file is replaced at once.
     *
     * @param mayGoOn whether the attempt still starts and this runner still owns it; asked before each file
     * @return false when {@code mayGoOn} ended it; earlier files stay
     * @throws BerthException CONFLICT when a file overlaps the login or the seed, or when it or a parent is not Berth's own;
     *     STORAGE
     * @throws ConfigurationUncertainException when a file's place is not certain to last
     */
    public boolean publish(ProviderHome home, Delivery delivery, BooleanSupplier mayGoOn)
            throws ConfigurationUncertainException {
        HomeJournal journal = HomeJournal.read(home.journal())
                .filter(begun -> ProviderMarker.read(home.marker()).isPresent())
                .orElse(null);
        if (journal == null) {
            if (!mayGoOn.getAsBoolean()) {
                // The seed before this was fenced by the same stop.
                return false;
            }
            throw BerthException.conflict("the private home was not seeded to its end");
        }
        List<SetupFile> seeded = journal.seeded().stream()
                .map(path -> new SetupFile(path, null, false))
                .toList();
        ConfigurationRules.requireApart(home.definition(), seeded, delivery);
        HomeWriter writer = new HomeWriter(home.home(), journal, watch);
        for (DeliveredFile file : delivery.files()) {
            if (!mayGoOn.getAsBoolean()) {
                return false;
            }
            stored("the configuration file " + file.path(), () -> publish(home, file, journal, writer));
        }
        return true;
    }

    private static Boolean publish(ProviderHome home, DeliveredFile file, HomeJournal journal, HomeWriter writer)
            throws IOException, ConfigurationUncertainException {
        byte[] content = file.content().getBytes(StandardCharsets.UTF_8);
        if (home.retained() && isThere(home, file, content)) {
            return true;
        }
        boolean own = home.retained() && journal.wroteConfiguration(file.path());
        if (!own) {
            // Recorded once it is known that no other file has the name; a file in the way is refused by the writer.
            requireFree(home, file);
            journal.writesConfiguration(file.path());
        }
        writer.write(file.path(), content, own ? Place.OWN : Place.FREE);
        return true;
    }

    private static boolean isThere(ProviderHome home, DeliveredFile file, byte[] content) {
        try {
            return NoFollowFiles.read(home.home(), file.path(), DeliveredFile.MOST_BYTES, false)
                    .filter(there -> Arrays.equals(there, content))
                    .isPresent();
        } catch (NoFollowFiles.UnusableFileException e) {
            return false;
        }
    }

    private static void requireFree(ProviderHome home, DeliveredFile file) {
        boolean there;
        try {
            there = NoFollowFiles.exists(home.home(), file.path(), Integer.MAX_VALUE, false);
        } catch (NoFollowFiles.UnusableFileException e) {
            there = true;
        }
        if (there) {
            throw BerthException.conflict("the configuration file " + file.path()
                    + " would replace a file that Berth did not generate; move it away, or use another session_ref");
        }
    }

    private interface Work<T> {
        T run() throws IOException, ConfigurationUncertainException;
    }

    private static <T> T stored(String what, Work<T> work) throws ConfigurationUncertainException {
        try {
            return work.run();
        } catch (IOException e) {
            throw storage(what, e);
        }
    }

    private static BerthException storage(String what, IOException cause) {
        return new BerthException(ProblemCode.STORAGE, what + " could not be written on this host", cause);
    }
}
