package org.berth.startup;

/**
 * One file or directory that the agent uses.
 *
 * @param id its name within the category
 * @param absolutePath on the host
 */
public record StartupInput(InputCategory category, String id, String absolutePath) {}
