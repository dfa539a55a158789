package org.berth.harness.kernel;

/** Which of its two outputs a cell wrote to. */
public enum OutputStream {
    /** Standard output. */
    STDOUT,
    /** Standard error. */
    STDERR
}
