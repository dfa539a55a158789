package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.environment.BindingRecord;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.ProjectionFile;
import org.berth.environment.ProjectionPlan;
import org.berth.environment.ProjectionReceipt;
import org.berth.environment.driver.EnvironmentFiles;
import org.berth.environment.driver.ShippedFiles;
import org.berth.environment.service.ProjectionService;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;
import org.berth.startup.GuestLayout;
import org.berth.startup.StartupFile;
import org.berth.startup.StartupInput;
import org.berth.startup.StartupPlan;

/**
 * Brings a seat's inputs into its guest before anything is launched: guidance, skills, plugins, startup files and the
 * generated index of what to read. Source: environments.md, Startup; the reference's startup.
 */
@ApplicationScoped
public class StartupProjection {
    /** The activity origin as the shipped plugin is written; the binding's own takes its place. */
    private static final String SHIPPED_ORIGIN = "http://host.openshell.internal:7782";

    @Inject
    private ProjectionService projections;

    @Inject
    private EnvironmentFiles files;

    /**
     * @param cwd the member's directory on the host, which startup files may name; the guest's own takes its place
     * @throws BerthException environment_projection_unsupported, environment_projection_symlink, and those of {@link
     *     ProjectionService#project}
     */
    public List<ProjectionReceipt> project(BindingRecord record, String generation, StartupPlan plan, String cwd) {
        plan.inputs().forEach(GuestLayout::destination);
        EnvironmentBinding binding = record.binding();
        return projections.project(
                binding.bindingId(),
                "projection-" + generation,
                generation,
                plan.inputs().size() + plan.files().size(),
                () -> items(record, plan, cwd));
    }

    private List<ProjectionPlan.Item> items(BindingRecord record, StartupPlan plan, String cwd) {
        String guestRoot = record.binding().config().guestRoot();
        String origin = record.binding().config().guestBaseUrl();
        List<ProjectionPlan.Item> items = new ArrayList<>();
        for (StartupInput input : plan.inputs()) {
            walk(physical(input.absolutePath()), GuestLayout.destination(input), origin, items);
        }
        for (StartupFile file : plan.files()) {
            startup(file, cwd, guestRoot, items);
        }
        Set<String> paths = new LinkedHashSet<>();
        if (record.projection() != null) {
            record.projection().forEach(receipt -> paths.add(receipt.path()));
        }
        items.forEach(item -> paths.add(item.file().path()));
        byte[] index = GuestLayout.index(guestRoot, paths).getBytes(StandardCharsets.UTF_8);
        items.add(new ProjectionPlan.Item(
                new ProjectionFile(GuestLayout.INDEX, GuestLayout.INDEX, CanonicalJson.sha256(index), true, null, true),
                index,
                false));
        return items;
    }

    private void startup(StartupFile file, String cwd, String guestRoot, List<ProjectionPlan.Item> items) {
        byte[] original;
        try {
            original = files.read(physical(file.absolutePath()).toString());
        } catch (BerthException e) {
            if (file.required()) {
                throw e;
            }
            return;
        }
        String text = new String(original, StandardCharsets.UTF_8);
        byte[] bytes = cwd == null
                ? original
                : text.replace(cwd, guestRoot + "/" + GuestLayout.WORK).getBytes(StandardCharsets.UTF_8);
        items.add(item(
                physical(file.absolutePath()).toString(),
                GuestLayout.destination(file),
                original,
                bytes,
                false,
                file.required()));
    }

    private void walk(Path source, String destination, String origin, List<ProjectionPlan.Item> items) {
        if (Files.isSymbolicLink(source)) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_PROJECTION_SYMLINK,
                    "The input " + source + " is a symbolic link; name the file that is meant.");
        }
        if (Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            for (Path below : below(source)) {
                walk(below, destination + "/" + below.getFileName(), origin, items);
            }
            return;
        }
        byte[] original = files.read(source.toString());
        byte[] bytes = source.startsWith(ShippedFiles.root())
                ? new String(original, StandardCharsets.UTF_8)
                        .replace(SHIPPED_ORIGIN, origin)
                        .getBytes(StandardCharsets.UTF_8)
                : original;
        items.add(item(source.toString(), destination, original, bytes, Files.isExecutable(source), true));
    }

    private static ProjectionPlan.Item item(
            String source, String destination, byte[] original, byte[] bytes, boolean executable, boolean required) {
        ProjectionFile.Source recorded = new ProjectionFile.Source(source, CanonicalJson.sha256(original));
        return new ProjectionPlan.Item(
                new ProjectionFile(source, destination, CanonicalJson.sha256(bytes), required, recorded, false),
                bytes,
                executable);
    }

    private List<Path> below(Path directory) {
        files.directory(directory.toString());
        try (Stream<Path> all = Files.list(directory)) {
            return all.sorted().toList();
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_FILE_CHANGED, "The directory " + directory + " cannot be listed.", e);
        }
    }

    /** The declared path itself may be reached through a link; what lies in it may hold none. */
    private static Path physical(String path) {
        try {
            return Path.of(path).toRealPath();
        } catch (IOException e) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_FILE, "The declared input " + path + " does not exist.", e);
        }
    }
}
