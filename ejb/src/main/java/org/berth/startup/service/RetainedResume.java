package org.berth.startup.service;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.berth.environment.BindingRecord;
import org.berth.environment.ContextDifference;
import org.berth.environment.EnvironmentBinding;
import org.berth.environment.EnvironmentCheckpoint;
import org.berth.environment.EnvironmentCheckpoints;
import org.berth.environment.EnvironmentDriver;
import org.berth.environment.ExactResume;
import org.berth.environment.ProjectionReceipt;
import org.berth.environment.Recreation;
import org.berth.environment.ResumeSelection;
import org.berth.environment.driver.BoundedFile;
import org.berth.environment.service.EnvironmentReader;
import org.berth.environment.service.RecreationJournal;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The saved conversation of a recreated compute: chosen exactly, verified, and brought into the guest before its native is
 * prepared. Whatever fails here, nothing is started, and nothing fresh takes its place. Source: environments.md, Decisions,
 * restore; the reference's startup.
 */
@ApplicationScoped
public class RetainedResume {
    @Inject
    private RecreationJournal recreations;

    @Inject
    private EnvironmentCheckpoints checkpoints;

    @Inject
    private EnvironmentReader reader;

    /**
     * The verified checkpoint to go on with; empty for a fresh start.
     *
     * @param generation null while it is not chosen
     * @throws BerthException those of {@link ExactResume#decide} and {@link EnvironmentCheckpoints#verify}
     */
    Optional<EnvironmentCheckpoint> verified(BindingRecord record, String generation, ResumeSelection resume) {
        Recreation recreation = recreations.newest(record).orElse(null);
        EnvironmentCheckpoint saved = recreation == null
                ? null
                : checkpoints.find(recreation.checkpointId()).orElse(null);
        Optional<EnvironmentCheckpoint> kept =
                ExactResume.decide(new ExactResume.Situation(record.binding(), generation, recreation, saved), resume);
        kept.ifPresent(checkpoints::verify);
        return kept;
    }

    /** Gives the recreated compute's one launch to {@code generation}. @throws BerthException environment_selection_changed */
    void claim(BindingRecord record, String generation) {
        recreations.claim(record, generation);
    }

    /** How what the guest was given now differs from what it had. @throws BerthException environment_projection_missing */
    ContextDifference difference(EnvironmentCheckpoint checkpoint, List<ProjectionReceipt> projection) {
        return ContextDifference.of(
                checkpoint.context(), projection, source -> Files.exists(Path.of(source), LinkOption.NOFOLLOW_LINKS));
    }

    /**
     * Puts history and artifacts where they were, and reads each back.
     *
     * @throws BerthException environment_checkpoint_changed; those of {@link EnvironmentCheckpoints#history}; the driver's
     */
    void stage(BindingRecord record, EnvironmentCheckpoint checkpoint) {
        EnvironmentBinding binding = record.binding();
        EnvironmentDriver driver = reader.driver(binding);
        checkpoint.files().forEach(file -> put(driver, binding, file, checkpoints.history(checkpoint)));
        checkpoint.artifacts().forEach(file -> put(driver, binding, file, artifact(file)));
    }

    private static void put(
            EnvironmentDriver driver, EnvironmentBinding binding, EnvironmentCheckpoint.Retained file, byte[] bytes) {
        String destination = binding.config().guestRoot() + "/" + file.path();
        byte[] existing = existing(driver, binding, destination);
        if (existing != null && !Arrays.equals(existing, bytes)) {
            throw changed("The destination " + file.path() + " holds other bytes already");
        }
        if (existing == null) {
            driver.upload(binding, bytes, destination, null, false);
            byte[] received = existing(driver, binding, destination);
            if (!Arrays.equals(received, bytes)) {
                throw changed("The retained " + file.path() + " did not arrive unchanged");
            }
        }
    }

    /** The bytes that were published as the artifact; its directory and the file are no links. */
    private static byte[] artifact(EnvironmentCheckpoint.Retained file) {
        Path path = Path.of(file.source());
        byte[] bytes;
        try {
            bytes = new BoundedFile(path.getParent().getParent(), path).read();
        } catch (BerthException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED,
                    "The artifact " + file.path() + " is missing or changed on this host; nothing was started.",
                    e);
        }
        if (bytes.length != file.bytes() || !CanonicalJson.sha256(bytes).equals(file.sha256())) {
            throw changed("The artifact " + file.path() + " changed on this host");
        }
        return bytes;
    }

    /** Null when the guest has no such file. */
    private static byte[] existing(EnvironmentDriver driver, EnvironmentBinding binding, String destination) {
        try {
            return driver.read(binding, destination);
        } catch (BerthException e) {
            if (e.code() == ProblemCode.ENVIRONMENT_FILE_MISSING) {
                return null;
            }
            throw e;
        }
    }

    private static BerthException changed(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED, sentence + "; nothing was started.");
    }
}
