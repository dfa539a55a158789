package org.berth.environment;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.placement.CanonicalJson;
import org.berth.problem.BerthException;
import org.berth.problem.ProblemCode;

/**
 * The files that are to be put into an environment, beside those of earlier projections that stay.
 *
 * @param retained earlier files whose path is not selected again
 * @param managed sha256 by path of everything that Berth put there before
 */
public record ProjectionPlan(List<Item> items, List<ProjectionReceipt> retained, Map<String, String> managed) {
    /** One selected file and the bytes that its source held. */
    public record Item(ProjectionFile file, byte[] bytes, boolean executable) {
        /**
         * @throws BerthException invalid_environment_path; environment_projection_changed when the bytes are not those
         *     that were selected
         */
        public Item {
            EnvironmentRules.relativePath(file.path());
            if (!EnvironmentRules.isSha256(file.sha256())
                    || !CanonicalJson.sha256(bytes).equals(file.sha256())) {
                throw new BerthException(
                        ProblemCode.ENVIRONMENT_PROJECTION_CHANGED,
                        "A selected source does not hold the selected bytes.");
            }
        }

        /** What is recorded once the destination was verified. */
        public ProjectionReceipt receipt() {
            String source = file.recordedAs() == null
                    ? file.source()
                    : file.recordedAs().path();
            String digest = file.recordedAs() == null
                    ? file.sha256()
                    : file.recordedAs().sha256();
            return new ProjectionReceipt(
                    file.path(),
                    file.sha256(),
                    bytes.length,
                    file.required(),
                    file.transientSource() ? null : source,
                    file.transientSource() ? null : digest);
        }
    }

    /** What to do with one destination. */
    public sealed interface Destination {
        /** It holds the selected bytes. */
        record Present() implements Destination {}

        /** Put them there. {@code previousSha256} is what it must hold until then; null for nothing. */
        record Install(String previousSha256) implements Destination {}

        record Refuse(BerthException problem) implements Destination {}
    }

    /** @throws BerthException invalid_environment_request for more than 4096 */
    public static void requireCount(int files) {
        if (files > EnvironmentRules.PROJECTION_FILES) {
            throw new BerthException(
                    ProblemCode.INVALID_ENVIRONMENT_REQUEST,
                    "files must be a list of at most " + EnvironmentRules.PROJECTION_FILES + ".");
        }
    }

    /**
     * @param previous the files of the last projection; null before one
     * @throws BerthException environment_projection_too_large; invalid_environment_request for a path selected twice
     */
    public static ProjectionPlan of(List<Item> items, List<ProjectionReceipt> previous) {
        long bytes = items.stream().mapToLong(item -> item.bytes().length).sum();
        requireRoom(items.size(), bytes);
        Set<String> selected = new HashSet<>();
        for (Item item : items) {
            if (!selected.add(item.file().path())) {
                throw new BerthException(
                        ProblemCode.INVALID_ENVIRONMENT_REQUEST, "Two selected files have the same destination.");
            }
        }
        List<ProjectionReceipt> retained = new ArrayList<>();
        Map<String, String> managed = new HashMap<>();
        for (ProjectionReceipt each : previous == null ? List.<ProjectionReceipt>of() : previous) {
            managed.put(each.path(), each.sha256());
            if (!selected.contains(each.path())) {
                retained.add(each);
                bytes += each.bytes();
            }
        }
        requireRoom(items.size() + retained.size(), bytes);
        return new ProjectionPlan(List.copyOf(items), List.copyOf(retained), Map.copyOf(managed));
    }

    /** @param existingSha256 of what the destination holds; null when it is missing */
    public Destination decide(Item item, String existingSha256) {
        if (existingSha256 == null) {
            return new Destination.Install(null);
        }
        if (existingSha256.equals(item.file().sha256())) {
            return new Destination.Present();
        }
        return existingSha256.equals(managed.get(item.file().path()))
                ? new Destination.Install(existingSha256)
                : new Destination.Refuse(new BerthException(
                        ProblemCode.ENVIRONMENT_PROJECTION_CONFLICT,
                        "The destination " + item.file().path() + " holds what Berth did not put there; it was kept."));
    }

    /** What is recorded when every destination was verified. */
    public List<ProjectionReceipt> receipts() {
        List<ProjectionReceipt> receipts = new ArrayList<>(retained);
        items.forEach(item -> receipts.add(item.receipt()));
        return receipts;
    }

    private static void requireRoom(int files, long bytes) {
        if (files > EnvironmentRules.PROJECTION_FILES || bytes > EnvironmentRules.PROJECTION_BYTES) {
            throw new BerthException(
                    ProblemCode.ENVIRONMENT_PROJECTION_TOO_LARGE,
                    "The selected files, with those that stay, are over 4096 or over 32 MiB.");
        }
    }
}
