package org.berth.harness.workspace;

import java.nio.file.Path;

/**
 * A workspace that a child can work in.
 *
 * @param directory the child's working directory
 * @param copied what was copied for it
 */
public record Created(Path directory, Copied copied) {}
