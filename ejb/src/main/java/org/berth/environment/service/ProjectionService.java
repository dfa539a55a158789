package org.berth.environment.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.berth.environment.BindingRecord;
import org.berth.environment.BindingRules;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.EnvironmentRules;
import org.berth.environment.GuestRead;
import org.berth.environment.GuestUpload;
import org.berth.environment.ProjectionFile;
import org.berth.environment.ProjectionPlan;
import org.berth.environment.ProjectionReceipt;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.fault.FaultPoint;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * Puts an explicit list of files into an environment and verifies each at its destination; proves later that sources and
 * destinations still agree. What Berth did not put there is kept. Source: environments.md, Operations.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
public class ProjectionService {
    /** Bytes that go to a guest together, at most. Source: twice the largest file; a helper's line lets four wait. */
    private static final long GROUP_BYTES = 2L * EnvironmentRules.FILE_BYTES;

    @Inject
    private EnvironmentReader reader;

    @Inject
    private EnvironmentJournal journal;

    @Inject
    private LaunchJournal launches;

    @Inject
    private EnvironmentFiles files;

    /** For the container, which injects. */
    public ProjectionService() {}

    ProjectionService(
            EnvironmentReader reader, EnvironmentJournal journal, LaunchJournal launches, EnvironmentFiles files) {
        this.reader = reader;
        this.journal = journal;
        this.launches = launches;
        this.files = files;
    }

    /**
     * Projects host files that the caller names by path.
     *
     * @throws BerthException those of {@link #project(String, String, String, int, Supplier)} and of {@link
     *     EnvironmentFiles#read}
     */
    public List<ProjectionReceipt> project(
            String bindingId, String operationId, String generation, List<ProjectionFile> selected) {
        return project(
                bindingId,
                operationId,
                generation,
                selected.size(),
                () -> selected.stream().map(this::item).toList());
    }

    /**
     * Projects {@code items}, which are read after the environment was proven to be there and Ready. Files of earlier
     * projections that are not selected again stay.
     *
     * @param count how many items will come
     * @return every file that is now verified at its destination
     * @throws BerthException invalid_environment_request, environment_projection_too_large,
     *     environment_projection_conflict, environment_projection_changed, environment_prior_execution_unconfirmed,
     *     environment_selection_changed; those of {@link EnvironmentReader#current}; the driver's
     */
    public List<ProjectionReceipt> project(
            String bindingId,
            String operationId,
            String generation,
            int count,
            Supplier<List<ProjectionPlan.Item>> items) {
        EnvironmentRules.identifier(operationId, "operationId");
        EnvironmentRules.identifier(generation, "generation");
        ProjectionPlan.requireCount(count);
        BindingRecord selected = reader.current(bindingId, true).record();
        launches.requireNoExecution(selected);
        ProjectionPlan plan = ProjectionPlan.of(items.get(), selected.projection());
        EnvironmentDriver driver = reader.driver(selected.binding());
        for (List<ProjectionPlan.Item> group : grouped(plan.items(), driver, item -> item.bytes().length)) {
            reader.observe(selected.binding(), true);
            put(driver, selected.binding(), plan, group);
        }
        List<ProjectionReceipt> receipts = plan.receipts();
        journal.step(store -> {
            BindingRecord current = store.lock(bindingId).orElse(null);
            BindingRules.requireUnchanged(selected, current, null);
            BindingRules.requireNoExecution(current.binding(), LaunchJournal.launches(store, current));
            store.save(current.projected(receipts, generation));
            return null;
        });
        FaultPoint.PROJECT_RECORDED.hit();
        return receipts;
    }

    /**
     * That every projected file and its source are still what was recorded; files that are not required may fail.
     *
     * @throws BerthException environment_generation_changed, environment_projection_missing,
     *     environment_projection_source_changed, environment_projection_changed; those of {@link
     *     EnvironmentReader#current}; the driver's
     */
    public void validate(String bindingId, String generation) {
        BindingRecord selected = reader.current(bindingId, true).record();
        BindingRules.requireGeneration(selected.binding(), generation);
        if (selected.projection() == null) {
            throw new BerthException(ProblemCode.ENVIRONMENT_PROJECTION_MISSING, "Nothing was projected and verified.");
        }
        EnvironmentDriver driver = reader.driver(selected.binding());
        for (List<ProjectionReceipt> group : grouped(selected.projection(), driver, ProjectionReceipt::bytes)) {
            List<GuestRead> destinations = read(
                    driver,
                    selected.binding(),
                    group.stream().map(ProjectionReceipt::path).toList());
            for (int i = 0; i < group.size(); i++) {
                ProjectionReceipt file = group.get(i);
                try {
                    requireSource(file);
                    requireDestination(destinations.get(i), file);
                } catch (BerthException e) {
                    if (file.required()) {
                        throw e;
                    }
                }
            }
        }
    }

    /** {@code all} in their order, as many together as the driver takes and at most {@link #GROUP_BYTES}. */
    private static <T> List<List<T>> grouped(List<T> all, EnvironmentDriver driver, ToLongFunction<T> bytes) {
        List<List<T>> groups = new ArrayList<>();
        List<T> group = new ArrayList<>();
        long size = 0;
        for (T each : all) {
            long more = bytes.applyAsLong(each);
            if (!group.isEmpty() && (group.size() == driver.filesTogether() || size + more > GROUP_BYTES)) {
                groups.add(group);
                group = new ArrayList<>();
                size = 0;
            }
            group.add(each);
            size += more;
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }

    private ProjectionPlan.Item item(ProjectionFile file) {
        EnvironmentRules.relativePath(file.path());
        return new ProjectionPlan.Item(file, files.read(file.source()), executable(file.source()));
    }

    private static void put(
            EnvironmentDriver driver,
            EnvironmentBinding binding,
            ProjectionPlan plan,
            List<ProjectionPlan.Item> group) {
        List<GuestRead> existing = read(
                driver, binding, group.stream().map(item -> item.file().path()).toList());
        List<ProjectionPlan.Item> sent = new ArrayList<>();
        List<GuestUpload> uploads = new ArrayList<>();
        BerthException refused = null;
        for (int i = 0; i < group.size() && refused == null; i++) {
            ProjectionPlan.Item item = group.get(i);
            byte[] bytes = existing.get(i).bytesIfPresent();
            switch (plan.decide(item, bytes == null ? null : CanonicalJson.sha256(bytes))) {
                case ProjectionPlan.Destination.Present _ -> {
                    // The read just now verified it.
                }
                case ProjectionPlan.Destination.Install install -> {
                    sent.add(item);
                    uploads.add(new GuestUpload(
                            item.bytes(),
                            destination(binding, item.file().path()),
                            install.previousSha256(),
                            item.executable()));
                }
                case ProjectionPlan.Destination.Refuse refuse -> refused = refuse.problem();
            }
        }
        if (!uploads.isEmpty()) {
            install(driver, binding, sent, uploads);
        }
        if (refused != null) {
            throw refused;
        }
    }

    private static void install(
            EnvironmentDriver driver,
            EnvironmentBinding binding,
            List<ProjectionPlan.Item> sent,
            List<GuestUpload> uploads) {
        Provider.asked(() -> {
            driver.uploadAll(binding, uploads);
            return null;
        });
        FaultPoint.PROJECT_WRITTEN.hit();
        List<GuestRead> actual = read(
                driver, binding, sent.stream().map(item -> item.file().path()).toList());
        for (int i = 0; i < sent.size(); i++) {
            if (!Arrays.equals(actual.get(i).bytes(), sent.get(i).bytes())) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_PROJECTION_CHANGED,
                        "The destination " + sent.get(i).file().path() + " does not hold the bytes that were sent.");
            }
        }
    }

    private static List<GuestRead> read(EnvironmentDriver driver, EnvironmentBinding binding, List<String> paths) {
        List<String> destinations =
                paths.stream().map(path -> destination(binding, path)).toList();
        return Provider.asked(() -> driver.readAll(binding, destinations));
    }

    private void requireSource(ProjectionReceipt file) {
        if (file.sourceFile() != null
                && !CanonicalJson.sha256(files.read(file.sourceFile())).equals(file.sourceSha256())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_PROJECTION_SOURCE_CHANGED,
                    "The source of " + file.path() + " changed after it was projected.");
        }
    }

    private static void requireDestination(GuestRead read, ProjectionReceipt file) {
        byte[] bytes = read.bytes();
        if (bytes.length != file.bytes() || !CanonicalJson.sha256(bytes).equals(file.sha256())) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_PROJECTION_CHANGED,
                    "The destination " + file.path() + " changed after it was verified.");
        }
    }

    private static String destination(EnvironmentBinding binding, String path) {
        return binding.config().guestRoot() + "/" + path;
    }

    private static boolean executable(String source) {
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(Path.of(source), LinkOption.NOFOLLOW_LINKS);
            return mode.contains(PosixFilePermission.OWNER_EXECUTE)
                    || mode.contains(PosixFilePermission.GROUP_EXECUTE)
                    || mode.contains(PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_FILE_CHANGED, "The source " + source + " changed while it was read.", e);
        }
    }
}
