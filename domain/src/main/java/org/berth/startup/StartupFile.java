package org.berth.startup;

/**
 * One file that is read at the start.
 *
 * @param path as the agent file names it
 * @param absolutePath on the host
 * @param required whether the start is refused without it
 */
public record StartupFile(String path, String absolutePath, boolean required) {}
