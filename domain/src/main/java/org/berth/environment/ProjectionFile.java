package org.berth.environment;

/**
 * One file to be projected.
 *
 * @param source absolute host path of the bytes
 * @param path relative guest path
 * @param sha256 what the source must hash to
 * @param recordedAs where the bytes come from in truth; null for {@code source} itself
 * @param transientSource whether the source is made for this projection only and is not recorded
 */
public record ProjectionFile(
        String source, String path, String sha256, boolean required, Source recordedAs, boolean transientSource) {
    /** The file that a projection was made from, where its bytes were changed on the way. */
    public record Source(String path, String sha256) {}
}
