package org.berth.environment;

/** A guest file by {@code path} relative to the guest root, with its bytes counted and hashed. */
public record GuestFile(String path, String sha256, long bytes) {}
