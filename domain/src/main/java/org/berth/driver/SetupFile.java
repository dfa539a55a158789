package org.berth.driver;

/**
 * A file that is written when a home is seeded.
 *
 * @param path below the private home
 * @param content UTF-8 text; null for what the host's source brings
 * @param compositionBase made empty where its source is absent, since configuration is composed upon it
 */
public record SetupFile(String path, String content, boolean compositionBase) {}
