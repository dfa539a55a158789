package org.berth.harness.workspace;

/**
 * What a copy did, base and child's copy together counted once.
 *
 * @param clonedFiles files whose extents the copies share
 * @param copiedFiles files whose bytes were copied, because the file system cannot share
 * @param copiedBytes of {@code copiedFiles}
 */
public record Copied(long files, long clonedFiles, long copiedFiles, long copiedBytes) {}
