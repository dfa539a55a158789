package org.berth.harness.workspace;

/** Is told how far a long copy is. Called by several threads, at most once per some hundred files; must return soon. */
@FunctionalInterface
public interface Progress {
    /** Nobody asks. */
    Progress NONE = (files, ofFiles, bytes) -> {};

    /** {@code files} of {@code ofFiles} are copied, which hold {@code bytes} bytes. */
    void at(long files, long ofFiles, long bytes);
}
