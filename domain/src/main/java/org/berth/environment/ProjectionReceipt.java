package org.berth.environment;

/** One verified destination file; {@code sourceFile} and {@code sourceSha256} are null for a transient source. */
public record ProjectionReceipt(
        String path, String sha256, long bytes, boolean required, String sourceFile, String sourceSha256) {}
