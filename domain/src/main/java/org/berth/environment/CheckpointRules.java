package org.berth.environment;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/** What a checkpoint may hold, and which history is one conversation's. Source: the reference's checkpoint and its check. */
public final class CheckpointRules {
    /** Bound of the artifacts: {@value} files. */
    public static final int ARTIFACTS = 128;

    /** Bound of the artifacts, and of the context: {@value} bytes together. */
    public static final long TOGETHER_BYTES = 32L * 1_048_576;

    /** Where a native keeps its histories, relative to the guest root. */
    static final String HISTORIES = "native/projects/";

    private static final String ARTIFACT_ROOT = ArtifactContract.DIRECTORY + "/";
    private static final Set<String> SPOKEN = Set.of("user", "assistant");

    private CheckpointRules() {}

    /**
     * The one history file of {@code nativeId}.
     *
     * @throws BerthException environment_checkpoint_invalid for none, several, an empty one, one over 1 MiB, and one
     *     elsewhere
     */
    public static GuestFile history(List<GuestFile> files, String nativeId) {
        if (files.size() != 1) {
            throw invalid("A checkpoint needs exactly one history file.");
        }
        GuestFile file = files.getFirst();
        requirePlace(file.path(), nativeId);
        if (file.bytes() < 1
                || file.bytes() > EnvironmentRules.FILE_BYTES
                || !EnvironmentRules.isSha256(file.sha256())) {
            throw invalid("The history is empty, over 1 MiB, or not hashed.");
        }
        return file;
    }

    /**
     * The frozen prefix of a history that may have grown since.
     *
     * @throws BerthException environment_checkpoint_changed when it does not begin with what was selected
     */
    public static byte[] prefix(byte[] read, GuestFile selected) {
        byte[] prefix = Arrays.copyOf(read, (int) Math.min(read.length, selected.bytes()));
        if (prefix.length != selected.bytes() || !CanonicalJson.sha256(prefix).equals(selected.sha256())) {
            throw changed("The history no longer begins with what was selected.");
        }
        return prefix;
    }

    /**
     * That {@code history} is whole records of the one conversation {@code nativeId}.
     *
     * @param reader one record's identity; empty for what is no JSON object
     * @throws BerthException environment_checkpoint_incomplete without a newline at the end,
     *     environment_checkpoint_identity_mismatch, environment_checkpoint_invalid
     */
    public static void requireHistory(byte[] history, String nativeId, Function<String, Optional<HistoryLine>> reader) {
        if (history.length == 0 || history[history.length - 1] != '\n') {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_INCOMPLETE, "The history does not end with a whole record.");
        }
        List<Optional<HistoryLine>> lines = Arrays.stream(new String(history, StandardCharsets.UTF_8).split("\n"))
                .map(reader)
                .toList();
        if (lines.stream().flatMap(Optional::stream).noneMatch(line -> speaks(line, nativeId))) {
            throw mismatch("The history does not name the conversation.");
        }
        if (lines.stream().anyMatch(Optional::isEmpty)) {
            throw invalid("A record of the history is no JSON object.");
        }
        if (lines.stream()
                .flatMap(Optional::stream)
                .anyMatch(line -> line.names() && !nativeId.equals(line.sessionId()))) {
            throw mismatch("Another conversation stands in the history.");
        }
    }

    /**
     * That counts, bytes, paths and hashes of {@code checkpoint} are within bounds; nothing is read.
     *
     * @throws BerthException environment_checkpoint_invalid
     */
    public static void requireBounds(EnvironmentCheckpoint checkpoint) {
        requireBounds(checkpoint.artifacts(), checkpoint.context());
        if (!EnvironmentRules.NATIVE_TYPE.equals(checkpoint.nativeType())) {
            throw invalid("The checkpoint is of another kind of agent.");
        }
        history(
                checkpoint.files().stream()
                        .map(each -> new GuestFile(each.path(), each.sha256(), each.bytes()))
                        .toList(),
                checkpoint.nativeId());
    }

    /** As above, of what will be referred to. @throws BerthException environment_checkpoint_invalid */
    public static void requireBounds(List<EnvironmentCheckpoint.Retained> artifacts, List<ProjectionReceipt> context) {
        long contextBytes = context.stream().mapToLong(ProjectionReceipt::bytes).sum();
        if (context.size() > EnvironmentRules.PROJECTION_FILES || contextBytes > TOGETHER_BYTES) {
            throw invalid("The context is over 4096 files or 32 MiB.");
        }
        long artifactBytes = artifacts.stream()
                .mapToLong(EnvironmentCheckpoint.Retained::bytes)
                .sum();
        if (artifacts.size() > ARTIFACTS || artifactBytes > TOGETHER_BYTES) {
            throw invalid("The artifacts are over 128 files or 32 MiB.");
        }
        context.forEach(each -> requirePath(each.path()));
        for (EnvironmentCheckpoint.Retained artifact : artifacts) {
            requirePath(artifact.path());
            if (!artifact.path().startsWith(ARTIFACT_ROOT)) {
                throw invalid("A retained artifact lies outside " + ARTIFACT_ROOT + ".");
            }
        }
    }

    /** An artifact's guest path relative to the guest root. @throws BerthException environment_checkpoint_changed */
    public static String artifactPath(String guestRoot, String guestPath) {
        if (guestPath == null || !guestPath.startsWith(guestRoot + "/" + ARTIFACT_ROOT)) {
            throw changed("A receipt of an export names a path outside " + ARTIFACT_ROOT + ".");
        }
        return guestPath.substring(guestRoot.length() + 1);
    }

    /**
     * Whether the operation is over after {@code code}: the same try can only end the same way.
     *
     * @param frozen whether the selection was recorded by then
     */
    public static boolean isFinal(ProblemCode code, boolean frozen) {
        return switch (code) {
            case ENVIRONMENT_BINDING_MISSING,
                    ENVIRONMENT_GENERATION_CHANGED,
                    ENVIRONMENT_SELECTION_CHANGED,
                    ENVIRONMENT_CHECKPOINT_UNSUPPORTED -> true;
            case ENVIRONMENT_CHECKPOINT_INVALID,
                    ENVIRONMENT_CHECKPOINT_INCOMPLETE,
                    ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH -> frozen;
            default -> false;
        };
    }

    private static boolean speaks(HistoryLine line, String nativeId) {
        return nativeId.equals(line.sessionId()) && line.type() != null && SPOKEN.contains(line.type());
    }

    private static void requirePlace(String path, String nativeId) {
        requirePath(path);
        if (!path.startsWith(HISTORIES) || !path.endsWith("/" + nativeId + ".jsonl")) {
            throw invalid("The history is not the conversation's own file below " + HISTORIES + ".");
        }
    }

    private static void requirePath(String path) {
        try {
            EnvironmentRules.relativePath(path);
        } catch (BerthException e) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID, "A retained path leaves the guest root.", e);
        }
    }

    private static BerthException invalid(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_INVALID, sentence);
    }

    private static BerthException changed(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_CHANGED, sentence);
    }

    private static BerthException mismatch(String sentence) {
        return new BerthException(ProblemCode.ENVIRONMENT_CHECKPOINT_IDENTITY_MISMATCH, sentence);
    }
}
